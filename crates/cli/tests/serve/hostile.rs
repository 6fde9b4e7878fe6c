//! Clients that take what a service has little of, and facts that lead elsewhere.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::access::slow;
use crate::service::{Repository, Service, example};

const ENVIRONMENT: &str = "environments/production";

fn globbing(hiera: &str) -> Repository {
    Repository::new(&[
        (&format!("{ENVIRONMENT}/hiera.yaml"), &format!("version: 5\nhierarchy:\n{hiera}")),
        (&format!("{ENVIRONMENT}/data/a/in.yaml"), "k: inside\n"),
        (&format!("{ENVIRONMENT}/data/x/in.yaml"), "k: inside\n"),
        ("outside.yaml", "k: outside\n"),
        ("facts/n.json", "{\"p\": \"{..,x}/{..,x}/..\"}"),
    ])
}

fn answered(service: &Service, fact: &str) -> Value {
    let body = json!({"facts": {"p": fact}, "keys": ["k"]}).to_string();
    service.post("/v1/lookup", &body).json()["answers"][0].clone()
}

#[test]
fn facts_lead_out_of_no_folder() {
    let rows: [(&str, &[&str]); 7] = [
        (
            "  - {name: Glob, glob: '%{facts.p}/*.yaml'}\n",
            &[
                "{..,x}/{..,x}/{..,x}",
                "x/{..,a}/../../..",
                "../../..",
                "{/,x}",
                ".{.,x}/.{.,x}/.{.,x}",
                "{x/../../../..,a}",
            ],
        ),
        ("  - {name: Within, glob: '{%{facts.p},common}/*.yaml'}\n", &["a,../../..", "a,{..,x}/../.."]),
        (
            "  - {name: Folder, datadir: 'data/%{facts.p}', glob: '*.yaml'}\n",
            &["{..,x}/../../..", "../../..", "{../../../..,a}"],
        ),
        ("  - {name: Path, path: '%{facts.p}/outside.yaml'}\n", &["../../..", "/"]),
        ("  - {name: Mapped, mapped_paths: [facts.p, p, '%{p}/outside.yaml']}\n", &["../../..", "/"]),
        ("  - {name: Emptied, path: 'x/%{facts.p}/../../../../outside.yaml'}\n", &["", "."]),
        (
            "  - {name: Options, path: a/in.yaml, lookup_key: eyaml_lookup_key, options: {pkcs7_private_key: 'keys/%{facts.p}'}}\n",
            &["../../x"],
        ),
    ];
    for (hiera, facts) in rows {
        let repository = globbing(hiera);
        let service = repository.serve(&[]);
        for fact in facts {
            let answer = answered(&service, fact);
            assert_eq!(answer["error"]["code"], "path-escapes", "{hiera}{fact}: {answer}");
        }
    }
    // What stands in a store came from somebody as well, and what is literal is meant.
    let repository =
        globbing("  - {name: Glob, glob: '%{facts.p}/*.yaml'}\n  - {name: Literal, path: '../../../outside.yaml'}\n");
    let service = repository.serve(&[]);
    assert_eq!(service.lookup("n", "k").json()["answers"][0]["error"]["code"], "path-escapes");
    assert_eq!(answered(&service, "{a,x}")["value"], "inside");
    assert_eq!(answered(&service, "none")["value"], "outside");
}

#[test]
fn patterns_have_limits_that_are_named() {
    let repository = globbing("  - {name: Glob, glob: '%{facts.p}/*.yaml'}\n");
    let deep = ["d"; 60].join("/");
    repository.write(&format!("{ENVIRONMENT}/data/{deep}/e.yaml"), "e: 1\n");
    std::thread::sleep(Duration::from_millis(60));
    let service = repository.serve(&["--timeout", "60", "--limit", "steps=2000000"]);
    let braces = answered(&service, &"{a,b,c,d,e,f,g,h}".repeat(12));
    assert_eq!(braces["error"]["code"], "glob-limit", "{braces}");
    assert!(braces["error"]["message"].as_str().unwrap().contains("10000"), "{braces}");
    let walks = answered(&service, &"**/*/".repeat(30));
    assert!(walks["error"]["message"].as_str().unwrap().contains("steps"), "{walks}");
    assert_eq!(answered(&service, "a")["value"], "inside");
}

