#!/usr/bin/python3
"""Views per second per core, Orthant's and torchvision's, side by side.

views.py BIN_FOLDER [--repeats 5] [--seconds 2] [--python /usr/bin/python3]

Runs views_bench and views_peer.py in turn on the same pictures, one thread each, and prints the medians and their
ratio. The pictures are synthetic: smooth light, edges and grain. Needs only the standard library here; views_peer.py
needs torchvision and says so if it is not there.
"""
import argparse
import array
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

CASES = [(32, 32, 256, 30.0), (256, 224, 4, 6.0)]


def picture(size, rng):
    """One picture as bytes: three waves of light, a few discs with hard edges, grain."""
    waves = [(rng.uniform(1, 4), rng.uniform(1, 4), rng.uniform(0, 6)) for _ in range(3)]
    discs = [(rng.random(), rng.random(), rng.uniform(0.05, 0.3), [rng.uniform(0, 255) for _ in range(3)])
             for _ in range(6)]
    out = array.array("B")
    for row in range(size):
        y = row / size
        for column in range(size):
            x = column / size
            colour = [127 + 90 * math.sin(a * x + b * y + c) for a, b, c in waves]
            for cy, cx, radius, inside in discs:
                if (x - cx) ** 2 + (y - cy) ** 2 < radius * radius:
                    colour = inside
            out.extend(min(255, max(0, int(level + rng.gauss(0, 4)))) for level in colour)
    return out.tobytes()


def run(command):
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    if result.returncode != 0:
        sys.exit(f"views.py: {command[0]} failed: {(result.stderr.strip().splitlines() or ['no message'])[-1]}")
    return float(result.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path, help="folder of views_bench")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--python", default="/usr/bin/python3", help="an interpreter that has torchvision")
    arguments = parser.parse_args()
    peer = pathlib.Path(__file__).with_name("views_peer.py")
    missed = False
    print(f"{'views/s per core':<20}{'orthant':>12}{'torchvision':>14}{'ratio':>9}{'target':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for source, size, count, target in CASES:
            rng = random.Random(source)
            images = pathlib.Path(folder) / f"{source}.raw"
            images.write_bytes(b"".join(picture(source, rng) for _ in range(count)))
            settings = [str(source), str(size), str(arguments.seconds), str(images)]
            ours, theirs = [], []
            for _ in range(arguments.repeats):
                ours.append(run([str(arguments.bin / "views_bench"), *settings]))
                theirs.append(run([arguments.python, str(peer), *settings]))
            ratio = statistics.median(ours) / statistics.median(theirs)
            missed = missed or ratio < target
            print(f"{f'{source} -> {size}':<20}{statistics.median(ours):>12.0f}{statistics.median(theirs):>14.0f}"
                  f"{ratio:>8.1f}x{target:>8.0f}x")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
