//! A repository of git for a test.

use std::path::Path;
use std::process::{Command, Stdio};

/// Runs git as somebody whose name and time are always the same; false if git is not installed.
pub fn git(folder: &Path, arguments: &[&str]) -> bool {
    let identity = ["-c", "user.name=A & B", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
    let mut command = Command::new("git");
    for name in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
        command.env(name, "2026-03-14T12:00:00Z");
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").current_dir(folder).args(identity).args(arguments);
    match command.stdout(Stdio::null()).status() {
        Ok(status) => {
            assert!(status.success(), "git {arguments:?}");
            true
        }
        Err(_) => {
            hieratic_testing::skipped("git is not installed");
            false
        }
    }
}

/// Makes a folder a repository whose only commit has all of its files but facts.
pub fn init(folder: &Path) -> bool {
    std::fs::write(folder.join(".gitignore"), "/facts\n").unwrap();
    git(folder, &["init", "-q", "-b", "main"]) && commit(folder, "first")
}

/// Commits everything.
pub fn commit(folder: &Path, message: &str) -> bool {
    git(folder, &["add", "-A"]) && git(folder, &["commit", "-q", "--allow-empty", "-m", message])
}
