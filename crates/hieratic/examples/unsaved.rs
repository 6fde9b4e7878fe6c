//! Looks up a key in a repository of which one file is not saved yet: a tree of files in memory adds to the disk.
//!
//! `cargo run -p hieratic --example unsaved -- examples/control-repo data/common.yaml 'profile::web::port: 1' db01 profile::web::port`

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use hieratic::sandbox::{Disk, Memory, Mounted, Patched};
use hieratic::{Environment, Facts, Query, Settings};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, file, text, name, key] = &arguments[..] else {
        return Err("usage: unsaved FOLDER FILE TEXT NODE KEY".into());
    };
    let value = lookup(Path::new(folder), file, text, name, key)?;
    println!("{value}");
    Ok(())
}

/// The value of a key with the text of a file, instead of the saved one.
fn lookup(folder: &Path, file: &str, text: &str, name: &str, key: &str) -> Result<String, Box<dyn Error>> {
    let root = std::path::absolute(folder)?;
    let unsaved: Memory = [(file, text)].into_iter().collect();
    let tree = Patched::with_files(Arc::new(Disk::new(&root)), unsaved);
    let settings = Settings { tree: Some(Mounted::new(&root, tree)), ..Settings::new(&root) };
    let node = Environment::open(&settings)?.node(&Facts::named(name))?;
    // An answer is data: another thread may have it.
    let key = key.to_owned();
    let answer = std::thread::spawn(move || node.lookup(&Query::new(&key)).map(|value| value.inspect()));
    Ok(answer.join().map_err(|_| "the thread panicked")??)
}
