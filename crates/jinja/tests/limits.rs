//! Whatever a template says ends in a value or an error, soon.

use hieratic_jinja::minijinja::{Error, ErrorKind, Value, context};
use hieratic_jinja::{Budget, Engine, Extensions, FaultKind, Files, Options, to_value};
use hieratic_powers::{Limits, Outside};
use proptest::prelude::*;

fn small() -> Engine {
    limited(Limits { steps: 200_000, depth: 100, ..Limits::default() })
}

fn limited(limits: Limits) -> Engine {
    Engine::new(&Options { budget: Budget::new(limits), ..Options::default() })
}

/// Pieces that templates are made of.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "-",
        "+",
        "for",
        "in",
        "if",
        "else",
        "endif",
        "endfor",
        "set",
        "endset",
        "macro",
        "endmacro",
        "call",
        "endcall",
        "filter",
        "endfilter",
        "block",
        "endblock",
        "raw",
        "endraw",
        "x",
        "y",
        "l",
        "d",
        "loop",
        "caller",
        " ",
        "\n",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        ".",
        "|",
        "~",
        "*",
        "**",
        "/",
        "//",
        "%",
        "==",
        "<",
        "not",
        "is",
        "and",
        "or",
        "defined",
        "'a'",
        "\"",
        "'",
        "\\",
        "1",
        "2.5",
        "9999999999999999999999",
        "upper",
        "join",
        "map",
        "default",
        "list",
        "to_yaml",
        "to_json",
        "regex_replace",
        "format",
        "range",
        "namespace",
        "append",
        "split",
        "super",
    ];
    prop_oneof![4 => prop::sample::select(pieces.to_vec()).prop_map(str::to_string), 1 => ".{0,3}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_text_is_too_much(pieces in prop::collection::vec(piece(), 0..24), between in "[ ]{0,1}") {
        let template = pieces.join(&between);
        let variables = context! { x => 5, y => "text", l => vec![1, 2], d => context! { a => 1 } };
        let _ = small().render(&template, variables.clone());
        let _ = small().render_text("t", &template, variables);
    }

    #[test]
    fn no_expression_is_too_much(pieces in prop::collection::vec(piece(), 0..12)) {
        let template = format!("{{{{ {} }}}}", pieces.join(" "));
        let _ = small().render(&template, context! { x => 5, y => "text", l => vec![1, 2], d => context! { a => 1 } });
    }

    #[test]
    fn texts_without_braces_are_themselves(text in "[a-z0-9 '\\[\\],.:]{0,20}") {
        let rendered = small().render(&text, context! {}).expect("it does not exist to fail");
        prop_assert_eq!(rendered.as_str(), Some(text.trim()));
    }

    #[test]
    fn texts_stay_what_they_are_as_variables(text in "[ -~]{0,20}") {
        let rendered = small().render("{{ [x] }}", context! { x => text.clone() }).expect("a list");
        let list = to_value(&rendered).expect("a list is data");
        prop_assert_eq!(list, [hieratic_value::Value::from(text)].into_iter().collect());
    }
}

/// What a template fails with.
fn failure(template: &str) -> String {
    match small().render(template, context! {}) {
        Ok(value) => panic!("{template} gave {value}"),
        Err(fault) => fault.message,
    }
}

#[test]
fn hostile_templates_end_in_an_error() {
    let loops = "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}";
    assert!(failure(loops).contains("does too much"));
    assert!(failure("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}").contains("recursion"));
    assert!(failure("{{ 'x' * 100000000000 }}").contains("too long"));
    assert!(failure("{{ 10 ** (10 ** 10) }}").contains("too large"));
    assert!(failure("{{ range(10 ** 12) }}").contains("too long"));
    assert!(failure(&format!("{{{{ {}1{} }}}}", "(".repeat(5000), ")".repeat(5000))).contains("levels deep"));
    assert!(failure(&format!("{{{{ {}1 }}}}", "not ".repeat(5000))).contains("levels deep"));
    assert!(failure(&format!("{{{{ 1{} }}}}", " + 1".repeat(5000))).contains("operators in a row"));
    let back = "{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | regex_search('(?=a)(a+)+\\1$') }}";
    assert!(failure(back).contains("goes back too often"));
    assert!(failure("{{ '%99999999d' % 1 }}").contains("too large"));
}

