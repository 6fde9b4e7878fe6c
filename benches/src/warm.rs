//! Every key for many nodes, in one process.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use hieratic::{Environment, Facts, Query, Settings, json};

use crate::repository;

/// Looks every key up for the first nodes, and prints lookups, seconds and lookups per second.
pub(crate) fn run(folder: &Path, nodes: usize, threads: usize) -> Result<(), String> {
    let settings = Settings {
        environmentpath: Some(folder.join("environments").into()),
        hiera_config: Some(folder.join("no-such-hiera.yaml")),
        ..Settings::default()
    };
    let environment = Environment::open(&settings).map_err(|error| error.to_string())?;
    let names: Vec<String> = (0..repository::KEYS).map(repository::name).collect();
    // Warm: the shared files are read, as those of the reference are.
    lookup_node(&environment, &names, 0)?;
    let start = Instant::now();
    let next = AtomicUsize::new(0);
    let outcomes: Vec<Result<usize, String>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                scope.spawn(|| {
                    let mut count = 0;
                    loop {
                        let node = next.fetch_add(1, Ordering::Relaxed);
                        if node >= nodes.min(repository::NODES) {
                            return Ok(count);
                        }
                        count += lookup_node(&environment, &names, node)?;
                    }
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Err("a thread failed".into()))).collect()
    });
    let seconds = start.elapsed().as_secs_f64();
    let mut count = 0;
    for outcome in outcomes {
        count += outcome?;
    }
    println!("{count} {seconds:.6} {:.0}", count as f64 / seconds);
    Ok(())
}

fn lookup_node(environment: &Environment, names: &[String], node: usize) -> Result<usize, String> {
    let facts = json::parse(repository::facts(node).as_bytes()).map_err(|error| error.to_string())?;
    let facts = facts.as_hash().cloned().unwrap_or_default();
    let facts = Facts::new(Some(&repository::node(node)), facts);
    let node = environment.node(&facts).map_err(|error| error.to_string())?;
    for name in names {
        let value = node.lookup(&Query::new(name)).map_err(|error| format!("{name}: {error}"))?;
        std::hint::black_box(value);
    }
    Ok(names.len())
}
