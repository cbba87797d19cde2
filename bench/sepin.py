"""SEPIN of 4,096 pairs of views with 256 features: sepin_bench against the same in PyTorch; and matching of features.

Usage: sepin.py BIN_FOLDER [--runs 5] [--small]

Both sides take two threads, in turn; medians. Features: two noisy views of normal vectors, dense, and with 90 % zeros.
PyTorch computes a few features only and its time is scaled to all of them, because a column takes seconds and all take
the same. The values of the two are compared. Last, the optimal matching of two models of 2,048 features on 4,000 items.

--small: an eighth of the pairs, to see that it works.
"""

import sys
import tempfile

import numpy as np

import driver

THREADS = 2
FEATURES = 256
PEER_FEATURES = 3


def run(*command):
    return driver.json_of(*command, threads=THREADS)


def write_views(folder, pairs, zeros):
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(pairs, FEATURES))
    silent = rng.random(shared.shape) < zeros
    for name in ["first", "second"]:
        view = shared + 0.5 * rng.normal(size=shared.shape)
        if zeros > 0:
            view = np.where(silent, 0, np.abs(view))
        np.save(f"{folder}/{name}.npy", view.astype(np.float32))


def compare(bench, folder, kind, runs):
    files = [f"{folder}/first.npy", f"{folder}/second.npy"]
    ours, peers = driver.in_turn(
        runs, lambda: run(bench, "sepin", *files, THREADS, 1),
        lambda: run(sys.executable, driver.beside("sepin_peer.py"), *files, PEER_FEATURES, THREADS))
    own = driver.median(ours, "seconds")
    peer = driver.median(peers, "seconds") * (FEATURES + 1) / (PEER_FEATURES + 1)
    gap = max(abs(ours[0][key] - peers[0][key]) for key in ["loss", "first"])
    print(f"sepin, {kind}: {own:.2f} s, PyTorch {peer:.1f} s: {peer / own:.0f}x; values differ by {gap:.1e}")


def main():
    arguments = driver.parser(__doc__, runs=5, small=True).parse_args()
    bench = arguments.bin / "sepin_bench"
    pairs = 512 if arguments.small else 4096
    with tempfile.TemporaryDirectory() as folder:
        for kind, zeros in [("dense", 0), ("90 % zeros", 0.9)]:
            write_views(folder, pairs, zeros)
            compare(bench, folder, f"{pairs} pairs x {FEATURES} features, {kind}", arguments.runs)
        rng = np.random.default_rng(1)
        width = 256 if arguments.small else 2048
        for name in ["first", "second"]:
            np.save(f"{folder}/{name}.npy", rng.normal(size=(4000, width)).astype(np.float32))
        files = [f"{folder}/first.npy", f"{folder}/second.npy"]
        (rounds,) = driver.in_turn(arguments.runs, lambda: run(bench, "stability", *files, THREADS))
        print(f"stability, 4000 items x {width} features: {driver.median(rounds, 'seconds'):.2f} s")


if __name__ == "__main__":
    main()
