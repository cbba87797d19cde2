#!/usr/bin/python3
"""Images per second of end-to-end training against the same recipe in PyTorch and torchvision.

train.py BIN_FOLDER [--threads 2] [--batch 256] [--runs 3] [--python /usr/bin/python3]

Runs train_bench and train_peer.py in turn and prints medians. Both turn pictures of 32x32 into two SimCLR views, pass
them through the network and a projector 2048-256, and take an SGD step on InfoNCE; the peer's views are made by Pillow
in as many DataLoader workers as there are threads. Exits with 1 if a target is missed: 4.5 times the peer's rate for
ResNet-18, 5 times for conv-mini.
"""
import driver

CASES = [("resnet18", 3, 4.5), ("conv-mini", 10, 5.0)]  # backbone, steps, target
WIDTHS = (20, 10, 10, 9, 8, 10, 9)


def main():
    parser = driver.parser(__doc__, runs=3, threads=2, python="torch and torchvision")
    parser.add_argument("--batch", type=int, default=256)
    arguments = parser.parse_args()
    threads, batch = arguments.threads, arguments.batch
    missed = []
    driver.row("images per second", "orthant", "PyTorch", "faster", "target", "GFLOP/s", "waiting", widths=WIDTHS)
    for backbone, steps, target in CASES:
        ours, theirs = driver.in_turn(
            arguments.runs, lambda: driver.json_of(arguments.bin / "train_bench", backbone, batch, steps, threads),
            lambda: driver.json_of(arguments.python, driver.beside("train_peer.py"), "--backbone", backbone, "--batch",
                                   batch, "--steps", steps, "--threads", threads, "--workers", threads))
        rate, peer_rate = (driver.median(side, "images_per_second") for side in (ours, theirs))
        if rate < target * peer_rate:
            missed.append(backbone)
        driver.row(backbone, f"{rate:.1f}", f"{peer_rate:.1f}", f"{rate / peer_rate:.2f}x", f"{target:.1f}x",
                   f"{driver.median(ours, 'gflops'):.0f}", f"{driver.median(ours, 'wait_share'):.1%}", widths=WIDTHS)
    driver.finish(missed)


if __name__ == "__main__":
    main()
