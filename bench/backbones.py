#!/usr/bin/python3
"""What each backbone reaches with the same processor time: why conv-mini is the compact one.

backbones.py BIN_FOLDER CIFAR_FOLDER [--minutes 5] [--threads 2] [--images 20000] [--method ncl]

Measures each candidate's images per second by a dry run, gives it as many epochs as fit into the minutes, trains it by
recipes/cifar10-hour.toml and prints k-NN accuracy of its backbone features on CIFAR-10's test pictures. One seed, so
differences of a point or two mean nothing.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

CANDIDATES = [
    ("conv-mini, width 32", ["--backbone", "conv-mini", "--set", "backbone.width=32"]),
    ("conv-mini, width 64", ["--backbone", "conv-mini", "--set", "backbone.width=64"]),
    ("conv-mini, width 96", ["--backbone", "conv-mini", "--set", "backbone.width=96"]),
    ("resnet18", ["--backbone", "resnet18"]),
    ("vit-tiny", ["--backbone", "vit-tiny"]),
]


def run(command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"backbones.py: {(result.stderr.strip().splitlines() or ['no message'])[-1]}")
    return json.loads(result.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path, help="folder of orthant")
    parser.add_argument("cifar", type=pathlib.Path, help="folder of CIFAR-10's binary batches")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--images", type=int, default=20000)
    parser.add_argument("--method", default="ncl")
    arguments = parser.parse_args()
    recipe = pathlib.Path(__file__).parent.parent / "recipes" / "cifar10-hour.toml"
    print(f"{'backbone':<22}{'images/s':>10}{'epochs':>8}{'minutes':>9}{'k-NN':>8}{'zeros':>8}")
    for name, flags in CANDIDATES:
        with tempfile.TemporaryDirectory() as folder:
            command = [arguments.bin / "orthant", "pretrain", "--recipe", recipe, "--data", f"cifar10:{arguments.cifar}",
                       "--method", arguments.method, "--threads", arguments.threads, "--train-size", arguments.images,
                       "--set", "optimiser.warmup_epochs=0.5", "--set", "eval.every=0", "--quiet", "--json",
                       "-o", f"{folder}/run", *flags]
            rate = run([*command, "--dry-run"])["images_per_second"]
            epochs = max(1, round(60 * arguments.minutes * rate / arguments.images))
            last = run([*command, "--epochs", epochs])
            spent = epochs * arguments.images / last["images_per_second"] / 60
            print(f"{name:<22}{last['images_per_second']:>10.0f}{epochs:>8}{spent:>9.1f}{last['knn_backbone']:>8.1%}"
                  f"{last['sparsity']:>8.1%}", flush=True)


if __name__ == "__main__":
    main()
