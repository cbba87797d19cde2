#!/usr/bin/python3
"""CL against NCL on documents, beside TF-IDF and scikit-learn's NMF: the table of docs/text.md.

senses_text.py BIN_FOLDER text:20newsgroups.tsv,column=body,label=class,empty=skip [--seeds 1,2,3] [--epochs N] [--threads 1]

Every run is `orthant pretrain --data DATA --method METHOD --seed SEED` with nothing else said but for
the epochs. All figures are of the test
split, with all of train to vote and to learn from: k-NN (20, cosine) and a linear probe of what the loss sees, class
consistency (of all items that activate a feature, and of its strongest 1 %), zeros, and topic coherence: the ten words
of each feature whose TF-IDF is largest above the mean where the feature is on (weighted by its value), and the mean NPMI
of their pairs over the training documents. TF-IDF has 10,000 words of at least five documents and at most half of them;
NMF (mini-batch, Kullback-Leibler takes too long: Frobenius) has as many topics as NCL has features.
"""
import json
import pathlib
import tempfile

import numpy as np
import scipy.sparse
from sklearn.decomposition import MiniBatchNMF
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression

import driver

KEYS = ("sparsity", "dead_features", "class_consistency.active", "class_consistency.top", "knn_accuracy")


def documents(orthant, data, folder, split):
    file = folder / f"{split}.npz"
    driver.output_of(orthant, "data", "export", data, "--split", split, "-o", file, "--quiet")
    arrays = np.load(file)
    return [texts[0] for texts in json.loads(bytes(arrays["texts_json"]).decode())], arrays["labels"]


def knn(bank, labels, queries, truth, k=20):
    def unit(rows):
        norms = np.sqrt(np.asarray(scipy.sparse.csr_matrix(rows).power(2).sum(1))).clip(1e-12)
        return scipy.sparse.csr_matrix(rows).multiply(1 / norms).tocsr()
    scores = (unit(queries) @ unit(bank).T).toarray()
    votes = labels[np.argpartition(-scores, k, axis=1)[:, :k]]
    return np.mean([np.bincount(row).argmax() for row in votes] == truth)


def probe(rows, labels, queries, truth):
    return LogisticRegression(max_iter=300, C=10).fit(rows, labels).score(queries, truth)


def coherence(features, tfidf, present, words=10):
    """Mean NPMI of the pairs of each live feature's words, and the words of each."""
    features = scipy.sparse.csr_matrix(features.maximum(0) if scipy.sparse.issparse(features) else np.maximum(features, 0))
    sums = np.asarray(features.sum(0)).ravel()
    live = np.flatnonzero(sums > 0)
    profile = (features.T @ tfidf).toarray()[live] / sums[live, None] - np.asarray(tfidf.mean(0))
    tops = np.argsort(-profile, axis=1)[:, :words]
    share = np.asarray(present.mean(0)).ravel()
    scores = []
    for top in tops:
        own = present[:, top]
        joint = (own.T @ own).toarray() / present.shape[0]
        for i in range(words):
            for j in range(i):
                p = joint[i, j]
                both = share[top[i]] * share[top[j]]
                scores.append(-1 if p == 0 else 1 if p == 1 else np.log(p / both) / -np.log(p))
    return np.mean(scores), dict(zip(live, tops))


def value_of(report, key):
    for part in key.split("."):
        report = report[part]
    return report


def learned(orthant, options, folder, method, seed, present, tfidf, names):
    run = folder / f"{method}-{seed}"
    length = ["--epochs", options.epochs] if options.epochs else []
    driver.output_of(orthant, "pretrain", "--data", options.data, "--method", method, "--seed", seed, "-o", run, "--quiet",
                     "--threads", options.threads, *length)
    files = {}
    for split in ("train", "test"):
        files[split] = folder / f"{method}-{seed}-{split}.safetensors"
        driver.output_of(orthant, "embed", run, "--split", split, "-o", files[split], "--quiet")
    found = driver.json_of(orthant, "measure", files["test"], "--bank", files["train"], "--json", "--quiet", "--only",
                           "sparsity,dead_features,class_consistency,knn_accuracy")
    found = {key: value_of(found, key) for key in KEYS}
    probed = driver.json_of(orthant, "probe", run, "-o", folder / f"{method}-{seed}-probe", "--layer", "projector", "--json",
                            "--quiet")
    found["probe"] = probed["top1"]
    rows = folder / "rows.npy"
    driver.output_of(orthant, "embed", run, "--split", "train", "-o", rows, "--overwrite", "--quiet")
    found["npmi"], tops = coherence(np.load(rows), tfidf, present)
    if seed == 1:
        strong = np.argsort(-np.load(rows).clip(0).mean(0))[:12]
        for feature in strong:
            print(f"# {method} feature {feature}:", " ".join(names[w] for w in tops.get(feature, [])))
    return found


def spread(values):
    return f"{np.mean(values):.4f} +- {np.std(values, ddof=1) if len(values) > 1 else 0:.4f}"


def row(name, found):
    print(name, *(f"{key} {value}" for key, value in found.items()), sep="\t", flush=True)


def main():
    flags = driver.parser(__doc__, threads=1)
    flags.add_argument("data")
    flags.add_argument("--seeds", default="1,2,3")
    flags.add_argument("--epochs", type=int, default=0, help="0: as many as pretrain chooses")
    options = flags.parse_args()
    orthant = options.bin / "orthant"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        train, labels = documents(orthant, options.data, folder, "train")
        test, truth = documents(orthant, options.data, folder, "test")
        counter = CountVectorizer(min_df=5, max_df=0.5, max_features=10_000)
        counts = counter.fit_transform(train)
        weigh = TfidfTransformer(sublinear_tf=True).fit(counts)
        tfidf, asked = weigh.transform(counts).astype(np.float32), weigh.transform(counter.transform(test)).astype(np.float32)
        present = (counts > 0).astype(np.float32).tocsc()
        names = counter.get_feature_names_out()
        row("TF-IDF", {"knn": f"{knn(tfidf, labels, asked, truth):.4f}", "probe": f"{probe(tfidf, labels, asked, truth):.4f}"})
        runs = {"ncl": [], "cl": []}
        for seed in map(int, options.seeds.split(",")):
            for method, found in runs.items():
                found.append(learned(orthant, options, folder, method, seed, present, tfidf, names))
                row(f"{method} {seed}", {key: f"{value:.4f}" for key, value in found[-1].items()})
        for method, found in runs.items():
            row(method, {key: spread([each[key] for each in found]) for key in found[0]})
        model = MiniBatchNMF(512, init="random", random_state=0, max_iter=10, batch_size=1024)
        topics, asked_topics = model.fit_transform(tfidf), model.transform(asked)
        npmi, tops = coherence(topics, tfidf, present)
        row("NMF", {"knn": f"{knn(topics, labels, asked_topics, truth):.4f}",
                    "probe": f"{probe(topics / topics.max(), labels, asked_topics / topics.max(), truth):.4f}",
                    "zeros": f"{np.mean(asked_topics == 0):.4f}", "npmi": f"{npmi:.4f}"})
        for topic in np.argsort(-topics.mean(0))[:12]:
            print(f"# NMF topic {topic}:", " ".join(names[w] for w in tops.get(topic, [])))


if __name__ == "__main__":
    main()