#[test]
fn deep_and_circular_values_are_dropped_and_told() {
    let nest = "{% set ns = namespace(x=[]) %}{% for i in range(8000) %}{% set ns.x = [ns.x] %}{% endfor %}";
    assert_eq!(small().render(&format!("{nest}{{{{ 1 }}}}"), context! {}).expect("a number"), Value::from(1));
    assert!(failure(&format!("{nest}{{{{ ns.x | string }}}}")).contains("levels deep"));
    let double = "{% set ns = namespace(x=[1]) %}{% for i in range(90) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}";
    assert!(failure(&format!("{double}{{{{ ns.x == [ns.x] or ns.x }}}}")).contains("too"));
    assert!(failure("{% set l = [] %}{% set _ = l.append(l) %}{{ l | to_json }}").contains("too deeply"));
}

#[test]
fn files_are_read_where_it_is_allowed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/jinja/tree");
    let engine = |files| Engine::new(&Options { base: folder.into(), files, ..Options::default() });
    let (none, base) = (Options::default().files, Files::below([folder]));
    let lookup = "{{ lookup('file', 'f.txt') }}";
    assert_eq!(engine(base.clone()).render(lookup, context! {}).expect("the file").as_str(), Some("file text"));
    let denied = |files: &Files, template: &str| {
        engine(files.clone()).render(template, context! {}).expect_err("a fault").message
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
    let exists = engine(all).render("{{ '/etc/passwd' is exists }}", context! {}).expect("an answer");
    assert_eq!(exists, Value::from(true));
}

#[test]
fn only_variables_of_the_environment_that_are_handed_down_are_seen() {
    assert!(std::env::var_os("PATH").is_some());
    let path = |engine: &Engine| engine.render("{{ lookup('env', 'PATH') }}", context! {}).expect("a text").to_string();
    assert_eq!(path(&small()), "");
    let env = [("PATH".to_string(), "/given".to_string())].into();
    assert_eq!(path(&Engine::new(&Options { env, ..Options::default() })), "/given");
}

/// Ten times the text may take ten times the work, and the one number is for a thousand tags.
#[test]
fn work_is_linear_in_the_tags() {
    for tag in ["{% if 1 %}x{% endif %}", "x{{ 1 }}", "{% set a = 1 %}", "{% for i in [1] %}{{ i }}{% endfor %}"] {
        for thousands in [1, 10] {
            let limits = Limits { steps: 16_000 * thousands, bytes: 200_000 * thousands, ..Limits::default() };
            let template = tag.repeat(1_000 * thousands as usize);
            limited(limits).render_text("t", &template, context! {}).unwrap_or_else(|fault| panic!("{tag}: {fault}"));
        }
    }
}

#[test]
fn a_long_word_is_wrapped_in_one_pass() {
    let long = "a".repeat(200_000);
    let wrapped = Engine::new(&Options::default()).render("{{ x | wordwrap(1) }}", context! { x => long });
    assert_eq!(wrapped.expect("a text").as_str().map(str::len), Some(399_999));
}

#[test]
fn nested_statements_that_are_too_deep_are_told() {
    let deep = format!("{}{}", "{% if 1 %}".repeat(20_000), "{% endif %}".repeat(20_000));
    assert!(failure(&deep).contains("levels deep"));
}

