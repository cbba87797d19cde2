#!/usr/bin/python3
"""What keeps non-negative features alive, pure and as accurate as any others: the tables of docs/alive.md.

alive.py BIN_FOLDER DATA [--trials NAME,...] [--seeds 1] [--threads 1] [--work FOLDER] [--precision P]
alive.py BIN_FOLDER DATA --judge 2min [--seeds 1,2,3] [--threads 2] [--work FOLDER] [--methods cl,ncl] [--chosen FOLDER]

DATA is sprites, fashion or cifar10:DIR. Without --judge these are short trials to choose by: conv-mini of width 32, two
epochs of 40,960 pictures (sprites: recipes/demo-sprites.toml), 100 to 140 seconds of one core each. CIFAR-10 and
Fashion-MNIST learn from the first 90 % of the training pictures and are looked at with the other 10 %: nothing sees a test
picture. (Sprites are painted on demand; 5,000 of the test pictures are looked at.)

--judge TIME trains CL and NCL as anyone would, `orthant pretrain --budget TIME`, on a machine that should be idle, and
judges both on all test pictures with all training pictures in the bank: k-NN, precision@10, with --probe linear probes, and
what the features are like. What a run comes to does not depend on how long it takes, only what --budget chooses does: on a
busy machine say with --chosen where the recipes are that `orthant pretrain --budget TIME --dry-run` prints on an idle one
(KIND-TIME-METHOD.toml, from the line "# Everything" on).

It goes on where it was stopped; what came of each run is kept in FOLDER (default: build/alive). Prints Markdown.
"""
import gzip
import json
import pathlib
import resource
import shlex
import shutil
import statistics
import struct
import tempfile

import driver

ROOT = pathlib.Path(__file__).resolve().parent.parent
FASHION = pathlib.Path("/usr/share/datasets/fashion-mnist")
HELD_OUT = 0.1  # of the training pictures, while choosing
# Of all that says nothing else: what pictures had before muon and simclr-small.
SHORT = ("--set optimiser.name=adamw --set train.views=simclr --set backbone.width=32 --set train.epochs=2 "
         "--set data.train_size=40960 --set train.batch=256 --set optimiser.warmup_epochs=0.3 --set eval.every=0 "
         "--set eval.size=5000 --set eval.bank=20000")
DEMO = (f"--recipe {ROOT}/recipes/demo-sprites.toml --optimiser adamw --rate 0.004 --set projector.hidden=512 "
        "--set eval.every=0 --set eval.size=5000 --set eval.bank=6000")

