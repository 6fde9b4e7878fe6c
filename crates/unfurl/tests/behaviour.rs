//! What is deliberately different from the reference (`docs/differences.md`), the limits, and the laws.

use std::sync::{Arc, Mutex};

use hieratic_budget::Limits;
use hieratic_sandbox::{Outside, Variables};
use hieratic_unfurl::{
    Budget, Context, Expression, ExpressionError, ExpressionErrorKind, Files, Match, Options, TaintObserver, Tree,
};
use hieratic_value::{Hash, Value};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => Value::from(*truth),
        Json::Number(number) => number.as_i64().map_or_else(|| Value::from(number.as_f64().unwrap()), Value::from),
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => items.iter().map(value).collect(),
        Json::Object(map) => map.iter().map(|(key, item)| (key.as_str(), value(item))).collect::<Hash>().into(),
    }
}

fn tree() -> Json {
    json!({
        "name": "root",
        "attributes": {"site": "hq"},
        "children": [
            {"name": "web", "attributes": {
                "port": 80, "title": "front", "tls": true, "off": false, "tags": ["a", "b"],
                "users": [{"name": "ann", "age": 30, "langs": ["de", "en"]}, {"name": "bob", "age": 25}],
                "conf": {"level": 3},
                "self": {"eval": ".::self"},
                "loop": {"again": {"eval": ".::loop"}},
                "broken": {"eval": "$nobody"},
            }},
            {"name": "db", "attributes": {"port": 5432}},
        ],
    })
}

fn context() -> Context {
    let env = [("HOME".to_owned(), "/home/a".to_owned())].into_iter().collect();
    let options = Options { env, base: "/base".into(), ..Options::default() };
    Context::new(Tree::new(&value(&tree())).unwrap(), options).start("web").unwrap()
}

/// All matches, or the message of the error.
fn matches(expression: Json) -> Result<Json, String> {
    let reported = |error: ExpressionError| match error.help {
        Some(help) => format!("{} ({help})", error.message),
        None => error.message,
    };
    let expression = Expression::from_value(&value(&expression)).map_err(reported)?;
    let found = context().resolve(&expression).map_err(reported)?;
    Ok(found.iter().map(|found| json_of(&found.revealed())).collect())
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Boolean(truth) => json!(truth),
        Value::Integer(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::String(text) => json!(&**text),
        Value::Array(items) => items.iter().map(json_of).collect(),
        Value::Hash(hash) => Json::Object(hash.iter().map(|(key, item)| (key.to_text(), json_of(item))).collect()),
        Value::Rich(_) => json!(value.to_text()),
    }
}

#[test]
fn defects_of_the_reference_are_fixed() {
    for (expression, expected) in [
        (json!(".[tls=false]::port"), json!([])),
        (json!(".[off=False]::port"), json!([80])),
        (json!("::nobody"), json!([])),
        (json!("::0"), json!([])),
        (json!("title::0"), json!([])),
        (json!("title[=x]!=front"), json!([])),
        (json!("users::[name][age=25] [!langs]::name"), json!(["bob"])),
        (json!("users[[name]]"), matches(json!("users")).unwrap()),
        (json!("users::[langs[=de]]::name"), json!(["ann"])),
        (json!("users::[langs::[=de]]::name"), json!(["ann"])),
        (json!("conf[*]"), json!([{"level": 3}])),
        (json!(".all::*::.name"), json!(["root", "web", "db"])),
        (json!({"eval": {"or": ["title"]}}), json!(["front"])),
        (json!({"eval": {"and": []}}), json!([false])),
        (json!({"eval": ".::users", "foreach": {"n": {"eval": "$item::name"}}}), json!([{"n": "ann"}, {"n": "bob"}])),
        (json!({"eval": ".::users", "foreach": "$item::langs::"}), json!([["de", "en"]])),
        (json!({"eval": ".::tags", "foreach": "::db::port"}), json!([5432, 5432])),
        (json!({"eval": ".::tags", "foreach": "$collection"}), json!([["a", "b"], ["a", "b"]])),
        (json!({"eval": {"q": [["x", "y"], ["z"]]}, "foreach": "0"}), json!(["x", "z"])),
        (json!({"eval": {"q": {"a": {"eval": "port"}}}, "select": "a"}), json!([80])),
        (json!({"eval": {"concat": [{"eval": "tags"}]}}), json!(["['a', 'b']"])),
        (json!({"eval": {"to_label": {"eval": "tags"}}}), json!(["ab"])),
        (json!({"eval": {"urljoin": ["", null, 81]}}), json!([])),
        (json!({"eval": {"is_function_defined": "python"}}), json!([false])),
    ] {
        assert_eq!(matches(expression.clone()), Ok(expected), "{expression}");
    }
}

