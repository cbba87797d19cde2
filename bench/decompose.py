"""Sparse codes over named vectors: `orthant decompose` against scikit-learn's Lasso(positive=True).

Usage: decompose.py BIN_FOLDER [--runs 5] [--small]

10,000 rows of 512 numbers, each the sum of eight of 2,000 random words and noise, seeded. Both solve SpLiCE's problem for
all rows at one lambda (alpha = lambda / (2 * 512) there), to the same optimum, which is checked. scikit-learn's
coordinate descent is written for one thread, so its rows are spread over two processes; it is timed on 500 of them, with
the matrix of words (as SpLiCE calls it) and with their products computed before. Rows per second of two threads each.
"""

import sys
import tempfile
import time

import numpy as np
import scipy.sparse

import driver

LAMBDA = 0.25


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def codes_of(words, rows, gram):
    from sklearn.linear_model import Lasso

    model = Lasso(alpha=LAMBDA / (2 * words.shape[1]), positive=True, fit_intercept=False, precompute=gram, tol=1e-6,
                  max_iter=10000)
    return np.array([model.fit(words.T, row).coef_ for row in rows])


def peer(words, rows, gram):
    import joblib

    with joblib.Parallel(n_jobs=2) as pool:
        pool(joblib.delayed(codes_of)(words, part[:1], gram) for part in np.array_split(rows, 2))  # start the workers
        begin = time.perf_counter()
        codes = pool(joblib.delayed(codes_of)(words, part, gram) for part in np.array_split(rows, 2))
        return len(rows) / (time.perf_counter() - begin), np.concatenate(codes)


def main():
    arguments = driver.parser(__doc__, runs=5, small=True).parse_args()
    count, some = (1000, 60) if arguments.small else (10000, 500)
    rng = np.random.default_rng(0)
    words = rng.normal(size=(2000, 512)).astype(np.float32)
    parts = np.zeros((count, 2000), np.float32)
    for row in parts:
        row[rng.choice(2000, 8, replace=False)] = rng.uniform(0.5, 1.5, 8)
    rows = (parts @ words + 20 * rng.normal(size=(count, 512)) / np.sqrt(512)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/words.npy", words)
        np.save(f"{folder}/rows.npy", rows)
        with open(f"{folder}/words.txt", "w") as names:
            names.writelines(f"w{i}\n" for i in range(2000))
        common = [arguments.bin / "orthant", "decompose", f"{folder}/rows.npy", "--dictionary", f"{folder}/words.npy",
                  "--vocabulary", f"{folder}/words.txt", "-o", f"{folder}/code.npz", "--json", "--quiet", "--overwrite",
                  "--threads", 2]
        z, c = unit(rows.astype(np.float64)), unit(words.astype(np.float64))
        z, c = unit(z - z.mean(0)), unit(c - c.mean(0))
        gram = c @ c.T
        ours, active, plain, given = [], [], [], []
        for _ in range(arguments.runs):
            active.append(driver.json_of(*common, "--active", 8)["rows_per_second"])
            ours.append(driver.json_of(*common, "--lambda", LAMBDA))
            speed, codes = peer(c, z[:some], False)
            plain.append(speed)
            given.append(peer(c, z[:some], gram)[0])
        found = scipy.sparse.load_npz(f"{folder}/code.npz")[:some].toarray()
        worst = np.abs(found - codes).max()
    if worst > 1e-3:
        sys.exit(f"decompose.py: expected the same codes, got a difference of {worst}")
    best = max(np.median(plain), np.median(given))
    print(f"{count} x 512 over 2,000 words, lambda {LAMBDA}: {ours[0]['active_per_row']:.1f} words a row, "
          f"largest difference {worst:.1e}")
    for name, speed in (("scikit-learn, words", np.median(plain)), ("scikit-learn, products", np.median(given)),
                        ("orthant --lambda", np.median([each["rows_per_second"] for each in ours])),
                        ("orthant --active 8", np.median(active))):
        print(f"  {name:<24} {speed:9.0f} rows/s {speed / best:7.1f}x")


if __name__ == "__main__":
    main()
