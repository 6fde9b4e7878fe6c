//! The environment in which the systems meet: every command of its README prints what stands there.

use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/together")
}

/// The commands of a text with what they print: a line that begins with `$`, and the lines up to the next.
fn commands(text: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for block in text.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            match line.strip_prefix("$ ") {
                Some(command) => all.push((command.into(), String::new())),
                None => {
                    let (_, printed) = all.last_mut().unwrap();
                    printed.push_str(line);
                    printed.push('\n');
                }
            }
        }
    }
    all
}

#[test]
fn every_command_of_the_readme_prints_the_documented_output() {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let commands = commands(&readme);
    assert!(commands.len() >= 10, "{}", commands.len());
    let programs = Path::new(env!("CARGO_BIN_EXE_hieratic")).parent().unwrap().display().to_string();
    for (command, expected) in commands {
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(folder())
            .env("PATH", format!("{programs}:{}", std::env::var("PATH").unwrap()))
            .env("LC_ALL", "C.UTF-8")
            .env("COLUMNS", "100")
            .env("TZ", "UTC")
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert_eq!(printed, expected, "{command}");
    }
}
