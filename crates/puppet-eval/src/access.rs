//! `value[key]`: characters, elements, sections, entries, parameters of types, attributes of resources.
//!
//! See [accessing values](https://www.puppet.com/docs/puppet/8/lang_data_array.html). An access out of bounds returns
//! undef; it is not an error.

use hieratic_puppet_functions::{EvalError, Flow, Level, Outcome};
use hieratic_puppet_syntax::ast::{Expr, Node, Variable};
use hieratic_puppet_types::label as value_label;
use hieratic_puppet_types::parameterize;
use hieratic_puppet_types::{Type, infer};
use hieratic_value::{Hash, Value};

use crate::catalog;
use crate::evaluator::{Evaluator, is_constant};
use crate::operators::number::to_number;
use crate::values;

/// The cost of compiling a regular expression during evaluation.
const STEPS_OF_REGEXP: u64 = 200;
const BYTES_OF_REGEXP: usize = 8 << 10;

impl Evaluator<'_> {
    pub(crate) fn eval_access(&mut self, expr: &Expr, left: &Expr, keys: &[Expr]) -> Outcome {
        // A type with constant parameters is created once.
        let place = (self.calls.source().id(), expr.span);
        let named = matches!(left.node, Node::Reference(_));
        if named && let Some(known) = self.prepared.constant_types.get(&place) {
            return Ok(known.clone());
        }
        // An access to a fact reads nothing else of the facts.
        let is_accessed = self.scopes.reads.begin_access(is_projected(left));
        // Code in Ruby may rescue an error, and read on.
        let value = self.eval(left).map_err(|flow| self.scopes.reads.refused_by(flow))?;
        let read = self.scopes.reads.accessed();
        if let Some(kind) = Type::of_value(&value) {
            let kind = kind.clone();
            self.scopes.reads.end_access(read, &value, false);
            // The attributes of a resource may change; a type does not.
            let keeps = named && !matches!(kind, Type::Resource(_) | Type::Class(_)) && is_constant(Some(expr));
            let result = self.access_type(expr, left, kind, keys)?;
            if keeps {
                self.prepared.constant_types.insert(place, result.clone());
            }
            return Ok(result);
        }
        // A single key is by far the most common.
        if let [key] = keys
            && !matches!(key.node, Node::Unfold(_))
        {
            let key_value = self.eval(key).map_err(|flow| self.scopes.reads.refused_by(flow))?;
            self.budget.charge_visit([&key_value])?;
            if let (Value::Hash(hash), Value::String(name)) = (&value, &key_value) {
                let part = hash.get(name).cloned().unwrap_or_default();
                self.scopes.reads.end_access(read.map(|read| read.with_key(name)), &part, is_accessed);
                return Ok(part);
            }
            self.scopes.reads.end_access(read, &value, false);
            match (&value, &key_value) {
                (Value::Hash(hash), key) => return Ok(hash.get_value(key).cloned().unwrap_or_default()),
                (Value::Array(elements), Value::Integer(index)) => return Ok(element(elements, *index)),
                _ => return self.access(left, keys, &value, vec![key_value]),
            }
        }
        self.scopes.reads.end_access(read, &value, false);
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            values.push(self.eval(key)?);
        }
        self.access(left, keys, &value, values)
    }

    fn access(&mut self, left: &Expr, keys: &[Expr], value: &Value, given: Vec<Value>) -> Outcome {
        match value {
            Value::String(text) => {
                let cut = self.substring(left, keys, text, given)?.into();
                self.environment.record_computed(std::slice::from_ref(value), &cut);
                Ok(cut)
            }
            Value::Array(elements) => {
                let section = self.section(left, keys, elements, given)?;
                self.environment.record_computed(std::slice::from_ref(value), &section);
                Ok(section)
            }
            Value::Hash(hash) => Ok(entries(hash, &given)),
            other => match hieratic_puppet_types::bytes_of(other) {
                Some(bytes) => {
                    // Bytes are sliced like characters.
                    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
                    let cut = self.substring(left, keys, &text, given)?;
                    Ok(hieratic_puppet_types::bytes_value(cut.chars().map(|c| c as u8).collect()))
                }
                None => match hieratic_puppet_types::index_object(other, &given) {
                    Some(found) => found.map_err(|message| EvalError::new(message).into()),
                    None => Err(self.not_applicable(left, "[]", other)),
                },
            },
        }
    }

    /// Returns one character of a string, or a section of it.
    fn substring(&mut self, left: &Expr, keys: &[Expr], text: &str, given: Vec<Value>) -> Result<String, Flow> {
        let given = values::flatten(given);
        let mut numbers = Vec::with_capacity(2);
        if !(1..=2).contains(&given.len()) {
            let message = format!("String supports [] with one or two arguments. Got {}", given.len());
            return Err(self.calls.fail(left, message));
        }
        for (index, key) in given.iter().enumerate() {
            match to_number(key) {
                Some(Value::Integer(number)) => numbers.push(number),
                other => {
                    let kind = kind_name(&other.unwrap_or_else(|| key.clone()));
                    let at = keys.get(index).unwrap_or(left);
                    let article = hieratic_value::text::article(&kind);
                    let message = format!(
                        "A substring operation does not accept {article} {kind} as a character index. Expected an Integer"
                    );
                    return Err(self.calls.fail(at, message));
                }
            }
        }
        let count = if text.is_ascii() { text.len() } else { text.chars().count() };
        let (start, length) = match numbers[..] {
            [index] if index < 0 && index.unsigned_abs() > count as u64 => return Ok(String::new()),
            [index] => window(count, index, 1),
            [index, length] => match section_window(count, index, length) {
                Some(window) => window,
                None => return Ok(String::new()),
            },
            _ => return Ok(String::new()),
        };
        Ok(if text.is_ascii() {
            text.get(start..(start + length).min(text.len())).unwrap_or_default().to_owned()
        } else {
            text.chars().skip(start).take(length).collect()
        })
    }

    /// Returns an element of an array, or a section of it.
    fn section(&mut self, left: &Expr, keys: &[Expr], elements: &[Value], given: Vec<Value>) -> Outcome {
        let given = values::flatten(given);
        if !(1..=2).contains(&given.len()) {
            let message = format!("Array supports [] with one or two arguments. Got {}", given.len());
            return Err(self.calls.fail(left, message));
        }
        let mut numbers = Vec::with_capacity(2);
        for (index, key) in given.iter().enumerate() {
            let at = keys.get(index).or(keys.last()).unwrap_or(left);
            match self.coerce(at, key)? {
                Value::Integer(number) => numbers.push(number),
                other => {
                    let label = value_label::with_article_capitalized(&Value::from(elements.to_vec()));
                    let message = format!("{label}[] cannot use {} where Integer is expected", kind_name(&other));
                    return Err(self.calls.fail(at, message));
                }
            }
        }
        match numbers[..] {
            [index] => Ok(element(elements, index)),
            [index, length] => {
                let window = section_window(elements.len(), index, length);
                let (start, length) = window.unwrap_or((0, 0));
                Ok(Value::from(elements.iter().skip(start).take(length).cloned().collect::<Vec<Value>>()))
            }
            _ => Ok(Value::Undef),
        }
    }

    /// Adds parameters to a type, or returns attributes of a resource with a title.
    fn access_type(&mut self, expr: &Expr, left: &Expr, kind: Type, keys: &[Expr]) -> Outcome {
        let mut given = Vec::with_capacity(keys.len());
        for key in keys {
            let in_class = matches!(kind, Type::Class(_));
            match &key.node {
                // Names in a reference to a class need not be valid names of types.
                Node::Reference(name) if in_class => {
                    given.push(self.named_type(name)?.unwrap_or(Type::Reference(name.clone())).into_value());
                }
                _ => given.push(self.eval(key)?),
            }
        }
        if let Type::Resource(resource) = &kind {
            if let (Some(name), Some(title)) = (&resource.name, &resource.title) {
                let (name, title) = (name.to_string(), title.to_string());
                return self.resource_attributes(expr, keys, &name, &title, given);
            }
            // `Resource[File]` is `File`.
            if resource.name.is_none()
                && let [single] = &given[..]
                && matches!(Type::of_value(single), Some(Type::Resource(_)))
            {
                return Ok(single.clone());
            }
        }
        if matches!(kind, Type::Reference(_)) && self.calls.is_in_alias() {
            let written = self.calls.source().text().get(expr.span.range());
            return Ok(Type::Reference(written.unwrap_or_default().into()).into_value());
        }
        if let Type::Class(Some(class)) = &kind {
            let class = class.to_string();
            return self.class_parameters(expr, &class, given);
        }
        if matches!(kind, Type::Regexp(_) | Type::Pattern(_)) {
            // A compiled expression is much larger than its source.
            self.budget.whole().steps(STEPS_OF_REGEXP)?;
            self.budget.whole().bytes(BYTES_OF_REGEXP)?;
        }
        let result = parameterize(&kind, &given).map_err(|error| self.parameter_error(expr, left, keys, error))?;
        for warning in result.warnings {
            let at = keys.first().unwrap_or(expr);
            let site = self.calls.site_of(at);
            self.log_message(Level::Warning, warning, Some(site));
        }
        Ok(result.value)
    }

    fn parameter_error(
        &self,
        expr: &Expr,
        left: &Expr,
        keys: &[Expr],
        error: hieratic_puppet_types::ParameterizeError,
    ) -> Flow {
        use hieratic_puppet_types::Blame;
        let at = match error.blame {
            Blame::Whole => expr,
            Blame::Left => left,
            Blame::Key(index) => keys.get(index).or(keys.last()).unwrap_or(expr),
            // An error of the type itself is reported as an error of the expression.
            Blame::Below => return EvalError::new(error.message).into(),
        };
        self.calls.fail(at, error.message)
    }

    fn resource_attributes(
        &mut self,
        expr: &Expr,
        keys: &[Expr],
        kind: &str,
        title: &str,
        given: Vec<Value>,
    ) -> Outcome {
        let listed = given.len() > 1 || matches!(given.first(), Some(Value::Array(_)));
        let names: Vec<Value> = values::flatten(given).into_iter().filter(|name| !name.is_undef()).collect();
        let lower = kind.to_lowercase();
        let Some(resource) = self.catalog.get(&lower, title) else {
            return Err(self.calls.fail(expr, format!("Resource not found: {kind}['{title}']")));
        };
        let scope = resource.scope;
        let mut found = Vec::with_capacity(names.len());
        for name in &names {
            let name = name.to_text();
            let valid = match self.native_kind(&lower)? {
                Some(known) => known.has(&name),
                None => match self.definitions.loaded_define(&lower) {
                    Some(define) => {
                        define.definition.parameters.iter().any(|parameter| *parameter.name == *name)
                            || crate::native_types::listed(crate::native_types::METAPARAMETERS, &name)
                    }
                    None => true,
                },
            };
            if !valid {
                let shown = kind.to_lowercase();
                let shown = catalog::capitalized(&shown);
                let message = format!("The resource {shown}['{title}'] does not have a parameter called '{name}'");
                return Err(self.calls.fail(expr, message));
            }
            let resource = self.catalog.get(&lower, title);
            let own =
                resource.and_then(|resource| resource.attribute(&name)).filter(|value| !value.is_undef()).cloned();
            let default = || self.scopes.defaults_of(scope, &lower).into_iter().find(|one| *one.name == *name);
            found.push(own.or_else(|| default().map(|one| one.value)).unwrap_or_default());
        }
        let _ = keys;
        Ok(if listed { Value::from(found) } else { found.pop().unwrap_or_default() })
    }

    fn class_parameters(&mut self, expr: &Expr, class: &str, given: Vec<Value>) -> Outcome {
        let listed = given.len() > 1 || matches!(given.first(), Some(Value::Array(_)));
        let Some(scope) = self.scopes.of_class(class) else {
            return Err(self.calls.fail(expr, format!("Resource not found: Class['{class}']")));
        };
        let mut found = Vec::new();
        for name in values::flatten(given) {
            let name = name.to_text();
            let known = self
                .definitions
                .loaded_class(class)
                .is_some_and(|defined| defined.definition.parameters.iter().any(|parameter| *parameter.name == *name));
            if !known {
                let message = format!("The resource Class['{class}'] does not have a parameter called '{name}'");
                return Err(self.calls.fail(expr, message));
            }
            found.push(self.scopes.class_variable(scope, &name).cloned().unwrap_or_default());
        }
        Ok(if listed { Value::from(found) } else { found.pop().unwrap_or_default() })
    }
}

