"""Damages the recorded cases of conformance/hcl in one place or two, for the messages of the parser."""

import functools
import json
import pathlib

from generate_values import mutated

RECORDED = pathlib.Path(__file__).parent.parent.parent / "hcl"
FORMS = ["expr", "template", "body", "json_expr"]


@functools.cache
def recorded():
    cases = []
    for path in sorted(RECORDED.glob("*.jsonl")):
        for line in path.read_text(errors="replace").splitlines():
            case = json.loads(line)
            form = next(form for form in FORMS if form in case)
            # Damage could turn these into calls whose answers vary.
            if case["topic"] not in ("func_fs", "func_crypto"):
                cases.append((form, case[form], case["vars"]))
    return cases


def case(rng):
    form, text, bound = rng.choice(recorded())
    return {form: mutated(rng, text), "vars": bound}
