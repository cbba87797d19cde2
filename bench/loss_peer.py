#!/usr/bin/python3
"""The dense losses in PyTorch, forward and backward: the same arguments and the same three numbers as loss_bench.

loss_peer.py LOSS ROWS DIMS THREADS RUNS
"""
import sys

import torch
import torch.nn.functional as F

import driver


def memory(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith(field + ":"))


def forget_peak():
    with open("/proc/self/clear_refs", "w") as out:
        out.write("5")


def masks(rows):
    image = torch.arange(rows) % (rows // 2)
    same = image[:, None] == image[None, :]
    positive = same.clone().fill_diagonal_(False)
    return positive, ~same


def infonce(z, positive, negative):
    z = F.normalize(z, dim=1)
    similarity = torch.exp(z @ z.T / 0.2)
    pos = (similarity * positive).sum(1)
    neg = (similarity * negative).sum(1)
    return -torch.log(pos / (pos + neg)).mean()


def spectral(z, positive, negative):
    similarity = z @ z.T
    return (-2 * (similarity * positive).sum() / positive.sum()
            + (similarity * negative).square().sum() / negative.sum())


def main():
    loss = {"infonce": infonce, "spectral": spectral}[sys.argv[1]]
    rows, dims, threads, runs = map(int, sys.argv[2:])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    loss(torch.randn(64, 16, requires_grad=True), *masks(64)).backward()
    z = torch.randn(rows, dims, requires_grad=True)
    forget_peak()
    before = memory("VmRSS")
    positive, negative = masks(rows)

    def step():
        z.grad = None
        loss(z, positive, negative).backward()

    seconds = driver.median_seconds(runs, step)
    peak = memory("VmHWM")
    print(f"{seconds:.6f} {peak - before:.1f} {peak:.1f}")


if __name__ == "__main__":
    main()
