"""Measures the examples for Spark and Ray beside one process: REPOSITORY FACTS.ndjson ENGINE WORKERS KEY... Prints the seconds.

ENGINE is `spark`, `ray`, or `process` for one process without either. A turn before warms the engine up: its start is not counted.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "examples/python"))


def main(repository, facts, engine, workers, *keys):
    few = Path(tempfile.mkdtemp()) / "few.ndjson"
    with open(facts) as lines, few.open("w") as out:
        out.writelines(line for line, _ in zip(lines, range(100)))
    ask = {"spark": with_spark, "ray": with_ray, "process": in_process}[engine]
    ask(repository, [str(few), facts], int(workers), keys)


def timed(turns):
    seconds = 0.0
    for turn in turns:
        start = time.perf_counter()
        turn()
        seconds = time.perf_counter() - start
    print(f"{seconds:.2f}")


def target():
    return os.path.join(tempfile.mkdtemp(), "out")


def with_spark(repository, files, workers, keys):
    import shutil

    import fleet_on_spark
    from pyspark.sql import SparkSession

    # Each worker is to be one core: the library would use all of them.
    os.environ["RAYON_NUM_THREADS"] = "1"
    spark = SparkSession.builder.master(f"local[{workers}]").config("spark.ui.enabled", "false").getOrCreate()
    archive = shutil.make_archive(os.path.join(tempfile.mkdtemp(), "repository"), "gztar", repository)
    made = [fleet_on_spark.rows(spark, archive, file, keys, 4 * workers) for file in files]
    timed(lambda rows=rows: rows.write.option("compression", "zstd").parquet(target()) for rows in made)
    spark.stop()


def with_ray(repository, files, workers, keys):
    import fleet_on_ray
    import ray

    variables = {"PYTHONPATH": os.pathsep.join(sys.path), "RAYON_NUM_THREADS": "1"}
    ray.init(num_cpus=workers + 2, include_dashboard=False, runtime_env={"env_vars": variables})
    timed(lambda file=file: fleet_on_ray.main(repository, file, target(), *keys, workers=workers) for file in files)
    ray.shutdown()


def in_process(repository, files, workers, keys):
    os.environ["RAYON_NUM_THREADS"] = str(workers)
    import pyarrow.parquet

    import hieratic

    environment = hieratic.Environment(repository)

    def written(file):
        reader = pyarrow.RecordBatchReader.from_stream(environment.answers(file, keys))
        with pyarrow.parquet.ParquetWriter(target(), reader.schema, compression="zstd") as out:
            for batch in reader:
                out.write_batch(batch)

    timed(lambda file=file: written(file) for file in files)


main(*sys.argv[1:])
