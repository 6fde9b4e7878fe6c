//! Values with properties that few templates use, as ansible-core 2.15.9 with Jinja2 3.1.6 prints them.

use hieratic_jinja::Options;
use hieratic_jinja::extend::minijinja::context;
use hieratic_jinja_ansible::engine;

fn all_print(cases: &[(&str, &str)]) {
    for (template, expected) in cases {
        let rendered = engine(&Options::default()).render_text("t", template, context! {});
        assert_eq!(rendered.map_err(|fault| fault.message).as_deref(), Ok(*expected), "{template}");
    }
}

#[test]
fn path_filters_preserve_escaping() {
    all_print(&[
        ("{{ '<a>/b' | e | basename | e }} {{ '<a>/b' | e | dirname | e }}", "b &lt;a&gt;"),
        ("{{ '<a>/b.<' | e | splitext }}", "(Markup('&lt;a&gt;/b'), Markup('.&lt;'))"),
        (
            "{{ '<a>/b.<' | e | ansible.builtin.splitext | map('e') | list }}",
            "[Markup('&lt;a&gt;/b'), Markup('.&lt;')]",
        ),
        ("{{ '<a>/b' | e | normpath | e }}", "&amp;lt;a&amp;gt;/b"),
        ("{{ '<' | e | expanduser | e }} {{ '$x<' | e | expandvars | e }}", "&lt; $x&lt;"),
        ("{{ '<a>/b' | e | win_basename | e }} {{ '<a>/b' | e | win_dirname | e }}", "b &lt;a&gt;"),
        ("{{ 'c:<' | e | win_splitdrive | map('e') | list }}", "[Markup('c:'), Markup('&lt;')]"),
        ("{{ ['<', '<' | e] | path_join | e }} {{ '<' | e | path_join | e }}", "&lt;/&lt; &lt;"),
        // Of what is before an absolute path nothing is left.
        ("{{ ['<' | e, '/<'] | path_join | e }}", "/&lt;"),
        ("{{ ['<' | e, '/<'] | path_join }} {{ ['<', '>'] | path_join }}", "/< </>"),
        ("{{ '<' | e | basename | type_debug }} {{ '<' | basename | type_debug }}", "Markup str"),
    ]);
}

#[test]
fn sets_are_sets() {
    all_print(&[
        ("{{ '!!set {b, a}' | from_yaml | to_yaml }}", "!!set {a: null, b: null}\n"),
        ("{{ '!!set {a}' | from_yaml | to_nice_yaml }}", "!!set\na: null\n"),
        ("{{ 'x: !!set {a}' | from_yaml | to_nice_yaml }}", "x: !!set\n    a: null\n"),
        ("{{ '!!set {}' | from_yaml | to_yaml }}", "!!set {}\n"),
        ("{{ '!!set {}' | from_yaml }} {{ '!!set {a: 1}' | from_yaml }}", "set() {'a'}"),
        ("{% set s = '!!set {a, b}' | from_yaml %}{{ s | length }} {{ 'a' in s }} {{ 'c' in s }}", "2 True False"),
        (
            "{% set s = '!!set {a}' | from_yaml %}{{ s is sequence }} {{ s is mapping }} {{ s is iterable }}",
            "False False True",
        ),
        ("{% set s = '!!set {a}' | from_yaml %}{{ s | type_debug }} {{ s | list }} {{ s | first }}", "set ['a'] a"),
        ("{{ ('!!set {a, b}' | from_yaml) == ('!!set {b, a}' | from_yaml) }}", "True"),
        (
            "{{ ('!!set {a}' | from_yaml) == ['a'] }} {{ ('!!set {a}' | from_yaml) == ('!!set {b}' | from_yaml) }}",
            "False False",
        ),
    ]);
}

/// PyYAML with libyaml counts bytes: 65 characters of two bytes are too many for a key that shares its line.
#[test]
fn long_keys_are_written_as_explicit_keys() {
    let (short, long) = ("\u{e9}".repeat(64), "\u{e9}".repeat(65));
    let (of_short, of_long) = ("{{ {'\u{e9}' * 64: 1} | to_nice_yaml }}", "{{ {'\u{e9}' * 65: 1} | to_nice_yaml }}");
    all_print(&[(of_short, &format!("{short}: 1\n")), (of_long, &format!("? {long}\n: 1\n"))]);
    all_print(&[("{{ {'a\\rb': 1} | to_yaml }}", "{? \"a\\rb\" : 1}\n")]);
}