GATE = "--set activation.{}".format
SCALED = GATE("standardise=true")
RELU = "--activation relu"
FOUR = "--set train.view_count=4 --batch 128 --epochs 1 --rate 0.002"  # as many rows in a step and in all
LONG = FOUR.replace("--epochs 1", "--epochs 4")
LONGER = FOUR.replace("--epochs 1", "--epochs 16")
EIGHT = "--set train.view_count=8 --batch 64 --epochs 1 --train-size 20480 --rate 0.004"
TRIALS = {  # those that name no method start from the paper's
    "CL": "--method cl",
    "CL, t 0.1": "--method cl --temperature 0.1",
    "CL, rate 0.002": "--method cl --rate 0.002",
    "CL, rate 0.0005": "--method cl --rate 0.0005",
    "CL, batch 128": "--method cl --batch 128 --rate 0.002",
    "CL, no blur, crops from 20 %": "--method cl --set views.scale_min=0.2 --set views.blur_probability=0",
    "NCL of the paper": "",
    "t 0.1": "--temperature 0.1",
    "t 0.1, 256": "--temperature 0.1 --set projector.out=256",
    "blended in": "--activation-warmup 0.4",
    "blended in, t 0.1, 256": "--activation-warmup 0.4 --temperature 0.1 --set projector.out=256",
    "floor 1 %": f"{RELU} {GATE('floor=0.01')}",
    "floor 1 %, t 0.1": f"{RELU} {GATE('floor=0.01')} --temperature 0.1",
    "floor 0.5 %, t 0.1, 256": f"{RELU} {GATE('floor=0.005')} --temperature 0.1 --set projector.out=256",
    "floor 1 %, blended in, t 0.1, 1,024": f"{GATE('floor=0.01')} --activation-warmup 0.4 --temperature 0.1 "
                                           "--set projector.out=1024",
    "pull on what is off, t 0.1": "--temperature 0.1 --set terms.revive=1",
    "scaled, zeros 90 %, t 0.1": f"{SCALED} {GATE('sparsity=0.9')} --temperature 0.1",
    "scaled, zeros 90 %, t 0.1, relu": f"{SCALED} {GATE('sparsity=0.9')} --temperature 0.1 {RELU}",
    "scaled, zeros 90 %, t 0.1, 1,024": f"{SCALED} {GATE('sparsity=0.9')} --temperature 0.1 --set projector.out=1024",
    "scaled, zeros 95 %, t 0.1, relu, 256": f"{SCALED} {GATE('sparsity=0.95')} --temperature 0.1 {RELU} "
                                            "--set projector.out=256",
    "scaled, each 10 %, t 0.1, relu": f"{SCALED} {GATE('sparsity=0.9')} {GATE('each=true')} --temperature 0.1 {RELU}",
    "scaled, each 10 %, t 0.1, relu, 64": f"{SCALED} {GATE('sparsity=0.9')} {GATE('each=true')} --temperature 0.1 {RELU} "
                                          "--set projector.out=64",
    "scaled, each 5 %, relu": f"{SCALED} {GATE('sparsity=0.95')} {GATE('each=true')} {RELU}",
    "each 10 %, t 0.1, relu": f"{GATE('sparsity=0.9')} {GATE('each=true')} --temperature 0.1 {RELU}",
    "scaled, top 8": f"{SCALED} --activation topk --set activation.topk=8",
    "scaled, top 8, t 0.1, 256": f"{SCALED} --activation topk --set activation.topk=8 --temperature 0.1 "
                                 "--set projector.out=256",
    "scaled, each 10 %, entropy 0.5, t 0.1, relu": f"{SCALED} {GATE('sparsity=0.9')} {GATE('each=true')} {RELU} "
                                                   "--temperature 0.1 --set terms.entropy=0.5",
    "floor 1 %, entropy 0.3, t 0.1": f"{RELU} {GATE('floor=0.01')} --temperature 0.1 --set terms.entropy=0.3",
    "floor 0.2 %, entropy 0.05, t 0.1, 1,024": f"{RELU} {GATE('floor=0.002')} --temperature 0.1 --set terms.entropy=0.05 "
                                               "--set projector.out=1024",
    "floor 1 %, monosemanticity 3, t 0.1": f"{RELU} {GATE('floor=0.01')} --temperature 0.1 "
                                           "--set terms.monosemanticity=3",
    "floor 0.4 %, monosemanticity 0.5, t 0.1, 512": f"{RELU} {GATE('floor=0.004')} --temperature 0.1 "
                                                    "--set terms.monosemanticity=0.5 --set projector.out=512",
    "scaled, each 3 %, monosemanticity 0.5, t 0.1, 512": f"{SCALED} {GATE('sparsity=0.97')} {GATE('each=true')} {RELU} "
                                                         "--temperature 0.1 --set terms.monosemanticity=0.5 "
                                                         "--set projector.out=512",
    "spectral, blended in": "--loss spectral --activation-warmup 0.4",
    "spectral, 1,024": "--loss spectral --set projector.out=1024",
    "NCL": "--method ncl",
    "NCL, t 0.05, zeros 86 %, 1,024": "--method ncl --temperature 0.05 --sparsity 0.86 --set projector.out=1024",
    "NCL, rate 0.002": "--method ncl --rate 0.002",
    "CL, 4 views": f"--method cl {FOUR}",
    "CL, batch norm": "--method cl --set projector.batch_norm=true",
    "CL, depth 3": "--method cl --set projector.depth=3",
    "CL, batch 512": "--method cl --batch 512 --rate 0.0005",
    "CL, sgd": "--method cl --optimiser sgd --rate 0.1",
    "NCL, 4 views": f"--method ncl {FOUR}",
    "NCL, batch norm": "--method ncl --set projector.batch_norm=true",
    "CL, 8 views": f"--method cl {EIGHT}",
    "NCL, 8 views": f"--method ncl {EIGHT}",
    "CL, 4 views, batch norm": f"--method cl {FOUR} --set projector.batch_norm=true",
    "NCL, 4 views, batch norm": f"--method ncl {FOUR} --set projector.batch_norm=true",
    "NCL, 4 views, zeros 95 %, 1,024": f"--method ncl {FOUR} --sparsity 0.95 --set projector.out=1024",
    "NCL, 4 views, t 0.05": f"--method ncl {FOUR} --temperature 0.05",
    "NCL, 4 views, t 0.1": f"--method ncl {FOUR} --temperature 0.1",
    "NCL, 4 views, t 0.3 to 0.07": f"--method ncl {FOUR} --set loss.temperature_start=0.3",
    "NCL, 4 views, zeros 95 %": f"--method ncl {FOUR} --sparsity 0.95",
    "NCL, 4 views, zeros 97 %, 2,048": f"--method ncl {FOUR} --sparsity 0.97 --set projector.out=2048",
    "NCL, 4 views, zeros 97 %, 2,048, t 0.05": f"--method ncl {FOUR} --sparsity 0.97 --set projector.out=2048 "
                                               "--temperature 0.05",
    "NCL, 4 views, zeros 99 %, 2,048": f"--method ncl {FOUR} --sparsity 0.99 --set projector.out=2048",
    "NCL, 4 views, zeros 97 %": f"--method ncl {FOUR} --sparsity 0.97",
    "NCL, 4 views, depth 3": f"--method ncl {FOUR} --set projector.depth=3",
    "NCL, 4 views, depth 1": f"--method ncl {FOUR} --set projector.depth=1",
    "CL, 4 views, depth 1": f"--method cl {FOUR} --set projector.depth=1",
    "CL, 4 views, no blur": f"--method cl {FOUR} --set views.blur_probability=0",
    "CL, 4 views, depth 1, no blur": f"--method cl {FOUR} --set projector.depth=1 --set views.blur_probability=0",
    "NCL, 4 views, depth 1, no blur": f"--method ncl {FOUR} --set projector.depth=1 --set views.blur_probability=0",
    "NCL, 4 views, depth 1, zeros 97 %, 2,048": f"--method ncl {FOUR} --set projector.depth=1 --sparsity 0.97 "
                                                "--set projector.out=2048",
    "NCL, 4 views, depth 1, no blur, zeros 97 %, 1,024": f"--method ncl {FOUR} --set projector.depth=1 --sparsity 0.97 "
                                                         "--set projector.out=1024 --set views.blur_probability=0",
    "NCL, 4 views, rate 0.004": f"--method ncl {FOUR.replace('0.002', '0.004')}",
    "NCL, 4 views, crops from 20 %": f"--method ncl {FOUR} --set views.scale_min=0.2",
    "NCL, 4 views, no blur": f"--method ncl {FOUR} --set views.blur_probability=0",
    "NCL, 4 views, 256": f"--method ncl {FOUR} --set projector.out=256",
    "NCL, 4 views, 128": f"--method ncl {FOUR} --set projector.out=128",
    "NCL, 4 views, 64": f"--method ncl {FOUR} --set projector.out=64",
    "NCL, 4 views, 128, zeros 95 %": f"--method ncl {FOUR} --set projector.out=128 --sparsity 0.95",
    "NCL, 4 views, 256, zeros 95 %": f"--method ncl {FOUR} --set projector.out=256 --sparsity 0.95",
    "NCL, 4 views, 256, nested 64": f"--method ncl {FOUR} --set projector.out=256 --set loss.nested=64",
    "NCL, 4 views, importance": f"--method ncl {FOUR} --set projector.out=256 --importance learned",
    "NCL, four times as long": "--method ncl --epochs 8",
    "NCL, 4 views, four times as long": f"--method ncl {LONG}",
    "NCL, 4 views, depth 1, four times as long": f"--method ncl {LONG} --set projector.depth=1",
    "NCL, 4 views, depth 1, no blur, four times as long": f"--method ncl {LONG} --set projector.depth=1 "
                                                          "--set views.blur_probability=0",
    "CL, 4 views, four times as long": f"--method cl {LONG}",
    "NCL, 4 views, 16 times as long": f"--method ncl {LONGER}",
    "NCL, 4 views, depth 1, 16 times as long": f"--method ncl {LONGER} --set projector.depth=1",
    "NCL, 4 views, depth 1, no blur, 16 times as long": f"--method ncl {LONGER} --set projector.depth=1 "
                                                        "--set views.blur_probability=0",
}
MUON = f"{FOUR} --set projector.depth=1 --optimiser muon"
SMALL = "--set train.views=simclr-small"


