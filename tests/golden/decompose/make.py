"""Writes lasso.npz: scikit-learn's Lasso(positive=True), as the oracle of orthant/decompose.

Rows and words are centred as SpLiCE does: to unit length, less the mean, to unit length. SpLiCE's objective
|C^T w - z|^2 + lambda |w|_1 is scikit-learn's at alpha = lambda / (2 D).
Run from this folder with NumPy and scikit-learn installed; the random numbers are fixed.
"""

import numpy as np
from sklearn.linear_model import Lasso


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


rng = np.random.default_rng(3)
WORDS, ROWS, D = 60, 25, 16
words = (rng.normal(size=(WORDS, D)) * rng.uniform(0.5, 3, size=(WORDS, 1)) + 0.4).astype(np.float32)
parts = rng.random(size=(ROWS, WORDS)) * (rng.random(size=(ROWS, WORDS)) < 0.08)
rows = (parts @ words + 0.3 * rng.normal(size=(ROWS, D)) + 0.5).astype(np.float32)
arrays = {"words": words, "rows": rows}
for centre in (0, 1):
    c = unit(words.astype(np.float64))
    z = unit(rows.astype(np.float64))
    if centre:
        c = unit(c - c.mean(0))
        z = unit(z - z.mean(0))
    for lam in (0.1, 0.4):
        codes = []
        for row in z:
            model = Lasso(alpha=lam / (2 * D), positive=True, fit_intercept=False, tol=1e-14, max_iter=1000000)
            codes.append(model.fit(c.T, row).coef_)
        arrays[f"code.{centre}.{lam}"] = np.array(codes)
        print(centre, lam, (np.array(codes) > 0).sum(1).mean())
np.savez("lasso.npz", **arrays)
