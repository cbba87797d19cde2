#!/usr/bin/python3
"""What `orthant adapt` is worth: planted parts, words, and features of an encoder of pictures.

adapt_quality.py BIN_FOLDER planted [--rows 1000000] [--dims 768] [--parts 1024]
adapt_quality.py BIN_FOLDER words GLOVE.npy WORDS.txt [--look 50]
adapt_quality.py BIN_FOLDER features FILE [--labels FILE] [--active 8 16 32] [--features 2048] [--seeds 3]
adapt_quality.py BIN_FOLDER pairs PICTURES.npy CAPTIONS.txt GLOVE.npy WORDS.txt [--seeds 3]

planted   generated clusters whose rows are sums of sparse planted parts; the mean over the parts of the best cosine with
          any learned decoder row (target 0.95), seconds and peak memory
words     60,000 x 100 -> 1,000 features, 10 on: recall of the dense 10-NN, and random features with their strongest words
features  embeddings of a run (.safetensors with labels): topk, csr, ncl, batch and jump side by side, mean over seeds; with how
          pure the strongest 1 % of items of each feature are, and how alike (monosemanticity), with chance
pairs     two towers: pictures and their captions, each caption as the mean of the vectors of its words
"""
import json
import os
import pathlib
import random
import sys
import tempfile
import time

import numpy

import driver

PLANTED = 4  # parts in a row


def adapt(binary, file, run, *more):
    """result.json, seconds and the largest resident size in MiB."""
    command = [str(binary / "orthant"), "adapt", str(file), "-o", str(run), "--overwrite", *map(str, more)]
    start = time.perf_counter()
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"adapt_quality.py: {' '.join(command)} failed")
    return json.loads((run / "result.json").read_text()), time.perf_counter() - start, usage.ru_maxrss / 1024


