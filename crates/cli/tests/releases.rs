//! `version --check`: asks nobody unless told to, and says so.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Command, Output};

use hieratic_testing::skipped;

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        command.env_remove(name);
    }
    command.arg("version").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Answers one request, and returns what it was.
fn answered(answer: &str, arguments: &[&str]) -> (Output, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/releases/latest", listener.local_addr().unwrap());
    let answer = answer.to_owned();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut bytes = [0; 1024];
        while !request.ends_with(b"\r\n\r\n") {
            let read = stream.read(&mut bytes).unwrap();
            request.extend_from_slice(&bytes[..read]);
        }
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8(request).unwrap()
    });
    let output = run(&[&["--check", "--allow-network", "--from", &address], arguments].concat());
    (output, server.join().unwrap().to_lowercase())
}

fn redirect(location: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

#[test]
fn without_flags_it_is_the_long_version() {
    let short = Command::new(env!("CARGO_BIN_EXE_hieratic")).arg("--version").output().unwrap();
    let output = run(&[]);
    assert!(output.status.success());
    assert_eq!(text(&output), text(&short));
}

#[test]
fn nothing_is_requested_without_permission() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}/latest", listener.local_addr().unwrap());
    let output = run(&["--check", "--from", &address]);
    assert!(output.status.success(), "{output:?}");
    assert!(listener.accept().is_err(), "somebody connected");
    let told = text(&output);
    assert!(told.contains("Nothing was asked") && told.contains(&address), "{told}");
    let by_default = text(&run(&["--check"]));
    assert!(by_default.contains("https://github.com/hieratic/hieratic/releases/latest"), "{by_default}");
    for arguments in [&["--allow-network"][..], &["--check", "--exit-code"], &["--from", &address]] {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert!(listener.accept().is_err(), "somebody connected");
}

#[test]
fn the_request_names_nothing_but_the_program() {
    let (output, request) = answered(&redirect("https://example.com/tag/v0.0.1"), &[]);
    assert!(output.status.success(), "{output:?}");
    let mut lines: Vec<&str> = request.lines().filter(|line| !line.is_empty() && !line.starts_with("host:")).collect();
    lines.sort_unstable();
    assert_eq!(lines, ["accept: */*", "get /releases/latest http/1.1", "user-agent: hieratic"], "{request}");
}

#[test]
fn a_newer_release_is_named_and_can_be_a_status() {
    let this = env!("CARGO_PKG_VERSION");
    let (output, _) = answered(&redirect("/hieratic/hieratic/releases/tag/v999.0.1"), &["--exit-code"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        text(&output).starts_with(&format!("hieratic 999.0.1 is newer than this version, {this}: http://")),
        "{output:?}"
    );
    let (output, _) = answered(&redirect("/tag/v999.0.1"), &[]);
    assert!(output.status.success(), "{output:?}");
    let (output, _) = answered(&redirect(&format!("/tag/v{this}")), &["--exit-code"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text(&output), format!("hieratic {this} is the newest release\n"));
    let (output, _) = answered(&redirect("/tag/v0.0.0"), &["--exit-code"]);
    assert_eq!(text(&output), format!("hieratic {this} is newer than the newest release, 0.0.0\n"));
}

#[test]
fn whatever_a_server_says_is_not_printed() {
    for answer in [
        redirect("https://example.com/tag/v1.2.3-evil"),
        redirect("https://example.com/\u{1b}[2Jevil"),
        redirect("evil"),
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nevil".to_owned(),
        "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\nConnection: close\r\n\r\nevil".to_owned(),
        "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned(),
        "evil".to_owned(),
    ] {
        let (output, _) = answered(&answer, &[]);
        let told = text(&output);
        assert_eq!(output.status.code(), Some(2), "{answer:?}: {told}");
        assert!(
            told.starts_with("Error: the newest release is not known: ") && !told.contains("evil"),
            "{answer:?}: {told}"
        );
    }
    // Nobody is there.
    let output = run(&["--check", "--allow-network", "--from", "http://127.0.0.1:1/"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    for address in ["file:///etc/passwd", "nonsense", ""] {
        let output = run(&["--check", "--allow-network", "--from", address]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

/// The lines of the page about installing that verify a release, with a key in the place of `KEY`.
fn verifying(key: &str) -> String {
    let page = include_str!("../../../docs/install.md");
    let section = page.split("\n## ").find(|part| part.starts_with("Verify")).unwrap();
    let lines = section.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(lines.contains("-P KEY"), "{lines}");
    format!("set -e\n{}", lines.replace("KEY", key))
}

#[test]
#[cfg(unix)]
fn the_verification_of_a_release_detects_changes() {
    let tools = [("minisign", "-v"), ("sha256sum", "--version")];
    if let Some((tool, _)) = tools.iter().find(|(tool, flag)| Command::new(tool).arg(flag).output().is_err()) {
        skipped(&format!("{tool} is not installed"));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let shell = |lines: &str| Command::new("bash").arg("-c").arg(lines).current_dir(folder.path()).output().unwrap();
    let write = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
    write("hieratic-1.tar.gz", "one");
    write("hieratic-2.tar.gz", "two");
    let signed = shell(
        "set -e; minisign -G -W -f -p key.pub -s key.secret; sha256sum hieratic-* > SHA256SUMS; rm hieratic-2.tar.gz
         minisign -S -s key.secret -m SHA256SUMS -t 'hieratic 1'; tail -n 1 key.pub",
    );
    assert!(signed.status.success(), "{signed:?}");
    let key = String::from_utf8(signed.stdout).unwrap().lines().last().unwrap().to_owned();
    let right = shell(&verifying(&key));
    assert!(right.status.success() && text(&right).contains("hieratic-1.tar.gz: OK"), "{right:?}");
    // Another file under the name.
    write("hieratic-1.tar.gz", "evil");
    assert!(!shell(&verifying(&key)).status.success());
    // And its checksum in the list.
    assert!(shell("sha256sum hieratic-1.tar.gz > SHA256SUMS").status.success());
    assert!(!shell(&verifying(&key)).status.success());
    // And another key.
    let forged = shell("minisign -G -W -f -p evil.pub -s evil.secret; minisign -S -s evil.secret -m SHA256SUMS");
    assert!(forged.status.success(), "{forged:?}");
    assert!(!shell(&verifying(&key)).status.success());
}
