//! The flags that name a PuppetDB.

use std::path::PathBuf;

use clap::Args;
use hieratic::{Error, ErrorKind, Facts};
use hieratic_puppetdb::{Client, PuppetDb};

use crate::codes;

/// The flags that name a PuppetDB.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PuppetDbArguments {
    /// The URL of a PuppetDB, the source of nodes and facts
    #[arg(long = "puppetdb", id = "puppetdb", value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The CA certificate of PuppetDB, in PEM format
    #[arg(long = "puppetdb-ca", value_name = "FILE", requires = "puppetdb")]
    pub(crate) puppetdb_ca: Option<PathBuf>,
    /// The client certificate for PuppetDB, in PEM format
    #[arg(long = "puppetdb-cert", value_name = "FILE", requires_all = ["puppetdb", "puppetdb_key"])]
    pub(crate) puppetdb_cert: Option<PathBuf>,
    /// The key of the client certificate, in PEM format
    #[arg(long = "puppetdb-key", value_name = "FILE", requires = "puppetdb_cert")]
    pub(crate) puppetdb_key: Option<PathBuf>,
}

impl PuppetDbArguments {
    /// Returns the PuppetDB that the flags name; `None` if they name none.
    pub(crate) fn settings(&self) -> Option<PuppetDb> {
        Some(PuppetDb {
            url: self.url.clone()?,
            ca: self.puppetdb_ca.clone(),
            identity: self.puppetdb_cert.clone().zip(self.puppetdb_key.clone()),
        })
    }

    /// Returns the nodes of PuppetDB, or the one with the given name. It is `None` if the flags name no PuppetDB.
    pub(crate) fn nodes(&self, name: Option<&str>) -> Result<Option<Vec<Facts>>, Error> {
        let Some(settings) = self.settings() else { return Ok(None) };
        let client = Client::new(&settings)?;
        let Some(name) = name else { return client.fleet().map(Some) };
        let found = client.facts(name)?.map(|(facts, _)| facts);
        let missing = || {
            Error::new(
                ErrorKind::Fatal,
                codes::FACTS_UNKNOWN,
                format!("PuppetDB at {} has no facts of {name}", client.url()),
            )
            .help("use the certname of a node that has run its agent, or name a file of facts with --facts")
        };
        found.map(|facts| Some(vec![facts])).ok_or_else(missing)
    }
}
