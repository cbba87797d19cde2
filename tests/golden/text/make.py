"""Writes ids.json: words and ids of texts, by Python's Unicode tables and a plain reading of orthant/text/words.h and text_ids.h."""
import json
import pathlib
import unicodedata

TEXTS = [
    "A child in a pink dress is climbing up a set of stairs in an entry way .",
    "Don't STOP: rock'n'roll, the '90s & O’Neill’s naïve café",
    "Straße ÄÖÜ İstanbul ﬁne ﬂow ½ ² ＦＵＬＬ　width",
    "東京都の天気 is 晴れ",
    "Ελληνικά ΣΊΣΥΦΟΣ Русский ТЕКСТ עברית العربية हिन्दी",
    "e\u0301 vs \u00e9, a\u0308 vs \u00e4; soft\u00adhyphen zero\u200bwidth",
    "e-mail me@example.org about x86_64, 3.14 and 1,000",
    "👩‍🚀 rocket ☃ !!! ... —",
    "",
    "a " * 20,
    "x" * 80,
    "one two three four five six seven",
    "don''t ''quoted'' it's' 'tis",
]
OPTIONS = [
    {},
    {"char_max": 0},
    {"char_min": 2, "char_max": 3, "buckets": 1009},
    {"word_ngrams": 3, "char_max": 0, "max_words": 5, "buckets": 1 << 20},
    {"normalise": "none", "char_min": 4, "char_max": 4, "word_ngrams": 2},
]
DEFAULT = {"normalise": "nfkc-casefold", "char_min": 3, "char_max": 5, "word_ngrams": 1, "buckets": 1 << 15,
           "max_words": 256}
IGNORABLE = {0xad, 0x200b, 0x200c, 0x200d, 0xfe0f}  # those that occur above


def normalised(text, how):
    if how == "none":
        return text
    text = unicodedata.normalize("NFD", text).casefold()
    text = unicodedata.normalize("NFKC", text).casefold()
    text = "".join(c for c in text if ord(c) not in IGNORABLE)
    return unicodedata.normalize("NFKC", text)


def ideograph(c):
    c = ord(c)
    return 0x3400 <= c < 0x4dc0 or 0x4e00 <= c <= 0x9fff or 0xf900 <= c <= 0xfaff or 0x20000 <= c <= 0x3ffff


def plain(text, i):
    return 0 <= i < len(text) and unicodedata.category(text[i])[0] in "LMN" and not ideograph(text[i])


def kind(text, i):
    if plain(text, i) or (text[i] == "'" and plain(text, i - 1) and plain(text, i + 1)):
        return "letter"
    return "ideograph" if ideograph(text[i]) else "other"


def words(text, o):
    text = normalised(text, o["normalise"]).replace("\u2019", "'")
    found, run = [], ""
    for i, c in enumerate(text):
        if kind(text, i) == "letter":
            run += c
            continue
        found += [run] if run else []
        run = ""
        found += [c] if kind(text, i) == "ideograph" else []
    found += [run] if run else []
    return [word[:64] for word in found][:o["max_words"]]


def bucket(text, o):
    value = 14695981039346656037
    for byte in text.encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return value % o["buckets"]


def ids(found, o):
    result = []
    for word in found:
        whole = f"<{word}>"
        result.append(bucket(whole, o))
        for i in range(len(whole)):
            for n in range(o["char_min"], o["char_max"] + 1):
                if i + n <= len(whole) and n < len(whole):
                    result.append(bucket(whole[i:i + n], o))
    for n in range(2, o["word_ngrams"] + 1):
        result += [bucket("<" + " ".join(found[i:i + n]) + ">", o) for i in range(len(found) - n + 1)]
    return result


cases = []
for text in TEXTS:
    for options in OPTIONS:
        o = DEFAULT | options
        found = words(text, o)
        cases.append({"text": text, "options": o, "words": found, "ids": ids(found, o)})
path = pathlib.Path(__file__).parent / "ids.json"
path.write_text(json.dumps(cases, ensure_ascii=False, separators=(",", ":")) + "\n")
