"""Writes sepin.npz: leave-one-out contrastive losses and matchings of features, as NumPy and SciPy see them.

SEPIN: columns are really deleted and everything is computed again in float64.
Run from this folder with NumPy and SciPy installed; the random numbers are fixed.
"""

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.special import logsumexp

rng = np.random.default_rng(3)
PAIRS, D, TEMPERATURE = 90, 12, 0.2  # 180 rows: more than one tile, and none of its borders at the middle


def unit(rows):
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.where(length > 1e-12, rows / np.where(length > 1e-12, length, 1), 0)


def loss(rows, positive_in_denominator):
    n = len(rows)
    similarity = rows @ rows.T / TEMPERATURE
    partner = (np.arange(n) + n // 2) % n
    positive = similarity[np.arange(n), partner]
    others = np.ones((n, n), bool)
    others[np.arange(n), np.arange(n)] = False
    if not positive_in_denominator:
        others[np.arange(n), partner] = False
    return np.mean(logsumexp(np.where(others, similarity, -np.inf), axis=1) - positive)


def sepin(first, second, renormalise, positive_in_denominator):
    rows = unit(np.concatenate([first, second]).astype(np.float64))
    full = loss(rows, positive_in_denominator)
    values = []
    for i in range(rows.shape[1]):
        left = np.delete(rows, i, axis=1)
        values.append(loss(unit(left) if renormalise else left, positive_in_denominator) - full)
    return full, np.array(values)


def views(non_negative):
    shared = rng.normal(size=(PAIRS, D)) - (0.8 if non_negative else 0)
    pair = [shared + 0.4 * rng.normal(size=(PAIRS, D)) for _ in range(2)]
    if non_negative:
        pair = [np.maximum(view, 0) for view in pair]
        for view in pair:
            view[3] = 0  # a zero row
            view[5] = 0
            view[5, 2] = 3  # active in one feature only
            view[7, 4] = 40  # dominated by a feature
            view[:, 11] = 0  # a dead feature
    return [view.astype(np.float32) for view in pair]


arrays = {}
for name in ["signed", "sparse"]:
    first, second = views(name == "sparse")
    arrays[f"{name}.first"], arrays[f"{name}.second"] = first, second
    for renormalise in [False, True]:
        for positive in [False, True]:
            key = f"{name}.{int(renormalise)}{int(positive)}"
            arrays[f"{key}.loss"], arrays[f"{key}.values"] = sepin(first, second, renormalise, positive)

# Matching: the second model has a permuted, noisy version of some features of the first and others of its own.
first = np.maximum(rng.normal(size=(70, 9)), 0)
second = np.concatenate([first[:, rng.permutation(9)[:6]] + 0.5 * rng.normal(size=(70, 6)), rng.normal(size=(70, 2))], 1)
second[:, 0] *= -1
first[:, 4] = 0  # dead
arrays["stability.first"], arrays["stability.second"] = first.astype(np.float32), second.astype(np.float32)
a, b = arrays["stability.first"].astype(np.float64), arrays["stability.second"].astype(np.float64)
for similarity in ["cosine", "correlation"]:
    x, y = (a - a.mean(0), b - b.mean(0)) if similarity == "correlation" else (a, b)
    live = np.flatnonzero(np.linalg.norm(x, axis=0) > 0)
    cosine = (x[:, live] / np.linalg.norm(x[:, live], axis=0)).T @ (y / np.linalg.norm(y, axis=0))
    for absolute in [False, True]:
        score = np.abs(cosine) if absolute else cosine
        rows, cols = linear_sum_assignment(-score)
        partner = np.full(9, -1, np.int64)
        partner[live[rows]] = cols
        key = f"stability.{similarity}.{int(absolute)}"
        arrays[f"{key}.partner"] = partner
        arrays[f"{key}.numbers"] = np.array([score[rows, cols].sum() / max(score.shape), score.max(1).mean(),
                                             score.max(0).mean()])

np.savez_compressed("sepin.npz", **{key: np.asarray(value) for key, value in arrays.items()})
