//! The Puppet language: how long reading and evaluating take.

use std::path::Path;
use std::time::Instant;

use hieratic::code::read_code;
use hieratic::diagnostics::Source;
use hieratic::{Code, Facts};

/// Evaluates each file once, reading it not counted in, and prints its name and the seconds.
pub fn evaluate(files: &[&str]) -> Result<(), String> {
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let code = Code::new(None, Facts::named("bench.example.com"), Default::default());
        let program = read_code(&Source::new(*file, text), false, code.options()).program;
        let program = program.map_err(|rejected| rejected.message)?;
        let mut evaluator = code.evaluator();
        let start = Instant::now();
        evaluator.run(&program).map_err(|failure| failure.message)?;
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        println!("{name} {:.4}", start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Reads and validates all files that a list names, one after the other on one core, and prints their number and the
/// seconds, reading from disk not counted in.
pub fn check(list: &str) -> Result<(), String> {
    let list = std::fs::read_to_string(list).map_err(|error| format!("{list}: {error}"))?;
    let texts: Vec<(&str, String)> =
        list.lines().filter_map(|file| Some((file, std::fs::read_to_string(file).ok()?))).collect();
    let options = Default::default();
    let count = texts.len();
    let start = Instant::now();
    for (file, text) in texts {
        // What is found does not matter here, only that it is looked for.
        let _ = read_code(&Source::new(file, text), false, &options);
    }
    println!("{count} {:.4}", start.elapsed().as_secs_f64());
    Ok(())
}
