"""Writes official.npz: what the rules published with the paper give, on two small feature matrices, by PyTorch.

Each function is one rule, step by step and with PyTorch's own idea of a median (the lower of two) and of a deviation
(divided by n - 1), in double precision. Nothing is shared with make_statistics.py, which has our definitions. Run with
a Python that has PyTorch.
"""

import math
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import normalize

kEps = 1e-5


def clusters(z, labels, active, eps):
    """Mean consistency, mean entropy and its deviation over the dimensions with an active sample."""
    rates, entropies = [], []
    for j in range(z.shape[1]):
        members = labels[active[:, j] & (labels >= 0)].tolist()
        if not members:
            continue
        shares = [members.count(c) / len(members) for c in set(members)]
        rates.append(max(shares))
        entropies.append(-sum(p * math.log(p + eps) for p in shares))
    entropies = torch.tensor(entropies, dtype=torch.float64)
    return [sum(rates) / len(rates), entropies.mean().item(), entropies.std().item()]


def evaluation_clusters(z, labels):
    z = z[:, torch.relu(z).sum(0) > 0]
    z = normalize(z, dim=1)
    return clusters(z, labels, z.abs() > kEps, kEps)


def metric_clusters(z, labels):
    z = normalize(z, dim=1)
    return clusters(z, labels, z > 0.1, 0.1)


def training_clusters(z, labels):
    z = z[:, z.abs().sum(0) > 0]
    z = normalize(z, dim=1)
    return clusters(z, labels, z.abs() > kEps, kEps)


def evaluation_orthogonality(z):
    z = z[:, z.sum(0) > 10]
    z = normalize(z, dim=0)
    difference = z.T @ z - torch.eye(z.shape[1], dtype=torch.float64)
    return difference.abs().median().item()


def training_orthogonality(z):
    z = normalize(z, dim=1)
    z = z[:, z.abs().sum(0) > 0]
    z = normalize(z, dim=0)
    difference = z.T @ z - torch.eye(z.shape[1], dtype=torch.float64)
    return difference.abs().mean().item()


def metric_dead(z):
    z = normalize(z, dim=1)
    return (z.abs().sum(0) < kEps).double().mean().item()


def rules(z, labels):
    z, labels = torch.from_numpy(z).double(), torch.from_numpy(labels)
    return {
        "evaluation": evaluation_clusters(z, labels),
        "metric": metric_clusters(z, labels),
        "training": training_clusters(z, labels),
        "sparsity": (z.abs() < 1e-2).double().mean().item(),
        "dead_share": metric_dead(z),
        "correlation_median": evaluation_orthogonality(z),
        "training_correlation": training_orthogonality(z),
        "training_sparsity": 1 - (normalize(z, dim=1).abs() > kEps).double().mean().item(),
        "active_features": (z.abs().mean(0) > 0).sum().item(),
    }


def main():
    rng = np.random.default_rng(12)
    rows, cols = 90, 20
    labels = rng.integers(0, 4, rows)
    labels[::19] = -1
    signed = rng.normal(size=(4, cols))[labels] + rng.normal(size=(rows, cols)) + 0.2
    signed[:, 3] = -np.abs(signed[:, 3])
    sparse = np.where(rng.random((rows, cols)) < 0.3, 3 * np.abs(signed), 0)
    sparse[:, 5] = 0
    sparse[:, 6] = 1e-6 * (rng.random(rows) < 0.3)  # adds up to more than 1e-5, but not beside what else its rows hold
    sparse[sparse[:, 6] > 0, 0] = 40
    sparse[:, [7, 9]] = 0
    sparse[8] = 0
    sparse[8, [7, 9]] = 1e-6  # add up to less than 1e-5, but are all that their row holds
    arrays = {}
    for name, z in (("signed", signed), ("sparse", sparse)):
        z = z.astype(np.float32)
        arrays |= {f"{name}.features": z, f"{name}.labels": labels.astype(np.int64)}
        for key, value in rules(z, labels).items():
            arrays[f"{name}.{key}"] = np.atleast_1d(np.asarray(value, np.float64))
    np.savez(Path(__file__).with_name("official.npz"), **arrays)


if __name__ == "__main__":
    main()
