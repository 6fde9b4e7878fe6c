"""Secrets do not show themselves."""

import copy
import pickle

import pytest

import hieratic

WORD = "correct horse battery"


@pytest.fixture
def secretive(repository):
    (repository / "data" / "common.yaml").write_text(
        "lookup_options:\n"
        "  '^secret::':\n"
        "    convert_to: Sensitive\n"
        f"secret::word: {WORD}\n"
        f"secret::deep: {{inner: [{WORD}]}}\n"
        "open: 1\n"
    )
    return hieratic.Environment(repository)


def test_a_sensitive_value_stays_covered_until_it_is_unwrapped(secretive):
    value = secretive.node("db01").lookup("secret::word")
    assert isinstance(value, hieratic.Sensitive)
    for text in (str(value), repr(value), f"{value}", f"{value:>40}", "%s" % value, repr([value]), repr({"a": value})):
        assert WORD not in text
        assert "redacted" in text
    assert value.unwrap() == WORD
    assert secretive.node("db01").lookup("secret::deep").unwrap() == {"inner": [WORD]}


def test_a_sensitive_value_is_equal_to_its_like_and_has_no_hash_and_no_pickle(secretive):
    node = secretive.node("db01")
    assert node.lookup("secret::word") == node.lookup("secret::word")
    assert node.lookup("secret::word") != WORD
    value = hieratic.Sensitive(WORD)
    assert value == node.lookup("secret::word")
    with pytest.raises(TypeError):
        hash(value)
    for copied in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError):
            copied(value)
    assert not hasattr(value, "__dict__")


def test_whatever_shows_many_values_redacts_them(secretive):
    node = secretive.node("db01")
    shown = [node.lookup_all(), node.why("secret::word"), node.origins("secret::deep")]
    assert all(WORD not in repr(one) for one in shown)
    assert node.lookup_all(["open"]) == {"open": 1}
    row = node.origins("secret::deep", reveal=True)
    assert WORD in repr(row)
    assert node.lookup_all(["secret::word"], reveal=True)["secret::word"].unwrap() == WORD


def test_an_error_does_not_quote_a_secret(secretive):
    with pytest.raises(hieratic.Error) as raised:
        secretive.node("db01").lookup("secret::word", value_type="Integer")
    for text in (str(raised.value), raised.value.report, repr(raised.value)):
        assert WORD not in text


def test_rows_of_a_fleet_are_redacted(secretive):
    pyarrow = pytest.importorskip("pyarrow")
    nodes = [{"certname": "db01"}]
    table = pyarrow.table(secretive.answers(nodes))
    assert WORD not in repr(table.to_pylist())
    assert [row["key"] for row in table.to_pylist() if row["secret"]] == ["secret::deep", "secret::word"]
    assert WORD in repr(pyarrow.table(secretive.answers(nodes, reveal=True)).to_pylist())


def test_a_rendered_secret_stays_covered(secretive):
    node = secretive.node("db01")
    text = hieratic.render("word=<%= lookup('secret::word') %>", language="epp", node=node)
    assert WORD not in str(text)
