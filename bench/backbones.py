#!/usr/bin/python3
"""What each backbone reaches with the same processor time: why conv-mini is the compact one.

backbones.py BIN_FOLDER CIFAR_FOLDER [--minutes 10] [--images 20000] [--method ncl-paper] [--threads 1]

Finds out how many pictures each candidate takes in a second of processor time (which a machine that does other work
hardly changes), gives it as many epochs as fit into the minutes, trains it by recipes/cifar10-hour.toml and prints the
k-NN accuracy of its backbone features: 5,000 test pictures, 5,000 training pictures that vote. A candidate that cannot
see all pictures once in that time gets fewer. One seed, so differences of a point or two mean nothing.
"""
import pathlib
import resource
import tempfile

import driver

CANDIDATES = [
    ("conv-mini, width 32", ["--backbone", "conv-mini", "--set", "backbone.width=32"]),
    ("conv-mini, width 64", ["--backbone", "conv-mini", "--set", "backbone.width=64"]),
    ("conv-mini, width 96", ["--backbone", "conv-mini", "--set", "backbone.width=96"]),
    ("resnet18", ["--backbone", "resnet18"]),
    ("vit-tiny", ["--backbone", "vit-tiny"]),
    ("conv-mini, blended over 30 %", ["--backbone", "conv-mini", "--activation-warmup", "0.3"]),
]
BATCH = 256


def run(command):
    """The program's JSON, and the processor seconds it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = driver.json_of(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def train(arguments, flags, images, epochs, evaluated=5000):
    recipe = pathlib.Path(__file__).parent.parent / "recipes" / "cifar10-hour.toml"
    with tempfile.TemporaryDirectory() as folder:
        return run([arguments.bin / "orthant", "pretrain", "--recipe", recipe, "--data", f"cifar10:{arguments.cifar}",
                    "--method", arguments.method, "--threads", arguments.threads, "--train-size", images,
                    "--epochs", epochs, "--set", "optimiser.warmup_epochs=0.5", "--set", "eval.every=0",
                    "--set", f"eval.size={evaluated}", "--set", f"eval.bank={evaluated}", "--quiet", "--json",
                    "-o", f"{folder}/run", *flags])


def main():
    parser = driver.parser(__doc__, threads=1)
    parser.add_argument("cifar", type=pathlib.Path, help="folder of CIFAR-10's binary batches")
    parser.add_argument("--minutes", type=float, default=10, help="of processor time for each candidate")
    parser.add_argument("--images", type=int, default=20000)
    parser.add_argument("--method", default="ncl-paper")
    arguments = parser.parse_args()
    print(f"{'backbone':<32}{'images/s':>10}{'images':>10}{'epochs':>8}{'k-NN':>8}{'zeros':>8}")
    for name, flags in CANDIDATES:
        (_, short), (_, long) = (train(arguments, flags, BATCH * n, 1, 256) for n in (2, 6))
        rate = 4 * BATCH / (long - short)  # the difference leaves out start and evaluation
        images = min(arguments.images, BATCH * max(1, round(60 * arguments.minutes * rate / BATCH)))
        epochs = max(1, round(60 * arguments.minutes * rate / images))
        last, _ = train(arguments, flags, images, epochs)
        print(f"{name:<32}{rate:>10.0f}{images:>10}{epochs:>8}{last['knn_backbone']:>8.1%}{last['sparsity']:>8.1%}",
              flush=True)


if __name__ == "__main__":
    main()
