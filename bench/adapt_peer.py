"""The objective of adapt_bench in PyTorch, as one would write it: the peer of the benchmark.

A top-k autoencoder with the 4k term from the same pre-activations and the auxiliary loss for dead features (Gao et al.,
2024), unit decoder rows, Adam. Dense decoders, as PyTorch has no sparse ones worth using on a CPU: the fastest of the
forms that were tried. Prints one JSON line.

    /usr/bin/python3 bench/adapt_peer.py --rows 8192 --dims 512 --features 8192 --active 32 --batch 4096 --steps 2 --threads 2
"""
import argparse
import json
import resource
import time

import torch
import torch.nn.functional as F


def largest(pre, k):
    values, indices = pre.topk(k, dim=1, sorted=False)
    return torch.zeros_like(pre).scatter_(1, indices, F.relu(values))


def main():
    parser = argparse.ArgumentParser()
    for name, default in dict(rows=8192, dims=512, features=8192, active=32, batch=4096, steps=3, threads=2, dead=400).items():
        parser.add_argument(f"--{name}", type=int, default=default)
    a = parser.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(1)
    x = (torch.rand(a.rows, a.dims) - 0.5) * 3.4
    encoder = ((torch.rand(a.features, a.dims) - 0.5) * 0.1).requires_grad_()
    decoder = encoder.detach().clone().requires_grad_()
    encoder_bias = torch.zeros(a.features, requires_grad=True)
    bias = torch.zeros(a.dims, requires_grad=True)
    optimiser = torch.optim.Adam([encoder, decoder, encoder_bias, bias], lr=1e-4)
    dead = torch.zeros(a.features, dtype=torch.bool)
    dead[:a.dead] = True

    def step(n):
        begin = n * a.batch % (a.rows - a.batch + 1)
        batch = x[begin:begin + a.batch]
        pre = (batch - bias) @ encoder.T + encoder_bias
        made = largest(pre, a.active) @ decoder + bias
        wide = largest(pre, 4 * a.active) @ decoder + bias
        loss = F.mse_loss(made, batch) + F.mse_loss(wide, batch) / 8
        if a.dead:
            tried = largest(pre[:, dead], min(256, a.dead)) @ decoder[dead] + bias
            target = (batch - made + bias).detach()
            loss = loss + F.mse_loss(tried, target) / F.mse_loss(target.mean(0, keepdim=True).expand_as(target), target) / 32
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        with torch.no_grad():
            decoder.grad -= (decoder.grad * decoder).sum(1, keepdim=True) * decoder
        optimiser.step()
        with torch.no_grad():
            decoder.div_(decoder.norm(dim=1, keepdim=True))
        return loss.item()

    step(0)
    start = time.perf_counter()
    for n in range(1, a.steps + 1):
        loss = step(n)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"rows_per_second": a.steps * a.batch / seconds, "peak_mib": peak, "loss": loss}))


if __name__ == "__main__":
    main()