#[test]
fn invalid_expressions_are_an_error() {
    for (expression, reported) in [
        (json!(""), "the expression is empty ('.' is the instance itself, '::' all instances by name)"),
        (json!("$strat"), "the variable '$strat' is not defined (did you mean '$start'?)"),
        (json!("users::$nobody"), "the variable '$nobody' is not defined"),
        (json!("users::[name=$nobody]"), "the variable '$nobody' is not defined"),
        (json!("broken"), "the variable '$nobody' is not defined"),
        (json!(".parnet"), "an instance has no property '.parnet' (did you mean '.parent'?)"),
        (json!(".port"), "an instance has no property '.port' (write attributes without the dot: '.::name')"),
        (
            json!(".status"),
            "'.status' only exists for deployed instances (a tree of instances has names, attributes and places, but no \
             deployment)",
        ),
        (
            json!("0"),
            "the expression starts with the number 0, but instances have no elements (to select an attribute of that \
             name, use a variable: '.::$name' with name: '0')",
        ),
        (json!("loop"), "the value contains itself (an expression in it refers to the map or list that contains it)"),
        (
            json!({"eval": "$a", "vars": {"a": {"eval": "$b"}, "b": {"eval": "$a"}}}),
            "the variable '$a' refers to itself (rename the inner one)",
        ),
        (json!({"eval": {"concta": []}}), "Function missing in {'concta': []} (did you mean 'concat'?)"),
        (
            json!({"eval": {"eq": [1]}}),
            "Wrong shape: the argument of 'eq' has 1 elements, not 2 (write eq: [one, other])",
        ),
        (json!({"eval": {"or": 5}}), "Wrong shape: the argument of 'or' is a number, not a list (write or: [...])"),
        (
            json!({"eval": "tags", "foreach": {"key": "$item"}}),
            "'foreach' has a key but no value (write {key: ..., value: ...})",
        ),
        (
            json!({"eval": "users", "foreach": {"key": "$item", "value": "$item"}}),
            "the key of 'foreach' is a map, which cannot be a key (the keys of a map are strings or numbers)",
        ),
        (
            json!({"eval": "tags", "foreach": {"a": {"eval": "$break"}}}),
            "'$break' is used as a value (it only ends a loop or an iteration as the whole result of 'foreach')",
        ),
        (
            json!({"eval": "zz", "strict": "required", "select": "x"}),
            "Expression zz must return results (the expression has no match, and 'strict' requires one)",
        ),
        (json!({"eval": "zz", "strict": 7}), "'strict' is 7 ('strict' is true, false, 'required' or 'notnull')"),
        (json!({"eval": "zz", "vars": 7}), "'vars' is a number ('vars' is a map of names and values)"),
        (
            json!({"eval": {"python": "os.getcwd"}}),
            "the function 'python' is not available: it runs Python code (use expressions or a template instead)",
        ),
        (
            json!({"eval": {"generate_string": {}}}),
            "the function 'generate_string' is not available: it creates random strings, but evaluation is deterministic \
             (pass the string in a variable)",
        ),
        (
            json!({"eval": {"file": "x", "contents": "y"}}),
            "no file is written: evaluation cannot write files (remove 'contents' to read)",
        ),
        (
            json!({"eval": {"abspath": ["x", "local", true]}}),
            "no folder is created: evaluation cannot write files (remove 'mkdir')",
        ),
        (
            json!({"eval": {"get_dir": "nowhere"}}),
            "Named directory or repository \"nowhere\" not found (the folders are '.', 'src', 'project', 'artifacts', \
             'secrets', 'local' and 'tasks')",
        ),
        (
            json!({"eval": {"token": ["a:b", ":", 2]}}),
            "list index out of range: 'token' is asked for part 2 of 2 (the first part has the index 0)",
        ),
        (
            json!({"eval": {"to_label": "a", "allowed": "z-a"}}),
            "'z-a' is not a character set (write ranges and classes, as in 'a-zA-Z\\d_')",
        ),
    ] {
        let one = Expression::from_value(&value(&expression)).and_then(|expression| context().resolve_one(&expression));
        let got = match matches(expression.clone()) {
            Ok(_) => one.map(|found| found.to_value()).map_err(|error| match error.help {
                Some(help) => format!("{} ({help})", error.message),
                None => error.message,
            }),
            Err(reported) => Err(reported),
        };
        assert_eq!(got, Err(reported.to_owned()), "{expression}");
    }
}

