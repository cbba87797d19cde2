#!/usr/bin/env python3
"""Writes explain.json: why two rows match, as NumPy sees it, for the two programs that say so: orthant/catalogue/
explanation.h (tests/catalogue/explanation_golden_test.cpp) and web/src/source/sparse_rows.js (tests/web/explain_test.mjs).

    python3 tests/golden/catalogue/explain.py        # needs NumPy

A case is two rows of features, each as stored [column, value] pairs of float32 (a stored zero is no feature), and what
must follow in float64: both lengths, how many features fire (|x| > 1e-5), the cosine, and the parts of it that are not
zero, largest size first, equal ones by lower feature. The cosine is a product of whole vectors, not a sum of the parts.
"""
import json
import pathlib

import numpy as np

rng = np.random.default_rng(12)


def stored(row, zeros=()):
    return [[int(j), float(row[j])] for j in range(len(row)) if row[j] != 0 or j in zeros]


def case(name, a, b, zeros=((), ())):
    a, b = np.asarray(a, np.float32), np.asarray(b, np.float32)
    x, y = a.astype(np.float64), b.astype(np.float64)
    lengths = np.linalg.norm(x), np.linalg.norm(y)
    scale = lengths[0] * lengths[1]
    parts = x * y / scale if scale > 0 else np.zeros(len(x))
    order = [int(j) for j in np.argsort(-np.abs(parts), kind="stable") if parts[j] != 0]
    return {
        "name": name,
        "features": len(a),
        "a": stored(a, zeros[0]),
        "b": stored(b, zeros[1]),
        "norms": lengths,
        "active": [int((np.abs(row) > np.float32(1e-5)).sum()) for row in (a, b)],
        "score": float(x @ y / scale) if scale > 0 else 0.0,
        "parts": [{"feature": j, "a": float(a[j]), "b": float(b[j]), "contribution": parts[j]} for j in order],
    }


def sparse(features, share):
    return rng.gamma(2.0, 0.5, features) * (rng.random(features) < share)


CASES = [
    case("dense of both signs", rng.normal(size=24), rng.normal(size=24)),
    case("dense and non-negative", rng.gamma(2.0, 1.0, 16), rng.gamma(2.0, 1.0, 16)),
    case("sparse", sparse(300, 0.06), sparse(300, 0.06)),
    case("sparse of very different lengths", sparse(400, 0.4), sparse(400, 0.02)),
    case("opposites", [1, -2, 0.5, 0, 3], [-1, 2, -0.5, 0, -3]),
    case("ties in size, also of either sign", [1, 1, -1, 2, 0.5, 1], [1, -1, -1, 0.5, 2, 0]),
    case("parts that cancel", [1, 1, 0], [1, -1, 2]),
    case("nothing in common", [1, 0, 2, 0], [0, 3, 0, 4]),
    case("a row of zeros", [0, 0, 0], [1, 2, 3]),
    case("two rows of zeros", [0, 0], [0, 0]),
    case("stored zeros", [0, 2, 0, -1], [3, 1, 0, 0], ((0, 2), (2, 3))),
    case("a row of stored zeros", [0, 0, 0], [1, 2, 0], ((0, 1), (2,))),
    case("one feature", [0.3], [7]),
    case("one feature of two signs", [-0.3], [7]),
    case("close to the threshold", [1e-5, 1.1e-5, 1], [-2e-5, 1e-6, 0.25]),
    case("very large and very small", [1e30, 1e-30, 1], [1e-30, 1e30, 1]),
]

path = pathlib.Path(__file__).with_suffix(".json")
path.write_text("[\n" + ",\n".join(json.dumps(one) for one in CASES) + "\n]\n")
