#![no_main]
//! A document with directives and two files that it may include: it expands or is refused, with a place for everything that is
//! wrong; and restoring what did not change gives the same bytes.
//!
//! The three texts are divided by lines `=====`.

use std::path::Path;

use hieratic_diagnostics::render::{Style, human};
use hieratic_directives::{Document, File, Files, Options, ReadFault, Record, RestoreOptions, expand, restore};

struct Two<'t>([&'t str; 2]);

impl Files for Two<'_> {
    fn read(&mut self, name: &str, _: &Path) -> Result<File, ReadFault> {
        let text = match name.as_bytes().first() {
            Some(b'1' | b'o') => self.0[0],
            Some(b'2' | b't') => self.0[1],
            _ => return Err(ReadFault { message: "there is no such file".into(), help: None, absent: true }),
        };
        Ok(File { name: name.into(), identity: name.into(), folder: None, text: text.into() })
    }
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut texts = text.split("\n=====\n");
    let main = texts.next().unwrap_or_default();
    let mut files = Two([texts.next().unwrap_or_default(), texts.next().unwrap_or_default()]);
    let Ok(document) = Document::parse(main, "main.yaml", ".".as_ref()) else { return };
    let options = Options { record: Record::Written, ..Options::default() };
    let expanded = match expand(&document, &mut files, &options) {
        Ok(expanded) => expanded,
        Err(failure) => {
            assert!(!failure.diagnostics().is_empty());
            for diagnostic in failure.diagnostics() {
                let _ = human(diagnostic, &Style::default());
            }
            return;
        }
    };
    // Comparing and copying what a few bytes may stand for takes longer than the fuzzer waits.
    if expanded.root().size() > 100_000 {
        return;
    }
    let restored = restore(&document, &expanded.to_value(), &mut files, &RestoreOptions::default());
    match restored {
        Ok(restored) => assert_eq!(restored.text, main, "what is unchanged has to stay"),
        Err(failure) => panic!("{failure}\n{main}"),
    }
});
