//! What code makes of a secret, and no search can find it in: hashes, parts, other letters.

use std::fs;

use crate::repository::Repository;

const COVER: &str = "Sensitive [value redacted]";

/// Expressions over `s`, a secret text, and `n`, a secret number.
const PUPPET: &[&str] = &[
    "md5($s)",
    "sha256($s)",
    "sha1(\"salt${s}\")",
    "pw_hash($s, 'SHA-512', 'salt')",
    "fqdn_rand_string(12, '', $s)",
    "$s[3, 9]",
    "$s.regsubst('[aeiou]', '.', 'G')",
    "$s.sha256[0, 8]",
    "$s ? { /canary(.*)/ => $1 }",
    "($s =~ /(.+)bird(.*)/) ? { true => \"${1}\", default => '' }",
    "$s.swapcase.regsubst('A', '@', 'G')",
    "str2saltedsha512($s)",
    "seeded_rand_string(10, $s)",
    "\"x\".then |$_| { md5($s) }",
    "epp_free($s)",
    "$s.split('').join('.')",
    "$s.split('')[2, 7].join('')",
    "$s.split('').filter |$c| { $c != 'c' }.join('')",
    "$s.split('').map |$c| { $c.upcase }.join('.')",
    "$s.split('').sort.join('')",
    "$s.split('').unique.join('')",
    "\"${s.split('')}\"",
];

const JINJA: &[&str] = &[
    "s | hash('sha256')",
    "s | md5",
    "s | sha1",
    "s[3:]",
    "s[2:9]",
    "s | regex_replace('[aeiou]', '.')",
    "s.replace('a', '@')",
    "s | checksum",
    "[s] | map('hash', 'md5') | first",
    "s | truncate(9, true, '')",
    "'%.6s' % s",
    "'%x' % (n | int)",
    "(n | int) + 1",
    "(n | int) * 3",
    "s | list | join('.')",
    "s | sort | join",
    "s | map('upper') | join('-')",
    "s | reverse | list | join('-')",
    "s | combinations(4) | first | join",
    "s | unique | join",
    "s | select('in', 'canary') | join",
    "s | reject('in', 'c') | list | join('')",
    "s | list | shuffle(seed=1) | join('')",
    "'-'.join(s)",
    "(s | list)[2:9] | join('.')",
    "(s | list)[2:9] | join('')",
    "((s | list) + [namespace()])[:-1] | join('-')",
    "([namespace()] + [s])[1:] | map('upper') | first",
];

/// What a template prints as one text, and an expression returns as several.
const PRINTED: &[&str] = &[
    "s | list",
    "s.encode('utf-8') | list",
    "s | batch(4) | list",
    "s | slice(3) | list",
    "(s | permutations(2) | list)[:4]",
    "(s | product(s) | list)[:4]",
    "s | zip(s) | list",
    "s | groupby(0) | list",
    "s | list | tojson",
    "\"\" ~ (s | list)",
];

/// Templates over the same.
const TEMPLATES: &[&str] = &[
    "{% for c in s %}{{ c }}.{% endfor %}",
    "{% for c in s | list %}{{ c | upper }}-{% endfor %}",
    "{% for c in s if c != 'c' %}{{ c }}{% endfor %}",
    "{% set x %}{% for c in s %}{{ c }}.{% endfor %}{% endset %}{{ x }}",
    "{% macro m(x) %}{% for c in x %}{{ c }}.{% endfor %}{% endmacro %}{{ m(s) }}",
];

const HCL: &[&str] = &[
    "md5(local)",
    "sha256(\"salt${local}\")",
    "substr(local, 3, 9)",
    "replace(local, \"/[aeiou]/\", \".\")",
    "bcrypt(local, 4)",
    "uuidv5(\"dns\", local)",
    "trimprefix(local, \"cana\")",
    "join(\".\", split(\"\", local))",
    "join(\"\", slice(split(\"\", local), 0, 6))",
    "join(\"\", [for c in split(\"\", local) : c if c != \"c\"])",
    "join(\"\", sort(split(\"\", local)))",
    "jsonencode(split(\"\", local))",
    "\"%{for c in split(\"\", local)}${c}.%{endfor}\"",
];

