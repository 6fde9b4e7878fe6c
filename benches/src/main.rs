//! A generated control repository, and how fast it is looked up.
//!
//! `hieratic-benches generate FOLDER [NODES]` writes a repository of five levels, 2,000 keys and 1,000 nodes;
//! `hieratic-benches fleet FILE NODES CLASSES` writes facts of a fleet, one node on each line;
//! `hieratic-benches warm FOLDER NODES THREADS` looks every key up for that many of its nodes in one process and prints
//! the number of lookups, the seconds and the lookups per second; `hieratic-benches document FILE BYTES` writes a large
//! data file; `hieratic-benches generate-document FOLDER MEGABYTES` writes a document with merge directives, and
//! `hieratic-benches directives FOLDER` times expanding and restoring it; `hieratic-benches evaluate FILE...` and `hieratic-benches check LIST` time the Puppet language;
//! `hieratic-benches generate-job FILE MEGABYTES` writes a job file, `hieratic-benches job FILE` and `hieratic-benches hcl FILE`
//! time one and an expression of HCL; `hieratic-benches functions FOLDER NODES` asks a back end written in the Puppet language for each of so many
//! nodes; `hieratic-benches load ADDRESS CONNECTIONS REQUESTS` asks a service of the generated
//! repository for random keys of random nodes, and `hieratic-benches rewriting ADDRESS FOLDER CONNECTIONS SECONDS TIMES
//! in-place|renamed` does so while files are rewritten that many times a second, and looks whether every answer is of one
//! version; `hieratic-benches prepare-attack FOLDER` adds an environment for attackers, `hieratic-benches attack ADDRESS
//! SECONDS` attacks a service of it, and `hieratic-benches client ADDRESS SECONDS` asks as a good client does. `benches/compare` and its neighbours run them beside the reference and print the ratios.

mod attack;
mod document;
mod functions;
mod job;
mod language;
mod load;
mod repository;
mod warm;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["generate", folder] => {
            repository::generate(folder.as_ref(), repository::NODES).map_err(|error| error.to_string())
        }
        ["generate", folder, nodes] => match nodes.parse() {
            Ok(nodes) => repository::generate(folder.as_ref(), nodes).map_err(|error| error.to_string()),
            Err(_) => Err(format!("expected a number of nodes, got '{nodes}'")),
        },
        ["fleet", file, nodes, classes] => match (nodes.parse(), classes.parse()) {
            (Ok(nodes), Ok(classes)) => {
                repository::fleet(file.as_ref(), nodes, classes).map_err(|error| error.to_string())
            }
            _ => Err("expected numbers of nodes and classes".into()),
        },
        ["document", file, bytes] => match bytes.parse() {
            Ok(bytes) => repository::document(file.as_ref(), bytes).map_err(|error| error.to_string()),
            Err(_) => Err(format!("expected a number of bytes, got '{bytes}'")),
        },
        ["warm", folder, nodes, threads] => match (nodes.parse(), threads.parse()) {
            (Ok(nodes), Ok(threads)) => warm::run(folder.as_ref(), nodes, threads),
            _ => Err("expected numbers of nodes and threads".into()),
        },
        ["generate-document", folder, megabytes] => match megabytes.parse() {
            Ok(megabytes) => document::generate(folder.as_ref(), megabytes).map_err(|error| error.to_string()),
            Err(_) => Err(format!("expected a number of megabytes, got '{megabytes}'")),
        },
        ["directives", folder] => document::measure(folder.as_ref()).map_err(|error| error.to_string()),
        ["generate-job", file, megabytes] => match megabytes.parse() {
            Ok(megabytes) => job::generate(file.as_ref(), megabytes).map_err(|error| error.to_string()),
            Err(_) => Err(format!("expected a number of megabytes, got '{megabytes}'")),
        },
        ["job", file] => job::measure(file.as_ref()).map_err(|error| error.to_string()),
        ["hcl", file] => job::expression(file.as_ref()).map_err(|error| error.to_string()),
        ["load", address, connections, requests] => match (connections.parse(), requests.parse()) {
            (Ok(connections), Ok(requests)) => load::run(address, connections, requests),
            _ => Err("expected numbers of connections and requests".into()),
        },
        ["prepare-attack", folder] => attack::prepare(folder.as_ref()),
        ["attack", address, seconds] => match seconds.parse() {
            Ok(seconds) => attack::attack(address, seconds),
            Err(_) => Err(format!("expected a number of seconds, got '{seconds}'")),
        },
        ["client", address, seconds] => match seconds.parse() {
            Ok(seconds) => attack::client(address, seconds),
            Err(_) => Err(format!("expected a number of seconds, got '{seconds}'")),
        },
        ["rewriting", address, folder, connections, seconds, times, how @ ("in-place" | "renamed")] => {
            match (connections.parse(), seconds.parse(), times.parse()) {
                (Ok(connections), Ok(seconds), Ok(times)) => {
                    load::rewriting(address, folder.as_ref(), connections, seconds, times, *how == "in-place")
                }
                _ => Err("expected numbers of connections, seconds and rewrites".into()),
            }
        }
        ["functions", folder, nodes] => match nodes.parse() {
            Ok(nodes) => functions::run(folder.as_ref(), nodes),
            Err(_) => Err(format!("expected a number of nodes, got '{nodes}'")),
        },
        ["evaluate", files @ ..] if !files.is_empty() => language::evaluate(files),
        ["check", list] => language::check(list),
        _ => {
            Err("usage: hieratic-benches generate FOLDER | fleet FILE NODES CLASSES | warm FOLDER NODES THREADS | document FILE BYTES | generate-document \
                  FOLDER MEGABYTES | directives FOLDER | generate-job FILE MEGABYTES | job FILE | hcl FILE | evaluate FILE... | check LIST | \
                  functions FOLDER NODES | load ADDRESS CONNECTIONS REQUESTS | rewriting ADDRESS FOLDER CONNECTIONS SECONDS TIMES in-place|renamed"
                .into())
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
