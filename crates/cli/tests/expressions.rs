//! What `eval --language unfurl` prints: every format, and the messages, word for word.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

const TREE: &str = "\
name: root
attributes: {site: hq}
children:
  - name: web
    attributes:
      port: 80
      on: yes
      users: [{name: ann, age: 30}, {name: bob, age: 25}]
      next: '{{ SELF.port + 1 }}'
      password: {eval: {sensitive: word}}
";

/// What the command prints with these files in its folder: output, then errors, then the status unless it is 0.
fn session(files: &[(&str, &str)], arguments: &[&str], input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tree.yaml"), TREE).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["eval", "--language", "unfurl"])
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let mut shown = String::from_utf8_lossy(&output.stdout).into_owned();
    shown.push_str(&String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        shown.push_str(&format!("[status {}]\n", output.status.code().unwrap()));
    }
    shown.replace(&folder.path().canonicalize().unwrap().display().to_string(), "{root}")
}

/// One evaluation after the other over the tree, each below its expression.
fn evaluations(expressions: &[&str], flags: &[&str]) -> String {
    let one = |expression: &&str| {
        let arguments = [&["--tree", "tree.yaml", "--start", "web", "-e", expression], flags].concat();
        format!(">>> {expression}\n{}\n", session(&[], &arguments, ""))
    };
    expressions.iter().map(one).collect()
}

#[test]
fn values_print_as_data() {
    insta::assert_snapshot!(evaluations(
        &["users::[age=25]::name", "users::name", "::root", "nothing", "next", "on", "password"],
        &[]
    ));
}

#[test]
fn every_format_is_there() {
    for format in ["yaml", "s", "report"] {
        insta::assert_snapshot!(
            format!("format {format}"),
            evaluations(&["users::name", "."], &["--render-as", format])
        );
    }
}

#[test]
fn maps_templates_and_variables() {
    let map = "{a: {eval: port}, b: ['{{ SELF.next }}', $v]}";
    insta::assert_snapshot!(evaluations(&[map], &["--kind", "map"]));
    insta::assert_snapshot!(evaluations(&["{{ SELF.port }}-{{ v[1] }}"], &["--kind", "template", "--var", "v=[1, x]"]));
    insta::assert_snapshot!(evaluations(&["{eval: users, foreach: {key: name, value: $v}}"], &["--var", "v=text"]));
}

#[test]
fn expressions_come_from_files_and_standard_input() {
    let files = [
        ("path.txt", "\n  users::[age=25]::name\n"),
        ("map.yaml", "eval: .::users\nforeach: name\n"),
        ("wrong.txt", "# a comment is no expression\nusers[\n"),
        ("plain.yaml", "ports: [80, 81]\n"),
    ];
    let tree = ["--tree", "tree.yaml", "--start", "web"];
    let mut shown = String::new();
    for file in ["path.txt", "map.yaml", "wrong.txt"] {
        shown += &format!(">>> {file}\n{}\n", session(&files, &[&tree[..], &[file]].concat(), ""));
    }
    shown += &format!(">>> standard input\n{}\n", session(&files, &tree, "port"));
    shown += &format!(">>> a document\n{}\n", session(&files, &["--tree", "plain.yaml", "-e", "ports::-1"], ""));
    insta::assert_snapshot!(shown);
}

#[test]
fn messages_name_the_error_and_its_place() {
    insta::assert_snapshot!(evaluations(
        &[
            "",
            "users::[age=25",
            "users]::name",
            "users[age=25]name",
            "users::$nam",
            "$strat::port",
            ".naem",
            ".status",
            "0",
            "{eval: {concta: [a]}}",
            "{eval: {python: os.getcwd}}",
            "{eval: {if: port, foreach: $item}}",
            "{eval: zz, strict: required}",
            "{eval: {template: '{{ nope }}'}}",
            "{eval: {template: 'a {{ \"$nope\" | eval }}'}}",
            "{eval: {get_dir: nowhere}}",
            "{eval: {file: /etc/hostname}, select: contents}",
            "{eval: {validate: [1, {type: zz}]}}",
            "{eval: [",
        ],
        &[]
    ));
}

