//! Looks up keys for a node, and nothing else: the smallest program on the library.
//!
//! `cargo run -p hieratic --no-default-features --example lookup -- examples/control-repo web01.example.com profile::web::port`

use std::process::ExitCode;

use hieratic::{Environment, Error, Facts, Node, Query, Settings};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, name, keys @ ..] = &arguments[..] else {
        eprintln!("usage: lookup FOLDER NODE KEY...");
        return ExitCode::from(2);
    };
    match node(folder, name).and_then(|node| print(&node, keys)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn node(folder: &str, name: &str) -> Result<Node, Error> {
    Environment::open(&Settings::discover(folder.as_ref()))?.node(&Facts::named(name))
}

fn print(node: &Node, keys: &[String]) -> Result<(), Error> {
    for key in keys {
        println!("{key} = {}", node.lookup(&Query::new(key))?.inspect());
    }
    Ok(())
}
