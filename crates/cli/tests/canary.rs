//! A canary in every place that can hold a secret: however it is asked for, nothing of it is printed unless `--reveal` is
//! given, and then it is.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The word that every secret holds.
const WORD: &str = "canarybird";

/// The word in other clothes: backwards, in hexadecimal digits, and in base 64 behind none, one and two other bytes.
const CLOTHES: [&str; 5] = ["dribyranac", "63616e61727962697264", "Y2FuYXJ5YmlyZ", "NhbmFyeWJpcm", "jYW5hcnliaXJk"];

/// How many paths there have to be at least.
const FEWEST: usize = 50;

/// A file of a control repository with a secret behind every back end.
const FILES: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n\
         \x20 - name: Encrypted\n    lookup_key: eyaml_lookup_key\n    paths: [top.eyaml, low.eyaml]\n\
         \x20   options: {pkcs7_private_key: {keys}/private_key.pkcs7.pem, pkcs7_public_key: {keys}/public_key.pkcs7.pem}\n\
         \x20 - {name: Vault, lookup_key: vault}\n\
         \x20 - {name: Yaml, path: plain.yaml}\n\
         \x20 - {name: Json, data_hash: json_data, path: plain.json}\n\
         \x20 - {name: Hocon, data_hash: hocon_data, path: plain.conf}\n",
    ),
    ("hieratic.yaml", "version: 1\nbackends:\n  vault: {command: [sh, vault.sh], secret: true}\n"),
    (
        "vault.sh",
        "while read -r line; do\n  id=$(printf '%s' \"$line\" | sed 's/.*\"id\": *\\([0-9]*\\).*/\\1/')\n  case \"$line\" in\n    \
         *'\"key\":\"vault\"'*|*'\"key\": \"vault\"'*) printf '{\"id\": %s, \"value\": {\"token\": \"v-canarybird\"}}\\n' \"$id\" ;;\n    \
         *) printf '{\"id\": %s, \"not_found\": true}\\n' \"$id\" ;;\n  esac\ndone\n",
    ),
    (
        "plain.eyaml",
        "line: DEC::PKCS7[pw/canarybird \"q\" 'x']!\nblock: >\n  DEC::PKCS7[-----BEGIN canarybird-----\n  second canarybird line\n-----END-----]!\n\
         number: DEC::PKCS7[canarybird77]!\nlist: [open, \"DEC::PKCS7[l-canarybird]!\"]\n\
         hash: {user: admin, password: \"DEC::PKCS7[h-canarybird]!\"}\n\
         deep: {a: {secret: \"DEC::PKCS7[d-canarybird]!\", gone: 1}, l: [\"DEC::PKCS7[e-canarybird]!\"]}\n\
         double: DEC::PKCS7[%{facts.word} canarybird]!\nempty: DEC::PKCS7[%{nothing.x} canarybird]!\n\
         broken: DEC::PKCS7[%{lookup(\"x..y\")} canarybird]!\nm::pw: DEC::PKCS7[m-canarybird]!\n\
         blob: DEC::PKCS7[canarybird canarybird canarybird canarybird canarybird canarybird canarybird canarybird canarybird]!\n",
    ),
    (
        "low.plain",
        "hash: {token: \"DEC::PKCS7[t-canarybird]!\"}\ndeep: {a: {gone: 2, low: \"DEC::PKCS7[f-canarybird]!\"}, l: ['--open', x]}\n",
    ),
    (
        "data/plain.yaml",
        "lookup_options:\n  '^open_': {convert_to: Sensitive}\n  hash: {merge: hash}\n  deep: {merge: {strategy: deep, knockout_prefix: '--'}}\n\
         \x20 list: {merge: unique}\n  wrong: {convert_to: Integer}\n  number: {convert_to: [Sensitive]}\n  in_list: {convert_to: 'Array[Sensitive]'}\n\
         open_yaml: y-canarybird\nwrong: '%{lookup(\"line\")}'\nin_list: [i-canarybird]\n\
         text: 'user:%{lookup(\"line\")}@host'\nalias: '%{alias(\"hash\")}'\nalias_block: '%{alias(\"block\")}'\n\
         nested: '%{lookup(\"text\")}!'\npart: '%{lookup(\"hash.password\")}'\nvault_text: '%{lookup(\"vault.token\")}'\n\
         keyed: {'%{lookup(\"line\")}': 1}\nlist: [low]\ndeep: {l: [y]}\nhash: {more: 1}\nalias_open: '%{alias(\"open_yaml\")}'\n",
    ),
    ("data/plain.json", "{\"open_json\": \"j-canarybird\"}\n"),
    ("data/plain.conf", "open_hocon: \"o-canarybird\"\n"),
    ("t.epp", "<% $l = lookup('line') -%>\npassword=<%= $l %>\nurl=<%= $l.downcase %>\n<%= lookup('block') %>\n"),
    ("sensitive.epp", "password=<%= lookup('open_yaml') %>\n"),
    ("unwrapped.epp", "password=<%= lookup('open_yaml').unwrap %>\n"),
    (
        "t.j2",
        "{{ lookup('hiera', 'line') }} {{ lookup('hiera', 'line') | b64encode }} {{ lookup('hiera', 'hash') | to_json }}\n",
    ),
    (
        "escaped.j2",
        "{{ lookup('hiera', 'line') | e }} {{ lookup('hiera', 'line') | urlencode }}\n{{ lookup('hiera', 'block') | indent }}\n",
    ),
    ("tree.yaml", "name: root\n"),
    ("error.j2", "{{ lookup('hiera', 'line') + 1 }}\n"),
    (
        "t.tftpl",
        "${hiera(\"line\")} ${base64encode(hiera(\"line\"))} ${jsonencode(hiera(\"hash\"))} ${hiera(\"open_json\")}\n",
    ),
    (
        "job.nomad.hcl",
        "job \"j\" {\n  meta {\n    pw = hiera(\"line\")\n    pem = hiera(\"block\")\n    enc = base64encode(hiera(\"number\"))\n  }\n  group \"g\" {\n    \
         task \"t\" {\n      driver = \"raw_exec\"\n      env { PW = \"x-${hiera(\"open_json\")}\" }\n    }\n  }\n}\n",
    ),
    ("broken.nomad.hcl", "job \"j\" {\n  priority = hiera(\"line\")\n}\n"),
    ("requests.jsonl", "{\"language\": \"puppet\", \"code\": \"[lookup('line'), lookup('hash')]\"}\n"),
    ("hcl.jsonl", "{\"language\": \"hcl\", \"expr\": \"[hiera(\\\"line\\\"), hiera(\\\"hash\\\")]\"}\n"),
    ("unfurl.jsonl", "{\"language\": \"unfurl\", \"expr\": {\"eval\": {\"sensitive\": \"u-canarybird\"}}}\n"),
    ("types.jsonl", "{\"language\": \"puppet\", \"code\": \"type(lookup('line'))\"}\n"),
    ("repl.txt", "lookup('line')\nnotice(lookup('hash'))\n$x = lookup('line')\n$x + 1\n"),
];

