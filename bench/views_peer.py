#!/usr/bin/python3
"""torchvision's PIL pipeline with the SimCLR recipe on one thread: prints views per second of CPU time.

views_peer.py SOURCE_SIZE VIEW_SIZE SECONDS IMAGES, with IMAGES as for views_bench.
"""
import random
import sys
import time

import numpy as np
import torch
from PIL import Image, ImageFilter
from torchvision import transforms as T


class Blur:
    def __call__(self, image):
        return image.filter(ImageFilter.GaussianBlur(radius=random.uniform(0.1, 2.0)))


def simclr(size):
    return T.Compose([
        T.RandomResizedCrop(size, scale=(0.08, 1.0), interpolation=T.InterpolationMode.BICUBIC),
        T.RandomApply([T.ColorJitter(0.8, 0.8, 0.8, 0.2)], p=0.8),
        T.RandomGrayscale(p=0.2),
        T.RandomApply([Blur()], p=0.5),
        T.RandomHorizontalFlip(p=0.5),
        T.ToTensor(),
        T.Normalize((0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616)),
    ])


def main():
    source, size, seconds, path = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    torch.set_num_threads(1)
    random.seed(1)
    torch.manual_seed(1)
    pixels = np.fromfile(path, dtype=np.uint8).reshape(-1, source, source, 3)
    images = [Image.fromarray(image) for image in pixels]
    make = simclr(size)
    for image in images[:8]:
        make(image)
    count = 0
    start = time.process_time()
    elapsed = 0.0
    while elapsed < seconds:
        for _ in range(8):
            make(images[count % len(images)])
            count += 1
        elapsed = time.process_time() - start
    print(f"{count / elapsed:.1f}")


if __name__ == "__main__":
    main()
