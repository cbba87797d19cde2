"""Writes logistic.npz: scikit-learn's multinomial logistic regression, as the oracle of orthant/fit/logistic.h.

Orthant minimises the mean cross-entropy + l2/2 |W|^2, scikit-learn C * the sum + 1/2 |W|^2: C = 1 / (l2 * sum of weights).
Run from this folder with NumPy and scikit-learn installed; the random numbers are fixed.
"""

import numpy as np
from sklearn.linear_model import LogisticRegression

rng = np.random.default_rng(7)
N, D, C = 150, 7, 4
centres = rng.normal(size=(C, D))
y = rng.integers(0, C, size=N)
x = np.maximum(centres[y] + rng.normal(size=(N, D)), 0).astype(np.float32)
x[:, 5] *= 5  # a feature on another scale
x[:, 6] = 0  # a dead one
arrays = {"x": x, "y": y.astype(np.int64)}


def fit(data, l2, weights):
    each = weights[y]
    model = LogisticRegression(
        penalty="l2", C=1 / (l2 * each.sum()), solver="lbfgs", multi_class="multinomial", tol=1e-9, warm_start=True
    )
    for _ in range(20):  # SciPy's own stopping rule ends each too early for four digits
        model.fit(data, y, sample_weight=each)
    return model


plain = np.ones(C)
uneven = np.array([1.0, 2.0, 0.5, 3.0])
mean, std = x.mean(0, dtype=np.float64), x.std(0, dtype=np.float64)
std[std == 0] = 1
scaled = (x - mean) / std
for name, data, l2, weights in [
    ("plain", x.astype(np.float64), 1e-2, plain),
    ("weighted", x.astype(np.float64), 1e-1, uneven),
    ("standardised", scaled, 1e-2, plain),
]:
    model = fit(data, l2, weights)
    coef, bias = model.coef_, model.intercept_
    if name == "standardised":
        coef = coef / std
        bias = bias - coef @ mean
    arrays[name + "_weights"] = coef
    arrays[name + "_bias"] = bias - bias.mean()  # a shift of all biases changes nothing
np.savez_compressed("logistic.npz", **arrays)