def tensors(path):
    """The float32 tensors of a safetensors file."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    found = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] not in ("F32", "I32", "I64"):
            continue
        begin, end = entry["data_offsets"]
        kind = {"F32": numpy.float32, "I32": numpy.int32, "I64": numpy.int64}[entry["dtype"]]
        found[name] = numpy.frombuffer(data[8 + size + begin:8 + size + end], kind).reshape(entry["shape"])
    return found


def plant(path, rows, dims, parts, seed=0):
    """Each row belongs to one of parts / 4 clusters; a cluster has eight parts, of which a row has PLANTED, and noise."""
    generator = numpy.random.default_rng(seed)
    dictionary = generator.standard_normal((parts, dims)).astype(numpy.float32)
    dictionary /= numpy.linalg.norm(dictionary, axis=1, keepdims=True)
    clusters = generator.integers(0, parts, (parts // 4, 8))
    file = open(path, "wb")  # a mapped one would count as memory of the program that is started from here
    numpy.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (rows, dims)})
    for begin in range(0, rows, 16384):
        count = min(16384, rows - begin)
        chosen = clusters[generator.integers(0, len(clusters), count)]
        order = generator.random(chosen.shape).argsort(1)[:, :PLANTED]
        chosen = numpy.take_along_axis(chosen, order, 1)
        amounts = generator.uniform(0.5, 1.5, chosen.shape).astype(numpy.float32)
        made = numpy.zeros((count, dims), numpy.float32)
        for n in range(PLANTED):
            made += amounts[:, n:n + 1] * dictionary[chosen[:, n]]
        noise = generator.standard_normal((count, dims), dtype=numpy.float32)
        (made + noise * (0.1 / dims ** 0.5)).astype(numpy.float32).tofile(file)
    file.close()
    return dictionary[numpy.unique(clusters)]


def planted(arguments, folder):
    dictionary = plant(folder / "rows.npy", arguments.rows, arguments.dims, arguments.parts)
    result, seconds, peak = adapt(arguments.bin, folder / "rows.npy", folder / "run", "--features", 2 * arguments.parts,
                                  "--active", PLANTED, *arguments.more)
    decoder = tensors(folder / "run" / "model.safetensors")["decoder.weight"]
    decoder = decoder / numpy.linalg.norm(decoder, axis=1, keepdims=True)
    best = (dictionary @ decoder.T).max(1)
    own = next(row for row in result["retained"] if row["code"] == f"{PLANTED} on")
    print(f"{arguments.rows} x {arguments.dims}, {len(dictionary)} parts: mean best cosine {best.mean():.4f}, "
          f"worst {best.min():.4f}, {(best > 0.9).mean():.1%} above 0.9; explained {own['explained_variance']:.3f}; "
          f"{seconds:.0f} s, {peak:.0f} MiB")
    driver.finish(["mean best cosine"] if best.mean() < 0.95 else [])


def strongest_words(run, words, features, count=10):
    found = tensors(run / "embeddings" / "all-projector.safetensors")
    indptr, indices, values = (found[name] for name in ("features.indptr", "features.indices", "features.values"))
    rows = numpy.repeat(numpy.arange(len(indptr) - 1), numpy.diff(indptr))
    for feature in features:
        on = indices == feature
        order = numpy.argsort(-values[on], kind="stable")[:count]
        yield feature, int(on.sum()), [words[row] for row in rows[on][order]]


def word_features(arguments, folder):
    run = arguments.run or folder / "words"
    result, seconds, peak = adapt(arguments.bin, arguments.vectors, run, "--ids", arguments.words, "--features", 1000,
                                  "--active", 10, *arguments.more)
    for row in result["retained"]:
        print(f"{row['code']:>9}: recall of the dense 10-NN {row['recall_of_dense_10']:.3f}, "
              f"explained {row['explained_variance']:.3f}, dead {row['dead_share']:.3f}")
    print(f"{seconds:.0f} s, {peak:.0f} MiB")
    driver.output_of(arguments.bin / "orthant", "embed", run, "--overwrite", "--quiet")
    words = pathlib.Path(arguments.words).read_text().splitlines()
    chosen = sorted(random.Random(arguments.seed).sample(range(1000), arguments.look))
    for feature, on, strongest in strongest_words(run, words, chosen):
        print(f"f{feature} ({on} words): {', '.join(strongest)}")


def meaning(arguments, file):
    """How pure the strongest 1 % of each feature's items are, and how alike (chance: of random items), of all rows."""
    labels = ["--labels", arguments.labels] if arguments.labels else []
    found = driver.json_of(arguments.bin / "orthant", "measure", file, "--reference", arguments.file, "--only",
                           "class_consistency,monosemanticity", "--json", "--quiet", *labels)
    return {"top": found["class_consistency"]["top"], "mono": found["monosemanticity"],
            "top chance": found["chance"]["class_consistency"]["top"], "mono chance": found["chance"]["monosemanticity"]}


def beside_chance(found):
    return [f"{found['top']:.1%} ({found['top chance']:.1%})", f"{found['mono']:.3f} ({found['mono chance']:.3f})"]


def side_by_side(arguments, folder):
    widths = (8, 5, 7, 8, 8, 12, 11, 7, 17, 16, 9)
    driver.row("method", "K", "on", "1-NN", "20-NN", "10-NN kept", "explained", "dead", "top 1 %", "alike", "seconds", widths=widths)
    told = False
    for active in arguments.active:
        for method in arguments.methods:
            found = []
            dense = []  # each seed holds out other rows
            for seed in range(arguments.seeds):
                more = ["--labels", arguments.labels] if arguments.labels else []
                result, seconds, _ = adapt(arguments.bin, arguments.file, folder / f"{method}-{active}", "--method", method,
                                           "--features", arguments.features, "--active", active, "--seed", seed, "--quiet",
                                           *more, *arguments.more)
                rows = {row["code"]: row for row in result["retained"]}
                driver.output_of(arguments.bin / "orthant", "embed", folder / f"{method}-{active}", "--overwrite", "--quiet")
                codes = folder / f"{method}-{active}" / "embeddings" / "all-projector.safetensors"
                found.append({**rows.get("own gate", rows[f"{active} on"]), "seconds": seconds, **meaning(arguments, codes)})
                dense.append(rows["dense"])
            if not told:
                told = True
                own = meaning(arguments, arguments.file)
                driver.row("vectors", "", f"{dense[0]['active_per_row']:.0f}",
                           *share(*(numpy.mean([one[key] for one in dense]) for key in ("one_nn", "knn_20"))), "", "", "",
                           *beside_chance(own), "", widths=widths)
            mean = {key: numpy.mean([one[key] for one in found]) if found[0][key] is not None else None
                    for key in found[0] if key != "code"}
            driver.row(method, active, f"{mean['active_per_row']:.1f}",
                       *share(mean["one_nn"], mean["knn_20"], mean["recall_of_dense_10"], mean["explained_variance"],
                              mean["dead_share"]), *beside_chance(mean), f"{mean['seconds']:.0f}", widths=widths)


