#!/usr/bin/python3
"""What two towers come to on pairs, CL against NCL: the tables of docs/results.md.

towers.py BIN_FOLDER captions|flickr8k|newsgroups [DATA] [--seeds 1,2,3] [--epochs N] [--init RUN] [--output FOLDER]

captions    the built-in sprites with their captions; and how many of 10,000 test pictures a phrase of each shape ("a ring")
            and of each colour ("a red one") tells right
flickr8k    DATA/images and DATA/captions.tsv (file, split, caption); with --init, also from the backbone of RUN, a run
            on pictures of 32x32: trained on, and frozen
newsgroups  DATA/20newsgroups.tsv (class, id, subject, body): the subject of a post with its body

Every run is kept in FOLDER; what is there already is resumed, or read. Prints the mean and the deviation over seeds of
what the last epoch says of the held-out pairs.
"""
import json
import pathlib
import statistics

import driver

NETWORK = ["--set", "backbone_a.width=32"]
SMALL = [*NETWORK, "--image-size", 32]


def kinds(options):
    """What is trained: for each row of the table its flags."""
    if options.data_set == "captions":
        return {"from scratch": ["--pairs", "sprites", "--with", "captions", "--train-size", 25600, *NETWORK]}
    if options.data_set == "newsgroups":
        table = f"text:{options.data / '20newsgroups.tsv'}"
        return {"subject and body": ["--pairs", f"{table},column=subject,label=class,empty=skip",
                                     "--with", f"{table},column=body,empty=skip"]}
    pairs = ["--pairs", f"folder:{options.data / 'images'}",
             "--with", f"text:{options.data / 'captions.tsv'},column=caption,id=file,split=split"]
    rows = {"from scratch": [*pairs, *SMALL]}
    if options.init:
        rows["frozen features"] = [*pairs, "--init-from-a", options.init, "--freeze", "a"]
        rows["trained from features"] = [*pairs, "--init-from-a", options.init]
    return rows


def last_epoch(run):
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [line for line in lines if line["kind"] == "epoch"][-1]


def learn(orthant, run, flags):
    """What the last epoch of a run says; the run is made, or gone on with."""
    if (run / "run.toml").exists():
        driver.output_of(orthant, "resume", run, "--quiet")
    else:
        driver.output_of(orthant, "pretrain", *flags, "-o", run, "--quiet")
    return last_epoch(run)


def zero_shot(orthant, runs, folder):
    """The accuracy of each run for shapes and colours, classes that it was never told of."""
    info = driver.json_of(orthant, "data", "info", "sprites", "--json")
    colour = next(factor for factor in info["factors"] if factor["name"] == "colour")
    asked = {"shape": ([entry["name"] for entry in info["classes"]], "a {}", []),
             "colour": (colour["names"], "a {} one", ["--factor", "colour"])}
    for kind, (names, template, flags) in asked.items():
        file = folder / f"{kind}s.txt"
        file.write_text("\n".join(names) + "\n")
        yield kind, [driver.json_of(orthant, "classify", run, "--names", file, "--template", template, *flags, "--json",
                                    "--quiet")["accuracy"] for run in runs]


def percent(values):
    mean = 100 * statistics.mean(values)
    return f"{mean:.1f}" + (f" ± {100 * statistics.stdev(values):.1f}" if len(values) > 1 else "")


def row(name, method, found):
    def of(key):
        return [line[key] for line in found]

    def both(end):
        return f"{percent(of('a_to_b_' + end))} / {percent(of('b_to_a_' + end))}"

    ranks = " / ".join(f"{statistics.mean(of(f'{way}_median_rank')):.0f}" for way in ("a_to_b", "b_to_a"))
    dead = " / ".join(f"{statistics.mean(of('dead_features_' + tower)):.0f}" for tower in "ab")
    zeros = " / ".join(percent(of("sparsity_" + tower)) for tower in "ab")
    return [name, method, both("recall_at_1"), both("recall_at_10"), ranks, zeros, dead, percent(of("shared_features"))]


def main():
    flags = driver.parser(__doc__)
    flags.add_argument("data_set", choices=["captions", "flickr8k", "newsgroups"])
    flags.add_argument("data", type=pathlib.Path, nargs="?")
    flags.add_argument("--seeds", default="1,2,3")
    flags.add_argument("--epochs", type=int)
    flags.add_argument("--init", type=pathlib.Path)
    flags.add_argument("--threads", type=int, default=2)
    flags.add_argument("--output", type=pathlib.Path, default=pathlib.Path("build/towers"))
    options = flags.parse_args()
    if options.data_set != "captions" and options.data is None:
        flags.error(f"{options.data_set}: expected its folder")
    options.output.mkdir(parents=True, exist_ok=True)
    seeds = [int(seed) for seed in options.seeds.split(",")]
    heads = ["", "method", "recall@1, a to b / b to a, %", "recall@10, %", "median rank", "zeros a / b, %", "dead a / b",
             "features that both members fire, %"]
    print("| " + " | ".join(heads) + " |", "|---" * len(heads) + "|", sep="\n")
    for name, chosen in kinds(options).items():
        for method in ("cl", "ncl"):
            found = []
            runs = [options.output / f"{options.data_set}-{name.replace(' ', '-')}-{method}-{seed}" for seed in seeds]
            for seed, run in zip(seeds, runs):
                length = ["--epochs", options.epochs] if options.epochs else []
                found.append(learn(options.bin / "orthant", run, [*chosen, *length, "--method", method, "--seed", seed,
                                                                  "--threads", options.threads]))
            print("| " + " | ".join(row(name, method, found)) + " |", flush=True)
            if options.data_set == "captions":
                for kind, accuracy in zero_shot(options.bin / "orthant", runs, options.output):
                    print(f"  {method}: told by {kind} {percent(accuracy)} %", flush=True)
    print(f"{found[0]['held_out_pairs']:.0f} held-out pairs")


if __name__ == "__main__":
    main()
