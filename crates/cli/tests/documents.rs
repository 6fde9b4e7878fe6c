//! `expand`, `restore` and `check` of documents with merge directives, as a user sees them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    fn output(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        command.args(arguments).current_dir(self.0.path()).output().unwrap()
    }

    /// Everything that a command prints, and how it ends.
    fn run(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let root = self.0.path().canonicalize().unwrap().display().to_string();
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            text.push_str(&format!("(exit status {})\n", output.status.code().unwrap()));
        }
        text.replace(&root, "{root}")
    }
}

const SITE: &[(&str, &str)] = &[
    (
        "site.yaml",
        "# what all have\ndefaults:\n  cpu: 2\n  mem: {min: 1, max: 4}\n  tags: [audit, backup]\n\nweb:\n  +/defaults:\n  \
         +include: shared/tls.yaml\n  cpu: 8 # the shop\nhosts:\n  - {+/extra: }\n  - db\nextra: [a, b]\nlocal:\n  \
         +?include: none.yaml\n  +?/nope:\n  x: 1\n",
    ),
    ("shared/tls.yaml", "tls:\n  port: 443\n  # only the newest\n  protocols: [TLSv1.3]\n"),
];

#[test]
fn a_document_is_expanded() {
    let folder = Folder::with(SITE);
    insta::assert_snapshot!(folder.run(&["expand", "site.yaml"]));
    insta::assert_snapshot!("as_json", folder.run(&["expand", "site.yaml", "--render-as", "json"]));
    insta::assert_snapshot!("as_text", folder.run(&["expand", "site.yaml", "--render-as", "s"]));
    insta::assert_snapshot!("as_report", folder.run(&["expand", "site.yaml", "--render-as", "report"]));
}

#[test]
fn every_value_has_its_origin() {
    let folder = Folder::with(SITE);
    insta::assert_snapshot!(folder.run(&["expand", "site.yaml", "--origins"]));
    insta::assert_snapshot!(
        "origins_as_json",
        folder.run(&["expand", "site.yaml", "--origins", "--render-as", "json"])
    );
}

/// What directives put into several places has a line in each.
#[test]
fn shared_values_have_their_origin_in_every_place() {
    let shared = "base: &b\n  list: [1, {k: two}]\n  deep:\n    '': empty\n    é: [[]]\none: {+/base: }\ntwo:\n  '':\n    +/one:\n    \
                  extra: value\n  again: {+/two/: }\n";
    let folder = Folder::with(&[("shared.yaml", shared)]);
    let lines = folder.run(&["expand", "shared.yaml", "--origins"]);
    let of = |place: &str| {
        let lines = lines.lines().filter_map(|line| line.strip_prefix(place)).map(|line| {
            let (value, origin) = line.split_once("# ").expect("each line has an origin");
            (value.trim_end().to_owned(), origin.to_owned())
        });
        lines.collect::<Vec<_>>()
    };
    let base = of("base.");
    let shown: Vec<&str> = base.iter().map(|(value, _)| value.as_str()).collect();
    assert_eq!(shown, ["list.0 = 1", "list.1.k = \"two\"", "deep.'' = \"empty\"", "deep.é.0 = []"]);
    assert_eq!(of("one."), base);
    for place in ["two.''.", "two.again."] {
        let lines = of(place);
        assert_eq!(lines.iter().filter(|line| base.contains(line)).count(), base.len(), "{place}: {lines:?}");
        assert!(lines.contains(&("extra = \"value\"".into(), "shared.yaml:10".into())), "{place}: {lines:?}");
        assert_eq!(lines.len(), base.len() + 1);
    }
    // All origins begin in one column.
    let columns: Vec<Option<usize>> = lines
        .lines()
        .map(|line| line.find("# ").and_then(|at| line.get(..at)).map(|line| line.chars().count()))
        .collect();
    assert!(columns.iter().all(|column| column.is_some() && *column == columns[0]), "{lines}");
}

#[test]
fn every_directive_is_explained() {
    let folder = Folder::with(SITE);
    insta::assert_snapshot!(folder.run(&["expand", "site.yaml", "--explain"]));
    insta::assert_snapshot!(
        "explained_as_yaml",
        folder.run(&["expand", "site.yaml", "--explain", "--render-as", "yaml"])
    );
}

const BROKEN: &str = "a: {+/b/nme: }\nb: {name: 1}\nc: {+/c: , x: 1}\nd: {+include: ../x.yaml}\ne: {+/b/name: , z: 1}\n\
                      f: {+/a~2: }\ng: {+?: }\nh: {+*nme: }\ni: &name {}\nj: {+include: {path: x}}\nk: {+include: gone.yaml}\n\
                      l: {+../m: }\nm: {+/l: }\nn: {+/b: , name: {+%: error}, o: {+/p: , q: {r: 1}}}\np: {q: {+%: error, s: 2}}\n\
                      q: {+include: http://localhost/x.yaml}\nr: {+?x/b: }\ns: {+include: bad.yaml}\nt: {+/u/7: }\nu: [1]\n";

