#!/usr/bin/env python3
"""Random values and JSON Schemas, and what the reference's validator says of them.

    json_schema.py SEED COUNT > conformance/unfurl/json_schema.jsonl     (needs the package jsonschema, which unfurl brings)

A line is [VALUE, SCHEMA, ANSWER]. The answer is true or false, "schema" if the schema is not valid, and "fault" if the validator fails.
"""

import json
import random
import sys

import jsonschema
from jsonschema import Draft7Validator

LARGE = 10**25
NAMES = ["a", "b", "ab", "x1", "é"]
PATTERNS = ["^a", "b$", "a(?!b)", "[0-9]+", ".", "^$", "é", "(?i)A", "x{2,3}", "a|b", "^a$", "\\d", "\\w+$"]
TYPES = ["array", "boolean", "integer", "null", "number", "object", "string", ["string", "null"], ["integer", "array"]]
SCHEMA = ["additionalItems", "contains", "additionalProperties", "propertyNames", "not"]
SCHEMAS = ["allOf", "anyOf", "oneOf"]
COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"]
BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
OTHERS = ["type", "type", "enum", "const", "multipleOf", "pattern", "uniqueItems", "items", "required", "properties", "definitions",
          "patternProperties", "dependencies", "if", "$ref", "$id", "format", "unknown"]
REFERENCES = ["#/definitions/a", "#/definitions/b", "#/properties/a", "#foo", "http://x.org/s", "other.json", "#/allOf/0", "#/unknown",
              "http://json-schema.org/draft-07/schema#", "#/definitions/x1/properties/a"]

chance = random.Random(int(sys.argv[1]))


def value(depth=0):
    kind = chance.randrange(10 if depth < 3 else 7)
    if kind == 0:
        return None
    if kind == 1:
        return chance.choice([True, False])
    if kind in (2, 3):
        return chance.choice([0, 1, 2, 3, -1, 7, 10, 2**53, 2**53 + 1, LARGE])
    if kind == 4:
        return chance.choice([0.0, 1.0, 1.5, -2.5, 0.1, 0.3, 1e308, 1e-5, 9007199254740992.0])
    if kind in (5, 6):
        return chance.choice(["", "a", "ab", "abc", "é", "日本", "a\n", "12", "x" * 5])
    if kind in (7, 8):
        return [value(depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(NAMES): value(depth + 1) for _ in range(chance.randrange(4))}


def pattern():
    return chance.choice(PATTERNS + ["(", "[z-a]"]) if chance.random() < 0.1 else chance.choice(PATTERNS)


def inner(depth):
    return schema(depth + 1) if depth < 3 else chance.choice([True, False, {"type": "string"}])


def rule(keyword, depth):
    some = lambda make, least=0: [make() for _ in range(chance.randrange(least, 4))]
    named = lambda make: {chance.choice(NAMES): make() for _ in range(chance.randrange(1, 3))}
    deeper = lambda: inner(depth)
    if chance.random() < 0.02:
        return value()
    if keyword in SCHEMA:
        return deeper()
    if keyword in SCHEMAS:
        return some(deeper, 1)
    if keyword in COUNTS:
        return chance.choice([0, 1, 2, 3, 2.0])
    if keyword in BOUNDS:
        return chance.choice([0, 1, 1.0, 2.5, -1, 2**53, 9007199254740992.0, LARGE])
    return {
        "type": lambda: chance.choice(TYPES),
        "enum": lambda: some(value),
        "const": value,
        "multipleOf": lambda: chance.choice([1, 2, 3, 0.1, 0.5, 1.5, 0.01, 10]),
        "pattern": pattern,
        "uniqueItems": lambda: chance.choice([True, True, False]),
        "items": lambda: chance.choice([deeper, lambda: some(deeper, 1)])(),
        "required": lambda: sorted({chance.choice(NAMES) for _ in range(chance.randrange(3))}),
        "properties": lambda: named(deeper),
        "definitions": lambda: named(deeper),
        "patternProperties": lambda: {pattern(): deeper() for _ in range(chance.randrange(3))},
        "dependencies": lambda: named(chance.choice([deeper, lambda: [chance.choice(NAMES)]])),
        "if": deeper,
        "$ref": lambda: chance.choice(REFERENCES),
        "$id": lambda: chance.choice(["#foo", "http://x.org/s", "other.json", "http://x.org/dir/", "#a"]),
        "format": lambda: chance.choice(["email", "regex", "ipv4", "date"]),
        "unknown": value,
    }[keyword]()


def schema(depth=0):
    if chance.random() < 0.08:
        return chance.choice([True, False])
    rules = {}
    for _ in range(chance.randrange(1, 4)):
        keyword = chance.choice(OTHERS + SCHEMA + SCHEMAS + COUNTS + BOUNDS)
        rules[keyword] = rule(keyword, depth)
        if keyword == "if":
            rules.update({branch: inner(depth) for branch in ("then", "else") if chance.random() < 0.7})
    return rules


def answer(given, rules):
    try:
        Draft7Validator.check_schema(rules)
        return not list(Draft7Validator(rules).iter_errors(given))
    except jsonschema.SchemaError:
        return "schema"
    except Exception as error:
        # The validator cannot do `items: true` beside `additionalItems`: docs/differences.md.
        return None if "has no len()" in str(error) else "fault"


for _ in range(int(sys.argv[2])):
    case = [value(), schema()]
    case.append(answer(*case))
    if case[2] is not None:
        print(json.dumps(case, ensure_ascii=False))
