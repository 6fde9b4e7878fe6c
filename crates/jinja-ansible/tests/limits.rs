//! Whatever a template says ends in a value or an error, soon.

use hieratic_budget::Limits;
use hieratic_jinja::extend::minijinja::{Value, context};
use hieratic_jinja::{Budget, Engine, Files, Options, TemplateErrorKind};
use hieratic_jinja_ansible::engine;
use hieratic_sandbox::{Outside, Variables};

fn small() -> Engine {
    limited(Limits { steps: 200_000, depth: 100, ..Limits::default() })
}

fn limited(limits: Limits) -> Engine {
    engine(&Options { budget: Budget::new(limits), ..Options::default() })
}

#[test]
fn excessive_backtracking_is_an_error() {
    let back =
        "{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!1' | regex_search('((a+)+\\2)+[0-9]') }}";
    let error = small().render(back, context! {}).expect_err("a fault");
    assert!(error.message.contains("goes back too often"));
}

#[test]
fn circular_values_are_an_error() {
    let circular = "{% set l = [] %}{% set _ = l.append(l) %}{{ l | to_json }}";
    let error = small().render(circular, context! {}).expect_err("a fault");
    assert!(error.message.contains("too deeply"));
}

#[test]
fn only_allowed_files_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/jinja/tree");
    let engine_of = |files| engine(&Options { base: folder.into(), files, ..Options::default() });
    let (none, base) = (Options::default().files, Files::below([folder]));
    let lookup = "{{ lookup('file', 'f.txt') }}";
    assert_eq!(engine_of(base.clone()).render(lookup, context! {}).expect("the file").as_str(), Some("file text"));
    let denied = |files: &Files, template: &str| {
        engine_of(files.clone()).render(template, context! {}).expect_err("a fault").message
    };
    assert!(denied(&none, lookup).contains("cannot be read"));
    for outside in ["{{ lookup('file', '../cases.jsonl') }}", "{{ lookup('file', '/etc/passwd') }}"] {
        assert!(denied(&base, outside).contains("outside"), "{outside}");
    }
    assert!(denied(&base, "{{ '/etc/passwd' is exists }}").contains("outside"));
    assert!(denied(&base, "{{ '/etc/no-such-file' is exists }}").contains("outside"));
    assert!(denied(&base, "{% include '../README.md' %}").contains("README.md"));
    // A device is never read, whatever may be.
    let all = base.with_outside(Outside::Always);
    assert!(denied(&all, "{{ lookup('file', '/dev/zero') }}").contains("regular file"));
    let exists = engine_of(all).render("{{ '/etc/passwd' is exists }}", context! {}).expect("an answer");
    assert_eq!(exists, Value::from(true));
}

#[test]
fn only_given_environment_variables_are_visible() {
    assert!(std::env::var_os("PATH").is_some());
    let path = |engine: &Engine| engine.render("{{ lookup('env', 'PATH') }}", context! {}).expect("a text").to_string();
    assert_eq!(path(&small()), "");
    let env = [("PATH".to_string(), "/given".to_string())].into_iter().collect();
    assert_eq!(path(&engine(&Options { env, ..Options::default() })), "/given");
}

#[test]
fn a_hidden_variable_of_the_environment_is_an_error() {
    let engine = engine(&Options { env: Variables::hidden(), ..Options::default() });
    for template in [
        "{{ lookup('env', 'HOME') }}",
        "{{ lookup('env', 'HOME', default='/root') }}",
        "{{ lookup('env', 'HOME', errors='ignore') }}",
        "{{ lookup('env', 'HOME') | default('x', true) }}",
        "{{ '~/x' | expanduser }}",
        "{{ '$HOME/x' | expandvars }}",
    ] {
        let error = engine.render_text("t", template, context! {}).expect_err(template);
        assert!(error.message.contains("'HOME' cannot be read"), "{template}: {}", error.message);
        assert!(error.help.expect("help").contains("--allow-outside"), "{template}");
    }
    for template in ["{{ '/x' | expanduser }}", "{{ '$/x' | expandvars }}"] {
        engine.render_text("t", template, context! {}).expect(template);
    }
}