# Of what ncl had before it was fitted to muon.
HELD = ("--set projector.out=512 --set activation.sparsity=0.9 --set activation.name=rep_relu "
        "--set train.activation_warmup=0.4 --set loss.companion=0")


def muon(rate="0.032", method="ncl"):
    return f"--method {method} {MUON.replace('0.002', rate)} {HELD if method == 'ncl' else ''}"


for rate in ("0.002", "0.004", "0.008", "0.016", "0.032", "0.064", "0.128"):
    TRIALS[f"muon {rate}"] = muon(rate)
TRIALS |= {
    "NCL, 4 views, depth 1, rate 0.008": f"--method ncl {FOUR.replace('0.002', '0.008')} --set projector.depth=1",
    "muon, CL": f"{muon(method='cl')} --temperature 0.2",
    "muon, batch 64": muon("0.064").replace("--batch 128", "--batch 64"),
    "muon, batch 256": muon("0.016").replace("--batch 128", "--batch 256"),
    "muon, width 64, half the pictures": f"{muon()} --set backbone.width=64 --train-size 19456",
    "muon, depth 2": f"{muon()} --set projector.depth=2 --set projector.hidden=1024",
    "muon, decay 0.1": f"{muon()} --set optimiser.weight_decay=0.1",
    "muon, t 0.1": f"{muon()} --temperature 0.1",
    "muon, no blur": f"{muon()} --set views.blur_probability=0",
    "muon, no blur, t 0.05": f"{muon()} --set views.blur_probability=0 --temperature 0.05",
    "muon, no blur, crops from 20 %": f"{muon()} --set views.blur_probability=0 --set views.scale_min=0.2",
    "muon, no blur, 8 views": f"{muon('0.064')} --set views.blur_probability=0 {EIGHT.replace('--rate 0.004', '')}"
                              .replace("--set train.view_count=4 --batch 128 --epochs 1", ""),
    "muon, no blur, 2 views": f"{muon('0.016')} --set views.blur_probability=0"
                              .replace("view_count=4 --batch 128 --epochs 1", "view_count=2 --batch 256 --epochs 2"),
    "small": f"{muon()} {SMALL}",
    "small, CL": f"{muon(method='cl')} {SMALL} --temperature 0.2",
    "small, CL, t 0.1": f"{muon(method='cl')} {SMALL} --temperature 0.1",
    "small, CL, t 0.07, 512": f"{muon(method='cl')} {SMALL} --temperature 0.07 --set projector.out=512",
    "small, t 0.05": f"{muon()} {SMALL} --temperature 0.05",
    "small, crops from 20 %": f"{muon()} {SMALL} --set views.scale_min=0.2",
    "small, a quarter of the colours": f"{muon()} {SMALL} --set views.brightness=0.2 --set views.contrast=0.2 "
                                       "--set views.saturation=0.2 --set views.hue=0.05",
    "small, momentum 0.95": f"{muon()} {SMALL} --set optimiser.momentum=0.95",
}
DEPTH = "--set projector.depth=2 --set projector.hidden=256"
WIDTH = "--set backbone.width={}".format
WIDE = "--sparsity {} --set projector.out={}".format
for words, more in (("zeros 95 %", "--sparsity 0.95"), ("zeros 97 %", "--sparsity 0.97"),
                    ("1,024, zeros 97 %", WIDE(0.97, 1024)), ("2,048, zeros 97 %", WIDE(0.97, 2048)),
                    ("1,024", WIDE(0.9, 1024)), ("zeros 80 %", "--sparsity 0.8"), ("zeros as they come", "--sparsity 0"),
                    ("blended to 20 %", "--activation-warmup 0.2"), ("blended to 70 %", "--activation-warmup 0.7"),
                    ("relu", RELU), ("zeros 80 %, blended to 20 %", "--sparsity 0.8 --activation-warmup 0.2"),
                    ("zeros 80 %, t 0.05, blended to 20 %", "--sparsity 0.8 --temperature 0.05 --activation-warmup 0.2"),
                    ("zeros 80 %, 1,024", WIDE(0.8, 1024))):
    TRIALS[f"small, {words}"] = f"{muon()} {SMALL} {more}"
