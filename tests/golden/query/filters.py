#!/usr/bin/env python3
"""Writes filters.json: which items a filter leaves, and what weights mean, for the two programs that read them:
orthant/query (tests/query/golden_test.cpp) and the page.

    python3 tests/golden/query/filters.py

Nothing here reads a filter: beside each one stands what it must mean as a Python condition, or None for one that must be
refused. What is not obvious:
* features are single precision, and so is NUMBER before it is compared: f0 > 0.3 does not hold for 0.3;
* FEATURE is a feature's name first, then f0 to f(D-1), quoted or not; names are compared as they are written;
* a quoted word is never a keyword, and a keyword that is not quoted never a feature;
* VALUE without quotes ends at a space or one of ( ) , " = < > ! ~;
* id~ makes letters A to Z the same as a to z, and no others;
* an item without a class is of no class: class=x does not hold, class!=x does;
* NUMBER is [+-] digits [. digits] [e [+-] digits] with digits on at least one side of the point, and finite;
* parentheses go 64 deep, a query has at most 10,000 bytes, `not not` is refused, and so is an empty filter;
* a feature comes once among weights; without a number it counts 1.
"""
import json
import pathlib

import numpy as np

features = ["wheel", "fur", "", "red car", "class", 'say "hi"', "back\\slash", "f9", "sky-blue", "Ärger", "not", "F1"]
classes = ["cat", "dog", "air plane", "and", "7", "a.b/c"]
items = [
    ("img/Cat-001.png", "cat", {"wheel": 0.3, "fur": 0.9, "red car": 0.5}),
    ("img/cat-002.png", "cat", {"fur": 0.1, "class": 1.5, "f9": 2}),
    ("dog 3", "dog", {"fur": 0.2, 'say "hi"': 0.7, "not": 0.25}),
    ("plane(4)", "air plane", {"wheel": 1, "sky-blue": 0.6, "Ärger": 0.1}),
    ('q"5"', "and", {"back\\slash": 1e-3, 2: 0.4}),
    ("6", None, {}),
    ("ÄRGER-7", "7", {"wheel": 1e-30, "F1": 3}),
    ("a,b=c", "a.b/c", {"wheel": 0.29999998, "fur": 0.30000001, 2: 1}),
]


def column(key):
    return key if isinstance(key, int) else features.index(key)


rows = np.zeros((len(items), len(features)), np.float32)
for i, (_, _, values) in enumerate(items):
    for key, value in values.items():
        rows[i, column(key)] = value
single = np.float32


class Item:
    def __init__(self, i):
        self.id, self.kind = items[i][0], items[i][1]
        self.row = rows[i]

    def __getitem__(self, key):
        return self.row[column(key)]


def lower(text):
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


def contains(item, part):
    return lower(part) in lower(item.id)


