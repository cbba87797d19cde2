"""scikit-learn's NMF by coordinate descent on a SciPy sparse matrix: seconds, iterations and error as one JSON line.

Usage: nmf_peer.py MATRIX.npz RANK INIT SEED
"""

import json
import sys

import scipy.sparse
from sklearn.decomposition import NMF

import driver


def main():
    path, rank, init, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    matrix = scipy.sparse.load_npz(path).astype("float64")
    model = NMF(rank, solver="cd", init=init, random_state=seed, max_iter=1000)
    seconds, _ = driver.timed(model.fit_transform, matrix)
    print(json.dumps({"seconds": seconds, "iterations": model.n_iter_, "error": model.reconstruction_err_}))


if __name__ == "__main__":
    main()
