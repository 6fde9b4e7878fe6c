"""Measures the Python package for benches/compare-python: FOLDER NODE KEY=NANOSECONDS..., the time of each key in Rust; or
--arrow FOLDER FLEET.ndjson..., whose answers become tables of Arrow."""

import json
import sys
import time

import hieratic

TURNS = 200_000


def nanoseconds(ask):
    for _ in range(TURNS // 10):
        ask()
    start = time.perf_counter_ns()
    for _ in range(TURNS):
        ask()
    return (time.perf_counter_ns() - start) / TURNS


def main(folder, name, *keys):
    node = hieratic.Environment(folder).node(name)
    print("| lookup, warm | Rust | Python | more |")
    print("|---|---|---|---|")
    for pair in keys:
        key, _, rust = pair.rpartition("=")
        python = nanoseconds(lambda key=key: node.lookup(key))
        print(f"| `{key}` | {int(rust):,} ns | {python:,.0f} ns | {(python - int(rust)) / 1000:.2f} µs |")


def into_arrow(folder, *fleets):
    """A million rows into Arrow: nodes in few classes, and nodes that all differ."""
    import pyarrow

    environment = hieratic.Environment(folder)
    for fleet in fleets:
        nodes = [json.loads(line) for line in open(fleet)]
        times = []
        for _ in range(3):
            start = time.perf_counter()
            answers = environment.answers(nodes)
            rows = pyarrow.table(answers).num_rows
            times.append(time.perf_counter() - start)
        classes = answers.summary["classes"]
        print(f"{rows:,} rows of {len(nodes):,} nodes in {classes:,} classes into Arrow: {min(times):.2f} s")


if sys.argv[1] == "--arrow":
    into_arrow(*sys.argv[2:])
else:
    main(*sys.argv[1:])
