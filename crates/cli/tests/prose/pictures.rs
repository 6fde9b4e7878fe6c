//! The pictures of the README: the command's output in a terminal's colors, and its page, as SVG.

use std::fs;
use std::path::Path;

use crate::pages;
use crate::program::{current, printed};

const KEY: &[&str] = &["lookup", "profile::web::vhosts", "--node", "web01.example.com", "--fact", "role=web", "--why"];

const CHANGE: &[&str] = &["diff", "--against", "../production", "--facts", "../facts", "--fact", "role=web"];

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A piece of a line, and how a terminal shows it.
fn piece(style: &str, text: &str) -> String {
    let class = match style {
        "1" => " class=\"bold\"",
        "2" => " class=\"dim\"",
        "31" => " class=\"red\"",
        "32" => " class=\"green\"",
        "33" => " class=\"yellow\"",
        _ => "",
    };
    format!("<tspan{class}>{}</tspan>", escaped(text))
}

/// A line of a terminal; sequences of color begin with an escape.
fn line(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut line = piece("", parts.next().unwrap());
    for part in parts {
        let (style, text) = part.trim_start_matches('[').split_once('m').unwrap();
        if !text.is_empty() {
            line += &piece(style, text);
        }
    }
    line
}

fn terminal(command: &str, output: &str) -> String {
    const ROW: usize = 20;
    let lines: Vec<String> =
        std::iter::once(piece("2", "$ ") + &piece("", command)).chain(output.lines().map(line)).collect();
    let height = 24 + lines.len() * ROW;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 {height}\" width=\"900\" height=\"{height}\">\n\
         <style>text{{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d8dee9;white-space:pre}}\n\
         .bold{{font-weight:700;fill:#fff}}.dim{{fill:#8b93a5}}.red{{fill:#ff8a80}}.green{{fill:#8fd694}}.yellow{{fill:#e0b050}}</style>\n\
         <rect width=\"900\" height=\"{height}\" rx=\"8\" fill=\"#1e222a\"/>\n"
    );
    for (index, line) in lines.iter().enumerate() {
        svg += &format!("<text x=\"16\" y=\"{}\" xml:space=\"preserve\">{line}</text>\n", 28 + index * ROW);
    }
    svg + "</svg>\n"
}

/// A page of HTML in a picture: its style and its body, which is written so that XML can read it.
fn page(html: &str) -> String {
    let part = |start: &str, end: &str| html.split_once(start).unwrap().1.split_once(end).unwrap().0.to_owned();
    let style = part("<style>\n", "</style>");
    // The picture is light wherever it is shown.
    let (before, dark) = style.split_once("@media screen and (prefers-color-scheme: dark) {").unwrap();
    let (_, after) = dark.split_once("\n}\n").unwrap();
    let style = format!("{before}{after}").replace("color-scheme: light dark", "color-scheme: light");
    let style = style.replace("html {", ".page {").replace("body {", ".page {");
    let body = part("<body>\n", "</body>");
    // The time at which a page was made is always another.
    let (before, imprint) = body.split_once("<footer").unwrap();
    let body = format!("{before}{}", imprint.split_once("</footer>\n").unwrap().1);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 560\" width=\"900\" height=\"560\">\n\
         <style>\n{style}.page {{ padding: .5rem; }}\n</style>\n\
         <rect x=\".5\" y=\".5\" width=\"899\" height=\"559\" rx=\"8\" fill=\"#fff\" stroke=\"#ccd\"/>\n\
         <foreignObject width=\"900\" height=\"560\"><div xmlns=\"http://www.w3.org/1999/xhtml\" class=\"page\">\n{body}</div></foreignObject>\n\
         </svg>\n"
    )
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The output of `diff` for a change of the example repository.
fn change() -> String {
    let folder = tempfile::tempdir().unwrap();
    let examples = pages::root().join("examples");
    copy(&examples.join("facts"), &folder.path().join("facts"));
    copy(&examples.join("control-repo"), &folder.path().join("production"));
    copy(&examples.join("control-repo"), &folder.path().join("change"));
    let common = folder.path().join("change/data/common.yaml");
    let data = fs::read_to_string(&common).unwrap();
    let changed = data.replace("/var/www/html", "/srv/www").replace("- vim", "- nano");
    assert!(changed.contains("/srv/www") && changed.contains("- nano"), "{data}");
    fs::write(common, changed).unwrap();
    let output =
        printed(folder.path().join("change").to_str().unwrap(), 100, &[CHANGE, &["--color", "always"]].concat());
    output
        .replace(folder.path().canonicalize().unwrap().to_str().unwrap(), "~")
        .replace(folder.path().to_str().unwrap(), "~")
}

#[test]
fn pictures_are_current() {
    let output = printed("control-repo", 100, &[KEY, &["--color", "always"]].concat());
    assert!(output.contains('\u{1b}') && output.lines().count() > 5, "{output}");
    let command = format!("hieratic {}", KEY.join(" "));
    current("docs/pictures/why.svg", &terminal(&command, &output));
    let output = change();
    assert!(output.contains('\u{1b}') && output.lines().count() > 5, "{output}");
    current("docs/pictures/change.svg", &terminal(&format!("hieratic {}", CHANGE.join(" ")), &output));
    // In a repository of git, the page has links to the lines of its commit.
    let folder = tempfile::tempdir().unwrap();
    copy(&pages::root().join("examples/control-repo"), folder.path());
    let html = printed(folder.path().to_str().unwrap(), 100, &[KEY, &["--render-as", "html"]].concat());
    current("docs/pictures/page.svg", &page(&html));
}

#[test]
fn colors_become_styles() {
    assert_eq!(line("a\u{1b}[1m<b>\u{1b}[0m"), "<tspan>a</tspan><tspan class=\"bold\">&lt;b&gt;</tspan>");
}
