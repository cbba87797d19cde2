"""The two towers of pairs_bench in PyTorch and torchvision, as one would write them: the peer of the benchmark.

Pillow crops and hashed n-grams of captions in DataLoader workers, conv-mini and an embedding bag with an mlp, a projector
each, CLIP's loss with a learned scale, AdamW. Two processors in all. Prints one JSON line.

    /usr/bin/python3 bench/pairs_peer.py --batch 256 --steps 10
"""
import argparse
import json
import math
import time
import zlib

import numpy
import PIL.Image
import torch
import torch.nn.functional as F
import torchvision
from torch import nn

from train_peer import ConvMini

BUCKETS = 1 << 15
SHAPES = ["circle", "square", "triangle", "star", "ring", "cross"]
COLOURS = ["red", "green", "blue", "yellow", "purple", "orange"]


def ids_of(text):
    """Words and their character n-grams of three to five, as buckets."""
    ids = []
    for word in text.casefold().split():
        word = f"<{word}>"
        ids.append(zlib.crc32(word.encode()) % BUCKETS)
        for begin in range(len(word)):
            for length in range(3, 6):
                if begin + length <= len(word) and length < len(word):
                    ids.append(zlib.crc32(word[begin:begin + length].encode()) % BUCKETS)
    return ids


class Captioned(torch.utils.data.Dataset):
    """Smooth random pictures, a crop of each, and captions of about nine words."""

    def __init__(self, count):
        small = numpy.random.RandomState(0).randint(0, 256, (256, 8, 8, 3), dtype=numpy.uint8)
        self.pictures = [PIL.Image.fromarray(p).resize((32, 32), PIL.Image.BICUBIC) for p in small]
        self.count = count
        t = torchvision.transforms
        self.views = t.Compose([t.RandomResizedCrop(32, scale=(0.6, 1.0), interpolation=t.InterpolationMode.BICUBIC),
                                t.ToTensor(), t.Normalize((0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616))])

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        caption = f"a small striped {COLOURS[i % 6]} {SHAPES[i // 6 % 6]} at the top left"
        return self.views(self.pictures[i % len(self.pictures)]), torch.tensor(ids_of(caption))


def together(items):
    pictures, texts = zip(*items)
    offsets = torch.tensor([0] + [len(text) for text in texts[:-1]]).cumsum(0)
    return torch.stack(pictures), torch.cat(texts), offsets


class TextBag(nn.Module):
    def __init__(self, dims=128, hidden=512):
        super().__init__()
        self.words = nn.EmbeddingBag(BUCKETS, dims, mode="mean")
        self.layers = nn.Sequential(nn.LayerNorm(dims), nn.Linear(dims, hidden), nn.ReLU(inplace=True),
                                    nn.Linear(hidden, hidden), nn.ReLU(inplace=True))

    def forward(self, ids, offsets):
        return self.layers(self.words(ids, offsets))


def make_projector(features):
    return nn.Sequential(nn.Linear(features, 1024), nn.ReLU(inplace=True), nn.Linear(1024, 256))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()

    torch.manual_seed(0)
    torch.set_num_threads(options.threads)
    pictures, texts = ConvMini(), TextBag()
    of_pictures, of_texts = make_projector(256), make_projector(512)
    log_scale = nn.Parameter(torch.tensor([math.log(1 / 0.07)]))
    modules = [pictures, texts, of_pictures, of_texts]
    optimiser = torch.optim.AdamW([p for module in modules for p in module.parameters()] + [log_scale], lr=1e-3,
                                  weight_decay=1e-4)
    loader = torch.utils.data.DataLoader(Captioned(options.batch * (options.steps + 1)), batch_size=options.batch,
                                         num_workers=options.workers, collate_fn=together)
    own = torch.arange(options.batch)
    seconds = []
    start = time.perf_counter()
    for views, ids, offsets in loader:
        za = F.normalize(F.relu(of_pictures(pictures(views))), dim=1)
        zb = F.normalize(F.relu(of_texts(texts(ids, offsets))), dim=1)
        similarity = log_scale.exp() * za @ zb.T
        loss = (F.cross_entropy(similarity, own) + F.cross_entropy(similarity.T, own)) / 2
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        with torch.no_grad():
            log_scale.clamp_(max=math.log(100))
        now = time.perf_counter()
        seconds.append(now - start)
        start = now
    rate = options.batch / float(numpy.median(seconds[1:]))
    print(json.dumps({"program": "pytorch", "batch": options.batch, "threads": options.threads,
                      "pairs_per_second": rate, "loss": float(loss)}))


if __name__ == "__main__":
    main()
