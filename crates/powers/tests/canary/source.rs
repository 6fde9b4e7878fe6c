//! Each way past `hieratic-powers` that clippy.toml names, once. It is compiled by `reach.rs` alone, and never run.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::{env, net, process};

pub fn of_files() {
    let _ = fs::read("a");
    let _ = fs::read_to_string("a");
    let _ = fs::read_dir("a");
    let _ = fs::read_link("a");
    let _ = fs::metadata("a");
    let _ = fs::symlink_metadata("a");
    let _ = fs::canonicalize("a");
    let _ = fs::exists("a");
    let _ = File::open("a");
    let _ = OpenOptions::new().open("a");
    let _ = fs::write("a", "");
    let _ = fs::copy("a", "b");
    let _ = fs::rename("a", "b");
    let _ = fs::hard_link("a", "b");
    let _ = fs::create_dir("a");
    let _ = fs::create_dir_all("a");
    let _ = fs::remove_file("a");
    let _ = fs::remove_dir("a");
    let _ = fs::remove_dir_all("a");
    let _ = fs::metadata("a").map(|about| fs::set_permissions("a", about.permissions()));
    let _ = File::create("a");
    let _ = File::create_new("a");
}

/// Called by the type that paths are kept in, as they are in most places.
pub fn of_paths(path: PathBuf) {
    let _ = path.exists();
    let _ = path.try_exists();
    let _ = path.is_file();
    let _ = path.is_dir();
    let _ = path.is_symlink();
    let _ = path.metadata();
    let _ = path.symlink_metadata();
    let _ = path.canonicalize();
    let _ = path.read_dir();
    let _ = path.read_link();
    let _ = [path].iter().map(PathBuf::as_path).filter(|path| Path::exists(path)).count();
}

pub fn of_the_rest() {
    let _ = process::Command::new("a");
    let _ = env::var("a");
    let _ = env::var_os("a");
    let _ = env::vars();
    let _ = env::vars_os();
    let _ = net::TcpStream::connect("a");
    let _ = net::UdpSocket::bind("a");
    let _ = net::TcpListener::bind("a");
}
