//! Compiles the catalogs of a folder of facts in sequence, for profiles and for comparing what two builds make of them.
//!
//! ```text
//! cargo run --release -p hieratic --example catalogs -- [--share] ENVIRONMENTS FACTS [FOLDER]
//! ```
//!
//! FACTS has a file NODE.json for each node. Prints the milliseconds of the processor that each node took to compile, to write as JSON and
//! to find cycles in, programs that it ran left out, and how many resources it has; in FOLDER, writes the catalogs, or why there is none. With `--share`, nodes share catalogs
//! as in `hieratic catalog --all`.

#![allow(clippy::disallowed_methods, reason = "a person names the folders")]

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use hieratic::budget::{Budget, thread_time};
use hieratic::catalog::{CATALOG_LIMITS, Classification, cycles};
use hieratic::puppet_eval::Options;
use hieratic::sandbox::Programs;
use hieratic::{Compiler, Environment, Facts, Permissions, Settings};

/// As in the packages. The library takes what its program has.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    keep_freed_memory();
    // As in the command (crates/cli/src/main.rs): musl does not tell how large this thread's stack may grow.
    stacker::grow(8 << 20, compile_all)
}

/// As in the command.
#[allow(unsafe_code, reason = "the allocator has its options in C; this one is a number")]
fn keep_freed_memory() {
    unsafe extern "C" {
        fn mi_option_set(option: std::ffi::c_int, value: std::ffi::c_long);
    }
    // SAFETY: this is the declaration of mimalloc.h; the function takes any number, and sees to it that the option is one.
    unsafe { mi_option_set(15, 1_000) }
}

fn compile_all() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let shares = arguments.next_if(|first| first == "--share").is_some();
    let (Some(environments), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("expected a folder of environments and a folder of facts".into());
    };
    let out = arguments.next().map(PathBuf::from);
    let settings = Settings {
        environmentpath: Some(PathBuf::from(environments).canonicalize()?.into()),
        environment: Some("production".into()),
        puppet_version: "7".parse()?,
        permissions: Permissions { programs: true, ..Permissions::default() },
        once: true,
        ..Settings::default()
    };
    let environment = Environment::open(&settings)?;
    let options = Options {
        files: environment.capabilities().code.clone(),
        budget: Budget::new(CATALOG_LIMITS),
        programs: Programs::Always,
        ..environment.language()
    };
    let compiler = Compiler::new(&environment, options);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let facts = Facts::new(Some(&name), Facts::read(&std::fs::read(&file)?, &file)?);
        let begun = thread_time();
        let compilation = if shares {
            compiler.compile_shared(facts, &Classification::default()).compilation
        } else {
            Arc::new(compiler.compile(facts, &Classification::default()))
        };
        let compiled = thread_time();
        let (mut text, count) = match &compilation.catalog {
            Ok(catalog) => {
                let (document, _) = catalog.document(false);
                (hieratic_output::json(document.tree())?, catalog.resources.len())
            }
            Err(failure) => (failure.message.clone(), 0),
        };
        let written = thread_time();
        // The reference leaves cycles to the agent.
        if let Ok(catalog) = &compilation.catalog {
            text += &format!("\n{:?}", cycles(catalog));
        }
        let ended = thread_time();
        let [compiling, writing, looking] = [compiled - begun, written - compiled, ended - written]
            .map(|time| format!("{:.1} ms", time.as_secs_f64() * 1000.0));
        println!("{name}: {count} resources, {compiling}, then {writing}, and {looking} for cycles");
        if let Some(out) = &out {
            std::fs::write(out.join(format!("{name}.txt")), text + "\n")?;
        }
    }
    Ok(())
}