#[test]
fn circular_attributes_are_null() {
    assert_eq!(matches(json!("self")), Ok(json!([null])));
}

#[test]
fn errors_in_expressions_have_a_position() {
    for (text, column) in [("users::$nobody::x", 8), ("users::[name=$nobody]", 9), (".parnet", 1)] {
        let error = context().resolve(&Expression::parse(text).unwrap()).unwrap_err();
        assert_eq!((error.line(), error.column()), (Some(1), Some(column)), "{text}");
    }
}

#[test]
fn long_evaluations_end() {
    let deep = (0..400).fold(json!("port"), |inner, _| json!({"eval": {"if": true, "then": {"eval": inner}}}));
    let many = json!({"a": (0..100).collect::<Vec<_>>()});
    let nested = "$item";
    let loops = (0..4).fold(json!(nested), |inner, _| json!({"eval": "$many::a", "foreach": inner}));
    let budget = Budget::new(Limits { steps: 100_000, depth: 200, ..Limits::default() });
    let vars = value(&json!({"many": many})).as_hash().unwrap().clone();
    let options = Options { vars, budget, ..Options::default() };
    let context = Context::new(Tree::new(&value(&tree())).unwrap(), options);
    for expression in [deep, loops] {
        let error = context.resolve(&Expression::from_value(&value(&expression)).unwrap()).unwrap_err();
        assert_eq!(error.kind, ExpressionErrorKind::Limit, "{error}");
    }
}

#[test]
fn only_files_in_allowed_folders_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("base");
    std::fs::create_dir(&base).unwrap();
    std::fs::write(base.join("note.txt"), "a note\n").unwrap();
    std::fs::write(folder.path().join("secret.txt"), "outside\n").unwrap();
    let read = |files: Files, name: &str| {
        let options = Options { files, base: base.clone(), ..Options::default() };
        let context = Context::new(Tree::new(&Value::Undef).unwrap(), options);
        let expression =
            Expression::from_value(&value(&json!({"eval": {"file": name}, "select": "contents"}))).unwrap();
        context.resolve_one(&expression).map(|found| found.to_value().to_text()).map_err(|error| error.message)
    };
    let (none, below) = (Options::default().files, Files::below([&base]));
    let all = below.with_outside(Outside::Always);
    assert_eq!(read(below.clone(), "note.txt").as_deref(), Ok("a note\n"));
    assert!(read(none, "note.txt").unwrap_err().ends_with("reading files is not allowed"));
    assert!(read(below, "../secret.txt").unwrap_err().ends_with("it is outside of the base folder"));
    assert_eq!(read(all.clone(), "../secret.txt").as_deref(), Ok("outside\n"));
    assert!(read(all.clone(), "nothing.txt").unwrap_err().contains("cannot be read"));
    assert!(read(all, "/dev/zero").unwrap_err().ends_with("it is not a regular file"));
}

/// What makes much of little draws from the budget.
#[test]
fn growing_values_reach_a_limit() {
    let text = json!("x".repeat(50));
    let twice = |at: usize| format!("${{V{0:02}}}${{V{0:02}}}", at - 1);
    let doubling = (1..60).map(|at| (format!("V{at:02}"), json!(twice(at))));
    let environment: serde_json::Map<String, Json> =
        std::iter::once(("V00".to_owned(), text.clone())).chain(doubling).collect();
    let vars: serde_json::Map<String, Json> = (1..60)
        .map(|at| (format!("v{at}"), json!([{"eval": format!("$v{}", at - 1)}, {"eval": format!("$v{}", at - 1)}])))
        .chain([("v0".to_owned(), text.clone())])
        .collect();
    let vars = value(&Json::Object(vars)).as_hash().unwrap().clone();
    let expressions = [
        json!({"eval": {"to_env": environment}}),
        json!({"eval": "$v59"}),
        json!({"eval": {"concat": [{"eval": "$v59"}]}}),
        json!({"eval": {"to_label": text, "allowed": "b", "replace": "x".repeat(100_000)}}),
        json!({"eval": {"template": "{% for i in range(99999) %}{{ 'x' * 9999 }}{% endfor %}"}}),
    ];
    for expression in expressions {
        let limits = Limits { steps: 100_000, bytes: 2_000_000, ..Limits::default() };
        let options = Options { vars: vars.clone(), budget: Budget::new(limits), ..Options::default() };
        let context = Context::new(Tree::new(&value(&tree())).unwrap(), options);
        let error = context.resolve(&Expression::from_value(&value(&expression)).unwrap()).unwrap_err();
        assert_eq!(error.kind, ExpressionErrorKind::Limit, "{error}: {expression}");
        assert!(error.help.unwrap().contains("--limit"), "{expression}");
    }
}

