//! `docs/hcl-functions.md` lists the functions of expressions: its table is made of the rows of the functions.

use std::path::Path;

use hieratic::hcl::hcl_functions;

#[test]
fn the_page_lists_every_function() {
    // Those that read files have the types of their results only where files may be read.
    let functions = hcl_functions(Some(std::path::PathBuf::new()));
    let row = |name: &str| {
        let (signature, documentation) = functions.describe(name).unwrap();
        assert!(documentation.ends_with('.'), "{name} has no documentation");
        format!("| `{signature}` | {documentation} |\n")
    };
    let rows: String = functions.names().map(row).collect();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hcl-functions.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, table) = text.split_once("|---|---|\n").unwrap();
    let (_, after) = table.split_once("\n\n").unwrap();
    let result = format!("{before}|---|---|\n{rows}\n{after}");
    if std::env::var_os("HIERATIC_UPDATE").is_some() {
        std::fs::write(page, result).unwrap();
    } else {
        assert_eq!(text, result, "run the test with HIERATIC_UPDATE=1 and read the difference");
    }
}