#[test]
fn work_ends_when_its_request_has_ended() {
    // One place: as long as the first question held it, nobody else would be answered.
    let repository = slow(25.0);
    let service = repository.serve(&["--concurrency", "1", "--timeout", "2", "--allow-programs"]);
    for _ in 0..3 {
        assert_eq!(service.lookup("n", "some::key").status, 504);
        let other = service.lookup("n", "other::key");
        assert_eq!(other.status, 200, "{}", other.text);
    }
    // A client that goes away takes its question along.
    let address = service.url.strip_prefix("http://").unwrap();
    let body = r#"{"node": "n", "keys": ["some::key"]}"#;
    for _ in 0..3 {
        let mut gone = TcpStream::connect(address).unwrap();
        let length = body.len();
        write!(gone, "POST /v1/lookup HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    }
    assert_eq!(service.lookup("n", "other::key").status, 200);
}

#[test]
fn lookups_without_an_end_end() {
    let mut data = String::new();
    (0..40).for_each(|link| data.push_str(&format!("c{link}: \"%{{lookup('c{0}')}}%{{lookup('c{0}')}}\"\n", link + 1)));
    data.push_str("c40: ''\nplain: 1\n");
    let repository = Repository::new(&[(&format!("{ENVIRONMENT}/data/common.yaml"), &data), ("facts/n.json", "{}")]);
    let service = repository.serve(&["--timeout", "5", "--concurrency", "2"]);
    let keys: Vec<String> = (0..40).map(|link| format!("c{link}")).collect();
    let question = json!({"node": "n", "keys": keys}).to_string();
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(|| service.post("/v1/lookup", &question))).collect();
        // Short questions do not wait for the end of long ones.
        for _ in 0..10 {
            assert_eq!(service.lookup("n", "plain").value(), json!(1));
        }
        // A question ends by its time, or by its steps where the machine is quick.
        asked.into_iter().for_each(|asked| {
            let answer = asked.join().unwrap();
            assert!([422, 503, 504].contains(&answer.status), "{} {}", answer.status, answer.text);
        });
    });
}

/// What a client that says this is told before the connection is closed.
fn told(address: &str, says: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(says).unwrap();
    let mut told = Vec::new();
    let mut piece = [0; 1024];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => told.extend_from_slice(&piece[..read]),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break,
            Err(error) => panic!("the connection stays open: {error}"),
        }
    }
    String::from_utf8_lossy(&told).into_owned()
}

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00";

#[test]
fn who_says_nothing_is_not_waited_for() {
    let (_folder, service) = example(&["--timeout", "2"]);
    let address = service.url.strip_prefix("http://").unwrap();
    let head = b"POST /v1/lookup HTTP/1.1\r\nHost: localhost\r\n";
    let body =
        b"POST /v1/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    let answered = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    // An HTTP/2 client that begins the head of a request (HEADERS without END_HEADERS) and never ends it.
    let half = [PREFACE, b"\x00\x00\x01\x01\x00\x00\x00\x00\x01\x82"].concat();
    std::thread::scope(|scope| {
        for says in [&b""[..], &head[..3], head, PREFACE, &half] {
            scope.spawn(move || told(address, says));
        }
        scope.spawn(|| assert!(told(address, body).starts_with("HTTP/1.1 504")));
        scope.spawn(|| assert!(told(address, answered).starts_with("HTTP/1.1 200")));
    });
}

#[test]
fn silent_connections_make_room() {
    let (_folder, service) = example(&["--connections", "20"]);
    let address = service.url.strip_prefix("http://").unwrap();
    let body =
        b"POST /v1/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    for says in [&b""[..], PREFACE, body] {
        let held: Vec<TcpStream> = (0..60)
            .map(|_| {
                let mut stream = TcpStream::connect(address).unwrap();
                // One that was closed already cannot say anything.
                let _ = stream.write_all(says);
                stream
            })
            .collect();
        assert_eq!(service.get("/healthz").status, 200);
        assert_eq!(service.lookup("web01.example.com", "profile::web::port").value(), json!(8080));
        drop(held);
    }
}

#[test]
fn bodies_that_are_too_large_are_refused_before_they_are_there() {
    let (_folder, service) = example(&["--body-limit", "2000"]);
    let address = service.url.strip_prefix("http://").unwrap();
    let head = "POST /v1/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let announced = format!("{head}Content-Length: 3000\r\n\r\n");
    let pieces = format!("{head}Transfer-Encoding: chunked\r\n\r\n400\r\n{0}\r\n400\r\n{0}\r\n", "x".repeat(1024));
    for says in [announced, pieces] {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(says.as_bytes()).unwrap();
        let mut said = [0; 12];
        stream.read_exact(&mut said).unwrap();
        assert_eq!(&said, b"HTTP/1.1 413");
    }
}
