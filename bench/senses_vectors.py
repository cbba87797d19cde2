#!/usr/bin/python3
"""CL against NCL on vectors, by noise and by nearest neighbours: the table of docs/results.md, as Markdown.

senses_vectors.py BIN_FOLDER [--seeds 1,2,3] [--items 6000] [--work FOLDER] [--threads 2] [--small]

The vectors are the pixels of Fashion-MNIST, 784 numbers each, ten classes. Every run is `orthant pretrain --data npy:V,Y
--method METHOD --positives views|nearest --seed SEED` with nothing else set, but for --epochs 6 with neighbours, whose
epochs have five pairs of each vector. k-NN (20, cosine) looks each vector up among all others, as they are and by their
features behind the projector. About half a minute for a run on two cores, six minutes in all.

What a run came to is kept in FOLDER: a stopped benchmark goes on where it was.
"""
import json
import pathlib
import statistics

import numpy as np

import driver

KEYS = {"knn": "knn_accuracy", "consistency": "class_consistency.top", "chance": "chance.class_consistency.top",
        "active": "class_consistency.active", "zeros": "sparsity", "dead": "dead_features"}


def at(found, key):
    for part in key.split("."):
        found = found[part] if isinstance(found, dict) and part in found else None
    return found


def measure(orthant, file, work, options):
    found = driver.json_of(orthant, "measure", file, "--labels", work / "y.npy", "--json", "--quiet", "--threads", options.threads)
    return {name: at(found, key) for name, key in KEYS.items()}


def data_of(orthant, work, items):
    if not (work / "y.npy").exists():
        driver.output_of(orthant, "data", "export", "fashion", "--size", items, "-o", work / "fashion.npz", "--quiet")
        arrays = np.load(work / "fashion.npz")
        np.save(work / "v.npy", arrays["images"].reshape(items, -1).astype(np.float32))
        np.save(work / "y.npy", arrays["labels"].astype(np.int64))
    return f"npy:{work / 'v.npy'},{work / 'y.npy'}"


def measured(orthant, work, data, method, positives, seed, options):
    run = work / f"{method}-{positives}-{seed}"
    kept = run.with_suffix(".json")
    if not kept.exists():
        said = ["--epochs", 1] if options.small else ["--epochs", 6] if positives == "nearest" else []
        driver.output_of(orthant, "pretrain", "--data", data, "--method", method, "--positives", positives, "--seed", seed, "-o", run,
                         "--quiet", "--overwrite", "--threads", options.threads, *said)
        driver.output_of(orthant, "embed", run, "--split", "all", "-o", run / "all.safetensors", "--quiet", "--overwrite",
                         "--threads", options.threads)
        kept.write_text(json.dumps(measure(orthant, run / "all.safetensors", work, options)))
    return json.loads(kept.read_text())


def spread(rows, key, scale):
    values = [scale * row[key] for row in rows if row[key] is not None]
    if not values:
        return "-"
    middle = f"{statistics.mean(values):.1f}"
    return middle if len(values) < 2 else f"{middle} ± {statistics.stdev(values):.1f}"


def main():
    flags = driver.parser(__doc__, threads=2, small=True)
    flags.add_argument("--seeds", default="1,2,3")
    flags.add_argument("--items", type=int, default=6000)
    flags.add_argument("--work", type=pathlib.Path, default=pathlib.Path("senses_vectors"))
    options = flags.parse_args()
    if options.small:
        options.items, options.seeds, options.work = 500, "1", options.work / "small"
    orthant = options.bin / "orthant"
    options.work.mkdir(parents=True, exist_ok=True)
    work = options.work.resolve()
    data = data_of(orthant, work, options.items)
    columns = {"as they are": [measure(orthant, work / "v.npy", work, options)]}
    for positives in ("views", "nearest"):
        for method in ("cl", "ncl"):
            columns[f"{method.upper()}, {'noise' if positives == 'views' else 'neighbours'}"] = [
                measured(orthant, work, data, method, positives, int(seed), options) for seed in options.seeds.split(",")]
    print(f"| | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for name, key, scale in (("k-NN, % (by chance 10)", "knn", 100), ("main class of a feature's strongest 1 %, %", "consistency", 100),
                             ("the same by chance, %", "chance", 100), ("main class where it is not zero, %", "active", 100),
                             ("zeros, %", "zeros", 100), ("dead features", "dead", 1)):
        print(f"| {name} | {' | '.join(spread(rows, key, scale) for rows in columns.values())} |")
    print(f"\n{options.items} vectors. Seeds {options.seeds}.")


if __name__ == "__main__":
    main()