/// How a path is asked for, with what is piped into it, and whether `--reveal` shows the secret there.
type Row = (&'static [&'static str], Option<&'static str>, bool);

const ROWS: &[Row] = &[
    // Single values of every back end and every way between keys.
    (&["lookup", "line", "--origins"], None, true),
    (&["lookup", "block", "--origins"], None, true),
    (&["lookup", "block", "--origins", "--render-as", "yaml"], None, true),
    (&["lookup", "number", "--each"], None, true),
    (&["lookup", "blob", "--each"], None, true),
    (&["lookup", "vault", "--origins"], None, true),
    (&["lookup", "vault", "--each", "--render-as", "s"], None, true),
    (&["lookup", "open_yaml", "--origins"], None, true),
    (&["lookup", "open_json", "--each"], None, true),
    (&["lookup", "open_hocon", "--origins", "--render-as", "json"], None, true),
    (&["lookup", "in_list", "--each"], None, false),
    (&["lookup", "text", "--origins"], None, true),
    (&["lookup", "nested", "--origins"], None, true),
    (&["lookup", "part", "--each"], None, true),
    (&["lookup", "alias", "--origins"], None, true),
    (&["lookup", "alias_block", "--each"], None, true),
    (&["lookup", "alias_open", "--origins"], None, true),
    (&["lookup", "vault_text", "--origins"], None, true),
    (&["lookup", "keyed", "--origins"], None, true),
    (&["lookup", "keyed", "--each", "--render-as", "json"], None, true),
    (&["lookup", "double", "--each", "--fact", "word=w"], None, true),
    (&["lookup", "empty", "--origins"], None, true),
    (&["lookup", "hash.password", "--origins"], None, true),
    // Merges.
    (&["lookup", "hash", "--origins"], None, true),
    (&["lookup", "hash", "--each", "--render-as", "json"], None, true),
    (&["lookup", "list", "--origins", "--render-as", "json"], None, true),
    (&["lookup", "deep", "--origins"], None, true),
    (&["lookup", "deep", "--each"], None, true),
    (&["lookup", "hash", "--merge", "deep", "--origins"], None, true),
    (&["lookup", "deep", "--merge", "deep", "--knock-out-prefix", "--", "--sort-merged-arrays", "--each"], None, true),
    (&["lookup", "nothing", "hash", "--strict-knockout", "--each"], None, true),
    // Everything at once.
    (&["lookup", "--all"], None, true),
    (&["lookup", "--all", "--render-as", "json"], None, true),
    (&["lookup", "--all", "--origins"], None, true),
    (&["lookup", "--all", "--origins", "--render-as", "yaml"], None, true),
    // Explanations.
    (&["lookup", "line", "--explain"], None, true),
    (&["lookup", "nested", "--explain"], None, true),
    (&["lookup", "deep", "--explain", "--render-as", "yaml"], None, true),
    (&["lookup", "hash", "--explain", "--render-as", "json"], None, true),
    (&["lookup", "open_yaml", "--explain"], None, true),
    (&["lookup", "vault", "--explain"], None, true),
    (&["lookup", "keyed", "--explain"], None, true),
    (&["lookup", "broken", "--explain"], None, true),
    (&["lookup", "line", "--why"], None, true),
    (&["lookup", "deep", "--why"], None, true),
    (&["lookup", "hash", "--why", "--render-as", "html"], None, true),
    (&["lookup", "text", "--why", "--render-as", "json"], None, true),
    (&["lookup", "open_yaml", "--why"], None, true),
    // Errors of the plain answer.
    (&["lookup", "line", "--type", "Integer"], None, false),
    (&["lookup", "hash", "--type", "Struct[{a => String}]", "--message-format", "json"], None, false),
    (&["lookup", "wrong"], None, false),
    (&["lookup", "wrong", "--message-format", "json"], None, false),
    (&["lookup", "broken"], None, false),
    (&["lookup", "line.x.y"], None, false),
    // The Puppet language.
    (&["eval", "-e", "lookup('line')"], None, true),
    (&["eval", "-e", "\"x${lookup('line')}y\""], None, true),
    (&["eval", "-e", "lookup('block')"], None, true),
    (&["eval", "-e", "lookup('block')", "--render-as", "yaml"], None, true),
    (&["eval", "-e", "lookup('block')", "--render-as", "s"], None, true),
    (&["eval", "-e", "lookup('blob')", "--render-as", "yaml"], None, true),
    (&["eval", "-e", "lookup('hash')", "--render-as", "json"], None, true),
    (&["eval", "-e", "lookup('line').upcase", "--render-as", "report"], None, true),
    (&["eval", "-e", "base64('encode', \"ab${lookup('hash')['password']}\")", "--render-as", "s"], None, true),
    (&["eval", "-e", "lookup('deep').to_json"], None, true),
    (&["eval", "-e", "[lookup('open_yaml')]", "--render-as", "yaml"], None, true),
    (&["eval", "-e", "lookup('open_yaml').unwrap"], None, true),
    (&["eval", "-e", "lookup('open_json').unwrap", "--render-as", "report"], None, true),
    (&["eval", "-e", "lookup('vault')['token']"], None, true),
    (&["eval", "-e", "Sensitive('y-canarybird')", "--render-as", "yaml"], None, true),
    (&["eval", "-e", "[Sensitive('y-canarybird')]", "--render-as", "report"], None, true),
    (&["eval", "-e", "notice(lookup('hash')) warning(lookup('line')) 1"], None, true),
    (&["eval", "-e", "err(lookup('block')) 1", "--render-as", "report"], None, true),
    (&["eval", "-e", "fail(lookup('line'))"], None, true),
    (&["eval", "-e", "lookup('line') + 1"], None, true),
    (&["eval", "-e", "fail(lookup('line'))", "--message-format", "json"], None, true),
    (&["eval", "-e", "assert_type(Integer, lookup('hash'))"], None, false),
    (&["eval", "-e", "assert_type(Enum[a], lookup('line'))", "--render-as", "report"], None, true),
    (&["eval", "-e", "type(lookup('list'))", "--render-as", "report"], None, false),
    (&["eval", "-e", "lookup('line', Integer)"], None, false),
    (&["eval", "--jsonl"], Some("requests.jsonl"), true),
    (&["eval", "--jsonl"], Some("types.jsonl"), false),
    (&["repl"], Some("repl.txt"), true),
    // Templates.
    (&["render", "t.epp"], None, true),
    (&["render", "sensitive.epp"], None, true),
    (&["render", "unwrapped.epp"], None, true),
    (&["render", "t.j2"], None, true),
    (&["render", "escaped.j2"], None, true),
    (&["render", "error.j2"], None, false),
    (&["render", "t.j2", "--tree", "tree.yaml"], None, true),
    (&["render", "t.tftpl"], None, true),
    // HCL and Nomad.
    (&["eval", "--language", "hcl", "-e", "hiera(\"line\")"], None, true),
    (&["eval", "--language", "hcl", "-e", "hiera(\"hash\")", "--render-as", "yaml"], None, true),
    (
        &["eval", "--language", "hcl", "-e", "{for k, v in hiera(\"hash\") : k => v}", "--render-as", "report"],
        None,
        true,
    ),
    (&["eval", "--language", "hcl", "-e", "hiera(\"line\") + 1"], None, false),
    (&["eval", "--language", "hcl", "--kind", "template", "-e", "x${hiera(\"line\")}", "--render-as", "s"], None, true),
    (&["eval", "--jsonl"], Some("hcl.jsonl"), true),
    (&["job", "job.nomad.hcl"], None, true),
    (&["job", "job.nomad.hcl", "--origins"], None, true),
    (&["job", "job.nomad.hcl", "--render-as", "report"], None, true),
    (&["job", "job.nomad.hcl", "--render-as", "yaml"], None, true),
    (&["job", "broken.nomad.hcl"], None, false),
    (&["job", "broken.nomad.hcl", "--render-as", "report"], None, false),
    // Unfurl.
    (&["eval", "--language", "unfurl", "-e", "{eval: {sensitive: u-canarybird}}"], None, true),
    (&["eval", "--language", "unfurl", "-e", "{eval: {sensitive: u-canarybird}}", "--render-as", "report"], None, true),
    (&["eval", "--language", "unfurl", "--kind", "template", "-e", "{{ lookup('hiera', 'line') }}"], None, true),
    (&["eval", "--jsonl"], Some("unfurl.jsonl"), true),
    // What looks at files and not at values.
    (&["check"], None, false),
    (&["check", "--message-format", "json"], None, false),
    (&["expand", "data/top.eyaml"], None, false),
    (&["expand", "data/top.eyaml", "--origins"], None, false),
];

