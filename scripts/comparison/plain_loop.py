#!/usr/bin/env python3
"""What a researcher writes in an afternoon: judge every record of a FOLIO file by three runs of a prover.

    python3 scripts/bench/plain_loop.py --vampire 'refolio vampire' folio_v2_validation.jsonl

This is the yardstick of `scripts/bench`: it reads formulas strictly, as refolio does with `--fixes none`, so that
both programs answer the same questions. It needs nothing but Python 3.9 and a prover.
"""

import argparse
import collections
import json
import re
import resource
import shlex
import subprocess
import sys
import time

# A name may hold letters of any script, digits and the marks that real names carry; `->` ends a name.
TOKEN = re.compile(r"\s*(<->|<=>|->|=>|—>|!=|(?:[\w.'’]|-(?!>))+|\S)")
NAME = re.compile(r"[\w.'’-]*\w[\w.'’-]*\Z")
SPELLINGS = {
    "⟷": "↔", "⇔": "↔", "≡": "↔", "<->": "↔", "<=>": "↔",
    "->": "→", "=>": "→", "⇒": "→", "—>": "→",
    "&": "∧", "^": "∧", "|": "∨", "v": "∨", "+": "∨",
    "~": "¬", "!": "¬", "∼": "¬", "!=": "≠",
}  # fmt: skip
TPTP = {"↔": "<=>", "→": "=>", "∨": "|", "⊕": "<~>", "∧": "&"}


class Malformed(Exception):
    """The formula has no reading as it stands."""


class Parser:
    """Recursive descent over one formula; every method returns TPTP text.

    Precedence: ¬ and quantifiers (which bind the next unit only), ∧, then ∨ and ⊕ alike, →, ↔.
    """

    def __init__(self, text):
        # `v` and `+` are connectives only between formulas, so they are respelt in `binary`, not here.
        self.tokens = [t if t in "v+" else SPELLINGS.get(t, t) for t in TOKEN.findall(text)]
        self.position = 0
        self.scope = []

    def peek(self):
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def take(self, wanted=None):
        token = self.peek()
        if token is None or (wanted is not None and token != wanted):
            raise Malformed(f"expected {wanted or 'more'}, found {token or 'the end'}")
        self.position += 1
        return token

    def name(self):
        token = self.take()
        if not NAME.match(token):
            raise Malformed(f"expected a name, found {token}")
        return token

    def whole(self):
        formula = self.binary(0)
        if self.peek() is not None:
            raise Malformed(f"{self.peek()} closes or continues nothing")
        return formula

    def binary(self, level):
        levels = ("↔",), ("→",), ("∨", "⊕"), ("∧",)
        if level == len(levels):
            return self.unit()
        left = self.binary(level + 1)
        while (sign := SPELLINGS.get(self.peek(), self.peek())) in levels[level]:
            self.take()
            # → groups to the right, everything else to the left.
            right = self.binary(level if sign == "→" else level + 1)
            left = f"({left} {TPTP[sign]} {right})"
        return left

    def unit(self):
        token = self.peek()
        if token == "¬":
            self.take()
            return f"~{self.unit()}"
        if token in ("∀", "∃"):
            self.take()
            names = [self.name()]
            while self.peek() == ",":
                self.take()
                names.append(self.name())
            if self.peek() == ":":
                self.take()
            self.scope.append(names)
            body = self.unit()
            self.scope.pop()
            bound = ",".join(mangle("V", n) for n in names)
            return f"({'!' if token == '∀' else '?'}[{bound}]: {body})"
        if token == "(":
            self.take()
            inner = self.binary(0)
            self.take(")")
            return inner
        return self.atom()

    def atom(self):
        name = self.name()
        args = self.arguments()
        if self.peek() in ("=", "≠"):
            sign = "=" if self.take() == "=" else "!="
            left = self.term(name, args)
            other = self.name()
            return f"({left} {sign} {self.term(other, self.arguments())})"
        return applied(f"p{len(args)}", name, args)

    def arguments(self):
        if self.peek() != "(":
            return []
        self.take()
        args = []
        while True:
            name = self.name()
            args.append(self.term(name, self.arguments()))
            if self.peek() != ",":
                break
            self.take()
        self.take(")")
        return args

    def term(self, name, args):
        if not args and any(name in names for names in self.scope):
            return mangle("V", name)
        # What no quantifier binds is one unknown individual.
        return applied(f"f{len(args)}", name, args)