#[test]
fn insertions_into_an_escaped_path_are_escaped() {
    let env = [("HOME", "/a&b/"), ("V", "<v>")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let options = Options { env: env.into_iter().collect(), ..Options::default() };
    let engine = engine(&options);
    for (template, expected) in [
        ("{{ '~/<' | e | expanduser }} {{ '~/<' | expanduser }}", "/a&amp;b/&lt; /a&b/<"),
        ("{{ '$V/<' | e | expandvars }} {{ '${V}<' | expandvars }}", "&lt;v&gt;/&lt; <v><"),
        ("{{ '$V' | e | expandvars | e }} {{ '~' | expanduser | e }}", "&lt;v&gt; /a&amp;b"),
    ] {
        let rendered = engine.render_text("t", template, context! {});
        assert_eq!(rendered.map_err(|fault| fault.message).as_deref(), Ok(expected), "{template}");
    }
}

#[test]
fn methods_called_by_filters_preserve_escaping() {
    all_print(&[("{{ ('<' | e | attr('upper'))() | e }}", "&LT;"), ("{{ ('<' | attr('upper'))() | e }}", "&lt;")]);
}

#[test]
fn numbers_have_attributes() {
    all_print(&[
        ("{{ (1).real }} {{ (2).imag }} {{ (1.5).real }} {{ (1.5).imag }} {{ true.real }}", "1 0 1.5 0.0 1"),
        ("{{ (3).numerator }} {{ (3).denominator }} {{ (10**30).real }}", "3 1 1000000000000000000000000000000"),
        ("{{ [1.5, 2] | map(attribute='imag') | list }} {{ 1['real'] }} {{ 3 | attr('real') }}", "[0.0, 0] 1 3"),
        ("{{ (1.5).numerator is defined }}", "False"),
    ]);
}

#[test]
fn yaml_is_written_in_its_canonical_form() {
    all_print(&[
        (
            "{{ {'a': [1, none], 'b': {}} | to_yaml(canonical=true) }}",
            "---\n!!map {\n  ? !!str \"a\"\n  : !!seq [\n    !!int \"1\",\n    !!null \"null\",\n  ],\n  ? !!str \"b\"\n  : !!map {},\n}\n",
        ),
        ("{{ 'x' | to_yaml(canonical=true) }}", "---\n!!str \"x\"\n"),
        ("{{ 'ab'.encode() | to_yaml }}", "!!binary |\n  YWI=\n"),
    ]);
}

#[test]
fn objects_of_json_can_be_tags() {
    let document = r#"{"x": 1, "a": {"__ansible_unsafe": "{{ x }}"}, "b": [{"c": {"__ansible_unsafe": ["{{ x }}", 2]}}], "d": "{{ x }}",
        "v": {"__ansible_vault": "none"}, "n": NaN}"#;
    let options = Options { templates: true, ..Options::default() };
    for given in
        [hieratic_jinja::read_variables("vars", document), hieratic_jinja::defer_variables("vars", document.to_owned())]
    {
        let variables = hieratic_jinja::from_variables(&given.expect("variables"));
        let render = |template: &str| engine(&options).render_text("t.j2", template, variables.clone());
        assert_eq!(render("{{ a }} {{ b }} {{ d }} {{ n }}").expect("text"), "{{ x }} [{'c': ['{{ x }}', 2]}] 1 nan");
        assert!(render("{{ v }}").is_err());
    }
}

#[test]
fn a_variable_is_another_object_in_each_iteration() {
    let variables = || {
        let given = hieratic_jinja::read_variables("vars", "l: [[1]]\n").expect("variables");
        hieratic_jinja::from_variables(&given)
    };
    let start = "{% set ns = namespace(all=[]) %}{% for i in [1, 2] %}{% set ns.all = ns.all + [l] %}{% endfor %}";
    for (template, expected) in [
        ("{{ ns.all | to_yaml }}", "- - [1]\n- - [1]\n"),
        ("{{ ns.all[0] is sameas ns.all[1] }}", "False"),
        // One that the template names outside of loops is one object.
        ("{{ [l, l] | to_yaml }}", "- &id001\n  - [1]\n- *id001\n"),
        ("{{ l is sameas l }}", "True"),
    ] {
        let options = Options { templates: true, ..Options::default() };
        let template = if template.contains("ns.") { format!("{start}{template}") } else { template.to_owned() };
        let rendered = engine(&options).render_text("t", &template, variables());
        assert_eq!(rendered.map_err(|fault| fault.message).as_deref(), Ok(expected), "{template}");
    }
}

#[test]
fn unknown_filters_are_errors_before_anything_is_rendered() {
    let reported = |template: &str| engine(&Options::default()).render_text("t", template, context! {});
    for template in ["{% if false %}{{ 1 | defualt(2) }}{% endif %}", "{% for i in [] %}{{ i is nope }}{% endfor %}"] {
        let error = reported(template).expect_err("an unknown name is an error");
        assert!(error.message.starts_with("Could not load"), "{}", error.message);
        let (source, span) = error.place.expect("a place");
        assert_eq!(source.start(span).line, 1);
    }
    // Of other collections nothing is known.
    assert!(reported("{% if false %}{{ 1 | their.own.filter }}{% endif %}").is_ok());
}

#[test]
fn groups_and_callers_have_the_names_of_jinja() {
    all_print(&[
        ("{{ ([{'a': 1}] | groupby('a'))[0] | type_debug }}", "_GroupTuple"),
        ("{{ [{'a': 1}] | groupby('a') | list }}", "[(1, [{'a': 1}])]"),
        ("{% macro m() %}{{ kwargs }}{% endmacro %}{% call m() %}{% endcall %}", "{'caller': <Macro anonymous>}"),
    ]);
}
