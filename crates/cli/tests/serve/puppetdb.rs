//! Facts from PuppetDB, as its API answers.

#[path = "../support/puppetdb.rs"]
mod support;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use serde_json::json;

use crate::service::{Repository, Service};

/// Answers as PuppetDB does for one node; the address.
fn puppetdb() -> String {
    let address = support::puppetdb(|path| match path {
        "/pdb/query/v4/nodes" => r#"[{"certname": "n", "deactivated": null}, {"certname": "m"}]"#,
        "/pdb/query/v4/nodes/n/facts" => {
            r#"[{"certname": "n", "name": "role", "value": "web"}, {"certname": "n", "name": "os", "value": {"family": "x"}}]"#
        }
        _ => "[ ]",
    });
    format!("{address}/")
}

#[test]
fn nodes_and_facts_come_from_puppetdb() {
    let repository = Repository::new(&[("environments/production/data/roles/web.yaml", "k: \"%{facts.os.family}\"\n")]);
    let environments = repository.path().join("environments");
    let flags = ["--environmentpath", environments.to_str().unwrap(), "--puppetdb", &puppetdb()];
    let service = Service::start(repository.path(), &flags);
    assert_eq!(service.get("/v1/nodes").json()["nodes"], json!(["m", "n"]));
    assert_eq!(service.lookup("n", "k").value(), json!("x"));
    assert_eq!(service.lookup("m", "k").status, 404);
}

#[test]
fn redirects_are_refused_and_credentials_stay_hidden() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = elsewhere.local_addr().unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let heads = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let noted = heads.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut line = String::new();
            while stream.read_line(&mut line).unwrap() > 2 {
                noted.lock().unwrap().push_str(&line);
                line.clear();
            }
            let answer = format!(
                "HTTP/1.1 302 Found\r\nLocation: http://{target}/pdb\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
            stream.get_mut().write_all(answer.as_bytes()).unwrap();
        }
    });
    let repository = Repository::new(&[]);
    let url = format!("http://reader:s3cret-word@{address}");
    let service =
        Service::start(repository.path(), &["--environment-dir", "environments/production", "--puppetdb", &url]);
    let answers = [service.lookup("n", "k"), service.get("/v1/nodes"), service.get("/"), service.get("/metrics")];
    assert_eq!([answers[0].status, answers[1].status, answers[2].status], [502; 3], "{}", answers[0].text);
    assert!(elsewhere.accept().is_err(), "the redirect was followed");
    assert!(heads.lock().unwrap().to_lowercase().contains("authorization: basic cmvhzgvyonmzy3jldc13b3jk"));
    for text in answers.iter().map(|answer| answer.text.clone()).chain([service.stderr()]) {
        assert!(!text.contains("s3cret-word"), "{text}");
    }
    let refused = crate::service::refusal(&["--puppetdb", "ftp://reader:s3cret-word@localhost"]);
    assert!(refused.contains("expected a PuppetDB URL") && !refused.contains("s3cret-word"), "{refused}");
}

#[test]
fn an_unreachable_puppetdb_is_reported() {
    let repository = Repository::new(&[]);
    let flags = ["--environment-dir", "environments/production", "--puppetdb", "http://127.0.0.1:9"];
    let service = Service::start(repository.path(), &flags);
    let answer = service.lookup("n", "k");
    assert!(answer.status == 502 && answer.text.contains("PuppetDB"), "{}", answer.text);
}
