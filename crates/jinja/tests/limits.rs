//! Whatever a template says ends in a value or an error, soon.

use hieratic_jinja::minijinja::{Error, ErrorKind, Value, context};
use hieratic_jinja::{Engine, FaultKind, Files, Options, to_value};
use proptest::prelude::*;

fn small() -> Engine {
    Engine::new(&Options { fuel: 200_000, ..Options::default() })
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
        let rendered = small().render(&text, context! {}).expect("there is nothing to fail");
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
    let nest = "{% set ns = namespace(x=[]) %}{% for i in range(20000) %}{% set ns.x = [ns.x] %}{% endfor %}";
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
    let lookup = "{{ lookup('file', 'f.txt') }}";
    assert_eq!(engine(Files::Base).render(lookup, context! {}).expect("the file").as_str(), Some("file text"));
    let denied = |files, template: &str| engine(files).render(template, context! {}).expect_err("a fault").message;
    assert!(denied(Files::None, lookup).contains("may not be read"));
    for outside in ["{{ lookup('file', '../cases.jsonl') }}", "{{ lookup('file', '/etc/passwd') }}"] {
        assert!(denied(Files::Base, outside).contains("outside"), "{outside}");
    }
    assert!(denied(Files::Base, "{{ '/etc/passwd' is exists }}").contains("outside"));
    assert!(denied(Files::Base, "{% include '../README.md' %}").contains("README.md"));
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
