#!/usr/bin/python3
"""Views per second per core, Orthant's and torchvision's, side by side.

views.py BIN_FOLDER [--runs 5] [--seconds 2] [--python /usr/bin/python3]

Runs views_bench and views_peer.py in turn on the same pictures, one thread each, and prints the medians and their
ratio. The pictures are synthetic: smooth light, edges and grain. Needs only the standard library here; views_peer.py
needs torchvision and says so if it is not there.
"""
import array
import math
import pathlib
import random
import tempfile

import driver

CASES = [(32, 32, 256, 30.0), (256, 224, 4, 6.0)]
WIDTHS = (20, 12, 14, 9, 9)


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


def main():
    parser = driver.parser(__doc__, runs=5, python="torchvision")
    parser.add_argument("--seconds", type=float, default=2.0)
    arguments = parser.parse_args()
    missed = []
    driver.row("views/s per core", "orthant", "torchvision", "ratio", "target", widths=WIDTHS)
    with tempfile.TemporaryDirectory() as folder:
        for source, size, count, target in CASES:
            rng = random.Random(source)
            images = pathlib.Path(folder) / f"{source}.raw"
            images.write_bytes(b"".join(picture(source, rng) for _ in range(count)))
            settings = [source, size, arguments.seconds, images]
            ours, theirs = driver.in_turn(
                arguments.runs, lambda: driver.numbers_of(arguments.bin / "views_bench", *settings, threads=1),
                lambda: driver.numbers_of(arguments.python, driver.beside("views_peer.py"), *settings, threads=1))
            rate, peer_rate = driver.median(ours, 0), driver.median(theirs, 0)
            name = f"{source} -> {size}"
            if rate < target * peer_rate:
                missed.append(name)
            driver.row(name, f"{rate:.0f}", f"{peer_rate:.0f}", f"{rate / peer_rate:.1f}x", f"{target:.0f}x",
                       widths=WIDTHS)
    driver.finish(missed)


if __name__ == "__main__":
    main()
