"""The contract of docs/table.md: its columns in every format, what a file says of its run, and its ten questions."""

import csv
import json
import re
import subprocess

import pytest

import hieratic
from conftest import EXAMPLES, ROOT
from hieratic import _command

pyarrow = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")

TEXT = (ROOT / "docs" / "table.md").read_text()


def documented():
    """The columns that the contract lists, in their order."""
    names = []
    for cells in re.findall(r"^\| (`[^|]*) \| [^|]* \| .*\|$", TEXT.partition("## What a file says")[0], re.MULTILINE):
        names += re.findall(r"`(\w+)`", cells)
    return names


@pytest.fixture
def command():
    try:
        return _command.program()
    except hieratic.MissingFile:
        pytest.skip("the command is not beside the package, and not in PATH")


@pytest.fixture
def files(command, fleet, repository, tmp_path):
    """The answers of 300 nodes in all formats."""
    made = {}
    for kind in ("parquet", "csv", "ndjson"):
        made[kind] = tmp_path / f"answers.{kind}"
        arguments = ["lookup", "--all", "--nodes", fleet, "--fact", "role", "--fact", "os.name", "--output", made[kind]]
        subprocess.run([command, *map(str, arguments)], cwd=repository, check=True)
    return made


def test_every_format_has_the_columns_of_the_contract(repository, fleet, files):
    from pyarrow import parquet

    environment = hieratic.Environment(repository)
    names = documented()
    assert len(names) == 17 and names[0] == "node" and names[-1] == "facts"
    table = parquet.read_table(files["parquet"])
    assert table.column_names == names
    answers = pyarrow.table(environment.answers(fleet, facts=["role", "os.name"]))
    assert answers.column_names == names
    order = [("node", "ascending"), ("key", "ascending")]
    expected = [row | {"line": row["line"]} for row in table.sort_by(order).to_pylist()]
    assert answers.sort_by(order).to_pylist() == expected
    with files["csv"].open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert list(rows[0]) == names
    text = lambda value: "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    assert sorted((row["node"], row["key"]) for row in rows) == [(row["node"], row["key"]) for row in expected]
    of_csv = {(row["node"], row["key"]): row for row in rows}
    for row in expected:
        assert of_csv[row["node"], row["key"]] == {name: text(value) for name, value in row.items()}
    for line in files["ndjson"].read_text().splitlines():
        row = json.loads(line)
        assert set(row) <= set(names) and row["facts"]["os.name"] == "Debian"


def test_merged_values_say_who_contributed(files):
    rows = duckdb.sql(f"""select node, file, merge, contributions from '{files["parquet"]}'
        where key = 'profile::base::packages' and facts->>'role' = 'web' limit 1""").fetchall()
    [(node, file, merge, contributions)] = rows
    parts = json.loads(contributions)
    assert file is None and merge == "unique"
    assert [(part["part"], part["file"], part["level"]) for part in parts][:2] == [
        ("0", "data/roles/web.yaml", "Role"), ("1", "data/common.yaml", "Common"),
    ]
    for part in parts:
        line = (EXAMPLES / "control-repo" / part["file"]).read_text().splitlines()[part["line"] - 1]
        assert line.strip().startswith("- ")


def test_a_file_says_what_it_is(files):
    from pyarrow import parquet

    about = {name.decode(): value.decode() for name, value in parquet.read_metadata(files["parquet"]).metadata.items()}
    assert about["hieratic.table"] == "1" and about["hieratic.version"] == hieratic.__version__
    assert about["hieratic.environment"] == "production" and int(about["hieratic.time"]) > 0
    coverage = json.loads(about["hieratic.coverage"])
    assert coverage["nodes"] == 300 and coverage["failed"] == coverage["unanswered"] == 0


def test_the_ten_questions_have_answers(files):
    block = re.search(r"## Ten questions.*?```sql\n(.*?)```", TEXT, re.DOTALL).group(1)
    questions = [part for part in re.split(r"^-- \d+\. ", block, flags=re.MULTILINE) if part.strip()]
    assert len(questions) == 10
    found = []
    for question in questions:
        sql = question.partition("\n")[2].replace("'fleet.parquet'", f"'{files['parquet']}'")
        found.append(duckdb.sql(sql).fetchall())
    values, different, places, failing, without, contributing, by_fact, various, alike, levels = found
    assert values == [("80", 300)] and different == [] and places == [("data/common.yaml", 16, "Common", 300)]
    # The values of the other nodes are from one file: nothing is merged.
    assert failing == [] and without == [] and sorted(contributing) == [("data/common.yaml", 100), ("data/roles/web.yaml", 100)]
    assert [row[0] for row in by_fact] == ["db", "web"] and various[0][1] == 2
    assert ("profile::web::port",) in alike and levels
