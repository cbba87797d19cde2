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
            state[name] = torch.from_numpy(formula(name, tuple(tensor.shape)))
    network.load_state_dict(state)


def main():
    torch.set_num_threads(1)
    with open(os.path.join(here, "nn_names.txt"), "w") as names:
        for backbone in ("resnet18", "resnet34", "resnet50"):
            for name, tensor in make_backbone(backbone)[0].state_dict().items():
                names.write(f"{backbone} {name} {','.join(map(str, tensor.shape))}\n")
    for backbone, stem, size in (("resnet18", "small", 32), ("resnet50", "small", 32), ("resnet18", "imagenet", 64),
                                 ("conv-mini", "small", 32)):
        network, _ = make_backbone(backbone, stem)
        set_weights(network)
        x = torch.from_numpy(picture((4, 3, size, size)))
        network.eval()
        evaluated = network(x).detach().numpy()
        network.train()
        trained = network(x)
        direction = torch.from_numpy(picture(tuple(trained.shape)))
        (trained * direction).sum().backward()
        arrays = {"eval": evaluated, "train": trained.detach().numpy()}
        for name, parameter in network.named_parameters():
            arrays["grad_norm/" + name] = parameter.grad.norm().numpy().reshape(1)
        for name, tensor in network.state_dict().items():
            if name in ("bn1.running_var", "layer4.1.bn2.running_mean", "stage3.bn.running_var"):
                arrays["after/" + name] = tensor.numpy()
        numpy.savez_compressed(os.path.join(here, f"nn_{backbone}_{stem}.npz"), **arrays)


if __name__ == "__main__":
    main()