#[test]
fn all_mistakes_are_reported_at_once() {
    let folder = Folder::with(&[("broken.yaml", BROKEN), ("bad.yaml", "x: [1\n")]);
    insta::assert_snapshot!(folder.run(&["expand", "broken.yaml"]));
    insta::assert_snapshot!("checked", folder.run(&["check", "broken.yaml"]));
    insta::assert_snapshot!("reported", folder.run(&["expand", "broken.yaml", "--render-as", "report"]));
    insta::assert_snapshot!("messages_as_json", folder.run(&["expand", "broken.yaml", "--message-format", "json"]));
}

#[test]
fn cycles_through_files_and_names_are_shown() {
    let folder = Folder::with(&[
        ("main.yaml", "one: {+include: a.yaml}\ntwo: &me {+*me: , x: 1}\n"),
        ("a.yaml", "b: {+include: b.yaml}\n"),
        ("b.yaml", "a: {+include: a.yaml}\n"),
    ]);
    insta::assert_snapshot!(folder.run(&["expand", "main.yaml"]));
}

#[test]
fn documents_that_cannot_be_read() {
    let folder = Folder::with(&[
        ("list.yaml", "- 1\n"),
        ("twice.yaml", "a: 1\na: 2\n"),
        ("two.yaml", "a: 1\n---\nb: 1\n"),
        ("syntax.yaml", "a: [1\nb: 2\n"),
        ("top.yaml", "+include: list.yaml\n"),
    ]);
    for name in ["list", "twice", "two", "syntax", "top", "gone"] {
        insta::assert_snapshot!(format!("unreadable_{name}"), folder.run(&["expand", &format!("{name}.yaml")]));
    }
    insta::assert_snapshot!("unknown_format", folder.run(&["expand", "list.yaml", "--render-as", "xml"]));
}

#[test]
fn a_list_without_directives_is_nothing_to_check() {
    let folder = Folder::with(&[("list.yaml", "- 1\n"), ("site.yaml", "a: {x: 1}\nb: {+/a: }\n")]);
    assert_eq!(folder.run(&["check", "-q", "list.yaml", "site.yaml"]), "");
}

#[test]
fn files_outside_need_leave() {
    let folder = Folder::with(&[("in/main.yaml", "a: {+include: ../out.yaml}\n"), ("out.yaml", "x: 1\n")]);
    assert!(folder.run(&["expand", "in/main.yaml"]).contains("--allow-outside"));
    assert_eq!(folder.run(&["expand", "in/main.yaml", "--allow-outside"]), "a:\n  x: 1\n");
}

