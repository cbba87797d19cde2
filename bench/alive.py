#!/usr/bin/python3
"""What keeps non-negative features alive, pure and as good as any others: the tables of docs/alive.md.

alive.py BIN_FOLDER DATA [--trials NAME,...] [--minutes 2] [--seeds 1] [--threads 2] [--work FOLDER] [--judge]

DATA is sprites, dsprites, fashion or cifar10:DIR. Each trial is the program's default with a few settings changed; those of
a group are listed under its name in TRIALS below, and --trials takes names of trials and of groups. All get the same
processor time: how many pictures fit into it is found out first (in processor seconds, which a machine that does other
work hardly changes).

Without --judge, trials are for choosing: they learn from 90 % of the training pictures and are looked at with the rest
(generated data: other pictures than those that are judged), and nothing ever sees the test pictures. With --judge they
learn from the training pictures and are judged once on all test pictures: k-NN and precision@10 with every training
picture in the bank, a linear probe on the features of the projector and of the backbone, and what the features are like.

It goes on where it was stopped; results are kept in FOLDER (default: build/alive) and printed as Markdown.
"""
import gzip
import json
import pathlib
import resource
import statistics
import struct
import shutil

import driver

ROOT = pathlib.Path(__file__).resolve().parent.parent
FASHION = pathlib.Path("/usr/share/datasets/fashion-mnist")
HELD_OUT = 0.1  # of the training pictures, while choosing
COLUMNS = [  # heading, key, and how it is written
    ("k-NN", "knn_projector", "percent"), ("backbone", "knn_backbone", "percent"), ("zeros", "sparsity", "percent"),
    ("dead", "dead_share", "percent"), ("purity", "consistency_top", "percent"),
    ("all active", "consistency", "percent"), ("correlation", "correlation", "decimal"),
]
JUDGED = [
    ("k-NN", "knn_projector", "percent"), ("P@10", "precision_projector", "percent"),
    ("probe", "probe_projector", "percent"), ("k-NN, backbone", "knn_backbone", "percent"),
    ("probe, backbone", "probe_backbone", "percent"), ("zeros", "sparsity", "percent"),
    ("dead", "dead_share", "percent"), ("purity", "consistency_top", "percent"),
    ("anchors", "anchor_features", "count"),
]


def settings(*pairs):
    return [word for pair in pairs for word in ("--set", pair)]


CL = ["--method", "cl"]
PAPER = ["--method", "ncl-paper"]
NCL = ["--method", "ncl"]


