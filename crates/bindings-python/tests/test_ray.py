"""The example for Ray Data gives the rows of one machine. Runs where Ray is installed: `crates/bindings-python/test.sh --engines`."""

import os
import sys

import pytest

from conftest import EXAMPLES
from engines import KEYS, Killer, of_one_machine, written

ray = pytest.importorskip("ray")
pytest.importorskip("pyarrow")
sys.path.insert(0, str(EXAMPLES / "python"))


@pytest.fixture
def cluster():
    # As many as the example names: it must not wait for more.
    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}})
    yield
    ray.shutdown()


def test_two_workers_give_the_rows_of_one_machine(cluster, environment, fleet, tmp_path):
    import fleet_on_ray

    fleet_on_ray.main(str(EXAMPLES / "control-repo"), str(fleet), str(tmp_path / "out"), *KEYS, workers=2, batch=50)
    expected = of_one_machine(environment, fleet)
    assert len(expected) == 1000
    assert written(tmp_path / "out") == expected


def test_a_lost_worker_costs_a_retry_and_no_row(cluster, environment, large_fleet, tmp_path):
    import fleet_on_ray

    killer = Killer(lambda command, above: command.startswith("ray::MapWorker(") and "Answer" in command)
    killer.start()
    repository = str(EXAMPLES / "control-repo")
    fleet_on_ray.main(repository, str(large_fleet), str(tmp_path / "out"), *KEYS, workers=2, batch=500)
    killer.is_over = True
    killer.join()
    assert killer.killed is not None
    assert written(tmp_path / "out") == of_one_machine(environment, large_fleet)
