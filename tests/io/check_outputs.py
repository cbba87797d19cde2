"""Opens the files that python_test.cpp wrote, with NumPy, SciPy, Pillow and a reader of safetensors made from its
specification alone. Exit code 77: a library is missing."""
import json
import pathlib
import struct
import sys

try:
    import numpy as np
    import scipy.sparse
    from PIL import Image
except ImportError as missing:
    print(missing)
    sys.exit(77)

folder = pathlib.Path(sys.argv[1])
dense = np.array([[0, 1.5, 0], [2, 0, -3]], dtype="f4")

for dtype in ("u1", "i4", "i8", "f4", "f8"):
    array = np.load(folder / f"{dtype}.npy")
    assert array.dtype == np.dtype(dtype) and array.tolist() == [[1, 2, 3], [4, 5, 6]], dtype

for name in ("stored", "deflated"):
    archive = np.load(folder / f"{name}.npz")
    assert archive.files == ["b", "a"]
    assert archive["a"].tolist() == [[1, 2, 3], [4, 5, 6]] and archive["b"].shape == (0, 4)

for name in ("csr", "embeddings"):
    matrix = scipy.sparse.load_npz(folder / f"{name}.npz")
    assert matrix.format == "csr" and matrix.dtype == np.float32 and (matrix.toarray() == dense).all()
    matrix.check_format(full_check=True)
assert np.load(folder / "embeddings.npz")["labels"].tolist() == [1, 0]
assert (np.load(folder / "embeddings.npy") == dense).all()

assert np.asarray(Image.open(folder / "rgb.png")).tolist() == [[[1, 2, 3], [4, 5, 6]]]
assert np.asarray(Image.open(folder / "grey.png")).tolist() == [[7, 8]]
assert Image.open(folder / "rgb.jpg").size == (2, 1)


def read_safetensors(path):
    content = path.read_bytes()
    length, = struct.unpack("<Q", content[:8])
    assert length <= 100_000_000 and length % 8 == 0 and content[8:9] == b"{"

    def unique(pairs):
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    header = json.loads(content[8:8 + length].decode("utf-8"), object_pairs_hook=unique)
    metadata = header.pop("__metadata__", {})
    assert all(isinstance(value, str) for value in metadata.values())
    data = content[8 + length:]
    types = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "U8": "|u1"}
    tensors, end = {}, 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, stop = entry["data_offsets"]
        assert begin == end, "hole or overlap"
        end = stop
        dtype = np.dtype(types[entry["dtype"]])
        assert (8 + length + begin) % dtype.itemsize == 0, "not aligned"
        assert stop - begin == dtype.itemsize * int(np.prod(entry["shape"]))
        tensors[name] = np.frombuffer(data[begin:stop], dtype).reshape(entry["shape"])
    assert end == len(data)
    return tensors, metadata


tensors, metadata = read_safetensors(folder / "embeddings.safetensors")
assert metadata["format"] == "orthant.embeddings.1" and metadata["how.model"] == "m"
assert json.loads(metadata["class_names"]) == ["né", "b"]
assert tensors["labels"].tolist() == [1, 0]
ends = tensors["ids.ends"].tolist()
text = tensors["ids.bytes"].tobytes()
assert [text[a:b].decode() for a, b in zip([0] + ends, ends)] == ["first", "second"]
matrix = scipy.sparse.csr_matrix((tensors["features.values"], tensors["features.indices"], tensors["features.indptr"]),
                                 shape=tensors["features.shape"])
assert (matrix.toarray() == dense).all()
tensors, metadata = read_safetensors(folder / "dense.safetensors")
assert (tensors["features"] == dense).all()

try:
    from safetensors.numpy import load_file
    assert (load_file(folder / "dense.safetensors")["features"] == dense).all()
except ImportError:
    pass
