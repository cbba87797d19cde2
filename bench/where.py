"""Whether maps of where features fire find the figure of a sprite, whose mask is known.

Usage: where.py BIN_FOLDER [--run RUN | --seed 1] [--items 500] [--small]

Trains the demonstration's network on sprites (recipes/demo-sprites.toml, a few minutes; --run takes one that is there), and
prints for maps of pixels (additive), of the last layer's places, by occlusion and without any network the share of the
positive parts that lies on the figure, beside the share of the picture that the figure covers, which is chance: as the
sprites are, planted in a picture of three times the side, and two side by side, where the feature is one of the first.
"""

import tempfile

import driver


def main():
    parser = driver.parser(__doc__, small=True)
    parser.add_argument("--run", help="a run on sprites")
    parser.add_argument("--items", type=int, default=500, help="sprites of the test split")
    parser.add_argument("--seed", type=int, default=1, help="of the network")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = options.run
        if run is None:
            run = f"{folder}/run"
            less = ["--set", "data.train_size=1024", "--epochs", "1"] if options.small else []
            driver.output_of(options.bin / "orthant", "pretrain", "--recipe",
                             driver.beside("../recipes/demo-sprites.toml"), "--method", "ncl", "--seed", options.seed, *less, "-o", run)
        print(driver.output_of(options.bin / "where_bench", run, 50 if options.small else options.items), end="")


main()
