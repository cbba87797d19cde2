#!/usr/bin/env python3
"""Golden values for two towers, made with PyTorch.

  pairs_golden.py > pairs.json

Ten steps of two tiny towers on a fixed batch of pairs, loss by loss, with the scale of CLIP's InfoNCE learned along.
"""
import json
import math

import torch
import torch.nn.functional as F

STEPS = 10
RATE = 0.005


def formula(shape, phase):
    count = math.prod(shape)
    index = torch.arange(count, dtype=torch.float64)
    return (0.5 * torch.sin(1 + 0.7 * index + 1.3 * phase)).reshape(shape).float()


def rep_relu(z):
    return F.relu(z).detach() + F.gelu(z) - F.gelu(z).detach()


def info_nce(za, zb, log_scale):
    similarity = log_scale.exp() * F.normalize(za, dim=1) @ F.normalize(zb, dim=1).T
    own = torch.arange(za.shape[0])
    return (F.cross_entropy(similarity, own) + F.cross_entropy(similarity.T, own)) / 2


def spectral(za, zb, _):
    similarity = za @ zb.T
    items = za.shape[0]
    squares = similarity.square().sum() - similarity.diagonal().square().sum()
    return -2 * similarity.diagonal().mean() + squares / (items * (items - 1))


NAMES = ["layers.0.weight", "layers.0.bias", "projector.0.weight", "projector.0.bias", "projector.2.weight",
         "projector.2.bias"]


def make_tower(dims, phase):
    layers = torch.nn.Sequential(torch.nn.Linear(dims, 8), torch.nn.ReLU(), torch.nn.Linear(8, 8), torch.nn.ReLU(),
                                 torch.nn.Linear(8, 5))
    with torch.no_grad():
        for index, p in enumerate(layers.parameters()):
            p.copy_(formula(tuple(p.shape), phase + index))
    return layers


def curve(optimiser_name, loss_name, activation):
    towers = [make_tower(6, 0), make_tower(4, 20)]
    rows = [2 * formula((8, 6), 50), 2 * formula((8, 4), 70)]
    log_scale = torch.nn.Parameter(torch.tensor([math.log(1 / 0.07)]))
    params = [p for tower in towers for p in tower.parameters()] + ([log_scale] if loss_name == "infonce" else [])
    optimiser = (torch.optim.SGD(params, RATE, momentum=0.9, weight_decay=1e-2) if optimiser_name == "sgd" else
                 torch.optim.AdamW(params, RATE, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2))
    losses, scales = [], []
    for _ in range(STEPS):
        optimiser.zero_grad()
        za, zb = (tower(x) for tower, x in zip(towers, rows))
        if activation == "rep_relu":
            za, zb = rep_relu(za), rep_relu(zb)
        loss = (info_nce if loss_name == "infonce" else spectral)(za, zb, log_scale)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
        scales.append(log_scale.exp().item())
    return losses, scales


def main():
    document = {"parameters": NAMES, "rate": RATE, "curves": []}
    for optimiser, loss, activation in [("sgd", "infonce", "none"), ("adamw", "infonce", "rep_relu"),
                                        ("adamw", "spectral", "rep_relu")]:
        losses, scales = curve(optimiser, loss, activation)
        document["curves"].append({"optimiser": optimiser, "loss": loss, "activation": activation, "losses": losses,
                                   "scales": scales})
    print(json.dumps(document))


torch.set_num_threads(1)
main()
