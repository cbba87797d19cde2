#!/usr/bin/python3
"""The report of 10,000 pictures, 256 features and two runs: how large, how long to write, how fast to open.

look.py BUILD_FOLDER [--cifar FOLDER]

Features are invented, around the means of ten classes: one run dense and signed, one with 90 % zeros. Pictures are
CIFAR-10's test pictures, or sprites of the same size without them. Then look.mjs opens the file in headless Chromium.
Exits with 1 if a target is missed: 30 MB.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

ITEMS, FEATURES, CLASSES, LIMIT = 10_000, 256, 10, 30e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--cifar", type=pathlib.Path,
                        default=pathlib.Path.home() / ".cache/orthant/data/cifar-10-batches-bin")
    arguments = parser.parse_args()
    data = f"cifar10:{arguments.cifar}" if arguments.cifar.is_dir() else "sprites"
    rng = np.random.default_rng(0)
    kinds = rng.normal(size=(CLASSES, FEATURES))[rng.integers(0, CLASSES, ITEMS)]
    dense = (kinds + rng.normal(size=(ITEMS, FEATURES))).astype(np.float32)
    sparse = np.maximum(dense - np.quantile(dense, 0.9), 0)
    with tempfile.TemporaryDirectory() as folder:
        for name, features in (("dense", dense), ("sparse", sparse)):
            np.save(f"{folder}/{name}.npy", features)
        report = f"{folder}/report.html"
        begin = time.perf_counter()
        subprocess.run([arguments.build / "bin/orthant", "report", f"{folder}/dense.npy", f"{folder}/sparse.npy", "--data",
                        data, "--split", "test", "--quiet", "-o", report], check=True)
        seconds, size = time.perf_counter() - begin, os.path.getsize(report)
        print(f"{ITEMS} items of {data.split(':')[0]}, {FEATURES} features, two runs: {size / 1e6:.1f} MB, "
              f"written in {seconds:.1f} s", flush=True)
        subprocess.run(["node", pathlib.Path(__file__).with_name("look.mjs"), report], check=True,
                       env={**os.environ, "ORTHANT_PAGE_DIR": str(arguments.build.resolve() / "web")})
    sys.exit(1 if size > LIMIT else 0)


if __name__ == "__main__":
    main()
