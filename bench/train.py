#!/usr/bin/python3
"""Images per second of end-to-end training against the same recipe in PyTorch and torchvision.

train.py BIN_FOLDER [--threads 2] [--batch 256] [--runs 3] [--python /usr/bin/python3]

Runs train_bench and train_peer.py in turn and prints medians. Both turn pictures of 32x32 into two SimCLR views, pass
them through the network and a projector 2048-256, and take an SGD step on InfoNCE; the peer's views are made by Pillow
in as many DataLoader workers as there are threads. Exits with 1 if a target is missed: 4.5 times the peer's rate for
ResNet-18, 5 times for conv-mini. Where the machine has AMX, rows of bfloat16 follow, the peer's in torch.autocast; they
have no target. The last two columns are the processor time of a step and how many times as long the peer's is: on a
busy machine that changes less than the rates do.
"""
import subprocess

import driver

CASES = [("resnet18", 3, 4.5), ("conv-mini", 10, 5.0)]  # backbone, steps, target
WIDTHS = (20, 10, 10, 9, 8, 10, 9, 11, 9)


def has_amx(folder):
    """Whether train_bench takes bfloat16 here."""
    tried = subprocess.run([folder / "train_bench", "conv-mini", "2", "1", "1", "bfloat16"], capture_output=True)
    return tried.returncode == 0


def main():
    parser = driver.parser(__doc__, runs=3, threads=2, python="torch and torchvision")
    parser.add_argument("--batch", type=int, default=256)
    arguments = parser.parse_args()
    threads, batch = arguments.threads, arguments.batch
    missed = []
    driver.row("images per second", "orthant", "PyTorch", "faster", "target", "GFLOP/s", "waiting", "processor",
               "faster", widths=WIDTHS)
    for precision in ("float32", "bfloat16") if has_amx(arguments.bin) else ("float32",):
        for backbone, steps, target in CASES:
            ours, theirs = driver.in_turn(
                arguments.runs,
                lambda: driver.json_of(arguments.bin / "train_bench", backbone, batch, steps, threads, precision),
                lambda: driver.json_of(arguments.python, driver.beside("train_peer.py"), "--backbone", backbone,
                                       "--batch", batch, "--steps", steps, "--threads", threads, "--workers", threads,
                                       "--precision", precision))
            rate, peer_rate = (driver.median(side, "images_per_second") for side in (ours, theirs))
            seconds, peer_seconds = (driver.median(side, "step_processor_seconds") for side in (ours, theirs))
            targeted = precision == "float32"
            if targeted and rate < target * peer_rate:
                missed.append(backbone)
            driver.row(backbone if targeted else f"{backbone}, bf16", f"{rate:.1f}", f"{peer_rate:.1f}",
                       f"{rate / peer_rate:.2f}x", f"{target:.1f}x" if targeted else "",
                       f"{driver.median(ours, 'gflops'):.0f}", f"{driver.median(ours, 'wait_share'):.1%}",
                       f"{seconds:.2f} s", f"{peer_seconds / seconds:.2f}x", widths=WIDTHS)
    driver.finish(missed)


if __name__ == "__main__":
    main()
