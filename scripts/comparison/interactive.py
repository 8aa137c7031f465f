#!/usr/bin/env python3
"""Asks saved problems through Vampire's own interactive mode and as processes, and compares the SZS statuses.

    refolio run --save-problems PROBLEMS …
    python3 scripts/comparison/interactive.py --vampire 'refolio vampire' PROBLEMS

Exits with 1 if any status differs. The first attempt of the default schedule is asked, so that workers, processes and the
interactive mode can be held against each other on the questions of a run. It needs nothing but Python 3.9 and a Vampire.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import time

OPTIONS = (
    "--input_syntax tptp --output_mode szs --proof tptp --output_axiom_names on --random_seed 1 "
    "--time_limit 2s --memory_limit 2048"
).split()
STATUS = re.compile(r"^% SZS status (\w+)", re.MULTILINE)
RULE = "% ------------------------------\n"


def status(text):
    found = STATUS.search(text)
    return found.group(1) if found else "none"


def process(vampire, file):
    return status(subprocess.run([*vampire, *OPTIONS, file], capture_output=True, text=True).stdout)


class Interactive:
    """One interactive Vampire. It forks a child for each `run` and does not wait for it, so that only one is sent at a
    time; the statistics, which stand between two rules, are the last that a child prints."""

    def __init__(self, vampire):
        self.child = subprocess.Popen(
            [*vampire, "--interactive", "on"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, file):
        self.child.stdin.write(f"run {' '.join(OPTIONS)} {file}\n")
        self.child.stdin.flush()
        lines, rules = [], 0
        for line in self.child.stdout:
            lines.append(line)
            rules += line == RULE
            # The second rule is printed twice.
            if rules == 3 or line.startswith("User error"):
                break
        return status("".join(lines))

    def close(self):
        self.child.stdin.close()
        self.child.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vampire", default="refolio vampire", help="the command")
    parser.add_argument("problems", type=pathlib.Path, help="a folder of .p files")
    args = parser.parse_args()
    vampire = shlex.split(args.vampire)
    files = sorted(str(f.resolve()) for f in args.problems.glob("*.p"))
    if not files:
        sys.exit(f"no .p files in {args.problems}")
    started = time.perf_counter()
    as_processes = [process(vampire, f) for f in files]
    between = time.perf_counter()
    interactive = Interactive(vampire)
    as_interactive = [interactive.ask(f) for f in files]
    interactive.close()
    ended = time.perf_counter()
    different = [t for t in zip(files, as_processes, as_interactive) if t[1] != t[2]]
    for file, one, other in different:
        print(f"{file}: {one} as a process, {other} interactively")
    per = 1000 / len(files)
    print(
        f"{len(files)} problems, {len(different)} differ; process {(between - started) * per:.2f} ms, "
        f"interactive {(ended - between) * per:.2f} ms a problem"
    )
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
