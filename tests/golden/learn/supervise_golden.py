#!/usr/bin/env python3
"""Golden values for learning from labels, made with PyTorch.

  supervise_golden.py > supervise.json      # needs torch; made with 1.13.1

Ten steps of a tiny network (an mlp, perhaps a projector, a linear classifier) on a fixed batch by each method and
optimiser: the losses before the steps, and the classifier after them. Weights and the batch follow a formula that the
test repeats. The supervised contrastive loss is written here from its definition, row by row.
"""
import json
import math

import torch
import torch.nn.functional as F

STEPS = 10
RATE = 0.005
CLASSES = [0, 2, 1, 0, 2, 2]
ITEMS = len(CLASSES)


def formula(shape, phase):
    index = torch.arange(math.prod(shape), dtype=torch.float64)
    return (0.5 * torch.sin(1 + 0.7 * index + 1.3 * phase)).reshape(shape).float()


def rep_relu(z):
    return F.relu(z).detach() + F.gelu(z) - F.gelu(z).detach()


def supcon(z, labels, temperature):
    z = F.normalize(z, dim=1)
    losses = []
    for i in range(len(z)):
        others = [a for a in range(len(z)) if a != i]
        total = torch.logsumexp(torch.stack([z[i] @ z[a] / temperature for a in others]), 0)
        positives = [z[i] @ z[p] / temperature - total for p in others if labels[p] == labels[i]]
        losses.append(-torch.stack(positives).mean())
    return torch.stack(losses).mean()


CASES = [
    dict(method="ce", projector=False, optimiser="sgd"),
    dict(method="ce", projector=True, optimiser="adamw", smoothing=0.1),
    dict(method="nce", projector=True, optimiser="adamw"),
    dict(method="nce", projector=True, optimiser="sgd", smoothing=0.2, weights=[0.5, 2.0, 1.25]),
    dict(method="nce", projector=False, optimiser="adamw", nonneg_weights=True),
    dict(method="supcon", projector=True, optimiser="adamw"),
    dict(method="nsupcon", projector=True, optimiser="adamw", weights=[0.5, 2.0, 1.25]),
]


def run(method, projector, optimiser, smoothing=0.0, weights=None, nonneg_weights=False):
    views = 2 if "supcon" in method else 1
    layers = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 8), torch.nn.ReLU())
    head = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 5)) if projector \
        else torch.nn.Sequential()
    fc = torch.nn.Linear(5 if projector else 8, 3)
    params = [*layers.parameters(), *head.parameters(), *fc.parameters()]
    with torch.no_grad():
        for index, p in enumerate(params):
            p.copy_(formula(tuple(p.shape), index))
    batch = 2 * formula((ITEMS, 6), 50).repeat(views, 1)
    labels = torch.tensor(CLASSES * views)
    step = torch.optim.SGD(params, RATE, momentum=0.9, weight_decay=1e-2) if optimiser == "sgd" \
        else torch.optim.AdamW(params, RATE, weight_decay=1e-2)
    weight = torch.tensor(weights) if weights else None
    losses = []
    for _ in range(STEPS):
        step.zero_grad()
        z = head(layers(batch))
        if method.startswith("n"):
            z = rep_relu(z)
        seen = z.detach() if "supcon" in method else z
        scores = F.linear(seen, rep_relu(fc.weight) if nonneg_weights else fc.weight, fc.bias)
        loss = F.cross_entropy(scores, labels, weight=weight, label_smoothing=smoothing)
        if "supcon" in method:
            told = supcon(z, labels.tolist(), 0.1)
            (told + loss).backward()
        else:
            told = loss
            loss.backward()
        step.step()
        losses.append(told.item())
    final = F.relu(fc.weight) if nonneg_weights else fc.weight
    return losses, final.detach().flatten().tolist() + fc.bias.detach().tolist()


torch.set_num_threads(1)
document = []
for case in CASES:
    losses, classifier = run(**case)
    document.append({**dict(smoothing=0.0, weights=[], nonneg_weights=False), **case, "losses": losses,
                     "classifier": classifier})
print(json.dumps(document))
