//! Facts from PuppetDB's query API.
//!
//! See <https://www.puppet.com/docs/puppetdb/8/api/query/v4/nodes.html>.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use hieratic::Facts;
use ureq::Agent;
use ureq::tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig};

use super::Found;
use crate::problem::Problem;

/// Where PuppetDB is, and how it is asked.
#[derive(Clone, Debug)]
pub struct PuppetDb {
    /// The address, as `http://localhost:8080`.
    pub url: String,
    /// The certificate that its own leads to, in PEM form; those that browsers trust without it.
    pub ca: Option<PathBuf>,
    /// The certificate and the key to show, in PEM form.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// How long facts are taken to be the same.
    pub keep: Duration,
}

/// How long PuppetDB may take for an answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How large an answer may be.
const LARGEST: u64 = 64 << 20;

/// Asks PuppetDB.
pub(crate) struct Client {
    agent: Agent,
    url: String,
    keep: Duration,
}

impl Client {
    pub(super) fn new(settings: &PuppetDb) -> Result<Client, String> {
        let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
        let certificate =
            |path: &Path| Certificate::from_pem(&read(path)?).map_err(|error| format!("{}: {error}", path.display()));
        let mut tls = TlsConfig::builder();
        if let Some(ca) = &settings.ca {
            tls = tls.root_certs(RootCerts::Specific(Arc::new(vec![certificate(ca)?])));
        }
        if let Some((path, key)) = &settings.identity {
            let private = PrivateKey::from_pem(&read(key)?).map_err(|error| format!("{}: {error}", key.display()))?;
            tls = tls.client_cert(Some(ClientCert::new_with_certs(&[certificate(path)?], private)));
        }
        let config = Agent::config_builder().timeout_global(Some(TIMEOUT)).tls_config(tls.build()).build();
        if !settings.url.starts_with("http://") && !settings.url.starts_with("https://") {
            return Err(format!("expected an address like http://localhost:8080 of PuppetDB, got '{}'", settings.url));
        }
        let url = settings.url.trim_end_matches('/').to_string();
        Ok(Client { agent: Agent::new_with_config(config), url, keep: settings.keep })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn facts(&self, node: &str) -> Result<Found, Problem> {
        let path = format!("/pdb/query/v4/nodes/{node}/facts");
        let missing = || {
            Problem::not_found(format!("PuppetDB has no facts of the node '{node}'"))
                .help("look for its name with GET /v1/nodes, or send `facts` along")
        };
        let Some(bytes) = self.get(&path)? else { return Err(missing()) };
        let empty = bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).eq(b"[]");
        if empty {
            return Err(missing());
        }
        let hash = Facts::read(&bytes, Path::new("PuppetDB.json")).map_err(|error| self.odd(&error.to_string()))?;
        let expires = Some(Instant::now() + self.keep);
        Ok(Found { facts: Facts::new(Some(node), hash), expires, bytes: bytes.len() as u64 })
    }

    pub(super) fn names(&self) -> Result<Vec<String>, Problem> {
        let bytes = self.get("/pdb/query/v4/nodes")?.unwrap_or_else(|| b"[]".to_vec());
        let entries: Vec<Entry> = serde_json::from_slice(&bytes).map_err(|error| self.odd(&error.to_string()))?;
        let mut names: Vec<String> = entries.into_iter().map(|entry| entry.certname).collect();
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// What is at a path; none if PuppetDB has nothing there.
    fn get(&self, path: &str) -> Result<Option<Vec<u8>>, Problem> {
        let answer = self.agent.get(format!("{}{path}", self.url)).header("accept", "application/json").call();
        match answer {
            Ok(mut response) => {
                let body = response.body_mut().with_config().limit(LARGEST).read_to_vec();
                body.map(Some).map_err(|error| self.odd(&error.to_string()))
            }
            Err(ureq::Error::StatusCode(404)) => Ok(None),
            Err(error) => Err(self.odd(&error.to_string())),
        }
    }

    fn odd(&self, message: &str) -> Problem {
        Problem::new(StatusCode::BAD_GATEWAY, format!("PuppetDB at {} does not answer: {message}", self.url))
    }
}

#[derive(serde::Deserialize)]
struct Entry {
    certname: String,
}
