"""attributes.py CASES: templates that ask each type of Python for each of its attributes, and call each with several arguments."""
import json, sys, datetime
subjects = {
 "str": ["'aB c'", "'12'", "''", "'aéß'"], "int": ["5", "-3", "0", "true", "10**20"], "float": ["1.5", "-2.0", "0.1"],
 "list": ["[3, 1, 2]", "[]"], "dict": ["{'a': 1, 'b': [2]}", "{}"], "tuple": ["(1, 'x')", "()"],
 "datetime": ["when", "zoned", "day"]}
types = {"str": str, "int": int, "float": float, "list": list, "dict": dict, "tuple": tuple, "datetime": datetime.datetime}
arguments = ["", "1", "'a'", "0", "'a', 'x'", "1, 2", "[1]", "{'z': 1}", "2.5", "1, 'big'", "2, 'little'", "'%Y-%m-%d'", "(1,)", "none", "'abc', 1"]
out = open(sys.argv[1], "w")
skip = {"__dir__", "__doc__", "__init_subclass__", "__subclasshook__", "__reduce__", "__reduce_ex__", "__getstate__", "__sizeof__", "__new__", "__init__", "__hash__", "now", "utcnow", "today", "fromtimestamp", "utcfromtimestamp", "maketrans", "__getformat__", "__setformat__", "__setattr__", "__delattr__", "__getnewargs__"}
for name, kind in types.items():
    for attribute in dir(kind):
        if attribute in skip: continue
        for subject in subjects[name]:
            is_method = callable(getattr(kind, attribute))
            asks = ["{%% set v = %s %%}{{ v.%s is defined }}" % (subject, attribute)]
            if not is_method or attribute in ("real",): asks.append("{%% set v = %s %%}{{ v.%s }}" % (subject, attribute))
            elif attribute != "__class__":
                asks += ["{%% set v = %s %%}{{ v.%s(%s) }}|{{ v }}" % (subject, attribute, given) for given in arguments]
                if attribute in ("__iter__", "keys", "items", "values", "__reversed__"):
                    asks = asks[:1] + ["{%% set v = %s %%}{{ v.%s() | list }}" % (subject, attribute)]
            else: asks += ["{%% set v = %s %%}{{ v.__class__ }} {{ v.__class__.__name__ }}" % subject]
            for ask in asks: out.write(json.dumps({"template": ask, "vars": "when: 2020-01-02 03:04:05.678\nzoned: 2020-01-02 03:04:05 +02:00\nday: 2020-01-02\n"}) + "\n")
