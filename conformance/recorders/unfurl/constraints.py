"""Records how Unfurl checks the values of properties against types and constraints: writes conformance/unfurl/constraints.jsonl.

Needs `pip install unfurl==1.2.0`.

    python constraints.py > ../../unfurl/constraints.jsonl
"""

import json
import logging
import os
import warnings

warnings.simplefilter("ignore")
os.environ["UNFURL_HOME"] = ""
os.environ["UNFURL_LOGGING"] = "critical"

from unfurl.eval import Ref, RefContext, map_value  # noqa: E402
from unfurl.yamlmanifest import YamlManifest  # noqa: E402

logging.disable(logging.CRITICAL)

ENSEMBLE = """\
apiVersion: unfurl/v1alpha1
kind: Ensemble
spec:
  inputs: %s
  service_template:
    data_types:
      my.D: {type: integer, constraints: [{in_range: [1, 4]}]}
      my.E:
        properties:
          p: {type: integer}
          o: {type: string, required: false}
          d: {type: string, default: dd}
          l: {type: list, required: false, entry_schema: {type: my.D}, constraints: [{min_length: 1}]}
      my.F: {derived_from: my.E, properties: {z: {type: my.E, required: false}}}
      my.A: {metadata: {additionalProperties: true}, properties: {p: {type: integer, required: false}}}
    node_types:
      my.T:
        derived_from: tosca.nodes.Root
        properties: {x: %s}
    topology_template:
      inputs: %s
      node_templates:
        a: {type: my.T, properties: {x: %s}}
status:
  instances:
    a: {template: a, readyState: {local: ok}}
"""

# The definition of a property, and its value.
PROPERTIES = [("{type: my.D}","9"),
    ("{type: my.D}","abc"),
    ("{type: my.D, constraints: [{in_range: [1,4]}]}","9"),
    ("{type: my.E}","{p: 1}"),
    ("{type: my.E}","{p: x}"),
    ("{type: my.E}","{o: a}"),
    ("{type: my.E}","{p: 1, o: 5}"),
    ("{type: my.E}","{p: 1, zz: 5}"),
    ("{type: my.E}","{p: 1, l: [9]}"),
    ("{type: my.E}","{p: 1, l: []}"),
    ("{type: my.E}","5"),
    ("{type: my.F}","{p: 1, z: {p: x}}"),
    ("{type: my.F}","{z: {p: 1}}"),
    ("{type: my.A}","{p: 1, zz: 2}"),
 ("{type: string}","5"),
    ("{type: string, constraints: [{pattern: '[0-9]+'}]}","5"),
    ("{type: string, constraints: [{min_length: 3}]}","5"),
    ("{type: string}","[1]"),
    ("{type: string, constraints: [{max_length: 3}]}","[1]"),
 ("{type: integer}","'5'"),
    ("{type: integer}","5.5"),
    ("{type: integer}","true"),
    ("{type: integer}","' 7 '"),
    ("{type: integer, constraints: [{in_range: [1,4]}]}","'3'"),
    ("{type: float}","'1e3'"),
    ("{type: float}","abc"),
    ("{type: number}","'x'"),
    ("{type: boolean}","'yes'"),
    ("{type: boolean}","'True'"),
    ("{type: boolean}","1"),
 ("{type: range}","[1, 2]"),
    ("{type: range}","[2, 1]"),
    ("{type: range}","[1, UNBOUNDED]"),
    ("{type: range}","[1]"),
    ("{type: range, constraints: [{in_range: [1, 4]}]}","[2, 9]"),
 ("{type: timestamp}","'2020-01-01'"),
    ("{type: timestamp}","'nonsense'"),
 ("{type: list}","{a: 1}"),
    ("{type: list, entry_schema: {type: string}}","[a, 5]"),
    ("{type: list, entry_schema: {type: integer, constraints: [{less_than: 4}]}}","[1, 5]"),
    ("{type: list, constraints: [{max_length: 1}]}","[1, 5]"),
    ("{type: list, constraints: [{valid_values: [1, 2]}]}","[1, 5]"),
 ("{type: map}","[1]"),
    ("{type: map, entry_schema: {type: integer}}","{a: x}"),
    ("{type: map, key_schema: {type: string, constraints: [{min_length: 2}]}}","{a: x}"),
    ("{type: map, entry_schema: {type: map, entry_schema: {type: integer}}}","{a: {b: x}}"),
 ("{type: scalar-unit.size}","1 GB"),
    ("{type: scalar-unit.size}","1gb"),
    ("{type: scalar-unit.size}","12"),
    ("{type: scalar-unit.size}","1 XB"),
    ("{type: scalar-unit.size, constraints: [{in_range: [1 MB, 2 GB]}]}","3 GB"),
    ("{type: scalar-unit.size, constraints: [{greater_or_equal: 1 GB}]}","1000 MB"),
    ("{type: scalar-unit.time, constraints: [{less_than: 1 h}]}","59 m"),
    ("{type: scalar-unit.frequency}","2 GHz"),
    ("{type: scalar-unit.size, metadata: {default_unit: MB}}","5"),
 ("{type: version}","'1.2'"),
    ("{type: version}","'1.2.3.beta-4'"),
    ("{type: version}","'x'"),
    ("{type: version}","1.0"),
 ("{type: tosca.datatypes.network.PortDef}","70000"),
    ("{type: PortDef}","80"),
    ("{type: PortDef}","x"),
    ("{type: tosca.datatypes.network.PortSpec}","'80:90'"),
 ("{type: any}","{a: [1]}"),
    ("{type: unknown.T}","5"),
    ("{type: integer, constraints: [{equal: 3}]}","4"),
    ("{type: integer, constraints: [{greater_than: 3}]}","3"),
    ("{type: integer, constraints: [{bogus: 3}]}","3"),
    ("{type: integer, constraints: [{pattern: x}]}","3"),
    ("{type: string, constraints: [{length: 3}]}","ab"),
    ("{type: integer, constraints: [{valid_values: [1, 2]}]}","3"),
    ("{type: integer, constraints: [{in_range: [1, UNBOUNDED]}]}","0"),
    ("{type: integer, constraints: [{in_range: [1, UNBOUNDED]}, {less_or_equal: 4}]}","5"),
    ("{type: string, constraints: [{schema: '{\"type\": \"integer\"}'}]}","'ab'"),
    ("{type: integer}","null"),
    ("{type: integer, required: false}","null"),
 ("{type: tosca.datatypes.Credential}","{token: a}"),
    ("{type: tosca.datatypes.Credential}","{user: a}"),
    ("{type: string, constraints: [{pattern: '^a.*$'}]}","\"a\\n\""),
    ("{type: json}","'{}'"),
    ("{type: xml}","'x'"),
    ("{type: tosca.datatypes.json}","'{'"),
    ("{type: integer, constraints: {in_range: [1, 2]}}","5"),
    ("{type: unfurl.datatypes.EnvVar}","a")]

