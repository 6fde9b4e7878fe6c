"""Arrow in and out: with pyarrow, polars, pandas and duckdb."""

import json

import pytest

import hieratic

pyarrow = pytest.importorskip("pyarrow")

KEYS = ["profile::web::port", "profile::base::packages"]


def test_answers_are_a_table_for_pyarrow(environment, fleet):
    answers = environment.answers(fleet, KEYS)
    assert answers.summary is None
    table = pyarrow.table(answers)
    assert table.column_names == [
        "node", "key", "module", "value", "string", "integer", "float", "boolean", "error", "file", "line", "level", "layer", "merge",
        "contributions", "secret", "facts",
    ]
    assert table.num_rows == 600
    row = table.to_pylist()[1]
    assert row["node"] == "node000.example.com" and row["key"] == "profile::web::port"
    assert (row["value"], row["integer"], row["string"], row["line"], row["level"]) == ("80", 80, None, 16, "Common")
    assert answers.summary == {"nodes": 300, "rows": 600, "failed": 0, "classes": 2, "unanswered": 0, "faults": [], "keys": {key: 300 for key in KEYS}}
    assert pyarrow.schema(answers) == table.schema


def test_a_table_can_be_read_twice_and_partly(environment, fleet):
    answers = environment.answers(fleet)
    assert pyarrow.table(answers) == pyarrow.table(answers)
    reader = pyarrow.RecordBatchReader.from_stream(answers)
    assert reader.read_next_batch().num_rows > 0
    del reader


def test_every_answer_is_that_of_a_lookup(environment, fleet):
    table = pyarrow.table(environment.answers(fleet))
    rows = {}
    for row in table.to_pylist():
        rows.setdefault(row["node"], {})[row["key"]] = json.loads(row["value"])
    facts = [json.loads(line) for line in fleet.read_text().splitlines()]
    for one in facts[:30]:
        assert rows[one["certname"]] == environment.node(one["certname"], one["facts"]).lookup_all()


def test_answers_for_polars_pandas_and_duckdb(environment, fleet):
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    expected = pyarrow.table(environment.answers(fleet, KEYS))
    frame = polars.DataFrame(environment.answers(fleet, KEYS))
    assert frame.to_dicts() == expected.to_pylist()
    assert frame.filter(polars.col("integer") == 80).height == 300
    frame = pandas.DataFrame.from_arrow(environment.answers(fleet, KEYS))
    assert list(frame["node"]) == expected["node"].to_pylist()
    answers = environment.answers(fleet, KEYS)
    reader = pyarrow.RecordBatchReader.from_stream(answers)
    counted = duckdb.sql("select key, count(*) from reader group by key order by key").fetchall()
    assert counted == [("profile::base::packages", 300), ("profile::web::port", 300)]
    assert duckdb.sql("select count(distinct value) from answers").fetchall() == [(3,)]


def test_nodes_are_dictionaries_nodes_and_tables(environment, fleet):
    lines = [json.loads(line) for line in fleet.read_text().splitlines()]
    expected = pyarrow.table(environment.answers(fleet))
    assert pyarrow.table(environment.answers(lines)) == expected
    nodes = [environment.node(line["certname"], line["facts"]) for line in lines]
    assert pyarrow.table(environment.answers(nodes)) == expected
    # A struct of facts, JSON, and facts as columns.
    assert pyarrow.table(environment.answers(pyarrow.Table.from_pylist(lines))) == expected
    as_json = [{"certname": line["certname"], "facts": json.dumps(line["facts"])} for line in lines]
    assert pyarrow.table(environment.answers(pyarrow.Table.from_pylist(as_json))) == expected
    flat = [{"certname": line["certname"], **line["facts"]} for line in lines]
    assert pyarrow.table(environment.answers(pyarrow.Table.from_pylist(flat))) == expected
    polars = pytest.importorskip("polars")
    assert pyarrow.table(environment.answers(polars.DataFrame(flat))) == expected
    folder = fleet.parent / "facts"
    folder.mkdir()
    for line in lines:
        (folder / f"{line['certname']}.json").write_text(json.dumps(line["facts"]))
    assert pyarrow.table(environment.answers([folder])) == expected


