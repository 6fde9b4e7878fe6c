"""The example for Spark gives the rows of one machine. Runs where Spark is installed: `crates/bindings-python/test.sh --engines`."""

import shutil
import sys

import pytest

from conftest import EXAMPLES
from engines import KEYS, Killer, of_one_machine, written

pyspark = pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")
sys.path.insert(0, str(EXAMPLES / "python"))


def is_worker(command, above):
    """Workers are forks of a process of Spark's that is called so itself."""
    return "pyspark.daemon" in command and "pyspark.daemon" in above


@pytest.fixture
def spark():
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false").getOrCreate()
    yield session
    session.stop()


@pytest.fixture
def archive(repository, tmp_path):
    return shutil.make_archive(str(tmp_path / "repository"), "gztar", repository)


def test_two_workers_give_the_rows_of_one_machine(repository, fleet, tmp_path):
    import fleet_on_spark

    import hieratic

    fleet_on_spark.main(str(repository), str(fleet), str(tmp_path / "out"), *KEYS, workers=2, parts=4)
    expected = of_one_machine(hieratic.Environment(repository), fleet)
    assert len(expected) == 1000
    assert written(tmp_path / "out") == expected


def test_two_processes_work_and_open_the_repository_once(spark, archive, fleet):
    import fleet_on_spark

    def seen(batches):
        import os

        import pyarrow

        for _ in fleet_on_spark.answers(batches, KEYS):
            pass
        opened = fleet_on_spark.environment.cache_info().misses
        yield pyarrow.RecordBatch.from_pydict({"process": [os.getpid()], "opened": [opened]})

    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    # `rows` sends the repository and the module.
    fleet_on_spark.rows(spark, archive, str(fleet), KEYS, 8)
    found = spark.read.text(str(fleet)).repartition(8).mapInArrow(seen, "process long, opened long").collect()
    assert len(found) == 8
    assert len({row["process"] for row in found}) == 2
    assert {row["opened"] for row in found} == {1}


def test_a_lost_worker_costs_a_retry_and_no_row(spark, repository, archive, large_fleet, tmp_path):
    import fleet_on_spark

    import hieratic

    killer = Killer(is_worker)
    killer.start()
    spark.sparkContext.setJobGroup("fleet", "the rows")
    made = fleet_on_spark.rows(spark, archive, str(large_fleet), KEYS, 16)
    made.write.option("compression", "zstd").parquet(str(tmp_path / "out"))
    killer.is_over = True
    killer.join()
    assert killer.killed is not None
    tracker = spark.sparkContext.statusTracker()
    stages = [stage for job in tracker.getJobIdsForGroup("fleet") for stage in tracker.getJobInfo(job).stageIds]
    assert sum(tracker.getStageInfo(stage).numFailedTasks for stage in stages) >= 1
    assert written(tmp_path / "out") == of_one_machine(hieratic.Environment(repository), large_fleet)