#[test]
fn an_unsupported_lookup_cannot_be_ignored() {
    for template in ["{{ lookup('pipe', 'id', errors='ignore') }}", "{{ query('url', 'http://x', errors='warn') }}"] {
        let error = small().render_text("t", template, context! {}).expect_err(template);
        assert!(error.message.contains("is not supported"), "{template}: {}", error.message);
    }
}

#[test]
fn patterns_of_files_outside_are_errors() {
    let files = Files::below([concat!(env!("CARGO_MANIFEST_DIR"), "/tests")]);
    let engine = engine(&Options { files, ..Options::default() });
    for template in ["{{ query('fileglob', '/etc/*.conf') }}", "{{ '/etc/pass*' | fileglob }}"] {
        let error = engine.render_text("t", template, context! {}).expect_err(template);
        assert!(error.message.contains("outside"), "{template}: {}", error.message);
    }
}

#[test]
fn combinations_of_all_items_are_one() {
    let count = "{{ range(100000) | combinations(100000) | list | length }}";
    assert_eq!(engine(&Options::default()).render(count, context! {}).expect("a number"), Value::from(1));
}

/// The value of a template as text, or what it fails with.
fn failure_or(template: &str) -> String {
    small().render(template, context! {}).map_or_else(|error| error.message, |value| value.to_string())
}

#[test]
fn costly_operations_are_charged_in_advance() {
    for template in [
        "{{ 'x' | password_hash('sha512', 'abcdefgh', rounds=900000000) }}",
        "{{ 'x' | password_hash('blowfish', rounds=31) }}",
        "{% for i in range(99) %}{{ 'x' | vault('y') }}{% endfor %}",
        "{% for i in range(9999) %}{{ 9 | random(seed=i) }}{% endfor %}",
    ] {
        let error = small().render(template, context! {}).expect_err("a fault");
        assert_eq!(error.kind, TemplateErrorKind::Limit, "{template}: {error}");
    }
}

#[test]
fn encrypted_data_needs_the_same_password() {
    let vaulted = "{% set v = 'secret é' | vault('pw') %}";
    assert_eq!(failure_or(&format!("{vaulted}{{{{ v | unvault('pw') }}}}")), "secret é");
    assert!(failure_or(&format!("{vaulted}{{{{ v | unvault('no') }}}}")).contains("Unable to decrypt"));
    assert!(failure_or("{{ '$ANSIBLE_VAULT;1.1;AES256\\n00' | unvault('no') }}").contains("Unable to decrypt"));
}

#[cfg(target_os = "linux")]
#[test]
fn mounts_are_detected_only_for_accessible_files() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("a")).expect("a folder");
    let requested = |files: Files, path: &str| {
        let engine = engine(&Options { base: folder.path().into(), files, ..Options::default() });
        let answer = engine.render(&format!("{{{{ '{path}' is mount }}}}"), context! {});
        answer.map(|answer| answer.is_true()).map_err(|error| error.message)
    };
    let inside = || Files::below([folder.path()]);
    assert_eq!(requested(inside(), "a"), Ok(false));
    assert_eq!(requested(inside(), "none"), Ok(false));
    // Neither the root nor the folder around the allowed one may be looked at.
    assert!(requested(inside(), "/").is_err() && requested(inside(), folder.path().to_str().expect("a name")).is_err());
    let anywhere = || Files::below([folder.path()]).with_outside(Outside::Always);
    assert_eq!(requested(anywhere(), "/"), Ok(true));
    assert_eq!(requested(anywhere(), folder.path().to_str().expect("a name")), Ok(false));
}

