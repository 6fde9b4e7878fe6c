//! [`Access`]: authentication of requests, by token or by host name.
//!
//! With a token file, every request must have one of its tokens. Without one, every client that can reach the service
//! is accepted.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use hieratic::dependencies::{AccessLog, Freshness};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

use crate::Shared;
use crate::problem::Problem;

type TokenDigest = [u8; 32];

/// Decides which requests are accepted.
pub(crate) struct Access {
    tokens: Option<Tokens>,
    /// Whether only requests to local host names are accepted. Without tokens, this stops DNS rebinding: a web page
    /// whose own name resolves to this machine gets no answer.
    local_names_only: bool,
}

struct Tokens {
    path: PathBuf,
    /// The digests of the tokens; `None` if the file is unreadable or contains no tokens.
    digests: RwLock<Option<(Vec<TokenDigest>, AccessLog)>>,
}

impl Access {
    pub(crate) fn new(token_file: Option<&Path>, on_loopback: bool) -> Result<Access, String> {
        let tokens = match token_file {
            Some(path) => Some(Tokens { path: path.into(), digests: RwLock::new(Some(read_tokens(path)?)) }),
            None => None,
        };
        Ok(Access { local_names_only: tokens.is_none() && on_loopback, tokens })
    }

    fn check(&self, headers: &HeaderMap) -> Result<(), Problem> {
        if self.local_names_only && !is_local_host(headers) {
            let detail = "the service only answers requests to local host names";
            return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, detail)
                .help("use http://localhost or http://127.0.0.1, or start the service with --token-file"));
        }
        let Some(tokens) = &self.tokens else { return Ok(()) };
        if token_of(headers).is_some_and(|token| tokens.accepts(token.as_bytes())) {
            return Ok(());
        }
        Err(Problem::new(StatusCode::UNAUTHORIZED, "a token is required")
            .help("send `Authorization: Bearer TOKEN`, or the token as the password"))
    }
}

impl Tokens {
    /// Returns whether a token is valid. The comparison always reads all tokens in full, so that its duration reveals
    /// nothing.
    fn accepts(&self, token: &[u8]) -> bool {
        self.reload_if_changed();
        let digest: TokenDigest = Sha256::digest(token).into();
        let digests = self.digests.read().unwrap_or_else(PoisonError::into_inner);
        let tokens = digests.as_ref().map_or(&[][..], |(tokens, _)| tokens);
        let found = tokens.iter().fold(Choice::from(0), |found, one| found | one.ct_eq(&digest));
        found.into()
    }

    /// Rereads the token file if it has changed. A missing, empty or unreadable file contains no tokens: all requests
    /// are refused.
    fn reload_if_changed(&self) {
        let looks_same = match &*self.digests.read().unwrap_or_else(PoisonError::into_inner) {
            Some((_, accesses)) => accesses.freshness(Duration::from_millis(20)) == Freshness::Current,
            None => false,
        };
        // The metadata of a file does not show whether this process may read it.
        if !looks_same || std::fs::File::open(&self.path).is_err() {
            *self.digests.write().unwrap_or_else(PoisonError::into_inner) = read_tokens(&self.path).ok();
        }
    }
}

/// The digests of the tokens of a file.
fn read_tokens(path: &Path) -> Result<(Vec<TokenDigest>, AccessLog), String> {
    let accesses = AccessLog::default();
    accesses.look(path);
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let tokens: Vec<TokenDigest> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|token| Sha256::digest(token.as_bytes()).into())
        .collect();
    if tokens.is_empty() {
        return Err(format!("{} contains no tokens: write one per line", path.display()));
    }
    Ok((tokens, accesses))
}

/// Returns the token of a request: a bearer token, or the password of basic authentication, for which browsers prompt.
fn token_of(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, rest) = text.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(rest.trim().to_string());
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = base64::engine::general_purpose::STANDARD.decode(rest.trim()).ok()?;
    let text = String::from_utf8(decoded).ok()?;
    text.split_once(':').map(|(_, password)| password.to_string())
}

fn is_local_host(headers: &HeaderMap) -> bool {
    // HTTP/2 has the host name in the address, and pages in browsers cannot use it without TLS.
    let Some(host) = headers.get(header::HOST) else { return true };
    let Ok(host) = host.to_str() else { return false };
    // An address of version 6 is in brackets, so that its colons are not taken for that of a port.
    let name_and_port = match host.strip_prefix('[') {
        Some(rest) => {
            rest.split_once(']').map(|(name, rest)| (name, rest.strip_prefix(':').or(rest.is_empty().then_some(""))))
        }
        None => Some(host.split_once(':').map_or((host, Some("")), |(name, port)| (name, Some(port)))),
    };
    let Some((name, Some(port))) = name_and_port else { return false };
    if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Passes authorized requests on.
pub(crate) async fn guard(State(service): State<Shared>, request: Request, next: Next) -> Response {
    match service.access.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn headers(name: header::HeaderName, value: &str) -> HeaderMap {
        [(name, value.parse().unwrap())].into_iter().collect()
    }

    #[test]
    fn tokens_are_taken_in_both_forms_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens");
        std::fs::write(&path, "# for the tests\nopen sesame\n\n").unwrap();
        let access = Access::new(Some(&path), true).unwrap();
        let may = |value: &str| access.check(&headers(header::AUTHORIZATION, value)).is_ok();
        assert!(may("Bearer open sesame") && may("bearer open sesame"));
        let basic = base64::engine::general_purpose::STANDARD.encode("anybody:open sesame");
        assert!(may(&format!("Basic {basic}")));
        for wrong in
            ["Bearer open", "Bearer # for the tests", "Bearer ", "open sesame", "Basic !!", "Digest open sesame"]
        {
            assert!(!may(wrong), "{wrong}");
        }
        assert!(access.check(&HeaderMap::new()).is_err());
        std::fs::write(&path, "other\n").unwrap();
        assert!(!may("Bearer open sesame") && may("Bearer other"));
        for emptied in ["", "# other\n"] {
            std::fs::write(&path, emptied).unwrap();
            assert!(!may("Bearer other") && !may("Bearer "), "{emptied:?}");
            std::fs::write(&path, "other\n").unwrap();
            assert!(may("Bearer other"));
        }
        std::fs::remove_file(&path).unwrap();
        assert!(!may("Bearer other"));
        std::fs::write(&path, "other\n").unwrap();
        assert!(may("Bearer other"));
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(!may("Bearer other"));
    }

    #[test]
    fn a_file_without_tokens_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens");
        std::fs::write(&path, "# none\n").unwrap();
        assert!(Access::new(Some(&path), true).is_err());
    }

    #[test]
    fn foreign_host_names_are_refused_without_tokens() {
        let access = Access::new(None, true).unwrap();
        for (host, may) in [
            ("localhost:8140", true),
            ("127.0.0.1", true),
            ("127.0.0.1:1", true),
            ("[::1]:1", true),
            ("[::1]", true),
            ("LOCALHOST:", true),
            ("evil.example.com", false),
            ("localhost.evil.example.com:80", false),
            ("localhost:evil.example.com", false),
            ("localhost:80:evil.example.com", false),
            ("127.0.0.1:80.evil.example.com", false),
            ("[::1]evil.example.com", false),
            ("[::1]:evil.example.com", false),
            ("[::1", false),
            ("localhost@evil.example.com", false),
            ("evil.example.com:localhost", false),
            ("10.0.0.1:80", false),
        ] {
            assert_eq!(access.check(&headers(header::HOST, host)).is_ok(), may, "{host}");
        }
    }
}
