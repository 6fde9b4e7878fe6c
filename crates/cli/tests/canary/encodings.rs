//! A secret in every encoding that a language has a function for, as keys of hashes, and where texts are cut.

use std::fs;

use crate::repository::{Repository, run};

/// A secret of letters that nothing else has, with everything in it that is escaped somewhere.
const SECRET: &str = "Zêbrä <&'>\" $q{%x%} ^`Qwäzzle\\w#+~";

/// Words of it, which no encoding may leave over.
const WORDS: [&str; 3] = ["zêb", "wäzz", "zzle"];

const PUPPET: &[&str] = &[
    "$s.upcase",
    "$s.downcase",
    "$s.capitalize",
    "[$s, [$s]]",
    "{ $s => 1 }",
    "{ \"a-${s}\" => { $s.upcase => $s } }",
    "String.new($s, '%p')",
    "String.new([$s], '%#p')",
    "\"${[$s]}\"",
    "$s.split(' ')[0,9].join(' ')",
    "$s.regsubst('(\\W)', '\\\\\\\\\\1', 'G')",
    "$s.regsubst('\"', '\"\"', 'G')",
    "$s.regsubst('[$]', '$$', 'G')",
    "$s.regsubst('\\W', '.', 'G')",
    "Regexp[$s.regsubst('\\W', '.', 'G')]",
    "shellquote($s)",
    "shellquote(['echo', $s])",
    "shell_escape($s)",
    "batch_escape($s)",
    "powershell_escape($s)",
    "regexpescape($s)",
    "uriescape($s)",
    "to_json($s)",
    "to_json({ $s => $s })",
    "to_json(to_json([$s]))",
    "to_json_pretty([$s])",
    "to_yaml($s)",
    "to_yaml({ $s => [$s] })",
    "to_ruby([$s])",
    "to_python([$s])",
    "to_toml({ 'a' => $s })",
    "base64('encode', $s)",
    "base64('encode', \"user:${s}@host\", 'urlsafe')",
    "base64('encode', \"user:${s}@host and more, so that lines are broken here and there\", 'default')",
    "base64('encode', to_json([$s]), 'strict')",
    "base64('encode', base64('encode', $s))",
    "inline_epp('<%= $x.to_json %>', { 'x' => $s })",
    "Enum[$s]",
    "Pattern[regexpescape($s)]",
    "type($s)",
    "Error($s)",
    "Binary.new($s, '%s')",
    "fail(\"no ${s}\")",
    "fail(to_json($s))",
    "notice(to_yaml([$s]))",
    "$s + 1",
    "Integer($s)",
    "assert_type(Integer, $s)",
];

const JINJA: &[&str] = &[
    "s",
    "s | upper",
    "s | title",
    "s | capitalize",
    "s | tojson",
    "s | to_json",
    "{s: [s]} | to_json",
    "[s] | to_nice_json",
    "[s] | to_json | to_json",
    "[s] | to_yaml",
    "{s: s} | to_nice_yaml",
    "s | e",
    "s | e | e",
    "{'a': s} | xmlattr",
    "s | quote",
    "s | regex_escape",
    "s | urlencode",
    "{'a': s} | urlencode",
    "s | b64encode",
    "('user:' ~ s) | b64encode",
    "[s] | to_json | b64encode",
    "s | b64encode(encoding='utf-16-le')",
    "s | comment",
    "('before ' ~ s ~ ' behind') | wordwrap(12)",
    "s | indent(8, true)",
    "s | reverse",
    "[s]",
    "{s: 1}",
    "s | replace(\"'\", \"''\")",
];

const HCL: &[&str] = &[
    "local",
    "upper(local)",
    "title(local)",
    "strrev(local)",
    "jsonencode(local)",
    "jsonencode({(local) = [local]})",
    "jsonencode(jsonencode([local]))",
    "yamlencode(local)",
    "yamlencode({(local) = [local]})",
    "urlencode(local)",
    "base64encode(local)",
    "base64encode(\"user:${local}@host\")",
    "base64encode(jsonencode([local]))",
    "format(\"%q\", local)",
    "replace(local, \"$\", \"$$\")",
    "replace(local, \"/([^a-z])/\", \"\\\\$1\")",
    "join(\"\\n\", split(\" \", local))",
    "indent(4, local)",
    "{(local) = 1}",
    "[local]",
    "[for c in [local] : jsonencode(c)]",
    "parseint(local, 10)",
    "local + 1",
];

fn repository() -> Repository {
    let repository = Repository::new();
    let data = repository.root().join("data/plain.yaml");
    let text = fs::read_to_string(&data).unwrap();
    let quoted = SECRET.replace('\'', "''");
    fs::write(&data, format!("{text}open_odd: '{quoted}'\n")).unwrap();
    let key = concat!(env!("CARGO_MANIFEST_DIR"), "/../crypto/tests/keys/public_key.pkcs7.pem");
    let encrypt = ["secret", "encrypt", "-s", SECRET, "-o", "string", "-l", "odd", "--pkcs7-public-key", key];
    let encrypted = run(&repository.root(), &encrypt, None);
    assert!(encrypted.status.success(), "{}", String::from_utf8_lossy(&encrypted.stderr));
    let low = repository.root().join("data/low.eyaml");
    let text = fs::read_to_string(&low).unwrap();
    let encrypted = String::from_utf8(encrypted.stdout).unwrap();
    let hash = format!("odd_hash:\n  a: {}\n", encrypted.trim().strip_prefix("odd: ").unwrap());
    fs::write(&low, format!("{text}\n{encrypted}{hash}")).unwrap();
    repository
}

