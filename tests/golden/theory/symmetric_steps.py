#!/usr/bin/env python3
"""Writes symmetric_steps.txt: single steps of the symmetric solvers and the eigen factors, as NumPy computes them.

Run it from anywhere with a Python that has NumPy; the tests only read its output.
Format: a line "name rows cols", then one line per row.
"""
import pathlib

import numpy as np


def mu(a, f, beta):
    return f * (1 - beta + beta * (a @ f) / (f @ (f.T @ f)))


def loss(a, f):
    return np.sum((a - f @ f.T) ** 2)


def pgd(a, f):
    gradient = 4 * (f @ f.T - a) @ f
    eta = 1 / (4 * np.sum(f * f))
    while True:
        new = np.maximum(f - eta * gradient, 0)
        if loss(a, new) <= loss(a, f) + 1e-4 * np.sum(gradient * (new - f)):
            return new
        eta /= 2


def cd(a, f):
    f = f.copy()
    for j in range(f.shape[1]):
        for i in range(f.shape[0]):

            def objective(x):
                g = f.copy()
                g[i, j] = x
                return loss(a, g)

            # The loss is a quartic in one entry: fit it through five points and look at every stationary one.
            points = np.linspace(0, 2, 5)
            quartic = np.polynomial.Polynomial.fit(points, [objective(x) for x in points], 4).convert()
            roots = quartic.deriv().roots()
            real = [r.real for r in roots if abs(r.imag) < 1e-6 and r.real >= 0]
            f[i, j] = min([0.0] + real, key=objective)
    return f


def hals(a, f, penalty):
    u, v = f.copy(), f.copy()
    for x, y in ((u, v), (v, u)):
        product, gram = a @ y, y.T @ y
        for j in range(f.shape[1]):
            rest = x @ gram[:, j] - x[:, j] * gram[j, j]
            x[:, j] = np.maximum((product[:, j] - rest + penalty * y[:, j]) / (gram[j, j] + penalty), 0)
    return (u + v) / 2


def eigen(a, k):
    values, vectors = np.linalg.eigh(a)
    values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k]
    vectors = vectors * np.sign(vectors[np.abs(vectors).argmax(axis=0), range(k)])
    return vectors * np.sqrt(np.maximum(values, 0))


def main():
    rng = np.random.default_rng(20261115)
    n, k = 12, 3
    truth = np.maximum(rng.normal(size=(n, k)), 0)
    noise = rng.uniform(0, 0.1, size=(n, n))
    a = truth @ truth.T + noise + noise.T
    start = rng.uniform(0.1, 1, size=(n, k))
    five = start
    for _ in range(5):
        five = mu(a, five, 0.5)
    matrices = {
        "target": a,
        "start": start,
        "mu": mu(a, start, 0.5),
        "mu_beta_0.3": mu(a, start, 0.3),
        "mu_five": five,
        "pgd": pgd(a, start),
        "cd": cd(a, start),
        "hals": hals(a, start, 0.7),
        "eigen": eigen(a, k),
    }
    with open(pathlib.Path(__file__).with_suffix(".txt"), "w") as out:
        for name, matrix in matrices.items():
            print(name, *matrix.shape, file=out)
            for row in matrix:
                print(*(repr(float(x)) for x in row), file=out)


main()
