//! Values and types as recorded calls write them.

use hieratic_hcl_types::{AttributeType, Number, ObjectType, Text, Type, Value};
use serde_json::Value as Json;

/// A value of its type.
pub fn value(argument: &Json) -> Value {
    match argument["type"].as_str().unwrap() {
        "any" => Value::from_json(&argument["value"]),
        "inf" => Number::INFINITY.into(),
        "-inf" => Number::NEGATIVE_INFINITY.into(),
        ty => Value::from_json_as(&argument["value"], &self::ty(ty)).unwrap(),
    }
}

/// A type from its constraint.
pub fn ty(text: &str) -> Type {
    let mut rest = text;
    let ty = read(&mut rest);
    assert!(rest.is_empty(), "{text}");
    ty
}

fn skip(rest: &mut &str, text: &str) -> bool {
    match rest.strip_prefix(text) {
        Some(after) => {
            *rest = after;
            true
        }
        None => false,
    }
}

fn read(rest: &mut &str) -> Type {
    for (name, ty) in [("string", Type::String), ("number", Type::Number), ("bool", Type::Bool), ("any", Type::Dynamic)]
    {
        if skip(rest, name) {
            return ty;
        }
    }
    for name in ["list(", "set(", "map("] {
        if skip(rest, name) {
            let element = read(rest);
            assert!(skip(rest, ")"));
            return match name {
                "list(" => Type::list(element),
                "set(" => Type::set(element),
                _ => Type::map(element),
            };
        }
    }
    if skip(rest, "tuple([") {
        let mut elements = Vec::new();
        while !skip(rest, "])") {
            elements.push(read(rest));
            skip(rest, ",");
        }
        return Type::tuple(elements);
    }
    assert!(skip(rest, "object({"), "{rest}");
    let mut attributes = Vec::new();
    while !skip(rest, "})") {
        let (name, after) = rest.split_once('=').unwrap();
        *rest = after;
        let optional = skip(rest, "optional(");
        attributes.push(AttributeType { name: Text::from(name), ty: read(rest), optional });
        assert!(!optional || skip(rest, ")"));
        skip(rest, ",");
    }
    Type::Object(ObjectType::new(attributes).into())
}
