"""Merge directives, on documents and on dictionaries."""

import pytest
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

import hieratic
from conftest import EXAMPLES
from hieratic import merge

SITE = EXAMPLES / "unfurl" / "site.yaml"


def test_a_document_is_expanded_with_the_files_that_it_includes():
    data = hieratic.expand(SITE)
    assert data["web"]["cpu"] == 8
    assert data["web"]["memory"] == {"min": 1, "max": 4}
    assert data["monitoring"]["alerts"] == ["audit", "backup", "public", "disk"]
    assert hieratic.expand("a: {x: 1}\nb: {+/a: , y: 2}\n") == {"a": {"x": 1}, "b": {"x": 1, "y": 2}}


def test_what_is_outside_of_the_folder_is_not_included(tmp_path):
    (tmp_path / "outside.yaml").write_text("x: 1\n")
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "main.yaml").write_text("+include: ../outside.yaml\n")
    with pytest.raises(hieratic.Error):
        hieratic.expand(folder / "main.yaml")
    assert hieratic.expand(folder / "main.yaml", allow_outside=True) == {"x": 1}


def test_a_directive_that_leads_nowhere_is_an_error_with_a_place():
    with pytest.raises(hieratic.Error) as raised:
        hieratic.expand("a: 1\nb:\n  +/nothing:\n")
    assert raised.value.line == 3
    assert "+/nothing" in raised.value.message


def test_a_changed_document_is_restored_with_its_directives_and_comments():
    data = hieratic.expand(SITE)
    data["web"]["cpu"] = 16
    text = hieratic.restore(SITE, data)
    assert "cpu: 16 # the shop needs it" in text
    assert "+/defaults:" in text
    assert hieratic.expand(text, folder=SITE.parent) == data


DOCUMENT = {
    "base": {"cpu": 2, "tags": ["a"], "limits": {"low": 1, "high": 9}},
    "name": "plain",
    "items": ["x", "y"],
    "web": {"+/base": None, "cpu": 8, "limits": {"high": 10}},
    "copy": {"+/name": None},
    "list": [0, {"+/items": None}, "+items"],
    "tags": {"+/base": None, "tags": ["b"], "limits": {"+%": "whiteout"}},
}


def test_dictionaries_are_expanded_under_the_names_of_the_module_merge():
    includes, expanded = merge.expand_doc(DOCUMENT)
    assert expanded["web"] == {"cpu": 8, "tags": ["a"], "limits": {"low": 1, "high": 10}}
    assert expanded["copy"] == "plain"
    assert expanded["list"] == [0, "x", "y", "+items"]
    assert expanded["tags"] == {"cpu": 2, "tags": ["a", "b"]}
    assert includes == {
        ("web",): [(merge.parse_merge_key("+/base"), None)],
        ("copy",): [(merge.parse_merge_key("+/name"), None)],
        ("list", 1): [(merge.parse_merge_key("+/items"), None)],
        ("tags",): [(merge.parse_merge_key("+/base"), None)],
    }


def test_a_class_of_dictionaries_is_kept():
    includes, expanded = merge.expand_doc(DOCUMENT, cls=CommentedMap)
    assert type(includes) is type(expanded) is type(expanded["web"]["limits"]) is CommentedMap


def test_dictionaries_are_restored_in_place():
    includes, expanded = merge.expand_doc(DOCUMENT)
    merge.restore_includes(includes, DOCUMENT, expanded)
    assert expanded == DOCUMENT
    includes, changed = merge.expand_doc(DOCUMENT)
    changed["web"]["cpu"] = 16
    changed["web"]["limits"]["high"] = 11
    wanted = merge.expand_doc(changed)[1]
    merge.restore_includes(includes, DOCUMENT, changed)
    assert changed["web"] == {"+/base": None, "cpu": 16, "limits": {"high": 11}}
    assert merge.expand_doc(changed)[1] == wanted


def test_anchors_of_ruamel_can_be_included():
    document = YAML().load("one: &here {x: 1}\ntwo:\n  +*here:\n  y: 2\n")
    assert merge.expand_doc(document)[1]["two"] == {"x": 1, "y": 2}


@pytest.mark.parametrize("document", [{"a": {"+/b": None}}, {"a": {"b": {"+/a": None}}}, {"a": {"+../a": None}}, [1], 3])
def test_what_cannot_be_expanded_is_an_error(document):
    with pytest.raises(hieratic.Error):
        merge.expand_doc(document)


def test_optional_directives_without_target_disappear():
    assert merge.expand_doc({"+?/a/d": None, "a": {"+?/e": None}, "b": 1})[1] == {"b": 1}


def test_keys_are_parsed():
    key = merge.parse_merge_key("+?include*here../a~1b/c")
    assert key.maybe and key.pointer[-1] == "c"
    assert merge.parse_merge_key("+/a~1b") == merge.MergeKey("+/a~1b", False, None, None, 0, ("a/b",))
    assert merge.parse_merge_key("+../x").relative == 2
    assert merge.parse_merge_key("+*here").anchor == "here"
    assert merge.parse_merge_key("+include").include == "include"
    assert merge.parse_merge_key("+other") is None
    with pytest.raises(hieratic.Error):
        merge.parse_merge_key("+/a~2")


def test_differences_can_be_merged_again():
    old = {"a": 1, "b": {"b1": 1, "b2": 1}, "gone": 1, "null": {}}
    new = {"a": 1, "b": {"b1": 2, "b2": 1}, "added": 2, "null": None}
    difference = merge.diff_dicts(old, new)
    assert difference == {"b": {"b1": 2}, "added": 2, "gone": {"+%": "whiteout"}, "null": {"+%": "nullout"}}
    assert merge.merge_dicts(old, difference) == new
    assert merge.patch_dict(old, new) is old
    assert old == new
    assert merge.intersect_dict({"a": 1, "b": {"x": 1, "y": 2}}, {"b": {"x": 1, "y": 3}}) == {"b": {"x": 1}}
    assert merge.diff_dicts({"a": 1, "b": 1}, {"a": 2, "b": 2}, skipkeys=("a",)) == {"b": 2}


def test_lists_are_merged_by_their_items():
    assert merge.merge_dicts({"l": [{"a": 1}]}, {"l": [{"+%": "merge", "b": 2}]}) == {"l": [{"a": 1, "b": 2}]}
    assert merge.merge_dicts({"l": [{"a": {1: 1}}, "x"]}, {"l": ["x", {"a": {2: 2}}, "y"]}) == {
        "l": [{"a": {1: 1, 2: 2}}, "x", "y"]
    }


def test_paths():
    document = {"a": [{"b": 1}]}
    assert merge.lookup_path(document, ("a", "0", "b")) == 1
    assert merge.lookup_path(document, ("a", 3)) is None
    merge.replace_path(document, ("a", 0, "b"), 2)
    assert document == {"a": [{"b": 2}]}
    merge.delete_path(document, ("a", 0))
    assert document == {"a": []}


def test_what_is_missing_is_refused_and_not_ignored():
    with pytest.raises(hieratic.Error):
        merge.merge_dicts({}, {}, replaceKeys=["a"])
    with pytest.raises(hieratic.Error):
        merge.expand_doc({"a": {}}, {"b": {}})

    class Loading(dict):
        def loadTemplate(self, *arguments):
            raise AssertionError

    with pytest.raises(hieratic.Error, match="loadTemplate"):
        merge.expand_doc(Loading(a=1))
