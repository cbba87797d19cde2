#!/usr/bin/python3
"""Writes the golden files of the data sets. Needs NumPy; the tests need only the files."""
import gzip
import os
import struct

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(here, name)


# Four pictures as the original dSprites file holds them, with its pickled metadata.
images = np.zeros((4, 64, 64), np.uint8)
for i in range(4):
    images[i, 10 : 20 + i, 30:40] = 1
classes = np.array([[0, 0, 0, 0, 0, 0], [0, 1, 2, 3, 4, 5], [0, 2, 5, 39, 31, 31], [0, 2, 1, 0, 7, 1]], np.int64)
values = np.stack(
    [
        np.ones(4),
        classes[:, 1] + 1.0,
        0.5 + 0.1 * classes[:, 2],
        2 * np.pi * classes[:, 3] / 39,
        classes[:, 4] / 31,
        classes[:, 5] / 31,
    ],
    axis=1,
)
metadata = np.array({"title": "dSprites dataset", "latents_sizes": [1, 3, 6, 40, 32, 32]}, dtype=object)
np.savez_compressed(
    path("dsprites.npz"), metadata=metadata, imgs=images, latents_values=values, latents_classes=classes
)

# The same five pictures of 4 x 6 pixels, channels last and channels first; pixel (i, y, x, c) is 60 i + 10 y + x + 100 c
# modulo 256.
i, y, x, c = np.meshgrid(np.arange(5), np.arange(4), np.arange(6), np.arange(3), indexing="ij")
nhwc = ((60 * i + 10 * y + x + 100 * c) % 256).astype(np.uint8)
np.save(path("nhwc.npy"), nhwc)
np.save(path("nchw.npy"), np.ascontiguousarray(nhwc.transpose(0, 3, 1, 2)))
np.save(path("labels.npy"), np.array([2, 0, -1, 1, 2], np.int32))
np.savez(path("images.npz"), images=nhwc, labels=np.array([2, 0, -1, 1, 2], np.int64))

# And the first channel as gzipped IDX, with labels.
with open(path("t10k-images-idx3-ubyte.gz"), "wb") as raw:
    with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as out:
        out.write(struct.pack(">BBBBIII", 0, 0, 8, 3, 5, 4, 6) + nhwc[..., 0].tobytes())
with open(path("t10k-labels-idx1-ubyte.gz"), "wb") as raw:
    with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as out:
        out.write(struct.pack(">BBBBI", 0, 0, 8, 1, 5) + bytes([2, 0, 9, 1, 2]))
