#!/usr/bin/python3
"""Images per second of end-to-end training against the same recipe in PyTorch and torchvision.

train.py BIN_FOLDER [--threads 2] [--batch 256] [--repeats 3] [--python /usr/bin/python3]

Runs train_bench and train_peer.py in turn and prints medians. Both turn pictures of 32x32 into two SimCLR views, pass
them through the network and a projector 2048-256, and take an SGD step on InfoNCE; the peer's views are made by Pillow
in as many DataLoader workers as there are threads. Exits with 1 if a target is missed: 1.1 times the peer's rate for
ResNet-18, 2 times for conv-mini.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

CASES = [("resnet18", 3, 1.1), ("conv-mini", 10, 2.0)]  # backbone, steps, target


def run(command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"train.py: {command[0]} failed: {(result.stderr.strip().splitlines() or ['no message'])[-1]}")
    return json.loads(result.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path, help="folder of train_bench")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--python", default="/usr/bin/python3", help="an interpreter that has torch and torchvision")
    arguments = parser.parse_args()
    peer = pathlib.Path(__file__).with_name("train_peer.py")
    missed = False
    print(f"{'images per second':<20}{'orthant':>10}{'PyTorch':>10}{'faster':>9}{'target':>8}{'GFLOP/s':>10}{'waiting':>9}")
    for backbone, steps, target in CASES:
        ours, theirs = [], []
        for _ in range(arguments.repeats):
            ours.append(run([arguments.bin / "train_bench", backbone, arguments.batch, steps, arguments.threads]))
            theirs.append(run([arguments.python, peer, "--backbone", backbone, "--batch", arguments.batch, "--steps",
                               steps, "--threads", arguments.threads, "--workers", arguments.threads]))
        rate = statistics.median(r["images_per_second"] for r in ours)
        peer_rate = statistics.median(r["images_per_second"] for r in theirs)
        flops = statistics.median(r["gflops"] for r in ours)
        waiting = statistics.median(r["wait_share"] for r in ours)
        missed = missed or rate < target * peer_rate
        print(f"{backbone:<20}{rate:>10.1f}{peer_rate:>10.1f}{rate / peer_rate:>8.2f}x{target:>7.1f}x{flops:>10.0f}"
              f"{waiting:>9.1%}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