def test_facts_of_every_type_arrive(environment):
    table = pyarrow.table({
        "certname": pyarrow.array(["a"]).dictionary_encode(),
        "small": pyarrow.array([1], pyarrow.int8()),
        "large": pyarrow.array([2**64 - 1], pyarrow.uint64()),
        "float": pyarrow.array([0.5], pyarrow.float32()),
        "yes": [True],
        "nothing": pyarrow.array([None], pyarrow.string()),
        "list": [[1, None]],
        "struct": [{"x": 1, "y": None}],
        "map": pyarrow.array([[("k", 1)]], pyarrow.map_(pyarrow.string(), pyarrow.int64())),
        "text": pyarrow.array(["t"], pyarrow.large_string()),
        "view": pyarrow.array(["v"], pyarrow.string_view()),
    })
    for condition in (
        "$facts['certname'] == 'a'",
        "$facts['small'] == 1",
        "\"${facts['large']}\" == '18446744073709551615'",
        "$facts['float'] == 0.5",
        "$facts['yes'] == true",
        "!('nothing' in $facts)",
        "$facts['list'][0] == 1 and $facts['list'].length == 2",
        "$facts['struct'] == {x => 1}",
        "$facts['map'] == {k => 1}",
        "$facts['text'] == 't' and $facts['view'] == 'v'",
    ):
        assert pyarrow.table(environment.answers(table, KEYS, where=condition)).num_rows == 2, condition
        assert pyarrow.table(environment.answers(table, KEYS, where=f"!({condition})", allow_empty=True)).num_rows == 0


def test_a_type_that_is_no_fact_names_its_row_and_column(environment):
    table = pyarrow.table({"certname": ["a", "b"], "when": pyarrow.array([None, 1], pyarrow.timestamp("s"))})
    with pytest.raises(hieratic.Error, match="row 2 .*column 'when'"):
        environment.answers(table)
    with pytest.raises(hieratic.Error, match="row 1 .*names the node"):
        environment.answers(pyarrow.table({"role": ["web"]}))
    with pytest.raises(hieratic.Error, match="node 0"):
        environment.answers([{"role": "web"}])


def test_shards_together_are_the_whole(environment, fleet):
    whole = pyarrow.table(environment.answers(fleet)).to_pylist()
    parts = [pyarrow.table(environment.answers(fleet, shard=f"{part}/4")).to_pylist() for part in range(1, 5)]
    key = lambda row: (row["node"], row["key"])
    assert sorted(sum(parts, []), key=key) == sorted(whole, key=key)
    assert all(parts)
    with pytest.raises(ValueError):
        environment.answers(fleet, shard="5/4")


def test_where_keeps_nodes(environment, fleet):
    table = pyarrow.table(environment.answers(fleet, ["profile::web::port"], where='facts.role == "web"'))
    assert table.num_rows == 100


def test_a_broken_line_is_an_error_after_all_rows_or_is_left_out(environment, fleet):
    with fleet.open("a") as out:
        out.write('{"certname": "half", "facts": {"ro\n')
    with pytest.raises(Exception, match=r"fleet\.ndjson:301"):
        pyarrow.table(environment.answers(fleet, KEYS))
    answers = environment.answers(fleet, KEYS, skip_errors=True)
    assert pyarrow.table(answers).num_rows == 600
    assert answers.summary["unanswered"] == 1
    assert "fleet.ndjson:301" in answers.summary["faults"][0]
    with pytest.raises(Exception, match="missing"):
        pyarrow.table(environment.answers(fleet.parent / "missing.ndjson"))


def test_no_node_is_an_empty_table(environment, fleet):
    assert pyarrow.table(environment.answers([])).num_rows == 0
    empty = pyarrow.table({"certname": pyarrow.array([], pyarrow.string())})
    assert pyarrow.table(environment.answers(empty)).num_rows == 0
