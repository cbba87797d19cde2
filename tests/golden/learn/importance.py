#!/usr/bin/env python3
"""Writes importance.json: losses with learned importance, and their gradients, as PyTorch computes them in float64, for
tests/learn/loss/importance_test.cpp.

    python3 tests/golden/learn/importance.py        # needs torch; made with 1.13.1

Inputs follow formulas that the test repeats, so only results are stored. Written from the definition, pair by pair:
sim(x, y) = sum_k s_k x_k y_k, over its value for x and y themselves where directions are compared.
"""
import json
import pathlib

import torch
import torch.nn.functional as F


def rows(n, k):
    i = torch.arange(n, dtype=torch.float64)[:, None]
    j = torch.arange(k, dtype=torch.float64)[None, :]
    return torch.sin(0.7 * i + 1.3 * j + 0.37 * i * j).float().double()


def parameter(k):
    return (0.02 * torch.sin(2.0 + 1.1 * torch.arange(k, dtype=torch.float64))).float().double()


def importance(q):
    offset = torch.log(torch.expm1(torch.tensor(1.0, dtype=torch.float64)))
    s = torch.log1p(torch.exp(offset + 100 * q))
    return len(s) * s / s.sum()


def infonce(z, s, views, temperature=0.2):
    n = len(z)
    images = n // views
    similarity = torch.einsum("ik,k,jk->ij", z, s, z)
    length = similarity.diagonal().sqrt()
    similarity = similarity / length[:, None] / length[None, :] / temperature
    total = 0
    for i in range(n):
        others = [j for j in range(n) if j != i]
        positives = [j for j in others if j % images == i % images]
        total = total - torch.logsumexp(similarity[i, positives], 0) + torch.logsumexp(similarity[i, others], 0)
    return total / n


def spectral(z, s, views):
    n = len(z)
    images = n // views
    similarity = torch.einsum("ik,k,jk->ij", z, s, z)
    attract = [similarity[i, j] for i in range(n) for j in range(n) if i != j and i % images == j % images]
    repel = [similarity[i, j] ** 2 for i in range(n) for j in range(n) if i % images != j % images]
    return -2 * torch.stack(attract).mean() + torch.stack(repel).mean()


def decorrelation(z, unit):
    if unit:
        z = z / torch.sqrt((z * z).sum(1, keepdim=True))
    moments = torch.einsum("ij,ik->jk", z, z) / len(z)
    target = torch.eye(z.shape[1], dtype=torch.float64) * moments.trace() / z.shape[1]
    share = moments.trace() / z.shape[1]
    return ((moments - target) / share).pow(2).sum() / z.shape[1]


SIGMAS = {
    "none": lambda y: y,
    "relu": F.relu,
    "rep_relu": lambda y: F.relu(y).detach() + F.gelu(y) - F.gelu(y).detach(),
}

cases = []
for loss in ("infonce", "spectral"):
    for n, k, views in ((12, 5, 2), (12, 4, 3)):
        for activation, sigma in SIGMAS.items():
            for weight in (0.0, 0.7):
                y = rows(n, k).requires_grad_(True)
                q = parameter(k).requires_grad_(True)
                z = sigma(y)
                value = infonce(z, importance(q), views) if loss == "infonce" else spectral(z, importance(q), views)
                term = decorrelation(z, loss == "infonce")
                (value + weight * term).backward()
                cases.append(dict(loss=loss, activation=activation, rows=n, dims=k, views=views, weight=weight,
                                  value=float(f"{value.item():.12g}"), term=float(f"{term.item():.12g}"),
                                  rows_gradient=[float(f"{g:.9g}") for g in y.grad.flatten().tolist()],
                                  importance_gradient=[float(f"{g:.9g}") for g in q.grad.tolist()]))

with open(pathlib.Path(__file__).with_suffix(".json"), "w") as out:
    out.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
