#!/usr/bin/env python3
"""Says which files a schema takes, by the validator `jsonschema`.

Standard input is a JSON object with a `schema` and `files`: lists of contents of files. Standard output has a list of booleans for each.
"""

import json
import sys

import jsonschema

asked = json.load(sys.stdin)
jsonschema.Draft7Validator.check_schema(asked["schema"])
validator = jsonschema.Draft7Validator(asked["schema"])
json.dump([[validator.is_valid(file) for file in files] for files in asked["files"]], sys.stdout)
