#!/usr/bin/python3
"""CL against NCL on graphs, beside raw features and `orthant factorize`: the tables of docs/graphs.md.

senses_graph.py BIN_FOLDER --cora FOLDER [--seeds 1,2,3] [--only cora,planted,size] [--threads 1]

cora      edges, features and labels of Cora with its public split (cora.edges.txt, cora.features.txt, cora.labels.txt).
          k-NN (5, cosine) and a linear probe on the 1,000 test nodes from the 140 of train, and how the strongest
          features of all nodes go with the classes (NMI, purity, modularity).
planted   partitions of 1,000 nodes in four groups without features, 20 edges a node, from below the threshold at which
          they can be found to far above it: NMI of the strongest features, and of `factorize` at rank 4.
size      one epoch over a partition of 10^5 nodes and 10^6 edges, and of a tenth of it: seconds and memory.

Every run is `orthant pretrain --data DATA --method METHOD --seed SEED` with nothing else said, but for the sizes.
"""
import pathlib
import resource
import subprocess
import tempfile
import time

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

import driver

METHODS = ("ncl", "cl")


def show(name, found):
    print(name, *(f"{key} {value}" for key, value in found.items()), sep="\t", flush=True)


def spread(values):
    return f"{np.mean(values):.3f} +- {np.std(values, ddof=1) if len(values) > 1 else 0:.3f}"


def communities(orthant, file, *flags):
    found = driver.json_of(orthant, "measure", file, "--only", "communities", "--json", "--quiet", *flags)
    return found["communities"]


def factorized(orthant, folder, edges, rank, labels):
    """The communities of `factorize`, with the labels in the order of its rows."""
    out = folder / "w.safetensors"
    named = folder / "communities.tsv"
    driver.output_of(orthant, "factorize", edges, "--rank", rank, "-o", out, "--communities", named, "--overwrite", "--quiet")
    rows = [line.split("\t")[0] for line in named.read_text().splitlines()]
    ordered = folder / "ordered.txt"
    ordered.write_text("".join(f"{labels[row]}\n" for row in rows if row in labels))
    return communities(orthant, out, "--labels", ordered)


def learn(orthant, data, run, method, seed, threads, *flags):
    driver.output_of(orthant, "pretrain", "--data", data, "--method", method, "--seed", seed, "-o", run, "--quiet",
                     "--threads", threads, "--overwrite", *flags)
    for split in ("all", "train", "test"):
        driver.output_of(orthant, "embed", run, "--split", split, "--quiet", "--overwrite")
    return run / "embeddings"


def knn(orthant, bank, queries):
    found = driver.json_of(orthant, "measure", queries, "--bank", bank, "--only", "knn_accuracy", "--knn-k", 5, "--json", "--quiet")
    return found["knn_accuracy"]


def cora(orthant, folder, source, seeds, threads):
    edges, features, labels = (source / f"cora.{kind}.txt" for kind in ("edges", "features", "labels"))
    data = f"edges:{edges},{features},{labels}"
    truth = {line.split()[0]: line.split()[1] for line in labels.read_text().splitlines()}
    split = {line.split()[0]: line.split()[2] for line in labels.read_text().splitlines()}
    rows = np.zeros((len(truth), 1433), np.float32)
    for line in features.read_text().splitlines():
        node, *entries = line.split()
        for entry in entries:
            rows[int(node), int(entry.split(":")[0])] = float(entry.split(":")[1])
    x = {part: rows[[int(n) for n in truth if split[n] == part]] for part in ("train", "test")}
    y = {part: np.array([int(truth[n]) for n in truth if split[n] == part]) for part in ("train", "test")}
    near = KNeighborsClassifier(5, metric="cosine").fit(x["train"], y["train"])
    show("raw features", {"knn": f"{near.score(x['test'], y['test']):.3f}",
                          "probe": f"{LogisticRegression(max_iter=1000).fit(x['train'], y['train']).score(x['test'], y['test']):.3f}"})
    for rank in (7, 16, 64):
        show(f"factorize, rank {rank}", factorized(orthant, folder, edges, rank, truth))
    for method in METHODS:
        found = []
        for seed in seeds:
            run = folder / f"{method}-{seed}"
            files = learn(orthant, data, run, method, seed, threads)
            measured = communities(orthant, files / "all-projector.safetensors")
            measured["knn"] = knn(orthant, files / "train-projector.safetensors", files / "test-projector.safetensors")
            for layer in ("projector", "backbone"):
                probed = driver.json_of(orthant, "probe", run, "-o", folder / "probe", "--layer", layer, "--json", "--quiet",
                                        "--overwrite")
                measured[f"probe {layer}"] = probed["top1"]
            found.append(measured)
        show(method, {key: spread([each[key] for each in found]) for key in found[0]})


def planted(orthant, folder, seeds, threads, nodes=1000, groups=4, degree=20):
    for inside in (7.5, 10, 12, 14, 17):
        outside = degree - inside
        c_in, c_out = groups * inside, groups * outside / (groups - 1)
        snr = (c_in - c_out) ** 2 / (groups**2 * degree)
        scores = {"ncl": [], "factorize": []}
        for seed in seeds:
            rng = np.random.default_rng(seed)
            labels = np.arange(nodes) % groups
            same = labels[:, None] == labels[None]
            size = nodes // groups
            chance = np.where(same, inside / (size - 1), outside / (nodes - size))
            first, second = np.nonzero(np.triu(rng.random((nodes, nodes)) < chance, 1))
            edges = folder / "planted.txt"
            edges.write_text("".join(f"{a} {b}\n" for a, b in zip(first, second)))
            named = folder / "planted-labels.txt"
            named.write_text("".join(f"{i} g{label}\n" for i, label in enumerate(labels)))
            files = learn(orthant, f"edges:{edges},{named}", folder / "planted", "ncl", seed, threads, "--set",
                          f"projector.out={groups}")
            scores["ncl"].append(communities(orthant, files / "all-projector.safetensors")["nmi"])
            truth = {str(i): f"g{label}" for i, label in enumerate(labels)}
            scores["factorize"].append(factorized(orthant, folder, edges, groups, truth)["nmi"])
        show(f"planted, snr {snr:.2f}", {key: spread(values) for key, values in scores.items()})


def size(orthant, folder, threads):
    for nodes in (10_000, 100_000):
        before = time.monotonic()
        subprocess.run([str(part) for part in (orthant, "pretrain", "--data", f"partition:{nodes}", "--epochs", 1, "--seed", 1, "-o",
                                               folder / f"size-{nodes}", "--quiet", "--threads", threads)], check=True,
                       stdout=subprocess.DEVNULL)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        show(f"partition:{nodes}", {"edges": nodes * 10, "seconds": f"{time.monotonic() - before:.1f}", "MiB": f"{peak:.0f}"})


def main():
    flags = driver.parser(__doc__, threads=1)
    flags.add_argument("--cora", type=pathlib.Path)
    flags.add_argument("--seeds", default="1,2,3")
    flags.add_argument("--only", default="cora,planted,size")
    options = flags.parse_args()
    orthant = options.bin / "orthant"
    seeds = [int(seed) for seed in options.seeds.split(",")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if "cora" in options.only and options.cora:
            cora(orthant, folder, options.cora, seeds, options.threads)
        if "planted" in options.only:
            planted(orthant, folder, seeds, options.threads)
        if "size" in options.only:
            size(orthant, folder, options.threads)


if __name__ == "__main__":
    main()