for words, epochs, more in (("width 32, 4 times", 4, ""), ("width 32, depth 2, 4 times", 4, DEPTH.replace("256", "1024")),
                            ("width 32, depth 2 of 256, 4 times", 4, DEPTH), ("width 48, twice", 2, WIDTH(48)),
                            ("width 64, twice", 2, WIDTH(64)),
                            ("width 64, depth 2, twice", 2, f"{WIDTH(64)} {DEPTH.replace('256', '1024')}"),
                            ("1,024, zeros 95 %, 4 times", 4, WIDE(0.95, 1024)),
                            ("2,048, zeros 97 %, 4 times", 4, WIDE(0.97, 2048)),
                            ("relu, 4 times", 4, RELU), ("relu, zeros 85 %, 4 times", 4, f"{RELU} --sparsity 0.85"),
                            ("zeros 85 %, depth 2 of 256, 4 times", 4, f"--sparsity 0.85 {DEPTH}"),
                            ("1,024, zeros 85 %, 4 times", 4, WIDE(0.85, 1024)),
                            ("1,024, relu, zeros 85 %, 4 times", 4, f"{RELU} {WIDE(0.85, 1024)}"),
                            ("1,024, relu, zeros 85 %, blended to 20 %, 4 times", 4,
                             f"{RELU} {WIDE(0.85, 1024)} --activation-warmup 0.2")):
    TRIALS[f"small, {words}"] = f"{muon().replace('--epochs 1', f'--epochs {epochs}')} {SMALL} {more}"
