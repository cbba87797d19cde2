#!/usr/bin/env python3
"""faiss' flat index on sparse features made dense, timed; needs faiss and NumPy.

    index_peer.py BANK QUERIES COUNT K THREADS     milliseconds of a query alone (median), and of one in a batch

BANK and QUERIES are sparse .safetensors of orthant; rows are scaled to unit length, so that inner products are cosines.
"""
import json
import struct
import sys
import time

import faiss
import numpy as np


def dense(path, limit=None):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
    raw = np.memmap(path, np.uint8, "r", 8 + length)

    def tensor(name, kind):
        begin, end = header[name]["data_offsets"]
        return raw[begin:end].view(kind)

    rows, cols = tensor("features.shape", np.int64)
    starts, columns, values = (tensor(f"features.{name}", kind) for name, kind in
                               (("indptr", np.int64), ("indices", np.int32), ("values", np.float32)))
    rows = int(rows) if limit is None else min(int(rows), limit)
    table = np.zeros((rows, int(cols)), np.float32)
    for begin in range(0, rows, 65536):
        end = min(rows, begin + 65536)
        at = np.repeat(np.arange(begin, end), np.diff(starts[begin:end + 1]))
        some = slice(int(starts[begin]), int(starts[end]))
        table[at, columns[some]] = values[some]
    norms = np.linalg.norm(table, axis=1, keepdims=True)
    table /= np.where(norms > 0, norms, 1)
    return table


def main():
    bank, queries, count, k, threads = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    faiss.omp_set_num_threads(threads)
    table = dense(bank)
    index = faiss.IndexFlatIP(table.shape[1])
    index.add(table)
    del table
    asked = dense(queries, count)
    alone = []
    for row in asked[:min(len(asked), 15)]:
        start = time.perf_counter()
        index.search(row[None], k)
        alone.append(time.perf_counter() - start)
    start = time.perf_counter()
    index.search(asked, k)
    together = (time.perf_counter() - start) / len(asked)
    print(1e3 * float(np.median(alone)), 1e3 * together)


if __name__ == "__main__":
    main()
