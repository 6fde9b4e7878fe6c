//! The header of the library is the one that its functions have. `HIERATIC_UPDATE=1` writes it anew.

use std::fs;
use std::path::Path;

#[test]
fn the_header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new().with_crate(root).with_config(config).generate().unwrap();
    let mut result = Vec::new();
    bindings.write(&mut result);
    // The heading that documentation of Rust has means nothing to a reader of C.
    let result = String::from_utf8(result).unwrap().replace(" # Safety\n", " The caller makes sure:\n");
    let file = root.join("include/hieratic.h");
    if std::env::var_os("HIERATIC_UPDATE").is_some() {
        fs::write(&file, &result).unwrap();
    }
    let there = fs::read_to_string(&file).unwrap_or_default();
    assert!(there == result, "include/hieratic.h is not current: run HIERATIC_UPDATE=1 cargo test --test header");
}

/// Every function of the crate is in the header, and C++ reads it, too.
#[test]
fn the_header_has_every_function() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = fs::read_to_string(root.join("include/hieratic.h")).unwrap();
    let mut functions = 0;
    for file in fs::read_dir(root.join("src")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let names = text.split("extern \"C\" fn ").skip(1).filter_map(|rest| rest.split('(').next());
        for name in names {
            assert!(header.contains(&format!("{name}(")), "{name}");
            functions += 1;
        }
    }
    assert!(functions > 20, "{functions}");
    assert!(header.contains("extern \"C\" {"));
    for word in ["Rust", "# Safety", "Option", "Result", "panic", "unsafe", "`Self`", "Vec<"] {
        assert!(!header.contains(word), "the header has a word of Rust: {word}");
    }
}
