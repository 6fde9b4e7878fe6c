//! Every template ends soon, with a value or an error.

use hieratic_budget::Limits;
use hieratic_jinja::extend::minijinja::{Error, ErrorKind, Value, context};
use hieratic_jinja::{Budget, Engine, Extensions, Files, Options, TemplateErrorKind, to_value};
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
        "tojson",
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
    fn random_strings_never_panic(pieces in prop::collection::vec(piece(), 0..24), between in "[ ]{0,1}") {
        let template = pieces.join(&between);
        let variables = context! { x => 5, y => "text", l => vec![1, 2], d => context! { a => 1 } };
        let _ = small().render(&template, variables.clone());
        let _ = small().render_text("t", &template, variables);
    }

    #[test]
    fn long_expressions_do_not_overflow(pieces in prop::collection::vec(piece(), 0..12)) {
        let template = format!("{{{{ {} }}}}", pieces.join(" "));
        let _ = small().render(&template, context! { x => 5, y => "text", l => vec![1, 2], d => context! { a => 1 } });
    }

    #[test]
    fn strings_without_braces_are_unchanged(text in "[a-z0-9 '\\[\\],.:]{0,20}") {
        let rendered = small().render(&text, context! {}).expect("it does not exist to fail");
        prop_assert_eq!(rendered.as_str(), Some(text.trim()));
    }

    #[test]
    fn string_variables_are_unchanged(text in "[ -~]{0,20}") {
        let rendered = small().render("{{ [x] }}", context! { x => text.clone() }).expect("a list");
        let list = to_value(&rendered).expect("a list is data");
        prop_assert_eq!(list, [hieratic_value::Value::from(text)].into_iter().collect());
    }
}

/// Returns the error of a template.
fn failure(template: &str) -> String {
    match small().render(template, context! {}) {
        Ok(value) => panic!("{template} gave {value}"),
        Err(error) => error.message,
    }
}

#[test]
fn hostile_templates_end_in_an_error() {
    let loops = "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}";
    assert!(failure(loops).contains("was stopped"));
    assert!(failure("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}").contains("recursion"));
    assert!(failure("{{ 'x' * 100000000000 }}").contains("too long"));
    assert!(failure("{{ 10 ** (10 ** 10) }}").contains("too large"));
    assert!(failure("{{ range(10 ** 12) }}").contains("too long"));
    assert!(failure(&format!("{{{{ {}1{} }}}}", "(".repeat(5000), ")".repeat(5000))).contains("levels deep"));
    assert!(failure(&format!("{{{{ {}1 }}}}", "not ".repeat(5000))).contains("levels deep"));
    assert!(failure(&format!("{{{{ 1{} }}}}", " + 1".repeat(5000))).contains("operators in a row"));
    assert!(failure("{{ '%99999999d' % 1 }}").contains("too large"));
}

#[test]
fn deep_and_circular_values_are_errors_and_are_dropped() {
    let nest = "{% set ns = namespace(x=[]) %}{% for i in range(8000) %}{% set ns.x = [ns.x] %}{% endfor %}";
    assert_eq!(small().render(&format!("{nest}{{{{ 1 }}}}"), context! {}).expect("a number"), Value::from(1));
    assert!(failure(&format!("{nest}{{{{ ns.x | string }}}}")).contains("levels deep"));
    let double = "{% set ns = namespace(x=[1]) %}{% for i in range(90) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}";
    assert!(failure(&format!("{double}{{{{ ns.x == [ns.x] or ns.x }}}}")).contains("stopped"));
    assert!(failure("{% set l = [] %}{% set _ = l.append(l) %}{{ l | tojson }}").contains("too deeply"));
}

#[test]
fn only_allowed_files_are_included() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/jinja/tree");
    let failure = |files: Files| {
        let engine = Engine::new(&Options { base: folder.into(), files, ..Options::default() });
        engine.render("{% include '../README.md' %}", context! {}).expect_err("a fault").message
    };
    assert!(failure(Files::below([folder])).contains("README.md"));
    assert!(failure(Options::default().files).contains("README.md"));
}