for words, more in (("", "--temperature 0.2"), (", t 0.1", "--temperature 0.1"), (", t 0.1, depth 2 of 256", f"--temperature 0.1 {DEPTH}")):
    TRIALS[f"small, CL{words}, 4 times"] = f"{muon(method='cl').replace('--epochs 1', '--epochs 4')} {SMALL} {more}"
TRIALS["today's"] = f"--method ncl {MUON.replace('0.002', '0.032')} {SMALL}"
TRIALS["today's CL"] = f"--method cl {MUON.replace('0.002', '0.032')} {SMALL}"
COMPANION = "--set loss.companion={}".format
ALONE = COMPANION(0)
for words, epochs, more in (("companion 0.3", 1, COMPANION(0.3)), ("companion 3", 1, COMPANION(3)),
                            ("zeros 70 %", 1, "--sparsity 0.7"), ("alone", 1, ALONE),
                            ("alone, zeros 50 %", 1, f"{ALONE} --sparsity 0.5"),
                            ("alone, zeros 70 %", 1, f"{ALONE} --sparsity 0.7"),
                            ("alone, zeros 80 %", 1, f"{ALONE} --sparsity 0.8"),
                            ("alone, zeros 70 %, 512", 1, f"{ALONE} {WIDE(0.7, 512)}"),
                            ("alone, zeros 70 %, 2,048", 1, f"{ALONE} {WIDE(0.7, 2048)}"),
                            ("alone, zeros 50 %, t 0.05", 1, f"{ALONE} --sparsity 0.5 --temperature 0.05"),
                            ("alone, zeros 70 %, t 0.05", 1, f"{ALONE} --sparsity 0.7 --temperature 0.05"),
                            ("alone, orthogonality 3", 1, f"{ALONE} --set terms.orthogonality=3"),
                            ("alone, orthogonality 20", 1, f"{ALONE} --set terms.orthogonality=20"),
                            ("4 times", 4, ""), ("companion 0.3, 4 times", 4, COMPANION(0.3)),
                            ("t 0.05, 4 times", 4, "--temperature 0.05"),
                            ("2,048, 4 times", 4, "--set projector.out=2048"), ("alone, 4 times", 4, ALONE),
                            ("alone, zeros 70 %, 4 times", 4, f"{ALONE} --sparsity 0.7"),
                            ("16 times", 16, ""), ("depth 2 of 256, 16 times", 16, DEPTH),
                            ("width 64, 5 times", 5, WIDTH(64))):
    TRIALS[f"today's, {words}"] = TRIALS["today's"].replace("--epochs 1", f"--epochs {epochs}") + f" {more}"