/// Returns whether an expression is a variable, or an access that may lead to a part of one.
fn is_projected(expr: &Expr) -> bool {
    matches!(expr.node, Node::Variable(Variable::Local(_) | Variable::Qualified(_)) | Node::Access { .. })
}

/// Returns the element at an index, counted from the end if it is negative.
fn element(elements: &[Value], index: i64) -> Value {
    let at = if index < 0 { index.checked_add(elements.len() as i64) } else { Some(index) };
    at.and_then(|at| usize::try_from(at).ok()).and_then(|at| elements.get(at)).cloned().unwrap_or_default()
}

/// One key returns its value; several return all existing values.
fn entries(hash: &Hash, keys: &[Value]) -> Value {
    match keys {
        [key] => hash.get_value(key).cloned().unwrap_or_default(),
        keys => keys.iter().filter_map(|key| hash.get_value(key)).filter(|value| !value.is_undef()).cloned().collect(),
    }
}

fn window(count: usize, index: i64, length: usize) -> (usize, usize) {
    let start = if index < 0 { index + count as i64 } else { index };
    // A start beyond the end selects nothing.
    (usize::try_from(start).unwrap_or(usize::MAX).min(count), length)
}

/// Returns start and length of a section: negative numbers count from the end; elements before the start are dropped.
fn section_window(count: usize, index: i64, length: i64) -> Option<(usize, usize)> {
    let count = i128::try_from(count).ok()?;
    let (index, length) = (i128::from(index), i128::from(length));
    let mut start = if index < 0 { count + index } else { index };
    let mut length = if length < 0 { count - start + length + 1 } else { length };
    if start < 0 {
        length += start;
        start = 0;
    }
    if length <= 0 || start > count {
        return None;
    }
    Some((usize::try_from(start).ok()?, usize::try_from(length.min(count)).ok()?))
}

/// The type of a key as messages name it.
fn kind_name(value: &Value) -> String {
    match value {
        Value::Undef => "Undef".into(),
        other if values::is_default(other) => "Default".into(),
        other => infer(other).generalize().to_string(),
    }
}
