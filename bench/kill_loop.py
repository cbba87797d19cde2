#!/usr/bin/env python3
"""Kills a random rank of a two-process run at random moments, over and over, and compares the end with that of a run
that nobody disturbed.

    bench/kill_loop.py [--orthant build/bin/orthant] [--kills 100] [--seed 1]

Every kill hits one rank with SIGKILL; --restarts goes on from the newest checkpoint. Fails unless the model is byte for
byte the same, and no process (and with it no port) or temporary file is left.
"""
import argparse
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time


def write_vectors(path, rows=400, dims=8):
    values = [((i * 7919) % 97) / 97 + (i % 5) for i in range(rows * dims)]
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, dims)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<%df" % len(values), *values))


def ranks_of(launcher):
    """The processes that the launcher started and that still run."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == launcher and fields[0] != "Z":
            found.append(int(entry.name))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--orthant", default="build/bin/orthant")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=0, help="0: so many that the run outlives the kills")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="orthant-kill-"))
    write_vectors(folder / "x.npy")
    epochs = args.epochs or 50 + 60 * args.kills

    def command(run, *more):
        return [args.orthant, "pretrain", "--data", f"npy:{folder}/x.npy", "--epochs", str(epochs), "--batch", "41",
                "--set", "projector.out=16", "--set", "projector.hidden=16", "--set", "backbone.hidden=16",
                "--set", "train.checkpoint_steps=3", "--set", "eval.every=0", "--threads", "1", "--quiet",
                "--processes", "2", "-o", str(folder / run), *more]

    started = time.time()
    subprocess.run(command("whole"), check=True)
    undisturbed = time.time() - started
    temporary = set(os.listdir(tempfile.gettempdir()))
    with open(folder / "errors", "w") as errors:
        launcher = subprocess.Popen(command("killed", "--restarts", str(10 * args.kills)), stderr=errors)
    kills = 0
    while launcher.poll() is None and kills < args.kills:
        time.sleep(rng.uniform(0.2, 4))
        ranks = ranks_of(launcher.pid)
        if len(ranks) == 2:
            os.kill(rng.choice(ranks), signal.SIGKILL)
            kills += 1
    code = launcher.wait()
    failures = []
    if code != 0:
        failures.append(f"the run ended with code {code}")
    elif (folder / "whole/model.safetensors").read_bytes() != (folder / "killed/model.safetensors").read_bytes():
        failures.append("the models differ")
    left = [p for p in pathlib.Path("/proc").iterdir() if p.name.isdigit()
            and str(folder).encode() in safe_read(p / "cmdline") and int(p.name) != os.getpid()]
    if left:
        failures.append(f"processes are left: {[p.name for p in left]}")
    new = {name for name in set(os.listdir(tempfile.gettempdir())) - temporary if "orthant" in name}
    if new:
        failures.append(f"temporary files are left: {new}")
    if list(folder.rglob("*.tmp*")):
        failures.append("unfinished files are left in the run")
    print(f"{kills} kills of {args.kills} in {time.time() - started:.0f} s (undisturbed: {undisturbed:.0f} s): "
          + ("; ".join(failures) or "the end is byte for byte the same, nothing is left"))
    if failures:
        print(f"kept: {folder}")
        sys.exit(1)
    subprocess.run(["rm", "-r", str(folder)], check=True)


def safe_read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


if __name__ == "__main__":
    main()