def caption_vectors(captions, vectors, words):
    """Of each caption the mean of the vectors of its words; words that have none are passed over."""
    places = {word: place for place, word in enumerate(words)}
    made = numpy.zeros((len(captions), vectors.shape[1]), numpy.float32)
    for row, caption in enumerate(captions):
        known = [places[word] for word in caption.lower().split() if word in places]
        made[row] = vectors[known].astype(numpy.float32).mean(0) if known else 0
    return made


def pairs(arguments, folder):
    captions = pathlib.Path(arguments.captions).read_text().splitlines()
    words = pathlib.Path(arguments.words).read_text().splitlines()
    numpy.save(folder / "texts.npy", caption_vectors(captions, numpy.load(arguments.glove), words))
    found = {}
    for seed in range(arguments.seeds):
        result, _, _ = adapt(arguments.bin, arguments.pictures, folder / "run", "--with", folder / "texts.npy", "--seed", seed,
                             "--quiet", *arguments.more)
        for row in [*result["retained"], result["chance"]]:
            found.setdefault(row["code"], []).append([*row["pairs"].values(), row["recall_of_dense_10"]])
    widths = (10, 12, 12, 12, 12, 14)
    print(f"{len(captions)} pairs, {result['held_out']} of them held out; mean over {arguments.seeds} seeds, worst in brackets")
    driver.row("code", "p>t R@1", "p>t R@10", "t>p R@1", "t>p R@10", "10-NN kept", widths=widths)
    for code, rows in found.items():
        driver.row(code, *(f"{mean:.1%} ({worst:.0%})" for mean, worst in zip(numpy.mean(rows, 0), numpy.min(rows, 0))),
                   widths=widths)


def share(*values):
    return ["-" if value is None else f"{value:.1%}" for value in values]


def main():
    parser = driver.parser(__doc__)
    commands = parser.add_subparsers(dest="what", required=True)
    one = commands.add_parser("planted")
    one.add_argument("--rows", type=int, default=1_000_000)
    one.add_argument("--dims", type=int, default=768)
    one.add_argument("--parts", type=int, default=1024)
    two = commands.add_parser("words")
    two.add_argument("vectors")
    two.add_argument("words")
    two.add_argument("--look", type=int, default=50)
    two.add_argument("--seed", type=int, default=1, help="of the features that are looked at")
    two.add_argument("--run", type=pathlib.Path, help="keep the run here")
    three = commands.add_parser("features")
    three.add_argument("file")
    three.add_argument("--labels")
    three.add_argument("--active", type=int, nargs="+", default=[8, 16, 32])
    three.add_argument("--features", type=int, default=2048)
    three.add_argument("--seeds", type=int, default=3)
    three.add_argument("--methods", nargs="+", default=["topk", "csr", "ncl", "batch", "jump"])
    four = commands.add_parser("pairs")
    for name in ("pictures", "captions", "glove", "words"):
        four.add_argument(name)
    four.add_argument("--seeds", type=int, default=3)
    for command in (one, two, three, four):
        command.add_argument("--more", nargs="*", default=[], help="more flags of orthant adapt, without their dashes: a=b")
    arguments = parser.parse_args()
    arguments.more = ["--" + flag for flag in arguments.more]
    with tempfile.TemporaryDirectory() as folder:
        run = {"planted": planted, "words": word_features, "features": side_by_side, "pairs": pairs}[arguments.what]
        run(arguments, pathlib.Path(folder))


if __name__ == "__main__":
    main()
