#!/usr/bin/env python3
"""Writes loss.json: losses and their gradients as PyTorch computes them in float64, for loss_golden_test.cpp.

    python3 tests/golden/learn/loss.py        # needs torch; made with 1.13.1

Inputs follow a formula that the test repeats, so only results are stored.
"""
import json
import pathlib

import torch
import torch.nn.functional as F


def rows(n, k):
    i = torch.arange(n, dtype=torch.float64)[:, None]
    j = torch.arange(k, dtype=torch.float64)[None, :]
    return torch.sin(0.7 * i + 1.3 * j + 0.37 * i * j).float().double()


def rep_relu(z):
    return F.relu(z).detach() + F.gelu(z) - F.gelu(z).detach()


ACTIVATIONS = {
    "none": lambda z: z,
    "relu": F.relu,
    "rep_relu": rep_relu,
    "gelu": F.gelu,
    "sigmoid": torch.sigmoid,
    "softplus": F.softplus,
    "exp": torch.exp,
    "leaky_relu": lambda z: F.leaky_relu(z, 0.01),
}


def infonce(z, views):
    z = F.normalize(z, dim=1)
    ids = torch.arange(len(z)) % (len(z) // views)
    similarity = torch.exp(z @ z.T / 0.2)
    same = ids[:, None] == ids[None, :]
    itself = torch.eye(len(z), dtype=torch.bool)
    positive = (similarity * (same & ~itself)).sum(1)
    negative = (similarity * ~same).sum(1)
    return -torch.log(positive / (positive + negative)).mean()


def spectral(z, views):
    ids = torch.arange(len(z)) % (len(z) // views)
    similarity = z @ z.T
    same = ids[:, None] == ids[None, :]
    itself = torch.eye(len(z), dtype=torch.bool)
    return -2 * similarity[same & ~itself].mean() + similarity[~same].square().mean()


def barlow(z, views):
    a, b = z.chunk(views)
    norm = torch.nn.BatchNorm1d(z.shape[1], affine=False).double()
    c = norm(a).T @ norm(b) / len(a)
    off = ~torch.eye(z.shape[1], dtype=torch.bool)
    return (c.diagonal() - 1).square().sum() + 0.005 * c[off].square().sum()


def vicreg(z, views):
    a, b = z.chunk(views)
    off = ~torch.eye(z.shape[1], dtype=torch.bool)
    deviation = [torch.sqrt(v.var(0) + 1e-4) for v in (a, b)]
    variance = sum(F.relu(1 - s).mean() / 2 for s in deviation)
    covariance = sum(torch.cov(v.T)[off].square().sum() / z.shape[1] for v in (a, b))
    return 25 * F.mse_loss(a, b) + 25 * variance + covariance


cases = []
for name, loss, shapes in (
    ("infonce", infonce, ((12, 5, 2), (12, 5, 3))),
    ("spectral", spectral, ((12, 5, 2), (8, 9, 4))),
    ("barlow", barlow, ((12, 5, 2),)),
    ("vicreg", vicreg, ((12, 5, 2),)),
):
    for n, k, views in shapes:
        for activation, sigma in ACTIVATIONS.items():
            z = rows(n, k).requires_grad_(True)
            value = loss(sigma(z), views)
            value.backward()
            gradient = [float(f"{g:.9g}") for g in z.grad.flatten().tolist()]
            cases.append(dict(loss=name, activation=activation, rows=n, dims=k, views=views,
                              value=float(f"{value.item():.12g}"), gradient=gradient))

with open(pathlib.Path(__file__).with_suffix(".json"), "w") as out:
    out.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
