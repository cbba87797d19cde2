#!/usr/bin/python3
"""Cross entropy against non-negative cross entropy: the table of docs/results.md.

supervise.py BIN_FOLDER DATA [--epochs 20] [--tune-epochs 10] [--init RUN] [--seeds 1,2,3] [--projectors none,mlp]
             [--width 32] [--output FOLDER] [--threads 2] [--set KEY=VALUE ...]

Trains recipes/supervise-nce.toml on DATA, such as cifar10:DIR, by CE and NCE with each kind of projector (none; linear: a
single layer; mlp), from scratch, and with --init from the weights of that run, whose projector is used where its depth is
the same. Prints tables in Markdown, and writes them to FOLDER/table.md: accuracy on held-out items at the end, at a quarter
and at half of the epochs, with what features are like at the end; and the accuracy after every epoch. Means over the
seeds, with the deviation of accuracy (n - 1).

It goes on where it was stopped. The runs are FOLDER/{scratch,tune}-{ce,nce}[-linear|-projector]-SEED.
"""
import itertools
import json
import pathlib
import statistics

import driver

RECIPE = pathlib.Path(__file__).resolve().parent.parent / "recipes/supervise-nce.toml"
PROJECTORS = {  # the name in a folder, and what gives it
    "none": ("", []),
    "linear": ("-linear", ["--set", "projector.depth=1"]),
    "mlp": ("-projector", ["--projector"]),
}


def evaluated(run):
    """The epochs that the log of a run tells with measures of held-out items, each once."""
    log = run / "metrics.jsonl"
    lines = {}
    for line in log.read_text().splitlines() if log.exists() else []:
        entry = json.loads(line)
        if entry["kind"] == "epoch" and "test_accuracy" in entry:
            lines[entry["epoch"]] = entry
    return [lines[epoch] for epoch in sorted(lines)]


def trained(options, start, projector, loss, seed):
    """The epochs of that run, which is begun, gone on with, or finished already."""
    name, flags = PROJECTORS[projector]
    run = options.output / f"{start}-{loss}{name}-{seed}"
    epochs = options.epochs if start == "scratch" else options.tune_epochs
    done = evaluated(run)
    if done and done[-1]["epoch"] == epochs:
        return done
    orthant = options.bin / "orthant"
    if (run / "run.toml").exists():
        driver.output_of(orthant, "resume", run, "--quiet")
        return evaluated(run)
    more = [] if start == "scratch" else ["--init-from", options.init]
    for setting in [f"backbone.width={options.width}", *options.set]:
        more += ["--set", setting]
    driver.output_of(orthant, "supervise", "--recipe", RECIPE, "--data", options.data, "--loss", loss, "--epochs", epochs,
                     "--seed", seed, "--threads", options.threads, *flags, *more, "--quiet", "-o", run, "--overwrite")
    return evaluated(run)


def percent(values):
    return f"{100 * statistics.mean(values):.1f}"


def at(share, epochs):
    """The accuracy when this share of the epochs was over."""
    return next(entry["test_accuracy"] for entry in epochs if entry["epoch"] >= share * epochs[-1]["epoch"])


def line(cells):
    return "| " + " | ".join(cells) + " |"


def row(start, projector, loss, runs):
    last = [run[-1] for run in runs]
    final = [entry["test_accuracy"] for entry in last]
    spread = f" ± {100 * statistics.stdev(final):.1f}" if len(final) > 1 else ""
    return line([start, projector, loss.upper(), percent(final) + spread, percent([at(0.25, run) for run in runs]),
                 percent([at(0.5, run) for run in runs]), percent([entry["consistency"] for entry in last]),
                 percent([entry["sparsity"] for entry in last]),
                 f"{statistics.mean(entry['dead_features'] for entry in last):.0f}"])


def tables(found):
    ends = ["| start | projector | loss | accuracy % | at a quarter | at half | consistency % | zeros % | dead |",
            "|---|---|---|---|---|---|---|---|---|", *(row(*case, runs) for case, runs in found.items())]
    curves = ["| start | projector | loss | accuracy % after each epoch |", "|---|---|---|---|"]
    for (start, projector, loss), runs in found.items():
        each = [percent([entry["test_accuracy"] for entry in epoch]) for epoch in zip(*runs)]
        curves.append(line([start, projector, loss.upper(), ", ".join(each)]))
    return "\n".join([*ends, "", *curves]) + "\n"


def main():
    names = lambda text: text.split(",")
    flags = driver.parser(__doc__, threads=2)
    flags.add_argument("data", help="KIND[:PATH]")
    flags.add_argument("--epochs", type=int, default=20)
    flags.add_argument("--tune-epochs", type=int, default=10)
    flags.add_argument("--init", type=pathlib.Path, help="run that fine-tuning starts from; without: none")
    flags.add_argument("--seeds", type=names, default=["1", "2", "3"])
    flags.add_argument("--projectors", type=names, default=["none", "mlp"], help="of none, linear, mlp")
    flags.add_argument("--width", type=int, default=32, help="of conv-mini")
    flags.add_argument("--output", type=pathlib.Path, default=pathlib.Path("build/supervise"))
    flags.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of every run")
    options = flags.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    starts = ["scratch"] + (["tune"] if options.init else [])
    found = {}
    for seed in options.seeds:  # every row has its first seed before any has its second
        for case in itertools.product(starts, options.projectors, ("ce", "nce")):
            found.setdefault(case, []).append(trained(options, *case, seed))
            print(*case, f"seed {seed}:", f"{found[case][-1][-1]['test_accuracy']:.4f}", flush=True)
        (options.output / "table.md").write_text(tables(found))
    print("\n" + tables(found), end="")


if __name__ == "__main__":
    main()
