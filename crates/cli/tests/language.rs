//! What `eval`, `parse`, `check` and `repl` print: every format, and the messages, word for word.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use hieratic_testing::skipped;

use super::folder::folder_of;

/// What the command prints, as a session at a terminal would show it: output, then errors, then the status unless it is 0.
fn session(folder: &std::path::Path, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
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
        writeln!(shown, "[status {}]", output.status.code().unwrap()).unwrap();
    }
    let root = folder.canonicalize().unwrap().display().to_string();
    shown.replace(&root, "{root}")
}

/// One session after the other, each below its code.
fn evaluations(codes: &[&str], flags: &[&str]) -> String {
    let folder = folder_of(&[]);
    let mut all = String::new();
    for code in codes {
        let arguments = [&["eval", "--node", "web01.example.com", "-e", code], flags].concat();
        write!(all, ">>> {code}\n{}\n", session(folder.path(), &arguments, "")).unwrap();
    }
    all
}

#[test]
fn values_print_as_programs_write_them() {
    insta::assert_snapshot!(evaluations(
        &[
            "1 + 2 * 3",
            "'a \"quoted\" $text'",
            "[1, 2.50, undef, default, true]",
            "{ 'a' => { 1 => [], 'b' => {} } }",
            "/a.b/",
            "Hash[String, Integer[0, 10]]",
            "File['/tmp/a']",
            "Sensitive('secret')",
            "SemVerRange('>=1.2')",
            "Timespan('1-02:03:04.5')",
            "Binary('aGVsbG8=')",
            "URI('https://example.com/a?b#c')",
            "type Port = Integer[1, 65535]\n8080 =~ Port",
        ],
        &[]
    ));
}

