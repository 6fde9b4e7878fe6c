"""Records which properties of node templates Unfurl sees: writes conformance/unfurl/undeclared.jsonl.

Needs `pip install unfurl==1.2.0`. Templates of all standard types that Unfurl needs no import for give each property that one of these types
has, and one that none has.

    python undeclared.py > ../../unfurl/undeclared.jsonl
"""

import json
import logging
import os
import warnings

warnings.simplefilter("ignore")
os.environ["UNFURL_HOME"] = ""
os.environ["UNFURL_LOGGING"] = "critical"

from unfurl.eval import Ref, RefContext  # noqa: E402
from unfurl.yamlmanifest import YamlManifest  # noqa: E402

logging.disable(logging.CRITICAL)

TYPES = """
    tosca.nodes.Abstract.Compute tosca.nodes.Abstract.Storage tosca.nodes.BlockStorage tosca.nodes.Compute tosca.nodes.Container.Application
    tosca.nodes.Container.Application.Docker tosca.nodes.Container.Runtime tosca.nodes.Container.Runtime.Docker tosca.nodes.DBMS
    tosca.nodes.Database tosca.nodes.LoadBalancer tosca.nodes.ObjectStorage tosca.nodes.Root tosca.nodes.SoftwareComponent
    tosca.nodes.Storage.BlockStorage tosca.nodes.Storage.ObjectStorage tosca.nodes.WebApplication tosca.nodes.WebServer
    tosca.nodes.network.FloatingIP tosca.nodes.network.Network tosca.nodes.network.Port unfurl.nodes.AWSAccount unfurl.nodes.AWSResource
    unfurl.nodes.AzureAccount unfurl.nodes.CloudAccount unfurl.nodes.CloudObject unfurl.nodes.Default unfurl.nodes.Generic
    unfurl.nodes.Installation unfurl.nodes.Installer unfurl.nodes.LocalRepository unfurl.nodes.Repository my.Open my.Derived my.Own tosca:Root
""".split()
PROPERTIES = {
    "name": "n", "size": "1 GB", "maxsize": "2 GB", "volume_id": "v", "snapshot_id": "s", "port": 80, "root_password": "p", "user": "u", "password": "p",
    "algorithm": "a", "component_version": "1.2", "context_root": "/", "floating_network": "f", "floating_ip_address": "i", "port_id": "p",
    "cidr": "c", "start_ip": "s", "end_ip": "e", "gateway_ip": "g", "network_name": "n", "network_id": "i", "segmentation_id": "s",
    "network_type": "t", "physical_network": "p", "ip_address": "i", "ip_range_start": "s", "ip_range_end": "e", "repository": "r", "url": "u",
    "own": 3, "nowhere": "x",
}
NODES = {"t%d" % at: {"type": name, "properties": PROPERTIES} for at, name in enumerate(TYPES)}
NODES["given"] = {"type": "my.Own", "metadata": {"additionalProperties": True}, "properties": PROPERTIES}
NODES["refused"] = {"type": "my.Open", "metadata": {"additionalProperties": False}, "properties": PROPERTIES}
# Defaults.
NODES["network"] = {"type": "tosca.nodes.network.Network"}
NODES["storage"] = {"type": "tosca.nodes.Abstract.Storage", "properties": {"name": "n"}}
NODES["entry"] = {"type": "tosca.nodes.network.Port"}
ENSEMBLE = {
    "apiVersion": "unfurl/v1alpha1",
    "kind": "Ensemble",
    "spec": {
        "service_template": {
            "node_types": {
                "my.Open": {"derived_from": "tosca.nodes.Root", "metadata": {"additionalProperties": True}},
                "my.Derived": {"derived_from": "my.Open", "metadata": {"title": "d"}},
                "my.Own": {"derived_from": "tosca.nodes.WebServer", "properties": {"own": {"type": "integer", "default": 1}}},
            },
            "topology_template": {"node_templates": NODES},
        }
    },
    "status": {"instances": {name: {"template": name, "readyState": {"local": "ok"}} for name in NODES}},
}


def main():
    text = json.dumps(ENSEMBLE)
    print(json.dumps({"ensemble": text}))
    root = YamlManifest(text).get_root_resource()
    for node in NODES:
        for name in [*PROPERTIES, "ip_version", "dhcp_enabled", "order", "is_default"]:
            expression = f"::{node}::{name}"
            print(json.dumps({"start": "root", "expr": expression, "one": Ref(expression).resolve_one(RefContext(root))}))


main()
