//! The types of nodes that no file has to define: those of the TOSCA Simple Profile 1.3 and of Unfurl.
//!
//! <https://docs.oasis-open.org/tosca/TOSCA-Simple-Profile-YAML/v1.3/>

use hieratic_value::{Hash, Value};

/// The type that all nodes have.
pub(crate) const ROOT: &str = "tosca.nodes.Root";

/// A standard type.
pub(crate) struct StandardType {
    name: &'static str,
    /// The type that it is derived from.
    pub(crate) parent: &'static str,
    properties: &'static [Property],
    /// Its attributes, which get their values by a deployment.
    attributes: &'static [&'static str],
    /// True if its templates can have properties that no type declares.
    takes_more: bool,
}

/// A property: its name, its type, and its default.
type Property = (&'static str, &'static str, Initial);

/// The default of a property.
enum Initial {
    Missing,
    Text(&'static str),
    Number(i64),
    Truth(bool),
}

use Initial::{Missing, Number, Text, Truth};

impl StandardType {
    /// Returns the definition in the form that files have.
    pub(crate) fn definition(&self) -> Value {
        let properties: Hash =
            self.properties.iter().map(|(name, kind, initial)| (*name, property(kind, initial))).collect();
        let attribute = || Hash::from_iter([("type", Value::from("any"))]);
        let attributes: Hash = self.attributes.iter().map(|name| (*name, attribute().into())).collect();
        let metadata: Hash =
            self.takes_more.then_some(("additionalProperties", Value::Boolean(true))).into_iter().collect();
        let parts = [("properties", properties), ("attributes", attributes), ("metadata", metadata)];
        Hash::from_iter(parts.map(|(name, part)| (name, Value::from(part)))).into()
    }
}

fn property(kind: &str, initial: &Initial) -> Value {
    let initial = match initial {
        Missing => None,
        Text(text) => Some(Value::from(*text)),
        Number(number) => Some(Value::Integer(*number)),
        Truth(truth) => Some(Value::Boolean(*truth)),
    };
    let schema = [("type", Value::from(kind)), ("required", Value::Boolean(false))];
    schema.into_iter().chain(initial.map(|value| ("default", value))).collect::<Hash>().into()
}

/// Returns the standard type with this name.
pub(crate) fn find(name: &str) -> Option<&'static StandardType> {
    TYPES.iter().find(|known| known.name == name)
}

const fn plain(name: &'static str, parent: &'static str) -> StandardType {
    with(name, parent, &[])
}

const fn with(name: &'static str, parent: &'static str, properties: &'static [Property]) -> StandardType {
    StandardType { name, parent, properties, attributes: &[], takes_more: false }
}

