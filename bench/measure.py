"""Everything that features and labels allow: measure_bench against NumPy and scikit-learn, and the memory of a large set.

Usage: measure.py BIN_FOLDER [--runs 5] [--small]

First part: 10,000 x 256 dense float32 features of ten classes, about half of them zero, both sides on two threads.
Second part: the peak memory of `orthant measure` on 200,000 x 1,024 sparse features with 95 % zeros.

--small: a tenth of the rows, to see that it works.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse


# The system counts what a parent held when it started a program towards the program: hence a small one in between.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def run(command):
    environment = dict(os.environ, OMP_NUM_THREADS="2", OPENBLAS_NUM_THREADS="2")
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def compare(bench, folder, rows, runs):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, rows)
    features = np.maximum(rng.normal(size=(10, 256))[labels] + rng.normal(size=(rows, 256)), 0).astype(np.float32)
    np.save(f"{folder}/z.npy", features)
    np.save(f"{folder}/y.npy", labels)
    ours = json.loads(run([bench, f"{folder}/z.npy", f"{folder}/y.npy", "2", str(runs)]))
    peer_script = str(Path(__file__).with_name("measure_peer.py"))
    peer = json.loads(run([sys.executable, peer_script, f"{folder}/z.npy", f"{folder}/y.npy", str(runs)]))
    print(f"{rows} x 256 dense, 10 classes, 2 threads, seconds")
    for name, seconds in ours.items():
        print(f"  {name:<20} {seconds:8.4f}   NumPy and scikit-learn {peer[name]:8.4f}   {peer[name] / seconds:5.1f}x")


def memory(program, folder, rows):
    rng = np.random.default_rng(1)
    blocks = []
    for begin in range(0, rows, 10_000):
        count = min(10_000, rows - begin)
        kept = rng.random((count, 1024), np.float32) < 0.05
        blocks.append(scipy.sparse.csr_matrix(np.where(kept, rng.random((count, 1024), np.float32), 0)))
    scipy.sparse.save_npz(f"{folder}/z.npz", scipy.sparse.vstack(blocks), compressed=False)
    del blocks
    np.save(f"{folder}/large.npy", rng.integers(0, 10, rows))
    start = time.perf_counter()
    peak = int(run([sys.executable, "-c", PEAK, program, "measure", f"{folder}/z.npz", "--labels",
                    f"{folder}/large.npy", "--threads", "2", "--json"])) / 1024
    seconds = time.perf_counter() - start
    print(f"{rows} x 1024 sparse at 95 % zeros, orthant measure: {peak:.0f} MB at most, {seconds:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    scale = 10 if arguments.small else 1
    with tempfile.TemporaryDirectory() as folder:
        compare(f"{arguments.bin}/measure_bench", folder, 10_000 // scale, arguments.runs)
        memory(f"{arguments.bin}/orthant", folder, 200_000 // scale)


if __name__ == "__main__":
    main()