#[test]
fn doubling_or_deeply_nested_queries_end() {
    let doubled = format!("@{}", "|[@,@][]".repeat(200));
    let squared = format!("@{}", "|[@,@]".repeat(100));
    let query = |expression: &str| format!("{{{{ [1, 2] | json_query('{expression}') }}}}");
    let limit = |expression: &str| {
        let error = small().render(&query(expression), context! {}).expect_err("a fault");
        assert_eq!(error.kind, TemplateErrorKind::Limit, "{}: {error}", &expression[..20]);
    };
    limit(&doubled);
    // What is shared is small; to print it is not.
    limit(&format!("to_string({squared})"));
    limit(&"(".repeat(100_000));
    limit(&"!".repeat(100_000));
    let chain = |operator: &str| failure_or(&query(&format!("a{}", operator.repeat(50_000))));
    assert!(chain("||a").contains("nests deeper than 1000 levels"));
    assert!(chain("[]").contains("nests deeper than 1000 levels"));
    assert_eq!(chain(".a"), "None");
    assert!(
        failure_or(&query("a[0"))
            .starts_with("JMESPathError in json_query filter plugin:\nInvalid jmespath expression: Incomplete")
    );
    assert!(failure_or(&query("lenght(@)")).ends_with("Unknown function: lenght(); did you mean 'length'?"));
}

/// What makes much of little draws from the budget, whatever makes it.
#[test]
fn growing_values_reach_a_limit() {
    let templates = [
        "{% set ns = namespace(s={'a': 1}) %}{% for i in range(99) %}\
         {% set ns.s = ns.s | combine({'b': ns.s, 'c': ns.s}, recursive=true) %}{% endfor %}{{ ns.s }}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}\
         {% set ns.s = ({'a': ns.s} | combine({'a': ns.s + [2]}, list_merge='append')).a %}{% endfor %}",
        "{{ ('x' * 9999) | regex_replace('', 'y' * 9999) }}",
        "{{ ('a\n' * 9999) | comment(decoration='x' * 9999) }}",
        "{{ 'a' | comment(prefix='x' * 99999, prefix_count=999) }}",
        "{{ range(999) | product(range(999)) | list }}",
        "{{ [1] | product(*([[1]] * 9999)) | list }}",
        "{{ range(64) | combinations(32) | list }}",
        "{{ range(12) | permutations | list }}",
        "{{ ([1] * 9999) | zip_longest(*([[]] * 9999)) | list }}",
        "{{ ([[1] * 999] * 999) | flatten }}",
        "{{ lookup('sequence', 'end=9999 format=%09999d') }}",
        "{{ query('nested', [1] * 999, [1] * 999) }}",
        "{{ query('together', *([[1] * 999] * 999)) }}",
        "{{ ([['x' * 999] * 999] * 99) | to_json }}",
        "{{ ([['x' * 999] * 999] * 99) | to_nice_yaml }}",
        "{% set a = range(9999) | list %}{{ a | union(a | map('string') | map('list') | list) }}",
        "{% for i in range(9999) %}{{ i ~ 'x' is regex('(\\\\w+' ~ i ~ ')') }}{% endfor %}",
        "{% for i in range(99999) %}{{ ('a ' * 9999) | title | length }}{% endfor %}",
        "{% for i in range(99999) %}{{ ('a ' * 9999) | wordcount }}{% endfor %}",
        "{% for i in range(99999) %}{{ ('a' * 9999)[::-1] | length }}{% endfor %}",
        "{% set ns = namespace(a=[1], b=[1]) %}{% for i in range(60) %}{% set ns.a = [ns.a, ns.a] %}\
         {% set ns.b = [ns.b, ns.b] %}{% endfor %}{{ ns.a == ns.b }}",
        "{% set ns = namespace(a=[1]) %}{% for i in range(60) %}{% set ns.a = [ns.a, ns.a] %}{% endfor %}{{ ns.a | to_json }}",
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}",
        "{% macro f() %}{% call f() %}{{ caller() }}{% endcall %}{% endmacro %}{% call f() %}x{% endcall %}",
        "{% for a in [1, 2] recursive %}{{ loop([1, 2]) }}{% endfor %}",
        "{% block a %}{{ self.a() }}{% endblock %}",
        "{{ ('a' * 500) | password_hash('sha512', rounds=999999999) }}",
    ];
    for template in templates {
        let engine = limited(Limits { steps: 400_000, bytes: 2_000_000, depth: 100, ..Limits::default() });
        let error = match engine.render_text("t", template, context! {}) {
            Ok(text) => panic!("{template} gave {} bytes", text.len()),
            Err(error) => error,
        };
        assert_eq!(error.kind, TemplateErrorKind::Limit, "{template}: {error}");
        assert!(error.help.is_some_and(|help| help.contains("--limit")), "{template}");
    }
}
