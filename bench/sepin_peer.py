"""SEPIN of some features as PyTorch code computes it: delete a column, normalise, take the loss, on two threads.

Usage: sepin_peer.py FIRST.npy SECOND.npy FEATURES THREADS
Prints one JSON line: seconds for the loss of all features and of FEATURES leave-one-out losses, the loss, and the first
feature's value. The similarities of 8,192 rows fit into memory, so nothing is split.
"""

import json
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

TEMPERATURE = 0.2


@torch.no_grad()
def info_nce(rows):
    rows = F.normalize(rows, dim=1, eps=1e-12)
    n = len(rows)
    logits = rows @ rows.T / TEMPERATURE
    logits.fill_diagonal_(-torch.inf)
    return F.cross_entropy(logits, (torch.arange(n) + n // 2) % n).item()


first, second, features, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
torch.set_num_threads(threads)
rows = torch.from_numpy(np.concatenate([np.load(first), np.load(second)]))
start = time.perf_counter()
loss = info_nce(rows)
values = []
for i in range(features):
    values.append(info_nce(torch.cat([rows[:, :i], rows[:, i + 1 :]], 1)) - loss)
print(json.dumps({"seconds": time.perf_counter() - start, "loss": loss, "first": values[0]}))
