//! Formats types like Go prints their structures, for a single message of the reference.

use std::fmt::Write;

use hieratic_hcl_types::Type;

/// The type as `%s` prints it.
pub(super) fn type_text(ty: &Type) -> String {
    let mut out = String::new();
    write_type(&mut out, ty);
    out
}

fn write_type(out: &mut String, ty: &Type) {
    // Go prints a type as a structure within a structure, with an empty marker before its content.
    out.push_str("{{{}");
    match ty {
        Type::Dynamic => {}
        Type::Bool => primitive(out, b'B'),
        Type::Number => primitive(out, b'N'),
        Type::String => primitive(out, b'S'),
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            out.push(' ');
            write_type(out, element);
        }
        Type::Tuple(elements) => {
            out.push_str(" [");
            for (at, element) in elements.iter().enumerate() {
                if at > 0 {
                    out.push(' ');
                }
                write_type(out, element);
            }
            out.push(']');
        }
        Type::Object(object) => {
            out.push_str(" map[");
            for (at, attribute) in object.attributes().iter().enumerate() {
                if at > 0 {
                    out.push(' ');
                }
                out.push_str(&attribute.name);
                out.push(':');
                write_type(out, &attribute.ty);
            }
            // No value has optional attributes.
            out.push_str("] map[]");
        }
    }
    out.push_str("}}");
}

fn primitive(out: &mut String, kind: u8) {
    // Writing to a string cannot fail.
    let _ = write!(out, " %!s(cty.primitiveTypeKind={kind})");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_printed_as_go_prints_them() {
        for (ty, text) in [
            (Type::Dynamic, "{{{}}}"),
            (Type::Bool, "{{{} %!s(cty.primitiveTypeKind=66)}}"),
            (Type::map(Type::Number), "{{{} {{{} %!s(cty.primitiveTypeKind=78)}}}}"),
            (Type::tuple(Vec::new()), "{{{} []}}"),
            (Type::tuple(vec![Type::Bool, Type::Dynamic]), "{{{} [{{{} %!s(cty.primitiveTypeKind=66)}} {{{}}}]}}"),
            (
                Type::object([("b".into(), Type::String), ("a".into(), Type::Dynamic)]),
                "{{{} map[a:{{{}}} b:{{{} %!s(cty.primitiveTypeKind=83)}}] map[]}}",
            ),
        ] {
            assert_eq!(type_text(&ty), text);
        }
    }
}
