#!/usr/bin/env python3
"""Writes a first corpus for fuzzing: each formula of the sample, some of them damaged.

    python3 fuzz/seeds.py fuzz/corpus/parse [FILE.jsonl]…
"""

import json
import pathlib
import random
import sys

SAMPLE = sorted(pathlib.Path(__file__).parents[1].glob("data/*.jsonl"))
SPELLINGS = [("→", "->"), ("∧", "&"), ("∨", " v "), ("¬", "~"), ("∀", "forall "), ("∃", "exists "), ("⊕", "<~>")]
PIECES = "( ) , ∀x ∃ ¬ ∧ ∨ ⊕ → = ≠ : . v + [ } 500,000 a b".split(" ")


def formulas(paths):
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            for key in ("premises-FOL", "conclusion-FOL"):
                texts = record.get(key) or ""
                yield from texts if isinstance(texts, list) else texts.split("\n")


def damaged(text, draw):
    """The text with a piece put in, a character left out, or its signs respelt."""
    at = draw.randrange(len(text) + 1)
    yield text[:at] + draw.choice(PIECES) + text[at:]
    yield text[:at] + text[at + 1 :]
    for sign, other in SPELLINGS:
        text = text.replace(sign, other)
    yield text


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(0)
    texts = sorted(set(formulas(map(pathlib.Path, sys.argv[2:]) if sys.argv[2:] else SAMPLE)) - {""})
    # The limits of nesting, which chance does not reach.
    deep = ["¬" * 200, "(" * 200, "∀x ¬" * 150, "A ∧ " * 300, "(A → " * 100, "P(" + "f(" * 150]
    texts += [text for start in deep for text in (start + "P(x)", start + "P(x)" + ")" * start.count("("))]
    for text in texts[:]:
        texts += damaged(text, draw)
    for number, text in enumerate(texts):
        (folder / f"seed-{number:05}").write_text(text, encoding="utf-8")
    print(f"{len(texts)} seeds in {folder}")


if __name__ == "__main__":
    main()
