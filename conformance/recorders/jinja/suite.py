"""suite.py TESTS CASES: the templates of Jinja2's own tests, with what Jinja2 makes of them.

TESTS is the folder `tests` of Jinja2's repository at the version that is installed (`pip install jinja2==3.1.6 pytest trio`). While pytest
runs them, everything that is rendered is noted: the templates that can be seen, the options, the variables, the outcome. Each line of CASES is
a case as conformance/jinja/README.md describes it. What cannot be written down (objects of Python, filters of the test's own, asynchronous
and native environments, escaping by itself) is left out and counted.
"""
import collections, json, os, sys

import jinja2
import pytest
from jinja2 import defaults, loaders
from jinja2.environment import Environment, Template

tests, out_path = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
OPTIONS = ["block_start_string", "block_end_string", "variable_start_string", "variable_end_string", "comment_start_string",
           "comment_end_string", "line_statement_prefix", "line_comment_prefix", "trim_blocks", "lstrip_blocks", "newline_sequence",
           "keep_trailing_newline"]
EXTENSIONS = {"jinja2.ext.ExprStmtExtension": "do", "jinja2.ext.LoopControlExtension": "loopcontrols",
              "jinja2.ext.InternationalizationExtension": "i18n"}
plain = Environment()
cases, skipped, quiet, current = {}, collections.Counter(), 0, None


class Skip(Exception):
    pass


def encode(value, depth=0):
    if depth > 30:
        raise Skip("a value that nests deeply")
    if value is None or isinstance(value, (bool, str)) and type(value) in (bool, str):
        return value
    if type(value) is int:
        return value if -2**63 <= value < 2**63 else {"$int": str(value)}
    if type(value) is float:
        return {"$float": repr(value)}
    if type(value) is bytes:
        return {"$bytes": value.hex()}
    if type(value) is tuple:
        return {"$tuple": [encode(item, depth + 1) for item in value]}
    if type(value) is list:
        return [encode(item, depth + 1) for item in value]
    if type(value) is range:
        return [encode(item, depth + 1) for item in value]
    if type(value) is dict:
        if all(type(key) is str and not key.startswith("$") for key in value):
            return {key: encode(item, depth + 1) for key, item in value.items()}
        return {"$dict": [[encode(key, depth + 1), encode(item, depth + 1)] for key, item in value.items()]}
    raise Skip("an object of Python among the variables")


def options(env):
    if env.is_async or env.sandboxed or type(env) is not Environment:
        raise Skip("an environment of another kind")
    if env.autoescape is not False:
        raise Skip("escaping by itself")
    found = {name: getattr(env, name) for name in OPTIONS if getattr(env, name) != getattr(plain, name)}
    extensions = []
    for name in env.extensions:
        if name not in EXTENSIONS:
            raise Skip("an extension of the test's own")
        extensions.append(EXTENSIONS[name])
    for name, here, there in [("filters", env.filters, plain.filters), ("tests", env.tests, plain.tests),
                              ("functions", env.globals, defaults.DEFAULT_NAMESPACE)]:
        if any(here.get(key) is not there.get(key) for key in {*here, *there}):
            raise Skip(f"{name} of the test's own")
    if env.finalize is not None or env.policies != plain.policies:
        raise Skip("settings of Python")
    return found, extensions


def files(env):
    if env.loader is None:
        return {}
    if isinstance(env.loader, loaders.DictLoader):
        return dict(env.loader.mapping)
    try:
        return {name: env.loader.get_source(env, name)[0] for name in env.loader.list_templates()}
    except TypeError:
        raise Skip("a loader that does not tell its templates")


def count(text):
    return len(text) - len(text.rstrip("\n"))


def as_ansible(env, name, source, context):
    """What Ansible's module `template` makes of it, which is Jinja2 with these settings."""
    env = env.overlay(undefined=jinja2.StrictUndefined, finalize=lambda value: "" if value is None else value)
    env.cache = None
    env.undefined = jinja2.StrictUndefined
    template = env.from_string(source)
    template.name = name
    text = template.render(dict(context))
    return text + env.newline_sequence * max(0, count(source) - count(text))


def outcome(run):
    try:
        return {"result": run()}
    except RecursionError:
        raise Skip("endless recursion")
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}


def note(env, name, source, context, known):
    global quiet
    quiet += 1
    try:
        settings, extensions = options(env)
        case = {"template": source, "vars": encode(dict(context)), **known}
        for key, value in [("options", settings), ("extensions", extensions), ("files", files(env))]:
            if value:
                case[key] = value
        here = outcome(lambda: as_ansible(env, name, source, context))
        if ("error" in here) != ("error" in known) or here.get("result") != known.get("result"):
            case["ansible"] = here
        text = json.dumps(case, sort_keys=True)
        if len(text) > 40_000:
            raise Skip("a case of more than 40,000 characters")
        if "object at 0x" in text or "<function" in text or "lipsum" in source or "|random" in source:
            raise Skip("an outcome that is never the same")
        cases.setdefault(text, {"test": current, **case})
    except Skip as reason:
        skipped[str(reason)] += 1
    except Exception as error:
        skipped[f"{type(error).__name__}"] += 1
    finally:
        quiet -= 1


def watched(env, name, source, context, call):
    global quiet
    if quiet or source is None:
        return call()
    quiet += 1
    try:
        frozen = json.dumps(encode(dict(context)))
    except Skip as reason:
        skipped[str(reason)] += 1
        frozen = None
    finally:
        quiet -= 1
    quiet += 1
    try:
        result = call()
        known = {"result": result}
        return result
    except RecursionError:
        frozen = None
        raise
    except Exception as error:
        known = {"error": f"{type(error).__name__}: {error}"[:300]}
        raise
    finally:
        quiet -= 1
        if frozen is not None:
            note(env, name, source, context, known)


from_string, render = Environment.from_string, Template.render


def watched_from_string(self, source, *args, **kwargs):
    if not isinstance(source, str):
        return from_string(self, source, *args, **kwargs)
    try:
        template = from_string(self, source, *args, **kwargs)
    except jinja2.TemplateSyntaxError as error:
        if not quiet:
            note(self, None, source, {}, {"error": f"{type(error).__name__}: {error}"[:300]})
        raise
    template._watched = source if not args and not kwargs else None
    return template


def watched_render(self, *args, **kwargs):
    source = getattr(self, "_watched", None)
    if source is None and self.environment.loader is not None and self.name:
        try:
            source = self.environment.loader.get_source(self.environment, self.name)[0]
        except Exception:
            pass
    return watched(self.environment, self.name, source, dict(*args, **kwargs), lambda: render(self, *args, **kwargs))


class Names:
    def pytest_runtest_setup(self, item):
        global current
        current = item.nodeid.rpartition("/")[2]


Environment.from_string, Template.render = watched_from_string, watched_render
code = pytest.main([tests, "-q", "-p", "no:cacheprovider"], plugins=[Names()])
with open(out_path, "w") as out:
    for case in sorted(cases.values(), key=lambda case: (case["test"], json.dumps(case, sort_keys=True))):
        out.write(json.dumps(case, ensure_ascii=False) + "\n")
print(f"{len(cases)} cases of Jinja2 {jinja2.__version__}; left out: {dict(skipped)}; pytest: {code}")
