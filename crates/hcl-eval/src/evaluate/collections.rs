//! Tuples and objects, from constructors or `for`.
//!
//! Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#collection-values> and `#for-expressions`.

use std::collections::hash_map::Entry;

use hieratic_hcl_syntax::ast::{Expression, ForExpression, ObjectConstructor, ObjectKey, TupleConstructor};
use hieratic_hcl_types::{Text, Type, Value, convert, quoted};
use hieratic_value::collections::HashMap;

use super::Evaluator;
use crate::context::{Context, Variables};

const INVALID_CONDITION: &str = "Invalid 'for' condition";

/// The result of a `for` expression under construction.
enum ForResult {
    Tuple(Vec<Value>),
    Object(HashMap<Text, Value>),
    Groups(HashMap<Text, Vec<Value>>),
}

impl Evaluator<'_> {
    pub(super) fn tuple(&mut self, tuple: &TupleConstructor, context: &Context<'_>) -> Value {
        let result = Value::tuple(tuple.items.iter().map(|item| self.value(item, context)).collect());
        if self.charge_traversal(&result, tuple.span) { result } else { Value::DYNAMIC }
    }

    pub(super) fn object(&mut self, object: &ObjectConstructor, context: &Context<'_>) -> Value {
        let mut entries: Vec<(Text, Value)> = Vec::with_capacity(object.items.len());
        let mut known = true;
        for item in &object.items {
            let errors = self.errors;
            let key = self.object_key(&item.key, context);
            let failed = self.errors > errors;
            let value = self.value(&item.value, context);
            let key = if failed { None } else { self.key_text(key, &item.key, &item.value) };
            match key {
                Some(key) => entries.push((key, value)),
                None => known = false,
            }
        }
        if !known {
            return Value::DYNAMIC;
        }
        let result = Value::object(entries);
        if self.charge_traversal(&result, object.span) { result } else { Value::DYNAMIC }
    }

    fn object_key(&mut self, key: &ObjectKey, context: &Context<'_>) -> Value {
        if key.is_ambiguous() {
            let detail = "If this expression is intended to be a reference, wrap it in parentheses. If it's instead \
                          intended as a literal name containing periods, wrap it in quotes to create a string literal.";
            self.report_error("Ambiguous attribute key", detail, key.span(), None);
            return Value::DYNAMIC;
        }
        match key.literal_name() {
            Some(name) => Value::string(name),
            None => self.value(&key.expression, context),
        }
    }

    fn key_text(&mut self, key: Value, node: &ObjectKey, value: &Expression) -> Option<Text> {
        match key {
            Value::String(text) => Some(text),
            Value::Null(_) => {
                self.report_error("Null value as key", "Can't use a null value as a key.", value.span(), None);
                None
            }
            other => match convert(&other, &Type::String) {
                Ok(Value::String(text)) => Some(text),
                Ok(_) => None,
                Err(error) => {
                    let detail = format!("Can't use this value as a key: {error}.");
                    self.report_error("Incorrect key type", detail, node.span(), None);
                    None
                }
            },
        }
    }

    pub(super) fn for_expression(&mut self, node: &ForExpression, context: &Context<'_>) -> Value {
        let collection = self.value(&node.collection, context);
        let at = node.collection.span();
        if collection.is_null() {
            let detail = "A null value cannot be used as the collection in a 'for' expression.";
            self.report_error("Iteration over null value", detail, at, Some(node.span));
            return Value::DYNAMIC;
        }
        match &collection {
            Value::Unknown(Type::Dynamic) => return Value::DYNAMIC,
            Value::Unknown(ty) if !ty.is_primitive() => return Value::DYNAMIC,
            value if !value.can_iterate() => {
                let detail = format!(
                    "A value of type {} cannot be used as the collection in a 'for' expression.",
                    value.ty().friendly_name()
                );
                self.report_error("Iteration over non-iterable value", detail, at, Some(node.span));
                return Value::DYNAMIC;
            }
            _ => {}
        }
        if let Some(condition) = &node.condition
            && !self.check_condition(node, condition, context)
        {
            return Value::DYNAMIC;
        }
        let result = self.items(node, &collection, context);
        self.observe([&collection], &result);
        result
    }

    /// Checks the condition with an unknown element: an invalid condition is an error even if the collection is empty.
    fn check_condition(&mut self, node: &ForExpression, condition: &Expression, context: &Context<'_>) -> bool {
        let errors = self.errors;
        let child = context.child_with(element(node, Some(Value::DYNAMIC), Value::DYNAMIC));
        let result = self.value(condition, &child);
        let at = condition.span();
        if result.is_null() {
            let detail = "The value of the 'if' clause must not be null.";
            self.report_error("Condition is null", detail, at, Some(node.span));
            return false;
        }
        if let Err(error) = convert(&result, &Type::Bool) {
            let detail = format!("The 'if' clause value is invalid: {error}.");
            self.report_error(INVALID_CONDITION, detail, at, Some(node.span));
            return false;
        }
        self.errors == errors
    }

    fn items(&mut self, node: &ForExpression, collection: &Value, context: &Context<'_>) -> Value {
        let length = collection.length().unwrap_or_default();
        if !self.charge(length, length.saturating_mul(size_of::<Value>()), node.span) {
            return Value::DYNAMIC;
        }
        let mut result = match (&node.key, node.group) {
            (None, _) => ForResult::Tuple(Vec::with_capacity(length)),
            (Some(_), false) => ForResult::Object(HashMap::with_capacity_and_hasher(length, Default::default())),
            (Some(_), true) => ForResult::Groups(HashMap::default()),
        };
        let mut known = true;
        let mut child = context.child();
        let mut each = |evaluator: &mut Self, key: Option<Value>, value: &Value| {
            if evaluator.exhausted.is_some() {
                return;
            }
            child.set(element(node, key, value.clone()));
            if let Some(condition) = &node.condition {
                match evaluator.evaluate_condition(node, condition, &child, known) {
                    Some(true) => {}
                    Some(false) => return,
                    None => {
                        known = false;
                        return;
                    }
                }
            }
            known &= evaluator.item(node, &child, known, &mut result);
        };
        let wants_key = node.key_variable.is_some();
        if let Some(entries) = collection.as_entries() {
            for (key, value) in entries {
                each(self, wants_key.then(|| Value::String(key.clone())), value);
            }
        } else {
            let keyed_by_value = matches!(collection, Value::Set(_));
            for (index, value) in collection.as_slice().unwrap_or_default().iter().enumerate() {
                let key = || if keyed_by_value { value.clone() } else { Value::from(index) };
                each(self, wants_key.then(key), value);
            }
        }
        if !known {
            return Value::DYNAMIC;
        }
        let result = match result {
            ForResult::Tuple(items) => Value::tuple(items),
            ForResult::Object(entries) => Value::object(entries.into_iter().collect()),
            ForResult::Groups(groups) => {
                Value::object(groups.into_iter().map(|(key, items)| (key, Value::tuple(items))).collect())
            }
        };
        if self.charge_traversal(&result, node.span) { result } else { Value::DYNAMIC }
    }

    /// Evaluates the condition for an element; `None` if the result is unknown.
    fn evaluate_condition(
        &mut self,
        node: &ForExpression,
        condition: &Expression,
        context: &Context<'_>,
        tell: bool,
    ) -> Option<bool> {
        let value = self.value(condition, context);
        let detail = match &value {
            Value::Bool(value) => return Some(*value),
            Value::Null(_) => "The value of the 'if' clause must not be null.".to_owned(),
            Value::Unknown(_) if node.key.is_none() => return None,
            other => match convert(other, &Type::Bool) {
                Ok(value) => return value.as_bool(),
                Err(error) => format!("The 'if' clause value is invalid: {error}."),
            },
        };
        if tell {
            self.report_error(INVALID_CONDITION, detail, condition.span(), Some(node.span));
        }
        None
    }

    /// Adds the result for one element. Returns whether it is known.
    fn item(&mut self, node: &ForExpression, context: &Context<'_>, tell: bool, result: &mut ForResult) -> bool {
        let key = match &node.key {
            None => None,
            Some(expression) => {
                let value = self.value(expression, context);
                let detail = match value {
                    Value::String(text) => Ok(text),
                    Value::Null(_) => Err("Key expression in 'for' expression must not produce a null value.".into()),
                    Value::Unknown(_) => return false,
                    other => match convert(&other, &Type::String) {
                        Ok(Value::String(text)) => Ok(text),
                        Ok(_) => return false,
                        Err(error) => Err(format!("The key expression produced an invalid result: {error}.")),
                    },
                };
                match detail {
                    Ok(text) => Some((text, expression.span())),
                    Err(detail) => {
                        if tell {
                            self.report_error("Invalid object key", detail, expression.span(), Some(node.span));
                        }
                        return false;
                    }
                }
            }
        };
        let value = self.value(&node.value, context);
        match (result, key) {
            (ForResult::Tuple(items), _) => items.push(value),
            (ForResult::Object(entries), Some((key, at))) => {
                let entry = match entries.entry(key) {
                    Entry::Vacant(entry) => entry,
                    Entry::Occupied(entry) => {
                        let detail = format!(
                            "Two different items produced the key {} in this 'for' expression. If duplicates are expected, \
                             use the ellipsis (...) after the value expression to enable grouping by key.",
                            quoted(entry.key())
                        );
                        self.report_error("Duplicate object key", detail, at, Some(node.span));
                        return true;
                    }
                };
                entry.insert(value);
            }
            (ForResult::Groups(groups), Some((key, _))) => groups.entry(key).or_default().push(value),
            // An object always has a key.
            (ForResult::Object(_) | ForResult::Groups(_), None) => {}
        }
        true
    }
}

fn element(node: &ForExpression, key: Option<Value>, value: Value) -> Variables<'_> {
    let key = node.key_variable.as_deref().zip(key);
    Variables::Element { key, value: (&node.value_variable, value) }
}
