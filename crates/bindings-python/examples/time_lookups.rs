//! How long a lookup takes in Rust, for `benches/compare-python`: nanoseconds for each key.

use std::path::PathBuf;
use std::time::Instant;

use hieratic::{Environment, Facts, Query, Settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("usage: lookup FOLDER NODE KEY...")?);
    let node = arguments.next().ok_or("no node")?;
    let environment = Environment::open(&Settings { positions: true, ..Settings::discover(&folder) })?;
    let node = environment.node(&Facts::named(&node))?;
    for key in arguments {
        const TURNS: u32 = 200_000;
        let ask = || node.lookup(&Query::new(&key));
        for _ in 0..TURNS / 10 {
            ask()?;
        }
        let start = Instant::now();
        for _ in 0..TURNS {
            std::hint::black_box(ask()?);
        }
        println!("{key} {}", start.elapsed().as_nanos() / u128::from(TURNS));
    }
    Ok(())
}
