#!/usr/bin/python3
"""Texts per second of a training step of the text networks against the same networks in PyTorch.

text.py BIN_FOLDER [--threads 2] [--batch 256] [--steps 20] [--runs 3] [--python /usr/bin/python3]

Runs text_bench and text_peer.py in turn and prints medians: 32,768 rows of 128, texts as long as the captions of Flickr8k,
forward, backward and an AdamW step. Exits with 1 if a target is missed: twice the peer's rate.
"""
import driver

NETWORKS, TARGET = ("text-bag", "text-transformer"), 2.0
WIDTHS = (20, 10, 10, 9, 8, 14, 14)


def main():
    parser = driver.parser(__doc__, runs=3, threads=2, python="torch")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--steps", type=int, default=20)
    arguments = parser.parse_args()
    missed = []
    driver.row("texts per second", "orthant", "PyTorch", "faster", "target", "ours: pass", "theirs: pass", widths=WIDTHS)
    for network in NETWORKS:
        ours, theirs = driver.in_turn(
            arguments.runs,
            lambda: driver.json_of(arguments.bin / "text_bench", network, arguments.batch, arguments.steps,
                                   arguments.threads),
            lambda: driver.json_of(arguments.python, driver.beside("text_peer.py"), "--network", network, "--batch",
                                   arguments.batch, "--steps", arguments.steps, "--threads", arguments.threads))
        rate, peer_rate = (driver.median(side, "texts_per_second") for side in (ours, theirs))
        if rate < TARGET * peer_rate:
            missed.append(network)
        driver.row(network, f"{rate:.0f}", f"{peer_rate:.0f}", f"{rate / peer_rate:.2f}x", f"{TARGET:.1f}x",
                   *(f"{1000 * driver.median(side, 'pass_seconds'):.1f} ms" for side in (ours, theirs)), widths=WIDTHS)
    driver.finish(missed)


if __name__ == "__main__":
    main()