/// Ten times the text may take ten times the work, and the one number is for a thousand tags.
#[test]
fn work_is_linear_in_the_tags() {
    for tag in ["{% if 1 %}x{% endif %}", "x{{ 1 }}", "{% set a = 1 %}", "{% for i in [1] %}{{ i }}{% endfor %}"] {
        for thousands in [1, 10] {
            let limits = Limits { steps: 16_000 * thousands, bytes: 200_000 * thousands, ..Limits::default() };
            let template = tag.repeat(1_000 * thousands as usize);
            limited(limits).render_text("t", &template, context! {}).unwrap_or_else(|error| panic!("{tag}: {error}"));
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
fn deeply_nested_statements_are_an_error() {
    let deep = format!("{}{}", "{% if 1 %}".repeat(20_000), "{% endif %}".repeat(20_000));
    assert!(failure(&deep).contains("levels deep"));
}

/// Every operation whose result can be much larger than its input charges the budget.
#[test]
fn growing_values_reach_a_limit() {
    let templates = [
        "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
        "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s }}",
        "{% macro m(n) %}{{ m(n) ~ m(n) if n < 90 else 'x' }}{% endmacro %}{{ m(0) }}",
        "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}xxxxxxxxxx{% endmacro %}{{ m(40) }}",
        "{% for i in range(9999) recursive %}{{ loop(range(9999)) if loop.depth < 9 }}{% endfor %}",
        "{{ ('x' * 9999) | replace('', 'y' * 9999) }}",
        "{{ range(9999) | join('x' * 9999) }}",
        "{{ ('x' * 9999).join(['y'] * 9999) }}",
        "{{ ('a\n' * 9999) | indent('x' * 9999) }}",
        "{{ ('\t' * 9999).expandtabs(9999) }}",
        "{{ '%9999s' * 9999 % ((1,) * 9999) }}",
        "{{ ('{:9999}' * 9999).format(*range(9999)) }}",
        "{{ ('a' * 9999) | wordwrap(1, true, 'x' * 9999) }}",
        "{{ ([[1] * 99] * 999) | sum(start=[]) }}",
        "{{ ([['x' * 999] * 999] * 99) | string }}",
        "{{ (['x' * 9999] * 9999) == (['x' * 9998 ~ 'x'] * 9999) }}",
        "{% set x = 2 ** 60000 %}{% for i in range(9999) %}{% set y = x // 3 %}{% endfor %}",
        "{{ ([['x' * 999] * 999] * 99) | tojson }}",
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

#[test]
fn renderings_of_an_engine_share_a_budget() {
    let engine = limited(Limits { steps: 1_000, ..Limits::default() });
    let loops = "{% for a in range(100) %}{% endfor %}";
    let ended = (0..100).find_map(|_| engine.render(loops, context! {}).err());
    assert_eq!(ended.expect("a fault").kind, TemplateErrorKind::Limit);
}

#[test]
fn errors_of_lazy_variables_keep_their_sources() {
    let broken = || {
        let source = std::io::Error::other("the disk is gone");
        Value::from(Error::new(ErrorKind::InvalidOperation, "could not compute").with_source(source))
    };
    for template in ["{{ x }}", "a{{ x.y }}", "{{ [x] }}", "{% if x %}{% endif %}", "{{ x | default(1) }}"] {
        let problem = small().render(template, context! { x => broken() }).expect_err("a fault");
        assert_eq!(problem.message, "could not compute", "{template}");
        let source = std::error::Error::source(&problem).map(ToString::to_string);
        assert_eq!(source.as_deref(), Some("the disk is gone"), "{template}");
    }
}

#[test]
fn errors_have_a_position() {
    let error = small().render_text("motd.j2", "one\n{{ 1 +\n nope }}\n", context! {}).expect_err("a fault");
    assert_eq!(error.kind, TemplateErrorKind::Undefined);
    assert_eq!((error.template(), error.line(), error.column()), (Some("motd.j2"), Some(2), Some(4)));
    let error = small().render_text("motd.j2", "one\n{% nope %}", context! {}).expect_err("a fault");
    assert_eq!(error.kind, TemplateErrorKind::Syntax);
    assert_eq!((error.line(), error.column()), (Some(2), Some(4)));
}

#[test]
fn undefined_values_may_be_allowed() {
    let engine = Engine::new(&Options { strict: false, ..Options::default() });
    let render = |template: &str| engine.render(template, context! {}).expect("no fault").to_string();
    assert_eq!(render("a{{ nope }}"), "a{{ nope }}");
    assert_eq!(render("{% if nope %}yes{% else %}no{% endif %}"), "no");
}

/// Renders a template with the optional extensions.
fn extended(template: &str) -> Result<String, String> {
    let extensions = Extensions { statements: true, loops: true, ..Extensions::default() };
    let engine = Engine::new(&Options { extensions, ..Options::default() });
    engine.render_text("t", template, context! {}).map_err(|error| error.message)
}

#[test]
fn extensions_must_be_enabled() {
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

/// An input that a template changes is copied once: the work is linear in the number of iterations.
#[test]
fn changing_inputs_costs_linear_work() {
    let steps = |templates: bool, template: &str, count: i64| {
        let host = |at: i64| context! { name => format!("h{at}"), ports => vec![at] };
        let hosts: Vec<Value> = (0..count).map(host).collect();
        let hosts = hieratic_jinja::from_variables(&to_value(&Value::from(hosts)).expect("data"));
        let budget = Budget::new(Limits { steps: u64::MAX / 2, bytes: u64::MAX / 2, ..Limits::default() });
        let engine = Engine::new(&Options { budget: budget.clone(), templates, ..Options::default() });
        engine.render_text("t", template, context! { n => count, hosts => hosts }).expect("a text");
        budget.used()
    };
    for template in [
        "{% set acc = [] %}{% for i in range(n) %}{% set _ = acc.append(hosts[i].name) %}{% endfor %}{{ acc | length }}",
        "{% for i in range(n) %}{% set _ = hosts[i].ports.append(1) %}{% endfor %}{{ hosts | length }}",
        "{% for i in range(n) %}{% set _ = hosts[i].ports.append(1) %}{% endfor %}",
        "{% for host in hosts %}{% set _ = host.update({'a': 1}) %}{% endfor %}{{ hosts[0].a }}",
        "{% set _ = hosts.pop() %}{% for i in range(n - 1) %}{% set h = hosts[i] %}{{ h.name }}{% endfor %}",
        "{% macro m(i) %}{% set _ = hosts[i].ports.append(1) %}{% endmacro %}{% for i in range(n) %}{{ m(i) }}{% endfor %}",
        "{% for host in hosts %}{% if loop.index < n * 2 %}{% set _ = hosts.append(host) %}{% endif %}{% endfor %}",
    ] {
        for templates in [false, true] {
            let (few, many) = (steps(templates, template, 500), steps(templates, template, 2_000));
            assert!(many < few * 5, "{template}: {few} steps for 500, {many} for 2,000");
        }
    }
}
