"""The answers of a fleet on Ray Data: facts are divided among workers, each opens the repository once, the rows are Parquet.

    python fleet_on_ray.py REPOSITORY FACTS.ndjson OUTPUT KEY...

On a cluster, every machine needs the repository at the same path, or a folder that all of them see.
"""

import sys

import pyarrow
import ray

import hieratic


class Answer:
    """A worker: it opens the repository when it starts, and answers batches of nodes."""

    def __init__(self, repository, keys):
        self.environment = hieratic.Environment(repository)
        self.keys = keys

    def __call__(self, facts: pyarrow.Table) -> pyarrow.Table:
        return pyarrow.table(self.environment.answers(facts, self.keys))


def main(repository, facts, output, *keys, workers=2, batch=1000):
    # Facts stay JSON: nodes with other facts would be tables with other columns.
    nodes = ray.data.read_text(facts).map_batches(as_table, batch_format="pyarrow")
    answers = nodes.map_batches(
        Answer,
        fn_constructor_args=(repository, list(keys)),
        batch_format="pyarrow",
        batch_size=batch,
        concurrency=workers,
    )
    answers.write_parquet(output)


def as_table(lines: pyarrow.Table) -> pyarrow.Table:
    """Lines of JSON as the columns that `answers` takes: the name of the node and its facts."""
    import json

    nodes = [json.loads(line) for line in lines["text"].to_pylist()]
    return pyarrow.table({
        "certname": [node["certname"] for node in nodes],
        "facts": [json.dumps(node["facts"]) for node in nodes],
    })


if __name__ == "__main__":
    main(*sys.argv[1:])
