#!/usr/bin/env python3
"""Writes steps.json: ten steps of Adam on every objective of `orthant adapt`, by PyTorch in float64 with dense formulas
and autograd, for tests/adapt/golden_test.cpp.

    python3 tests/golden/adapt/make_steps.py        # needs torch; made with 1.13.1

Inputs and weights follow formulas that the test repeats, so only results are stored.
"""
import json
import pathlib

import torch
import torch.nn.functional as F

ROWS, DIMS, FEATURES, ACTIVE, STEPS, RATE = 24, 10, 20, 2, 10, 0.01
DEAD_STEPS, SPARE = 3, 3


def grid(n, k, a, b, c, f):
    i = torch.arange(n, dtype=torch.float64)[:, None]
    j = torch.arange(k, dtype=torch.float64)[None, :]
    return f(a * i + b * j + c * i * j).float().double()


class Jump(torch.autograd.Function):
    """x 1[x > theta], with a rectangle of width e for the derivative by theta (Rajamanoharan et al., 2024)."""

    @staticmethod
    def forward(ctx, x, theta, width):
        ctx.save_for_backward(x, theta)
        ctx.width = width
        return x * ((x > theta) & (x > 0))

    @staticmethod
    def backward(ctx, slope):
        x, theta = ctx.saved_tensors
        window = ((x - theta).abs() < ctx.width / 2).double()
        return slope * ((x > theta) & (x > 0)), (-theta / ctx.width * window * slope).sum(0), None


class Count(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, theta, width):
        ctx.save_for_backward(x, theta)
        ctx.width = width
        return ((x > theta) & (x > 0)).double()

    @staticmethod
    def backward(ctx, slope):
        x, theta = ctx.saved_tensors
        window = ((x - theta).abs() < ctx.width / 2).double()
        return torch.zeros_like(x), (-1 / ctx.width * window * slope).sum(0), None


def largest(pre, k):
    """All but the k largest of every row become 0, and so does what is negative."""
    values, indices = pre.topk(k, dim=1)
    return torch.zeros_like(pre).scatter(1, indices, F.relu(values))


def largest_of_batch(pre, k):
    values, indices = F.relu(pre).flatten().topk(k * len(pre))
    return torch.zeros(pre.numel(), dtype=pre.dtype).scatter(0, indices, values).view_as(pre)


def infonce(z, case, temperature=0.2):
    z = F.normalize(z, dim=1)
    similarity = z @ z.T / temperature
    n = len(z)
    self_mask = torch.eye(n, dtype=torch.bool)
    if case["positives"] == "self":  # two identical passes, one behind the other
        z = torch.cat([z, z])
        similarity = (z @ z.T / temperature).masked_fill(torch.eye(2 * n, dtype=torch.bool), -1e9)
        return F.cross_entropy(similarity, (torch.arange(2 * n) + n) % (2 * n))
    if case["positives"] == "labels":
        labels = torch.arange(n) % 4
        together = (labels[:, None] == labels[None, :]) & ~self_mask
    else:
        together = (torch.arange(n) ^ 1)[:, None] == torch.arange(n)[None, :]
    everything = similarity.masked_fill(self_mask, -1e9).logsumexp(1)
    own = similarity.masked_fill(~together, -1e9).logsumexp(1)
    return (everything - own).mean()


