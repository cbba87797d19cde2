"""Files of other programs for the tests of import, and their content as a dense array: run with NumPy and SciPy."""
import gzip
import json
import pathlib

import numpy as np
import scipy.sparse

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(5)
dense = np.where(rng.random((9, 7)) < 0.4, rng.normal(size=(9, 7)), 0).astype(np.float32)
dense[4] = 0
np.save(HERE / "expected.npy", dense)

matrix = scipy.sparse.csr_matrix(dense)
scipy.sparse.save_npz(HERE / "scipy.npz", matrix)


def bigann(indptr, indices, data):
    """What big-ann-benchmarks' write_sparse_matrix puts into a file."""
    head = np.array([matrix.shape[0], matrix.shape[1], len(data)], np.int64)
    return b"".join(a.tobytes() for a in (head, indptr.astype(np.int64), indices.astype(np.int32), data.astype(np.float32)))


plain = bigann(matrix.indptr, matrix.indices, matrix.data)
(HERE / "bigann.csr").write_bytes(plain)
(HERE / "bigann.csr.gz").write_bytes(gzip.compress(plain, mtime=0))
backwards = [np.s_[matrix.indptr[i]:matrix.indptr[i + 1]] for i in range(len(dense))]
unsorted = (np.concatenate([a[rows][::-1] for rows in backwards]) for a in (matrix.indices, matrix.data))
(HERE / "unsorted.csr").write_bytes(bigann(matrix.indptr, *unsorted))

with open(HERE / "lists.jsonl", "w") as file:
    for i, row in enumerate(dense):
        indices = np.nonzero(row)[0]
        label = None if i == 2 else ["owl", "ant", "bee"][i % 3]
        file.write(json.dumps({"id": f"item {i}", "label": label, "indices": indices.tolist(), "values": row[indices].tolist()}) + "\n")
with open(HERE / "seismic.jsonl", "w") as file:
    for i, row in enumerate(dense):
        vector = {f"word{j}": float(row[j]) for j in np.nonzero(row)[0][::-1]}
        file.write(json.dumps({"id": i, "content": "text", "vector": vector}) + "\n")
