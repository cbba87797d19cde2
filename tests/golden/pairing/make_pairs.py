"""Writes pairs.npz: measures of pairs as NumPy sees them, from whole matrices in float64.

"sparse" and "dense" have items a [60, 24], rows b [150, 24], owner [150] (each item at least one row, none of the last
item) and labels [60]; the sparse one has zero rows, dead features and rows that are equal. Equal scores are put in
random order: recall is the exact probability, from the numbers of what is ahead, equal and own. Recall at 1, 5, 10 and
the median rank both ways, gap [5], shared [3], live [4], consistency [2, 3].

Run from this folder with NumPy installed; the random numbers are fixed.
"""

from math import comb

import numpy as np

rng = np.random.default_rng(13)
N, M, K, CLASSES = 60, 150, 24, 4
EQUAL, T, STRONG = 1e-9, 1e-5, 0.1


def unit(rows):
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)


def place(scores, own):
    """What is ahead of the best of its own, equal to it, and its own that are equal."""
    best = scores[own].max()
    other = scores[~own]
    return (
        int((other > best + EQUAL).sum()),
        int((np.abs(other - best) <= EQUAL).sum()),
        int((scores[own] >= best - EQUAL).sum()),
    )


def within(ahead, equal, own, k):
    free = k - ahead
    if free <= 0:
        return 0.0
    return 1.0 if free > equal else 1 - comb(equal, free) / comb(equal + own, free)


def numbers(places):
    recall = lambda k: np.mean([within(*p, k) for p in places])
    median = next(k for k in range(1, M + 1) if recall(k) >= 0.5 - 1e-12)
    return [recall(1), recall(5), recall(10), median]


def shared(a, b, owner):
    jaccard, mass_a, mass_b = [], [], []
    for j, i in enumerate(owner):
        on_a, on_b = np.abs(a[i]) > T, np.abs(b[j]) > T
        both = on_a & on_b
        jaccard.append(both.sum() / max((on_a | on_b).sum(), 1))
        mass_a.append(np.abs(a[i])[both].sum() / max(np.abs(a[i])[on_a].sum(), 1e-300))
        mass_b.append(np.abs(b[j])[both].sum() / max(np.abs(b[j])[on_b].sum(), 1e-300))
    return [np.mean(jaccard), np.mean(mass_a), np.mean(mass_b)]


def consistency(rows, labels):
    found = []
    for on in (np.abs(rows) > T, rows > T, rows > STRONG):
        shares = [np.bincount(labels[c]).max() / c.sum() for c in on.T if c.any()]
        found.append(np.mean(shares))
    return found


def off_diagonal(gram):
    n = len(gram)
    return (gram.sum() - np.trace(gram)) / (n * (n - 1))


out = {}
for name in ("sparse", "dense"):
    labels = rng.integers(0, CLASSES, N)
    owner = np.concatenate([np.arange(N - 1), rng.integers(0, N - 1, M - N + 1)])
    rng.shuffle(owner)
    common = rng.standard_normal((N, K)) + 1.5 * rng.standard_normal((CLASSES, K))[labels]
    a = common + 0.6 * rng.standard_normal((N, K))
    b = common[owner] + 0.9 * rng.standard_normal((M, K)) + 0.1
    if name == "sparse":
        a, b = np.maximum(a - 1, 0), np.maximum(b - 1, 0)
        a[:, 2], b[:, 3], a[:, 5], b[:, 5] = 0, 0, 0, 0
        a[4], b[7], b[8] = 0, 0, 0
        a[11] = a[10]
        b[20], b[21] = b[22], 2 * b[22]
    a, b = a.astype(np.float32), b.astype(np.float32)
    out[f"{name}.a"], out[f"{name}.b"] = a, b
    out[f"{name}.owner"], out[f"{name}.labels"] = owner.astype(np.int64), labels.astype(np.int64)
    a, b = a.astype(np.float64), b.astype(np.float64)
    ua, ub = unit(a), unit(b)
    cosines = ua @ ub.T
    belongs = owner[None, :] == np.arange(N)[:, None]
    out[f"{name}.a_to_b"] = np.array(numbers([place(cosines[i], belongs[i]) for i in range(N) if belongs[i].any()]))
    out[f"{name}.b_to_a"] = np.array(numbers([place(cosines[:, j], belongs[:, j]) for j in range(M)]))
    out[f"{name}.gap"] = np.array(
        [
            np.linalg.norm(ua.mean(0) - ub.mean(0)),
            cosines[belongs].mean(),
            cosines[~belongs].mean(),
            off_diagonal(ua @ ua.T),
            off_diagonal(ub @ ub.T),
        ]
    )
    out[f"{name}.shared"] = np.array(shared(a, b, owner))
    live_a, live_b = (np.abs(a) > T).any(0), (np.abs(b) > T).any(0)
    out[f"{name}.live"] = np.array(
        [live_a & live_b, live_a & ~live_b, ~live_a & live_b, ~live_a & ~live_b]
    ).sum(1).astype(np.float64)
    out[f"{name}.consistency"] = np.array([consistency(ua, labels), consistency(ub, labels[owner])])
np.savez_compressed("pairs.npz", **out)
