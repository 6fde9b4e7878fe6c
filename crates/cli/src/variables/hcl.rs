//! Values as HCL, for files of variables of Terraform.

use std::fmt::Write as _;

use hieratic::Value;
use hieratic::hcl_types::hcl_literal;
use hieratic::value::Rich;

/// A line, or several for a hash: `name = value`.
pub(super) fn assignment(name: &str, value: &Value) -> Result<String, String> {
    let mut out = format!("{name} = ");
    write(&super::values::plain(value), 0, &mut out)?;
    Ok(out)
}

fn write(value: &Value, depth: usize, out: &mut String) -> Result<(), String> {
    match value {
        Value::Undef => out.push_str("null"),
        Value::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Integer(number) => {
            let _ = write!(out, "{number}");
        }
        Value::Float(number) if number.is_finite() => {
            let _ = write!(out, "{number:?}");
        }
        Value::Float(number) => return Err(format!("has no form in HCL: {number}")),
        Value::String(text) => out.push_str(&hcl_literal(text)),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write(item, depth, out)?;
            }
            out.push(']');
        }
        Value::Hash(hash) if hash.is_empty() => out.push_str("{}"),
        Value::Hash(hash) => {
            out.push_str("{\n");
            let indent = "  ".repeat(depth + 1);
            for (key, value) in hash.iter() {
                out.push_str(&indent);
                out.push_str(&hcl_literal(&key.to_text()));
                out.push_str(" = ");
                write(value, depth + 1, out)?;
                out.push('\n');
            }
            out.push_str(&"  ".repeat(depth));
            out.push('}');
        }
        Value::Rich(rich) => match &**rich {
            Rich::BigInteger(number) => {
                let _ = write!(out, "{number}");
            }
            _ => out.push_str(&hcl_literal(&value.to_text())),
        },
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic::Hash;

    #[test]
    fn values_are_read_again_as_they_were() {
        let inner: Value = [("a b", Value::from(1.5)), ("c", Value::Undef)].into_iter().collect::<Hash>().into();
        let value = Value::from(vec![Value::from("x ${y} %{z} $ \"\\\n\u{1}"), inner, Value::from(true)]);
        let text = assignment("v", &value).unwrap();
        let read = hieratic::hcl::evaluate_hcl(
            &hieratic::hcl::HclInput {
                kind: hieratic::hcl::HclKind::Expression,
                text: text.as_bytes()["v = ".len()..].to_vec(),
                ..Default::default()
            },
            &hieratic::hcl::hcl_functions(None),
        );
        match read.value {
            Some(hieratic::hcl::HclValue::Value(read)) => assert_eq!(hieratic::hcl::from_cty(&read), value),
            other => panic!("{text}: {other:?}"),
        }
        assert!(assignment("v", &Value::Float(f64::NAN)).is_err());
    }
}