fn set_up() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let keys = Path::new(env!("CARGO_MANIFEST_DIR")).join("../eyaml/tests/keys").canonicalize().unwrap();
    fs::create_dir(root.join("data")).unwrap();
    for (name, text) in FILES {
        fs::write(root.join(name), text.replace("{keys}", &keys.display().to_string())).unwrap();
    }
    for (plain, encrypted) in [("plain.eyaml", "data/top.eyaml"), ("low.plain", "data/low.eyaml")] {
        let key = keys.join("public_key.pkcs7.pem").display().to_string();
        let output = run(root, &["secret", "encrypt", "-e", plain, "--pkcs7-public-key", &key], None);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::write(root.join(encrypted), output.stdout).unwrap();
        fs::remove_file(root.join(plain)).unwrap();
    }
    folder
}

fn run(folder: &Path, arguments: &[&str], input: Option<&str>) -> Output {
    let input = input.map_or_else(Stdio::null, |name| fs::File::open(folder.join(name)).unwrap().into());
    Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .stdin(input)
        .output()
        .unwrap()
}

/// Runs a row, with or without `--reveal`; everything that it prints.
fn printed(folder: &Path, (arguments, input, _): &Row, reveal: bool) -> String {
    let mut arguments = arguments.to_vec();
    if !["secret", "check", "expand"].contains(&arguments[0]) {
        let here = folder.to_str().unwrap();
        arguments.extend(["--node", "web01.example.com", "--environment-dir", here]);
        if reveal {
            arguments.push("--reveal");
        }
    }
    let output = run(folder, &arguments, *input);
    [output.stdout, output.stderr].iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
}

