"""The answers of a fleet on Spark: facts are divided among workers, each opens the repository once, the rows are Parquet.

    spark-submit fleet_on_spark.py REPOSITORY FACTS.ndjson OUTPUT KEY...

The repository is sent to every machine once, as an archive. A worker that is lost costs a retry of its part of the facts.
"""

import json
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

import pyarrow

import hieratic

#: The rows, with types that Spark has: it knows no unsigned integers.
SCHEMA = (
    "node string, key string, module string, value string, string string, integer bigint, float double, boolean boolean, "
    "error string, file string, line int, level string, layer string, merge string, contributions string, secret boolean, facts string"
)


def main(repository, facts, output, *keys, workers=2, parts=8):
    from pyspark.sql import SparkSession

    # A task is tried up to four times, on one machine as well.
    spark = SparkSession.builder.master(f"local[{workers},4]").appName("fleet").getOrCreate()
    try:
        # The archive has to stay until the last machine has it.
        with tempfile.TemporaryDirectory() as folder:
            archive = shutil.make_archive(str(Path(folder) / "repository"), "gztar", repository)
            made = rows(spark, archive, facts, keys, parts)
            made.write.mode("overwrite").option("compression", "zstd").parquet(output)
    finally:
        spark.stop()


def rows(spark, archive, facts, keys, parts):
    """The rows as a table of Spark, which are made when something reads it."""
    context = spark.sparkContext
    # Workers import this file by its name: what a module remembers lives as long as the worker.
    context.addPyFile(__file__)
    context.addArchive(f"{archive}#repository")
    lines = spark.read.text(facts).repartition(parts)
    wanted = list(keys)
    return lines.mapInArrow(lambda batches: answers(batches, wanted), SCHEMA)


def answers(batches, keys):
    """What a worker does: batches of lines become batches of rows."""
    for batch in batches:
        # A batch is a part of the fleet: other nodes may have the keys.
        table = pyarrow.table(environment().answers(as_table(batch), keys, allow_empty=True))
        line = table.schema.get_field_index("line")
        table = table.set_column(line, "line", table["line"].cast(pyarrow.int32()))
        yield from table.to_batches()


@cache
def environment():
    """The repository as it was sent to this machine, opened once by each worker."""
    from pyspark import SparkFiles

    return hieratic.Environment(SparkFiles.get("repository"))


def as_table(lines):
    """Lines of JSON as the columns that `answers` takes. Facts stay JSON: nodes with other facts would be tables with other columns."""
    nodes = [json.loads(line) for line in lines["value"].to_pylist()]
    return pyarrow.table({
        "certname": [node["certname"] for node in nodes],
        "facts": [json.dumps(node["facts"]) for node in nodes],
    })


if __name__ == "__main__":
    import fleet_on_spark

    fleet_on_spark.main(*sys.argv[1:])