/// Whether a secret is covered, and only then.
fn is_covered(repository: &Repository, arguments: &[&str]) -> Result<(), String> {
    let masked = repository.ask(arguments).0;
    let shown = repository.ask(&[arguments, &["--reveal"]].concat()).0;
    let fine = masked.trim().trim_matches(['\'', '"']) == COVER && !shown.contains(COVER) && shown.trim().len() > 3;
    if fine { Ok(()) } else { Err(format!("{arguments:?}: {masked:?} instead of {shown:?}")) }
}

fn none(faults: impl Iterator<Item = Result<(), String>>) {
    let faults: Vec<String> = faults.filter_map(Result::err).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_puppet_language_is_followed() {
    let repository = Repository::new();
    let root = repository.root();
    fs::create_dir_all(root.join("functions")).unwrap();
    let function = "function environment::free(String $s) >> String { $s.regsubst('.$', '').md5 }\n";
    fs::write(root.join("functions/free.pp"), function).unwrap();
    none(PUPPET.iter().map(|expression| {
        let expression = expression.replace("epp_free", "environment::free");
        let code = format!("$s = lookup('number').unwrap\n{expression}");
        is_covered(&repository, &["eval", "-e", &code])
    }));
}

#[test]
fn templates_are_followed() {
    let repository = Repository::new();
    let expressions = JINJA.iter().chain(PRINTED).map(|expression| format!("{{{{ {expression} }}}}"));
    none(expressions.chain(TEMPLATES.iter().map(ToString::to_string)).map(|expression| {
        let template = format!(
            "{{% set s = lookup('hiera', 'hash').password %}}{{% set n = lookup('hiera', 'digits') %}}{expression}\n"
        );
        fs::write(repository.root().join("one.j2"), template).unwrap();
        is_covered(&repository, &["render", "one.j2"])
    }));
}

/// Expressions of Unfurl in which `SECRET` looks up a secret.
const UNFURL: &[&str] = &[
    "{eval: {to_label: SECRET, case: upper, max: 10}}",
    "{eval: {to_dns_label: [SECRET, x], max: 12}}",
    "{eval: {token: [SECRET, c, 1]}}",
    "{eval: {template: '{{ w | md5 }}'}, vars: {w: SECRET}}",
];

#[test]
fn expressions_of_unfurl_are_followed() {
    let repository = Repository::new();
    let ask =
        |code: &str, kind: &str| is_covered(&repository, &["eval", "--language", "unfurl", "--kind", kind, "-e", code]);
    let functions = UNFURL.iter().map(|code| ask(&code.replace("SECRET", "{eval: {lookup: {hiera: line}}}"), "expr"));
    let filters = JINJA.iter().map(|expression| {
        let template = format!(
            "{{% set s = lookup('hiera', 'hash').password %}}{{% set n = lookup('hiera', 'digits') %}}{{{{ {expression} }}}}"
        );
        ask(&template, "template")
    });
    none(functions.chain(filters));
}

#[test]
fn hcl_is_followed() {
    let repository = Repository::new();
    none(HCL.iter().map(|expression| {
        let code = expression.replace("local", "hiera(\"number\")");
        is_covered(&repository, &["eval", "--language", "hcl", "-e", &code])
    }));
}

#[test]
fn jobs_are_followed() {
    let repository = Repository::new();
    let job = "job \"j\" {\n  meta {\n    hash = md5(hiera(\"number\"))\n    part = substr(hiera(\"number\"), 2, 8)\n    open = md5(\"one\")\n  }\n  \
               group \"g\" {\n    task \"t\" { driver = \"docker\" }\n  }\n}\n";
    fs::write(repository.root().join("j.nomad.hcl"), job).unwrap();
    let printed = repository.ask(&["job", "j.nomad.hcl"]).0;
    let open = "f97c5d29941bfb1b2fdab0874906ab82";
    assert!(printed.contains(open), "{printed}");
    assert_eq!(printed.matches(COVER).count(), 2, "{printed}");
}
