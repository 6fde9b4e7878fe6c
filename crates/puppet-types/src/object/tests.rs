use hieratic_value::Value;

use super::object_type;
use crate::{attribute, instantiate, parse, parse_with};

fn refused(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn the_types_of_the_language_are_there() {
    for name in ["Error", "Deferred"] {
        let kind = parse(name).unwrap();
        assert!(kind.to_string().starts_with(&format!("Object[{{name => '{name}'")), "{kind}");
    }
    let error = instantiate(&parse("Error").unwrap(), &[Value::from("no"), Value::from("k")]).unwrap();
    assert_eq!(error.to_text(), "Error({'msg' => 'no', 'kind' => 'k'})");
    assert_eq!(attribute(&error, "message"), Some(Value::from("no")));
    assert!(parse("Error[k]").unwrap().is_instance(&error));
    assert!(!parse("Error[/x/]").unwrap().is_instance(&error));
}

#[test]
fn definitions_are_checked() {
    for (definition, message) in [
        ("{foo => 1}", "object initializer has wrong type, unrecognized key 'foo'"),
        ("{attributes => {x => 5}}", "attribute Object[x] has wrong type, expects a Type value, got Integer"),
        (
            "{attributes => {x => {type => Integer, kind => constant}}}",
            "attribute Object[x] of kind 'constant' requires a value",
        ),
        (
            "{attributes => {x => {type => Integer, kind => derived, value => 2}}}",
            "attribute Object[x] of kind 'derived' cannot be combined with an attribute value",
        ),
        (
            "{attributes => {x => Integer}, constants => {x => 1}}",
            "attribute Object[x] is defined as both a constant and an attribute",
        ),
        (
            "{attributes => {x => Integer}, functions => {x => Callable}}",
            "function Object[x] conflicts with attribute with the same name",
        ),
        ("{equality => z}", "Object equality is referencing non existent attribute 'z'"),
        (
            "{attributes => {x => Integer}, equality => x, equality_include_type => false}",
            "equality_include_type = false cannot be combined with non empty equality specification",
        ),
        ("{parent => Nosuch}", "reference to unresolved type 'Nosuch'"),
    ] {
        assert_eq!(refused(&format!("Object[{definition}]")), message);
    }
}

#[test]
fn children_keep_to_the_rules_of_their_parents() {
    let parent = parse("Object[{name => 'P', attributes => {x => Integer, y => {type => Integer, final => true}}}]");
    let parent = parent.unwrap();
    let child = |definition: &str| {
        let kind = parse_with(definition, &|name| (name == "P").then(|| parent.clone()));
        kind.map_or_else(|error| format!("!! {error}"), |kind| kind.to_string())
    };
    for (attributes, message) in [
        ("x => Integer", "!! attribute C[x] attempts to override attribute P[x] without having override => true"),
        (
            "x => {type => String, override => true}",
            "!! attribute C[x] attempts to override attribute P[x] with a type that does not match",
        ),
        ("y => {type => Integer, override => true}", "!! attribute C[y] attempts to override final attribute P[y]"),
        (
            "z => {type => Integer, override => true}",
            "!! expected attribute C[z] to override an inherited attribute, but no such attribute was found",
        ),
        ("z => Integer", "Object[{name => 'C', parent => P, attributes => {'z' => Integer}}]"),
    ] {
        assert_eq!(child(&format!("Object[{{name => 'C', parent => P, attributes => {{{attributes}}}}}]")), message);
    }
}

#[test]
fn objects_are_built_from_values_or_a_hash() {
    let kind = parse("Object[{name => 'P', attributes => {x => {type => Integer, value => 3}, y => String}}]").unwrap();
    // Required attributes come first.
    let result = instantiate(&kind, &[Value::from("a"), Value::from(4)]).unwrap();
    assert_eq!(result.to_text(), "P({'x' => 4, 'y' => 'a'})");
    let same = instantiate(&kind, &[Value::from("a"), Value::from(3)]).unwrap();
    let hash = [("y", Value::from("a"))].into_iter().collect::<hieratic_value::Hash>();
    assert_eq!(instantiate(&kind, &[Value::from(hash)]).unwrap(), same);
    assert_ne!(result, same);
    assert_eq!(instantiate(&kind, &[]).unwrap_err().to_string(), "'new_P' expects between 1 and 2 arguments, got none");
}

#[test]
fn a_name_that_is_given_is_the_one_of_messages() {
    let definition = [("attributes", [("x", Value::from(5))].into_iter().collect::<hieratic_value::Hash>().into())];
    let definition = definition.into_iter().collect();
    assert_eq!(
        object_type(Some("Point"), &definition).unwrap_err(),
        "attribute Point[x] has wrong type, expects a Type value, got Integer"
    );
}