/// What makes much of little draws from the budget, whatever makes it.
#[test]
fn what_grows_ends_at_the_limit() {
    let templates = [
        "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
        "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s }}",
        "{% set ns = namespace(s={'a': 1}) %}{% for i in range(99) %}\
         {% set ns.s = ns.s | combine({'b': ns.s, 'c': ns.s}, recursive=true) %}{% endfor %}{{ ns.s }}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}\
         {% set ns.s = ({'a': ns.s} | combine({'a': ns.s}, list_merge='append')).a %}{% endfor %}",
        "{% macro m(n) %}{{ m(n) ~ m(n) if n < 90 else 'x' }}{% endmacro %}{{ m(0) }}",
        "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}xxxxxxxxxx{% endmacro %}{{ m(40) }}",
        "{% for i in range(9999) recursive %}{{ loop(range(9999)) if loop.depth < 9 }}{% endfor %}",
        "{{ ('x' * 9999) | replace('', 'y' * 9999) }}",
        "{{ ('x' * 9999) | regex_replace('', 'y' * 9999) }}",
        "{{ range(9999) | join('x' * 9999) }}",
        "{{ ('x' * 9999).join(['y'] * 9999) }}",
        "{{ ('a\n' * 9999) | indent('x' * 9999) }}",
        "{{ ('a\n' * 9999) | comment(decoration='x' * 9999) }}",
        "{{ 'a' | comment(prefix='x' * 99999, prefix_count=999) }}",
        "{{ ('\t' * 9999).expandtabs(9999) }}",
        "{{ '%9999s' * 9999 % ((1,) * 9999) }}",
        "{{ ('{:9999}' * 9999).format(*range(9999)) }}",
        "{{ ('a' * 9999) | wordwrap(1, true, 'x' * 9999) }}",
        "{{ range(999) | product(range(999)) | list }}",
        "{{ [1] | product(*([[1]] * 9999)) | list }}",
        "{{ range(64) | combinations(32) | list }}",
        "{{ range(12) | permutations | list }}",
        "{{ ([1] * 9999) | zip_longest(*([[]] * 9999)) | list }}",
        "{{ ([[1] * 999] * 999) | flatten }}",
        "{{ ([[1] * 99] * 999) | sum(start=[]) }}",
        "{{ lookup('sequence', 'end=9999 format=%09999d') }}",
        "{{ query('nested', [1] * 999, [1] * 999) }}",
        "{{ query('together', *([[1] * 999] * 999)) }}",
        "{{ ([['x' * 999] * 999] * 99) | to_json }}",
        "{{ ([['x' * 999] * 999] * 99) | to_nice_yaml }}",
        "{{ ([['x' * 999] * 999] * 99) | string }}",
        "{{ (['x' * 9999] * 9999) == (['x' * 9998 ~ 'x'] * 9999) }}",
        "{% set a = range(9999) | list %}{{ a | union(a | map('string') | map('list') | list) }}",
        "{% for i in range(9999) %}{{ i ~ 'x' is regex('(\\\\w+' ~ i ~ ')') }}{% endfor %}",
        "{% set x = 2 ** 60000 %}{% for i in range(9999) %}{% set y = x // 3 %}{% endfor %}",
    ];
    for template in templates {
        let engine = limited(Limits { steps: 400_000, bytes: 2_000_000, depth: 100, ..Limits::default() });
        let fault = match engine.render_text("t", template, context! {}) {
            Ok(text) => panic!("{template} gave {} bytes", text.len()),
            Err(fault) => fault,
        };
        assert_eq!(fault.kind, FaultKind::Limit, "{template}: {fault}");
        assert!(fault.help.is_some_and(|help| help.contains("--limit")), "{template}");
    }
}

#[test]
fn combinations_of_all_items_are_one() {
    let count = "{{ range(100000) | combinations(100000) | list | length }}";
    assert_eq!(Engine::new(&Options::default()).render(count, context! {}).expect("a number"), Value::from(1));
}

#[test]
fn all_that_an_engine_renders_draws_from_one_budget() {
    let engine = limited(Limits { steps: 1_000, ..Limits::default() });
    let loops = "{% for a in range(100) %}{% endfor %}";
    let ended = (0..100).find_map(|_| engine.render(loops, context! {}).err());
    assert_eq!(ended.expect("a fault").kind, FaultKind::Limit);
}

#[test]
fn faults_of_lazy_variables_keep_their_sources() {
    let broken = || {
        let source = std::io::Error::other("the disk is gone");
        Value::from(Error::new(ErrorKind::InvalidOperation, "could not compute").with_source(source))
    };
    for template in ["{{ x }}", "a{{ x.y }}", "{{ [x] }}", "{% if x %}{% endif %}", "{{ x | default(1) }}"] {
        let fault = small().render(template, context! { x => broken() }).expect_err("a fault");
        assert_eq!(fault.message, "could not compute", "{template}");
        let source = std::error::Error::source(&fault).map(ToString::to_string);
        assert_eq!(source.as_deref(), Some("the disk is gone"), "{template}");
    }
}

#[test]
fn faults_have_a_place() {
    let fault = small().render_text("motd.j2", "one\n{{ 1 +\n nope }}\n", context! {}).expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Undefined);
    assert_eq!((fault.template(), fault.line(), fault.column()), (Some("motd.j2"), Some(2), Some(4)));
    let fault = small().render_text("motd.j2", "one\n{% nope %}", context! {}).expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Syntax);
    assert_eq!((fault.line(), fault.column()), (Some(2), Some(4)));
}

#[test]
fn undefined_values_may_be_allowed() {
    let engine = Engine::new(&Options { strict: false, ..Options::default() });
    let render = |template: &str| engine.render(template, context! {}).expect("no fault").to_string();
    assert_eq!(render("a{{ nope }}"), "a{{ nope }}");
    assert_eq!(render("{% if nope %}yes{% else %}no{% endif %}"), "no");
}

