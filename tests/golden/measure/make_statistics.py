"""Writes statistics.npz: the statistics of two small feature matrices as NumPy computes them.

"signed" is dense and signed, as plain contrastive learning gives; "sparse" is non-negative with about 85 % zeros, a few
values near the thresholds, zero rows and dead columns. For each: features, labels (-1: unknown), and every statistic by
name, from the definitions in docs/measures.md. Run with a Python that has NumPy.
"""

from pathlib import Path

import numpy as np


def unit_rows(z):
    length = np.linalg.norm(z, axis=1, keepdims=True)
    return z / np.maximum(length, 1e-12)


def by_class(active, labels):
    """Consistency and entropy of every column with an active labelled row."""
    known = labels >= 0
    active, labels = active[known], labels[known]
    consistency, entropy = [], []
    for column in active.T:
        if not column.any():
            continue
        share = np.bincount(labels[column]) / column.sum()
        share = share[share > 0]
        consistency.append(share.max())
        entropy.append(-(share * np.log(share)).sum())
    return np.array(consistency), np.array(entropy)


def cosines(z):
    columns = z / np.linalg.norm(z, axis=0)
    return columns.T @ columns


def effective_rank(z):
    share = np.linalg.svd(z, compute_uv=False)
    share = share / share.sum()
    return -(share * np.log(share + 1e-6)).sum()


def paper(z, labels):
    exact = z.astype(np.float64)
    unit = unit_rows(exact)
    active = np.abs(z) > 1e-5
    live = active.any(0)
    pairs = np.abs(cosines(exact[:, live]))[np.triu_indices(live.sum(), 1)]
    rules = {"active": np.abs(unit) > 1e-5, "positive": unit > 1e-5, "strong": unit > 0.1}
    found = {f"consistency_{name}": by_class(rule, labels)[0].mean() for name, rule in rules.items()}
    found |= {f"entropy_{name}": by_class(rule, labels)[1].mean() for name, rule in rules.items()}
    alone = active[active.sum(1) == 1]
    return found | {
        "sparsity": (np.abs(z) < 1e-5).mean(),
        "active_per_sample": active.sum(1).mean(),
        "dead_features": (~live).sum(),
        "zero_rows": (z == 0).all(1).sum(),
        "anchored_features": alone.any(0).sum(),
        "non_negative_ratio": (z >= 0).mean(),
        "expected": unit.mean(0),
        "expected_relu": unit_rows(np.maximum(exact, 0)).mean(0),
        "correlation_mean": pairs.mean(),
        "correlation_median": np.median(pairs),
        "effective_rank": effective_rank(unit),
    }


def main():
    rng = np.random.default_rng(4)
    rows, cols, classes = 120, 24, 5
    labels = rng.integers(0, classes, rows) * 10
    labels[::17] = -1
    centres = rng.normal(size=(classes, cols))
    noise = rng.normal(size=(rows, cols))
    signed = centres[labels // 10] + noise
    signed[:, 7] = -np.abs(signed[:, 7])
    sparse = np.where(rng.random((rows, cols)) < 0.15, np.abs(signed), 0)
    sparse += np.where(rng.random((rows, cols)) < 0.05, 10.0 ** rng.uniform(-7, -1, (rows, cols)), 0)
    for i in range(5):
        sparse[i] = 0
        sparse[i, i % 3] = i
    sparse[:, [4, 19]] = 0
    sparse[:, 11] *= 1e-6
    arrays = {}
    for name, z in (("signed", signed), ("sparse", sparse)):
        z = z.astype(np.float32)
        arrays |= {f"{name}.features": z, f"{name}.labels": labels.astype(np.int64)}
        for key, value in paper(z, labels).items():
            arrays[f"{name}.{key}"] = np.atleast_1d(np.asarray(value, np.float64))
    np.savez(Path(__file__).with_name("statistics.npz"), **arrays)


if __name__ == "__main__":
    main()
