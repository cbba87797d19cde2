#!/usr/bin/python3
"""What training on vectors comes to with nothing set: the figures of docs/vectors.md.

vectors.py BIN_FOLDER [--items 6000]

The pixels of Fashion-MNIST as vectors of 784, and twenty Gaussian classes of 128 elements on scales of their own far
from zero. Prints the accuracy of 20 nearest neighbours among all other items, of the vectors as they are, of the
backbone's and of the projector's features, with zeros and dead features of the latter. Seed 10.
"""
import pathlib
import tempfile

import numpy as np

import driver

KEYS = ("knn_accuracy", "sparsity", "dead_features")


def pixels(orthant, folder, items):
    file = folder / "fashion.npz"
    driver.output_of(orthant, "data", "export", "fashion", "--size", items, "-o", file, "--quiet")
    arrays = np.load(file)
    return arrays["images"].reshape(items, -1).astype(np.float32), arrays["labels"]


def clusters(items):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 20, items)
    values = 0.6 * rng.normal(size=(20, 128))[labels] + rng.normal(size=(items, 128))
    return (values * np.exp(1.5 * rng.normal(size=128)) + 100).astype(np.float32), labels


def learn(orthant, folder, vectors, labels):
    """The vectors as they are, and the features of both layers, each as a file."""
    np.save(folder / "v.npy", vectors)
    np.save(folder / "y.npy", labels.astype(np.int64))
    data = f"npy:{folder / 'v.npy'},{folder / 'y.npy'}"
    driver.output_of(orthant, "pretrain", "--data", data, "-o", folder / "run", "--overwrite", "--quiet")
    files = {"as they are": folder / "v.npy"}
    for layer in ("backbone", "projector"):
        files[layer] = folder / f"{layer}.safetensors"
        driver.output_of(orthant, "embed", folder / "run", "--split", "all", "--layer", layer, "-o", files[layer],
                         "--overwrite", "--quiet")
    return files


def main():
    flags = driver.parser(__doc__)
    flags.add_argument("--items", type=int, default=6000)
    options = flags.parse_args()
    orthant = options.bin / "orthant"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, data in (("pixels", pixels(orthant, folder, options.items)), ("clusters", clusters(options.items))):
            for layer, file in learn(orthant, folder, *data).items():
                found = driver.json_of(orthant, "measure", file, "--labels", folder / "y.npy", "--only", ",".join(KEYS),
                                       "--json")
                print(kind, layer, *(f"{key} {found[key]:.4g}" for key in KEYS), sep="\t", flush=True)


if __name__ == "__main__":
    main()
