"""What the tests share: the example repository, and one that a test may change."""

import json
import shutil
from pathlib import Path

import pytest

import hieratic

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="session")
def environment():
    return hieratic.Environment(EXAMPLES / "control-repo")


@pytest.fixture(scope="session")
def node(environment):
    return environment.node("web01.example.com", {"role": "web"})


@pytest.fixture
def repository(tmp_path):
    """A copy of the example repository."""
    folder = tmp_path / "repository"
    shutil.copytree(EXAMPLES / "control-repo", folder)
    return folder


@pytest.fixture
def fleet(tmp_path):
    """A file with 300 nodes, every third of which is a web server."""
    return written(tmp_path / "fleet.ndjson", 300)


@pytest.fixture
def large_fleet(tmp_path):
    """The same with so many nodes that a worker can die in the midst of them."""
    return written(tmp_path / "large.ndjson", 20_000)


def written(file, nodes):
    with file.open("w") as out:
        for number in range(nodes):
            role = "web" if number % 3 == 0 else "db"
            facts = {"role": role, "number": number, "weight": number / 2, "tags": ["a", "b"], "os": {"name": "Debian"}}
            out.write(json.dumps({"certname": f"node{number:03}.example.com", "facts": facts}) + "\n")
    return file
