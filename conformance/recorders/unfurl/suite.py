"""suite.py TESTS EXPRESSIONS DOCUMENTS: the expressions and documents of Unfurl's own tests, with what Unfurl makes of them.

TESTS is the folder `tests` of Unfurl's repository at the version that is installed (`pip install unfurl==1.2.0 pytest`). While pytest runs
them, each expression over instances and each document that is expanded is noted. The lines are cases as conformance/unfurl/README.md
describes them. What cannot be written down (objects of Python, instances with templates, documents with files) is left out and counted.
"""
import collections, io, json, os, sys

os.environ.setdefault("UNFURL_LOGGING", "critical")
tests, expressions_path, documents_path = [os.path.abspath(path) for path in sys.argv[1:4]]
import pytest
from unfurl import eval as evaluation, yamlloader
from unfurl.result import ResultsItem, ResultsList, ResultsMap, Result
from unfurl.runtime import NodeInstance

FILES = ["test_eval.py", "test_syntax.py", "test_runtime.py", "test_configurator.py", "test_conditional_imports.py", "test_substitutions_mappings.py",
         "test_decorators.py", "test_dependencies.py"]
expressions, documents, skipped, quiet, current = {}, {}, collections.Counter(), 0, None


class Skip(Exception):
    pass


def encode(value, depth=0):
    if depth > 30:
        raise Skip("a value that nests deeply")
    if isinstance(value, NodeInstance):
        return {"ref": "::" + value.name}
    if value is None or isinstance(value, bool):
        return value
    if type(value) is int or type(value) is float or type(value) is str:
        if type(value) is int and not -2**63 <= value < 2**63 or type(value) is float and value != value:
            raise Skip("a number that JSON does not have")
        return value
    if isinstance(value, (ResultsMap, ResultsList)):
        value.resolve_all()
    if isinstance(value, collections.abc.Mapping):
        if not all(type(key) is str for key in value):
            raise Skip("keys that are no texts")
        return {key: encode(value[key], depth + 1) for key in value}
    if isinstance(value, collections.abc.Sequence) and not isinstance(value, (str, bytes)):
        return [encode(item, depth + 1) for item in value]
    if type(value).__name__ in ("ScalarFloat", "ScalarInt", "ScalarBoolean", "DoubleQuotedScalarString", "SingleQuotedScalarString",
                                "PlainScalarString", "LiteralScalarString", "FoldedScalarString"):
        for kind in (bool, int, float, str):
            if isinstance(value, kind):
                return kind(value)
    raise Skip(f"an object of Python: {type(value).__name__}")


def tree(instance):
    if type(instance) is not NodeInstance or instance.requirements or instance.artifacts:
        raise Skip("an instance of another kind")
    attributes = instance._attributes
    return {"name": instance.name, "attributes": encode(attributes), "children": [tree(child) for child in instance.instances]}


def watched_resolve(self, ctx, wantList=True, strict=None):
    global quiet
    if quiet:
        return resolve(self, ctx, wantList, strict)
    quiet += 1
    try:
        case = None
        try:
            instance = ctx.currentResource
            if type(instance) is not NodeInstance:
                raise Skip("an instance of another kind")
            # Without a template, an instance has the one of all that have none.
            if instance.template.name != "_default":
                raise Skip("instances with templates")
            if self.foreach or self.select:
                raise Skip("select or foreach beside the expression")
            if type(ctx) is not evaluation.RefContext:
                raise Skip("an evaluation with fewer functions")
            # These three every expression has.
            own = {name: value for name, value in self.vars.items() if name not in ("true", "false", "null")}
            source = {"eval": self.source, "vars": own} if own else {"eval": self.source} if isinstance(self.source, dict) else self.source
            given = {name: encode(value) for name, value in ctx.vars.items() if name not in ("start", "true", "false", "null")}
            case = {"kind": "expr", "start": instance.name, "expr": encode(source), "vars": given, "tree": tree(instance.root),
                    "env": {name: os.environ[name] for name in ["TEST_ENV"] if name in os.environ}}
        except Skip as reason:
            skipped[str(reason)] += 1
        except Exception as error:
            skipped[type(error).__name__] += 1
        try:
            answer = resolve(self, ctx, wantList, strict)
        except Exception as error:
            if case is not None:
                expressions.setdefault(json.dumps(case, sort_keys=True), {**case, "test": current, "result": None, "loose": True,
                                                                          "error": f"{type(error).__name__}: {error}"[:300]})
            raise
        if case is not None:
            try:
                everything = resolve(self, ctx, True, strict)
                one = resolve(self, ctx, False, strict)
                case = {**case, "result": [encode(found) for found in everything], "error": None, "one": encode(one)}
                expressions.setdefault(json.dumps(case, sort_keys=True), {**case, "test": current})
            except Skip as reason:
                skipped[str(reason)] += 1
            except Exception as error:
                skipped[type(error).__name__] += 1
        return answer
    finally:
        quiet -= 1


def watched_init(self, config=None, *args, **kwargs):
    text = config if isinstance(config, str) else None
    failed = None
    try:
        return init(self, config, *args, **kwargs)
    except Exception as error:
        failed = error
        raise
    finally:
        try:
            if text is None and getattr(self, "path", None) and os.path.isfile(self.path):
                with open(self.path) as file:
                    text = file.read()
            if text is None:
                raise Skip("a document without text")
            if any(word in text for word in ("+include", "+?include", "get_dir", "repositories:")) and "+" in text and "include" in text:
                raise Skip("a document with files")
            if len(text) > 20_000:
                raise Skip("a document of more than 20,000 characters")
            case = {"files": {"main.yaml": text}}
            if failed is None:
                case["expanded"] = encode(self.expanded)
            elif "merge" in str(failed) or "include" in str(failed):
                case["error"] = True
            else:
                raise Skip("a document that fails for another reason")
            documents.setdefault(json.dumps(case, sort_keys=True), {"test": current, **case})
        except Skip as reason:
            skipped[str(reason)] += 1
        except Exception as error:
            skipped[type(error).__name__] += 1


resolve, init = evaluation.Ref.resolve, yamlloader.YamlConfig.__init__
evaluation.Ref.resolve, yamlloader.YamlConfig.__init__ = watched_resolve, watched_init


class Names:
    def pytest_runtest_setup(self, item):
        global current
        current = item.nodeid.rpartition("/")[2]


os.chdir(os.path.dirname(tests))
chosen = [os.path.join(tests, name) for name in FILES if os.path.exists(os.path.join(tests, name))]
code = pytest.main([*chosen, "-q", "-p", "no:cacheprovider", "--continue-on-collection-errors"], plugins=[Names()])
for path, cases in [(expressions_path, expressions), (documents_path, documents)]:
    with open(path, "w") as out:
        # These depend on this machine, on Ansible, which is not installed, or on functions of the tests.
        words = [os.path.dirname(tests), "externaltest", "get_env", "to_env", "tempfile", "No filter named"]
        kept = [case for case in cases.values() if not any(word in json.dumps(case) for word in words)]
        for at, case in enumerate(sorted(kept, key=lambda case: (case["test"], json.dumps(case, sort_keys=True)))):
            out.write(json.dumps({"id": f"suite-{at:03}", **case}, ensure_ascii=False) + "\n")
print(f"{len(expressions)} expressions, {len(documents)} documents; left out: {dict(skipped)}; pytest: {code}")
