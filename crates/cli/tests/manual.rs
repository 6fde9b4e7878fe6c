//! Completions are code that shells can read, and manual pages have no mistakes; where the programs to tell are installed.

use std::fs;
use std::process::{Command, Output};

use hieratic_testing::skipped;

fn hieratic(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_hieratic")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    output.stdout
}

/// What a program says of a file; none if it is not installed.
fn run(program: &str, arguments: &[&str], file: &std::path::Path) -> Option<Output> {
    match Command::new(program).args(arguments).arg(file).output() {
        Ok(output) => Some(output),
        Err(_) => {
            skipped(&format!("{program} is not installed"));
            None
        }
    }
}

#[test]
fn shells_can_read_their_completions() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = hieratic(&["completions", shell]);
        let text = String::from_utf8(script.clone()).unwrap();
        // These ask the command (`tests/completions.rs`); the others have all of it in their script.
        let asks = ["bash", "zsh", "fish"].contains(&shell);
        for word in ["lookup", "createkeys", "origins", "pkcs7-public-key"] {
            assert!(asks || text.contains(word), "{shell}: {word}");
        }
        let file = folder.path().join(shell);
        fs::write(&file, script).unwrap();
        if asks && let Some(output) = run(shell, &["-n"], &file) {
            assert!(output.status.success(), "{shell}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn manual_pages_have_no_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    hieratic(&["man", folder.path().to_str().unwrap()]);
    let mut count = 0;
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        count += 1;
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("\n.SH EXAMPLES\n.nf\n") && !text.contains("EXTRA"), "{}", path.display());
        let Some(output) = run("groff", &["-ww", "-man", "-Tutf8", "-z"], &path) else { continue };
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && message.is_empty(), "{}: {message}", path.display());
    }
    assert_eq!(count, 41);
}