for words, more in (("", ""), (", companion", COMPANION(1))):
    TRIALS[f"today's CL{words}, 4 times"] = TRIALS["today's CL"].replace("--epochs 1", "--epochs 4") + f" {more}"
TWO = "--set train.view_count=2 --batch 256 --epochs 2"
MOMENTUM = f"{TWO} --train-size 30720"  # a second network looks at all views: a third more work for each
for loss, length in (("moco", MOMENTUM), ("byol", MOMENTUM), ("simsiam", TWO), ("swav", TWO), ("barlow", TWO),
                     ("vicreg", TWO)):
    for words, method in (("", "cl"), (", sigma+", "ncl")):
        TRIALS[loss + words] = f"--method {method} --loss {loss} {length}"
TRIED = [("k-NN", "knn_projector"), ("backbone", "knn_backbone"), ("zeros", "sparsity"), ("dead", "dead_share"),
         ("purity", "consistency_top"), ("of all that activate it", "consistency")]
JUDGED = [("k-NN", "knn_projector"), ("P@10", "precision_projector"), ("probe", "probe_projector"),
          ("k-NN, backbone", "knn_backbone"), ("probe, backbone", "probe_backbone"), ("zeros", "sparsity"),
          ("dead", "dead_share"), ("purity", "consistency_top"), ("by chance", "consistency_top_chance")]


