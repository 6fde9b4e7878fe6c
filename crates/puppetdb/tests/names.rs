//! Names of nodes in questions: they come from strangers, and lead nowhere else.

use crate::support;

use std::io::BufReader;
use std::net::TcpListener;

use hieratic_puppetdb::{Client, PuppetDb};

#[test]
fn a_name_is_one_segment_of_the_path() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let mut stream = BufReader::new(listener.accept().unwrap().0);
        let path = support::read_request(&mut stream);
        support::answer(&mut stream, "[]");
        path
    });
    let client = Client::new(&PuppetDb { url, ca: None, identity: None }).unwrap();
    assert!(client.facts("web-01.example.com/../x?y#z %").unwrap().is_none());
    assert_eq!(server.join().unwrap(), "/pdb/query/v4/nodes/web-01.example.com%2F..%2Fx%3Fy%23z%20%25/facts");
}
