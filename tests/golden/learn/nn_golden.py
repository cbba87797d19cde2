"""Writes what the tests of the networks compare with: nn_names.txt and nn_*.npz.

Weights follow a formula of their name and position, so that the networks need not be stored. Run from the repository:

    /usr/bin/python3 tests/golden/learn/nn_golden.py
"""
import os
import sys

import numpy
import torch

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "..", "..", "bench"))
from train_peer import make_backbone  # noqa: E402


def noise(count, phase):
    """Numbers in [-1, 1) that look random and are the same in any language."""
    value = numpy.sin(12.9898 * numpy.arange(count) + phase) * 43758.5453
    return 2 * (value - numpy.floor(value)) - 1


def formula(name, shape):
    count = int(numpy.prod(shape, dtype=numpy.int64)) if len(shape) else 1
    phase = sum((i + 1) * b for i, b in enumerate(name.encode())) % 1000
    wave = noise(count, phase)
    if name.endswith("running_var"):
        wave = 1 + 0.5 * wave
    elif name.endswith("running_mean") or name.endswith("bias"):
        wave = 0.1 * wave
    elif len(shape) == 1:
        wave = 1 + 0.1 * wave
    else:
        wave = wave * numpy.sqrt(6.0 / numpy.prod(shape[1:]))
    return wave.astype(numpy.float32).reshape(shape)


def picture(shape):
    return noise(int(numpy.prod(shape)), 0).astype(numpy.float32).reshape(shape)


def set_weights(network):
    state = network.state_dict()
    for name, tensor in state.items():
        if not name.endswith("num_batches_tracked"):
            state[name] = torch.from_numpy(formula(our_name(network, name), tuple(tensor.shape)))
    network.load_state_dict(state)


class VitTiny(torch.nn.Module):
    """vit-tiny out of PyTorch's own transformer layers, which name and pack their weights in another way."""

    renamed = {"self_attn.in_proj_": "attn.qkv.", "self_attn.out_proj.": "attn.proj.", "linear1.": "mlp.fc1.",
               "linear2.": "mlp.fc2."}

    def __init__(self, size=32, patch=4, dims=192, layers=12, heads=3):
        super().__init__()
        self.cls_token = torch.nn.Parameter(torch.zeros(1, 1, dims))
        self.pos_embed = torch.nn.Parameter(torch.zeros(1, 1 + (size // patch) ** 2, dims))
        self.patch_embed = torch.nn.Module()
        self.patch_embed.proj = torch.nn.Conv2d(3, dims, patch, patch)
        self.blocks = torch.nn.ModuleList(
            torch.nn.TransformerEncoderLayer(dims, heads, 4 * dims, dropout=0, activation="gelu", layer_norm_eps=1e-6,
                                             batch_first=True, norm_first=True) for _ in range(layers))
        self.norm = torch.nn.LayerNorm(dims, eps=1e-6)

    def forward(self, x):
        patches = self.patch_embed.proj(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls_token.expand(len(x), 1, -1), patches], 1) + self.pos_embed
        for block in self.blocks:
            x = block(x)
        return self.norm(x[:, 0])


def our_name(network, name):
    for theirs, ours in getattr(network, "renamed", {}).items():
        name = name.replace(theirs, ours)
    return name


class Mlp(torch.nn.Module):
    def __init__(self, dims=20, hidden=512, depth=2):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(hidden if i else dims, hidden) for i in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


def text_ids():
    """Four texts of 9, 4, 1 and 6 words, padded with -1."""
    return [[(37 * n + 11 * t * t + 5) % 50 if t < length else -1 for t in range(9)]
            for n, length in enumerate((9, 4, 1, 6))]


class TextBag(torch.nn.Module):
    def __init__(self, buckets=50, dims=20, hidden=512, depth=2):
        super().__init__()
        self.words = torch.nn.EmbeddingBag(buckets, dims, mode="mean")
        self.norm = torch.nn.LayerNorm(dims, eps=1e-6)
        self.layers = torch.nn.ModuleList(torch.nn.Linear(hidden if i else dims, hidden) for i in range(depth))

    def forward(self, ids):
        offsets = torch.cat([torch.zeros(1, dtype=torch.long), (ids >= 0).sum(1).cumsum(0)[:-1]])
        x = self.norm(self.words(ids[ids >= 0], offsets))
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


class TextTransformer(torch.nn.Module):
    renamed = VitTiny.renamed

    def __init__(self, buckets=50, dims=32, layers=4, heads=4, max_words=12):
        super().__init__()
        self.words = torch.nn.Embedding(buckets, dims)
        self.positions = torch.nn.Embedding(max_words, dims)
        self.blocks = torch.nn.ModuleList(
            torch.nn.TransformerEncoderLayer(dims, heads, 4 * dims, dropout=0, activation="gelu", layer_norm_eps=1e-6,
                                             batch_first=True, norm_first=True) for _ in range(layers))
        self.norm = torch.nn.LayerNorm(dims, eps=1e-6)

    def forward(self, ids):
        padding = ids < 0
        x = self.words(ids.clamp(min=0)) + self.positions(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x, src_key_padding_mask=padding)
        x = self.norm(x) * ~padding[:, :, None]
        return x.sum(1) / (~padding).sum(1, keepdim=True)


def cases():
    for backbone, stem, size in (("resnet18", "small", 32), ("resnet34", "small", 32), ("resnet50", "small", 32),
                                 ("resnet18", "imagenet", 64), ("conv-mini", "small", 32)):
        yield backbone, stem, make_backbone(backbone, stem)[0], picture((4, 3, size, size))
    yield "vit-tiny", "small", VitTiny(), picture((4, 3, 32, 32))
    yield "mlp", "small", Mlp(), picture((4, 20))
    yield "text-bag", "small", TextBag(), numpy.array(text_ids())
    yield "text-transformer", "small", TextTransformer(), numpy.array(text_ids())


def write(backbone, stem, network, x):
    set_weights(network)
    x = torch.from_numpy(x)
    network.eval()
    evaluated = network(x).detach().numpy()
    network.train()
    trained = network(x)
    direction = torch.from_numpy(picture(tuple(trained.shape)))
    (trained * direction).sum().backward()
    arrays = {"eval": evaluated, "train": trained.detach().numpy()}
    for name, parameter in network.named_parameters():
        arrays["grad_norm/" + our_name(network, name)] = parameter.grad.norm().numpy().reshape(1)
    for name, tensor in network.state_dict().items():
        if name in ("bn1.running_var", "layer4.1.bn2.running_mean", "stage3.bn.running_var"):
            arrays["after/" + name] = tensor.numpy()
    numpy.savez_compressed(os.path.join(here, f"nn_{backbone}_{stem}.npz"), **arrays)


def main():
    torch.set_num_threads(1)
    with open(os.path.join(here, "nn_names.txt"), "w") as names:
        for backbone in ("resnet18", "resnet34", "resnet50"):
            for name, tensor in make_backbone(backbone)[0].state_dict().items():
                names.write(f"{backbone} {name} {','.join(map(str, tensor.shape))}\n")
    for case in cases():
        write(*case)


if __name__ == "__main__":
    main()
