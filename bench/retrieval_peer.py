#!/usr/bin/python3
"""The peers of retrieval_bench, on features like its own.

retrieval_peer.py faiss ROWS DIMS ZEROS QUERIES K THREADS REPEATS    faiss' flat inner-product index, filled beforehand
retrieval_peer.py official ROWS DIMS STEP THREADS REPEATS            the official selection loop's retrieval

Prints the median seconds and the peak in megabytes. The second is written anew after its description: for every number
of kept columns the distances of all rows to all, a full sort of each row, and a Python loop that counts hits among
places 1 to 10. The distances are taken in blocks of rows, or they would not fit.
"""
import resource
import sys

import numpy as np

import driver


def random_features(rows, dims, zeros):
    rng = np.random.default_rng(1)
    features = rng.uniform(0.05, 1, (rows, dims)).astype(np.float32)
    features[rng.random((rows, dims), dtype=np.float32) < zeros] = 0
    return features


def search(rows, dims, zeros, queries, k, threads, repeats):
    import faiss

    faiss.omp_set_num_threads(threads)
    features = random_features(rows, dims, zeros)
    index = faiss.IndexFlatIP(dims)
    index.add(features)
    index.search(features[:100], k)
    return driver.median_seconds(repeats, lambda: index.search(features[:queries], k))


def official_curve(features, labels, step):
    import torch

    rows = torch.nn.functional.normalize(torch.from_numpy(features), dim=1)
    rows = rows[:, torch.argsort(rows.sum(0), descending=True)]
    curve = []
    for kept in range(0, features.shape[1], step):
        part = rows[:, :kept]
        squares = (part**2).sum(1)
        scores = []
        for begin in range(0, len(part), 1000):
            block = part[begin:begin + 1000]
            distances = (block**2).sum(1, keepdim=True) + squares - 2 * block @ part.T
            order = torch.argsort(distances, dim=1)
            for i in range(len(block)):
                hits = 0
                for place in range(1, 11):
                    found = order[i, place]
                    if found != begin + i and labels[found] == labels[begin + i]:
                        hits += 1
                scores.append(hits / 10)
        curve.append((kept, float(np.mean(scores))))
    return curve


def official(rows, dims, step, threads, repeats):
    import torch

    torch.set_num_threads(threads)
    features = random_features(rows, dims, 0.9)
    labels = torch.arange(rows) % 10
    return driver.median_seconds(repeats, lambda: official_curve(features, labels, step))


def main():
    if len(sys.argv) == 9 and sys.argv[1] == "faiss":
        zeros = float(sys.argv[4])
        rows, dims, queries, k, threads, repeats = (int(sys.argv[n]) for n in (2, 3, 5, 6, 7, 8))
        seconds = search(rows, dims, zeros, queries, k, threads, repeats)
    elif len(sys.argv) == 7 and sys.argv[1] == "official":
        seconds = official(*(int(number) for number in sys.argv[2:]))
    else:
        sys.exit(__doc__)
    print(f"{seconds:.6f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.1f}")


if __name__ == "__main__":
    main()