def run(case):
    x = grid(ROWS, DIMS, 0.7, 1.3, 0.37, torch.sin)
    encoder = (0.3 * grid(FEATURES, DIMS, 0.9, 0.5, 0.23, torch.cos)).float().double()
    decoder = (0.3 * grid(FEATURES, DIMS, 1.1, 0.7, 0.31, torch.sin)).float().double()
    if case["unit"]:
        decoder = decoder / decoder.norm(dim=1, keepdim=True)
    encoder_bias = (0.05 * grid(1, FEATURES, 0, 1, 0, torch.cos)[0]).float().double()
    bias = (0.1 * grid(1, DIMS, 0, 1, 0, torch.sin)[0]).float().double()
    theta = torch.full((FEATURES,), 0.25, dtype=torch.float64)
    parameters = [encoder, encoder_bias, bias]
    if not case["tied"] and case["reconstruction"] > 0:
        parameters.append(decoder)
    if case["gate"] == "jump":
        parameters.append(theta)
    for p in parameters:
        p.requires_grad_()
    optimiser = torch.optim.Adam(parameters, lr=RATE, eps=1e-8)
    age = torch.zeros(FEATURES)
    age[FEATURES - 4:] = 100
    losses = []
    for _ in range(STEPS):
        v = encoder if case["tied"] else decoder
        pre = (x - bias) @ encoder.T + encoder_bias
        if case["gate"] == "topk":
            z = largest(pre, ACTIVE)
        elif case["gate"] == "batch":
            z = largest_of_batch(pre, ACTIVE)
        else:
            z = Jump.apply(pre, theta, 0.2)
        loss = 0
        if case["reconstruction"] > 0:
            made = z @ v + bias
            loss = loss + case["reconstruction"] * F.mse_loss(made, x)
            if case["wide"] > 0:
                wide = largest(pre, 4 * ACTIVE) if case["gate"] == "topk" else largest_of_batch(pre, 4 * ACTIVE)
                loss = loss + case["wide"] * F.mse_loss(wide @ v + bias, x)
            dead = age > DEAD_STEPS
            if case["aux"] > 0 and dead.any():
                tried = largest(pre.masked_fill(~dead, -1e9), SPARE)
                target = x - made.detach() + bias.detach()
                error = F.mse_loss(tried @ v + bias, target)
                variance = F.mse_loss(target.mean(0, keepdim=True).expand_as(target), target)
                loss = loss + case["aux"] * error / variance.detach()
        if case["contrast"] > 0:
            loss = loss + case["contrast"] * infonce(z, case)
        if case["gate"] == "jump":
            loss = loss + 0.5 * (Count.apply(pre, theta, 0.2).sum(1).mean() / ACTIVE - 1) ** 2
        losses.append(loss.item())
        optimiser.zero_grad()
        loss.backward()
        if case["unit"]:
            with torch.no_grad():
                decoder.grad -= (decoder.grad * decoder).sum(1, keepdim=True) * decoder
        optimiser.step()
        with torch.no_grad():
            if case["unit"]:
                decoder /= decoder.norm(dim=1, keepdim=True)
            theta.clamp_(min=0)
        fired = (z.detach() > 0).any(0)
        age = torch.where(fired, torch.zeros_like(age), age + 1)
    result = dict(case, losses=losses, encoder=encoder.flatten().tolist(), encoder_bias=encoder_bias.tolist(),
                  bias=bias.tolist())
    if not case["tied"]:
        result["decoder"] = decoder.flatten().tolist()
    if case["gate"] == "jump":
        result["thresholds"] = theta.tolist()
    return result


def case(name, gate="topk", tied=False, unit=False, reconstruction=1.0, wide=0.125, aux=0.03125, contrast=0.0,
         positives=""):
    return dict(name=name, gate=gate, tied=tied, unit=unit, reconstruction=reconstruction, wide=wide, aux=aux,
                contrast=contrast, positives=positives)


CASES = [
    case("topk"),
    case("topk_unit", unit=True),
    case("topk_tied", tied=True),
    case("csr", tied=True, contrast=0.1, positives="self"),
    case("csr_labels", tied=True, contrast=0.1, positives="labels"),
    case("ncl_pairs", reconstruction=0.0, wide=0.0, aux=0.0, contrast=1.0, positives="pairs"),
    case("batch", gate="batch", wide=0.0),
    case("batch_wide", gate="batch"),
    case("jump", gate="jump", wide=0.0),
]

if __name__ == "__main__":
    torch.manual_seed(0)
    results = [run(c) for c in CASES]
    rounded = json.loads(json.dumps(results), parse_float=lambda text: float(f"{float(text):.9g}"))
    path = pathlib.Path(__file__).with_name("steps.json")
    path.write_text("[\n" + ",\n".join(json.dumps(r) for r in rounded) + "\n]\n")
    for r in results:
        print(r["name"], r["losses"][0], r["losses"][-1])
