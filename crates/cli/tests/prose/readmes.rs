//! The README of each crate, made from its documentation.

use std::fs;

use toml_edit::DocumentMut;

use crate::pages;
use crate::program::current;

const MADE: &str = "<!-- Made from the crate's documentation by `HIERATIC_UPDATE=1 cargo test -p hieratic-cli --test prose`. Do not edit. -->";

const HOME: &str = "https://github.com/hieratic/hieratic";

/// How long a line is at most.
const WIDTH: usize = 120;

/// Crates with a README that is written by hand: they are libraries for other languages.
const WRITTEN: [&str; 2] = ["bindings-c", "bindings-python"];

#[test]
fn readmes_are_current() {
    let mut crates: Vec<_> = fs::read_dir(pages::root().join("crates")).unwrap().map(|entry| entry.unwrap()).collect();
    crates.sort_by_key(fs::DirEntry::file_name);
    let mut count = 0;
    for folder in crates {
        let name = folder.file_name().into_string().unwrap();
        if WRITTEN.contains(&name.as_str()) {
            continue;
        }
        let text = |file: &str| fs::read_to_string(folder.path().join(file));
        let manifest: DocumentMut = text("Cargo.toml").unwrap().parse().unwrap();
        let package = manifest["package"]["name"].as_str().unwrap().to_owned();
        let code = text("src/lib.rs").or_else(|_| text("src/main.rs")).unwrap();
        current(&format!("crates/{name}/README.md"), &readme(&package, &code));
        count += 1;
    }
    assert!(count > 30, "{count}");
}

fn readme(package: &str, code: &str) -> String {
    let first = code.lines().map_while(|line| line.strip_prefix("//! ")).collect::<Vec<_>>().join(" ");
    assert!(!first.is_empty(), "{package} has no documentation");
    let about = match package {
        "hieratic" => {
            format!("[Use it as a library]({HOME}#use-it-as-a-library) shows how, with what each feature costs.")
        }
        "hieratic-cli" => format!("[Its README]({HOME}#readme) shows what it does, and how it is installed."),
        _ => format!(
            "A part of [Hieratic]({HOME}). Programs use the library `hieratic`: the interface of this crate can change with every \
             version."
        ),
    };
    format!("# {package}\n\n{MADE}\n\n{}\n\n{}\n", filled(&without_links(&first)), filled(&about))
}

/// The text with items of the crate's documentation as code, without links.
fn without_links(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, link)) = rest.split_once("[`") {
        let (code, after) = link.split_once("`]").unwrap();
        out.extend([before, "`", code, "`"]);
        rest = match after.strip_prefix('(') {
            Some(target) => target.split_once(')').unwrap().1,
            None => after,
        };
    }
    out + rest
}

/// The text in lines that are not too long.
fn filled(text: &str) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
    }
    out
}
