//! `condition ? this : that`.
//!
//! The two results are converted to one type, although only one of them is used. Source:
//! <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#conditional-operator>.

use hieratic_hcl_syntax::ast::Conditional;
use hieratic_hcl_types::{ObjectType, Type, Unified, Value, convert, quoted, unify};

use super::Evaluator;
use crate::Context;

const INCONSISTENT: &str = "Inconsistent conditional result types";

/// The conversion that the chosen result needs.
enum ResultType {
    /// The value is not converted.
    Same(Type),
    /// A bare null becomes a null of that type.
    TypedNull(Type),
    Unified(Unified),
}

impl Evaluator<'_> {
    pub(super) fn conditional(&mut self, node: &Conditional, context: &Context<'_>) -> Value {
        let (when_true, problems_true) = self.capture_problems(&node.true_result, context);
        let (when_false, problems_false) = self.capture_problems(&node.false_result, context);
        // The types of both are computed, and the result is converted.
        if !self.charge_traversal(&when_true, node.span) || !self.charge_traversal(&when_false, node.span) {
            return Value::DYNAMIC;
        }
        let Some(common) = common(&when_true, &when_false) else {
            let detail = format!(
                "The true and false result expressions must have consistent types. {}.",
                mismatch(&when_true.ty(), &when_false.ty())
            );
            let at = node.true_result.span().to(node.false_result.span());
            self.report_error(INCONSISTENT, detail, at, Some(node.span));
            return Value::DYNAMIC;
        };
        let unknown = unknown_of(&common);
        let condition = self.value(&node.condition, context);
        let at = node.condition.span();
        let chosen = match &condition {
            Value::Null(_) => {
                let detail = "The condition value is null. Conditions must either be true or false.";
                self.report_error("Null condition", detail, at, Some(node.span));
                return unknown();
            }
            Value::Unknown(_) => return undecided(&when_true, &when_false).unwrap_or_else(unknown_of(&common)),
            other => match convert(other, &Type::Bool) {
                Ok(value) => value.as_bool().unwrap_or_default(),
                Err(_) => {
                    let detail = "The condition expression must be of type bool.";
                    self.report_error("Incorrect condition type", detail, at, Some(node.span));
                    return unknown();
                }
            },
        };
        let (value, problems, which, at) = if chosen {
            (when_true, problems_true, "true", node.true_result.span())
        } else {
            (when_false, problems_false, "false", node.false_result.span())
        };
        self.report_list(problems);
        match &common {
            ResultType::Same(_) => value,
            ResultType::TypedNull(ty) => match value {
                Value::Null(Type::Dynamic) => Value::Null(ty.clone()),
                value => value,
            },
            ResultType::Unified(unified) => match unified.convert(&value) {
                Ok(value) => value,
                Err(error) => {
                    let detail = format!("The {which} result value has the wrong type: {error}.");
                    self.report_error(INCONSISTENT, detail, at, Some(node.span));
                    unknown()
                }
            },
        }
    }
}

fn common(when_true: &Value, when_false: &Value) -> Option<ResultType> {
    match (when_true, when_false) {
        (Value::Bool(_), Value::Bool(_)) => Some(ResultType::Same(Type::Bool)),
        (Value::Number(_), Value::Number(_)) => Some(ResultType::Same(Type::Number)),
        (Value::String(_), Value::String(_)) => Some(ResultType::Same(Type::String)),
        (Value::Null(Type::Dynamic), other) | (other, Value::Null(Type::Dynamic)) => {
            Some(ResultType::TypedNull(other.ty()))
        }
        (Value::Unknown(Type::Dynamic), _) | (_, Value::Unknown(Type::Dynamic)) => {
            Some(ResultType::Same(Type::Dynamic))
        }
        (a, b) => {
            let (a, b) = (a.ty(), b.ty());
            if a == b { Some(ResultType::Same(a)) } else { unify(&[a, b]).map(ResultType::Unified) }
        }
    }
}

fn unknown_of(common: &ResultType) -> impl Fn() -> Value + '_ {
    || {
        Value::Unknown(match common {
            ResultType::Same(ty) | ResultType::TypedNull(ty) => ty.clone(),
            ResultType::Unified(unified) => unified.ty.clone(),
        })
    }
}

/// The result where the condition does not matter: both are null, the same number, or empty.
fn undecided(when_true: &Value, when_false: &Value) -> Option<Value> {
    match (when_true, when_false) {
        (Value::Null(ty), Value::Null(Type::Dynamic)) | (Value::Null(Type::Dynamic), Value::Null(ty)) => {
            Some(Value::Null(ty.clone()))
        }
        (Value::Null(a), Value::Null(b)) => {
            Some(Value::Null(unify(&[a.clone(), b.clone()]).map_or(Type::Dynamic, |unified| unified.ty)))
        }
        (Value::Number(a), Value::Number(b)) if a == b => Some(when_true.clone()),
        (Value::List(_) | Value::Set(_) | Value::Map(_), _)
            if when_true.length() == Some(0) && when_true.same(when_false) =>
        {
            Some(when_true.clone())
        }
        _ => None,
    }
}

/// In which way two types cannot be brought together.
fn mismatch(when_true: &Type, when_false: &Type) -> String {
    match (when_true, when_false) {
        (Type::Object(a), Type::Object(b)) => {
            if let Some(found) = object_mismatch(a, b) {
                return found;
            }
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            if a.len() != b.len() {
                return format!(
                    "The 'true' tuple has length {}, but the 'false' tuple has length {}",
                    a.len(),
                    b.len()
                );
            }
            if let Some((index, (a, b))) = a.iter().zip(b.iter()).enumerate().find(|(_, (a, b))| a != b) {
                return format!("Type mismatch for tuple element {index}: {}", mismatch(a, b));
            }
        }
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b))
            if (a.is_object() && b.is_object()) || (a.is_tuple() && b.is_tuple()) =>
        {
            let noun = match when_true {
                Type::List(_) => "list",
                Type::Set(_) => "set",
                _ => "map",
            };
            return format!("Mismatched {noun} element types: {}", mismatch(a, b));
        }
        _ => {}
    }
    let (a, b) = (when_true.friendly_name(), when_false.friendly_name());
    if a == b {
        return "At least one deeply-nested attribute or element is not compatible across both the 'true' and the \
                'false' value"
            .into();
    }
    format!("The 'true' value is {a}, but the 'false' value is {b}")
}

fn object_mismatch(when_true: &ObjectType, when_false: &ObjectType) -> Option<String> {
    for attribute in when_true.attributes() {
        let name = quoted(&attribute.name);
        let Some(other) = when_false.get(&attribute.name) else {
            return Some(format!(
                "The 'true' value includes object attribute {name}, which is absent in the 'false' value"
            ));
        };
        if attribute.ty != other.ty {
            return Some(format!("Type mismatch for object attribute {name}: {}", mismatch(&attribute.ty, &other.ty)));
        }
    }
    let absent = when_false.attributes().iter().find(|attribute| when_true.get(&attribute.name).is_none())?;
    Some(format!(
        "The 'false' value includes object attribute {}, which is absent in the 'true' value",
        quoted(&absent.name)
    ))
}