#[test]
fn a_condition_asks_the_environment() {
    let folder = Folder::with(&[
        ("main.yaml", "a: {+include: {file: x.yaml, when: HIERATIC_TEST_WHEN}, y: 1}\n"),
        ("x.yaml", "x: 1\n"),
    ]);
    // The environment is outside of the repository: whether it has the variable is unknown.
    let hidden = folder.run(&["expand", "main.yaml"]);
    assert!(hidden.contains("main.yaml:1:") && hidden.contains("'HIERATIC_TEST_WHEN' cannot be read"), "{hidden}");
    assert!(hidden.contains("--allow-outside") && hidden.contains("--var HIERATIC_TEST_WHEN="), "{hidden}");
    let found = folder.run(&["check", "main.yaml"]);
    assert!(found.contains("warning") && found.contains("'HIERATIC_TEST_WHEN' cannot be read"), "{found}");
    assert_eq!(folder.run(&["expand", "main.yaml", "--var", "HIERATIC_TEST_WHEN="]), "a:\n  y: 1\n");
    let with_flag = folder.run(&["expand", "main.yaml", "--var", "HIERATIC_TEST_WHEN=yes"]);
    assert_eq!(with_flag, "a:\n  y: 1\n  x: 1\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.args(["expand", "main.yaml"]).current_dir(folder.0.path()).env("HIERATIC_TEST_WHEN", "1");
    assert_eq!(command.output().unwrap().status.code(), Some(1));
    command.arg("--allow-outside");
    assert_eq!(String::from_utf8_lossy(&command.output().unwrap().stdout), "a:\n  y: 1\n  x: 1\n");
}

/// Changes the expanded document and restores it.
fn changed(folder: &Folder, change: impl Fn(&str) -> String) {
    let expanded = String::from_utf8(folder.output(&["expand", "site.yaml"]).stdout).unwrap();
    let new = change(&expanded);
    assert_ne!(new, expanded);
    folder.write("changed.yaml", &new);
}

#[test]
fn a_changed_document_is_restored() {
    let folder = Folder::with(SITE);
    changed(&folder, |text| text.replace("port: 443", "port: 8443").replace("- db\n", "- db\n- cache\n"));
    insta::assert_snapshot!(folder.run(&["restore", "site.yaml", "changed.yaml"]));
    insta::assert_snapshot!("difference", folder.run(&["restore", "site.yaml", "changed.yaml", "--diff"]));
    insta::assert_snapshot!(
        "difference_of_includes",
        folder.run(&["restore", "site.yaml", "changed.yaml", "--diff", "--into-includes"])
    );
}

#[test]
fn an_unchanged_document_stays_to_the_byte() {
    let folder = Folder::with(SITE);
    let json = folder.output(&["expand", "site.yaml", "--render-as", "json"]).stdout;
    fs::write(folder.0.path().join("same.json"), json).unwrap();
    assert_eq!(folder.run(&["restore", "site.yaml", "same.json"]), SITE[0].1);
    assert_eq!(folder.run(&["restore", "site.yaml", "same.json", "--diff"]), "");
}

#[test]
fn a_list_that_shrinks_keeps_the_directive() {
    let folder = Folder::with(SITE);
    changed(&folder, |text| {
        let at = text.find("web:").unwrap();
        format!("{}{}", &text[..at], text[at..].replacen("  - audit\n", "", 1))
    });
    insta::assert_snapshot!(folder.run(&["restore", "site.yaml", "changed.yaml"]));
}

#[test]
fn files_are_written_in_place() {
    let folder = Folder::with(SITE);
    changed(&folder, |text| text.replace("port: 443", "port: 8443").replace("cpu: 8", "cpu: 16"));
    let before = fs::metadata(folder.0.path().join("site.yaml")).unwrap().permissions();
    assert_eq!(folder.run(&["restore", "site.yaml", "changed.yaml", "--in-place", "--into-includes"]), "");
    assert_eq!(folder.read("shared/tls.yaml"), SITE[1].1.replace("443", "8443"));
    assert_eq!(folder.read("site.yaml"), SITE[0].1.replace("cpu: 8 #", "cpu: 16 #"));
    assert_eq!(fs::metadata(folder.0.path().join("site.yaml")).unwrap().permissions(), before);
    let left: Vec<_> = fs::read_dir(folder.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = Folder::with(SITE);
    changed(&folder, |text| text.replace("cpu: 8", "cpu: 16"));
    let link = folder.0.path().join("link.yaml");
    std::os::unix::fs::symlink("site.yaml", &link).unwrap();
    assert_eq!(folder.run(&["restore", "link.yaml", "changed.yaml", "--in-place"]), "");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(folder.read("site.yaml").contains("cpu: 16"));
}

#[test]
fn contradictory_arguments_are_refused() {
    let folder = Folder::with(&[SITE[0], SITE[1], ("list.yaml", "- 1\n"), ("keys.yaml", "defaults: {+/x: 1}\n")]);
    insta::assert_snapshot!(
        "includes_on_output",
        folder.run(&["restore", "site.yaml", "list.yaml", "--into-includes"])
    );
    insta::assert_snapshot!("no_map", folder.run(&["restore", "site.yaml", "list.yaml"]));
    insta::assert_snapshot!("directives_as_data", folder.run(&["restore", "site.yaml", "keys.yaml"]));
    insta::assert_snapshot!("no_file", folder.run(&["restore", "site.yaml", "gone.yaml"]));
    insta::assert_snapshot!("in_place_of_input", folder.run(&["restore", "-", "keys.yaml", "--in-place"]));
}

/// The documentation's examples: every document is followed by what it expands to.
#[test]
fn the_documentation_is_true() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/merge-directives.md");
    let guide = fs::read_to_string(guide).unwrap();
    let mut blocks = guide.split("```").skip(1).step_by(2);
    let mut document = None;
    let mut count = 0;
    for block in &mut blocks {
        let (language, text) = block.split_once('\n').unwrap();
        match language {
            "yaml" => document = Some(text),
            "expanded" => {
                let folder = Folder::with(&[("main.yaml", document.take().unwrap())]);
                assert_eq!(folder.run(&["expand", "main.yaml"]), text);
                count += 1;
            }
            _ => {}
        }
    }
    assert!(count >= 6, "{count} examples");
}

#[test]
fn the_readme_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let example = root.join("examples/unfurl");
    let folder = Folder::with(&[
        ("examples/unfurl/site.yaml", &fs::read_to_string(example.join("site.yaml")).unwrap()),
        ("examples/unfurl/shared/tls.yaml", &fs::read_to_string(example.join("shared/tls.yaml")).unwrap()),
    ]);
    let expanded = folder.output(&["expand", "examples/unfurl/site.yaml"]).stdout;
    let changed = String::from_utf8(expanded).unwrap().replace("port: 443", "port: 8443");
    folder.write("site.yaml", &changed);
    let difference = folder.run(&["restore", "examples/unfurl/site.yaml", "site.yaml", "--diff"]);
    assert!(difference.len() > 50 && readme.contains(&difference), "{difference}");
}
