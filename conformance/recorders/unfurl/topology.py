"""Records what Unfurl's expressions see of a service template: writes conformance/unfurl/topology.jsonl.

Needs `pip install unfurl==1.2.0`. All nodes of the ensemble exist and nothing is deployed.

    python topology.py > ../../unfurl/topology.jsonl
"""

import json
import logging
import os
import warnings

warnings.simplefilter("ignore")
os.environ["UNFURL_HOME"] = ""
os.environ["UNFURL_LOGGING"] = "critical"

from unfurl.eval import Ref, RefContext  # noqa: E402
from unfurl.runtime import EntityInstance  # noqa: E402
from unfurl.yamlmanifest import YamlManifest  # noqa: E402

logging.disable(logging.CRITICAL)

ENSEMBLE = """\
apiVersion: unfurl/v1alpha1
kind: Ensemble
spec:
  inputs:
    region: eu
  service_template:
    node_types:
      my.Base:
        derived_from: tosca.nodes.Root
        properties:
          size: {type: integer, default: 3}
          title: {type: string, default: "{{ SELF.size }} big"}
          optional: {type: string, required: false}
        attributes:
          address: {type: string}
      my.Web:
        derived_from: my.Base
        properties:
          size: {type: integer, default: 5}
          port: {type: integer, default: {get_input: port}}
          url: {type: string, default: {concat: ["http://", {get_property: [SELF, name]}, ":", {get_property: [SELF, port]}]}}
          name: {type: string}
        requirements:
          - db: {node: my.Db, occurrences: [0, UNBOUNDED]}
          - cache: {node: my.Db, occurrences: [0, 1]}
      my.Db:
        derived_from: my.Base
        properties:
          user: {type: string, default: admin}
    topology_template:
      inputs:
        port: {type: integer, default: 8080}
        region: {type: string}
      outputs:
        link: {value: {get_property: [web, url]}}
      node_templates:
        machine:
          type: tosca.nodes.Compute
        web:
          type: my.Web
          properties: {name: shop}
          requirements:
            - db: main
            - cache: {node: main}
        other:
          type: my.Web
          properties: {name: other, size: 7, port: 81, title: plain}
          requirements:
            - db: main
            - db: spare
        main:
          type: my.Db
          properties: {user: {get_input: region}}
        spare:
          type: my.Db
        site:
          type: tosca.nodes.WebServer
          requirements:
            - host: machine
status:
  instances:
    machine: {template: machine, readyState: {local: ok}, instances: {site: {template: site, readyState: {local: ok}}}}
    web: {template: web, readyState: {local: ok}}
    other: {template: other, readyState: {local: ok}}
    main: {template: main, readyState: {local: ok}}
    spare: {template: spare, readyState: {local: ok}}
"""

