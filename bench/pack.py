"""Many small pictures, each read once in random order from a cold disk: from their files, and from one pack.

Usage: pack.py BIN_FOLDER [--runs 3] [--threads 2] [--pictures 100000] [--folder DIR] [--small]

Makes JPEG pictures of 64 x 64 in class folders (DIR/pictures, kept if DIR is given and they are there), packs them with
`orthant data pack`, then runs pack_bench on both in turn: reading alone, and reading with decoding. Before each pass the
system forgets what it holds of all files (/proc/sys/vm/drop_caches), or, where that is not permitted, the content of
these alone (posix_fadvise), which spares the folder much of its work; the last line says which. Reading is to take at
most a fifth of the folder's time; exits with 1 if it takes more. Decoding, which is the same work on both sides, has no
target.

--small: 2,000 pictures, one run and no target, to see that it works.
"""

import pathlib
import tempfile

import numpy as np
from PIL import Image

import driver

CLASSES = 100
TARGET = 5.0
WIDTHS = (26, 14, 14, 10)


def make_pictures(folder, count):
    """Smooth light with some grain, a few kilobytes each."""
    rng = np.random.default_rng(1)
    rows, columns = np.mgrid[0:64, 0:64] / 64
    grain = rng.normal(0, 6, (64, 64, 3))
    for i in range(count):
        place = folder / f"class{i % CLASSES:02}"
        if i < CLASSES:
            place.mkdir(parents=True)
        waves = rng.uniform(0, 6, (3, 3))
        light = [127 + 90 * np.sin(a * columns + b * rows + c) for a, b, c in waves]
        picture = np.clip(np.stack(light, -1) + np.roll(grain, i, 0), 0, 255).astype(np.uint8)
        Image.fromarray(picture).save(place / f"{i:06}.jpg", quality=85)


def measure(arguments, place, runs):
    folder, pack = place / "pictures", place / "pictures.pack"
    if not folder.is_dir():
        make_pictures(folder, arguments.pictures)
    if not pack.is_file():
        seconds, _ = driver.timed(driver.output_of, arguments.bin / "orthant", "data", "pack", f"folder:{folder}", "-o", pack)
        print(f"{arguments.pictures} pictures packed in {seconds:.1f} s, {pack.stat().st_size / 1e6:.0f} MB")
    driver.row("median seconds", "folder", "pack", "ratio", widths=WIDTHS)
    ratios = {}
    for mode in ("read", "decode"):
        sides = [lambda spec=spec: driver.json_of(arguments.bin / "pack_bench", spec, mode, arguments.threads)
                 for spec in (f"folder:{folder}", f"pack:{pack}")]
        ours = driver.in_turn(runs, *sides)
        for key, name in (("seconds", {"read": "read", "decode": "read and decode"}[mode]), ("open_seconds", "open")):
            if key == "open_seconds" and mode == "read":
                continue
            slow, fast = (driver.median(side, key) for side in ours)
            ratios[name] = slow / fast
            driver.row(name, f"{slow:.3f}", f"{fast:.3f}", f"{slow / fast:.1f}x", widths=WIDTHS)
    print(f"{ours[1][0]['pictures']} pictures, {arguments.threads} threads, medians of {runs}, "
          f"forgotten by {ours[1][0]['forgotten_by']}")
    return ratios


def main():
    parser = driver.parser(__doc__, runs=3, threads=2, small=True)
    parser.add_argument("--pictures", type=int, default=100_000)
    parser.add_argument("--folder", type=pathlib.Path, help="where to make them, and to keep them")
    arguments = parser.parse_args()
    if arguments.small:
        arguments.pictures = min(arguments.pictures, 2_000)
    runs = 1 if arguments.small else arguments.runs
    if arguments.folder:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        ratios = measure(arguments, arguments.folder, runs)
    else:
        with tempfile.TemporaryDirectory(dir=".") as place:
            ratios = measure(arguments, pathlib.Path(place), runs)
    missed = ratios["read"] < TARGET and not arguments.small
    driver.finish([f"read {ratios['read']:.1f}x of {TARGET:.0f}x"] if missed else [])


if __name__ == "__main__":
    main()
