//! Tokens, TLS, names, and limits.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use serde_json::json;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use crate::service::{Repository, agent, answer, example, refusal};

#[test]
fn a_token_opens_everything_but_the_sign_of_life() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = folder.path().join("tokens");
    fs::write(&tokens, "# who may ask\nfirst-token\nsecond-token\n").unwrap();
    let (_folder, service) = example(&["--token-file", tokens.to_str().unwrap()]);
    assert_eq!(service.get("/healthz").status, 200);
    for path in [
        "/",
        "/metrics",
        "/v1/nodes",
        "/v1/openapi.json",
        "/style.css",
        "/script.js",
        "/find",
        "/v1/find?q=a",
        "/spread?key=a",
        "/no/such",
    ] {
        let refused = service.get(path);
        assert_eq!(refused.status, 401, "{path}");
        assert!(refused.heads.get_all("www-authenticate").iter().any(|way| way.to_str().unwrap().starts_with("Basic")));
    }
    let with = |value: &str| {
        answer(agent().get(format!("{}/v1/nodes", service.url)).header("authorization", value).call()).status
    };
    assert_eq!(with("Bearer second-token"), 200);
    assert_eq!(with("Basic YW55OmZpcnN0LXRva2Vu"), 200);
    assert_eq!(with("Bearer second-toke"), 401);
    assert_eq!(with("Bearer # who may ask"), 401);
    fs::write(&tokens, "third-token\n").unwrap();
    assert_eq!((with("Bearer second-token"), with("Bearer third-token")), (401, 200));
    // A file without tokens, or none at all, lets nobody in.
    fs::write(&tokens, "").unwrap();
    assert_eq!((with("Bearer third-token"), with("Bearer ")), (401, 401));
    fs::write(&tokens, "fourth-token\n").unwrap();
    assert_eq!(with("Bearer fourth-token"), 200);
    fs::remove_file(&tokens).unwrap();
    assert_eq!(with("Bearer fourth-token"), 401);
}

#[test]
fn other_hosts_are_served_only_on_request() {
    let message = refusal(&["--listen", "0.0.0.0:0"]);
    assert!(message.contains("is reachable from other machines") && message.contains("--token-file"), "{message}");
    assert!(refusal(&["--token-file", "/no/such/file"]).contains("/no/such/file"));
    assert!(refusal(&["--facts-dir", "/no/such/folder"]).contains("/no/such/folder"));
    assert!(refusal(&["--puppetdb", "localhost"]).contains("expected a PuppetDB URL"));
    assert!(refusal(&["--tls-cert", "/no/cert", "--tls-key", "/no/key"]).contains("/no/cert"));
}

#[test]
fn names_of_strangers_and_foreign_forms_get_nothing() {
    let (_folder, service) = example(&[]);
    let host = answer(agent().get(format!("{}/v1/nodes", service.url)).header("host", "evil.example.com").call());
    assert_eq!(host.status, 421, "{}", host.text);
    let body = r#"{"node": "web01.example.com", "keys": ["profile::web::port"]}"#;
    let plain =
        answer(agent().post(format!("{}/v1/lookup", service.url)).header("content-type", "text/plain").send(body));
    assert_eq!(plain.status, 415);
}

#[test]
fn connections_can_be_encrypted() {
    let folder = tempfile::tempdir().unwrap();
    let path = rcgen::generate_simple_self_signed(vec!["localhost".into(), "127.0.0.1".into()]).unwrap();
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    fs::write(&certificate, path.cert.pem()).unwrap();
    fs::write(&key, path.signing_key.serialize_pem()).unwrap();
    let flags = ["--tls-cert", certificate.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
    let (_folder, service) = example(&flags);
    assert!(service.url.starts_with("https://"));
    let root = Certificate::from_pem(path.cert.pem().as_bytes()).unwrap();
    let tls = TlsConfig::builder().root_certs(RootCerts::Specific(Arc::new(vec![root]))).build();
    let trusting = ureq::Agent::new_with_config(ureq::Agent::config_builder().tls_config(tls).build());
    assert_eq!(answer(trusting.get(format!("{}/healthz", service.url)).call()).json(), json!({"status": "ok"}));
    assert!(agent().get(format!("{}/healthz", service.url)).call().is_err(), "the certificate leads to no known root");
    assert!(agent().get(format!("{}/healthz", service.url.replace("https", "http"))).call().is_err());
}

#[test]
fn large_requests_are_refused() {
    let (_folder, service) = example(&["--body-limit", "2000"]);
    let large = json!({"facts": {"a": "x".repeat(3000)}, "keys": ["profile::web::port"]}).to_string();
    let refused = service.post("/v1/lookup", &large);
    assert_eq!(refused.status, 413, "{}", refused.text);
    assert_eq!(refused.heads["content-type"], "application/problem+json");
    assert_eq!(service.lookup("web01.example.com", "profile::web::port").value(), json!(8080));
}

/// A repository whose data comes from a back end that takes its time.
pub fn slow(seconds: f64) -> Repository {
    let repository = Repository::new(&[
        (
            "environments/production/hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: Slow, lookup_key: slow}\n  - {name: Common, path: common.yaml, data_hash: yaml_data}\n",
        ),
        (
            "environments/production/hieratic.yaml",
            "version: 1\nbackends:\n  slow: {command: [./slow.sh], timeout: 20}\n",
        ),
        ("facts/n.json", "{}"),
    ]);
    // The options of keys are asked for first, and are not there.
    let script = format!(
        r#"#!/bin/sh
while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  case $line in
    *some::key*) sleep {seconds}; echo "{{\"id\": $id, \"value\": \"late\"}}" ;;
    *) echo "{{\"id\": $id, \"not_found\": true}}" ;;
  esac
done
"#
    );
    repository.write_program("environments/production/slow.sh", &script);
    repository
}

#[test]
fn slow_requests_get_an_error() {
    let repository = slow(3.0);
    let service = repository.serve(&["--timeout", "0.3", "--allow-programs"]);
    // If the service waited, there would be a value.
    let late = service.lookup("n", "some::key");
    assert_eq!(late.status, 504, "{}", late.text);
    assert_eq!(service.get("/healthz").status, 200);
}

#[test]
fn a_silent_client_does_not_block_others() {
    let (_folder, service) = example(&["--connections", "40", "--timeout", "0.5"]);
    let address = service.url.strip_prefix("http://").unwrap();
    let silent: Vec<TcpStream> = (0..30).map(|_| TcpStream::connect(address).unwrap()).collect();
    // One begins a request and does not go on: its body is waited for only so long.
    let mut half = TcpStream::connect(address).unwrap();
    let head = format!(
        "POST /v1/lookup HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
    );
    half.write_all(head.as_bytes()).unwrap();
    assert_eq!(service.lookup("web01.example.com", "profile::web::port").value(), json!(8080));
    let mut message = [0; 12];
    half.read_exact(&mut message).unwrap();
    assert_eq!(&message, b"HTTP/1.1 504");
    drop(silent);
}
