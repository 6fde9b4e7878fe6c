//! Names of nodes in questions: they come from strangers, and lead nowhere else.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use hieratic_puppetdb::{Client, PuppetDb};

#[test]
fn a_name_is_one_segment_of_the_path() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let mut stream = BufReader::new(listener.accept().unwrap().0);
        let (mut first, mut line) = (String::new(), String::new());
        stream.read_line(&mut first).unwrap();
        while stream.read_line(&mut line).unwrap() > 2 {
            line.clear();
        }
        let answer =
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n\r\n[]";
        stream.get_mut().write_all(answer).unwrap();
        first
    });
    let client = Client::new(&PuppetDb { url, ca: None, identity: None }).unwrap();
    assert!(client.facts("web-01.example.com/../x?y#z %").unwrap().is_none());
    let asked = server.join().unwrap();
    assert_eq!(asked.split(' ').nth(1), Some("/pdb/query/v4/nodes/web-01.example.com%2F..%2Fx%3Fy%23z%20%25/facts"));
}