#[test]
fn values_computed_from_secrets_are_secrets() {
    let secret = |expression: Json| {
        let found = context().resolve_one(&Expression::from_value(&value(&expression)).unwrap()).unwrap();
        (found.to_string(), json_of(&found.revealed()))
    };
    let word = json!({"eval": {"sensitive": "word"}});
    for (expression, shown) in [
        (word.clone(), json!("word")),
        (json!({"eval": {"concat": ["a ", word]}}), json!("a word")),
        (json!({"eval": {"sensitive": {"a": 1}}, "select": "a"}), json!(1)),
        (json!({"eval": {"template": "a {{ w }}"}, "vars": {"w": {"eval": {"sensitive": "word"}}}}), json!("a word")),
    ] {
        assert_eq!(secret(expression.clone()), ("<<REDACTED>>".to_owned(), shown), "{expression}");
    }
}

#[test]
fn custom_lookups_are_called() {
    let double = Arc::new(|keys: &[Value], _: &Hash| {
        keys.iter().map(|key| Ok(format!("{0}{0}", key.to_text()).into())).collect::<Result<Vec<Value>, String>>()
    });
    let options = Options { lookups: vec![("double".to_owned(), double)], ..Options::default() };
    let context = Context::new(Tree::new(&Value::Undef).unwrap(), options);
    let expression = Expression::from_value(&value(&json!({"eval": {"lookup": {"double": "ab"}}}))).unwrap();
    assert_eq!(context.resolve_one(&expression).unwrap(), Match::Value("abab".into()));
    assert_eq!(context.render_template("{{ lookup('double', 'c') }}").unwrap(), Match::Value("cc".into()));
}

#[test]
fn templates_make_labels_of_several_parts() {
    for (template, label) in [
        ("{{ __unfurl.to_label('a', 'b', sep='.') }}", "a.b"),
        ("{{ __unfurl.to_label('a b') }}", "ab"),
        ("{{ __unfurl.to_label(['a', 'b'], sep='.') }}", "xab"),
        ("{{ __unfurl.to_dns_label('A_b') }}", "a--b"),
        ("{{ __unfurl.to_label('a', 'b c', sep='.', max=3) }}", "JT"),
    ] {
        assert_eq!(context().render_template(template).unwrap(), Match::Value(label.into()), "{template}");
    }
    let error = context().render_template("{{ __unfurl.nope('a') }}").unwrap_err();
    assert_eq!(error.message, "<<Error rendering template: missing attribute or key: \"nope\">>");
}

/// Learns what was made.
#[derive(Default)]
struct Learned(Mutex<Vec<(String, String)>>);

impl TaintObserver for Learned {
    fn is_idle(&self) -> bool {
        false
    }

    fn record_result(&self, of: &[Value], result: &Value) {
        let of = of.iter().map(Value::inspect).collect::<Vec<_>>().join(" ");
        self.0.lock().unwrap().push((of, result.inspect()));
    }
}

#[test]
fn results_of_functions_and_filters_are_reported() {
    let learned = Arc::new(Learned::default());
    let options = Options { observer: Some(learned.clone()), ..Options::default() };
    let context = Context::new(Tree::new(&Value::Undef).unwrap(), options);
    for flag in [
        json!({"eval": {"to_label": "sword fish"}}),
        json!({"eval": {"token": ["sword:fish", ":", 1]}}),
        json!({"eval": {"template": "{{ 'sword' | upper }}"}}),
    ] {
        context.resolve_one(&Expression::from_value(&value(&flag)).unwrap()).unwrap();
    }
    let reported = |of: &str, result: &str| (format!("{of:?}"), format!("{result:?}"));
    let expected = [reported("sword fish", "swordfish"), reported("sword:fish", "fish"), reported("sword", "SWORD")];
    assert_eq!(*learned.0.lock().unwrap(), expected);
}

#[test]
fn lenient_templates_print_undefined_values() {
    for (template, expected) in [
        ("{{ nope }}", "{{ nope }}"),
        ("a{{ nope }}b", "a{{ nope }}b"),
        ("{{ 1/0 }}", "<<Error rendering template: division by zero>>"),
    ] {
        let lenient = json!({"eval": {"template": template}, "strict": false});
        assert_eq!(matches(lenient), Ok(json!([expected])), "{template}");
    }
    assert_eq!(
        matches(json!({"eval": {"template": "{% if %}"}})).map_err(|told| told
            .split(" String")
            .next()
            .unwrap()
            .to_owned()),
        Err("<<Error rendering template: template error while templating string: Expected an expression, got 'end of \
             statement block'."
            .to_owned())
    );
}

