#!/usr/bin/python3
"""CL against NCL on spoken words whose voices were never heard: the table of docs/results.md, as Markdown.

senses_sound.py BIN_FOLDER [--seeds 1,2,3] [--epochs 12] [--work FOLDER] [--threads 2] [--small]

The data set is `spoken`: 20 words, 16 voices to learn from and 4 others to test on. Every run is `orthant pretrain --data
spoken --method METHOD --seed SEED --image-size 32 --set backbone.width=32 --epochs 12`, which is about a minute on two cores. k-NN (20, cosine) looks the 720 test sounds
up among the 2,880 of train; the probe is a linear classifier on the features behind the projector, and before it. Beside
them: k-NN on the spectrograms themselves, and chance.

What a run came to is kept in FOLDER: a stopped benchmark goes on where it was.
"""
import json
import pathlib
import statistics
import time

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

import driver

METHODS = ("cl", "ncl")
FACTORS = ("word", "voice", "speed", "pitch")


def at(found, key):
    for part in key.split("."):
        found = found[part] if isinstance(found, dict) and part in found else None
    return found


def measured(orthant, work, method, seed, options):
    run = work / f"{method}-{seed}"
    kept = run.with_suffix(".json")
    if kept.exists():
        return json.loads(kept.read_text())
    begin = time.monotonic()
    said = ["--image-size", 32, "--set", "backbone.width=32", "--epochs", options.epochs]
    driver.output_of(orthant, "pretrain", "--data", "spoken", "--method", method, "--seed", seed, "-o", run, "--quiet", "--overwrite",
                     "--threads", options.threads, *said)
    seconds = time.monotonic() - begin
    for split in ("train", "test"):
        driver.output_of(orthant, "embed", run, "--split", split, "--quiet", "--overwrite", "--threads", options.threads)
    files = run / "embeddings"
    found = driver.json_of(orthant, "measure", files / "test-projector.safetensors", "--bank", files / "train-projector.safetensors",
                           "--json", "--quiet", "--threads", options.threads)
    row = {"seconds": seconds, "knn": at(found, "knn_accuracy"), "consistency": at(found, "class_consistency.top"),
           "consistency chance": at(found, "chance.class_consistency.top"), "active": at(found, "active_per_sample"),
           "dead": at(found, "dead_features"), "following": at(found, "following.mean"),
           "following chance": at(found, "chance.following.mean"), "features": at(found, "following.features")}
    for factor in FACTORS:
        row[factor] = at(found, f"following.of.{factor}") or 0
    for layer in ("projector", "backbone"):
        probed = driver.json_of(orthant, "probe", run, "-o", work / "probe", "--layer", layer, "--json", "--quiet", "--overwrite",
                                "--threads", options.threads)
        row[f"probe {layer}"] = probed["top1"]
    kept.write_text(json.dumps(row))
    return row


def spectrograms(orthant, work):
    """k-NN on the pictures that people see: the whole sound, stretched to 64 x 64."""
    parts = {}
    for split in ("train", "test"):
        file = work / f"{split}.npz"
        if not file.exists():
            driver.output_of(orthant, "data", "export", "spoken", "--split", split, "-o", file, "--quiet")
        arrays = np.load(file)
        parts[split] = arrays["images"].reshape(len(arrays["images"]), -1).astype(np.float32), arrays["labels"]
    near = KNeighborsClassifier(20, metric="cosine").fit(*parts["train"])
    return near.score(*parts["test"])


def spread(rows, key, scale=1, digits=1):
    values = [scale * row[key] for row in rows if row[key] is not None]
    if not values:
        return "-"
    middle = f"{statistics.mean(values):.{digits}f}"
    return middle if len(values) < 2 else f"{middle} ± {statistics.stdev(values):.{digits}f}"


def main():
    flags = driver.parser(__doc__, threads=2, small=True)
    flags.add_argument("--seeds", default="1,2,3")
    flags.add_argument("--epochs", type=int, default=12)
    flags.add_argument("--work", type=pathlib.Path, default=pathlib.Path("senses_sound"))
    options = flags.parse_args()
    if options.small:
        options.epochs, options.seeds, options.work = 1, "1", options.work / "small"
    orthant = options.bin / "orthant"
    options.work.mkdir(parents=True, exist_ok=True)
    rows = {method: [measured(orthant, options.work, method, int(seed), options) for seed in options.seeds.split(",")]
            for method in METHODS}
    every = [row for found in rows.values() for row in found]
    print("| | CL | NCL | chance |\n|---|---|---|---|")
    lines = [("k-NN, %", "knn", 100, 1, "5.0"),
             ("probe behind the projector, %", "probe projector", 100, 1, "5.0"),
             ("probe on the backbone, %", "probe backbone", 100, 1, "5.0"),
             ("top items of a feature that share a word, %", "consistency", 100, 1, spread(every, "consistency chance", 100)),
             ("how far the strongest items agree on a factor's value", "following", 1, 2, spread(every, "following chance", 1, 2)),
             *((f"features that follow the {factor}", factor, 1, 1, "") for factor in FACTORS),
             ("features with items to judge", "features", 1, 1, ""),
             ("active features a sound", "active", 1, 1, ""),
             ("dead features", "dead", 1, 1, ""),
             ("seconds to train", "seconds", 1, 0, "")]
    for name, key, scale, digits, chance in lines:
        print(f"| {name} | {' | '.join(spread(rows[method], key, scale, digits) for method in METHODS)} | {chance} |")
    print(f"\nk-NN on the spectrograms themselves: {100 * spectrograms(orthant, options.work):.1f} %. Seeds {options.seeds}.")


if __name__ == "__main__":
    main()
