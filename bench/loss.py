#!/usr/bin/python3
"""Forward + backward of the fused losses against the dense expression in PyTorch: time and memory, side by side.

loss.py BIN_FOLDER [--threads 2] [--repeats 5] [--dims 256] [--python /usr/bin/python3]

Runs loss_bench and loss_peer.py in turn and prints medians, and the memory each needs beyond its input. The peer's
masks count as memory but not as time. Last, 65,536 rows of ours alone, where a dense matrix would take 17 GB. Exits
with 1 if a target is missed: 2 times the speed, a tenth of the memory, 2 GB for the whole process.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys

CASES = [("infonce", 512), ("infonce", 4096), ("infonce", 16384), ("spectral", 4096), ("spectral", 16384)]
TARGET_ROWS = 4096  # below, there is no promise
LARGE = 65536


def run(command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"loss.py: {command[0]} failed: {(result.stderr.strip().splitlines() or ['no message'])[-1]}")
    return [float(number) for number in result.stdout.split()]


def medians(rounds):
    return [statistics.median(numbers) for numbers in zip(*rounds)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path, help="folder of loss_bench")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--dims", type=int, default=256)
    parser.add_argument("--python", default="/usr/bin/python3", help="an interpreter that has torch")
    arguments = parser.parse_args()
    ours_program = [arguments.bin / "loss_bench"]
    peer_program = [arguments.python, pathlib.Path(__file__).with_name("loss_peer.py")]
    missed = False
    print(f"{'':<18}{'orthant':>12}{'PyTorch':>12}{'faster':>9}{'orthant':>12}{'PyTorch':>12}{'smaller':>9}")
    for loss, rows in CASES:
        settings = [loss, rows, arguments.dims, arguments.threads, 3 if rows <= 4096 else 1]
        ours, theirs = [], []
        for _ in range(arguments.repeats):
            ours.append(run([*ours_program, *settings]))
            theirs.append(run([*peer_program, *settings]))
        (our_time, our_memory, _), (peer_time, peer_memory, _) = medians(ours), medians(theirs)
        faster, smaller = peer_time / our_time, peer_memory / max(our_memory, 0.1)
        missed = missed or (rows >= TARGET_ROWS and (faster < 2 or smaller < 10))
        print(f"{f'{loss} {rows}':<18}{our_time * 1e3:>9.1f} ms{peer_time * 1e3:>9.1f} ms{faster:>8.1f}x"
              f"{our_memory:>9.0f} MB{peer_memory:>9.0f} MB{smaller:>8.0f}x")
    seconds, _, peak = run([*ours_program, "infonce", LARGE, arguments.dims, arguments.threads, 1])
    missed = missed or peak > 2000
    print(f"{f'infonce {LARGE}':<18}{seconds:>10.1f} s, {peak:.0f} MB for the whole process")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
