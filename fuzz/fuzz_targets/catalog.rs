#![no_main]
//! A small control repository: after lines `--- PATH` come its files, before the first one the manifest. Its catalog is compiled,
//! written in every form, and compared with itself: there is no difference.

use std::fs;
use std::path::{Component, Path};

use hieratic::budget::Limits;
use hieratic::catalog::{Classification, catalog_difference, cycles};
use hieratic::{Compiler, Environment, Facts, Settings};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if text.len() > 8000 {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut path = "manifests/site.pp".to_owned();
    let mut files: Vec<(String, String)> = vec![(path.clone(), String::new())];
    for line in text.lines() {
        match line.strip_prefix("--- ") {
            Some(next) => {
                path = next.trim().to_owned();
                files.push((path.clone(), String::new()));
            }
            None => {
                let last = files.last_mut().unwrap();
                last.1.push_str(line);
                last.1.push('\n');
            }
        }
    }
    for (path, text) in files.iter().take(20) {
        let is_below = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let file = folder.path().join(path);
        if is_below && file.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok()) {
            let _ = fs::write(file, text);
        }
    }
    let limits = Limits { steps: 200_000, bytes: 64 << 20, ..Limits::default() };
    let settings = Settings { environment_dir: Some(folder.path().to_owned()), limits, ..Settings::default() };
    let Ok(environment) = Environment::open(&settings) else { return };
    let compiler = Compiler::limited(&environment, limits);
    let compile = || compiler.compile(Facts::named("web01.example.com"), &Classification::default()).catalog;
    match (compile(), compile()) {
        (Ok(one), Ok(other)) => {
            let _ = cycles(&one);
            assert_eq!(one.document(true).0.to_value(), other.document(true).0.to_value());
            assert!(catalog_difference(&one, &other).is_empty());
        }
        (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
        (one, other) => panic!("{:?} {:?}", one.err(), other.err()),
    }
});
