//! Clients that take what a service has little of, and facts that lead elsewhere.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
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
        let requested: Vec<_> = (0..8).map(|_| scope.spawn(|| service.post("/v1/lookup", &question))).collect();
        // Short questions do not wait for the end of long ones.
        for _ in 0..10 {
            assert_eq!(service.lookup("n", "plain").value(), json!(1));
        }
        // A question ends by its time, or by its steps where the machine is quick.
        requested.into_iter().for_each(|requested| {
            let answer = requested.join().unwrap();
            let is_limit = |one: &serde_json::Value| {
                one["error"]["code"].as_str().is_some_and(|code| ["limit", "lookup-limit"].contains(&code))
            };
            let has_ended = match answer.status {
                200 => answer.json()["answers"].as_array().unwrap().iter().all(is_limit),
                status => [422, 503, 504].contains(&status),
            };
            assert!(has_ended, "{} {}", answer.status, answer.text);
        });
    });
}

/// What a client that says this is told before the connection is closed.
fn send(address: &str, says: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(says).unwrap();
    let mut reported = Vec::new();
    let mut piece = [0; 1024];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => reported.extend_from_slice(&piece[..read]),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break,
            Err(error) => panic!("the connection stays open: {error}"),
        }
    }
    String::from_utf8_lossy(&reported).into_owned()
}

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00";

#[test]
fn a_silent_peer_is_not_waited_for() {
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
            scope.spawn(move || send(address, says));
        }
        scope.spawn(|| assert!(send(address, body).starts_with("HTTP/1.1 504")));
        scope.spawn(|| assert!(send(address, answered).starts_with("HTTP/1.1 200")));
    });
}

#[test]
fn silent_connections_make_room() {
    let (_folder, service) = example(&["--connections", "20"]);
    let address = service.url.strip_prefix("http://").unwrap();
    let body =
        b"POST /v1/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    for says in [&b""[..], PREFACE, body] {
        let entry: Vec<TcpStream> = (0..60)
            .map(|_| {
                let mut stream = TcpStream::connect(address).unwrap();
                // One that was closed already cannot say anything.
                let _ = stream.write_all(says);
                stream
            })
            .collect();
        assert_eq!(service.get("/healthz").status, 200);
        assert_eq!(service.lookup("web01.example.com", "profile::web::port").value(), json!(8080));
        drop(entry);
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
        let mut message = [0; 12];
        stream.read_exact(&mut message).unwrap();
        assert_eq!(&message, b"HTTP/1.1 413");
    }
}

