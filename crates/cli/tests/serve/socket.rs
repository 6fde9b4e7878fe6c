//! A service whose socket is bound by another program, as systemd does it.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::process::{Child, Command, Stdio};

use crate::service::{Repository, agent, answer};

/// The service with a socket as its third descriptor. A shell moves it there, because a test may not.
fn start(repository: &Repository, socket: OwnedFd, count: u32) -> Child {
    let script = format!("exec 3<&0 0</dev/null; LISTEN_FDS={count} LISTEN_PID=$$ exec \"$@\"");
    let environments = repository.path().join("environments");
    Command::new("sh")
        .args([
            "-c",
            &script,
            "sh",
            env!("CARGO_BIN_EXE_hieratic"),
            "serve",
            "--listen",
            "127.0.0.1:1",
            "--environmentpath",
        ])
        .arg(environments)
        .stdin(socket)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_socket_of_systemd_is_served() {
    let repository = Repository::new(&[("environments/production/data/common.yaml", "k: 1\n")]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut child = start(&repository, listener.into(), 1);
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains(&format!("on http://{address}")), "{line}");
    assert_eq!(answer(agent().get(format!("http://{address}/healthz")).call()).status, 200);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn sockets_other_than_ip_are_refused() {
    let repository = Repository::new(&[]);
    let folder = tempfile::tempdir().unwrap();
    let unix = || OwnedFd::from(UnixListener::bind(folder.path().join("socket")).unwrap());
    let file = || OwnedFd::from(std::fs::File::open("/dev/null").unwrap());
    let tcp = || OwnedFd::from(TcpListener::bind("127.0.0.1:0").unwrap());
    for (socket, count, message) in
        [(unix(), 1, "is not one of TCP"), (file(), 1, "is not one of TCP"), (tcp(), 2, "systemd passes 2 sockets")]
    {
        let mut child = start(&repository, socket, count);
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(said.contains(message) && !child.wait().unwrap().success(), "{said}");
    }
}
