#!/usr/bin/python3
"""Writes views.golden: what Pillow and torchvision make of two synthetic pictures, one operation at a time and in
chains. Run by hand (Pillow 9.4, torchvision 0.14, NumPy 1.24); the tests only read the result.

A record is a line "OPERATION PARAMETERS... | HEIGHT WIDTH CHANNELS" and the bytes of the picture. `picture` and `small`
are the inputs: crops and chains are made of the first, everything else of the second. `grey_picture` is a small grey
one.
"""
import pathlib

import numpy as np
from PIL import Image, ImageFilter
from torchvision.transforms import InterpolationMode
from torchvision.transforms import functional as F

BICUBIC = InterpolationMode.BICUBIC


def photograph(height, width, seed):
    """Smooth light, a few hard-edged coloured ellipses and a little grain: what matters in a photograph."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width].astype(float)
    y, x = y / height, x / width
    planes = [127 + 90 * np.sin(3 * x * rng.uniform(0.5, 2) + 4 * y * rng.uniform(0.5, 2) + rng.uniform(0, 6))
              for _ in range(3)]
    image = np.stack(planes, axis=-1)
    for _ in range(9):
        cy, cx, ry, rx, angle = *rng.uniform(0, 1, 2), *rng.uniform(0.05, 0.3, 2), rng.uniform(0, 3)
        u = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)
        v = (y - cy) * np.cos(angle) - (x - cx) * np.sin(angle)
        image[(u / rx) ** 2 + (v / ry) ** 2 < 1] = rng.uniform(0, 255, 3)
    image += rng.normal(0, 4, image.shape)
    return Image.fromarray(np.clip(np.rint(image), 0, 255).astype(np.uint8))


def blur(image, sigma):
    return image.filter(ImageFilter.GaussianBlur(radius=sigma))


def chain(image, top, left, height, width, size, order, brightness, contrast, saturation, hue, grey, sigma, solar, flip):
    image = F.resized_crop(image, top, left, height, width, [size, size], BICUBIC)
    for digit in order:
        if digit == "0":
            image = F.adjust_brightness(image, brightness)
        elif digit == "1":
            image = F.adjust_contrast(image, contrast)
        elif digit == "2":
            image = F.adjust_saturation(image, saturation)
        else:
            image = F.adjust_hue(image, hue)
    if grey:
        image = F.to_grayscale(image, num_output_channels=3)
    if sigma > 0:
        image = blur(image, sigma)
    if solar:
        image = F.solarize(image, 128)
    return F.hflip(image) if flip else image


def main():
    picture = photograph(47, 61, 1)
    small = photograph(96, 96, 2).resize((24, 24), Image.BICUBIC)
    grey_picture = photograph(28, 30, 3).convert("L")
    with open(pathlib.Path(__file__).with_name("views.golden"), "wb") as out:

        def write(operation, image):
            array = np.asarray(image)
            height, width = array.shape[:2]
            channels = 1 if array.ndim == 2 else 3
            out.write(f"{operation} | {height} {width} {channels}\n".encode())
            out.write(array.tobytes())

        write("picture", picture)
        write("small", small)
        write("grey_picture", grey_picture)
        for box in [(0, 0, 47, 61, 32), (3, 5, 17, 13, 32), (10, 20, 33, 29, 24), (40, 50, 5, 4, 16), (0, 0, 47, 61, 9),
                    (7, 1, 1, 1, 8), (2, 2, 40, 3, 20), (5, 30, 16, 16, 31)]:
            size = [box[4], box[4]]
            write("crop " + " ".join(map(str, box)), F.resized_crop(picture, *box[:4], size, BICUBIC))
        for size, fraction in [(24, 1.0), (28, 0.875), (40, 0.7)]:
            resized = F.resize(picture, int(round(size / fraction)), BICUBIC)
            write(f"centre {size} {fraction}", F.center_crop(resized, [size, size]))
        for height, width in [(20, 90), (64, 15)]:
            write(f"resize {height} {width}", picture.resize((width, height), Image.BICUBIC))
        write("resize_grey 17 40", grey_picture.resize((40, 17), Image.BICUBIC))
        for factor in [0.0, 0.37, 1.0, 1.63]:
            write(f"brightness {factor}", F.adjust_brightness(small, factor))
            write(f"contrast {factor}", F.adjust_contrast(small, factor))
            write(f"saturation {factor}", F.adjust_saturation(small, factor))
        write("contrast_grey 1.5", F.adjust_contrast(grey_picture, 1.5))
        for hue in [-0.5, -0.2, -0.03, 0.0, 0.11, 0.2]:
            write(f"hue {hue}", F.adjust_hue(small, hue))
        write("grey", F.to_grayscale(small))
        for sigma in [0.1, 0.4, 0.8, 1.2, 1.41, 1.5, 2.0]:
            write(f"blur {sigma}", blur(small, sigma))
        for threshold in [0, 128, 200]:
            write(f"solarise {threshold}", F.solarize(small, threshold))
        write("flip", F.hflip(small))
        for parameters in [(3, 5, 30, 41, 32, "0123", 1.3, 0.6, 1.5, 0.1, 0, 0, 0, 0),
                           (0, 10, 47, 40, 32, "3210", 0.5, 1.7, 0.3, -0.2, 0, 1.1, 0, 1),
                           (11, 7, 12, 14, 32, "1302", 1.0, 1.2, 1.8, 0.15, 1, 0.6, 0, 1),
                           (20, 20, 20, 25, 28, "2031", 1.6, 0.3, 0.8, -0.07, 0, 1.9, 1, 0),
                           (0, 0, 47, 61, 32, "0213", 0.4, 1.1, 1.3, 0.2, 1, 0, 1, 0)]:
            write("chain " + " ".join(map(str, parameters)), chain(picture, *parameters))


if __name__ == "__main__":
    main()
