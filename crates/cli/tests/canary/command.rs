//! What the command prints.

use std::path::Path;

use crate::holds_secret;
use crate::keys::{FAULTS, VALUES};
use crate::repository::{Repository, run};
use crate::rows::{ROWS, Row};

/// How many paths there have to be at least.
const FEWEST: usize = 50;

/// The ways in which every key is looked up.
const WAYS: &[&[&str]] = &[
    &["--origins"],
    &["--origins", "--render-as", "json"],
    &["--each"],
    &["--each", "--render-as", "s"],
    &["--why"],
    &["--why", "--render-as", "html"],
    &["--why", "--render-as", "json"],
    &["--explain"],
    &["--explain", "--render-as", "json"],
];

/// A question, what is piped into it, and whether `--reveal` shows the secret.
struct Question<'r> {
    arguments: Vec<&'r str>,
    input: Option<&'r str>,
    reveals: bool,
}

impl Question<'static> {
    fn of((arguments, input, reveals): &Row) -> Question<'static> {
        Question { arguments: arguments.to_vec(), input: *input, reveals: *reveals }
    }
}

/// Runs the command, with or without `--reveal`; everything that it prints.
fn printed(folder: &Path, path: &Question<'_>, reveal: bool) -> String {
    let mut arguments = path.arguments.clone();
    if !["secret", "check", "expand"].contains(&arguments[0]) {
        let here = folder.to_str().unwrap();
        arguments.extend(["--node", "web01.example.com", "--environment-dir", here]);
        if reveal {
            arguments.push("--reveal");
        }
    }
    let output = run(folder, &arguments, path.input);
    [output.stdout, output.stderr].iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
}

/// What is wrong with a path.
fn faults(folder: &Path, path: &Question<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    let name = format!("{:?} {:?}", path.arguments, path.input);
    let masked = printed(folder, path, false);
    if holds_secret(&masked) {
        faults.push(format!("leaked: {name}\n{masked}"));
    }
    if ["unexpected argument", "invalid option", "panicked"].iter().any(|sign| masked.contains(sign)) {
        faults.push(format!("misuse: {name}\n{masked}"));
    }
    if path.reveals {
        let revealed = printed(folder, path, true);
        if !holds_secret(&revealed) {
            faults.push(format!("not revealed: {name}\n{revealed}"));
        }
    }
    faults
}

/// What is wrong with paths, of which several are asked at once: most of a run is waiting for processes.
fn all_faults(folder: &Path, paths: &[Question<'static>]) -> Vec<String> {
    std::thread::scope(|scope| {
        let check =
            |paths: &[Question<'static>]| paths.iter().flat_map(|path| faults(folder, path)).collect::<Vec<_>>();
        let threads: Vec<_> =
            paths.chunks(paths.len().div_ceil(4)).map(|paths| scope.spawn(move || check(paths))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn assert_none(faults: &[String], of: usize) {
    assert!(faults.is_empty(), "{} faults of {of} paths\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn nothing_of_a_secret_is_printed_unless_it_is_to_be_revealed() {
    let repository = Repository::new();
    let paths: Vec<_> = ROWS.iter().map(Question::of).collect();
    assert!(paths.len() >= FEWEST, "{} paths", paths.len());
    assert_none(&all_faults(&repository.root(), &paths), paths.len());
}

#[test]
fn no_way_to_look_a_key_up_prints_secrets() {
    let repository = Repository::new();
    let mut paths = Vec::new();
    for (keys, reveals) in [(VALUES, true), (FAULTS, false)] {
        for key in keys {
            for way in WAYS {
                // Explanations show what the reference shows of Sensitive values: that they are.
                let reveals = reveals && !way.contains(&"--explain");
                paths.push(Question { arguments: [&["lookup", *key], *way].concat(), input: None, reveals });
            }
        }
    }
    assert_none(&all_faults(&repository.root(), &paths), paths.len());
}

#[test]
fn cached_secrets_stay_secret_for_later_keys() {
    let repository = Repository::new();
    let mut paths = Vec::new();
    let ways: [&[&str]; 3] = [&["--each"], &["--each", "--origins"], &["--each", "--why"]];
    for pair in [["f_key_kept", "f_key_kept_again"], ["f_key_file", "f_key_file_again"]] {
        for way in ways {
            let arguments = [&["lookup", pair[0], pair[1]], way].concat();
            paths.push(Question { arguments, input: None, reveals: true });
        }
    }
    assert_none(&all_faults(&repository.root(), &paths), paths.len());
}

#[test]
fn the_plain_answer_has_the_requested_form() {
    let repository = Repository::new();
    let root = repository.root();
    let nothing = Question { arguments: vec!["lookup", "nothing"], input: None, reveals: false };
    assert!(!holds_secret(&printed(&root, &nothing, false)));
    for key in ["line", "hash", "text", "open_yaml", "f_key_text", "f_dig", "hcl_text"] {
        let output = run(&root, &["lookup", key, "--environment-dir", ".", "--node", "web01.example.com"], None);
        assert!(holds_secret(&String::from_utf8_lossy(&output.stdout)), "{key}");
    }
}

#[test]
fn the_effect_of_a_change_is_shown_without_secrets() {
    let repository = Repository::new();
    // On one side there is no data at all, on the other everything: each key is a change.
    let empty = repository.folder().join("empty");
    std::fs::create_dir(&empty).unwrap();
    std::fs::write(empty.join("hiera.yaml"), "version: 5\nhierarchy: []\n").unwrap();
    let empty: &'static str = empty.display().to_string().leak();
    let root: &'static str = repository.root().display().to_string().leak();
    let mut paths = Vec::new();
    for format in ["text", "markdown", "json", "html", "github"] {
        for against in [empty, root] {
            let arguments = vec!["diff", "--allow-programs", "--against", against, "--format", format];
            paths.push(Question { arguments, input: None, reveals: against == empty });
        }
    }
    assert_none(&all_faults(&repository.root(), &paths), paths.len());
    // The other way round, everything goes.
    let arguments = ["diff", "--against", root, "--node", "n", "--environment-dir", empty];
    let output = run(&repository.root(), &arguments, None);
    let reported = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!holds_secret(&reported), "{reported}");
    for format in ["text", "json", "keys", "nodes"] {
        for file in ["hiera.yaml", "plain.eyaml", "data/plain.yaml", "data", "."] {
            let arguments = ["affected", file, "--format", format, "--node", "n", "--environment-dir", "."];
            let output = run(&repository.root(), &arguments, None);
            let reported =
                format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(!holds_secret(&reported), "{arguments:?}: {reported}");
        }
    }
}
