#!/usr/bin/python3
"""Pairs per second of training two towers against the same recipe in PyTorch and torchvision.

pairs.py BIN_FOLDER [--threads 2] [--batch 256] [--steps 10] [--runs 3] [--python /usr/bin/python3]

Runs pairs_bench and pairs_peer.py in turn and prints medians. Both crop pictures of 32x32, hash the n-grams of captions,
pass them through conv-mini and an embedding bag with an mlp, a projector 1024-256 each, and take an AdamW step on CLIP's
loss with a learned scale; the peer prepares its batches in as many DataLoader workers as there are threads. Exits with 1
if it is not twice as fast.
"""
import driver

TARGET = 2.0
WIDTHS = (20, 10, 10, 9, 8)


def main():
    parser = driver.parser(__doc__, runs=3, threads=2, python="torch and torchvision")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--steps", type=int, default=10)
    arguments = parser.parse_args()
    threads, batch, steps = arguments.threads, arguments.batch, arguments.steps
    ours, theirs = driver.in_turn(
        arguments.runs, lambda: driver.json_of(arguments.bin / "pairs_bench", batch, steps, threads),
        lambda: driver.json_of(arguments.python, driver.beside("pairs_peer.py"), "--batch", batch, "--steps", steps,
                               "--threads", threads, "--workers", threads))
    rate, peer_rate = (driver.median(side, "pairs_per_second") for side in (ours, theirs))
    driver.row("pairs per second", "orthant", "PyTorch", "faster", "target", widths=WIDTHS)
    driver.row("two towers", f"{rate:.1f}", f"{peer_rate:.1f}", f"{rate / peer_rate:.2f}x", f"{TARGET:.1f}x",
               widths=WIDTHS)
    driver.finish(["two towers"] if rate < TARGET * peer_rate else [])


if __name__ == "__main__":
    main()
