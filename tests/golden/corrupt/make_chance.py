#!/usr/bin/python3
"""Writes chance.golden: corruptions with chance, by other means than the library's. Run by hand (ImageMagick 6.9.11,
NumPy 1.24, SciPy 1.10); the tests only read the result.

Motion blur and snow move by ImageMagick itself, as in the published code; fog's clouds and elastic's two maps are the
published rules in NumPy and SciPy. Only frost's ice is a rule of our own, which is restated here. Random numbers are
those of orthant/core/rng.h, Philox4x32-10, made here anew and drawn in the order in which the rules ask for them.
Records are as in make_golden.py, whose picture is the input.
"""
import subprocess

import numpy as np
from make_golden import SEVERITIES, clipped_zoom, photograph, truncated, write
from scipy import ndimage

SIDE = 32
MASK = 0xFFFFFFFF


class Stream:
    """Item 0 of a data set of seed 0: the counter holds (block, FNV-1a of the corruption, item, use)."""

    def __init__(self, corruption):
        name = 2166136261
        for letter in corruption.encode():
            name = (name ^ letter) * 16777619 & MASK
        self.rest, self.block, self.words, self.spare = [name, 0, 0xFF1C << 16], 0, [], None

    def word(self):
        if not self.words:
            self.words = self.philox([self.block, *self.rest], [0, 0])
            self.block += 1
        return self.words.pop(0)

    @staticmethod
    def philox(c, k):
        for _ in range(10):
            a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [b >> 32 ^ c[1] ^ k[0], b & MASK, a >> 32 ^ c[3] ^ k[1], a & MASK]
            k = [k[0] + 0x9E3779B9 & MASK, k[1] + 0xBB67AE85 & MASK]
        return c

    def uniform(self, low=0.0, high=1.0, shape=()):
        draws = [(self.word() << 21 ^ self.word() >> 11) / 2**53 for _ in range(int(np.prod(shape)))]
        return low + (high - low) * np.array(draws).reshape(shape)[()]

    def normal(self, shape):
        pairs = self.uniform(shape=(int(np.prod(shape)) // 2, 2))
        z = np.sqrt(-2 * np.log(1 - pairs[:, 0])) * np.exp(2j * np.pi * pairs[:, 1])
        return np.stack([z.real, z.imag], -1).reshape(shape)

    def corner(self):  # 0 to 3: 64 bits modulo 4
        self.word()
        return self.word() % 4


def moved(levels, radius, sigma, angle):
    """8-bit levels [H, W, C], through ImageMagick; at 16 bits, since versions differ in how they cut down to 8."""
    height, width, channels = levels.shape
    kind = {1: "gray", 3: "rgb"}[channels]
    done = subprocess.run(
        ["/usr/bin/convert-im6.q16", "-size", f"{width}x{height}", "-depth", "8", f"{kind}:-",
         "-motion-blur", f"{radius}x{sigma}{angle:+.17g}", "-depth", "16", "-endian", "LSB", f"{kind}:-"],
        input=np.ascontiguousarray(levels).tobytes(), stdout=subprocess.PIPE, check=True)  # fmt: skip
    return np.rint(np.frombuffer(done.stdout, "<u2").reshape(levels.shape) / 257).astype(np.uint8)


def motion_blur(x, draw, radius, sigma):
    return moved(np.rint(x * 255).astype(np.uint8), radius, sigma, draw.uniform(-45, 45))


def snow(x, draw, mean, sigma, zoom, threshold, radius, blur, mix):
    layer = clipped_zoom(mean + sigma * draw.normal((SIDE, SIDE))[..., None], zoom)
    layer[layer < threshold] = 0
    flakes = (np.clip(layer, 0, 1) * 255).astype(np.uint8)
    layer = moved(flakes, radius, blur, draw.uniform(-135, -45)) / 255
    grey = x @ [0.299, 0.587, 0.114]
    x = mix * x + (1 - mix) * np.maximum(x, grey[..., None] * 1.5 + 0.5)
    return truncated(x + layer + np.rot90(layer, 2))


def plasma(draw, decay):
    """The published plasma_fractal(): squares, then diamonds, on a torus, the noise row by row."""
    land = np.zeros((SIDE, SIDE))
    step, wibble = SIDE, 1.0
    while step >= 2:
        half, count = step // 2, SIDE // step
        corner = land[::step, ::step]
        square = corner + np.roll(corner, -1, 0)
        square = square + np.roll(square, -1, 1)
        land[half::step, half::step] = square / 4 + wibble * draw.uniform(-1, 1, (count, count))
        centre = land[half::step, half::step]
        noise = wibble * draw.uniform(-1, 1, (count, 2, count))
        across = centre + np.roll(centre, 1, 0) + corner + np.roll(corner, -1, 1)
        down = centre + np.roll(centre, 1, 1) + corner + np.roll(corner, -1, 0)
        land[::step, half::step] = across / 4 + noise[:, 0]
        land[half::step, ::step] = down / 4 + noise[:, 1]
        step, wibble = half, wibble / decay**2
    land -= land.min()
    return land / land.max()


def fog(x, draw, amount, decay):
    brightest = x.max()
    return truncated((x + amount * plasma(draw, decay)[..., None]) * brightest / (brightest + amount))


def elastic(x, draw, strength, smoothness, reach):
    third = SIDE // 3
    before = SIDE // 2 + np.array([[third, third], [third, -third], [-third, -third]], float)  # x, y
    after = before + draw.uniform(-reach * SIDE, reach * SIDE, (3, 2))
    back = np.linalg.solve(np.c_[after, np.ones(3)], before)  # [x y 1] of the warped picture to [x y] of the first
    matrix, offset = back[1::-1, ::-1].T, back[2, ::-1]
    bands = [ndimage.affine_transform(band, matrix, offset, order=1, mode="mirror") for band in np.moveaxis(x, -1, 0)]
    if strength > 0:
        shift = [strength * SIDE * ndimage.gaussian_filter(
            draw.uniform(-1, 1, (SIDE, SIDE)), smoothness * SIDE, mode="reflect", truncate=3) for _ in "xy"]  # fmt: skip
        place = np.mgrid[0:SIDE, 0:SIDE] + np.array(shift[::-1])
        bands = [ndimage.map_coordinates(band, place, order=1, mode="reflect") for band in bands]
    return truncated(np.stack(bands, -1))


def needle(ice, draw, start, angle, length, brightness, branchings):
    """Fades to half along its length; branches of it leave in pairs at 60 degrees, 2 to 4 pixels apart."""
    way = np.array([np.sin(angle), np.cos(angle)])
    t = np.arange(0, length, 0.5)
    at = np.floor(start + t[:, None] * way).astype(int)
    inside = ((at >= 0) & (at < SIDE)).all(1)
    np.maximum.at(ice, tuple(at[inside].T), (brightness * (1 - t / (2 * length)))[inside])
    t = 2.0
    while branchings and t < length:
        for side in (-1, 1):
            rest = (length - t) * draw.uniform(0.3, 0.6)
            needle(ice, draw, start + t * way, angle + side * np.pi / 3, rest, 0.85 * brightness, branchings - 1)
        t += draw.uniform(2, 4)


def frost(x, draw, picture, ice):
    """Three stars of six needles near a corner, two anywhere; softened, over a haze."""
    layer = np.zeros((SIDE, SIDE))
    corner = np.array(divmod(draw.corner(), 2)) * SIDE
    for star in range(5):
        near = star < 3
        start = corner + draw.uniform(-0.3, 0.3, 2) * SIDE if near else draw.uniform(0, SIDE, 2)
        turn = draw.uniform(0, 2 * np.pi)
        for arm in range(6):
            length, brightness = draw.uniform(8, 18 if near else 12), draw.uniform(0.75, 1)
            needle(layer, draw, start, turn + arm * np.pi / 3, length, brightness, 1)
    layer = ndimage.gaussian_filter(layer, 0.45, mode="nearest", truncate=2 / 0.45)
    layer = np.minimum(1, 0.5 * plasma(draw, 1.8) + 0.8 * layer)
    return truncated(picture * x + ice * layer[..., None] * [0.86, 0.95, 1])


TABLE = {
    motion_blur: [(6, 1), (6, 1.5), (6, 2), (8, 2), (9, 2.5)],
    snow: [(0.1, 0.2, 1, 0.6, 8, 3, 0.95), (0.1, 0.2, 1, 0.5, 10, 4, 0.9), (0.15, 0.3, 1.75, 0.55, 10, 4, 0.9),
           (0.25, 0.3, 2.25, 0.6, 12, 6, 0.85), (0.3, 0.3, 1.25, 0.65, 14, 12, 0.8)],
    fog: [(0.2, 3), (0.5, 3), (0.75, 2.5), (1, 2), (1.5, 1.75)],
    elastic: [(0, 0, 0.08), (0.05, 0.2, 0.07), (0.08, 0.06, 0.06), (0.1, 0.04, 0.05), (0.1, 0.03, 0.03)],
    frost: [(1, 0.2), (1, 0.3), (0.9, 0.4), (0.85, 0.4), (0.75, 0.45)],
}  # fmt: skip


def main():
    picture = photograph(SIDE, 3)
    records = {"picture": picture}
    for corruption, parameters in TABLE.items():
        for severity in SEVERITIES:
            name = f"{corruption.__name__}:{severity}"
            records[name] = corruption(picture / 255.0, Stream(name), *parameters[severity - 1])
    write(records, "chance.golden")


if __name__ == "__main__":
    main()
