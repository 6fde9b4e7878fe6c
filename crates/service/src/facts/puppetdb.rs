//! Facts from PuppetDB's query API.
//!
//! See <https://www.puppet.com/docs/puppetdb/8/api/query/v4/nodes.html>.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use base64::Engine;
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
    /// The address without what gives access, which is all that is ever told.
    url: String,
    /// What gives access, as a head of requests.
    authorization: Option<String>,
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
        // Whoever could redirect would choose what is asked, and be shown what gives access.
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .tls_config(tls.build())
            .max_redirects(0)
            .http_status_as_error(false)
            .build();
        let Some((url, authorization)) = without_access(&settings.url) else {
            return Err("the URL of PuppetDB has an @ after the host: encode / ? # in a password as %2F %3F %23".into());
        };
        if !url.starts_with("http://") && !url.starts_with("https://") || url.contains(['?', '#']) {
            return Err(format!("expected a PuppetDB URL such as http://localhost:8080, got '{url}'"));
        }
        Ok(Client { agent: Agent::new_with_config(config), url, authorization, keep: settings.keep })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn facts(&self, node: &str) -> Result<Found, Problem> {
        let path = format!("/pdb/query/v4/nodes/{node}/facts");
        let missing = || {
            Problem::not_found(format!("PuppetDB has no facts of the node '{node}'"))
                .help("find its name with GET /v1/nodes, or send `facts`")
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
        let mut request = self.agent.get(format!("{}{path}", self.url)).header("accept", "application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        match request.call() {
            Ok(response) if response.status() == StatusCode::NOT_FOUND.as_u16() => Ok(None),
            Ok(response) if response.status().is_redirection() => {
                Err(self.odd("it redirects, which is not followed: pass the final URL to --puppetdb"))
            }
            Ok(response) if !response.status().is_success() => {
                Err(self.odd(&format!("its status is {}", response.status().as_u16())))
            }
            Ok(mut response) => {
                let body = response.body_mut().with_config().limit(LARGEST).read_to_vec();
                body.map(Some).map_err(|error| self.odd(&error.to_string()))
            }
            Err(error) => Err(self.odd(&error.to_string())),
        }
    }

    fn odd(&self, message: &str) -> Problem {
        Problem::new(StatusCode::BAD_GATEWAY, format!("PuppetDB at {} does not answer: {message}", self.url))
    }
}

/// An address without the name and the password in it, and both as a head of requests. None if it is not clear where they end.
fn without_access(url: &str) -> Option<(String, Option<String>)> {
    let url = url.trim_end_matches('/');
    let (scheme, rest) = url.split_once("://").map_or(("", url), |(scheme, rest)| (&url[..scheme.len() + 3], rest));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    if rest[end..].contains('@') {
        return None;
    }
    let Some(at) = rest.rfind('@') else { return Some((url.into(), None)) };
    let access = base64::engine::general_purpose::STANDARD.encode(percent_decoded(&rest[..at]));
    Some((format!("{scheme}{}", &rest[at + 1..]), Some(format!("Basic {access}"))))
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while let Some(&byte) = bytes.get(index) {
        let hex =
            text.get(index + 1..index + 3).filter(|_| byte == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(hex.unwrap_or(byte));
        index += if hex.is_some() { 3 } else { 1 };
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gives_access_is_no_part_of_the_address() {
        for (given, url, access) in [
            ("http://localhost:8080/", "http://localhost:8080", None),
            ("https://u:p%40ss@db:8081/x/", "https://db:8081/x", Some("Basic dTpwQHNz")),
            ("https://u:p@ss@db", "https://db", Some("Basic dTpwQHNz")),
            ("https://u:p%2Fs@db", "https://db", Some("Basic dTpwL3M=")),
            ("u:p@db", "db", Some("Basic dTpw")),
        ] {
            assert_eq!(without_access(given), Some((url.to_string(), access.map(String::from))), "{given}");
        }
        assert_eq!(without_access("https://u:p/s@db"), None);
    }
}

#[derive(serde::Deserialize)]
struct Entry {
    certname: String,
}
