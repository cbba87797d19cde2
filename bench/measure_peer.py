"""The measures that features and labels allow, plainly in NumPy and scikit-learn: median seconds as one JSON line.

Usage: measure_peer.py FEATURES.npy LABELS.npy RUNS
"""

import json
import sys

import numpy as np
from sklearn.neighbors import NearestNeighbors

import driver


def activity(z, labels):
    active = np.abs(z) > 1e-5
    alone = active[active.sum(1) == 1]
    return (np.abs(z) < 1e-5).mean(), active.sum(1).mean(), (~active.any(0)).sum(), (z >= 0).mean(), alone.any(0).sum()


def consistency(z, labels):
    unit = z / np.maximum(np.linalg.norm(z, axis=1, keepdims=True), 1e-12)
    one_hot = np.eye(labels.max() + 1, dtype=np.float32)[labels]
    for rule in (np.abs(unit) > 1e-5, unit > 1e-5, unit > 0.1):
        counts = rule.astype(np.float32).T @ one_hot
        counts = counts[counts.sum(1) > 0]
        share = counts / counts.sum(1, keepdims=True)
        share.max(1).mean(), -(share * np.log(np.maximum(share, 1e-30))).sum(1).mean()


def correlation(z, labels):
    live = z[:, (np.abs(z) > 1e-5).any(0)]
    columns = live / np.linalg.norm(live, axis=0)
    pairs = np.abs(columns.T @ columns)[np.triu_indices(live.shape[1], 1)]
    return pairs.mean(), np.median(pairs)


def effective_rank(z, labels):
    unit = z / np.maximum(np.linalg.norm(z, axis=1, keepdims=True), 1e-12)
    share = np.linalg.svd(unit, compute_uv=False)
    share = share / share.sum()
    return -(share * np.log(share + 1e-6)).sum()


def neighbours(z, labels):
    unit = z / np.maximum(np.linalg.norm(z, axis=1, keepdims=True), 1e-12)
    index = NearestNeighbors(n_neighbors=21, algorithm="brute", n_jobs=2).fit(unit)
    found = labels[index.kneighbors(unit, return_distance=False)[:, 1:]]
    votes = np.apply_along_axis(np.bincount, 1, found, minlength=labels.max() + 1).argmax(1)
    return (votes == labels).mean(), (found[:, :10] == labels[:, None]).mean()


def main():
    z, labels, runs = np.load(sys.argv[1]), np.load(sys.argv[2]), int(sys.argv[3])
    parts = {"sparsity": activity, "class_consistency": consistency, "correlation": correlation,
             "effective_rank": effective_rank, "knn_accuracy": neighbours}
    seconds = {name: driver.median_seconds(runs, part, z, labels) for name, part in parts.items()}
    print(json.dumps({"all": sum(seconds.values())} | seconds))


if __name__ == "__main__":
    main()
