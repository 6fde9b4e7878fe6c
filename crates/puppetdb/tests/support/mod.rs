//! One question to a server, and its answer.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

/// The path of a request.
pub fn read_request(stream: &mut BufReader<TcpStream>) -> String {
    let (mut first, mut line) = (String::new(), String::new());
    stream.read_line(&mut first).unwrap();
    while stream.read_line(&mut line).unwrap() > 2 {
        line.clear();
    }
    first.split(' ').nth(1).unwrap().to_owned()
}

/// Answers with JSON.
pub fn answer(stream: &mut BufReader<TcpStream>, body: &str) {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ";
    stream.get_mut().write_all(format!("{head}{}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
}