#[test]
fn flags_that_make_no_sense() {
    let mut shown = String::new();
    for arguments in [
        &["--tree", "nothing.yaml", "-e", "a"][..],
        &["--tree", "list.yaml", "-e", "a"],
        &["--tree", "wrong.yaml", "-e", "a"],
        &["--tree", "tree.yaml", "--start", "wbe", "-e", "a"],
        &["--kind", "code", "-e", "a"],
        &["--render-as", "puppet", "-e", "a"],
        &["--var", "x", "-e", "a"],
    ] {
        let files = [("list.yaml", "[1]\n"), ("wrong.yaml", "a: [1\n")];
        shown += &format!(">>> {}\n{}\n", arguments.join(" "), session(&files, arguments, ""));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_tree_may_have_merge_directives() {
    let files = [
        (
            "site.yaml",
            "defaults: {port: 80, title: '{{ SELF.name | upper }}'}\nname: shop\nweb:\n  +/defaults:\n  host: www\n",
        ),
        ("broken.yaml", "defaults: {port: 80}\nweb:\n  +/defautls:\n"),
    ];
    let mut shown = String::new();
    for arguments in [
        &["--tree", "site.yaml", "-e", "web"][..],
        &["--tree", "site.yaml", "-e", "web::port"],
        &["--tree", "broken.yaml", "-e", "web"],
    ] {
        shown += &format!(">>> {}\n{}\n", arguments.join(" "), session(&files, arguments, ""));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn faults_inside_a_document_are_shown_there() {
    let files = [(
        "site.yaml",
        "web:\n  port: {eval: \"a[b\"}\n  title: {eval: $nope}\n  text: '{{ nope }}'\n  folded: >-\n    {{\n    other }}\n",
    )];
    let mut shown = String::new();
    for path in ["web::port", "web::title", "web::text", "web::folded"] {
        let arguments = ["--tree", "site.yaml", "-e", path];
        shown += &format!(">>> {path}\n{}\n", session(&files, &arguments, ""));
    }
    insta::assert_snapshot!(shown);
}

/// The documentation's examples: the tree, and tables of expressions with their values.
#[test]
fn the_documentation_is_true() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/expressions.md");
    let guide = fs::read_to_string(guide).unwrap();
    let tree = guide.split("```tree\n").nth(1).unwrap().split("```").next().unwrap();
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/unfurl/tree.yaml");
    assert_eq!(fs::read_to_string(example).unwrap(), tree);
    let mut count = 0;
    for row in guide.lines().filter(|line| line.starts_with("| `")) {
        let mut cells = row.split('`').skip(1).step_by(2);
        let (expression, value) = (cells.next().unwrap(), cells.next().unwrap());
        // A map is a value with an expression in it.
        let kind = if expression.starts_with('{') { "map" } else { "expr" };
        let arguments = ["--tree", "doc.yaml", "--start", "web", "--kind", kind, "-e", expression];
        assert_eq!(session(&[("doc.yaml", tree)], &arguments, ""), format!("{value}\n"), "{expression}");
        count += 1;
    }
    assert!(count >= 15, "{count} examples");
}

#[test]
fn a_path_that_leads_nowhere_says_where_it_ends() {
    let tree = "name: root\nattributes: {colour: red}\nchildren:\n- {name: web, attributes: {host: www}}\n";
    let mut shown = String::new();
    for path in ["::wbe::host", "::web::nope::x", "::spec::x", "::colour", "::web[x=1]", ".::nope"] {
        shown += &format!(">>> {path}\n{}\n", session(&[("t.yaml", tree)], &["--tree", "t.yaml", "-e", path], ""));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_tree_whose_directives_lead_nowhere_says_why() {
    let mut shown = String::new();
    for tree in ["a:\n  +/nowhere/x: null\n", "a:\n  +include: nope.yaml\n"] {
        shown += &session(&[("t.yaml", tree)], &["--tree", "t.yaml", "-e", "::root"], "");
    }
    insta::assert_snapshot!(shown);
}
