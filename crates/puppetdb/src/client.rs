//! [`Client`]: queries to PuppetDB, and their responses.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hieratic::{Error, ErrorKind, Facts};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use ureq::Agent;
use ureq::tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig};

use crate::address::without_access;
use crate::codes;

/// The address of PuppetDB, and the credentials.
#[derive(Clone, Debug)]
pub struct PuppetDb {
    /// The URL, such as `http://localhost:8080`. It may contain a name and a password.
    pub url: String,
    /// The CA certificate for PuppetDB in PEM format. By default, those that browsers trust.
    pub ca: Option<PathBuf>,
    /// The client certificate and its key, in PEM format.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// The reason why PuppetDB gave no usable response: a message without credentials.
fn query_error(message: String) -> Error {
    Error::new(ErrorKind::Fatal, codes::PUPPETDB, message)
        .help("check the URL, the certificates, and that PuppetDB runs; or name a folder of facts with --facts")
}

/// The timeout of a query about one node.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum size of its response, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// A client of PuppetDB. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    /// The URL without credentials; messages contain only this.
    url: String,
    /// The credentials, as a header.
    authorization: Option<String>,
}

impl fmt::Debug for Client {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Client").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Client {
    /// Creates a client. No request is sent.
    ///
    /// # Errors
    /// The URL is not valid, or a certificate cannot be read.
    pub fn new(settings: &PuppetDb) -> Result<Client, Error> {
        let mut tls = TlsConfig::builder();
        if let Some(ca) = &settings.ca {
            tls = tls.root_certs(RootCerts::Specific(Arc::new(vec![certificate(ca)?])));
        }
        if let Some((path, key)) = &settings.identity {
            let private = PrivateKey::from_pem(&read(key)?).map_err(|error| in_file(key, &error))?;
            tls = tls.client_cert(Some(ClientCert::new_with_certs(&[certificate(path)?], private)));
        }
        // A redirect could choose another query, and receive the credentials.
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .tls_config(tls.build())
            .max_redirects(0)
            .http_status_as_error(false)
            .build();
        let Some((url, authorization)) = without_access(&settings.url) else {
            let message = "the URL of PuppetDB has an @ after the host: encode / ? # in a password as %2F %3F %23";
            return Err(query_error(message.into()));
        };
        if !url.starts_with("http://") && !url.starts_with("https://") || url.contains(['?', '#']) {
            return Err(query_error(format!("expected a PuppetDB URL such as http://localhost:8080, got '{url}'")));
        }
        Ok(Client { agent: Agent::new_with_config(config), url, authorization })
    }

    /// Returns the URL without credentials.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the facts of a node and their size as JSON in bytes, or `None` if PuppetDB does not know the node.
    ///
    /// # Errors
    /// PuppetDB does not respond, or the response is invalid.
    pub fn facts(&self, node: &str) -> Result<Option<(Facts, u64)>, Error> {
        let Some(bytes) = self.get(&format!("/pdb/query/v4/nodes/{}/facts", escaped(node)))? else { return Ok(None) };
        if bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).eq(b"[]") {
            return Ok(None);
        }
        let hash = Facts::read(&bytes, Path::new("PuppetDB.json"))
            .map_err(|error| self.unexpected_response(&error.to_string()))?;
        Ok(Some((Facts::new(Some(node), hash), bytes.len() as u64)))
    }

    /// Returns the names of the active nodes, sorted.
    ///
    /// # Errors
    /// PuppetDB does not respond, or the response is invalid.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        #[derive(serde::Deserialize)]
        struct Entry {
            certname: String,
        }
        let bytes = self.get("/pdb/query/v4/nodes")?.unwrap_or_else(|| b"[]".to_vec());
        let entries: Vec<Entry> =
            serde_json::from_slice(&bytes).map_err(|error| self.unexpected_response(&error.to_string()))?;
        let mut names: Vec<String> = entries.into_iter().map(|entry| entry.certname).collect();
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// Returns the body at a path, or `None` if PuppetDB has no such path.
    fn get(&self, path: &str) -> Result<Option<Vec<u8>>, Error> {
        self.read(path, TIMEOUT, MAX_BYTES)
    }

    /// Like [`Client::get`], with the given timeout and maximum size.
    pub(crate) fn read(&self, path: &str, time: Duration, largest: u64) -> Result<Option<Vec<u8>>, Error> {
        let Some(mut body) = self.send_request(path, time)? else { return Ok(None) };
        let bytes = body.with_config().limit(largest).read_to_vec();
        bytes.map(Some).map_err(|error| self.unexpected_response(&error.to_string()))
    }

    /// Returns the body at a path as a stream, or `None` if PuppetDB has no such path.
    pub(crate) fn stream(&self, path: &str, time: Duration, largest: u64) -> Result<Option<impl Read + use<>>, Error> {
        Ok(self.send_request(path, time)?.map(|body| body.into_with_config().limit(largest).reader()))
    }

    fn send_request(&self, path: &str, time: Duration) -> Result<Option<ureq::Body>, Error> {
        let mut request = self.agent.get(format!("{}{path}", self.url)).header("accept", "application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        let request = request.config().timeout_global(Some(time)).build();
        match request.call() {
            Ok(response) if response.status().as_u16() == 404 => Ok(None),
            Ok(response) if response.status().is_redirection() => {
                Err(self.unexpected_response("it redirects, which is not followed: pass the final URL to --puppetdb"))
            }
            Ok(response) if !response.status().is_success() => {
                Err(self.unexpected_response(&format!("its status is {}", response.status().as_u16())))
            }
            Ok(response) => Ok(Some(response.into_body())),
            Err(error) => Err(self.unexpected_response(&error.to_string())),
        }
    }

    pub(crate) fn unexpected_response(&self, message: &str) -> Error {
        query_error(format!("cannot query PuppetDB at {}: {message}", self.url))
    }
}

fn in_file(path: &Path, error: &dyn fmt::Display) -> Error {
    query_error(format!("{}: {error}", path.display()))
}

/// Reads a file that the person at the keyboard names.
#[allow(
    clippy::disallowed_methods,
    reason = "certificates and keys are named by flags and user settings, never by a repository"
)]
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| in_file(path, &error))
}

fn certificate(path: &Path) -> Result<Certificate<'static>, Error> {
    Certificate::from_pem(&read(path)?).map_err(|error| in_file(path, &error))
}

/// The characters that a path segment or a parameter of a URL contains unescaped.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Escapes a string as a path segment or a parameter: node names are untrusted.
pub(crate) fn escaped(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, PLAIN)
}
