#!/usr/bin/python3
"""What importance that is learned with the features is worth when features are cut: the table of docs/select.md.

importance.py BIN_FOLDER [--seeds 1 2 3 (two or more)] [--keep 64] [--test 5000] [--threads 1]

Small sprites (2,048 of 16 x 16 pixels, 24 epochs, 256 features), with and without `--importance learned`, by CL and NCL.
Prints k-NN on test sprites of 16 classes with all features and with those that each ranking keeps, ranked on training
items: the mean and the deviation over seeds (of training, and of the random choice).
"""
import json
import pathlib
import statistics
import tempfile

import driver

RECIPE = ("--data sprites --train-size 2048 --image-size 16 --epochs 24 --batch 128 --set train.view_count=2 "
          "--set projector.out=256 --set backbone.width=16 --optimiser adamw --set train.views=simclr --quiet").split()
ORDERS = {"all": "all", "random": "random", "activation relu": "activation, relu", "variance": "variance",
          "importance": "importance"}
WIDTHS = (26, 14, 14, 19, 14, 14)


def one(options, folder, method, learned, seed):
    """k-NN in percent by how features were chosen."""
    orthant = options.bin / "orthant"
    run = folder / "run"
    driver.output_of(orthant, "pretrain", *RECIPE, "--threads", options.threads, "--seed", seed, "--method", method,
                     *(["--importance", "learned"] if learned else []), "-o", run, "--overwrite")
    for split, size in (("train", 2048), ("test", options.test)):
        driver.output_of(orthant, "embed", run, "--split", split, "--size", size, "-o", folder / f"{split}.safetensors",
                         "--quiet", "--overwrite")
    driver.output_of(orthant, "select", folder / "test.safetensors", "--sweep", "--keep", options.keep, "--train",
                     folder / "train.safetensors", "--by", "variance", "--l2", 0.001, "--seed", seed, "-o",
                     folder / "sweep.json", "--overwrite", "--quiet")
    points = json.loads((folder / "sweep.json").read_text())["files"][0]["points"]
    return {point["by"] + (f", {point['rank']}" if point["rank"] else ""): 100 * point["knn_accuracy"]["mean"]
            for point in points}


def main():
    parser = driver.parser(__doc__, threads=1)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--keep", type=int, default=64)
    parser.add_argument("--test", type=int, default=5000)
    options = parser.parse_args()
    driver.row("k-NN, %", *ORDERS, widths=WIDTHS)
    with tempfile.TemporaryDirectory() as folder:
        for method in ("cl", "ncl"):
            for learned in (False, True):
                found = [one(options, pathlib.Path(folder), method, learned, seed) for seed in options.seeds]
                cells = [[result[key] for result in found if key in result] for key in ORDERS.values()]
                driver.row(method + (", importance learned" if learned else ""),
                           *(f"{statistics.mean(cell):.1f} ± {statistics.stdev(cell):.1f}" if cell else "" for cell in cells),
                           widths=WIDTHS)


if __name__ == "__main__":
    main()
