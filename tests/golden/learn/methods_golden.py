#!/usr/bin/env python3
"""Golden values for MoCo, BYOL, SimSiam and SwAV, made with PyTorch.

  methods_golden.py > methods.json      # needs torch; made with 1.13.1

Ten steps of a tiny network (an mlp and a projector with batch norm) by each method, with and without sigma+, on batches
that change from step to step: the loss before each step, and after the last one every weight, of the network, of what
learns beside it and of the momentum network, and MoCo's queue. Weights and batches follow a formula that the test
repeats. The optimiser is SGD: AdamW makes a step of a gradient that is zero but for rounding, as that of a bias before
batch norm. The methods are written here in the form of their papers: cross entropy of logits with the positive first,
squared distance of unit vectors, Sinkhorn on the matrix itself.
"""
import copy
import json
import math

import torch
import torch.nn.functional as F

STEPS = 10
RATE = 0.005
ITEMS = 6
DIMS = 5
HIDDEN = 7
PROTOTYPES = 4
MOMENTUM = 0.9
QUEUE = 17  # no multiple of the keys of a step
TEMPERATURE = 0.5
EPSILON = 0.25
FROZEN = 2  # steps


def formula(shape, phase):
    index = torch.arange(math.prod(shape), dtype=torch.float64)
    return (0.5 * torch.sin(1 + 0.7 * index + 1.3 * phase)).reshape(shape).float()


def rep_relu(z):
    return F.relu(z).detach() + F.gelu(z) - F.gelu(z).detach()


class Network(torch.nn.Module):
    def __init__(self, sigma):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 8),
                                          torch.nn.ReLU())
        self.projector = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.BatchNorm1d(8), torch.nn.ReLU(),
                                             torch.nn.Linear(8, DIMS))
        self.sigma = sigma

    def forward(self, x):
        z = self.projector(self.layers(x))
        return rep_relu(z) if self.sigma else z


def fill(parameters, first):
    with torch.no_grad():
        for index, (name, p) in enumerate(parameters):
            p.copy_(formula(tuple(p.shape), first + index))
            if name.endswith("1.weight"):  # batch norm
                p.add_(1)


def pairs(views):
    return [(a, b) for a in range(views) for b in range(views) if a != b]


def moco_loss(z, keys, queue, views):
    losses = []
    q, k = F.normalize(z).chunk(views), F.normalize(keys).chunk(views)
    for a, b in pairs(views):
        for i in range(ITEMS):
            others = torch.cat([k[b][:i], k[b][i + 1:], queue])
            logits = torch.cat([(q[a][i] * k[b][i]).sum()[None], others @ q[a][i]]) / TEMPERATURE
            losses.append(F.cross_entropy(logits[None], torch.zeros(1, dtype=torch.long)))
    return torch.stack(losses).mean()


def byol_loss(p, target, views):
    p, t = F.normalize(p).chunk(views), F.normalize(target).chunk(views)
    return torch.stack([((p[a] - t[b]) ** 2).sum(1).mean() for a, b in pairs(views)]).mean()


def simsiam_loss(p, z, views):
    p, z = p.chunk(views), z.detach().chunk(views)
    return torch.stack([-F.cosine_similarity(p[a], z[b]).mean() for a, b in pairs(views)]).mean()


@torch.no_grad()
def sinkhorn(scores):
    q = torch.exp(scores / EPSILON).T
    q /= q.sum()
    for _ in range(3):
        q /= q.sum(1, keepdim=True)
        q /= q.shape[0]
        q /= q.sum(0, keepdim=True)
        q /= q.shape[1]
    return (q * q.shape[1]).T


def swav_loss(z, prototypes, views):
    scores = (F.normalize(z) @ prototypes.T).chunk(views)
    return torch.stack([-(sinkhorn(scores[b]) * F.log_softmax(scores[a] / TEMPERATURE, 1)).sum(1).mean()
                        for a, b in pairs(views)]).mean()


def run(loss, sigma, views, views_apart=False):
    network = Network(sigma)
    fill(network.named_parameters(), 0)
    beside = torch.nn.Module()
    if loss in ("byol", "simsiam"):
        beside.predictor = torch.nn.Sequential(torch.nn.Linear(DIMS, HIDDEN), torch.nn.BatchNorm1d(HIDDEN),
                                               torch.nn.ReLU(), torch.nn.Linear(HIDDEN, DIMS))
    if loss == "swav":
        beside.prototypes = torch.nn.Parameter(torch.empty(PROTOTYPES, DIMS))
    fill(beside.named_parameters(), 20)
    if loss == "swav":
        beside.prototypes.data = F.normalize(beside.prototypes.data)
    momentum = copy.deepcopy(network) if loss in ("moco", "byol") else None
    queue = torch.zeros(0, DIMS)
    params = [*network.parameters(), *beside.parameters()]
    step = torch.optim.SGD(params, RATE, momentum=0.9, weight_decay=1e-2)
    losses = []
    for k in range(STEPS):
        batch = 2 * formula((views * ITEMS, 6), 50 + k)
        apart = (lambda f, x: torch.cat([f(view) for view in x.chunk(views)])) if views_apart else (lambda f, x: f(x))
        step.zero_grad()
        z = apart(network, batch)
        if momentum:
            with torch.no_grad():
                target = apart(momentum, batch)
        if loss == "moco":
            value = moco_loss(z, target, queue, views)
        elif loss == "byol":
            value = byol_loss(apart(beside.predictor, z), target, views)
        elif loss == "simsiam":
            value = simsiam_loss(apart(beside.predictor, z), z, views)
        else:
            value = swav_loss(z, beside.prototypes, views)
        value.backward()
        if loss == "swav" and k < FROZEN:
            beside.prototypes.grad = None
        step.step()
        losses.append(value.item())
        with torch.no_grad():
            if momentum:
                m = MOMENTUM if loss == "moco" else 1 - (1 - MOMENTUM) * (math.cos(math.pi * k / STEPS) + 1) / 2
                for slow, fast in zip(momentum.parameters(), network.parameters()):
                    slow.copy_(m * slow + (1 - m) * fast)
            if loss == "moco":
                queue = torch.cat([queue, F.normalize(target)])[-QUEUE:]
            if loss == "swav":
                beside.prototypes.copy_(F.normalize(beside.prototypes))

    def flat(module):  # the mlp's linear layers are called 0 and 1
        return {name.replace("layers.2", "layers.1"): p.detach().flatten().tolist() for name, p in module.named_parameters()}

    weights = {**flat(network), **flat(beside)}
    if momentum:
        weights |= {"objective.momentum." + name: values for name, values in flat(momentum).items()}
    return dict(losses=losses, weights=weights, queue=sorted(queue.flatten().tolist()))


CASES = [dict(loss=loss, sigma=sigma, views=2) for loss in ("moco", "byol", "simsiam", "swav")
         for sigma in (False, True)] + \
        [dict(loss=loss, sigma=True, views=3) for loss in ("moco", "byol", "simsiam", "swav")] + \
        [dict(loss=loss, sigma=False, views=2, views_apart=True) for loss in ("byol", "simsiam")]

torch.set_num_threads(1)
document = [{"views_apart": False, **case, **run(**case)} for case in CASES]
print(json.dumps(json.loads(json.dumps(document), parse_float=lambda digits: float(f"{float(digits):.8g}"))))