/// What a template prints, with the extensions that have to be asked for.
fn extended(template: &str) -> Result<String, String> {
    let extensions = Extensions { statements: true, loops: true, ..Extensions::default() };
    let engine = Engine::new(&Options { extensions, ..Options::default() });
    engine.render_text("t", template, context! {}).map_err(|fault| fault.message)
}

#[test]
fn extensions_are_there_if_they_are_asked_for() {
    let found = "{% for i in range(9) %}{% if i == 3 %}{% continue %}{% endif %}{% if i > 4 %}{% break %}{% endif %}{{ i }}{% endfor %}";
    assert_eq!(extended(found), Ok("0124".into()));
    assert_eq!(extended("{% set l = [] %}{% do l.append(1) %}{{ l }}"), Ok("[1]".into()));
    let within = "{% for i in [1, 2] %}{% for j in [1, 2] %}{% break %}{% endfor %}{{ i }}{% endfor %}";
    assert_eq!(extended(within), Ok("12".into()));
    assert_eq!(extended("{% break %}"), Err("'break' outside loop".into()));
    assert!(extended("{% for i in [1] %}{% macro m() %}{% break %}{% endmacro %}{% endfor %}").is_err());
    for template in ["{% do 1 %}", "{% for i in [1] %}{% break %}{% endfor %}"] {
        assert!(failure(template).contains("unknown tag"), "{template}");
    }
}

/// The value of a template as text, or what it fails with.
fn failure_or(template: &str) -> String {
    small().render(template, context! {}).map_or_else(|fault| fault.message, |value| value.to_string())
}

#[test]
fn what_is_costly_is_charged_before_it_is_done() {
    for template in [
        "{{ 'x' | password_hash('sha512', 'abcdefgh', rounds=900000000) }}",
        "{{ 'x' | password_hash('blowfish', rounds=31) }}",
        "{% for i in range(99) %}{{ 'x' | vault('y') }}{% endfor %}",
        "{% for i in range(9999) %}{{ 9 | random(seed=i) }}{% endfor %}",
    ] {
        let fault = small().render(template, context! {}).expect_err("a fault");
        assert_eq!(fault.kind, FaultKind::Limit, "{template}: {fault}");
    }
}

#[test]
fn what_was_vaulted_is_read_with_the_same_password_only() {
    let vaulted = "{% set v = 'secret é' | vault('pw') %}";
    assert_eq!(failure_or(&format!("{vaulted}{{{{ v | unvault('pw') }}}}")), "secret é");
    assert!(failure_or(&format!("{vaulted}{{{{ v | unvault('no') }}}}")).contains("Unable to decrypt"));
    assert!(failure_or("{{ '$ANSIBLE_VAULT;1.1;AES256\\n00' | unvault('no') }}").contains("Unable to decrypt"));
}

#[cfg(target_os = "linux")]
#[test]
fn mounts_are_told_of_files_that_may_be_looked_at() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("a")).expect("a folder");
    let asked = |files: Files, path: &str| {
        let engine = Engine::new(&Options { base: folder.path().into(), files, ..Options::default() });
        let answer = engine.render(&format!("{{{{ '{path}' is mount }}}}"), context! {});
        answer.map(|answer| answer.is_true()).map_err(|fault| fault.message)
    };
    let inside = || Files::below([folder.path()]);
    assert_eq!(asked(inside(), "a"), Ok(false));
    assert_eq!(asked(inside(), "none"), Ok(false));
    // Neither the root nor the folder around the allowed one may be looked at.
    assert!(asked(inside(), "/").is_err() && asked(inside(), folder.path().to_str().expect("a name")).is_err());
    let anywhere = || Files::below([folder.path()]).with_outside(Outside::Always);
    assert_eq!(asked(anywhere(), "/"), Ok(true));
    assert_eq!(asked(anywhere(), folder.path().to_str().expect("a name")), Ok(false));
}

#[test]
fn queries_that_double_values_or_nest_deeply_end() {
    let doubled = format!("@{}", "|[@,@][]".repeat(200));
    let squared = format!("@{}", "|[@,@]".repeat(100));
    let query = |expression: &str| format!("{{{{ [1, 2] | json_query('{expression}') }}}}");
    let limit = |expression: &str| {
        let fault = small().render(&query(expression), context! {}).expect_err("a fault");
        assert_eq!(fault.kind, FaultKind::Limit, "{}: {fault}", &expression[..20]);
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
