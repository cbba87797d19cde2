"""What the benchmarks share: their flags, programs on a number of threads, runs in turn, medians and rows of a table."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

PYTHON = "/usr/bin/python3"  # Debian's, which has the peers


def parser(description, runs=None, threads=None, small=False, python=None):
    """The parser of a benchmark: the folder of its programs, and --runs, --threads, --small and --python if asked for.

    `runs` and `threads` are defaults, `python` what its interpreter must have."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("bin", type=pathlib.Path, help="folder of the programs")
    if runs is not None:
        made.add_argument("--runs", type=int, default=runs, help="of each side, in turn; medians count")
    if threads is not None:
        made.add_argument("--threads", type=int, default=threads)
    if small:
        made.add_argument("--small", action="store_true", help="less of everything, to see that it works")
    if python is not None:
        made.add_argument("--python", default=PYTHON, help=f"an interpreter that has {python}")
    return made


def beside(name):
    """The path of another script of this folder."""
    return pathlib.Path(__file__).with_name(name)


def output_of(*command, threads=None):
    """What a program prints, on so many threads. If it fails, so does the benchmark, with its last line."""
    limits = {} if threads is None else {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
    command = [str(part) for part in command]
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **limits})
    if result.returncode != 0:
        last = (result.stderr.strip().splitlines() or ["no message"])[-1]
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {pathlib.Path(command[0]).name} failed: {last}")
    return result.stdout


def json_of(*command, threads=None):
    return json.loads(output_of(*command, threads=threads))


def numbers_of(*command, threads=None):
    return [float(number) for number in output_of(*command, threads=threads).split()]


def in_turn(runs, *sides):
    """Calls the sides one after the other, `runs` times over, so that a busy machine is busy for all: lists of results."""
    results = [[] for _ in sides]
    for _ in range(runs):
        for side, found in zip(sides, results):
            found.append(side())
    return results


def median(results, key=None):
    """Of numbers, or of what is under `key` in each result."""
    return statistics.median(results if key is None else (result[key] for result in results))


def timed(function, *arguments):
    """Seconds, and the result."""
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


def median_seconds(runs, function, *arguments):
    return median([timed(function, *arguments) for _ in range(runs)], 0)


def row(first, *cells, widths):
    """One line of a table: the first column to the left, the others to the right."""
    print(f"{first:<{widths[0]}}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths[1:])), flush=True)


def finish(missed):
    """Exit code 1 with a line that names the targets that were missed, if any were."""
    if missed:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: missed: " + "; ".join(missed))