/// The pieces of base 64 and of hexadecimal digits that only the secret can have given: those of `Qwäzzle` behind none, one
/// and two other bytes.
const ENCODED: [&str; 4] = ["pHp6b", "w6R6em", "d8Okenps", "5177c3a47a7a6c65"];

fn leaks(printed: &str) -> bool {
    let lower = printed.to_lowercase();
    let backwards: String = lower.chars().rev().collect();
    let plain = |text: &str| WORDS.iter().any(|word| text.contains(word));
    // Escapes of letters only stand for themselves.
    let escaped = ["z\\u00eab", "z%c3%aab", "w%c3%a4zz", "w\\u00e4zz", "w\\xe4zz", "w\\xc3\\xa4zz"];
    plain(&lower)
        || plain(&backwards)
        || escaped.iter().any(|form| lower.contains(form))
        || ENCODED.iter().any(|piece| printed.contains(piece))
}

fn check(requested: impl Fn(bool) -> String, name: &str, shows: &mut usize) -> Option<String> {
    let masked = requested(false);
    *shows += usize::from(leaks(&requested(true)));
    let misused = ["unexpected argument", "panicked", "Unknown function", "unknown function", "No filter"];
    (leaks(&masked) || misused.iter().any(|sign| masked.contains(sign))).then(|| format!("{name}: {masked}"))
}

fn every(language: &str, expressions: &[&str], arguments: impl Fn(&str) -> Vec<String>) {
    let repository = repository();
    let (mut faults, mut shows) = (Vec::new(), 0);
    for expression in expressions {
        let requested = |reveal: bool| {
            let mut arguments = arguments(expression);
            if reveal {
                arguments.push("--reveal".into());
            }
            let (answer, messages) = repository.ask(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
            answer + &messages
        };
        faults.extend(check(requested, expression, &mut shows));
    }
    assert!(faults.is_empty(), "{language}: {}", faults.join("\n"));
    // What is looked for is really there when it is shown.
    assert!(shows * 3 > expressions.len() * 2, "{language}: {shows} of {}", expressions.len());
}

#[test]
fn the_puppet_language_encodes_nothing_away() {
    every("puppet", PUPPET, |expression| {
        let code = format!("$s = lookup('open_odd').unwrap\n{expression}");
        ["eval", "-e", &code, "--render-as", "s"].map(str::to_owned).to_vec()
    });
}

#[test]
fn templates_encode_nothing_away() {
    let repository = repository();
    let (mut faults, mut shows) = (Vec::new(), 0);
    for expression in JINJA {
        let template = format!("{{% set s = lookup('hiera', 'odd') %}}{{{{ {expression} }}}}\n");
        fs::write(repository.root().join("odd.j2"), template).unwrap();
        let requested = |reveal: bool| {
            let flag: &[&str] = if reveal { &["--reveal"] } else { &[] };
            let (answer, messages) = repository.ask(&[&["render", "odd.j2"], flag].concat());
            answer + &messages
        };
        faults.extend(check(requested, expression, &mut shows));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(shows * 3 > JINJA.len() * 2, "{shows} of {}", JINJA.len());
}

#[test]
fn hcl_encodes_nothing_away() {
    every("hcl", HCL, |expression| {
        let code = expression.replace("local", "hiera(\"odd\")");
        ["eval", "--language", "hcl", "-e", &code].map(str::to_owned).to_vec()
    });
}

#[test]
fn values_are_redacted_before_they_are_cut() {
    let repository = repository();
    let root = repository.root();
    let literal = format!("{} {}", "a".repeat(990), SECRET.replace(['\\', '\''], ""));
    let long = format!("$s = lookup('open_odd')\n$x = '{literal}' + 1");
    for width in ["40", "43", "47", "60", "80"] {
        for arguments in [
            vec!["lookup", "open_odd", "--why"],
            vec!["lookup", "odd", "--why"],
            vec!["lookup", "odd_hash", "--why", "--merge", "deep"],
            vec!["eval", "-e", "$s = lookup('odd') $s + 1"],
            vec!["eval", "-e", &long],
            vec!["eval", "-e", "$s = lookup('odd') fail(\"${s[0,12]}\u{1b}${s}\")"],
        ] {
            let output = std::process::Command::new(env!("CARGO_BIN_EXE_hieratic"))
                .args(&arguments)
                .args(["--node", "n", "--environment-dir", "."])
                .env("COLUMNS", width)
                .current_dir(&root)
                .output()
                .unwrap();
            let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            assert!(!WORDS[1..].iter().any(|word| printed.to_lowercase().contains(word)), "{arguments:?}: {printed}");
        }
    }
}
