//! Nodes in pages, from a server that answers as PuppetDB does, while its nodes change.

use crate::support;

use std::io::BufReader;
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use hieratic_puppetdb::{Client, PuppetDb};

/// A PuppetDB whose nodes change after each answer.
struct Fake {
    url: String,
    /// The paths that were asked for.
    requests: Arc<Mutex<Vec<String>>>,
}

type Change = Box<dyn Fn(usize, &mut Vec<String>) + Send>;

fn fake(names: Vec<String>, change: Change) -> Fake {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let requested = Arc::new(Mutex::new(Vec::new()));
    let noted = requested.clone();
    std::thread::spawn(move || {
        let mut names = names;
        for (turn, stream) in listener.incoming().enumerate() {
            let mut stream = BufReader::new(stream.unwrap());
            let path = support::read_request(&mut stream);
            let number = |name: &str| -> usize {
                let rest = path.split(&format!("{name}=")).nth(1).unwrap();
                rest.split('&').next().unwrap().parse().unwrap()
            };
            assert!(path.contains("order_by=%5B%7B%22field%22%3A%22certname%22%7D%5D"), "{path}");
            let page = names.iter().skip(number("offset")).take(number("limit"));
            let node = |name: &String| format!("{{\"certname\": \"{name}\", \"facts\": {{\"role\": \"web\"}}}}");
            let body = format!("[{}]", page.map(node).collect::<Vec<_>>().join(","));
            noted.lock().unwrap().push(path.clone());
            support::answer(&mut stream, &body);
            change(turn, &mut names);
        }
    });
    Fake { url, requests: requested }
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("n{number:05}")).collect()
}

fn read(fake: &Fake) -> Result<Vec<String>, String> {
    let client = Client::new(&PuppetDb { url: fake.url.clone(), ca: None, identity: None }).unwrap();
    let nodes = client.pages().map(|facts| facts.map(|facts| facts.node().unwrap().to_owned()));
    nodes.collect::<Result<Vec<String>, _>>().map_err(|error| error.to_string())
}

#[test]
fn all_nodes_are_read_once() {
    for count in [0, 1, 249, 250, 251, 499, 500, 1000] {
        let fake = fake(names(count), Box::new(|_, _| {}));
        assert_eq!(read(&fake).unwrap(), names(count), "{count}");
        let pages = fake.requests.lock().unwrap().len();
        assert!(pages <= count / 249 + 2, "{count} nodes in {pages} pages");
    }
}

#[test]
fn nothing_is_requested_before_a_node_is_needed() {
    let fake = fake(names(600), Box::new(|_, _| {}));
    let client = Client::new(&PuppetDb { url: fake.url.clone(), ca: None, identity: None }).unwrap();
    let mut nodes = client.pages();
    assert!(fake.requests.lock().unwrap().is_empty());
    assert!((0..250).all(|_| nodes.next().unwrap().is_ok()));
    assert_eq!(fake.requests.lock().unwrap().len(), 1);
    assert!(nodes.next().unwrap().is_ok());
    assert_eq!(fake.requests.lock().unwrap().len(), 2);
}

#[test]
fn nodes_that_stay_are_neither_lost_nor_repeated() {
    // Nodes before those that were read are removed, and others are added.
    let removed = fake(names(1000), Box::new(|turn, names| drop(names.drain(..usize::from(turn < 3) * 40))));
    let found = read(&removed).unwrap();
    assert_eq!(found, names(1000));
    let added = fake(
        names(1000),
        Box::new(|turn, names| {
            for number in 0..if turn < 3 { 40 } else { 0 } {
                names.insert(0, format!("a{turn}{number:03}"));
            }
        }),
    );
    assert_eq!(read(&added).unwrap(), names(1000));
    // So many that the last node is at the end of the next page.
    let many = fake(
        names(600),
        Box::new(|turn, names| {
            for number in 0..if turn == 0 { 249 } else { 0 } {
                names.insert(0, format!("a{number:03}"));
            }
        }),
    );
    assert_eq!(read(&many).unwrap(), names(600));
}

#[test]
fn a_fleet_that_changes_too_much_is_an_error() {
    let fake = fake(names(600), Box::new(|_, names| names.iter_mut().for_each(|name| name.push('x'))));
    let message = read(&fake).unwrap_err();
    assert!(message.contains("its nodes changed while they were read; run the command again"), "{message}");
}
