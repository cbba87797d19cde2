#!/usr/bin/python3
"""Rows per second and peak memory of adapting vectors against the same objective in PyTorch.

adapt.py BIN_FOLDER [--threads 2] [--runs 3] [--small] [--python /usr/bin/python3]

Runs adapt_bench and adapt_peer.py in turn and prints medians: 512 -> 8,192 features, 32 on, batches of 4,096, top-k with
the 4k term and the auxiliary loss with 400 dead features (5 %), Adam. Then `orthant adapt` itself on 10^4, 10^5 and 10^6
rows of 64 -> 1,024, whose cost per row should not grow (without the auxiliary loss, which starts after 30 steps, so that
short runs never pay for it), and a file that is larger than what it may hold (streamed), whose peak memory is told. Exits with 1 if it is not four times as fast, or takes more than a third of the memory.
"""
import json
import os
import pathlib
import sys
import tempfile

import numpy

import driver

SPEED, MEMORY = 4.0, 3.0
WIDTHS = (26, 12, 12, 10, 8)


def write_rows(path, rows, dims, seed=0):
    """Random rows in pieces, so that the file may be larger than memory."""
    generator = numpy.random.default_rng(seed)
    with open(path, "wb") as file:  # a mapped one would count as memory of the programs that are started from here
        numpy.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (rows, dims)})
        for begin in range(0, rows, 65536):
            generator.standard_normal((min(65536, rows - begin), dims), dtype=numpy.float32).tofile(file)


def peak_of(command, threads):
    """The largest resident size of a program, in MiB."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    pid = os.posix_spawn(command[0], command, environment)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"adapt.py: {' '.join(command)} failed")
    return usage.ru_maxrss / 1024


def rate_of(run):
    """Rows per second of the last epoch that told it."""
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [line["rows_per_second"] for line in lines if line["kind"] == "epoch"][-1]


def adapt(binary, file, run, threads, *more):
    command = [str(binary / "orthant"), "adapt", str(file), "-o", str(run), "--threads", str(threads), "--quiet",
               "--epochs", "1", "--batch", "4096", "--held-out", "100", "--overwrite", *more]
    peak = peak_of(command, threads)
    return rate_of(run), peak


def main():
    parser = driver.parser(__doc__, runs=3, threads=2, small=True, python="torch")
    parser.add_argument("--stream-gb", type=float, default=4, help="of the file that is streamed (20: as the claim)")
    arguments = parser.parse_args()
    threads = arguments.threads
    features, batch, steps = (1024, 512, 2) if arguments.small else (8192, 4096, 4)
    sizes = dict(rows=2 * batch, dims=512, features=features, active=32, batch=batch, steps=steps, threads=threads,
                 dead=features // 20)
    ours, theirs = driver.in_turn(
        arguments.runs, lambda: driver.json_of(arguments.bin / "adapt_bench", *sizes.values(), threads=threads),
        lambda: driver.json_of(arguments.python, driver.beside("adapt_peer.py"),
                               *[f"--{name}={value}" for name, value in sizes.items()], threads=threads))
    rate, peer_rate = (driver.median(side, "rows_per_second") for side in (ours, theirs))
    peak, peer_peak = (driver.median(side, "peak_mib") for side in (ours, theirs))
    driver.row("", "orthant", "PyTorch", "ratio", "target", widths=WIDTHS)
    driver.row(f"rows/s, 512 -> {features}", f"{rate:.0f}", f"{peer_rate:.0f}", f"{rate / peer_rate:.2f}x", f"{SPEED:.0f}x",
               widths=WIDTHS)
    driver.row("peak memory, MiB", f"{peak:.0f}", f"{peer_peak:.0f}", f"{peer_peak / peak:.2f}x", f"{MEMORY:.0f}x",
               widths=WIDTHS)
    missed = (["rows per second"] if rate < SPEED * peer_rate else []) + (
        ["peak memory"] if peer_peak < MEMORY * peak else [])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        rates = []
        for rows in ([10_000, 20_000] if arguments.small else [10_000, 100_000, 1_000_000]):
            write_rows(folder / "rows.npy", rows, 64)
            found, used = adapt(arguments.bin, folder / "rows.npy", folder / "run", threads, "--features", "1024",
                                "--active", "16", "--set", "objective.aux=0")
            rates.append(found)
            driver.row(f"rows/s, {rows} rows of 64", f"{found:.0f}", "", f"{rates[0] / found:.2f}", "", widths=WIDTHS)
        gigabytes = 0.1 if arguments.small else arguments.stream_gb
        write_rows(folder / "large.npy", int(gigabytes * 1e9 / 4 / 512), 512)
        found, used = adapt(arguments.bin, folder / "large.npy", folder / "run", threads, "--features", "1024",
                            "--active", "16", "--set", "train.memory_mib=64" if arguments.small else "train.memory_mib=1024")
        driver.row(f"streamed, {gigabytes} GB of 512", f"{found:.0f} rows/s", "", f"{used:.0f} MiB", "2048", widths=WIDTHS)
        if used > 2048:
            missed.append("memory of streaming")
    driver.finish([] if arguments.small else missed)


if __name__ == "__main__":
    main()
