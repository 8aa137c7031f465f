#!/usr/bin/env python3
"""Runs the shards of one refolio run on a Ray cluster, and merges them.

    ray_shards.py --out DIR --shards N [--refolio PATH] [--address ADDRESS] -- --input FILE... [flags of `refolio run`]

All nodes must see the same paths. A shard is written under a temporary name and renamed when it is complete, and a shard
that is complete is not run again: so a shard that is lost, with its process or with its node, is simply started again,
and starting the whole again after whatever has happened goes on where it was. The merge proves that every row is there once.
"""

import argparse
import pathlib
import subprocess
import sys

import ray

# Exit codes of refolio that another attempt would give again: wrong usage, an input that cannot be read.
HOPELESS = (2, 3)


def run_shard(command):
    """The exit code of one shard and what it said of errors."""
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stderr.strip()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", required=True, type=pathlib.Path, help="the folder for the whole; shards go to DIR.shards")
    options.add_argument("--shards", required=True, type=int, metavar="N")
    options.add_argument("--refolio", default="refolio", metavar="PATH")
    options.add_argument("--address", help="the cluster; without it, Ray is started on this machine")
    options.add_argument("--jobs", type=int, default=1, help="cores of one shard (default: 1)")
    options.add_argument("--attempts", type=int, default=3, help="how often a shard is tried (default: 3)")
    options.add_argument("flags", nargs=argparse.REMAINDER, help="after --: flags of `refolio run`")
    options = options.parse_args()
    flags = [flag for flag in options.flags if flag != "--"]
    parts = options.out.absolute().with_name(options.out.name + ".shards")

    ray.init(address=options.address, log_to_driver=False, include_dashboard=False, logging_level="warning")
    # Ray itself starts a task again whose process or node is lost.
    task = ray.remote(num_cpus=options.jobs, max_retries=options.attempts)(run_shard)

    def start(shard):
        command = [options.refolio, "--quiet", "run", "--shard", f"{shard}/{options.shards}", "--out", str(parts)]
        return task.remote([*command, "--jobs", str(options.jobs), *flags])

    attempts = dict.fromkeys(range(options.shards), 1)
    running = {start(shard): shard for shard in attempts}
    while running:
        [ready], _ = ray.wait(list(running), num_returns=1)
        shard = running.pop(ready)
        try:
            code, errors = ray.get(ready)
        except ray.exceptions.RayError as error:
            code, errors = None, str(error)
        if code == 0:
            continue
        print(f"shard {shard}/{options.shards} ended with {code}: {errors}", file=sys.stderr)
        if code in HOPELESS or attempts[shard] >= options.attempts:
            sys.exit(f"ray_shards: shard {shard}/{options.shards} failed {attempts[shard]} times")
        attempts[shard] += 1
        running[start(shard)] = shard

    folders = [str(parts / f"shard-{shard}-of-{options.shards}") for shard in range(options.shards)]
    sys.exit(subprocess.run([options.refolio, "merge", str(options.out), *folders]).returncode)


if __name__ == "__main__":
    main()