EXPRESSIONS = [
    "name", "size", "port", "url", "title", "user", "optional", "::web::url", "::main::user", "::spare::size",
    ".targets", ".targets::db", ".targets::db::user", ".targets::cache::user", ".sources", ".sources::db",
    ".sources::db::name", ".type", ".name", ".parent", "::site::.parent::.name",
    "::root::inputs::port", "::inputs::region",
    {"eval": {"get_input": "port"}}, {"eval": {"get_input": "region"}}, {"eval": {"get_input": "none"}},
    {"eval": {"get_input": ["none", "d"]}},
    {"get_property": ["SELF", "size"]}, {"get_property": ["SELF", "url"]}, {"get_property": ["main", "user"]},
    {"get_property": ["SELF", "cache", "user"]}, {"get_property": ["SELF", "none"]}, {"get_property": ["none", "size"]},
    {"get_property": ["SELF", "optional"]},
    {"get_attribute": ["SELF", "size"]}, {"get_attribute": ["main", "user"]}, {"get_attribute": ["SELF", "cache", "user"]},
    {"get_attribute": ["SELF", "none"]}, {"get_attribute": ["none", "size"]}, {"get_attribute": ["HOST", "size"]},
    {"eval": {"get_nodes_of_type": "my.Web"}}, {"eval": {"get_nodes_of_type": "my.Base"}},
    {"eval": {"get_nodes_of_type": "tosca.nodes.Root"}}, {"eval": {"get_nodes_of_type": "tosca.nodes.Compute"}},
    {"eval": {"get_nodes_of_type": "tosca.nodes.SoftwareComponent"}}, {"eval": {"get_nodes_of_type": "none"}},
    {"eval": {"get_nodes_of_type": "tosca.nodes.Abstract.Compute"}},
    {"concat": ["a", {"get_property": ["SELF", "size"]}]}, {"token": [{"get_property": ["web", "url"]}, ":", 1]},
    {"eval": {"concat": [{"get_input": "region"}, "-", ".name"]}},
    "{{ SELF.size + 1 }}", "{{ '::main::user' | eval }}", "{{ SELF.url }}", "{{ NODES.web.port }}",
    {"join": [["a", "b"], "-"]}, {"eval": {"join": [["a", "b"], "-"]}}, ".owner", "::web::.owner",
    {"get_operation_output": ["SELF", "Standard", "create", "x"]},
    {"eval": {"validate": [3, {"type": "integer"}]}}, {"eval": {"validate": ["a", {"type": "integer"}]}},
    {"eval": {"validate": [{"eval": "size"}, {"type": "integer", "minimum": 4}]}},
    {"eval": {"validate": [{"eval": "title"}, {"type": "string", "pattern": "big"}]}},
    {"eval": {"portspec": "80:8080"}}, {"eval": {"portspec": 80}}, {"eval": {"portspec": "127.0.0.1:80:8080/tcp"}},
    {"eval": {"portspec": "80-90:8080-8090/udp"}}, {"eval": {"portspec": "90-80"}}, {"eval": {"portspec": "70000"}},
    {"eval": {"portspec": "80/http"}}, {"eval": {"portspec": {"source": "80", "protocol": "udp"}}}, {"eval": {"portspec": ""}},
    {"eval": {"portspec": {"target": 8080, "target_range": [8000, 8090]}}}, {"eval": {"portspec": {"target": 1, "target_range": [8000, 8090]}}},
    {"eval": {"portspec": {"protocol": "tcp"}}}, {"eval": {"portspec": {"eval": "size"}}}, {"eval": {"portspec": [80]}},
    ".root::.name", ".targets::host", ".all::web::name", ".apex::.name", ".key", ".uri", ".readonly", ".sources::host::.name",
    {"get_property": ["web", "targets", "db"]}, {"eval": {"urljoin": ["http", "h", 80, "a b"]}}, {"eval": {"to_label": "a b"}},
    {"eval": {"get_input": ["region", "d"]}}, {"get_input": "region"}, {"token": ["a:b", ":", 0]}, {"concat": ["a", "b"], "sep": "-"},
    ]  # fmt: skip

STARTS = ["root", "web", "other", "main", "site"]


def plain(value):
    if isinstance(value, EntityInstance):
        return {"ref": value.key}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def main():
    manifest = YamlManifest(ENSEMBLE)
    print(json.dumps({"ensemble": ENSEMBLE}))
    root = manifest.get_root_resource()
    for start in STARTS:
        instance = root.find_instance(start) if start != "root" else root
        for expression in EXPRESSIONS:
            case = {"start": start, "expr": expression}
            try:
                if isinstance(expression, str) and "{{" in expression:
                    from unfurl.eval import map_value

                    case["one"] = plain(map_value(expression, RefContext(instance)))
                else:
                    case["one"] = plain(Ref(expression).resolve_one(RefContext(instance)))
            except Exception as error:
                case["error"] = f"{type(error).__name__}: {error}".splitlines()[0]
            # Maps and lists of instances come out as texts of Python.
            if not isinstance(case.get("one"), str) or case["one"][:1] not in ("{", "["):
                print(json.dumps(case))


main()
