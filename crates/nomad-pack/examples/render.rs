//! Renders packs: reads lines of JSON with `dir`, and adds `rendered` or `error`.

#![expect(clippy::unwrap_used, reason = "a program for developers")]

use std::io::BufRead;
use std::path::Path;

use hieratic_budget::Budget;
use hieratic_nomad_pack::{Inputs, Pack, RenderOptions, render};
use hieratic_sandbox::Files;

fn main() {
    for line in std::io::stdin().lock().lines() {
        let mut case: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let folder = Path::new(case["dir"].as_str().unwrap()).to_owned();
        let files = Files::anywhere();
        let budget = Budget::default();
        let options = RenderOptions {
            files: &files,
            is_strict: false,
            with_auxiliary: true,
            is_legacy: false,
            allows_unset: true,
            budget: &budget,
        };
        let rendered =
            Pack::load(&folder, &files, &budget).and_then(|pack| render(&pack, &Inputs::default(), &options));
        match rendered {
            Ok(files) => {
                let files = files.into_iter().map(|file| (file.name, file.text.into()));
                case["own"] = serde_json::Value::Object(files.collect());
            }
            Err(failure) => case["own_error"] = failure.to_string().into(),
        }
        println!("{case}");
    }
}
