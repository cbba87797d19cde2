#!/usr/bin/env python3
"""What `orthant clean` finds in CIFAR-10 with faults that were put in, beside simpler rules.

    bench/clean.py BIN cifar10:DIR [RUN] [--items N] [--seed S]

One tenth of the labels is changed at random; found ones are judged by precision, recall and average precision, beside plain
k-NN (the label is not what most of 20 neighbours have) and cleanlab's rules (Northcutt et al.: self-confidence below the
class mean; and the confident joint: another class above its own mean), on out-of-fold probabilities of scikit-learn's
logistic regression. 400 copies are put in, half shifted by 2 pixels, half compressed as JPEG of quality 60. Without RUN an
encoder is trained for two minutes on the pictures as they are. Prints one table; a few minutes on two cores.
"""
import argparse
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold

COPIES = 400


def pictures(folder):
    raw = np.concatenate([np.fromfile(f"{folder}/data_batch_{i}.bin", np.uint8).reshape(-1, 3073) for i in range(1, 6)])
    return raw[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1), raw[:, 0].astype(np.int64)


def shifted(images):
    padded = np.pad(images, ((0, 0), (2, 2), (2, 2), (0, 0)), mode="reflect")
    return padded[:, 4:36, 4:36]


def recompressed(images):
    result = []
    for image in images:
        file = io.BytesIO()
        Image.fromarray(image).save(file, "JPEG", quality=60)
        result.append(np.asarray(Image.open(file)))
    return np.array(result)


def call(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def suspects(binary, features, labels, work):
    np.save(work / "features.npy", features)
    np.save(work / "labels.npy", labels)
    call(binary, "clean", work / "features.npy", "--labels", work / "labels.npy", "-o", work / "suspects.csv", "--overwrite", "--quiet")
    with open(work / "suspects.csv", newline="") as file:
        return list(csv.DictReader(file))


def out_of_fold(features, labels, classes):
    scaled = (features - features.mean(0)) / (features.std(0) + 1e-6)
    probabilities = np.zeros((len(labels), classes))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(scaled, labels):
        model = LogisticRegression(C=0.003, max_iter=200).fit(scaled[train], labels[train])
        probabilities[test] = model.predict_proba(scaled[test])
    return probabilities


def nearest(features, k):
    unit = features / np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-12)
    found = []
    for start in range(0, len(unit), 1000):
        scores = unit[start:start + 1000] @ unit.T
        scores[np.arange(len(scores)), start + np.arange(len(scores))] = -2
        found.append(np.argpartition(-scores, k, axis=1)[:, :k])
    return np.concatenate(found)


def line(name, found, wrong, scores, first, note=""):
    precision = wrong[found].mean() if found.any() else 0
    recall = found[wrong].mean()
    f1 = 2 * precision * recall / max(precision + recall, 1e-12)
    surest = wrong[np.argsort(-scores, kind="stable")[:first]].mean()
    print(f"  {name:<48}{found.sum():>8}{100 * precision:>10.1f} %{100 * recall:>9.1f} %{100 * f1:>7.1f} %{100 * surest:>12.1f} %"
          f"{100 * average_precision_score(wrong, scores):>10.1f} %  {note}")


def judge_labels(binary, features, truth, work, seed):
    rng = np.random.default_rng(seed)
    classes = truth.max() + 1
    wrong = rng.random(len(truth)) < 0.1
    labels = np.where(wrong, (truth + rng.integers(1, classes, len(truth))) % classes, truth)
    found = np.zeros(len(truth), bool)
    scores = np.zeros(len(truth))
    right = 0
    rows = [row for row in suspects(binary, features, labels, work) if row["kind"] == "label"]
    for row in rows:
        item = int(row["item"])
        found[item] = True
        scores[item] = 1 + float(row["score"])
        right += int(row["suggested"]) == truth[item] and wrong[item]
    probabilities = out_of_fold(features, labels, classes)
    own = probabilities[np.arange(len(truth)), labels]
    means = np.array([own[labels == c].mean() for c in range(classes)])
    others = probabilities.copy()
    others[np.arange(len(truth)), labels] = -1
    above = (others >= means) & (others > own[:, None])
    votes = np.stack([(labels[nearest(features, 20)] == c).sum(1) for c in range(classes)], 1)
    own_votes = votes[np.arange(len(truth)), labels]
    hits = found & wrong
    print(f"labels: {wrong.sum()} of {len(truth)} changed; a random choice has a precision of {100 * wrong.mean():.1f} %")
    print(f"  {'':<48}{'found':>8}{'precision':>12}{'recall':>11}{'F1':>9}{f'of first {found.sum()}':>14}{'av. prec.':>12}")
    first = found.sum()
    line("orthant clean", found, wrong, scores, first, f"suggestion right for {100 * right / max(hits.sum(), 1):.1f} %; ranks what it lists only")
    line("k-NN: another class has most votes", votes.argmax(1) != labels, wrong, -own_votes, first)
    line("cleanlab: self-confidence below the class mean", own < means[labels], wrong, -own, first)
    line("cleanlab: confident joint", above.any(1), wrong, others.max(1) - own, first)


def judge_copies(binary, embed, images, truth, work, seed):
    rng = np.random.default_rng(seed + 1)
    chosen = rng.choice(len(images), COPIES, replace=False)
    half = COPIES // 2
    copies = np.concatenate([shifted(images[chosen[:half]]), recompressed(images[chosen[half:]])])
    features = embed(np.concatenate([images, copies]))
    rows = [row for row in suspects(binary, features, np.concatenate([truth, truth[chosen]]), work) if row["kind"] == "duplicate"]
    pairs = {(int(row["item"]), int(row["other"])) for row in rows}
    copy = len(images) + np.arange(COPIES)
    found = np.array([any(item == c for item, _ in pairs) for c in copy])
    mated = np.array([(c, o) in pairs for c, o in zip(copy, chosen)])
    others = sum(item < len(images) for item, _ in pairs)
    print(f"\ncopies: {half} shifted by 2 pixels, {COPIES - half} as JPEG 60, among {len(images)} pictures")
    print(f"  shifted found {100 * found[:half].mean():.1f} %, JPEG found {100 * found[half:].mean():.1f} %, beside their original {100 * mated[found].mean():.1f} % of these")
    print(f"  {others} other pictures listed ({100 * others / len(images):.2f} %), which CIFAR-10's own near duplicates are among")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("data")
    parser.add_argument("run", nargs="?")
    parser.add_argument("--items", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    images, truth = pictures(options.data.split(":", 1)[1])
    images, truth = images[:options.items], truth[:options.items]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        run = options.run
        if run is None:
            run = work / "run"
            call(options.binary, "pretrain", "--data", options.data, "--budget", "2min", "-o", run)

        def embed(pixels):
            np.save(work / "pixels.npy", pixels)
            call(options.binary, "embed", run, "--data", f"npy:{work / 'pixels.npy'}", "--split", "all", "-o", work / "e.npy", "--overwrite", "--quiet")
            return np.load(work / "e.npy")

        print(f"CIFAR-10, {len(images)} training pictures, seed {options.seed}")
        judge_labels(options.binary, embed(images), truth, work, options.seed)
        judge_copies(options.binary, embed, images, truth, work, options.seed)


if __name__ == "__main__":
    sys.exit(main())
