"""The answers of a fleet on Ray Data: facts are divided among workers, each opens the repository once and writes its rows as Parquet.

    python fleet_on_ray.py REPOSITORY FACTS.ndjson OUTPUT KEY...

OUTPUT is a folder, or an address of one in a cloud that pyarrow knows. On a cluster, every machine needs the repository at the same path, or a
folder that all of them see; so it is with OUTPUT.
"""

import hashlib
import sys
from pathlib import Path

import pyarrow
import pyarrow.fs
import pyarrow.parquet
import ray

import hieratic


class Answer:
    """A worker: it opens the repository when it starts, answers batches of nodes, and writes the rows of each to a file.

    Rows that were given back would be copied to whoever writes them.
    """

    def __init__(self, repository, output, keys):
        self.environment = hieratic.Environment(repository)
        self.files, self.folder = pyarrow.fs.FileSystem.from_uri(output)
        self.keys = keys

    def __call__(self, facts: pyarrow.Table) -> pyarrow.Table:
        # A batch is a part of the fleet: other nodes may have the keys.
        rows = pyarrow.table(self.environment.answers(facts, self.keys, allow_empty=True))
        # When a worker is lost, another one answers its batch again: under the same name, which stands for a file that is whole. Readers of
        # Parquet pass over names that begin with an underscore.
        name = f"{self.folder}/{named(facts)}.parquet"
        part = f"{self.folder}/_{ray.get_runtime_context().get_actor_id()}"
        pyarrow.parquet.write_table(rows, part, filesystem=self.files, compression="zstd")
        self.files.move(part, name)
        return pyarrow.table({"file": [name], "rows": [rows.num_rows]})


def main(repository, facts, output, *keys, workers=2, batch=1000):
    """Writes the rows, and returns how many there are."""
    if "://" not in output:
        Path(output).mkdir(parents=True, exist_ok=True)
        output = str(Path(output).resolve())
    # Facts stay JSON: nodes with other facts would be tables with other columns.
    # Blocks of one batch each: otherwise one worker may get all of a file.
    lines = ray.data.read_text(facts).repartition(target_num_rows_per_block=batch)
    nodes = lines.map_batches(as_table, batch_format="pyarrow")
    written = nodes.map_batches(
        Answer,
        fn_constructor_args=(repository, output, list(keys)),
        batch_format="pyarrow",
        batch_size=batch,
        compute=ray.data.ActorPoolStrategy(size=workers),
        # Half of each processor is left for the tasks that read the facts: with all of them, a machine of as many processors as workers
        # would wait for ever.
        num_cpus=0.5,
    )
    count = written.sum("rows") or 0
    remove_parts(output)
    return count


def remove_parts(output):
    """Removes what lost workers were writing."""
    files, folder = pyarrow.fs.FileSystem.from_uri(output)
    for found in files.get_file_info(pyarrow.fs.FileSelector(folder)):
        if found.base_name.startswith("_"):
            files.delete_file(found.path)


def as_table(lines: pyarrow.Table) -> pyarrow.Table:
    """Lines of JSON as the columns that `answers` takes: the name of the node and its facts."""
    import json

    nodes = [json.loads(line) for line in lines["text"].to_pylist()]
    return pyarrow.table({
        "certname": [node["certname"] for node in nodes],
        "facts": [json.dumps(node["facts"]) for node in nodes],
    })


def named(facts: pyarrow.Table) -> str:
    """A name for a batch, which no other batch has."""
    text = hashlib.sha256()
    for column in facts.columns:
        for value in column.to_pylist():
            text.update(f"{len(value)}:{value}".encode())
    return text.hexdigest()[:32]


if __name__ == "__main__":
    print(main(*sys.argv[1:]), "rows")
