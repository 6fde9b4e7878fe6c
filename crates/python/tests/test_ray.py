"""The example for Ray Data gives the rows of one machine. Runs where Ray is installed: `crates/python/test.sh --ray`."""

import os
import sys

import pytest

from conftest import EXAMPLES

ray = pytest.importorskip("ray")
pyarrow = pytest.importorskip("pyarrow")


def test_two_workers_give_the_rows_of_one_machine(environment, fleet, tmp_path):
    from pyarrow import parquet

    sys.path.insert(0, str(EXAMPLES / "python"))
    import fleet_on_ray

    keys = ["profile::web::*", "profile::base::packages"]
    ray.init(num_cpus=4, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}})
    try:
        fleet_on_ray.main(str(EXAMPLES / "control-repo"), str(fleet), str(tmp_path / "out"), *keys, workers=2, batch=50)
    finally:
        ray.shutdown()
    order = [("node", "ascending"), ("key", "ascending")]
    found = parquet.read_table(tmp_path / "out").sort_by(order)
    expected = pyarrow.table(environment.answers(fleet, keys)).sort_by(order)
    assert found.to_pylist() == expected.to_pylist()
    assert found.num_rows == 1000
