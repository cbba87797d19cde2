"""Layouts of items in two dimensions: layout_bench against scikit-learn's PCA and t-SNE (Barnes-Hut, two threads).

Usage: layout.py BIN_FOLDER [--runs 3] [--small]

Time, and trustworthiness with 15 neighbours (scikit-learn's, of the rows scaled to unit length), on scikit-learn's
digits (1,797 x 64) and on 5,000 non-negative rows of 128 features around 30 directions. t-SNE runs once, the others
`runs` times in turn; medians. Last, the time of ours on 10,000 and 60,000 x 256 such features, where t-SNE takes too
long to wait for; the targets are 5 and 60 seconds. Exits with 1 if one is missed, or if ours is less trustworthy than
t-SNE by over 0.02.

--small: a tenth of the rows and no targets, to see that it works.
"""

import tempfile

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE, trustworthiness

import driver

THREADS = 2


def clusters(rows, cols, count, seed):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(count, cols)) - 1
    noisy = centres[rng.integers(0, count, rows)] + 0.7 * rng.normal(size=(rows, cols))
    return np.maximum(noisy, 0).astype(np.float32)


def unit_rows(features):
    lengths = np.linalg.norm(features, axis=1, keepdims=True)
    return features / np.where(lengths > 0, lengths, 1)


def ours(bench, kind, folder, features):
    np.save(f"{folder}/features.npy", features)
    files = [f"{folder}/features.npy", f"{folder}/points.npy"]
    return driver.json_of(bench, kind, *files, THREADS, threads=THREADS)["seconds"], np.load(files[1])


def peer(kind, features):
    model = PCA(2) if kind == "pca" else TSNE(init="pca", learning_rate="auto", n_jobs=THREADS)
    return driver.timed(model.fit_transform, unit_rows(features))


def compare(bench, folder, name, features, runs):
    unit = unit_rows(features)
    trust = {}
    for kind, other in [("pca", "PCA"), ("umap", "t-SNE")]:
        own, their = [], []
        for run in range(runs):
            own.append(ours(bench, kind, folder, features))
            if run == 0 or kind == "pca":
                their.append(peer(kind, features))
        seconds = [driver.median(results, 0) for results in (own, their)]
        trust[kind], trust[other] = (trustworthiness(unit, results[0][1], n_neighbors=15) for results in (own, their))
        print(
            f"{name}: {kind} {seconds[0]:.3f} s, trustworthiness {trust[kind]:.4f}; scikit-learn's {other}"
            f" {seconds[1]:.3f} s, {trust[other]:.4f}: {seconds[1] / seconds[0]:.1f}x",
            flush=True,
        )
    return trust["umap"] > trust["t-SNE"] - 0.02


def main():
    arguments = driver.parser(__doc__, runs=3, small=True).parse_args()
    bench = arguments.bin / "layout_bench"
    scale = 10 if arguments.small else 1
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        digits = load_digits().data.astype(np.float32)[::scale]
        for name, features in [("digits", digits), ("clusters", clusters(5000 // scale, 128, 30, 0))]:
            if not compare(bench, folder, name, features, arguments.runs):
                missed.append(f"trustworthiness of {name}")
        for rows, target in [(10_000, 5), (60_000, 60)]:
            features = clusters(rows // scale, 256, 50, 1)
            (rounds,) = driver.in_turn(arguments.runs, lambda: ours(bench, "umap", folder, features))
            seconds = driver.median(rounds, 0)
            print(f"umap of {rows // scale} x 256: {seconds:.2f} s", flush=True)
            if seconds >= target:
                missed.append(f"{target} s for {rows}")
    driver.finish([] if arguments.small else missed)


if __name__ == "__main__":
    main()
