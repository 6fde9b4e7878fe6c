//! Loops that only print are compiled, and print the same as on the general path.

use hieratic_budget::Limits;
use hieratic_jinja::extend::minijinja::Value;
use hieratic_jinja::{Budget, Engine, Options, defer_variables, from_value, read_yaml};
use hieratic_value::Value as Data;
use proptest::prelude::*;

/// Variables that fast loops can print, and others.
const VARIABLES: &str = "
rows:
- {id: 1, name: one, tags: [a, 2], user: {name: jo, id: 12345678}, cells: [1, 22, 333, 4444]}
- {id: 99999, name: '<two>', tags: [], user: {name: 'é', id: -5}, cells: [x, 1.5, true, null]}
- {id: 1000000, name: ThreE three three, tags: [a], user: {name: z, id: 0}, cells: []}
odd:
- {id: 1, name: one, tags: [a], user: {name: jo, id: 1}, cells: [1, [2], 3]}
- {id: [1], name: {a: b}, tags: 5, user: 7, cells: {k: v, l: [w]}}
- {id: 3}
- {id: 4, name: four, tags: [a], user: {id: 9}, cells: [12345678901234567890, 2]}
- five
pairs: [[a, 1], [b, two], [c, [3]]]
uneven: [[a, 1], [b]]
dict: {a: 1, b: two, c: {d: e}}
words: [one, two, three]
nested: {x: {p: 1, q: 2}, y: {}, z: {r: [3]}}
title: A Title
";

fn variables() -> Value {
    from_value(&read_yaml("variables", VARIABLES).expect("it is YAML"))
}

fn engine(limits: Limits) -> Engine {
    Engine::new(&Options { budget: Budget::new(limits), ..Options::default() })
}

fn rendered(template: &str) -> Result<String, String> {
    engine(Limits::default()).render_text("t", template, variables()).map_err(|error| error.message)
}

/// The same variables as a document of JSON, which is converted when it is used.
fn document() -> String {
    json(&read_yaml("variables", VARIABLES).expect("it is YAML")).to_string()
}

fn json(value: &Data) -> serde_json::Value {
    match value {
        Data::Array(items) => items.iter().map(json).collect(),
        Data::Hash(hash) => hash.iter().map(|(key, value)| (key.to_text(), json(value))).collect(),
        Data::String(text) => text.as_ref().into(),
        Data::Undef => serde_json::Value::Null,
        other => serde_json::from_str(&other.to_text()).expect("a number or a truth value"),
    }
}

/// A template, and the same with statements in its loops that do nothing: these are not prepared. Variables of JSON
/// give the same.
fn agree(template: &str) -> Result<String, String> {
    let text = rendered(template);
    let variables = from_value(&defer_variables("variables", document()).expect("it is JSON"));
    let of_json = engine(Limits::default()).render_text("t", template, variables).map_err(|fault| fault.message);
    assert_eq!(text, of_json, "{template}");
    let other = template.replace("{% endfor %}", "{% set unused = 1 %}{% endfor %}");
    assert_eq!(text, rendered(&other), "{template}");
    text
}

fn expression() -> impl Strategy<Value = String> {
    let values = [
        "x",
        "y",
        "x.id",
        "x.name",
        "x.user.name",
        "x.user.id",
        "x.tags",
        "x.absent",
        "x.user.absent.more",
        "title",
        "words",
        "5",
        "'text'",
        "loop.index",
        "loop.index0",
        "loop.revindex",
        "loop.revindex0",
        "loop.length",
        "loop.first",
        "absent",
        "2.50",
        "true",
        "none",
    ];
    let filters = [
        "upper",
        "lower",
        "capitalize",
        "title",
        "trim",
        "length",
        "join",
        "join(', ')",
        "e",
        "default('none')",
        "default(title)",
        "truncate(9)",
        "round",
        "round(1)",
        "sort",
        "'%s!' | format",
    ];
    let value = || prop::sample::select(values.to_vec());
    prop_oneof![
        4 => value().prop_map(str::to_string),
        2 => (value(), prop::sample::select(filters.to_vec())).prop_map(|(value, filter)| format!("{value} | {filter}")),
        2 => (value(), prop::sample::select(vec!["+", "-", "*", "//", "%"]), value())
            .prop_map(|(left, operator, right)| format!("{left} {operator} {right}")),
    ]
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => prop::sample::select(vec!["-", "a text that is longer than any block of bytes which is copied at once", "\n", "é"])
            .prop_map(str::to_string),
        3 => expression().prop_map(|expression| format!("{{{{ {expression} }}}}")),
    ]
}

fn head() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "x in rows",
        "x in odd",
        "x in words",
        "x, y in pairs",
        "x, y in uneven",
        "x in pairs",
        "x in dict",
        "x in dict.values()",
        "x, y in dict.items()",
        "x in dict.items()",
        "x in dict.keys()",
        "x in range(3)",
        "x in range(5, -5, -3)",
        "x in 'abc'",
        "x in rows if x.id > 1",
        "x in absent",
        "x in title",
        "x, x in pairs",
        "x in [1, (2, 3), 'c']",
        "x in rows recursive",
    ])
}

