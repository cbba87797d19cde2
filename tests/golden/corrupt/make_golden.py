#!/usr/bin/python3
"""Writes corrupt.golden: the corruptions without chance, after the table in docs/corruptions.md, by other means than
the library's (SciPy's filters, colorsys, Pillow). Run by hand (Pillow 9.4, NumPy 1.24, SciPy 1.10); the tests only read
the result.

A record is a line "NAME:SEVERITY | HEIGHT WIDTH CHANNELS" and the bytes of the picture. `picture` is the input.
"""
import colorsys
import io
import pathlib

import numpy as np
from PIL import Image
from scipy import ndimage

SEVERITIES = (1, 2, 3, 4, 5)


def photograph(side, seed):
    """Smooth light, hard-edged coloured ellipses, a little grain, and patches of black, white and grey."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:side, 0:side] / side
    image = np.stack([127 + 90 * np.sin(4 * x * rng.uniform(0.5, 2) + 4 * y + rng.uniform(0, 6)) for _ in range(3)], -1)
    for _ in range(6):
        cy, cx, ry, rx = *rng.uniform(0, 1, 2), *rng.uniform(0.1, 0.3, 2)
        image[((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1] = rng.uniform(0, 255, 3)
    image += rng.normal(0, 4, image.shape)
    image[:4, :4], image[:4, 4:8], image[:4, 8:12] = 0, 255, 128
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)


def truncated(x):
    return (np.clip(x, 0, 1) * 255 + 1e-6).astype(np.uint8)


def defocus_blur(x, radius, alias):
    v, u = np.mgrid[-8:9, -8:9]
    kernel = (u**2 + v**2 <= radius**2).astype(float)
    line = np.exp(-np.arange(-1, 2) ** 2 / (2 * alias**2))
    line /= line.sum()
    kernel = ndimage.convolve(kernel / kernel.sum(), np.outer(line, line), mode="mirror")
    return truncated(np.stack([ndimage.convolve(x[..., c], kernel, mode="mirror") for c in range(3)], -1))


def clipped_zoom(x, factor):
    side = len(x)
    kept = int(np.ceil(side / factor))
    top = (side - kept) // 2
    x = ndimage.zoom(x[top:top + kept, top:top + kept], (factor, factor, 1), order=1)
    trim = (len(x) - side) // 2
    return x[trim:trim + side, trim:trim + side]


def zoom_blur(x, beyond):
    zooms = [clipped_zoom(x, factor) for factor in np.arange(1, beyond, 0.01)]
    return truncated((x + sum(zooms)) / (len(zooms) + 1))


def in_hsv(x, change):
    pixels = [colorsys.hsv_to_rgb(*change(*colorsys.rgb_to_hsv(*pixel))) for pixel in x.reshape(-1, 3)]
    return truncated(np.array(pixels).reshape(x.shape))


def brightness(x, c):
    return in_hsv(x, lambda h, s, v: (h, s, min(v + c, 1)))


def saturate(x, a, b):
    return in_hsv(x, lambda h, s, v: (h, min(max(s * a + b, 0), 1), v))


def contrast(x, c):
    mean = x.mean(axis=(0, 1), keepdims=True)
    return truncated((x - mean) * c + mean)


def gaussian_blur(x, sigma):
    return truncated(ndimage.gaussian_filter(x, (sigma, sigma, 0), mode="nearest", truncate=4))


def pixelate(x, c):
    image = Image.fromarray(np.rint(x * 255).astype(np.uint8))
    small = image.resize((int(len(x) * c),) * 2, Image.BOX)
    return np.asarray(small.resize(image.size, Image.BOX))


def jpeg(x, quality):
    buffer = io.BytesIO()
    Image.fromarray(np.rint(x * 255).astype(np.uint8)).save(buffer, "JPEG", quality=quality)
    return np.asarray(Image.open(buffer))


TABLE = {
    defocus_blur: [(0.3, 0.4), (0.4, 0.5), (0.5, 0.6), (1, 0.2), (1.5, 0.1)],
    zoom_blur: [(1.06,), (1.11,), (1.16,), (1.21,), (1.26,)],
    brightness: [(0.05,), (0.1,), (0.15,), (0.2,), (0.3,)],
    contrast: [(0.75,), (0.5,), (0.4,), (0.3,), (0.15,)],
    pixelate: [(0.95,), (0.9,), (0.85,), (0.75,), (0.65,)],
    jpeg: [(80,), (65,), (58,), (50,), (40,)],
    gaussian_blur: [(0.4,), (0.6,), (0.7,), (0.8,), (1,)],
    saturate: [(0.3, 0), (0.1, 0), (1.5, 0), (2, 0.1), (2.5, 0.2)],
}


def main():
    picture = photograph(32, 3)
    records = {"picture": picture}
    for corruption, parameters in TABLE.items():
        for severity in SEVERITIES:
            records[f"{corruption.__name__}:{severity}"] = corruption(picture / 255.0, *parameters[severity - 1])
    write(records, "corrupt.golden")


def write(records, name):
    with open(pathlib.Path(__file__).with_name(name), "wb") as out:
        for name, image in records.items():
            out.write(f"{name} | {' '.join(map(str, image.shape))}\n".encode())
            out.write(np.ascontiguousarray(image).tobytes())


if __name__ == "__main__":
    main()
