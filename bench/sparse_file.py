"""A file of sparse embeddings as large as is asked for, as `orthant` writes them (docs/formats.md), made in pieces."""
import json
import struct

import numpy as np


def classes_of(rows, classes, seed=0):
    return np.random.default_rng(seed).integers(0, classes, rows)


def piece(rng, labels, features, per_row, classes):
    """Columns [n, per_row], rising, and values: most features of a row are those of its class, some of any."""
    rows = len(labels)
    width = features // classes
    own = rng.random((rows, per_row)) < 0.7
    near = labels[:, None] * width + rng.integers(0, width, (rows, per_row))
    columns = np.where(own, near, rng.integers(0, features, (rows, per_row)))
    columns.sort(axis=1)
    twice = np.zeros(columns.shape, bool)
    twice[:, 1:] = columns[:, 1:] == columns[:, :-1]
    values = rng.gamma(2.0, 0.25, columns.shape).astype(np.float32)
    return columns.astype(np.int32), values, ~twice


def write(path, rows, features=1024, filled=0.03, classes=16, seed=0, block=50_000):
    """Embeddings [rows, features] of which about `filled` is not zero, with labels and ids."""
    rng = np.random.default_rng(seed)
    labels = classes_of(rows, classes, seed)
    per_row = round(filled * features * 1.07)  # some columns are drawn twice
    indices, values, ends = [], [], []
    for begin in range(0, rows, block):
        columns, numbers, kept = piece(rng, labels[begin:begin + block], features, per_row, classes)
        indices.append(columns[kept])
        values.append(numbers[kept])
        ends.append(kept.sum(axis=1))
    indptr = np.concatenate([[0], np.cumsum(np.concatenate(ends))]).astype(np.int64)
    names = [f"item/{i:07d}" for i in range(rows)]
    text = "".join(names).encode()
    tensors = [
        ("features.indptr", "I64", indptr), ("features.shape", "I64", np.array([rows, features])),
        ("ids.ends", "I64", np.cumsum([len(name) for name in names])), ("labels", "I64", labels),
        ("features.indices", "I32", np.concatenate(indices)), ("features.values", "F32", np.concatenate(values)),
        ("ids.bytes", "U8", np.frombuffer(text, np.uint8)),
    ]
    header = {"__metadata__": {"format": "orthant.embeddings.1",
                               "class_names": json.dumps([f"kind {c}" for c in range(classes)])}}
    at = 0
    for name, dtype, array in tensors:
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(head)))
        file.write(head)
        for _, _, array in tensors:
            file.write(np.ascontiguousarray(array).tobytes())
    return int(indptr[-1])