/// Whether a part of a secret is in a text, in whatever clothes.
fn holds_secret(text: &str) -> bool {
    text.to_lowercase().contains(WORD) || CLOTHES.iter().any(|form| text.contains(form))
}

#[test]
fn nothing_of_a_secret_is_printed_unless_it_is_to_be_revealed() {
    let folder = set_up();
    assert!(ROWS.len() >= FEWEST, "{} paths", ROWS.len());
    let path = folder.path();
    // Most of a run is waiting for processes.
    let faults: Vec<String> = std::thread::scope(|scope| {
        let check = move |rows: &'static [Row]| rows.iter().flat_map(|row| faults(path, row)).collect::<Vec<_>>();
        let threads: Vec<_> =
            ROWS.chunks(ROWS.len().div_ceil(4)).map(|rows| scope.spawn(move || check(rows))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "{} of {} paths\n{}", faults.len(), ROWS.len(), faults.join("\n"));
}

/// What is wrong with a row.
fn faults(folder: &Path, row: &Row) -> Vec<String> {
    let mut faults = Vec::new();
    let masked = printed(folder, row, false);
    if holds_secret(&masked) {
        faults.push(format!("leaked: {:?} {:?}\n{masked}", row.0, row.1));
    }
    if masked.contains("unexpected argument") || masked.contains("invalid option") {
        faults.push(format!("misuse: {:?}\n{masked}", row.0));
    }
    let revealed = printed(folder, row, true);
    if row.2 && !holds_secret(&revealed) {
        faults.push(format!("not revealed: {:?} {:?}\n{revealed}", row.0, row.1));
    }
    faults
}

#[test]
fn the_plain_answer_is_what_was_asked_for() {
    let folder = set_up();
    for key in ["line", "hash", "text", "open_yaml"] {
        assert!(!holds_secret(&printed(folder.path(), &(&["lookup", "nothing"], None, true), false)));
        let output =
            run(folder.path(), &["lookup", key, "--environment-dir", ".", "--node", "web01.example.com"], None);
        assert!(holds_secret(&String::from_utf8_lossy(&output.stdout)), "{key}");
    }
}
