"""Templates that ask points in time, times of a day, lengths of time and zones for each of their attributes, and calculate with them.

    python times.py COUNT SEED > times.jsonl

The first line has the variables. Answers are those of Ansible's module `template` (ansible-core 2.15.9); the attributes are listed from CPython.
"""
import datetime
import json
import os
import random
import sys
import tempfile
import time
import warnings

os.environ["ANSIBLE_LOCALHOST_WARNING"] = "0"
os.environ["HOME"] = tempfile.mkdtemp()
warnings.simplefilter("ignore")
from ansible.parsing.dataloader import DataLoader
from ansible.template import AnsibleEnvironment, Templar
from ansible.utils.display import Display

Display.warning = Display.deprecated = lambda *args, **named: None
count, seed = int(sys.argv[1]), int(sys.argv[2])
VARS = """when: 2020-01-02 03:04:05.678
zoned: 2020-06-02 03:04:05 +02:00
whole: 2021-03-04 05:06:00
utc: 2020-01-02 03:04:05Z
day: 2020-01-02
"""
SUBJECTS = [
    (datetime.datetime, ["when", "zoned", "whole"]),
    (datetime.date, ["day"]),
    (datetime.time, ["when.time()", "zoned.timetz()", "whole.time()"]),
    (datetime.timedelta, ["zoned.utcoffset()", "(when - whole)", "(whole - when)", "(when - when)"]),
    (datetime.timezone, ["zoned.tzinfo", "utc.tzinfo"]),
    (time.struct_time, ["when.timetuple()", "zoned.utctimetuple()", "day.timetuple()"]),
    (type(datetime.date.today().isocalendar()), ["day.isocalendar()"]),
]
ARGUMENTS = [
    "", "1", "'a'", "0", "2.5", "none", "1, 2", "2020, 1, 2", "'%H:%M %Y-%m-%d %z%Z'", "'hours'", "timespec='minutes'",
    "timespec='milliseconds'", "sep='_', timespec='hours'", "'T', 'seconds'", "day", "when", "zoned", "utc", "when.time()", "zoned.timetz()",
    "zoned.tzinfo", "utc.tzinfo", "(when - whole)", "hour=3", "minute=5, second=1", "microsecond=9", "tzinfo=zoned.tzinfo", "tzinfo=none",
    "fold=1", "year=2021", "month=13", "day, when.time()", "day, zoned.timetz()", "day, when.time(), zoned.tzinfo", "86400, utc.tzinfo",
    "tz=zoned.tzinfo", "days=1", "'2020-01-02'", "'2020-01-02T03:04:05.123+01:00'", "'20200102'", "'2020-W01-4'", "'03:04'", "'030405'",
    "'T03:04:05Z'", "'2020-01-02 3', '%Y-%m-%d %H'", "[1]", "(1,)", "1, 2, 3, 4", "3, 4, 5, 6, utc.tzinfo",
]
# What makes, copies or changes objects, depends on the run, or on when it is asked.
SKIPPED = {
    "__dir__", "__doc__", "__init_subclass__", "__subclasshook__", "__reduce__", "__reduce_ex__", "__getstate__", "__sizeof__", "__new__",
    "__init__", "__hash__", "__setattr__", "__delattr__", "__getnewargs__", "now", "today", "utcnow",
}
OTHERS = ["1", "2.5", "'a'", "true", "none", "[1]", "(1,2)", "-3"]


def templates():
    subjects = [subject for _, subjects in SUBJECTS for subject in subjects]
    for kind, of_kind in SUBJECTS:
        for attribute in sorted(set(dir(kind)) - SKIPPED):
            for subject in of_kind:
                start = "{%% set v = %s %%}" % subject
                yield start + "{{ v.%s is defined }}" % attribute
                if attribute == "__class__":
                    yield start + "{{ v.__class__ }} {{ v.__class__.__name__ }} {{ v.__class__.__module__ }}"
                elif not callable(getattr(kind, attribute)):
                    yield start + "{{ v.%s }}" % attribute
                    yield start + "{{ [v.%s] }}" % attribute
                elif attribute in ("__iter__", "__reversed__"):
                    yield start + "{{ v.%s() | list }}" % attribute
                else:
                    yield from (start + "{{ v.%s(%s) }}" % (attribute, given) for given in ARGUMENTS)
    for one in subjects:
        for what in ("%s", "[%s]", "%s | to_json", "%s | to_nice_yaml", "%s | type_debug", "-(%s)", "%s | abs", "%s | bool", "{(%s): 1}",
                     "'y' if %s else 'n'", "%s | list", "%s | int(7)", "'{0} {0!r} {0:%%Y}'.format(%s)"):
            yield "{{ " + what % one + " }}"
        for test in ("iterable", "sequence", "mapping", "string", "number", "callable", "integer", "float"):
            yield "{{ (%s) is %s }}" % (one, test)
        for other in subjects + OTHERS:
            yield from ("{{ (%s) %s (%s) }}" % (one, sign, other) for sign in ("+", "-", "*", "/", "//", "%", "==", "<", "<=", "in"))
        for other in OTHERS:
            yield from ("{{ (%s) %s (%s) }}" % (other, sign, one) for sign in ("+", "-", "*", "/", "//", "%", "<"))


folder = tempfile.mkdtemp()
loader = DataLoader()
loader.set_basedir(folder)
variables = dict(loader.load(VARS, file_name="vars.yml"))
templar = Templar(loader, variables=variables).copy_with_new_env(
    environment_class=AnsibleEnvironment, searchpath=[folder], newline_sequence="\n", available_variables=variables)
print(json.dumps({"vars": VARS, "files": {}}))
for text in random.Random(seed).sample(list(templates()), count):
    case = {"template": text}
    try:
        case["result"] = templar.do_template(text, preserve_trailing_newlines=True, escape_backslashes=False)
    except Exception as fault:
        case["error"] = "%s: %s" % (type(fault).__name__, str(fault)[:100])
    # Addresses differ from run to run.
    if " at 0x" not in case.get("result", ""):
        print(json.dumps(case, ensure_ascii=False))
