//! The tests of the npm package and of the playground, where WebAssembly was built and Node is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use hieratic_testing::skipped;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the tests of a folder with Node.
fn run(folder: &str, needs: &[&str]) {
    let root = root();
    if let Some(missing) = needs.iter().find(|name| !root.join(name).exists()) {
        return skipped(&format!("{folder}: {missing} is not there: packaging/web/build, npm ci"));
    }
    if Command::new("node").arg("--version").output().is_err() {
        return skipped(&format!("{folder}: Node is not installed"));
    }
    let output = Command::new("node").args(["--test", "test/"]).current_dir(root.join(folder)).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_package_answers_in_node() {
    run("crates/web/package", &["target/web/hieratic.wasm"]);
}

#[test]
fn the_playground_works_in_a_browser() {
    run("site/play", &["target/web/hieratic.wasm", "site/play/node_modules"]);
}
