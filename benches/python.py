"""Measures the Python package for benches/compare-python: FOLDER NODE KEY=NANOSECONDS..., the time of each key in Rust."""

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
    import pyarrow

    environment = hieratic.Environment(folder)
    count = len(node.keys())
    nodes = [{"certname": f"node{number:05}", "role": f"role{number % 10}"} for number in range(1_000_000 // count + 1)]
    for turn in ("the first time", "again"):
        start = time.perf_counter()
        answers = environment.answers(nodes)
        rows = pyarrow.table(answers).num_rows
        seconds = time.perf_counter() - start
        classes = answers.summary["classes"]
        print(f"{rows:,} rows of {len(nodes):,} nodes ({classes} asked) into Arrow, {turn}: {seconds:.2f} s")


main(*sys.argv[1:])