# The declaration of an input, and the value that the ensemble gives it.
INPUTS = [
    ("{type: integer, constraints: [{in_range: [1, 4]}]}", "3"),
    ("{type: integer, constraints: [{in_range: [1, 4]}]}", "9"),
    ("{type: integer, constraints: [{in_range: [1, 4]}], default: 9}", None),
    ("{type: integer, constraints: [{in_range: [1, 4]}], default: 2}", None),
    ("{type: integer}", "abc"),
    ("{type: string}", "5"),
    ("{type: string, constraints: [{valid_values: [eu, us]}]}", "mars"),
    ("{type: string, constraints: [{pattern: '[a-z]+'}]}", "eu1"),
    ("{type: list, entry_schema: {type: integer}}", "[1, x]"),
    ("{type: boolean}", "'yes'"),
    ("{constraints: [{min_length: 2}]}", "a"),
]


def plain(value):
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def answer(ensemble, expression):
    try:
        manifest = YamlManifest(ensemble)
        context = RefContext(manifest.get_root_resource().find_instance("a"))
        return {"one": plain(map_value(Ref(expression).resolve_one(context), context))}
    except Exception as error:
        lines = [line for line in str(error).splitlines() if not line.startswith("TOSCA validation failed")]
        return {"error": (lines or [type(error).__name__])[0]}


def main():
    print(json.dumps({"ensemble": ENSEMBLE}))
    for schema, value in PROPERTIES:
        for kind, written in ("written", value), ("evaluated", "{eval: {q: %s}}" % value):
            ensemble = ENSEMBLE % ("{}", schema, "{}", written)
            print(json.dumps({"schema": schema, "value": value, "kind": kind, **answer(ensemble, "x")}))
    for schema, value in INPUTS:
        given = "{}" if value is None else "{i: %s}" % value
        ensemble = ENSEMBLE % (given, "{type: any}", "{i: %s}" % schema, "1")
        case = {"schema": schema, "value": value, "kind": "input"}
        print(json.dumps({**case, **answer(ensemble, {"eval": {"get_input": "i"}})}))


main()
