"""Everything that features and labels allow: measure_bench against NumPy and scikit-learn, and the memory of a large set.

Usage: measure.py BIN_FOLDER [--runs 5] [--small]

First part: 10,000 x 256 dense float32 features of ten classes, about half of them zero, both sides on two threads.
Second part: the peak memory of `orthant measure` on 200,000 x 1,024 sparse features with 95 % zeros.

--small: a tenth of the rows, to see that it works.
"""

import sys
import tempfile

import numpy as np
import scipy.sparse

import driver

THREADS = 2


# The system counts what a parent held when it started a program towards the program: hence a small one in between.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def compare(bench, folder, rows, runs):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, rows)
    features = np.maximum(rng.normal(size=(10, 256))[labels] + rng.normal(size=(rows, 256)), 0).astype(np.float32)
    np.save(f"{folder}/z.npy", features)
    np.save(f"{folder}/y.npy", labels)
    files = [f"{folder}/z.npy", f"{folder}/y.npy"]
    ours = driver.json_of(bench, *files, THREADS, runs, threads=THREADS)
    peer = driver.json_of(sys.executable, driver.beside("measure_peer.py"), *files, runs, threads=THREADS)
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
    seconds, (peak,) = driver.timed(driver.numbers_of, sys.executable, "-c", PEAK, program, "measure",
                                    f"{folder}/z.npz", "--labels", f"{folder}/large.npy", "--threads", THREADS, "--json")
    print(f"{rows} x 1024 sparse at 95 % zeros, orthant measure: {peak / 1024:.0f} MB at most, {seconds:.1f} s")


def main():
    arguments = driver.parser(__doc__, runs=5, small=True).parse_args()
    scale = 10 if arguments.small else 1
    with tempfile.TemporaryDirectory() as folder:
        compare(arguments.bin / "measure_bench", folder, 10_000 // scale, arguments.runs)
        memory(arguments.bin / "orthant", folder, 200_000 // scale)


if __name__ == "__main__":
    main()
