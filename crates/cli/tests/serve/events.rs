//! Server-sent events: open pages learn that files have changed.

use std::io::{BufRead, BufReader};

use crate::service::{Repository, Service, agent};
use crate::until::until;

/// A stream of events.
struct Stream(Box<dyn BufRead>);

impl Stream {
    fn open(service: &Service, query: &str) -> Stream {
        let response = agent().get(format!("{}/v1/events{query}", service.url)).call().unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Stream(Box::new(BufReader::new(response.into_body().into_reader())))
    }

    /// The name and the id of the next event; none at the end of the stream.
    fn next(&mut self) -> Option<(String, String)> {
        let (mut name, mut id) = (String::new(), String::new());
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("event", value)) => name = value.into(),
                Some(("id", value)) => id = value.into(),
                _ if line == "\n" && !name.is_empty() => return Some((name, id)),
                _ => {}
            }
        }
    }
}

fn repository() -> Repository {
    Repository::new(&[("environments/production/data/common.yaml", "a: 1\n"), ("facts/n.json", "{}")])
}

#[test]
fn changes_of_files_are_reported() {
    let repository = repository();
    let service = repository.serve(&[]);
    let mut stream = Stream::open(&service, "");
    let (name, first) = stream.next().unwrap();
    assert_eq!(name, "state");
    // Something beside the data is no change.
    repository.write("environments/production/.git/index", "1");
    repository.write("environments/production/data/common.yaml", "a: 10\n");
    let (name, second) = stream.next().unwrap();
    assert!(name == "changed" && second != first);
    repository.write("facts/n.json", "{\"a\": 1}");
    let (name, third) = stream.next().unwrap();
    assert!(name == "changed" && third != second);
    // A client that connects again learns what it missed.
    let reported =
        |since: &str| Stream::open(&service, &format!("?environment=production&since={since}")).next().unwrap();
    assert_eq!(reported(&third), ("state".into(), third.clone()));
    assert_eq!(reported(&first), ("changed".into(), third.clone()));
    assert_eq!(service.get("/v1/events?environment=none").status, 404);
    assert_eq!(service.get("/v1/events?no=1").status, 400);
}

#[test]
fn streams_are_bounded_and_kept_alive() {
    let repository = repository();
    let service = repository.serve(&[]);
    let mut streams: Vec<Stream> = (0..64).map(|_| Stream::open(&service, "")).collect();
    assert!(streams.iter_mut().all(|stream| stream.next().is_some()));
    let refused = service.get("/v1/events");
    assert!(refused.status == 503 && refused.heads.contains_key("retry-after"), "{}", refused.text);
    // Lookups are answered beside them.
    assert_eq!(service.lookup("n", "a").value(), serde_json::json!(1));
    // A client may be silent for ten seconds; what is sent until then is a comment.
    let mut line = String::new();
    streams[0].0.read_line(&mut line).unwrap();
    assert_eq!(line, ":\n");
    drop(streams);
    until("the places of streams are free again", || {
        (agent().get(format!("{}/v1/events", service.url)).call().unwrap().status() == 200).then_some(())
    });
}

#[test]
fn streams_end_with_the_service() {
    let repository = repository();
    // If a stream kept the service, it would do so for an hour.
    let mut service = repository.serve(&["--shutdown-timeout", "3600"]);
    let mut stream = Stream::open(&service, "");
    assert!(stream.next().is_some());
    service.signal("TERM");
    assert_eq!(stream.next(), None);
    assert!(service.ended().success());
}
