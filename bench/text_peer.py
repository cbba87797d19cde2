"""The text networks of text_bench in PyTorch, as one would write them: the peer of the benchmark.

An EmbeddingBag and an MLP, or PyTorch's own transformer layers with a padding mask, and AdamW. Prints one JSON line.

    /usr/bin/python3 bench/text_peer.py --network text-bag --batch 256 --steps 20
"""
import argparse
import json
import time

import numpy
import torch
from torch import nn

BUCKETS, DIMS = 1 << 15, 128
# Words of a caption of Flickr8k: 64 quantiles of 35,000.
LENGTHS = [4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 10, 10, 10, 10, 10, 10, 10,
           11, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15, 16, 16, 17,
           17, 18, 19, 22]


class TextBag(nn.Module):
    def __init__(self, hidden=512):
        super().__init__()
        self.words = nn.EmbeddingBag(BUCKETS, DIMS, mode="mean")
        self.layers = nn.Sequential(nn.LayerNorm(DIMS), nn.Linear(DIMS, hidden), nn.ReLU(inplace=True),
                                    nn.Linear(hidden, hidden), nn.ReLU(inplace=True))

    def forward(self, texts):
        offsets = numpy.cumsum([0] + [len(text) for text in texts[:-1]])
        return self.layers(self.words(torch.from_numpy(numpy.concatenate(texts)), torch.from_numpy(offsets)))


class TextTransformer(nn.Module):
    def __init__(self, layers=4, heads=4, max_words=64):
        super().__init__()
        self.words = nn.Embedding(BUCKETS, DIMS)
        self.positions = nn.Embedding(max_words, DIMS)
        layer = nn.TransformerEncoderLayer(DIMS, heads, 4 * DIMS, dropout=0, activation="gelu", batch_first=True,
                                           norm_first=True)
        self.blocks = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(DIMS))

    def forward(self, texts):
        rows = [torch.from_numpy(text) for text in texts]
        ids = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=-1)
        padding = ids < 0
        x = self.words(ids.clamp(min=0)) + self.positions(torch.arange(ids.shape[1]))
        x = self.blocks(x, src_key_padding_mask=padding) * ~padding[:, :, None]
        return x.sum(1) / (~padding).sum(1, keepdim=True)


def random_texts(random, batch, ids_per_word):
    return [random.integers(0, BUCKETS, ids_per_word * random.choice(LENGTHS)) for _ in range(batch)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--network", default="text-bag")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(options.threads)
    bag = options.network == "text-bag"
    network = TextBag() if bag else TextTransformer()
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=1e-4)
    random = numpy.random.default_rng(0)
    passes, wholes = [], []
    for _ in range(options.steps):
        texts = random_texts(random, options.batch, 14 if bag else 1)
        start = time.perf_counter()
        optimiser.zero_grad(set_to_none=True)
        network(texts).square().mean().backward()
        passes.append(time.perf_counter() - start)
        optimiser.step()
        wholes.append(time.perf_counter() - start)
    updates = numpy.array(wholes) - numpy.array(passes)
    print(json.dumps({"program": "pytorch", "network": options.network, "batch": options.batch,
                      "threads": options.threads, "texts_per_second": options.batch / float(numpy.median(wholes)),
                      "pass_seconds": float(numpy.median(passes)), "update_seconds": float(numpy.median(updates))}))


if __name__ == "__main__":
    main()
