#!/usr/bin/env python3
"""Golden values for the training tests, made with PyTorch.

  train_golden.py > train.json

Optimisers: ten steps from weights and gradients given by formulas. SGD and AdamW are PyTorch's; LARS and Muon are written
here from their specifications, Muon's iteration on the matrix itself and in double. Curves: ten steps of a tiny model on a fixed batch, loss by loss.
"""
import json
import math

import torch
import torch.nn.functional as F

STEPS = 10
CURVE_RATE = 0.005


def formula(shape, phase):
    count = math.prod(shape)
    index = torch.arange(count, dtype=torch.float64)
    return (0.5 * torch.sin(1 + 0.7 * index + 1.3 * phase)).reshape(shape).float()


class Lars(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum, weight_decay, eta, clip):
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay, eta=eta, clip=clip))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                d = p.grad.clone()
                p_norm, g_norm = p.norm(), d.norm()
                if p.ndim != 1 and p_norm != 0 and g_norm != 0:
                    wd = group["weight_decay"]
                    r = group["eta"] * p_norm / (g_norm + wd * p_norm + 1e-8)
                    if group["clip"]:
                        r = min(r / group["lr"], 1)
                    d = r * (d + wd * p)
                state = self.state[p]
                if "buf" not in state:
                    state["buf"] = torch.zeros_like(p)
                state["buf"].mul_(group["momentum"]).add_(d)
                p.sub_(group["lr"] * state["buf"])


class Muon(torch.optim.Optimizer):
    """Jordan et al. 2024, with the step of Liu et al. 2025 (Moonlight); vectors are left to AdamW."""

    def __init__(self, params, lr, momentum, weight_decay):
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay))
        self.adam = [torch.optim.AdamW([p], lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=weight_decay)
                     for p in params if p.ndim == 1]

    @staticmethod
    def direction(matrix):
        x = matrix.double()
        if x.norm() == 0:
            return matrix
        x = x / x.norm()
        tall = x.shape[0] > x.shape[1]
        x = x.T if tall else x
        for _ in range(5):
            a = x @ x.T
            x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
        return (x.T if tall else x).float()

    @torch.no_grad()
    def step(self):
        for adam in self.adam:
            adam.param_groups[0]["lr"] = self.param_groups[0]["lr"]
            adam.step()
        for group in self.param_groups:
            for p in (p for p in group["params"] if p.ndim > 1):
                state = self.state[p]
                state.setdefault("buf", torch.zeros_like(p)).mul_(group["momentum"]).add_(p.grad)
                ahead = p.grad + group["momentum"] * state["buf"]
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.sub_(group["lr"] * 0.2 * max(p.shape) ** 0.5 * self.direction(ahead))


def make_optimiser(name, params, lr):
    if name == "lars":
        return Lars(params, lr, 0.9, 1e-2, 0.02, True)
    if name == "lars_unclipped":
        return Lars(params, lr, 0.9, 1e-2, 0.02, False)
    if name == "muon":
        return Muon(params, lr, 0.9, 1e-2)
    if name == "sgd":
        return torch.optim.SGD(params, lr, momentum=0.9, weight_decay=1e-2)
    return torch.optim.AdamW(params, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2)


def optimiser_case(name):
    params = [torch.nn.Parameter(formula((3, 4), 0)), torch.nn.Parameter(formula((4,), 1)),
              torch.nn.Parameter(torch.zeros(2, 2))]
    optimiser = make_optimiser(name, params, 0.1)
    weights = []
    for step in range(STEPS):
        for group in optimiser.param_groups:
            group["lr"] = 0.1 * (1 - 0.05 * step)
        for index, p in enumerate(params):
            p.grad = formula(tuple(p.shape), 10 + 3 * step + index)
        optimiser.step()
        weights.append([p.detach().flatten().tolist() for p in params])
    return weights


def rep_relu(z):
    return F.relu(z).detach() + F.gelu(z) - F.gelu(z).detach()


def info_nce(z, views, temperature):
    z = F.normalize(z, dim=1, eps=1e-12)
    rows = z.shape[0]
    batch = rows // views
    similarity = torch.exp(z @ z.T / temperature)
    image = torch.arange(rows) % batch
    same = image[:, None] == image[None, :]
    eye = torch.eye(rows, dtype=torch.bool)
    positive = (similarity * (same & ~eye)).sum(1)
    negative = (similarity * ~same).sum(1)
    return -torch.log(positive / (positive + negative)).mean()


NAMES = ["layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias", "projector.0.weight",
         "projector.0.bias", "projector.1.weight", "projector.1.bias", "projector.3.weight", "projector.3.bias"]


def curve_case(optimiser_name, activation):
    layers = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 8), torch.nn.ReLU())
    projector = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.BatchNorm1d(8), torch.nn.ReLU(),
                                    torch.nn.Linear(8, 5))
    params = list(layers.parameters()) + list(projector.parameters())
    assert len(params) == len(NAMES)
    with torch.no_grad():
        for index, p in enumerate(params):
            p.copy_(formula(tuple(p.shape), index))
            if NAMES[index] == "projector.1.weight":
                p.add_(1)
    batch = 2 * formula((8, 6), 50)
    optimiser = make_optimiser(optimiser_name, params, CURVE_RATE)
    losses = []
    for _ in range(STEPS):
        optimiser.zero_grad()
        z = projector(layers(batch))
        loss = info_nce(rep_relu(z) if activation == "rep_relu" else z, 2, 0.2)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses


def main():
    document = {
        "optimisers": {name: optimiser_case(name) for name in ["lars", "lars_unclipped", "sgd", "adamw", "muon"]},
        "parameters": NAMES,
        "curves": [{"optimiser": o, "activation": a, "losses": curve_case(o, a)}
                   for o, a in [("sgd", "none"), ("lars", "rep_relu"), ("adamw", "rep_relu")]],
    }
    print(json.dumps(document))


torch.set_num_threads(1)
main()
