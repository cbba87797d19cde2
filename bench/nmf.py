"""Non-negative matrix factorisation: nmf_bench against scikit-learn, and symmetric solvers against the size of a graph.

Usage: nmf.py BIN_FOLDER [--runs 5] [--small]

First part: a 20,000 x 2,000 count matrix with about 1 % filled, drawn from 32 planted topics with noise, seeded. Both
programs factorise it at rank 32 in float64 from random starts, in turn. scikit-learn's coordinate descent stops by its
default tolerance; nmf_bench is timed until it reaches that error within 0.02 %, the spread between the local optima that
different seeds of either program end in. Both may use two threads: scikit-learn's inner loop is written for one, so the
time of nmf_bench on one thread is given as well.

Second part: seconds per iteration of the symmetric solvers on random graphs of 10^5, 10^6 and 10^7 edges with ten edges
per node.

--small: a tenth of the rows and no 10^7, to see that it works.
"""

import sys
import tempfile

import numpy as np
import scipy.sparse

import driver

RANK = 32
SLACK = 1.0002
SYMMETRIC = ("sym-hals", "sym-cd", "sym-pgd", "sym-mu")


def topic_counts(rows, cols, per_row, seed=0):
    """Each row draws its words from a few of RANK topics; a fifth of them is noise."""
    rng = np.random.default_rng(seed)
    mixtures = rng.dirichlet(np.full(RANK, 0.1), rows)
    topics = np.array([rng.choice(RANK, per_row, p=mixture) for mixture in mixtures]).ravel()
    words = np.empty_like(topics)
    for topic in range(RANK):
        chosen = topics == topic
        words[chosen] = rng.choice(cols, chosen.sum(), p=rng.dirichlet(np.full(cols, 0.05)))
    noise = rng.random(words.size) < 0.2
    words[noise] = rng.integers(0, cols, noise.sum())
    ones = np.ones(words.size, np.float32)
    matrix = scipy.sparse.csr_matrix((ones, (np.repeat(np.arange(rows), per_row), words)), (rows, cols))
    matrix.sum_duplicates()
    return matrix


def compare(bench, folder, rows, runs):
    path = f"{folder}/counts.npz"
    matrix = topic_counts(rows, 2000, 20)
    scipy.sparse.save_npz(path, matrix)
    filled = matrix.nnz / (matrix.shape[0] * matrix.shape[1])
    print(f"{matrix.shape[0]} x {matrix.shape[1]}, {filled:.2%} filled, rank {RANK}")
    peers, ours, alone = [], [], []
    for seed in range(runs):
        peer = driver.json_of(sys.executable, driver.beside("nmf_peer.py"), path, RANK, "random", seed, threads=2)
        peers.append(peer)
        for threads, results in ((2, ours), (1, alone)):
            goal = peer["error"] * SLACK
            results.append(driver.json_of(bench, "solve", path, RANK, "random", threads, goal, seed, threads=2))
    seconds = [driver.median(results, "seconds") for results in (peers, ours, alone)]
    for name, time, results in zip(("scikit-learn cd", "orthant hals, 2 threads", "orthant hals, 1 thread"), seconds,
                                   (peers, ours, alone)):
        missed = sum(r["error"] > p["error"] * SLACK for r, p in zip(results, peers))
        iterations = driver.median(results, "iterations")
        errors = f"{min(r['error'] for r in results):.3f} to {max(r['error'] for r in results):.3f}"
        note = f", {missed} of {runs} did not reach it" if missed else ""
        print(f"  {name:<24} {time:8.3f} s  {seconds[0] / time:5.1f}x  {iterations:5.0f} iterations  "
              f"error {errors}{note}")


def scaling(bench, sizes):
    print("seconds per iteration of symmetric solvers at rank 16, 2 threads")
    print("  edges    " + "".join(f"{solver:>12}" for solver in SYMMETRIC))
    for edges in sizes:
        times = [driver.json_of(bench, "scale", solver, edges, 2, threads=2)["seconds"] for solver in SYMMETRIC]
        print(f"  10^{len(str(edges)) - 1:<6} " + "".join(f"{time:12.5f}" for time in times))


def main():
    arguments = driver.parser(__doc__, runs=5, small=True).parse_args()
    bench = arguments.bin / "nmf_bench"
    with tempfile.TemporaryDirectory() as folder:
        compare(bench, folder, 2_000 if arguments.small else 20_000, arguments.runs)
    scaling(bench, (10**5, 10**6) if arguments.small else (10**5, 10**6, 10**7))


if __name__ == "__main__":
    main()
