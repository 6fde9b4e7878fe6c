//! The type of Hiera's configuration file, built without text, and what it says of faulty files.

use hieratic_puppet_types::{IntegerRange, Key, Pattern, Type, assert_instance, is_rich_data, parse};
use hieratic_value::{Hash, Rich, Value};

/// The type that version 5 of the file has to be of.
fn configuration() -> Type {
    let text = || Type::string_of_at_least(1);
    let texts = || Type::array_of_size(text(), Some(IntegerRange::at_least(1i64)));
    let option = Pattern::new(r"\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z").expect("a good expression");
    let options = || Type::hash(Type::pattern([option.clone()]), Type::data());
    let optional = |names: &[&str], of: &dyn Fn() -> Type| -> Vec<(Key, Type)> {
        names.iter().map(|name| (Key::optional(name), of())).collect()
    };
    let functions = ["data_hash", "lookup_key", "hiera3_backend", "v4_data_hash", "data_dig"];
    let mut level = vec![(Key::required("name"), text()), (Key::optional("options"), options())];
    level.extend(optional(&functions, &text));
    for (one, many) in [("path", "paths"), ("glob", "globs"), ("uri", "uris")] {
        level.extend([(Key::optional(one), text()), (Key::optional(many), texts())]);
    }
    let three = Type::array_of_size(text(), Some(IntegerRange::exactly(3i64)));
    level.extend([(Key::optional("mapped_paths"), three), (Key::optional("datadir"), text())]);
    let mut defaults = optional(&["data_hash", "lookup_key", "data_dig", "datadir"], &text);
    defaults.push((Key::optional("options"), options()));
    let mut whole =
        vec![(Key::required("version"), Type::exactly(5)), (Key::optional("defaults"), Type::structure(defaults))];
    let levels = || Type::array(Type::structure(level.clone()));
    whole.extend(optional(&["hierarchy", "plan_hierarchy", "default_hierarchy"], &levels));
    Type::structure(whole)
}

fn hash(pairs: Vec<(&str, Value)>) -> Value {
    Value::from(pairs.into_iter().collect::<Hash>())
}

fn fault(value: &Value) -> String {
    assert_instance("The Lookup Configuration", &configuration(), value).expect_err("a fault").to_string()
}

#[test]
fn it_can_be_written_and_read() {
    assert_eq!(parse(&configuration().to_string()), Ok(configuration()));
}

#[test]
fn good_files_pass() {
    let level = hash(vec![("name", Value::from("x")), ("path", Value::from("x.yaml"))]);
    let file = hash(vec![("version", Value::from(5)), ("hierarchy", Value::from(vec![level]))]);
    assert_eq!(assert_instance("The Lookup Configuration", &configuration(), &file), Ok(()));
}

#[test]
fn faulty_files_are_described() {
    let first = hash(vec![
        ("name", Value::from("x")),
        ("pathz", Value::from("y")),
        ("paths", Value::from(Vec::<Value>::new())),
    ]);
    let second = hash(vec![("path", Value::from(1))]);
    let file = hash(vec![("version", Value::from(5)), ("hierarchy", Value::from(vec![first, second]))]);
    assert_eq!(
        fault(&file),
        " The Lookup Configuration has wrong type, entry 'hierarchy' index 0 entry 'paths' expects size to be at \
         least 1, got 0\n  The Lookup Configuration has wrong type, entry 'hierarchy' index 0 unrecognized key 'pathz'\n  \
         The Lookup Configuration has wrong type, entry 'hierarchy' index 1 expects a value for key 'name'\n  \
         The Lookup Configuration has wrong type, entry 'hierarchy' index 1 entry 'path' expects a String value, got \
         Integer"
    );
    let options = hash(vec![("a-", Value::from(1)), ("b", Value::from(Rich::Symbol("x".into())))]);
    let file = hash(vec![("version", Value::from(4)), ("defaults", hash(vec![("options", options)]))]);
    assert_eq!(
        fault(&file),
        " The Lookup Configuration has wrong type, entry 'version' expects an Integer[5, 5] value, got Integer[4, 4]\n  \
         The Lookup Configuration has wrong type, entry 'defaults' entry 'options' key of entry 'a-' expects a match \
         for Pattern[/\\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\\z/], got 'a-'\n  \
         The Lookup Configuration has wrong type, entry 'defaults' entry 'options' entry 'b' expects a Data value, got \
         Runtime"
    );
    assert_eq!(
        fault(&hash(vec![])),
        "The Lookup Configuration has wrong type, expects size to be between 1 and 5, got 0"
    );
}

#[test]
fn values_that_share_their_parts_are_checked_in_no_time() {
    let mut value = Value::from(vec![Value::from(1)]);
    for _ in 0..60 {
        value = Value::from(vec![value.clone(), value.clone(), value]);
    }
    assert!(is_rich_data(&value));
}
