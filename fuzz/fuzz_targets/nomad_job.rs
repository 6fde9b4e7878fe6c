#![no_main]
//! A job file, native or JSON: there is a job that prints, whose values know their places and that can be judged, or there are
//! messages.

use hieratic::nomad_job::{Job, Options};
use hieratic::nomad_lint::{as_command_text, validate};

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    if text.len() > 1 << 14 {
        return;
    }
    let options = Options { path: "job.nomad.hcl".into(), arguments: vec!["n=1".into()], ..Options::default() };
    for json in [false, true] {
        match Job::parse(text, &Options { json, ..options.clone() }) {
            Ok(job) => {
                let _ = job.to_json();
                let _ = job.origins();
                let _ = as_command_text(&validate(&job));
            }
            Err(failure) => assert!(!failure.to_string().is_empty()),
        }
    }
});