/// The service answers pings, but only what a client takes of an answer is progress: one that leaves its window closed is closed,
/// however much else it says.
#[test]
fn windows_that_stay_closed_are_not_waited_for() {
    let (_folder, service) = example(&[]);
    let address = service.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    // SETTINGS with an initial window of nothing, and GET /healthz.
    stream
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00")
        .unwrap();
    let head = b"\x82\x86\x04\x08/healthz\x01\x09localhost";
    stream.write_all(&[&[0, 0, head.len() as u8, 1, 5, 0, 0, 0, 1], head.as_slice()].concat()).unwrap();
    let mut pings = stream.try_clone().unwrap();
    std::thread::spawn(move || {
        let ping = b"\x00\x00\x08\x06\x00\x00\x00\x00\x0012345678";
        while pings.write_all(ping).is_ok() {
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let mut pieces = 0;
    let (mut all, mut piece) = (Vec::new(), [0; 1024]);
    while let Ok(read @ 1..) = stream.read(&mut piece) {
        all.extend_from_slice(&piece[..read]);
        // The answers to some five pings a second.
        pieces += 1;
        assert!(pieces < 500, "the connection stays open");
    }
    // The head of the answer came, nothing of its body, and pings were answered meanwhile.
    let (mut kinds, mut rest) = (Vec::new(), all.as_slice());
    while let [high, middle, low, kind, _, _, _, _, _, ..] = *rest {
        kinds.push(kind);
        let length = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
        rest = rest.get(9 + length..).unwrap_or_default();
    }
    assert!(kinds.contains(&1) && !kinds.contains(&0), "{kinds:?}");
    assert!(kinds.iter().filter(|kind| **kind == 6).count() > 5, "{kinds:?}");
    assert_eq!(service.get("/healthz").status, 200);
}

/// Keys whose values are all one large text.
fn large() -> Repository {
    let mut data = format!("k0: &large \"{}\"\n", "x".repeat(1 << 20));
    (1..70).for_each(|key| data.push_str(&format!("k{key}: *large\n")));
    Repository::new(&[(&format!("{ENVIRONMENT}/data/common.yaml"), &data), ("facts/n.json", "{}")])
}

fn ask_large(keys: usize) -> String {
    let keys: Vec<String> = (0..keys).map(|key| format!("k{key}")).collect();
    json!({"node": "n", "keys": keys}).to_string()
}

/// A connection that asks for keys and ends with the answer, of which nothing is taken yet.
fn connection_that_asks(service: &Service, body: &str) -> TcpStream {
    let address = service.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(stream, "POST /v1/lookup HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    stream
}

#[test]
fn answers_have_a_size_and_all_together_have_one() {
    let repository = large();
    let service = repository.serve(&["--timeout", "60"]);
    let answer = service.post("/v1/lookup", &ask_large(70));
    assert_eq!(answer.status, 400, "{:.200}", answer.text);
    assert!(answer.json()["detail"].as_str().unwrap().contains("64 MiB"), "{:.200}", answer.text);
    // Answers that nobody takes to the end keep their room until there is none. A client that takes nothing for ten seconds is sent away,
    // and a busy machine needs that long for the next answer: pieces are taken all the time.
    let body = ask_large(60);
    let mut entry: Vec<(TcpStream, bool)> = Vec::new();
    for _ in 0..5 {
        let mut stream = connection_that_asks(&service, &body);
        let mut message = [0; 12];
        stream.read_exact(&mut message).unwrap();
        let mut end = stream.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut piece = vec![0; 1 << 17];
            while let Ok(1..) = end.read(&mut piece) {
                std::thread::sleep(Duration::from_millis(125));
            }
        });
        entry.push((stream, &message == b"HTTP/1.1 200"));
    }
    assert_eq!(entry.iter().map(|(_, sent)| *sent).collect::<Vec<_>>(), [true, true, true, true, false]);
    let refused = service.post("/v1/lookup", &body);
    assert_eq!(refused.status, 503, "{:.200}", refused.text);
    // Small ones have room, and large ones have it again once the others are gone.
    assert_eq!(service.get("/v1/nodes/n/keys").status, 200);
    entry.iter().for_each(|(stream, _)| stream.shutdown(Shutdown::Both).unwrap_or_default());
    let free = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        service.post("/v1/lookup", &ask_large(1)).status == 200
    });
    assert!(free);
}

#[test]
fn a_client_that_takes_its_answer_slowly_gets_all_of_it() {
    let repository = large();
    let service = repository.serve(&["--timeout", "60"]);
    let mut stream = connection_that_asks(&service, &ask_large(50));
    // A client has ten seconds for some of the answer. This one takes a quarter of a MiB at most, two hundred times and more, with 70 ms
    // between, which is longer for all of it.
    let (mut end, mut piece) = (0, vec![0; 1 << 18]);
    while let read @ 1.. = stream.read(&mut piece).unwrap() {
        end += read;
        std::thread::sleep(Duration::from_millis(70));
    }
    assert!(end > 50 << 20, "{end} bytes");
}

#[test]
fn paths_that_are_no_text_are_a_problem_like_all_others() {
    let (_folder, service) = example(&[]);
    for path in ["/v1/nodes/%ff/keys", "/v1/nodes/%ff/layers/a", "/v1/nodes/a/layers/%ff"] {
        let answer = service.get(path);
        assert_eq!(answer.status, 400, "{path}");
        assert_eq!(answer.heads.get("content-type").unwrap(), "application/problem+json", "{path}");
        assert_eq!(answer.json()["status"], 400, "{path}");
    }
}
