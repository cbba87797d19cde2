#!/usr/bin/python3
"""How pure features could be in the space that they span: what stands behind the purity of docs/alive.md.

purity.py BIN_FOLDER RUN [RUN ...] [--test 10000] [--train 50000] [--runs 3]

Purity is the share of the commonest class among the strongest 1 % of test items, the mean over features, of rows of unit
length (class_consistency.top of `orthant measure`). For the projector's features of each run it prints that of
  axes        the features themselves, those that are on for any item
  directions  as many random directions of the same space: what a rotation of the features would have
  items       random training items: their nearest 1 % of the test items by cosine
  clusters    the centres of 64 and of 512 clusters of the training items (k-means): about the best that is to be had
              without labels
Of random choices the mean of --runs. A dense code whose axes mean nothing has the purity of directions; one that is
pure in what it can tell apart has that of items or clusters.
"""
import tempfile

import numpy
from sklearn.cluster import MiniBatchKMeans

import driver

TOP = 0.01
THRESHOLD = 1e-5
CLUSTERS = (64, 512)
WIDTHS = (36, 8, 11, 8, 13, 14)


def unit(rows):
    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def read(orthant, run, split, size, folder):
    """Rows of unit length and classes."""
    file = f"{folder}/{split}.npz"
    driver.output_of(orthant, "embed", run, "--split", split, "--size", size, "-o", file, "--overwrite", "--quiet")
    found = numpy.load(file)
    if "features" in found:
        return unit(found["features"]), found["labels"]
    rows = numpy.zeros(found["shape"], numpy.float32)
    counts = numpy.diff(found["indptr"])
    rows[numpy.repeat(numpy.arange(len(counts)), counts), found["indices"]] = found["data"]
    return unit(rows), found["labels"]


def purity(scores, classes, above=-numpy.inf):
    """Of the columns of scores [items, columns]."""
    most = int(numpy.ceil(TOP * len(scores)))
    shares = []
    for column in scores.T:
        best = numpy.argsort(-column, kind="stable")[:most]
        best = best[column[best] > above]
        if len(best):
            shares.append(numpy.bincount(classes[best]).max() / len(best))
    return numpy.mean(shares)


def main():
    parser = driver.parser(__doc__, runs=3)
    parser.add_argument("run", nargs="+")
    parser.add_argument("--test", type=int, default=10_000)
    parser.add_argument("--train", type=int, default=50_000)
    options = parser.parse_args()
    driver.row("purity, %", "axes", "directions", "items", *(f"{count} clusters" for count in CLUSTERS), widths=WIDTHS)
    for run in options.run:
        with tempfile.TemporaryDirectory() as folder:
            test, classes = read(options.bin / "orthant", run, "test", options.test, folder)
            train, _ = read(options.bin / "orthant", run, "train", options.train, folder)
        width = test.shape[1]
        found = {"directions": [], "items": [], **{count: [] for count in CLUSTERS}}
        for seed in range(options.runs):
            random = numpy.random.default_rng(seed)
            directions = random.standard_normal((width, width)).astype(numpy.float32)
            found["directions"].append(purity(test @ directions, classes))
            found["items"].append(purity(test @ train[random.choice(len(train), width)].T, classes))
            for count in CLUSTERS:
                centres = MiniBatchKMeans(count, batch_size=4096, n_init=1, random_state=seed).fit(train).cluster_centers_
                found[count].append(purity(test @ unit(centres).T, classes))
        means = [purity(test, classes, THRESHOLD), *(numpy.mean(values) for values in found.values())]
        driver.row(run, *(f"{100 * value:.1f}" for value in means), widths=WIDTHS)


if __name__ == "__main__":
    main()