#[test]
fn a_tree_is_distinguished_from_a_document() {
    let root = |described: Json| Tree::new(&value(&described)).map(|tree| tree.root().name().to_owned());
    assert_eq!(root(json!({"name": "a", "attributes": {}})).unwrap(), "a");
    assert_eq!(root(json!({"name": "a", "port": 80})).unwrap(), "root");
    assert_eq!(root(json!({"name": "a"})).unwrap(), "root");
    let twice = json!({"name": "a", "children": [{"name": "a"}]});
    let reported = "can not create node instance \"a\", its name is already in use";
    assert_eq!(root(twice).unwrap_err().message, reported);
    assert!(root(json!([1])).is_err());
}

/// Data of every kind, with expressions in it.
fn data() -> impl Strategy<Value = Json> {
    let path =
        prop::sample::select(vec!["a", ".::b", "::web::a", "a::b::0", "::*::a", "$v", "b[a]", "b::[a=1]::c", "c?"]);
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        (-2i64..3).prop_map(Json::from),
        "[ab1 ]{0,3}".prop_map(Json::from),
        path.clone().prop_map(|path| json!({"eval": path})),
        path.prop_map(|path| json!({"eval": path, "foreach": "$item"})),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::hash_map("[abc]", inner.clone(), 0..3).prop_map(|map| json!(map)),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|parts| json!({"eval": {"or": parts}})),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|parts| json!({"eval": {"concat": parts}})),
            (inner.clone(), inner).prop_map(|(one, other)| json!({"eval": {"eq": [one, other]}})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn evaluation_is_repeatable(attributes in prop::collection::hash_map("[abc]", data(), 0..4), asked in data()) {
        let tree = json!({"name": "root", "children": [{"name": "web", "attributes": attributes}]});
        let budget = Budget::new(Limits { steps: 50_000, depth: 100, ..Limits::default() });
        let vars = value(&json!({"v": {"eval": "a"}})).as_hash().unwrap().clone();
        let options = Options { vars, budget, ..Options::default() };
        let context = Context::new(Tree::new(&value(&tree)).unwrap(), options).start("web").unwrap();
        let ask = || context.map_value(&value(&asked)).map_err(|fault| fault.message);
        let first = ask();
        prop_assert_eq!(&ask(), &first);
        let expression = Expression::from_value(&value(&json!({"eval": asked})));
        let resolve = || expression.as_ref().ok().map(|asked| context.resolve(asked).map_err(|fault| fault.message));
        let found = resolve();
        prop_assert_eq!(resolve(), found);
    }

    #[test]
    fn a_single_value_is_a_single_match(asked in data()) {
        let expression = Expression::from_value(&value(&json!({"eval": asked}))).unwrap();
        let context = context();
        if let (Ok(all), Ok(one)) = (context.resolve(&expression), context.resolve_one(&expression)) {
            let expected = match &all[..] {
                [] => Value::Undef,
                [only] => only.to_value(),
                more => more.iter().map(Match::to_value).collect(),
            };
            prop_assert_eq!(one.to_value(), expected);
        }
    }
}

#[test]
fn a_hidden_variable_of_the_environment_is_an_error() {
    let options = Options { env: Variables::hidden(), ..Options::default() };
    let context = Context::new(Tree::new(&value(&tree())).unwrap(), options);
    for (expression, variable) in [
        (json!({"eval": {"get_env": "HOME"}}), "'HOME'"),
        (json!({"eval": {"get_env": ["HOME", "/root"]}}), "'HOME'"),
        (json!({"eval": {"get_env": ""}}), "environment variables"),
        (json!({"eval": {"has_env": "HOME"}}), "'HOME'"),
        (json!({"eval": {"to_env": {"A": "${HOME:x}"}}}), "'HOME'"),
        (json!({"eval": {"to_env": {"+HOME": null}}}), "'HOME'"),
        (json!({"eval": {"to_env": {"+H*": null}}}), "environment variables"),
        (json!({"eval": ".environ"}), "environment variables"),
        (json!({"eval": {"template": "{{ 'ls' | which }}"}}), "'PATH'"),
    ] {
        let error = context.resolve(&Expression::from_value(&value(&expression)).unwrap()).expect_err("a fault");
        assert!(error.message.contains(variable), "{expression}: {}", error.message);
        assert!(error.help.is_some_and(|help| help.contains("--allow-outside")), "{expression}");
    }
    let own = json!({"eval": {"to_env": {"A": "1", "B": "${A}"}}});
    context.resolve(&Expression::from_value(&value(&own)).unwrap()).expect("no variable of the environment is read");
}
