//! Answers requests for catalogs, lines of JSON on standard input, by the library: `hieratic catalog --serve` in a few lines, one thread.
//!
//! ```text
//! echo '{"node": "web01", "code": "notify { x: }"}' | cargo run -p hieratic --example catalog_service
//! ```

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};

use hieratic::Settings;
use hieratic::catalog::{CATALOG_LIMITS, CatalogAnswer, CatalogRequest, CatalogService};

fn main() -> Result<(), Box<dyn Error>> {
    let reveal = std::env::args().any(|argument| argument == "--reveal");
    let service = CatalogService::new(Settings::default(), CATALOG_LIMITS).revealing(reveal);
    for line in stdin().lock().lines() {
        let answer = match CatalogRequest::parse(line?.as_bytes()) {
            Ok(request) => service.answer(&request),
            Err(invalid) => CatalogAnswer::invalid(&invalid),
        };
        writeln!(stdout(), "{}", answer.to_json())?;
    }
    Ok(())
}
