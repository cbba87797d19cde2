"""Writes names.npz: the SoftWPMI rule with the mean over items, in NumPy, as the oracle of orthant/naming/propose.h.

Run from this folder with NumPy installed; the random numbers are fixed.
"""

import numpy as np

rng = np.random.default_rng(11)
N, D, V, MOST, SHARPNESS = 80, 9, 12, 10, 10.0
features = np.maximum(rng.normal(size=(N, D)) - 0.4, 0).astype(np.float32)
features[:, 4] = 0  # dead
features[5:, 6] = 0  # on for at most five items
scores = {
    "binary": (rng.random(size=(N, V)) < 0.2).astype(np.float32),
    "cosines": rng.uniform(-0.2, 0.5, size=(N, V)).astype(np.float32),
}
arrays = {"features": features}
unit = features.astype(np.float64) / np.maximum(np.linalg.norm(features.astype(np.float64), axis=1, keepdims=True), 1e-30)
for name, score in scores.items():
    e = np.exp(SHARPNESS * score.astype(np.float64))
    p = e / e.sum(1, keepdims=True)
    rows, live = [], []
    for k in range(D):
        order = np.argsort(-unit[:, k], kind="stable")[:MOST]
        order = order[unit[order, k] > 1e-5]
        if len(order) == 0:
            continue
        weights = np.linspace(0.998, 0.97, len(order))[:, None]
        rows.append(np.log(1 + weights * (p[order] - 1) + 1e-7).mean(0))
        live.append(k)
    rows = np.array(rows)
    result = rows - np.log(np.exp(rows).mean(0))
    arrays[name] = score
    arrays[name + ".live"] = np.array(live, np.int64)
    arrays[name + ".best"] = result.argmax(1).astype(np.int64)
    arrays[name + ".score"] = result.max(1)
    arrays[name + ".second"] = np.sort(result, 1)[:, -2]
np.savez("names.npz", **arrays)