filters = [
    # a feature alone
    ("wheel", lambda x: x["wheel"] > 0),
    ("  wheel\t\n ", lambda x: x["wheel"] > 0),
    ('"wheel"', lambda x: x["wheel"] > 0),
    ("f0", lambda x: x[0] > 0),
    ('"f0"', lambda x: x[0] > 0),
    ("f2", lambda x: x[2] > 0),
    ("f002", lambda x: x[2] > 0),
    ("sky-blue", lambda x: x["sky-blue"] > 0),
    ('"red car"', lambda x: x["red car"] > 0),
    ('"say \\"hi\\""', lambda x: x['say "hi"'] > 0),
    ('"back\\\\slash"', lambda x: x["back\\slash"] > 0),
    ('"Ärger"', lambda x: x["Ärger"] > 0),
    ('"class"', lambda x: x["class"] > 0),
    ('"not"', lambda x: x["not"] > 0),
    ("f9", lambda x: x["f9"] > 0),
    ("F1", lambda x: x["F1"] > 0),
    ("f1", lambda x: x["fur"] > 0),
    # numbers
    ("wheel>0.3", lambda x: x["wheel"] > single(0.3)),
    ("wheel >= 0.3", lambda x: x["wheel"] >= single(0.3)),
    ("wheel<0.3", lambda x: x["wheel"] < single(0.3)),
    ("wheel <=0.3", lambda x: x["wheel"] <= single(0.3)),
    ("fur>= .3", lambda x: x["fur"] >= single(0.3)),
    ("fur > 1e-1", lambda x: x["fur"] > single(0.1)),
    ("fur>+2.E-1", lambda x: x["fur"] > single(0.2)),
    ("fur > -1", lambda x: x["fur"] > -1),
    ("fur < -1", lambda x: x["fur"] < -1),
    ("wheel >= 0", lambda x: True),
    ("wheel>1e-40", lambda x: x["wheel"] > single(1e-40)),
    ("wheel>1e-999", lambda x: x["wheel"] > 0),
    ("f9>=2", lambda x: x["f9"] >= 2),
    ("f9>0002.000", lambda x: x["f9"] > 2),
    # classes
    ("class=cat", lambda x: x.kind == "cat"),
    ("class != cat", lambda x: x.kind != "cat"),
    ('class = "air plane"', lambda x: x.kind == "air plane"),
    ('CLASS="cat"', lambda x: x.kind == "cat"),
    ("class=and", lambda x: x.kind == "and"),
    ("class=7", lambda x: x.kind == "7"),
    ("class=a.b/c", lambda x: x.kind == "a.b/c"),
    # ids
    ("id=6", lambda x: x.id == "6"),
    ("id=img/Cat-001.png", lambda x: x.id == "img/Cat-001.png"),
    ("id=img/cat-001.png", lambda x: False),
    ("id~CAT", lambda x: contains(x, "CAT")),
    ("Id ~ cat-0", lambda x: contains(x, "cat-0")),
    ('id="dog 3"', lambda x: x.id == "dog 3"),
    ('id~" "', lambda x: " " in x.id),
    ('id="q\\"5\\""', lambda x: x.id == 'q"5"'),
    ('id="a,b=c"', lambda x: x.id == "a,b=c"),
    ('id~""', lambda x: True),
    ("id~är", lambda x: "är" in x.id),
    ("id~Är", lambda x: contains(x, "Är")),
    ("id~.", lambda x: "." in x.id),
    # joined: and binds before or, not before and
    ("wheel and fur", lambda x: x["wheel"] > 0 and x["fur"] > 0),
    ("wheel or fur and f9", lambda x: x["wheel"] > 0 or (x["fur"] > 0 and x["f9"] > 0)),
    ("f9 and fur or wheel", lambda x: (x["f9"] > 0 and x["fur"] > 0) or x["wheel"] > 0),
    ("(wheel or fur) and f9", lambda x: (x["wheel"] > 0 or x["fur"] > 0) and x["f9"] > 0),
    ("not wheel", lambda x: not x["wheel"] > 0),
    ("not wheel and fur", lambda x: not x["wheel"] > 0 and x["fur"] > 0),
    ("not (wheel and fur)", lambda x: not (x["wheel"] > 0 and x["fur"] > 0)),
    ("not(wheel)or(fur)", lambda x: not x["wheel"] > 0 or x["fur"] > 0),
    ("wheel and not fur", lambda x: x["wheel"] > 0 and not x["fur"] > 0),
    ("NOT wheel AND fur OR class=cat", lambda x: (not x["wheel"] > 0 and x["fur"] > 0) or x.kind == "cat"),
    ("wheel>0.2 and wheel<0.5 or class=dog", lambda x: single(0.2) < x["wheel"] < single(0.5) or x.kind == "dog"),
    ("not class=cat", lambda x: x.kind != "cat"),
    ("not (not (wheel))", lambda x: x["wheel"] > 0),
    ("((wheel))", lambda x: x["wheel"] > 0),
    ("wheel>0.1and fur", lambda x: x["wheel"] > single(0.1) and x["fur"] > 0),
    ("wheel or fur or f2 or f9", lambda x: any(x[k] > 0 for k in ("wheel", "fur", 2, "f9"))),
    ("wheel and fur and id~cat", lambda x: x["wheel"] > 0 and x["fur"] > 0 and contains(x, "cat")),
    ("(" * 64 + "wheel" + ")" * 64, lambda x: x["wheel"] > 0),
] + [(text, None) for text in [
    "", "   ", "(", ")", "()", "wheel)", "(wheel", "wheel fur", "wheel and", "and wheel", "wheel and or fur", "not",
    "not not wheel", "wheel >", "wheel > fur", "wheel = 1", "wheel == 1", "wheel != 1", "wheel >> 1", "wheel > 1 2",
    "wheel > 1.2.3", "wheel > 0x10", "wheel > 1e999", "wheel > nan", "wheel > inf", "wheel > -", "wheel > .", "wheel > 1e",
    "whel", "Wheel", "f12", "f99999999999999999999", "f", "f-1", "f1.5", "12", "-wheel", "red car", "Ärger", '""',
    '"wheel', '"a\\', '"a\\n"', "'wheel'", "class", "class>1", "class=", "class=bird", "class=Cat", "class=air plane",
    "class~cat", 'class="', "class=(cat)", "id", "id>1", "id=", "id!=6", "id==6", "id=dog 3", "id ~", "wheel; fur",
    "wheel, fur", "wheel && fur", "!wheel", "wheel\0", "(" * 65 + "wheel" + ")" * 65, "wheel or " * 2000 + "wheel"]]

weights = [
    ("wheel", {"wheel": 1}),
    ("-wheel", {"wheel": -1}),
    ("wheel:1, -fur:0.5, f2:0.8", {"wheel": 1, "fur": -0.5, 2: 0.8}),
    ('"red car":2,f9', {"red car": 2, "f9": 1}),
    ("- fur : .5", {"fur": -0.5}),
    ("-fur:-0.5", {"fur": 0.5}),
    ("fur:0", {"fur": 0}),
    ("not:1", {"not": 1}),
    ("class:1", {"class": 1}),
    ("sky-blue:1e-2", {"sky-blue": 0.01}),
] + [(text, None) for text in [
    "", ",", "wheel,", ",wheel", "wheel fur", "wheel:", "wheel:x", "wheel=1", "--wheel", "wheel:1e99", "wheel, wheel:2",
    "wheel, f0", "whel:1", "f12", "wheel:1;fur:2", "red car:1"]]

cases = [{"filter": text} | ({"error": True} if holds is None else
                             {"items": [i for i in range(len(items)) if holds(Item(i))]}) for text, holds in filters]
weight_cases = [{"weights": text} | ({"error": True} if means is None else
                                     {"vector": [[column(k), float(single(v))] for k, v in
                                                 sorted(means.items(), key=lambda pair: column(pair[0]))]})
                for text, means in weights]
golden = {
    "features": features,
    "classes": classes,
    "items": [{"id": items[i][0], "class": items[i][1], "values": [float(v) for v in rows[i]]} for i in range(len(items))],
    "cases": cases,
    "weights": weight_cases,
}


def lines(key):
    return ",\n".join("    " + json.dumps(entry, ensure_ascii=False) for entry in golden[key])


with open(pathlib.Path(__file__).with_name("filters.json"), "w") as file:
    file.write("{\n")
    for key in ("features", "classes"):
        file.write(f'  "{key}": {json.dumps(golden[key], ensure_ascii=False)},\n')
    file.write(",\n".join(f'  "{key}": [\n{lines(key)}\n  ]' for key in ("items", "cases", "weights")))
    file.write("\n}\n")