fn inner() -> impl Strategy<Value = String> {
    let heads = [
        "y in x",
        "y in x.cells",
        "y in x.cells.values()",
        "y in x.user",
        "y in x.values()",
        "x in x.tags",
        "y in rows",
        "y in loop",
        "a, y in x.user.items()",
        "y in range(2)",
        "a, y in x.items()",
        "y in words",
    ];
    (prop::sample::select(heads.to_vec()), prop::collection::vec(piece(), 0..4))
        .prop_map(|(head, pieces)| format!("{{% for {head} %}}{}{{% endfor %}}", pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn fast_loops_print_like_other_loops(head in head(), pieces in prop::collection::vec(piece(), 0..5)) {
        let _ = agree(&format!("<{{% for {head} %}}{}{{% endfor %}}>", pieces.concat()));
    }

    #[test]
    fn nested_fast_loops_print_like_other_loops(
        head in head(),
        before in prop::collection::vec(piece(), 0..3),
        inner in inner(),
        after in prop::collection::vec(piece(), 0..3),
    ) {
        let _ = agree(&format!("<{{% for {head} %}}{}{inner}{}{{% endfor %}}>", before.concat(), after.concat()));
    }
}

#[test]
fn loops_print() {
    for (template, expected) in [
        ("{% for i in range(9, 13) %}{{ i * 10 }},{% endfor %}", "90,100,110,120,"),
        ("{% for x in rows %}{{ loop.index }}/{{ loop.length }} {{ x.user.name }};{% endfor %}", "1/3 jo;2/3 é;3/3 z;"),
        ("{% for x in words %}{{ loop.revindex0 }}{{ x | upper }}{% endfor %}", "2ONE1TWO0THREE"),
        (
            "{% for k, v in nested.items() %}{{ k }}:{% for a in v %}{{ a }}{{ loop.index }}{{ k }} {% endfor %}{% endfor %}",
            "x:p1x q2x y:z:r1z ",
        ),
        ("{% for x in odd %}{{ x.name | default('?') }},{% endfor %}", "one,{'a': 'b'},?,four,?,"),
        ("{% for x in [1, none, 'a', true, 2.0, [1]] %}{{ x }},{% endfor %}", "1,,a,True,2.0,[1],"),
    ] {
        assert_eq!(agree(template).as_deref(), Ok(expected), "{template}");
    }
    for template in ["{% for x in odd %}{{ x.name }}{% endfor %}", "{% for x, y in uneven %}{{ y }}{% endfor %}"] {
        agree(template).expect_err(template);
    }
}

#[test]
fn changed_lists_print_their_earlier_items() {
    let template = "{% set l = [1, 2] %}{% for x in l %}{{ x }}{{ l }}{% endfor %}{% set _ = l.append(3) %}{{ l }}";
    assert_eq!(agree(template).as_deref(), Ok("1[1, 2]2[1, 2][1, 2, 3]"));
}

#[test]
fn objects_of_json_may_have_many_keys() {
    let keys: Vec<String> = (0..200).map(|at| format!("\"k{at}\": {at}, \"\\u00e9{at}\": {{\"a\": [{at}]}}")).collect();
    let document = format!("{{\"rows\": [{{\"k199\": 1}}, {{{}}}]}}", keys.join(", "));
    let variables = from_value(&defer_variables("variables", document).expect("it is JSON"));
    let template =
        "{% for x in rows %}{{ x.k199 }}{{ x.é7.a | default('-') | join }}{{ x.none | default('.') }} {% endfor %}";
    let rendered = engine(Limits::default()).render_text("t", template, variables);
    assert_eq!(rendered.map_err(|fault| fault.message).as_deref(), Ok("1-. 1997. "));
}

#[test]
fn fast_loops_charge_in_time() {
    for (limits, expected) in [
        (Limits { steps: 10_000, ..Limits::default() }, "more than 10000 steps are needed"),
        (Limits { bytes: 200_000, ..Limits::default() }, "bytes"),
    ] {
        for template in [
            "{% for x in many %}{{ x }}{% endfor %}",
            "{% for x in many %}{% for y in rows %}-{% endfor %}{% endfor %}",
            "{% for x in many %}{{ title | upper }}{% endfor %}",
        ] {
            let template = format!("{{% set many = 'x ' * 3000 %}}{{% set many = many.split() %}}{template}");
            let error = engine(limits).render_text("t", &template, variables()).expect_err(&template);
            assert!(error.message.contains(expected), "{}", error.message);
            assert!(error.place.is_some());
        }
    }
}

#[test]
fn long_loops_over_numbers_print_all() {
    for (start, end, step) in [(0, 5000, 1), (-900, 4000, 1), (995, 0, -1), (9_999_000, 10_003_000, 2)] {
        for (before, after) in [("", "\n"), ("<", ">"), ("", ""), ("é ", " a text that is longer than a line")] {
            let template =
                format!("{{% for i in range({start}, {end}, {step}) %}}{before}{{{{ i }}}}{after}{{% endfor %}}|");
            let numbers = (0..)
                .map(|at| start + at * step)
                .take_while(|number| if step > 0 { *number < end } else { *number > end });
            let expected: String = numbers.map(|number: i64| format!("{before}{number}{after}")).collect();
            assert_eq!(rendered(&template), Ok(format!("{expected}|")), "{template}");
        }
    }
    let nested = "{% for i in [1, 2] %}{% for j in range(3) %}{{ j }},{% endfor %};{% endfor %}";
    assert_eq!(rendered(nested).as_deref(), Ok("0,1,2,;0,1,2,;"));
}
