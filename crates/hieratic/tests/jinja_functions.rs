//! `docs/jinja-functions.md` lists the filters, tests, functions and lookups of templates: its tables are made of their
//! rows. Their parameters are those that Python reports (`conformance/recorders/jinja/signatures.py`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic::jinja::{Builtin, BuiltinKind, builtins};

const KINDS: [(BuiltinKind, &str); 4] = [
    (BuiltinKind::Filter, "filter"),
    (BuiltinKind::Test, "test"),
    (BuiltinKind::Function, "function"),
    (BuiltinKind::Lookup, "lookup"),
];

fn sorted(kind: BuiltinKind) -> Vec<Builtin> {
    let mut found = builtins(kind);
    found.sort_by_key(|builtin| builtin.name);
    found
}

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

#[test]
fn the_page_lists_every_name() {
    let page = file("docs/jinja-functions.md");
    let mut made = std::fs::read_to_string(&page).unwrap();
    let text = made.clone();
    for (kind, noun) in KINDS {
        let head = format!("| {noun} | does |\n|---|---|\n");
        let (before, table) = made.split_once(&head).unwrap();
        let (_, after) = table.split_once("\n\n").unwrap();
        // The full name of a filter of a collection, and the short one, are one row.
        let all = sorted(kind);
        let is_full =
            |name: &str| name.contains('.') && all.iter().any(|one| name.ends_with(&format!(".{}", one.name)));
        let row = |builtin: &Builtin| {
            assert!(builtin.documentation.ends_with('.'), "{} has no documentation", builtin.name);
            let signature = builtin.signature().replace('|', "\\|");
            format!("| `{signature}` | {} |\n", builtin.documentation)
        };
        let rows: String = all.iter().filter(|builtin| !is_full(builtin.name)).map(row).collect();
        made = format!("{before}{head}{rows}\n{after}");
    }
    if std::env::var_os("HIERATIC_UPDATE").is_some() {
        std::fs::write(page, made).unwrap();
    } else {
        assert_eq!(text, made, "run the test with HIERATIC_UPDATE=1 and read the difference");
    }
}

#[test]
fn the_parameters_are_those_of_python() {
    let recorded = std::fs::read(file("conformance/jinja/signatures.json")).unwrap();
    let recorded: BTreeMap<String, BTreeMap<String, String>> = serde_json::from_slice(&recorded).unwrap();
    let mut compared = 0;
    for (kind, noun) in &KINDS[..2] {
        for builtin in sorted(*kind) {
            let Some(parameters) = recorded[*noun].get(builtin.name) else { continue };
            assert_eq!(builtin.parameters, parameters, "{noun} {}", builtin.name);
            compared += 1;
        }
    }
    assert!(compared > 180, "only {compared} were compared");
}
