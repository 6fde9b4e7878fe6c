//! The tests of the package, on the library that this build made. They are Python's, so they need Python and a few packages: without
//! the virtual environment that `crates/bindings-python/test.sh --install` makes, they are left out, with a word.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hieratic_testing::skipped;

/// The folder of this crate.
const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// The folder that holds this program: it also holds the libraries of this build.
fn built() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.parent().unwrap().to_owned()
}

/// The Python of the virtual environment, where it was made: in the folder `venv` of the target folder.
fn python() -> Option<PathBuf> {
    let environment = built().join("../../venv");
    if !environment.join("installed").exists() {
        skipped("Python's tests need a virtual environment (crates/bindings-python/test.sh --install)");
        return None;
    }
    let places = ["bin/python", "Scripts/python.exe"].map(|place| environment.join(place));
    places.into_iter().find(|place| place.exists())
}

/// The package as pip installs it: the modules in Python and the library beside them.
fn put_together(folder: &Path) {
    let package = folder.join("hieratic");
    fs::create_dir(&package).unwrap();
    for file in fs::read_dir(Path::new(HERE).join("python/hieratic")).unwrap() {
        let file = file.unwrap().path();
        if file.is_file() && file.extension() != Some(OsStr::new("so")) {
            fs::copy(&file, package.join(file.file_name().unwrap())).unwrap();
        }
    }
    let library = built().join(format!("{DLL_PREFIX}hieratic_native{DLL_SUFFIX}"));
    let suffix = if cfg!(windows) { "pyd" } else { "abi3.so" };
    fs::copy(&library, package.join(format!("_native.{suffix}"))).unwrap();
    // A wheel has the command, too. Where it was not built, the tests that need it are left out.
    let command = format!("hieratic{}", std::env::consts::EXE_SUFFIX);
    let built = built().parent().unwrap().join(&command);
    if built.exists() {
        fs::create_dir(package.join("bin")).unwrap();
        fs::copy(built, package.join("bin").join(command)).unwrap();
    } else {
        skipped("the verbs that Python asks the command for need it (cargo build -p hieratic-cli)");
    }
}

/// Runs a module of Python in the folder of this crate, on the package in `folder`. What it prints is printed.
fn passes(python: &Path, folder: &Path, arguments: &[&str]) {
    let mut program = Command::new(python);
    program.arg("-m").args(arguments).current_dir(HERE).env("PYTHONPATH", folder).env("PYTHONDONTWRITEBYTECODE", "1");
    // Workers of Spark, if that is installed there, are started by the name of a program.
    program.env("PYSPARK_PYTHON", python);
    let output = program.output().unwrap();
    print!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?} failed");
}

#[test]
fn the_tests_of_the_package_pass() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    put_together(folder.path());
    passes(&python, folder.path(), &["pytest", "-p", "no:cacheprovider"]);
}

#[test]
fn the_types_of_the_package_are_those_of_its_functions() {
    let Some(python) = python() else { return };
    let cache = tempfile::tempdir().unwrap();
    let cache = cache.path().to_str().unwrap();
    passes(&python, Path::new("python"), &["mypy", "--strict", "--cache-dir", cache, "python", "tests/typed.py"]);
    let folder = tempfile::tempdir().unwrap();
    put_together(folder.path());
    passes(&python, folder.path(), &["mypy.stubtest", "hieratic"]);
}