def tuning_cifar(source, folder):
    """CIFAR-10's files with the last tenth of the training pictures as the test pictures."""
    record = 3073
    pictures = b"".join((source / f"data_batch_{i}.bin").read_bytes() for i in range(1, 6))
    kept = int(len(pictures) // record * (1 - HELD_OUT)) // 5
    for i in range(5):
        (folder / f"data_batch_{i + 1}.bin").write_bytes(pictures[i * kept * record:(i + 1) * kept * record])
    (folder / "test_batch.bin").write_bytes(pictures[5 * kept * record:])
    shutil.copy(source / "batches.meta.txt", folder)


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


def tuning_data(data, work):
    """The data set without its test pictures."""
    kind, _, path = data.partition(":")
    if kind == "sprites":
        return data
    folder = work / f"tuning-{kind}"
    if not folder.exists():  # whole or not at all: several of these programs may share a folder of work
        work.mkdir(parents=True, exist_ok=True)
        made = pathlib.Path(tempfile.mkdtemp(dir=work))
        tuning_cifar(pathlib.Path(path), made) if kind == "cifar10" else tuning_fashion(made)
        try:
            made.rename(folder)
        except OSError:  # another was first
            shutil.rmtree(made)
    return f"{'cifar10' if kind == 'cifar10' else 'idx'}:{folder}"


class Study:
    def __init__(self, options):
        self.options = options
        self.orthant = options.bin / "orthant"
        self.kind = options.data.partition(":")[0]
        self.tiles = "" if options.precision == "float32" else f"-{options.precision}"

    def kept(self, folder, make):
        """What make(folder) gave, now or when it was first asked for; with the processor seconds it took."""
        file = folder.with_suffix(".json")
        if not file.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            found = make(folder)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            found["processor_seconds"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            file.write_text(json.dumps(found))
        return json.loads(file.read_text())

    def pretrain(self, data, flags, seed, folder):
        found = driver.json_of(self.orthant, "pretrain", *flags, "--data", data, "--seed", seed, "--threads",
                               self.options.threads, "--precision", self.options.precision, "--quiet", "--json", "-o",
                               folder, "--overwrite")
        width = driver.json_of(self.orthant, "info", folder, "--json")["projector.out"]
        found["dead_share"] = found["dead_features"] / float(width)
        return found

    def tried(self, name, seed):
        words = "".join(c if c.isalnum() else "-" for c in name)
        method = "" if "--method" in TRIALS[name] else "--method ncl-paper"
        flags = shlex.split(f"{DEMO if self.kind == 'sprites' else SHORT} {method} {TRIALS[name]}")
        data = tuning_data(self.options.data, self.options.work)
        return self.kept(self.options.work / f"tried-{self.kind}{self.tiles}" / f"{words}-{seed}",
                         lambda folder: self.pretrain(data, flags, seed, folder))

    def judged(self, method, seed):
        budget = self.options.judge
        return self.kept(self.options.work / f"judged-{self.kind}-{budget}{self.tiles}" / f"{method}-{seed}",
                         lambda folder: self.judge(["--method", method, *self.length(method)], seed, folder))

    def length(self, method):
        if self.options.chosen:
            return ["--recipe", self.options.chosen / f"{self.kind}-{self.options.judge}-{method}.toml"]
        return ["--budget", self.options.judge]

    def judge(self, flags, seed, folder):
        found = self.pretrain(self.options.data, flags, seed, folder)
        cores = ("--threads", self.options.threads, "--quiet", "--overwrite")
        for layer in ("projector", "backbone"):
            test, bank = (folder / f"{split}-{layer}.safetensors" for split in ("test", "train"))
            for split, file in (("test", test), ("train", bank)):
                driver.output_of(self.orthant, "embed", folder, "--split", split, "--layer", layer, "-o", file, *cores)
            values = driver.json_of(self.orthant, "measure", test, "--bank", bank, "--json", "--quiet", "--threads",
                                    self.options.threads, "--only", "sparsity,dead_features,class_consistency,"
                                    "anchored_features,knn_accuracy,precision_at_10")
            found[f"knn_{layer}"] = values["knn_accuracy"]
            found[f"precision_{layer}"] = values["precision_at_10"]
            if layer == "projector":
                found.update(sparsity=values["sparsity"], consistency_top=values["class_consistency"]["top"],
                             consistency_top_chance=values["chance"]["class_consistency"]["top"],
                             anchored_features=values["anchored_features"])
            if self.options.probe:
                found[f"probe_{layer}"] = driver.json_of(
                    self.orthant, "probe", folder, "--layer", layer, "-o", folder / f"probe-{layer}", "--json",
                    *cores)["top1"]
        return found


def cell(results, key):
    values = [100 * result[key] for result in results if key in result]
    if not values:
        return ""
    spread = f" ± {statistics.stdev(values):.1f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.1f}{spread}"


def main():
    parser = driver.parser(__doc__, threads=1)
    parser.add_argument("data")
    parser.add_argument("--trials", help="names, separated by ';'; all that have a name unless said")
    parser.add_argument("--judge", metavar="TIME")
    parser.add_argument("--methods", default="cl,ncl", help="with --judge")
    parser.add_argument("--chosen", type=pathlib.Path, metavar="FOLDER", help="with --judge: instead of --budget TIME")
    parser.add_argument("--probe", action="store_true", help="with --judge: linear probes, a minute or two more each")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--precision", default="float32", help="of training steps: bfloat16 takes less than half the time")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/alive")
    options = parser.parse_args()
    study = Study(options)
    seeds = [int(seed) for seed in options.seeds.split(",")]
    columns = JUDGED if options.judge else TRIED
    names = options.methods.split(",") if options.judge else (options.trials or ";".join(TRIALS)).split(";")
    print("| % | " + " | ".join(heading for heading, _ in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name in names:
        results = [(study.judged if options.judge else study.tried)(name, seed) for seed in seeds]
        print(f"| {name} | " + " | ".join(cell(results, key) for _, key in columns) + " |", flush=True)


if __name__ == "__main__":
    main()
