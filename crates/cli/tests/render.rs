//! What `hieratic render` prints: texts, and the messages, word for word.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// What the command prints with these files in its folder: output, then errors, then the status unless it is 0.
fn session(files: &[(&str, &str)], arguments: &[&str], input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["render", "--node", "web01.example.com"])
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

/// A control repository with a key.
const DATA: [(&str, &str); 3] = [
    ("environment.conf", ""),
    ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n"),
    ("data/a.yaml", "site::port: 8080\nsite::users: [ann, bob]\n"),
];

#[test]
fn jinja2_sees_facts_variables_and_data() {
    let template = "\
# {{ role }} {{ facts is defined }} {{ networking is defined }} {{ trusted is defined }} {{ environment is defined }}
{% for user in lookup('hiera', 'site::users') %}
user {{ user }} on {{ lookup('hiera', 'site::port') + offset }}
{% endfor %}
{{ lookup('hiera', 'site::nothing', default='-') }}{{ who }}
{% include 'tail.j2' %}
";
    let more = [("t.j2", template), ("tail.j2", "the end\n"), ("v.yaml", "offset: 1\nwho: file\n")];
    let files: Vec<(&str, &str)> = DATA.into_iter().chain(more).collect();
    let arguments = ["t.j2", "--environment-dir", ".", "--vars", "v.yaml", "--var", "who=flag", "--fact", "role=web"];
    insta::assert_snapshot!(session(&files, &arguments, ""), @r"
    # web False False False False
    user ann on 8081
    user bob on 8081
    -flag
    the end
    ");
}

#[test]
fn variables_are_templates_of_their_own() {
    let files = [
        ("t.j2", "{% if debugging %}WRONG{% else %}right{% endif %} {{ url }} {{ raw }} {{ face }}\n"),
        (
            "v.yaml",
            "env: prod\ndebugging: \"{{ env == 'dev' }}\"\nurl: \"http://{{ env }}\"\nraw: !unsafe \"{{ env }}\"\n",
        ),
        ("v.json", r#"{"face": "\ud83d\ude00"}"#),
    ];
    let arguments = ["t.j2", "--vars", "v.yaml", "--vars", "v.json"];
    insta::assert_snapshot!(session(&files, &arguments, ""), @"right http://prod {{ env }} 😀");
    let plain = [&arguments[..], &["--no-template-vars"]].concat();
    insta::assert_snapshot!(session(&files, &plain, ""), @"WRONG http://{{ env }} {{ env }} 😀");
}

#[test]
fn faults_of_variables_show_the_variable() {
    let files = [("t.j2", "{{ url }}\n"), ("v.yaml", "url: \"http://{{ host | uper }}\"\nhost: a\n")];
    insta::assert_snapshot!(session(&files, &["t.j2", "--vars", "v.yaml"], ""));
    let files = [("t.j2", "{{ url }}\n"), ("v.yaml", "url: \"http://{{ host }}\"\nhost: \"{{ url }}\"\n")];
    insta::assert_snapshot!(session(&files, &["t.j2", "--vars", "v.yaml"], ""));
}

#[test]
fn epp_sees_facts_variables_parameters_and_data() {
    let template = "\
<%- | Integer $port, String $who = 'nobody' | -%>
<% lookup('site::users').each |$user| { -%>
user <%= $user %> on <%= $port + lookup('site::port') %>
<% } -%>
<%= $who %> <%= $facts['networking']['hostname'] %> <%= $networking['hostname'] %> <%= $extra %>
";
    let more = [("t.epp", template)];
    let files: Vec<(&str, &str)> = DATA.into_iter().chain(more).collect();
    let arguments = ["t.epp", "--environment-dir", ".", "--var", "port=1", "--var", "extra=more"];
    insta::assert_snapshot!(session(&files, &arguments, ""), @r"
    user ann on 8081
    user bob on 8081
    nobody web01 web01 more
    ");
}

#[test]
fn templates_come_from_standard_input() {
    insta::assert_snapshot!(session(&[], &["-", "--language", "jinja2"], "{{ 1 + 1 }}\n"), @"2");
    insta::assert_snapshot!(session(&[], &["-", "--language", "epp"], "<%= 1 + 1 %>\n"), @"2");
}

/// One rendering after the other, each below its template.
fn faults(name: &str, templates: &[(&str, &[&str])]) -> String {
    let one = |(template, flags): &(&str, &[&str])| {
        let shown = session(&[(name, template)], &[&[name], *flags].concat(), "");
        format!(">>> {} {}\n{shown}\n", template.trim_end().replace('\n', "\\n"), flags.join(" "))
    };
    templates.iter().map(one).collect()
}

#[test]
fn faults_of_jinja2_show_the_line() {
    insta::assert_snapshot!(faults(
        "t.j2",
        &[
            ("one\n  {{ nope.x }}\n", &[]),
            ("{% fro x in y %}\n", &[]),
            ("port {{ 80 | uper }}\n", &[]),
            ("port {{ nope | uper }}\n", &[]),
            ("port {{ nope.x | upper | lower }}\n", &[]),
            ("port {{ 80 is uper }}\n", &[]),
            ("port {{ '80' + 1 }}\n", &[]),
            ("{{ lookup('hiera', 'site::port') }}\n", &[]),
            ("{{ lookup('file', '/etc/hostname') }}\n", &[]),
            ("{{ lookup('pipe', 'ls') }}\n", &[]),
            ("{{ 1 +\n", &[]),
        ]
    ));
}

#[test]
fn files_of_hcl_are_refused_with_the_flag_that_allows_them() {
    insta::assert_snapshot!(faults("t.hcl", &[("x ${file(\"a.txt\")}\n", &["--language", "hcl"])]));
}

#[test]
fn faults_of_epp_show_the_line() {
    insta::assert_snapshot!(faults(
        "t.epp",
        &[
            ("a\n<%= 1 + 'b' %>\n", &[]),
            ("a\n<%= if %>\n", &[]),
            ("<%- | Integer $port | -%>\n<%= $port %>\n", &["--var", "port=high"]),
            ("<%- | Integer $port | -%>\n<%= $port %>\n", &[]),
            ("<%= $nothing %>\n", &["--strict_variables"]),
        ]
    ));
}

#[test]
fn flags_that_make_no_sense() {
    insta::assert_snapshot!(
        [
            session(&[("t.txt", "")], &["t.txt"], ""),
            session(&[("t.tpl", "")], &["t.tpl"], ""),
            session(&[("t.j2", "")], &["t.j2", "--language", "erb"], ""),
            session(&[("t.j2", "")], &["t.j2", "--language", "hcl"], ""),
            session(&[("t.j2", "")], &["t.j2", "--render-as", "json"], ""),
            session(&[], &["t.j2"], ""),
        ]
        .join("\n")
    );
}

#[test]
fn a_template_may_be_rendered_over_a_tree() {
    let files = [
        ("site.yaml", "name: root\nchildren:\n- {name: web, attributes: {host: www, port: '{{ 40 + 2 }}'}}\n"),
        ("web.j2", "{{ SELF.host }}:{{ '.::port' | eval }} {{ lookup('unfurl', '::web::.name') }} {{ who }}\n"),
        ("broken.j2", "{{ SELF.host }}\n{{ '.::[port' | eval }}\n"),
    ];
    let over_tree = ["--tree", "site.yaml", "--start", "web", "--var", "who=me"];
    assert_eq!(session(&files, &[&["web.j2"], &over_tree[..]].concat(), ""), "www:42 web me\n");
    insta::assert_snapshot!(session(&files, &[&["broken.j2"], &over_tree[..]].concat(), ""));
}

#[test]
fn variables_are_read_as_the_language_of_the_template_reads_data() {
    let files = [
        ("t.j2", "{{ a }} {{ a | type_debug }}\n"),
        ("t.tftpl", "${jsonencode(a)}\n"),
        ("t.epp", "<%= $a %>\n"),
        ("empty.yaml", "# nothing yet\n"),
        ("date.yaml", "a: 2020-01-02\n"),
        ("broken.yaml", "a: [1\n"),
        ("list.yaml", "- a\n"),
    ];
    let render = |arguments: &[&str]| session(&files, arguments, "");
    assert_eq!(render(&["t.j2", "--var", "a=12:30"]), "750 int\n");
    assert_eq!(render(&["t.tftpl", "--var", "a=12:30"]), "\"12:30\"\n");
    assert_eq!(render(&["t.epp", "--var", "a=12:30"]), "45000\n");
    assert_eq!(render(&["t.j2", "--var", "a=1,000"]), "1,000 str\n");
    assert_eq!(render(&["t.j2", "--vars", "date.yaml"]), "2020-01-02 date\n");
    assert_eq!(render(&["t.j2", "--vars", "empty.yaml", "--var", "a=1"]), "1 int\n");
    assert_eq!(render(&["t.tftpl", "--var", "a=[\"x\"]"]), "[\"x\"]\n");
    insta::assert_snapshot!(render(&["t.tftpl", "--var", "a=[x]"]));
    insta::assert_snapshot!(render(&["t.j2", "--vars", "broken.yaml"]));
    insta::assert_snapshot!(render(&["t.j2", "--vars", "list.yaml"]));
    insta::assert_snapshot!(render(&["t.j2", "--vars", "none.yaml"]));
}
