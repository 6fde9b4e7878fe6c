//! Laws that hold for all values.
use hieratic_hcl_functions::{FunctionTable, functions};
use hieratic_hcl_types::{CallError, Text, Type, Value};
use proptest::prelude::*;

thread_local! {
    static TABLE: FunctionTable = functions(None);
}

fn call(name: &str, arguments: &[Value]) -> Result<Value, CallError> {
    TABLE.with(|table| table.get(name).unwrap().call(arguments))
}

fn called(name: &str, arguments: &[Value]) -> Value {
    call(name, arguments).unwrap()
}

fn text() -> impl Strategy<Value = Value> {
    prop_oneof!["\\PC{0,12}", "[a-c\\r\\n\t \"'<&>:#-]{0,12}"].prop_map(Value::string)
}

fn strings() -> impl Strategy<Value = Value> {
    prop::collection::vec(text(), 0..8).prop_map(|items| Value::list(Type::String, items))
}

/// What JSON and YAML have: no lists, sets or maps.
fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::NULL),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        (-1e9f64..1e9).prop_map(|number| hieratic_hcl_types::Number::parse(&number.to_string()).unwrap().into()),
        text(),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        let names = prop_oneof!["[a-d]{0,3}", "\\PC{0,4}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::tuple),
            prop::collection::vec((names, inner), 0..5).prop_map(|entries| {
                let normal = |name: String| match Value::string(name) {
                    Value::String(name) => name,
                    _ => Text::from(""),
                };
                Value::object(entries.into_iter().map(|(name, value)| (normal(name), value)).collect())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn base64_round_trips(text in text()) {
        let encoded = called("base64encode", std::slice::from_ref(&text));
        prop_assert!(called("base64decode", &[encoded]).same(&text));
    }

    #[test]
    fn json_round_trips(value in document()) {
        let encoded = called("jsonencode", std::slice::from_ref(&value));
        let decoded = called("jsondecode", &[encoded]);
        prop_assert!(decoded.same(&value), "{decoded:?}");
    }

    #[test]
    fn yaml_round_trips(value in document()) {
        let encoded = called("yamlencode", std::slice::from_ref(&value));
        // Lines break at more characters in YAML 1.1, and are put together with one kind of break.
        let has_breaks = encoded.as_str().unwrap().contains(['\u{85}', '\u{2028}', '\u{2029}']);
        // A key that merges is no key; texts of several lines are read as what they say.
        let merges = encoded.as_str().unwrap().contains("\"<<\"");
        if !has_breaks && !merges {
            let decoded = called("yamldecode", std::slice::from_ref(&encoded));
            let (a, b) = (called("jsonencode", &[decoded]), called("jsonencode", &[value]));
            prop_assert!(a.same(&b), "{encoded:?} {a:?} {b:?}");
        }
    }

    #[test]
    fn decoders_take_any_text(text in "\\PC{0,30}|[\\[\\]{}:,\"'&*!|>#%@?~a0.\\- \n\t]{0,30}") {
        for name in ["jsondecode", "yamldecode", "csvdecode", "base64decode"] {
            let _ = call(name, &[Value::string(text.as_str())]);
        }
    }

    #[test]
    fn any_format_is_handled(format in "[%vdsqxeEfgGbot#0+\\-. \\[\\]1-3é]{0,12}", a in document(), b in document()) {
        let _ = call("format", &[Value::string(format.as_str()), a.clone(), b.clone()]);
        let _ = call("formatlist", &[Value::string(format), a, b]);
    }

    #[test]
    fn any_pattern_is_handled(pattern in "[ab(){}\\[\\]*+?|^$.\\\\pdDLQEi:P<n>,0-9-]{0,12}", text in text()) {
        let _ = call("regex_replace", &[text, Value::string(pattern), Value::string("$1${n}")]);
    }

    #[test]
    fn dates_take_any_text(format in "[YMDEhHAamsZ' x]{0,8}", time in "[0-9TZ:+.\\-]{0,26}", duration in "[0-9hmsnu.\\-+]{0,9}") {
        let _ = call("formatdate", &[Value::string(format), Value::string(time.as_str())]);
        let _ = call("timeadd", &[Value::string(time), Value::string(duration.as_str())]);
        let _ = call("timeadd", &[Value::string("2020-01-01T00:00:00Z"), Value::string(duration)]);
    }

    #[test]
    fn sorting_twice_is_sorting_once(list in strings()) {
        let sorted = called("sort", &[list]);
        prop_assert!(called("sort", std::slice::from_ref(&sorted)).same(&sorted));
    }

    #[test]
    fn distinct_elements_are_contained(list in strings()) {
        let distinct = called("distinct", std::slice::from_ref(&list));
        prop_assert!(called("distinct", std::slice::from_ref(&distinct)).same(&distinct));
        for item in list.elements() {
            prop_assert_eq!(called("contains", &[distinct.clone(), item.clone()]).as_bool(), Some(true));
        }
    }

    #[test]
    fn chunks_and_slices_add_up(list in strings(), size in 1usize..5) {
        let chunks = called("chunklist", &[list.clone(), size.into()]);
        prop_assert!(called("flatten", &[chunks]).as_slice().unwrap().len() == list.length().unwrap());
        let length = list.length().unwrap();
        let middle = size.min(length);
        let first = called("slice", &[list.clone(), 0usize.into(), middle.into()]);
        let rest = called("slice", &[list.clone(), middle.into(), length.into()]);
        prop_assert!(called("concat", &[first, rest]).same(&list));
    }

    #[test]
    fn splitting_undoes_joining(words in prop::collection::vec("[a-c]{1,3}", 1..6)) {
        let list = Value::list(Type::String, words.into_iter().map(Value::string).collect());
        let joined = called("join", &[Value::string(","), list.clone()]);
        prop_assert!(called("split", &[Value::string(","), joined]).same(&list));
    }

    #[test]
    fn keys_and_values_make_the_map_again(words in prop::collection::vec("[a-f]{1,2}", 0..6)) {
        let entries = words.iter().map(|word| (Text::from(word.as_str()), Value::string(word.as_str()))).collect();
        let map = Value::map(Type::String, entries);
        let (keys, values) = (called("keys", std::slice::from_ref(&map)), called("values", std::slice::from_ref(&map)));
        prop_assert!(called("zipmap", &[keys, values]).same(&map));
        prop_assert!(called("merge", &[map.clone(), map.clone()]).same(&map));
    }

    #[test]
    fn reversing_keeps_the_length(text in "[a-zé🇬🇧 ]{0,12}") {
        let reversed = called("strrev", &[Value::string(text.as_str())]);
        prop_assert_eq!(reversed.as_str().unwrap().len(), Value::string(text).as_str().unwrap().len());
    }

    #[test]
    fn hosts_are_in_their_networks(a in any::<u32>(), prefix in 0u32..=32, number in any::<i32>()) {
        let network = format!("{}/{prefix}", std::net::Ipv4Addr::from(a));
        if let Ok(host) = call("cidrhost", &[Value::string(network), number.into()]) {
            let host: std::net::Ipv4Addr = host.as_str().unwrap().parse().unwrap();
            let mask = u32::MAX.checked_shl(32 - prefix).unwrap_or(0);
            prop_assert_eq!(u32::from(host) & mask, a & mask);
        }
    }
}

#[test]
fn no_function_panics_at_odd_arguments() {
    let odd = [
        Value::NULL,
        Value::DYNAMIC,
        Value::Null(Type::String),
        Value::Null(Type::list(Type::String)),
        Value::Unknown(Type::Number),
        Value::string(""),
        Value::string("a"),
        i64::MIN.into(),
        0.into(),
        hieratic_hcl_types::Number::INFINITY.into(),
        Value::tuple(vec![Value::DYNAMIC, Value::NULL]),
        Value::list(Type::String, vec![Value::Unknown(Type::String)]),
        Value::list(Type::Dynamic, Vec::new()),
        Value::object(vec![("a".into(), Value::DYNAMIC)]),
        Value::set(Type::Number, vec![1.into()]),
        Value::map(Type::String, Vec::new()),
    ];
    for (name, function) in functions(None) {
        // A hash takes its time, whatever is hashed.
        let most = if name == "bcrypt" { 0 } else { 3 };
        let _ = function.call(&[]);
        for first in odd.iter().take(if most == 0 { 0 } else { odd.len() }) {
            let _ = function.call(std::slice::from_ref(first));
            for second in &odd {
                let _ = function.call(&[first.clone(), second.clone()]);
                for third in &odd {
                    let _ = function.call(&[first.clone(), second.clone(), third.clone()]);
                }
            }
        }
    }
}