def applied(prefix, name, args):
    symbol = mangle(prefix, name)
    return f"{symbol}({','.join(args)})" if args else symbol


def mangle(prefix, name):
    """A TPTP word of its own for every name: what is not an ASCII letter or digit becomes its code."""
    return prefix + "_" + re.sub(r"[^A-Za-z0-9]", lambda m: f"_{ord(m[0]):x}_", name)


def problem(premises, conjecture=None):
    lines = [f"fof(premise_{i}, axiom, {p})." for i, p in enumerate(premises)]
    if conjecture is not None:
        lines.append(f"fof(goal, conjecture, {conjecture}).")
    return "\n".join(lines) + "\n"


def ask(prover, text):
    run = subprocess.run(prover, input=text, capture_output=True, text=True)
    status = re.search(r"^[%#] SZS status (\w+)", run.stdout, re.MULTILINE)
    return status[1] if status else "NoAnswer"


def judge(record, prover):
    try:
        # Version 2 of FOLIO joins them with line feeds, 0.0 has lists.
        formulas = record["premises-FOL"]
        formulas = formulas.split("\n") if isinstance(formulas, str) else formulas
        formulas = [formula for formula in formulas if formula.strip()]
        premises = [Parser(f).whole() for f in formulas]
        conclusion = Parser(record["conclusion-FOL"]).whole()
    except Malformed:
        return "Unparsed"
    consistency = ask(prover, problem(premises))
    entails = ask(prover, problem(premises, conclusion))
    refutes = ask(prover, problem(premises, f"~{conclusion}"))
    if consistency == "Unsatisfiable":
        return "Inconsistent"
    if consistency != "Satisfiable":
        return "Undetermined"
    if entails == "Theorem":
        return "True"
    if refutes == "Theorem":
        return "False"
    return "Uncertain" if entails == refutes == "CounterSatisfiable" else "Undetermined"


def agreement(verdict, label):
    label = "Uncertain" if label == "Unknown" else label
    if verdict in ("True", "False", "Uncertain"):
        return "agree" if verdict == label else "conflict"
    return verdict.lower()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--vampire", default="vampire", metavar="CMD", help="the command, with its first arguments")
    options.add_argument("--eprover", metavar="CMD", help="ask E instead, as a check of this script")
    options.add_argument("--limit", type=int, metavar="N", help="read the first N records only")
    options.add_argument("--each", action="store_true", help="also print every record's id, label and verdict")
    options.add_argument("files", nargs="+", metavar="FILE")
    options = options.parse_args()
    if options.eprover:
        prover = [*shlex.split(options.eprover), "--auto", "--silent", "--cpu-limit=10"]
    else:
        prover = [*shlex.split(options.vampire), "--input_syntax", "tptp", "--proof", "off", "--time_limit", "10"]

    records = []
    for path in options.files:
        with open(path, encoding="utf-8") as lines:
            records += [json.loads(line) for line in lines if line.strip()]
    records = records[: options.limit]

    started = time.perf_counter()
    counts = collections.Counter()
    for record in records:
        verdict = judge(record, prover)
        counts[agreement(verdict, record["label"])] += 1
        if options.each:
            print(record.get("example_id", ""), record["label"], verdict, sep="\t")
    seconds = time.perf_counter() - started

    # The kernel counts in KiB on Linux and in bytes on macOS, and a child at no less than what its parent held when
    # starting it.
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    own, child = (resource.getrusage(who).ru_maxrss / unit for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print("  ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    print(f"{len(records)} records  {seconds:.2f} s  {len(records) / seconds:.1f} records/s")
    print(f"peak memory: {own:.1f} MiB for Python, {child:.1f} MiB for the largest prover")


if __name__ == "__main__":
    main()
