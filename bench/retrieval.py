#!/usr/bin/python3
"""Exact search against faiss' flat index, and the official retrieval curve against the loop it comes from.

retrieval.py BIN_FOLDER [--threads 2] [--repeats 3] [--small] [--python /usr/bin/python3]

60,000 x 256 features, dense and with 90 % zeros, as one dense matrix for both sides (ours sees the zeros by itself), all
rows or 10,000 of them as queries. Then 200,000 x 1,024 sparse features with 95 % zeros for the memory, and the official
curve on 10,000 x 256 features with 90 % zeros at eight numbers of columns, which is what its Python loop can bear. Runs
retrieval_bench and retrieval_peer.py in turn and prints medians. Exits with 1 if a target is missed: as fast as faiss,
3 times with 90 % zeros, 1.5 GB, 100 times the official loop.

--small: a tenth of the rows and no targets, to see that it works.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys


def run(command, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=environment)
    if result.returncode != 0:
        sys.exit(f"retrieval.py: {command[0]} failed: {(result.stderr.strip().splitlines() or ['no message'])[-1]}")
    return [float(number) for number in result.stdout.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path, help="folder of retrieval_bench")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--python", default="/usr/bin/python3", help="an interpreter that has faiss and torch")
    arguments = parser.parse_args()
    ours = [arguments.bin / "retrieval_bench"]
    peer = [arguments.python, pathlib.Path(__file__).with_name("retrieval_peer.py")]
    unit = 1 if arguments.small else 10
    missed = []

    def compare(name, our_settings, peer_settings, target, repeats):
        our_rounds, peer_rounds = [], []
        for _ in range(repeats):
            our_rounds.append(run([*ours, *our_settings, arguments.threads, 1], arguments.threads)[0])
            peer_rounds.append(run([*peer, *peer_settings, arguments.threads, 1], arguments.threads)[0])
        our_time, peer_time = statistics.median(our_rounds), statistics.median(peer_rounds)
        print(f"{name:<44}{our_time:>10.3f} s{peer_time:>10.3f} s{peer_time / our_time:>9.1f}x{target:>8}x", flush=True)
        if peer_time < target * our_time:
            missed.append(name)

    print(f"{'':<44}{'orthant':>12}{'peer':>12}{'faster':>10}{'target':>9}")
    rows = 6000 * unit
    for zeros, target in ((0, 1), (0.9, 3)):
        for queries, k in ((rows, 10), (1000 * unit, 10), (1000 * unit, 20)):
            settings = [rows, 256, zeros, queries, k]
            compare(f"{rows} x 256, {zeros:.0%} zeros, {queries} queries, k {k}", ["search", *settings],
                    ["faiss", *settings], target, arguments.repeats)
    settings = [1000 * unit, 256, 32]
    compare(f"official curve, {1000 * unit} x 256, 8 points", ["official", *settings], ["official", *settings], 100, 1)
    seconds, peak = run([*ours, "sparse", 20000 * unit, 1024, 0.95, 1000 * unit, 10, arguments.threads, 1],
                        arguments.threads)
    print(f"{20000 * unit} x 1024 sparse, 95 % zeros, {1000 * unit} queries: {seconds:.1f} s, "
          f"{peak:.0f} MB for the whole process (target 1500 MB)")
    if peak > 1500:
        missed.append("memory")
    if missed and not arguments.small:
        sys.exit("retrieval.py: missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