def groups():
    """Trials by group and name: what is changed against the program's defaults."""
    plain = settings("activation.standardise=false", "activation.sparsity=0")
    return {
        "start": {
            "CL, t 0.2": [*CL, "--temperature", "0.2"],
            "CL": CL,
            "NCL of the paper": PAPER,
            "NCL": NCL,
        },
        "temperature": {
            **{f"CL, t {t}": [*CL, "--temperature", str(t)] for t in (0.05, 0.07, 0.1, 0.2, 0.5)},
            **{f"NCL, t {t}": [*NCL, "--temperature", str(t)] for t in (0.03, 0.05, 0.07, 0.1, 0.2)},
            **{f"NCL of the paper, t {t}": [*PAPER, "--temperature", str(t)] for t in (0.05, 0.1, 0.2)},
            "NCL, t from 0.2 to 0.05": [*NCL, "--temperature", "0.05", *settings("loss.temperature_start=0.2")],
            "NCL, t from 0.05 to 0.2": [*NCL, "--temperature", "0.2", *settings("loss.temperature_start=0.05")],
        },
        "width": {f"{name}, {k} features": [*method, *settings(f"projector.out={k}")]
                  for name, method in (("CL", CL), ("NCL", NCL)) for k in (64, 256, 512, 1024, 2048)},
        "sparsity": {f"NCL, zeros {s} %": [*NCL, "--sparsity", str(s / 100)] for s in (70, 80, 85, 90, 95, 98)},
        "gate": {
            "NCL of the paper, sharp": [*NCL, *plain],
            "standardised, threshold 0": [*NCL, *settings("activation.sparsity=0")],
            "threshold alone": [*NCL, *settings("activation.standardise=false")],
            "a threshold for each feature": [*NCL, *settings("activation.each=true")],
            "each, not standardised": [*NCL, *settings("activation.each=true", "activation.standardise=false")],
            "CL, standardised": [*CL, *settings("activation.standardise=true")],
        },
        "sigma": {
            **{name: [*NCL, "--activation", name] for name in ("relu", "rep_relu", "gelu", "softplus", "leaky_relu")},
            **{f"{name}, no gate": [*NCL, "--activation", name, *plain] for name in ("relu", "sigmoid", "softplus", "exp")},
            "topk 24, no gate": [*NCL, "--activation", "topk", *plain, *settings("activation.topk=24")],
            "blended in over 30 %": [*NCL, "--activation-warmup", "0.3"],
            "no gate, blended in over 30 %": [*NCL, *plain, "--activation-warmup", "0.3"],
        },
        "terms": {
            **{f"no gate, {term} {weight}": [*NCL, *plain, *settings(f"terms.{term}={weight}")]
               for term, weight in (("revive", 1), ("revive", 0.1), ("l1", 0.1), ("l1", -0.1), ("entropy", 0.1),
                                    ("orthogonality", 10), ("monosemanticity", 1))},
            **{f"{term} {weight}": [*NCL, *settings(f"terms.{term}={weight}")]
               for term, weight in (("l1", 0.1), ("entropy", 0.1), ("orthogonality", 10), ("monosemanticity", 1))},
        },
        "projector": {
            "one layer": [*NCL, *settings("projector.depth=1")],
            "three layers": [*NCL, *settings("projector.depth=3")],
            "batch norm": [*NCL, *settings("projector.batch_norm=true")],
            "CL, batch norm": [*CL, *settings("projector.batch_norm=true")],
            "CL, three layers": [*CL, *settings("projector.depth=3")],
        },
        "batch": {f"{name}, batch {b}": [*method, "--batch", str(b)]
                  for name, method in (("CL", CL), ("NCL", NCL)) for b in (64, 128, 512)},
        "views": {f"{name}, {v} views": [*method, "--batch", str(512 // v), *settings(f"train.view_count={v}")]
                  for name, method in (("CL", CL), ("NCL", NCL)) for v in (2, 3, 4)},
        "losses": {f"{name}, {loss}": [*method, "--loss", loss]
                   for loss in ("spectral", "barlow", "vicreg", "moco", "byol", "simsiam", "swav")
                   for name, method in (("CL", CL), ("NCL", NCL))},
    }


def tuning_cifar(source, folder):
    """CIFAR-10's files with the last tenth of the training pictures as the test pictures."""
    record = 3073
    pictures = b"".join((source / f"data_batch_{i}.bin").read_bytes() for i in range(1, 6))
    kept = int(len(pictures) // record * (1 - HELD_OUT)) // 5 * 5
    for i in range(5):
        part = pictures[i * kept // 5 * record:(i + 1) * kept // 5 * record]
        (folder / f"data_batch_{i + 1}.bin").write_bytes(part)
    (folder / "test_batch.bin").write_bytes(pictures[kept * record:])
    shutil.copy(source / "batches.meta.txt", folder)
    return f"cifar10:{folder}"


def tuning_fashion(folder):
    """Fashion-MNIST's training pictures, the last tenth of them as the test pictures."""
    for kind, head in (("images-idx3", 16), ("labels-idx1", 8)):
        content = gzip.decompress((FASHION / f"train-{kind}-ubyte.gz").read_bytes())
        count = struct.unpack(">I", content[4:8])[0]
        size = (len(content) - head) // count
        kept = int(count * (1 - HELD_OUT))
        for name, begin, end in (("train", 0, kept), ("t10k", kept, count)):
            made = content[:4] + struct.pack(">I", end - begin) + content[8:head]
            (folder / f"{name}-{kind}-ubyte").write_bytes(made + content[head + begin * size:head + end * size])
    return f"idx:{folder}"


def tuning_data(data, work):
    """The data set without its test pictures."""
    kind, _, path = data.partition(":")
    if kind in ("sprites", "dsprites"):
        return data
    folder = work / f"tuning-{kind}"
    folder.mkdir(parents=True, exist_ok=True)
    return tuning_cifar(pathlib.Path(path), folder) if kind == "cifar10" else tuning_fashion(folder)


def processor_seconds(*command):
    """The program's JSON, and the processor seconds it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = driver.json_of(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Study:
    def __init__(self, options):
        self.options = options
        self.orthant = options.bin / "orthant"
        self.work = options.work
        self.data = options.data if options.judge else tuning_data(options.data, self.work)
        kind = options.data.partition(":")[0]
        self.base = [*settings("backbone.width=32", "eval.every=0", "eval.size=5000", "eval.bank=20000"),
                     *(["--recipe", ROOT / f"recipes/demo-{kind}.toml"] if kind == "sprites" else []),
                     *(["--recipe", ROOT / "recipes/dsprites.toml"] if kind == "dsprites" else [])]
        self.items = driver.json_of(self.orthant, "data", "info", self.data, "--json")["splits"]["train"]

    def run(self, flags, seed, items, epochs, output):
        return processor_seconds(self.orthant, "pretrain", *self.base, "--data", self.data, *flags, "--seed", seed,
                                 "--threads", self.options.threads, "--train-size", items, "--epochs", epochs, "--quiet",
                                 "--json", "-o", output, "--overwrite")

    def pictures_per_minute(self, flags):
        """Of processor time, two threads' worth of which pass in a minute of two cores."""
        batch = 256
        with driver.temporary_folder() as folder:
            short, long = (self.run([*flags, *settings("eval.size=256", "eval.bank=256")], 1, batch * n, 1,
                                    folder / "run")[1] for n in (4, 12))
        return 60 * 8 * batch / max(long - short, 1e-3)  # the difference leaves out start and evaluation

    def extent(self, flags):
        """Pictures and epochs that fit into the minutes of two cores."""
        seen = 2 * self.options.minutes * self.pictures_per_minute(flags)
        epochs = max(1, round(seen / self.items + 0.25))
        return min(self.items, int(seen / epochs) // 256 * 256), epochs

    def result(self, name, flags, seed):
        """What came of one run; kept in a file, so that it is run once."""
        kind = "judged" if self.options.judge else "tried"
        words = "".join(c if c.isalnum() else "-" for c in name)
        data = self.options.data.partition(":")[0]
        folder = self.work / f"{kind}-{data}-{self.options.minutes:g}min" / f"{words}-{seed}"
        kept = folder.with_suffix(".json")
        if kept.exists():
            return json.loads(kept.read_text())
        items, epochs = self.extent(flags)
        folder.parent.mkdir(parents=True, exist_ok=True)
        found, seconds = self.run(flags, seed, items, epochs, folder)
        found.update(items=items, epochs=epochs, seconds=seconds)
        if self.options.judge:
            found.update(self.judged(folder))
        found["dead_share"] = found["dead_features"] / found["features"]
        kept.write_text(json.dumps(found))
        return found

    def judged(self, run):
        """Measures of all test pictures, with all training pictures as the bank."""
        found = {}
        for layer in ("projector", "backbone"):
            test, bank = (run / f"{split}-{layer}.safetensors" for split in ("test", "train"))
            for split, file in (("test", test), ("train", bank)):
                driver.output_of(self.orthant, "embed", run, "--split", split, "--layer", layer, "-o", file, "--quiet",
                                 "--overwrite")
            only = "knn_accuracy,retrieval" + (",sparsity,class_consistency,correlation" if layer == "projector" else "")
            measures = driver.json_of(self.orthant, "measure", test, "--bank", bank, "--only", only, "--json", "--quiet")
            values = measures["inputs"][0]["measures"]
            found[f"knn_{layer}"] = values["knn_accuracy"]
            found[f"precision_{layer}"] = values["precision_at_10"]
            if layer == "projector":
                found.update(sparsity=values["sparsity"], consistency_top=values["class_consistency_top"],
                             anchor_features=values["anchor_features"], dead_features=values["dead_features"])
            probe = driver.json_of(self.orthant, "probe", run, "--layer", layer, "-o", run / f"probe-{layer}", "--json",
                                   "--quiet", "--overwrite")
            found[f"probe_{layer}"] = probe["top1"]
        return found
