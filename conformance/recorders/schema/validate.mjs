// Says which files a schema takes, by the validator `ajv`, which is in the folder that the variable AJV names. Input and output are as
// in validate.py.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const Ajv = createRequire(`${process.env.AJV}/`)("ajv").default;
const asked = JSON.parse(readFileSync(0, "utf8"));
const valid = new Ajv({ strict: false }).compile(asked.schema);
process.stdout.write(JSON.stringify(asked.files.map((files) => files.map((file) => valid(file)))));
