#!/usr/bin/python3
"""Cross entropy against non-negative cross entropy: the table of docs/results.md.

supervise.py BIN_FOLDER DATA [--minutes 4] [--seeds 1,2,3] [--projectors none,mlp] [--starts scratch,fine-tune]
             [--output FOLDER] [--threads 2] [--set KEY=VALUE ...]

Trains recipes/supervise-nce.toml on DATA, such as cifar10:DIR, by CE and NCE with each kind of projector (none; linear: a
single layer; mlp), from scratch and from an NCL run of the same network, seed and minutes. All runs have the same number
of epochs, as many as fit into the minutes for NCE with an MLP, measured once. Prints a table in Markdown, and writes it to
FOLDER/table.md: accuracy on held-out items at the end, at a quarter and at half of the epochs, with what features are like
at the end; means over the seeds, with the deviation of accuracy (n - 1).

It goes on where it was stopped: FOLDER holds the runs and the number of epochs.
"""
import itertools
import json
import pathlib
import statistics

import driver

RECIPES = pathlib.Path(__file__).resolve().parent.parent / "recipes"
PROJECTORS = {
    "none": [],
    "linear": ["--projector", "--set", "projector.depth=1"],
    "mlp": ["--projector"],
}
PRETRAINING = {"linear": ["--set", "projector.depth=1"]}


class Trial:
    def __init__(self, options):
        self.orthant = options.bin / "orthant"
        self.folder = options.output
        self.common = ["--data", options.data, "--threads", options.threads, "--quiet"]
        for setting in options.set:
            self.common += ["--set", setting]
        self.minutes = options.minutes
        self.folder.mkdir(parents=True, exist_ok=True)

    def planned(self, command, recipe, *flags):
        """The epochs that fit into the minutes here; asked once and kept."""
        plan = self.folder / f"{command}-epochs.json"
        if not plan.exists():
            cost = driver.json_of(self.orthant, command, "--recipe", RECIPES / recipe, *self.common, *flags, "--epochs",
                                  100, "--dry-run", "--json")
            plan.write_text(json.dumps(max(4, round(self.minutes * 60 / (cost["seconds"] / 100)))))
        return json.loads(plan.read_text())

    def trained(self, command, name, epochs, *flags):
        """The run of that name, begun, gone on with or finished already: its epochs as the log tells them."""
        run = self.folder / name
        log = run / "metrics.jsonl"
        if not (run / "run.toml").exists():
            driver.output_of(self.orthant, command, *self.common, *flags, "--epochs", epochs, "-o", run, "--overwrite")
        elif len(evaluated(log)) == 0 or evaluated(log)[-1]["epoch"] < epochs:
            driver.output_of(self.orthant, "resume", run, "--quiet")
        return evaluated(log)

    def pretrained(self, projector, seed):
        recipe = "cifar10-hour.toml"
        width = ["--set", "backbone.width=32"]
        epochs = self.planned("pretrain", recipe, *width)
        kind = "linear" if projector == "linear" else "mlp"
        name = f"ncl-{kind}-{seed}"
        self.trained("pretrain", name, epochs, "--recipe", RECIPES / recipe, *width, "--seed", seed,
                     *PRETRAINING.get(kind, []))
        return self.folder / name

    def supervised(self, loss, projector, start, seed):
        recipe = "supervise-nce.toml"
        epochs = self.planned("supervise", recipe, "--projector")
        flags = ["--recipe", RECIPES / recipe, "--loss", loss, "--seed", seed, *PROJECTORS[projector]]
        if start == "fine-tune":
            flags += ["--init-from", self.pretrained(projector, seed)]
        return self.trained("supervise", f"{loss}-{projector}-{start}-{seed}", epochs, *flags)


def evaluated(log):
    """The epochs of a log that have measures of held-out items; those of a run that was cut come once."""
    if not log.exists():
        return []
    lines = {}
    for line in log.read_text().splitlines():
        entry = json.loads(line)
        if entry["kind"] == "epoch" and "sparsity" in entry:
            lines[entry["epoch"]] = entry
    return [lines[epoch] for epoch in sorted(lines)]


def at(share, epochs):
    """The accuracy when this share of the epochs was over."""
    due = share * epochs[-1]["epoch"]
    return next(entry["test_accuracy"] for entry in epochs if entry["epoch"] >= due)


def row(start, projector, loss, runs):
    percent = lambda values: f"{100 * statistics.mean(values):.1f}"
    last = [run[-1] for run in runs]
    final = [entry["test_accuracy"] for entry in last]
    spread = f" ± {100 * statistics.stdev(final):.1f}" if len(final) > 1 else ""
    cells = [start, projector, loss.upper(), percent(final) + spread, percent([at(0.25, run) for run in runs]),
             percent([at(0.5, run) for run in runs]), percent([entry["consistency"] for entry in last]),
             percent([entry["sparsity"] for entry in last]),
             f"{statistics.mean(entry['dead_features'] for entry in last):.0f}"]
    return "| " + " | ".join(cells) + " |"


def main():
    names = lambda text: text.split(",")
    flags = driver.parser(__doc__, threads=2)
    flags.add_argument("data", help="KIND[:PATH]")
    flags.add_argument("--minutes", type=float, default=4, help="of a run")
    flags.add_argument("--seeds", type=names, default=["1", "2", "3"])
    flags.add_argument("--projectors", type=names, default=["none", "mlp"], help="of none, linear, mlp")
    flags.add_argument("--starts", type=names, default=["scratch", "fine-tune"])
    flags.add_argument("--output", type=pathlib.Path, default=pathlib.Path("build/supervise"))
    flags.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of every run")
    options = flags.parse_args()
    trial = Trial(options)
    table = ["| start | projector | loss | accuracy % | at a quarter | at half | consistency % | zeros % | dead |",
             "|---|---|---|---|---|---|---|---|---|"]
    found = {}
    for seed in options.seeds:  # every row has its first seed before any has its second
        for case in itertools.product(options.starts, options.projectors, ("ce", "nce")):
            start, projector, loss = case
            found.setdefault(case, []).append(trial.supervised(loss, projector, start, seed))
            print(*case, f"seed {seed}:", f"{found[case][-1][-1]['test_accuracy']:.4f}", flush=True)
    table += [row(*case, runs) for case, runs in found.items()]
    (options.output / "table.md").write_text("\n".join(table) + "\n")
    print("\n".join(table))


if __name__ == "__main__":
    main()
