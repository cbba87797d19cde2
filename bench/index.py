#!/usr/bin/python3
"""Search in an index of sparse features beside faiss' flat index, zvec and a plain inverted-list scan.

index.py BIN_FOLDER [--threads 2] [--runs 3] [--rows 1000000] [--dims 1024] [--filled 0.03] [--real FILE] [--small]

Three kinds of features: `independent`, where each is filled by chance (nothing for bounds to hold on to), `groups`, where
items share most features with 500 others, and with --real embeddings from a file (NCL codes: orthant embed). 1,000 rows
are held out and asked for, ten neighbours by cosine, one query at a time and all together. BIN_FOLDER/index_bench does
ours and the plain scan, index_peer.py faiss, index_zvec.mjs zvec 0.7.0 (npm; installed in a temporary folder), which takes
rows one object at a time: it gets --zvec-rows of them, exact, and 50,000 for its HNSW at the first ef that has our recall.
Prints medians; exits with 1 if a target is missed on `independent` (exact) or `groups` (approximate).

--small: 20,000 rows and no targets, to see that it works.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import driver

WIDTHS = (46, 13, 13)
K = 10


def say(name, alone="", together="", note=""):
    cell = lambda number: number if isinstance(number, str) else f"{number:.4f} ms"
    driver.row(name, cell(alone), cell(together), widths=WIDTHS) if not note else print(f"{name:<46}  {note}", flush=True)


class Bench:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.threads = arguments.threads
        self.ours = arguments.bin / "index_bench"
        self.missed = []

    def numbers(self, *words):
        return driver.numbers_of(self.ours, *words, threads=self.threads)

    def median(self, *words):
        rounds = [self.numbers(*words) for _ in range(self.arguments.runs)]
        return [driver.median([one[n] for one in rounds]) for n in range(len(rounds[0]))]

    def want(self, what, got, least):
        verdict = "" if got >= least else "  MISSED"
        print(f"  {what}: {got:.1f}x (target {least}x){verdict}", flush=True)
        if got < least:
            self.missed.append(what)

    def data(self, name, rows, source=None):
        """A bank and its queries, held out."""
        bank, queries = self.folder / f"{name}-{rows}.safetensors", self.folder / f"{name}-{rows}-q.safetensors"
        if not bank.exists():
            whole = source or self.folder / "whole.safetensors"
            if source is None:
                self.ask("make", name, rows + 1000, self.arguments.dims, self.arguments.filled, whole)
            self.ask("split", whole, 1000, bank, queries)
            if source is None:
                whole.unlink()
        return bank, queries

    def ask(self, *words):
        driver.output_of(self.ours, *words, threads=self.threads)

    def build(self, bank, rows_text):
        index = self.folder / "index.oix"
        index.unlink(missing_ok=True)
        seconds, size, peak = self.numbers("build", bank, index, self.threads)
        say(f"build, {rows_text}", note=f"{seconds:.1f} s, {size:.0f} MB, {peak:.0f} MB of memory at most")
        return index

    def search(self, index, queries, count):
        exact = self.median("exact", index, queries, count, K, self.threads)
        say("exact", exact[0], exact[1])
        say("", note=f"windows {exact[2]:.0f}, blocks {exact[3]:.0f}, list entries {exact[4]:.0f} a query")
        near = self.median("near", index, queries, count, K, 0.95, self.threads)
        say("recall 0.95", near[0], near[1])
        note = f"{near[3]:.0f} of {near[4]:.0f} blocks" if near[3] > 0 else "exact, as less work"
        say("", note=f"recall {near[2]:.4f} of queries that were held out, {note}")
        return exact, near


def zvec_modules(folder):
    """A folder with zvec installed, or None with a line that says why not."""
    modules = folder / "zvec"
    modules.mkdir()
    (modules / "package.json").write_text('{"private": true}')
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-save", "@zvec/zvec@0.7.0"]
    if shutil.which("npm") is None or subprocess.run(command, cwd=modules, capture_output=True).returncode != 0:
        print("zvec is left out: npm could not install it", flush=True)
        return None
    return modules


def recall(found, truth):
    return sum(len(set(a) & set(b)) / len(b) for a, b in zip(found, truth)) / len(truth)


def compare_zvec(bench, modules):
    zvec = lambda bank, queries, rows, count, *kind: json.loads(driver.output_of(
        "node", driver.beside("index_zvec.mjs"), modules, bank, queries, rows, count, K, bench.threads, *kind))
    rows = bench.arguments.zvec_rows
    bank, queries = bench.data("independent", rows)
    print(f"\nzvec, {rows} rows, independent")
    index = bench.build(bank, f"{rows} rows")
    exact = bench.median("exact", index, queries, 300, K, bench.threads)
    say("exact", exact[0], exact[1])
    flat = zvec(bank, queries, rows, 30, "flat")
    say("zvec flat", flat["runs"][0]["alone"], flat["runs"][0]["together"])
    say("zvec flat, build", note=f"{flat['build']:.1f} s")
    bench.want("exact against zvec flat, alone", flat["runs"][0]["alone"] / exact[0], 10)
    bench.want("exact against zvec flat, together", flat["runs"][0]["together"] / exact[1], 30)
    rows = min(rows, 50_000)
    bank, queries = bench.data("groups", rows)
    print(f"\nzvec HNSW, {rows} rows, groups")
    index = bench.build(bank, f"{rows} rows")
    near = bench.median("near", index, queries, 300, K, 0.95, bench.threads)
    say("recall 0.95", near[0], near[1])
    say("", note=f"recall {near[2]:.4f}, {near[3]:.0f} of {near[4]:.0f} blocks")
    flat = zvec(bank, queries, rows, 100, "flat")
    graph = zvec(bank, queries, rows, 100, "hnsw", 20, 50, 100, 200, 500, 1000)
    say("zvec HNSW, build", note=f"{graph['build']:.1f} s")
    for run in graph["runs"]:
        reached = recall(run["found"], flat["runs"][0]["found"])
        say(f"zvec HNSW, ef {run['ef']}, recall {reached:.4f}", run["alone"], run["together"])
        if reached >= near[2]:
            break
    bench.want("recall 0.95 against zvec HNSW, alone", run["alone"] / near[0], 1)


def main():
    parser = driver.parser(__doc__, runs=3, threads=2, small=True, python="faiss")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--dims", type=int, default=1024)
    parser.add_argument("--filled", type=float, default=0.03)
    parser.add_argument("--zvec-rows", type=int, default=100_000, help="0: zvec is left out")
    parser.add_argument("--real", type=pathlib.Path, help="embeddings, of which 1,000 are asked for")
    arguments = parser.parse_args()
    if arguments.small:
        arguments.rows, arguments.zvec_rows, arguments.runs = 20_000, min(arguments.zvec_rows, 5000), 1
    with tempfile.TemporaryDirectory(prefix="orthant-index-") as temporary:
        bench = Bench(arguments, pathlib.Path(temporary))
        say("", "alone", "together")
        for name in ("independent", "groups"):
            for rows in sorted({arguments.rows // 10, arguments.rows}):
                print(f"\n{rows} x {arguments.dims}, {arguments.filled:.0%} filled, {name}")
                bank, queries = bench.data(name, rows)
                index = bench.build(bank, f"{rows} rows")
                exact, near = bench.search(index, queries, 300)
                plain = bench.median("plain", bank, queries, 300, K, arguments.threads)
                say("plain inverted lists (alone: one thread)", plain[0], plain[1])
            bench.want(f"{name}: exact against plain lists, alone", plain[0] / exact[0], 1)
            bench.want(f"{name}: exact against plain lists, together", plain[1] / exact[1], 1)
            if name == "independent":
                flat = driver.numbers_of(arguments.python, driver.beside("index_peer.py"), bank, queries, 300, K,
                                         arguments.threads, threads=arguments.threads)
                say("faiss flat", flat[0], flat[1])
                bench.want("exact against faiss flat, alone", flat[0] / exact[0], 5)
                bench.want("exact against faiss flat, together", flat[1] / exact[1], 5)
            else:
                bench.want("recall 0.95 against exact, alone", exact[0] / near[0], 10)
                bench.want("recall 0.95 against exact, together", exact[1] / near[1], 10)
        if arguments.real:
            print(f"\n{arguments.real.name}")
            bank, queries = bench.data("real", 0, arguments.real)
            exact, near = bench.search(bench.build(bank, "real"), queries, 300)
            plain = bench.median("plain", bank, queries, 300, K, arguments.threads)
            say("plain inverted lists (alone: one thread)", plain[0], plain[1])
            bench.want("real: exact against plain lists, together", plain[1] / exact[1], 1)
        modules = zvec_modules(bench.folder) if arguments.zvec_rows > 0 else None
        if modules:
            compare_zvec(bench, modules)
        driver.finish([] if arguments.small else bench.missed)


if __name__ == "__main__":
    main()
