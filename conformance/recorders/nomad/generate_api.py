"""Random jobs in the JSON of the API: jobs that were answered before, with damage.

They are read from answered.jsonl in the working directory, which `recorder jobs` makes.
"""

import functools
import json

from generate_values import mutated

VALUES = [
    None,
    True,
    False,
    0,
    1,
    -1,
    1.5,
    1e3,
    1e21,
    300,
    70000,
    2**63,
    "x",
    "",
    "5s",
    "1h30m",
    "bad",
    [],
    {},
    ["a"],
    [1],
    {"a": "b"},
    {"a": 1},
    [None],
    "aGk=",
    "a\u2028b<>&",
]
NUMBERS = ["1e2", "1.0", "-0", "0.1e1", "1E+2", "12345678901234567890", "1e400", "01", "+1", "1."]


@functools.cache
def jobs():
    with open("answered.jsonl") as lines:
        answered = (json.loads(line) for line in lines)
        return [answer["job"] for answer in answered if answer.get("job")]


def case(rng):
    job = json.loads(json.dumps(rng.choice(jobs())))
    for _ in range(rng.choice([0, 1, 1, 2, 5])):
        damage(rng, job)
    whole = {"Job": job} if rng.random() < 0.8 else job
    if rng.random() < 0.05:
        whole["Name"] = "beside"
    text = json.dumps(whole, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 1]))
    if rng.random() < 0.1:
        text = text.replace(": 1,", ": " + rng.choice(NUMBERS) + ",", 1)
    if rng.random() < 0.08:
        text = mutated(rng, text)
    return {"files": {"job.json": text}, "args": ["-json", "job.json"], "env": {}}


def damage(rng, tree):
    """Changes one place: a value, a key's letters, a key that is none, a key twice."""
    places = list(walk(tree))
    holder, key = rng.choice(places)
    roll = rng.random()
    if roll < 0.5 or isinstance(holder, list):
        holder[key] = rng.choice(VALUES)
    elif roll < 0.65:
        holder[rng.choice([key.lower(), key.upper(), key.swapcase()])] = holder.pop(key)
    elif roll < 0.75:
        holder[key + rng.choice(["x", "_", ""])] = rng.choice(VALUES)
    elif roll < 0.85:
        holder[rng.choice([key.lower(), key.upper()])] = rng.choice(VALUES)
    else:
        del holder[key]


def walk(tree):
    keys = tree.keys() if isinstance(tree, dict) else range(len(tree))
    for key in list(keys):
        yield tree, key
        if isinstance(tree[key], (dict, list)):
            yield from walk(tree[key])
