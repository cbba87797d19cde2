"""Writes factors.npz: measures of small codes against ground-truth factors, by NumPy, SciPy and scikit-learn.

codes [900, 6] (sparse, the last one dead, in steps of 1/32: few enough values that histogram trees see each of them)
of items with three factors [900, 3] of 3, 5 and 2 classes, of which the first 600 are for training. The formulas are those of docs/measures.md: information [6, 3], entropy [3],
mig, rmig, jemmig, modularity; svc_slope and svc_intercept of every (code, factor), padded with 0 to five classes, their
test accuracies svc_accuracy [6, 3] and sap; squared correlations r2 and sap_continuous; gbc_importance [6, 3],
gbc_train, gbc_test [3] of scikit-learn's default gradient boosting; the same as smooth_gbc_... of smooth_codes
[2400, 6] and smooth_factors, continuous ones, of which 1600 are for training; r [7, 4] random importances with their
r_disentanglement and r_completeness.

Run with a Python that has the three; the tests only read its output.
"""

from pathlib import Path

import numpy as np
from scipy.stats import entropy
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.metrics import mutual_info_score
from sklearn.svm import LinearSVC

TRAIN = 600
CLASSES = (3, 5, 2)


def make_data(rng, items):
    factors = np.stack([rng.integers(0, c, items) for c in CLASSES], 1)
    noise = rng.normal(size=(items, 6))
    codes = np.stack(
        [
            np.maximum(factors[:, 0] - 0.7 + 0.3 * noise[:, 0], 0),
            np.maximum(factors[:, 1] - 1.5 + 0.4 * noise[:, 1], 0),
            np.maximum(2 - factors[:, 1] + 0.4 * noise[:, 2], 0),
            factors[:, 2] * (1 + factors[:, 0]) + 0.5 * noise[:, 3],
            noise[:, 4],
            np.zeros(items),
        ],
        1,
    )
    return codes.astype(np.float32), factors


def discretise(x, bins=20):
    return np.digitize(x, np.histogram(x, bins)[1][:-1])


def gaps(scores):
    ordered = np.sort(scores, 0)[::-1]
    return ordered[0] - ordered[1]


def information_scores(codes, factors):
    binned = [discretise(c.astype(np.float64)) for c in codes.T]
    info = np.array([[mutual_info_score(v, z) for v in factors.T] for z in binned])
    h = np.array([mutual_info_score(v, v) for v in factors.T])
    h_codes = np.array([mutual_info_score(z, z) for z in binned])
    gap = gaps(info)
    best = info.argmax(0)
    joint = np.array([h_codes[best[k]] + h[k] - info[best[k], k] for k in range(len(h))])
    live = info[info.max(1) > 1e-12] ** 2
    modular = 1 - (live.sum(1) - live.max(1)) / (live.max(1) * (info.shape[1] - 1))
    return dict(
        information=info,
        entropy=h,
        mig=(gap / h).mean(),
        rmig=gap.mean(),
        jemmig=(joint - gap).mean(),
        modularity=modular.mean(),
    )


def svc_scores(codes, factors):
    slope, intercept = np.zeros((6, 3, 5)), np.zeros((6, 3, 5))
    accuracy, r2 = np.zeros((6, 3)), np.zeros((6, 3))
    for i in range(6):
        for k in range(3):
            x, v = codes[:, i : i + 1].astype(np.float64), factors[:, k]
            svc = LinearSVC(C=0.01, class_weight="balanced", dual=False, tol=1e-12, max_iter=100000)
            svc.fit(x[:TRAIN], v[:TRAIN])
            slope[i, k, : len(svc.coef_)] = svc.coef_[:, 0]
            intercept[i, k, : len(svc.coef_)] = svc.intercept_
            accuracy[i, k] = (svc.predict(x[TRAIN:]) == v[TRAIN:]).mean()
            c = np.cov(x[:TRAIN, 0], v[:TRAIN], ddof=0)
            r2[i, k] = 0 if c[0, 0] <= 1e-12 else c[0, 1] ** 2 / (c[0, 0] * c[1, 1])
    return dict(
        svc_slope=slope,
        svc_intercept=intercept,
        svc_accuracy=accuracy,
        sap=gaps(accuracy).mean(),
        r2=r2,
        sap_continuous=gaps(r2).mean(),
    )


def boosting_scores(prefix, codes, factors):
    train = 2 * len(codes) // 3
    models = [GradientBoostingClassifier(random_state=0).fit(codes[:train], v[:train]) for v in factors.T]
    return {
        prefix + "gbc_importance": np.stack([m.feature_importances_ for m in models], 1),
        prefix + "gbc_train": np.array([m.score(codes[:train], v[:train]) for m, v in zip(models, factors.T)]),
        prefix + "gbc_test": np.array([m.score(codes[train:], v[train:]) for m, v in zip(models, factors.T)]),
    }


def importance_scores(r):
    by_code = 1 - entropy(r.T + 1e-11, base=r.shape[1])
    by_factor = 1 - entropy(r + 1e-11, base=r.shape[0])
    return dict(
        r=r,
        r_disentanglement=(by_code * r.sum(1)).sum() / r.sum(),
        r_completeness=(by_factor * r.sum(0)).sum() / r.sum(),
    )


def main():
    rng = np.random.default_rng(11)
    codes, factors = make_data(rng, 900)
    codes = np.round(codes * 32) / 32
    smooth, smooth_factors = make_data(np.random.default_rng(12), 2400)
    r = rng.gamma(0.3, 1.0, (7, 4))
    r[3] = 0
    np.savez_compressed(
        Path(__file__).parent / "factors.npz",
        codes=codes,
        factors=factors.astype(np.int64),
        **information_scores(codes[:TRAIN], factors[:TRAIN]),
        **svc_scores(codes, factors),
        **boosting_scores("", codes, factors),
        smooth_codes=smooth,
        smooth_factors=smooth_factors.astype(np.int64),
        **boosting_scores("smooth_", smooth, smooth_factors),
        **importance_scores(r),
    )


if __name__ == "__main__":
    main()
