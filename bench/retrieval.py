#!/usr/bin/python3
"""Exact search against faiss' flat index, and the official retrieval curve against the loop it comes from.

retrieval.py BIN_FOLDER [--threads 2] [--runs 3] [--small] [--python /usr/bin/python3]

60,000 x 256 features, dense and with 90 % zeros, as one dense matrix for both sides (ours sees the zeros by itself), all
rows or 10,000 of them as queries. Then 200,000 x 1,024 sparse features with 95 % zeros for the memory, and the official
curve on 10,000 x 256 features with 90 % zeros at eight numbers of columns, which is what its Python loop can bear. Runs
retrieval_bench and retrieval_peer.py in turn and prints medians. Exits with 1 if a target is missed: as fast as faiss,
3 times with 90 % zeros, 1.5 GB, 100 times the official loop.

--small: a tenth of the rows and no targets, to see that it works.
"""
import driver

WIDTHS = (44, 12, 12, 10, 9)


def main():
    parser = driver.parser(__doc__, runs=3, threads=2, small=True, python="faiss and torch")
    arguments = parser.parse_args()
    threads = arguments.threads
    ours = [arguments.bin / "retrieval_bench"]
    peer = [arguments.python, driver.beside("retrieval_peer.py")]
    unit = 1 if arguments.small else 10
    missed = []

    def compare(name, our_settings, peer_settings, target, runs):
        rounds = driver.in_turn(runs, lambda: driver.numbers_of(*ours, *our_settings, threads, 1, threads=threads),
                                lambda: driver.numbers_of(*peer, *peer_settings, threads, 1, threads=threads))
        our_time, peer_time = (driver.median(results, 0) for results in rounds)
        driver.row(name, f"{our_time:.3f} s", f"{peer_time:.3f} s", f"{peer_time / our_time:.1f}x", f"{target}x",
                   widths=WIDTHS)
        if peer_time < target * our_time:
            missed.append(name)

    driver.row("", "orthant", "peer", "faster", "target", widths=WIDTHS)
    rows = 6000 * unit
    for zeros, target in ((0, 1), (0.9, 3)):
        for queries, k in ((rows, 10), (1000 * unit, 10), (1000 * unit, 20)):
            settings = [rows, 256, zeros, queries, k]
            compare(f"{rows} x 256, {zeros:.0%} zeros, {queries} queries, k {k}", ["search", *settings],
                    ["faiss", *settings], target, arguments.runs)
    settings = [1000 * unit, 256, 32]
    compare(f"official curve, {1000 * unit} x 256, 8 points", ["official", *settings], ["official", *settings], 100, 1)
    seconds, peak = driver.numbers_of(*ours, "sparse", 20000 * unit, 1024, 0.95, 1000 * unit, 10, threads, 1,
                                      threads=threads)
    print(f"{20000 * unit} x 1024 sparse, 95 % zeros, {1000 * unit} queries: {seconds:.1f} s, "
          f"{peak:.0f} MB for the whole process (target 1500 MB)")
    if peak > 1500:
        missed.append("memory")
    driver.finish([] if arguments.small else missed)


if __name__ == "__main__":
    main()
