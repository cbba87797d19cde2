"""Whether maps of where features fire find the figure of a sprite, whose mask is known.

Usage: where.py BIN_FOLDER [--run RUN] [--items 500] [--small]

Trains the demonstration's network on sprites (recipes/demo-sprites.toml, a few minutes; --run takes one that is there), and
prints for additive maps and occlusion the share of the positive parts that lies on the figure, beside the share of the
picture that the figure covers: as the sprites are, and planted in a picture of three times the side.
"""

import tempfile

import driver


def main():
    parser = driver.parser(__doc__, small=True)
    parser.add_argument("--run", help="a run on sprites")
    parser.add_argument("--items", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = options.run
        if run is None:
            run = f"{folder}/run"
            less = ["--set", "data.train_size=1024", "--epochs", "1"] if options.small else []
            driver.output_of(options.bin / "orthant", "pretrain", "--recipe",
                             driver.beside("../recipes/demo-sprites.toml"), "--method", "ncl", *less, "-o", run)
        print(driver.output_of(options.bin / "where_bench", run, 50 if options.small else options.items), end="")


main()