#[test]
fn values_print_as_data() {
    let codes = ["{ 'a' => [1, undef, 'x y'], 'b' => 1.5 }", "'text'", "undef", "Integer[1]"];
    let mut all = String::new();
    for format in ["json", "yaml", "s", "report"] {
        write!(all, "--- {format}\n{}", evaluations(&codes, &["--render-as", format])).unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn reports_tell_errors_and_logs() {
    insta::assert_snapshot!(evaluations(
        &["notice('a')\nwarning(['b'])\n1", "1 +", "$x = 1\n$x.foo", "Timestamp(0)", "fail('no')",],
        &["--render-as", "report"]
    ));
}

#[test]
fn requests_are_answered_one_per_line() {
    let input = concat!(
        "{\"code\": \"$facts['role'] + 1\", \"facts\": {\"role\": 41}}\n",
        "{\"language\": \"puppet\", \"code\": \"$x\", \"vars\": {\"x\": [1]}}\n",
        "\n",
        "{\"code\": \"$x\"}\n",
        "{\"code\": 1}\n",
        "{\"code\": \"1\", \"facts\": []}\n",
        "{\"language\": \"ruby\", \"code\": \"1\"}\n",
        "nonsense\n",
        "[]\n",
        "{\"code\": \"'last'\"}",
    );
    insta::assert_snapshot!(session(folder_of(&[]).path(), &["eval", "--jsonl", "--node", "a.example.com"], input));
}

#[test]
fn logs_print_as_the_reference_prints_them() {
    insta::assert_snapshot!(evaluations(
        &[
            "['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit'].each |$l| { call($l, \"a ${l}\") }",
            "notice('a', [1, 'b'], { c => undef })",
            "class a { notice('in a') }\ninclude a",
            "\"\\q\"",
        ],
        &[]
    ));
}

#[test]
fn faults_of_evaluation() {
    insta::assert_snapshot!(evaluations(
        &[
            "$a = 1\n$b = $a + 'x'",
            "$a = 1\n$a = 2",
            "1 / 0",
            "9223372036854775807 + 1",
            "[1, 2] - undef",
            "foo(1)",
            "lenght('a')",
            "'a'.length(1)",
            "Integer('0x')",
            "Integer[1, 5] =~ 1",
            "function f(Integer $a, String $b = 'x') >> String { $a }\nf('1')",
            "function f(Integer $a) >> String { $a }\nf(1)",
            "Foo::Bar",
            "Integer['a']",
            "assert_type(Hash[String, Integer], { 'a' => 'b', 1 => 2 })",
            "assert_type(Struct[{ port => Integer, Optional[host] => String }], { 'prot' => 1 })",
            "[1, 2][a]",
            "undef['a']",
            "break()",
            "return 1",
            "include nothere",
            "class a(Integer $port) { }\nclass { 'a': prot => 1 }",
            "fail('no ', 'more')",
            "sprintf('%d', 'x')",
            "epp('a/b.epp')",
            "case 1 { 2: { } }\n$x = 5 ? { 1 => 2 }",
            "lookup('nokey')",
        ],
        &["--strict", "error"]
    ));
}

#[test]
fn unknown_variables_are_errors_on_request() {
    insta::assert_snapshot!(evaluations(&["$networkin", "\"${nothere}\"", "$a::b"], &["--strict_variables"]));
}

#[test]
fn nothing_outside_is_touched_without_leave() {
    insta::assert_snapshot!(evaluations(
        &[
            "file('/etc/hostname')",
            "generate('/bin/echo', 'a')",
            "find_file('/etc/hostname')",
            "loadyaml('/etc/hostname')",
        ],
        &[]
    ));
    let allowed = evaluations(&["generate('/bin/echo', 'a')"], &["--allow-programs"]);
    assert!(allowed.contains("a\\n") || allowed.contains("\na\n"), "{allowed}");
}

#[test]
fn code_comes_from_files_and_standard_input() {
    let folder = folder_of(&[("a.pp", "notice('from a file')\n$x = 1\n$x + 'a'\n"), ("bad.pp", "$a = \u{fffd}\n")]);
    fs::write(folder.path().join("bytes.pp"), b"$a = '\xff'\n").unwrap();
    let mut all = String::new();
    for (arguments, input) in [
        (&["eval", "a.pp", "--node", "web01"] as &[&str], ""),
        (&["eval", "--node", "web01"], "$a = [1]\n$a\n"),
        (&["eval", "-", "--node", "web01"], "2"),
        (&["eval", "nothere.pp"], ""),
        (&["eval", "bytes.pp", "--node", "web01"], ""),
        (&["eval", "bad.pp", "--node", "web01"], ""),
        (&["eval", "-e", "1", "--render-as", "xml"], ""),
        (&["eval", "-e", "1", "--language", "cobol"], ""),
    ] {
        write!(all, "$ {}\n{}\n", arguments.join(" "), session(folder.path(), arguments, input)).unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn trees_print_in_the_reference_notation() {
    let folder = folder_of(&[("t.epp", "<%- | $a = 1 | -%>\n<% if $a { %>A <%= $a %>\n<% } -%>\n")]);
    let mut all = String::new();
    for arguments in [
        &["parse", "-e", "$a = [1, 'b', \"c${d}\"]\nfile { '/a': ensure => file }"] as &[&str],
        &["parse", "--pretty", "-e", "class a(Integer $b = 1) inherits c { include d }"],
        &["parse", "--render-as", "json", "-e", "1 + $a[2]"],
        &["parse", "t.epp"],
        &["parse", "nothere.pp"],
    ] {
        write!(all, "$ {}\n{}\n", arguments.join(" "), session(folder.path(), arguments, "")).unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn faults_of_syntax() {
    let mut all = String::new();
    for code in [
        "$a = [1, 2\n$b = 1\n",
        "if $a {\n  notice(1)\n",
        "$x = 'abc\ndef",
        "$x = \"abc ${def\n",
        "@(END)\ntext\n",
        "@(END:json)\n{\n| END\n",
        "file { '/a' ensure => file }\n$b = )\n",
        "$a = 1 +\n",
        "class A { }\n",
        "$a b\n",
        "0x\n",
        "089\n",
        "99999999999999999999\n",
        "'a' => 1\n",
        "unless $a { } elsif $b { }\n",
        "$a = /abc\n",
        "\u{201c}text\u{201d}\n",
        "node { }\n",
    ] {
        let folder = folder_of(&[("m.pp", code)]);
        writeln!(all, ">>> {code}{}", session(folder.path(), &["parse", "m.pp"], "")).unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn everything_that_is_wrong_is_found_in_one_run() {
    let files = [
        (
            "manifests/site.pp",
            "$a += 1\n1\nclass foo { class bar { } }\nfunction f($a = 1, $b) { }\nfile { 'a': b => 1, b => 2 }\n",
        ),
        ("manifests/good.pp", "notice('fine')\n"),
        ("manifests/broken.pp", "$a = [1\n$b = }\nclass c {\n"),
        ("templates/t.epp", "<%= $a + %>\n"),
        ("types/t.pp", "type Port = Integer[1, 65535]\ntype Port = String\n"),
        ("manifests/warns.pp", "$x = \"\\q\"\nunless true { } else { }\n$y = { a => 1, a => 2 }\n"),
    ];
    let folder = folder_of(&files);
    let mut all = String::new();
    for arguments in [
        &["check"] as &[&str],
        &["check", "manifests/good.pp"],
        &["check", "--strict", "error", "manifests/warns.pp"],
        &["check", "--strict", "off", "manifests/warns.pp"],
        &["check", "--message-format", "json", "manifests/site.pp"],
        &["check", "nothere"],
    ] {
        write!(all, "$ {}\n{}\n", arguments.join(" "), session(folder.path(), arguments, "")).unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn the_prompt_answers_and_goes_on() {
    let input = "$x = [1, 2]\n$x.map |$y| {\n  $y * 2\n}\nnotice($x)\n1 +\n\n$x + nope(1)\n:type $x\n:parse $x[0]\n:vars\n\
                 :nonsense\nfunction twice($n) { $n * 2 }\ntwice(21)\ntype Port = Integer[1, 65535]\n80 =~ Port\n:help\n:quit\n99\n";
    insta::assert_snapshot!(session(folder_of(&[]).path(), &["repl", "--node", "web01.example.com"], input));
}

#[test]
fn a_default_of_the_wrong_type_is_an_error_with_and_without_data() {
    let data = folder_of(&[("hiera.yaml", "version: 5\nhierarchy: []\n")]);
    let cases = [
        ("lookup('nosuch', Integer, first, 'x')", "Default value has wrong type, expects an Integer value, got String"),
        (
            "lookup({name => 'n', value_type => Integer, default_values_hash => {'n' => 'x'}})",
            "Value found for key 'n' in default values hash has wrong type, expects an Integer value, got String",
        ),
        (
            "lookup({name => ['m', 'n'], value_type => Integer, default_values_hash => {'m' => 1}, override => {'n' => 'x'}})",
            "Value found for key 'n' in override hash has wrong type, expects an Integer value, got String",
        ),
    ];
    for (code, expected) in cases {
        for folder in [data.path(), folder_of(&[]).path()] {
            let shown = session(folder, &["eval", "--node", "web01", "-e", code], "");
            assert!(shown.contains(expected), "{code}: {shown}");
        }
    }
    let shown = session(data.path(), &["eval", "--node", "web01", "-e", "lookup('nosuch', Integer, first, 5)"], "");
    assert_eq!(shown, "5\n");
}

#[test]
fn wrong_arguments_of_lookup_are_reported_as_in_the_reference() {
    let shown = evaluations(&["lookup(5)"], &[]);
    assert!(shown.contains("\n  (Variant[String, Array[String]] name, OptionsWithoutName = Struct["), "{shown}");
}

#[test]
fn code_is_evaluated_to_a_catalog() {
    let folder = folder_of(&[(
        "x.pp",
        "class a { notify { 'in a': } }\ninclude a\nfile { '/x': ensure => file, require => Class['a'] }\n",
    )]);
    let list = session(folder.path(), &["eval", "--catalog", "--render-as", "s", "x.pp"], "");
    for expected in ["Class[A]\n", "Notify[in a]  x.pp:1\n", "File[/x]  x.pp:3\n"] {
        assert!(list.contains(expected), "{list}");
    }
    let json = session(folder.path(), &["eval", "--catalog", "x.pp"], "");
    let catalog: serde_json::Value = serde_json::from_str(&json).unwrap();
    let resources = catalog["resources"].as_array().unwrap();
    let file = resources.iter().find(|one| one["title"] == "/x").unwrap();
    assert_eq!(file["parameters"]["require"], "Class[A]");
    let failed = session(folder.path(), &["eval", "--catalog", "-e", "notify { 'a': } notify { 'a': }"], "");
    assert!(failed.contains("Duplicate declaration: Notify[a]") && failed.ends_with("[status 1]\n"), "{failed}");
}

#[test]
fn lookups_read_the_variables_of_manifests() {
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: R, path: '%{role}.yaml'}\n"),
        ("data/web.yaml", "port: 80\n"),
        ("manifests/site.pp", "$role = 'web'\nnode default { include nothing }\nclass nothing { }\n"),
    ]);
    let port = ["lookup", "port", "--environment-dir", "."];
    assert!(session(folder.path(), &port, "").ends_with("[status 1]\n"));
    assert_eq!(session(folder.path(), &[&port[..], &["--compile"]].concat(), ""), "--- 80\n");
    fs::write(folder.path().join("manifests/site.pp"), "fail('no')\n").unwrap();
    let failed = session(folder.path(), &[&port[..], &["--compile"]].concat(), "");
    assert!(
        failed.contains("no") && failed.contains("a lookup without --compile does not need the manifests"),
        "{failed}"
    );
}

#[test]
fn templates_of_erb_are_rendered_and_checked() {
    let folder = folder_of(&[
        ("motd.erb", "<% @roles.each do |role| -%>\n<%= role.upcase %> on <%= @host %>\n<% end -%>\n"),
        ("vars.yaml", "roles: [web, db]\n"),
        ("modules/m/templates/open.erb", "listen\n<% if @tls -%>\n443\n"),
        ("modules/m/templates/fine.erb", "<%= ENV['HOME'] %>\n"),
        ("modules/m/files/other.erb", "<% if %>\n"),
    ]);
    let render = |more: &[&str]| session(folder.path(), &[&["render"], more].concat(), "a\n<%= nope %>\n");
    assert_eq!(render(&["motd.erb", "--vars", "vars.yaml", "--var", "host=web01"]), "WEB on web01\nDB on web01\n");
    let failed = render(&["-", "--language", "erb"]);
    assert!(failed.contains("undefined local variable or method `nope'"), "{failed}");
    assert!(failed.contains("--> standard input:2"), "{failed}");
    let refused = render(&["modules/m/templates/fine.erb"]);
    assert!(refused.contains("ENV") && refused.ends_with("[status 1]\n"), "{refused}");
    let checked = session(folder.path(), &["check", "modules"], "");
    assert!(checked.contains("template-syntax") && checked.contains("modules/m/templates/open.erb:3"), "{checked}");
    assert!(!checked.contains("fine.erb") && !checked.contains("other.erb"), "{checked}");
}

#[test]
fn functions_in_ruby_may_stand_for_those_of_puppet_3() {
    let folder = folder_of(&[
        (
            "modules/m/lib/puppet/functions/is_thing.rb",
            "Puppet::Functions.create_function(:is_thing) do
  dispatch :checked do
    param 'Any', :scope
    param 'String', :text
    optional_param 'Any', :more
  end
  dispatch :other do
    param 'Any', :scope
    repeated_param 'Any', :args
  end
  def call(scope, *args)
    self.class.dispatcher.dispatch(self, scope, [scope] + args)
  end
  def checked(scope, text, more = 1)
    call_function('deprecation', 'is_thing', 'use another one')
    [scope.send('function_is_thing', [text]), more, scope['title']]
  end
  def other(scope, *args)
    args
  end
end
",
        ),
        (
            "modules/m/lib/puppet/parser/functions/is_thing.rb",
            "module Puppet::Parser::Functions
  newfunction(:is_thing, type: :rvalue) do |args|
    function_deprecation([:is_thing, 'use another one'])
    [args[0] == 'thing', function_note_thing([args[0]])]
  end
end
",
        ),
        (
            "modules/m/lib/puppet/parser/functions/note_thing.rb",
            "module Puppet::Parser::Functions
  newfunction(:note_thing) { |args| args[0] }
end
",
        ),
    ]);
    let code = "[is_thing('thing'), is_thing('x', 2), is_thing(1, 2), is_thing(), note_thing('x')]";
    let reported = session(folder.path(), &["eval", "--environment-dir", ".", "-e", code, "--puppet-version", "7"], "");
    assert!(reported.contains("Warning: use another one"), "{reported}");
    let value = "[[[true, undef], 1, 'main'], [[false, undef], 2, 'main'], [1, 2], [], undef]";
    assert!(reported.lines().any(|line| line == value), "{reported}");
}

#[test]
fn another_ruby_runs_only_with_permission() {
    let folder = folder_of(&[
        (
            "x.erb",
            "<%= ObjectSpace.count_objects.class %> <%= @host %> <%= scope.call_function('sprintf', ['%03d', 7]) %>\n",
        ),
        ("plain.erb", "<%= 1 + 1 %>\n"),
    ]);
    let render = |more: &[&str]| session(folder.path(), &[&["render", "--var", "host=web01"], more].concat(), "");
    let refused = render(&["x.erb", "--ruby", "/nowhere/ruby"]);
    assert!(refused.contains("running programs is not allowed, so '/nowhere/ruby' was not run"), "{refused}");
    assert!(refused.contains("--allow-programs"), "{refused}");
    let missing = render(&["x.erb", "--ruby", "/nowhere/ruby", "--allow-programs"]);
    assert!(missing.contains("'/nowhere/ruby', cannot be started"), "{missing}");
    // What can be evaluated here needs no program.
    assert_eq!(render(&["plain.erb", "--ruby", "/nowhere/ruby"]), "2\n");
    let silent = render(&["x.erb", "--ruby", "/bin/true", "--allow-programs"]);
    assert!(silent.contains("the Ruby of --ruby"), "{silent}");
    if !std::path::Path::new("/usr/bin/ruby").exists() {
        skipped("the rest, because Ruby is not installed");
        return;
    }
    assert_eq!(render(&["x.erb", "--ruby", "/usr/bin/ruby", "--allow-programs"]), "Hash web01 007\n");
}
