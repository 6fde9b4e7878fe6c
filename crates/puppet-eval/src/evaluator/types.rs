//! Types in code: names, aliases and their resolution.

use hieratic_puppet_functions::{EvalError, Flow, Outcome};
use hieratic_puppet_syntax::ast::Expr;
use hieratic_puppet_types::Type;
use hieratic_puppet_types::label as value_label;
use hieratic_value::Str;

use super::Evaluator;

impl Evaluator<'_> {
    /// Evaluates the name of a type: built-in, an alias, or a resource type.
    pub(super) fn eval_reference(&mut self, expr: &Expr, name: &Str) -> Outcome {
        if let Some(known) = self.prepared.type_names.get(name) {
            return Ok(known.clone());
        }
        match self.named_type(name)? {
            Some(kind) => {
                let value = kind.into_value();
                self.prepared.type_names.insert(name.clone(), value.clone());
                Ok(value)
            }
            // An alias of an undefined name is reported when it is used.
            None if self.calls.is_in_alias() => {
                Ok(Type::Reference(name.strip_prefix("::").unwrap_or(name).into()).into_value())
            }
            None => Err(self.calls.fail(expr, format!("Resource type not found: {name}"))),
        }
    }

    /// Returns the type of a name, if it exists.
    pub(crate) fn named_type(&mut self, name: &str) -> Result<Option<Type>, Flow> {
        let plain = name.strip_prefix("::").unwrap_or(name);
        let found = hieratic_puppet_types::parse(plain).map_err(|error| EvalError::new(error.to_string()))?;
        if !matches!(found, Type::Reference(_)) {
            return Ok(Some(found));
        }
        let lower = plain.to_lowercase();
        if let Some(alias) = self.alias(&lower)? {
            return Ok(Some(alias));
        }
        if let Some(text) = hieratic_puppet_stdlib::type_alias(&lower) {
            let resolved = self.type_from_text(text)?;
            return Ok(Some(Type::Alias(hieratic_puppet_types::Alias::new(plain, resolved))));
        }
        Ok(if self.is_resource_type(&lower)? { Some(crate::catalog::resource_type(&lower, None)) } else { None })
    }

    /// Evaluates an expression that must be a type.
    pub(crate) fn eval_type(&mut self, expr: &Expr) -> Result<Type, Flow> {
        let value = self.eval(expr)?;
        match Type::of_value(&value) {
            Some(kind) => Ok(kind.clone()),
            None => {
                let label = value_label::with_article(&value);
                Err(self.calls.fail(expr, format!("a type was expected here, got {label}")))
            }
        }
    }

    /// Parses a type, including user-defined ones.
    pub(crate) fn type_from_text(&mut self, text: &str) -> Result<Type, Flow> {
        // The names are collected first, because resolving one may load a file.
        let unknown = std::cell::RefCell::new(Vec::<String>::new());
        let first = hieratic_puppet_types::parse_with(text, &|name| {
            unknown.borrow_mut().push(name.to_owned());
            None
        });
        let first = first.map_err(|error| EvalError::new(error.to_string()))?;
        let unknown = unknown.into_inner();
        if unknown.is_empty() {
            return Ok(first);
        }
        let mut known = Vec::new();
        for name in unknown {
            if let Some(kind) = self.named_type(&name)? {
                known.push((name, kind));
            }
        }
        let find = |name: &str| known.iter().find(|(known, _)| known == name).map(|(_, kind)| kind.clone());
        hieratic_puppet_types::parse_with(text, &find).map_err(|error| EvalError::new(error.to_string()).into())
    }
}
