//! The kinds of files, and their schemas.

use std::sync::LazyLock;

use hieratic_budget::Budget;
use hieratic_hcl1::{Dialect, Error, File, parse, parse_json};

use crate::notation::Schema;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The configuration of an agent of Nomad: a server, a client, or both.
    NomadAgent,
    /// A policy of Nomad's access control.
    NomadPolicy,
    /// A volume of a plugin of the Container Storage Interface.
    CsiVolume,
    /// A dynamic host volume.
    HostVolume,
    /// A namespace of Nomad.
    NomadNamespace,
    /// A quota of Nomad.
    NomadQuota,
    /// A variable of Nomad, with its items.
    NomadVariable,
    /// The configuration of an agent of Consul.
    ConsulAgent,
    /// Rules of Consul's access control.
    ConsulPolicy,
    /// An entry of Consul's configuration, such as the defaults of a service.
    ConsulConfigEntry,
    /// The configuration of a server of Vault.
    VaultServer,
    /// A policy of Vault.
    VaultPolicy,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 12] = [
        Kind::NomadAgent,
        Kind::NomadPolicy,
        Kind::CsiVolume,
        Kind::HostVolume,
        Kind::NomadNamespace,
        Kind::NomadQuota,
        Kind::NomadVariable,
        Kind::ConsulAgent,
        Kind::ConsulPolicy,
        Kind::ConsulConfigEntry,
        Kind::VaultServer,
        Kind::VaultPolicy,
    ];

    /// Returns the name in messages, with its article.
    pub fn name(self) -> &'static str {
        match self {
            Kind::NomadAgent => "the configuration of a Nomad agent",
            Kind::NomadPolicy => "a Nomad policy",
            Kind::CsiVolume => "a CSI volume",
            Kind::HostVolume => "a host volume",
            Kind::NomadNamespace => "a Nomad namespace",
            Kind::NomadQuota => "a Nomad quota",
            Kind::NomadVariable => "a Nomad variable",
            Kind::ConsulAgent => "the configuration of a Consul agent",
            Kind::ConsulPolicy => "a Consul policy",
            Kind::ConsulConfigEntry => "a configuration entry of Consul",
            Kind::VaultServer => "the configuration of a Vault server",
            Kind::VaultPolicy => "a Vault policy",
        }
    }

    /// Returns the program that reads the file.
    pub fn program(self) -> &'static str {
        match self {
            Kind::ConsulAgent | Kind::ConsulPolicy | Kind::ConsulConfigEntry => "Consul",
            Kind::VaultServer | Kind::VaultPolicy => "Vault",
            _ => "Nomad",
        }
    }

    /// Returns the dialect of HCL1 of the program.
    pub fn dialect(self) -> Dialect {
        match self {
            // Consul reads these without the check of arguments that are set twice.
            Kind::ConsulAgent | Kind::ConsulConfigEntry => Dialect::Nomad,
            Kind::ConsulPolicy | Kind::VaultServer | Kind::VaultPolicy => Dialect::Vault,
            _ => Dialect::Nomad,
        }
    }

    /// Parses a file as the program does.
    ///
    /// # Errors
    /// The file is invalid. The error is the first one.
    pub fn parse(self, text: &str, budget: &Budget) -> Result<File, Error> {
        // Consul reads JSON without HCL1.
        if matches!(self, Kind::ConsulAgent | Kind::ConsulConfigEntry) && text.trim_start().starts_with('{') {
            return parse_json(text.as_bytes(), budget);
        }
        parse(text.as_bytes(), self.dialect(), budget)
    }

    /// Returns the decoder of the program.
    pub(crate) fn decoder(self) -> Decoder {
        match self {
            Kind::ConsulAgent => Decoder::Exact,
            Kind::ConsulConfigEntry => Decoder::Weak,
            Kind::ConsulPolicy | Kind::VaultServer | Kind::VaultPolicy => Decoder::Vault,
            _ => Decoder::Nomad,
        }
    }

    pub(crate) fn schema(self) -> &'static Schema {
        static SCHEMAS: LazyLock<[Schema; 11]> = LazyLock::new(|| {
            [
                include_str!("schemas/nomad_agent.schema"),
                include_str!("schemas/nomad_policy.schema"),
                include_str!("schemas/nomad_volume.schema"),
                include_str!("schemas/nomad_namespace.schema"),
                include_str!("schemas/nomad_quota.schema"),
                include_str!("schemas/nomad_variable.schema"),
                include_str!("schemas/consul_agent.schema"),
                include_str!("schemas/consul_policy.schema"),
                include_str!("schemas/vault_server.schema"),
                include_str!("schemas/vault_policy.schema"),
                include_str!("schemas/consul_config_entry.schema"),
            ]
            .map(Schema::read)
        });
        let index = match self {
            Kind::NomadAgent => 0,
            Kind::NomadPolicy => 1,
            Kind::CsiVolume | Kind::HostVolume => 2,
            Kind::NomadNamespace => 3,
            Kind::NomadQuota => 4,
            Kind::NomadVariable => 5,
            Kind::ConsulAgent => 6,
            Kind::ConsulPolicy => 7,
            Kind::VaultServer => 8,
            Kind::VaultPolicy => 9,
            Kind::ConsulConfigEntry => 10,
        };
        &SCHEMAS[index]
    }

    /// The type of the whole file. That of an entry of Consul's configuration knows the kinds of entries alone.
    pub(crate) fn root(self) -> &'static str {
        match self {
            Kind::CsiVolume => "csi",
            Kind::HostVolume => "host",
            _ => "root",
        }
    }
}

/// The rule by which a program converts literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decoder {
    /// HCL1's decoder as Nomad has it: a truth value may be a string or a number.
    Nomad,
    /// HCL1's decoder: a number may be a string, and a string may be a number.
    Vault,
    /// Through a table and `mapstructure`, which converts everything that it can.
    Weak,
    /// Through a table, without conversion.
    Exact,
}
