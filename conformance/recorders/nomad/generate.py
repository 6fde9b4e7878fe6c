"""Makes random cases for the recorder: python3 generate.py KIND COUNT SEED > cases.jsonl

The same kind, count and seed give the same cases. Most cases are meant to work, so that values are compared and not
only messages; the others go wrong in one place or two.
"""

import json
import random
import sys

import generate_api
import generate_bodies
import generate_calls
import generate_expressions
import generate_jobs
import generate_mutations
import generate_variables

KINDS = {
    "api": generate_api.case,
    "expressions": generate_expressions.case,
    "templates": generate_expressions.template_case,
    "calls": generate_calls.case,
    "bodies": generate_bodies.case,
    "json": generate_bodies.json_case,
    "jobs": generate_jobs.case,
    "variables": generate_variables.case,
    "mutations": generate_mutations.case,
}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in KINDS:
        sys.exit(f"usage: generate.py {'|'.join(KINDS)} COUNT SEED")
    kind, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(f"{kind} {seed}")
    for number in range(count):
        made = {"id": f"{kind}-{seed}-{number:05}", "about": "made by chance", "topic": f"random_{kind}"}
        made.update(KINDS[kind](rng))
        print(json.dumps(made, ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main()
