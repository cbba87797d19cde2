"""Writes retrieval.npz: k-NN accuracy, retrieval scores and the official curve, as NumPy and scikit-learn see them.

Everything is computed in float64 from whole matrices and stable sorts, so that ties rank by lower index.
Run from this folder with NumPy and scikit-learn installed; the random numbers are fixed.
"""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

rng = np.random.default_rng(11)
N, D, CLASSES, K, STEP = 150, 70, 5, 10, 32


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def retrieval(cosines, labels):
    """Precision@K, mAP@K and R@K, each row among all others."""
    precision, average, recall = [], [], []
    for i in range(len(labels)):
        order = [j for j in np.argsort(-cosines[i], kind="stable") if j != i][:K]
        relevant = np.array([labels[j] == labels[i] for j in order])
        total = int((labels == labels[i]).sum()) - 1
        if labels[i] < 0 or total == 0:
            continue
        at = np.cumsum(relevant) / np.arange(1, K + 1)
        precision.append(relevant.mean())
        average.append((at * relevant).sum() / min(K, total))
        recall.append(float(relevant.any()))
    return [np.mean(precision), np.mean(average), np.mean(recall), len(precision)]


def official(features, labels):
    """Places 1 to 10 by squared distance on the first columns, without scaling again."""
    rows = unit(features)
    rows = rows[:, np.argsort(-rows.sum(0), kind="stable")]
    curve = []
    for kept in range(0, D, STEP):
        part = rows[:, :kept]
        distances = ((part[:, None, :] - part[None, :, :]) ** 2).sum(2)
        places = np.argsort(distances, axis=1, kind="stable")[:, 1:11]
        hits = (labels[places] == labels[:, None]) & (places != np.arange(N)[:, None])
        curve.append([kept, hits.sum(1).mean() / 10])
    return curve


out = {}
labels = rng.integers(0, CLASSES, N)
centres = rng.random((CLASSES, D))
features = np.maximum(centres[labels] + 0.6 * rng.standard_normal((N, D)) - 0.6, 0).astype(np.float32)
for name in ("dense", "sparse"):
    x = features + np.float32(0.01) if name == "dense" else features.copy()
    if name == "sparse":
        x[3] = 0  # a row of zeros, a dead column, a row twice
        x[:, 5] = 0
        x[20] = x[10]
    y = labels.copy()
    if name == "sparse":
        y[7] = -1
        y[8] = CLASSES  # alone in its class
    out[f"{name}.features"] = x
    out[f"{name}.labels"] = y.astype(np.int64)
    rows = unit(x.astype(np.float64))
    out[f"{name}.retrieval"] = np.array(retrieval(rows @ rows.T, y))
    out[f"{name}.official"] = np.array(official(x.astype(np.float64), y))

rows = unit(out["dense.features"].astype(np.float64))
half = N // 2
voter = KNeighborsClassifier(1, metric="euclidean", algorithm="brute").fit(rows[:half], labels[:half])
out["dense.nearest"] = np.array([voter.score(rows[half:], labels[half:])])
np.savez_compressed("retrieval.npz", **out)
