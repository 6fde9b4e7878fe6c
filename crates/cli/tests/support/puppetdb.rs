//! A PuppetDB that gives recorded answers.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

/// Starts it; its address. `answer` has the body for a path.
pub fn puppetdb(answer: impl Fn(&str) -> &'static str + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut first, mut line) = (String::new(), String::new());
            stream.read_line(&mut first).unwrap();
            while stream.read_line(&mut line).unwrap() > 2 {
                line.clear();
            }
            let body = answer(first.split(' ').nth(1).unwrap());
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ";
            stream.get_mut().write_all(format!("{head}{}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
        }
    });
    format!("http://{address}")
}