const TYPES: &[StandardType] = &[
    plain("tosca.nodes.Abstract.Compute", ROOT),
    with(
        "tosca.nodes.Abstract.Storage",
        ROOT,
        &[("name", "string", Missing), ("size", "scalar-unit.size", Text("0 MB"))],
    ),
    with("tosca.nodes.BlockStorage", "tosca.nodes.Storage.BlockStorage", &[("name", "string", Text(""))]),
    StandardType {
        attributes: &["private_address", "public_address", "networks", "ports"],
        ..plain("tosca.nodes.Compute", "tosca.nodes.Abstract.Compute")
    },
    plain("tosca.nodes.Container.Application", ROOT),
    plain("tosca.nodes.Container.Application.Docker", "tosca.nodes.Container.Application"),
    plain("tosca.nodes.Container.Runtime", "tosca.nodes.SoftwareComponent"),
    plain("tosca.nodes.Container.Runtime.Docker", "tosca.nodes.Container.Runtime"),
    with(
        "tosca.nodes.DBMS",
        "tosca.nodes.SoftwareComponent",
        &[("port", "integer", Missing), ("root_password", "string", Missing)],
    ),
    with(
        "tosca.nodes.Database",
        ROOT,
        &[
            ("user", "string", Missing),
            ("port", "integer", Missing),
            ("name", "string", Missing),
            ("password", "string", Missing),
        ],
    ),
    with("tosca.nodes.LoadBalancer", ROOT, &[("algorithm", "string", Missing)]),
    with(
        "tosca.nodes.ObjectStorage",
        ROOT,
        &[("name", "string", Missing), ("size", "scalar-unit.size", Missing), ("maxsize", "scalar-unit.size", Missing)],
    ),
    with(
        "tosca.nodes.SoftwareComponent",
        ROOT,
        &[("component_version", "version", Missing), ("admin_credential", "tosca.datatypes.Credential", Missing)],
    ),
    StandardType {
        attributes: &["volume_id"],
        ..with(
            "tosca.nodes.Storage.BlockStorage",
            "tosca.nodes.Abstract.Storage",
            &[("volume_id", "string", Missing), ("snapshot_id", "string", Missing)],
        )
    },
    with(
        "tosca.nodes.Storage.ObjectStorage",
        "tosca.nodes.Abstract.Storage",
        &[("maxsize", "scalar-unit.size", Missing)],
    ),
    with("tosca.nodes.WebApplication", ROOT, &[("context_root", "string", Missing)]),
    plain("tosca.nodes.WebServer", "tosca.nodes.SoftwareComponent"),
    with(
        "tosca.nodes.network.FloatingIP",
        ROOT,
        &[
            ("floating_network", "string", Missing),
            ("floating_ip_address", "string", Missing),
            ("port_id", "string", Missing),
        ],
    ),
    with(
        "tosca.nodes.network.Network",
        ROOT,
        &[
            ("ip_version", "integer", Number(4)),
            ("cidr", "string", Missing),
            ("start_ip", "string", Missing),
            ("end_ip", "string", Missing),
            ("gateway_ip", "string", Missing),
            ("network_name", "string", Missing),
            ("network_id", "string", Missing),
            ("segmentation_id", "string", Missing),
            ("network_type", "string", Missing),
            ("physical_network", "string", Missing),
            ("dhcp_enabled", "boolean", Truth(true)),
        ],
    ),
    StandardType {
        attributes: &["ip_address"],
        ..with(
            "tosca.nodes.network.Port",
            ROOT,
            &[
                ("ip_address", "string", Missing),
                ("order", "integer", Number(0)),
                ("is_default", "boolean", Truth(false)),
                ("ip_range_start", "string", Missing),
                ("ip_range_end", "string", Missing),
            ],
        )
    },
    plain("unfurl.nodes.AWSAccount", "unfurl.nodes.CloudAccount"),
    plain("unfurl.nodes.AWSResource", "unfurl.nodes.CloudObject"),
    plain("unfurl.nodes.ArtifactBuilder", ROOT),
    plain("unfurl.nodes.ArtifactInstaller", ROOT),
    plain("unfurl.nodes.AzureAccount", "unfurl.nodes.CloudAccount"),
    plain("unfurl.nodes.AzureResource", "unfurl.nodes.CloudObject"),
    StandardType { attributes: &["account_id"], ..plain("unfurl.nodes.CloudAccount", ROOT) },
    StandardType { attributes: &["uri", "name", "console_url"], ..plain("unfurl.nodes.CloudObject", ROOT) },
    StandardType { takes_more: true, ..plain("unfurl.nodes.Default", "unfurl.nodes.Installation") },
    StandardType { takes_more: true, ..plain("unfurl.nodes.Generic", ROOT) },
    plain("unfurl.nodes.Installation", ROOT),
    plain("unfurl.nodes.Installer", ROOT),
    plain("unfurl.nodes.LocalRepository", "unfurl.nodes.Repository"),
    with(
        "unfurl.nodes.Repository",
        ROOT,
        &[
            ("repository", "string", Missing),
            ("url", "string", Missing),
            ("credential", "tosca.datatypes.Credential", Missing),
        ],
    ),
    plain("unfurl.nodes.SoftwareComponent", "tosca.nodes.SoftwareComponent"),
];
