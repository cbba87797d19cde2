#!/usr/bin/python3
"""Forward + backward of the fused losses against the dense expression in PyTorch: time and memory, side by side.

loss.py BIN_FOLDER [--threads 2] [--runs 5] [--dims 256] [--python /usr/bin/python3]

Runs loss_bench and loss_peer.py in turn and prints medians, and the memory each needs beyond its input. The peer's
masks count as memory but not as time. Last, 65,536 rows of ours alone, where a dense matrix would take 17 GB. Exits
with 1 if a target is missed: 2 times the speed, a tenth of the memory, 2 GB for the whole process.
"""
import driver

CASES = [("infonce", 512), ("infonce", 4096), ("infonce", 16384), ("spectral", 4096), ("spectral", 16384)]
TARGET_ROWS = 4096  # below, there is no promise
LARGE = 65536
WIDTHS = (18, 12, 12, 9, 12, 12, 9)


def main():
    parser = driver.parser(__doc__, runs=5, threads=2, python="torch")
    parser.add_argument("--dims", type=int, default=256)
    arguments = parser.parse_args()
    ours_program = [arguments.bin / "loss_bench"]
    peer_program = [arguments.python, driver.beside("loss_peer.py")]
    missed = []
    driver.row("", "orthant", "PyTorch", "faster", "orthant", "PyTorch", "smaller", widths=WIDTHS)
    for loss, rows in CASES:
        settings = [loss, rows, arguments.dims, arguments.threads, 3 if rows <= 4096 else 1]
        rounds = driver.in_turn(arguments.runs, lambda: driver.numbers_of(*ours_program, *settings),
                                lambda: driver.numbers_of(*peer_program, *settings))
        (our_time, our_memory), (peer_time, peer_memory) = (
            (driver.median(results, 0), driver.median(results, 1)) for results in rounds)
        faster, smaller = peer_time / our_time, peer_memory / max(our_memory, 0.1)
        if rows >= TARGET_ROWS and (faster < 2 or smaller < 10):
            missed.append(f"{loss} {rows}")
        driver.row(f"{loss} {rows}", f"{our_time * 1e3:.1f} ms", f"{peer_time * 1e3:.1f} ms", f"{faster:.1f}x",
                   f"{our_memory:.0f} MB", f"{peer_memory:.0f} MB", f"{smaller:.0f}x", widths=WIDTHS)
    seconds, _, peak = driver.numbers_of(*ours_program, "infonce", LARGE, arguments.dims, arguments.threads, 1)
    print(f"infonce {LARGE}: {seconds:.1f} s, {peak:.0f} MB for the whole process")
    if peak > 2000:
        missed.append("memory")
    driver.finish(missed)


if __name__ == "__main__":
    main()
