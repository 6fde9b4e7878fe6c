//! [`Template`]: a value of the data, with its interpolations compiled.
//!
//! `%{...}` in a string is replaced by a variable or by the result of one of five functions. An expression is parsed
//! once, when its value is first looked up; a value without expressions is returned as it is. See
//! <https://www.puppet.com/docs/puppet/8/hiera_merging.html#interpolation_functions>.

use std::ops::Range;
use std::sync::Arc;

use hieratic_value::{Str, Value};

use crate::key::{Key, strip};
use crate::variable::{Variable, Variables};

/// A value whose interpolations are compiled.
#[derive(Clone, Debug)]
pub(crate) enum Template {
    /// A value without any interpolation.
    Plain(Value),
    /// A string that was decrypted.
    Secret(Box<Template>),
    /// The replacement of a string that could not be decrypted.
    Unopened(Box<Undecrypted>),
    /// A string with expressions.
    Text(Arc<Text>),
    /// An array with expressions in some element.
    Array(Box<[Template]>),
    /// A hash with expressions in some key or value.
    Hash(Box<[(Template, Template)]>),
}

/// The replacement of a string that could not be decrypted.
#[derive(Clone, Debug)]
pub(crate) struct Undecrypted {
    pub(crate) value: Template,
    /// The reason why it could not.
    pub(crate) message: String,
}

/// A string with expressions.
#[derive(Debug)]
pub(crate) struct Text {
    /// The string as the data has it.
    pub(crate) subject: Str,
    pub(crate) parts: Box<[Part]>,
}

/// A piece of a string with expressions.
#[derive(Debug)]
pub(crate) enum Part {
    /// A literal range of the string.
    Literal(Range<usize>),
    Expression(Expression),
}

/// The content of `%{...}`. It is small, because there are many.
#[derive(Debug)]
pub(crate) enum Expression {
    /// An empty expression, in any of its spellings.
    Empty,
    /// A variable, dug into.
    Variable(Arc<Variable>),
    /// `lookup('key')` or `hiera('key')`: the answer as a string.
    Lookup(Box<KeyReference>),
    /// `alias('key')`: the answer itself, if the expression is the whole string.
    Alias { key: Box<KeyReference>, whole: bool },
    /// `literal('text')`: the string.
    Literal(Str),
    /// A function that does not exist.
    UnknownFunction(Str),
    /// A function call where it is not allowed.
    ForbiddenFunction,
}

impl Expression {
    /// Formats the expression as data would write it, with normalized spaces and quotes.
    pub(crate) fn written(&self) -> String {
        match self {
            Expression::Empty => "%{}".to_owned(),
            Expression::Variable(variable) => format!("%{{{}}}", variable.text),
            Expression::Lookup(key) => format!("%{{lookup('{}')}}", key.text),
            Expression::Alias { key, .. } => format!("%{{alias('{}')}}", key.text),
            Expression::Literal(text) => format!("%{{literal('{text}')}}"),
            Expression::UnknownFunction(name) => format!("%{{{name}(...)}}"),
            Expression::ForbiddenFunction => "%{...}".to_owned(),
        }
    }
}

/// A key that a value names.
#[derive(Debug)]
pub(crate) struct KeyReference {
    /// As it is written.
    pub(crate) text: Str,
    /// The parsed key, or `None` if it is malformed: a lookup parses it again and reports the error.
    pub(crate) key: Option<Key>,
}

impl KeyReference {
    fn parse(text: &str) -> KeyReference {
        let key = Key::parse(text).ok();
        let text = key.as_ref().map_or_else(|| text.into(), |key| key.text().clone());
        KeyReference { text, key }
    }
}

/// The permission to call functions in expressions: data may, configuration may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Functions {
    Allowed,
    Forbidden,
}

/// Spellings that interpolate to the empty string.
const EMPTY: [&str; 6] = ["", "::", "\"\"", "''", "\"::\"", "'::'"];

impl Template {
    /// Returns whether a part of it was decrypted.
    pub(crate) fn holds_secret(&self) -> bool {
        match self {
            Template::Plain(_) | Template::Text(_) | Template::Unopened(_) => false,
            Template::Secret(_) => true,
            Template::Array(elements) => elements.iter().any(Template::holds_secret),
            Template::Hash(pairs) => pairs.iter().any(|(_, value)| value.holds_secret()),
        }
    }

    /// Compiles a value of a source with these variables.
    pub(crate) fn compile(value: &Value, variables: &Variables) -> Template {
        Template::dynamic(value, variables).unwrap_or_else(|| Template::Plain(value.clone()))
    }

    /// Compiles a value that has expressions. `None` if it has none.
    fn dynamic(value: &Value, variables: &Variables) -> Option<Template> {
        let compile = |value| Template::compile(value, variables);
        match value {
            Value::String(text) => {
                Text::compile(text, Functions::Allowed, variables).map(|text| Template::Text(Arc::new(text)))
            }
            Value::Array(elements) => {
                let first = elements.iter().position(has_expression)?;
                debug_assert!(first < elements.len());
                Some(Template::Array(elements.iter().map(compile).collect()))
            }
            Value::Hash(hash) => {
                hash.iter().find(|(key, value)| has_expression(key) || has_expression(value))?;
                Some(Template::Hash(hash.iter().map(|(key, value)| (compile(key), compile(value))).collect()))
            }
            _ => None,
        }
    }
}

/// Returns whether a string in the value contains the beginning of an expression (`%{`).
pub fn has_expression(value: &Value) -> bool {
    match value {
        // Most strings have no percent sign, which is found faster.
        Value::String(text) => text.as_bytes().contains(&b'%') && text.as_bytes().windows(2).any(|two| two == b"%{"),
        Value::Array(elements) => elements.iter().any(has_expression),
        Value::Hash(hash) => hash.iter().any(|(key, value)| has_expression(key) || has_expression(value)),
        _ => false,
    }
}

impl Text {
    /// Compiles a string. `None` if it does not contain `%{`.
    pub(crate) fn compile(subject: &Str, functions: Functions, variables: &Variables) -> Option<Text> {
        subject.find("%{")?;
        let mut parts = Vec::new();
        let mut done = 0;
        for (range, expression) in spans(subject, functions, variables) {
            if range.start > done {
                parts.push(Part::Literal(done..range.start));
            }
            parts.push(Part::Expression(expression));
            done = range.end;
        }
        if done < subject.len() {
            parts.push(Part::Literal(done..subject.len()));
        }
        Some(Text { subject: subject.clone(), parts: parts.into_boxed_slice() })
    }

    /// The text of a literal part.
    pub(crate) fn literal(&self, part: &Range<usize>) -> &str {
        &self.subject[part.clone()]
    }
}

/// Returns the expressions of a string with their byte ranges, delimiters included.
pub(crate) fn spans(subject: &str, functions: Functions, variables: &Variables) -> Vec<(Range<usize>, Expression)> {
    let mut found = Vec::new();
    let mut done = 0;
    while let Some(start) = subject[done..].find("%{").map(|at| done + at)
        && let Some(length) = subject[start + 2..].find('}')
    {
        let end = start + 2 + length + 1;
        let whole = start == 0 && end == subject.len();
        found.push((start..end, expression(&subject[start + 2..end - 1], whole, functions, variables)));
        done = end;
    }
    found
}

fn expression(text: &str, whole: bool, functions: Functions, variables: &Variables) -> Expression {
    let text = strip(text);
    if EMPTY.contains(&text) {
        return Expression::Empty;
    }
    match call(text) {
        None => Expression::Variable(variables.named(text)),
        Some(_) if functions == Functions::Forbidden => Expression::ForbiddenFunction,
        Some((function, argument)) => match function {
            "lookup" | "hiera" => Expression::Lookup(Box::new(KeyReference::parse(argument))),
            "alias" => Expression::Alias { key: Box::new(KeyReference::parse(argument)), whole },
            "literal" => Expression::Literal(argument.into()),
            "scope" => Expression::Variable(variables.named(argument)),
            unknown => Expression::UnknownFunction(unknown.into()),
        },
    }
}

/// Returns the function and the argument of a call `name('argument')`, on any line of the string, as in the reference.
fn call(text: &str) -> Option<(&str, &str)> {
    let mut line_start = 0;
    loop {
        if let Some(found) = call_at(&text[line_start..]) {
            return Some(found);
        }
        line_start += text[line_start..].find('\n')? + 1;
    }
}

fn call_at(text: &str) -> Option<(&str, &str)> {
    let name_end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    if name_end == 0 {
        return None;
    }
    let rest = text[name_end..].strip_prefix('(')?;
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inside = &rest[1..];
    let end = inside.find(quote)?;
    let after = inside[end + 1..].strip_prefix(')')?;
    (end > 0 && (after.is_empty() || after.starts_with('\n'))).then_some((&text[..name_end], &inside[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<String> {
        Text::compile(&text.into(), Functions::Allowed, &Variables::default()).map_or(Vec::new(), |text| {
            text.parts
                .iter()
                .map(|part| match part {
                    Part::Literal(part) => format!("'{}'", text.literal(part)),
                    Part::Expression(Expression::Variable(variable)) => format!("${}", variable.text),
                    Part::Expression(Expression::Lookup(key)) => format!("lookup {}", key.text),
                    Part::Expression(Expression::Alias { key, whole }) => format!("alias {} {whole}", key.text),
                    Part::Expression(other) => format!("{other:?}"),
                })
                .collect()
        })
    }

    #[test]
    fn text_and_expressions_alternate() {
        assert_eq!(parts("a"), Vec::<String>::new());
        assert_eq!(parts("a %{ b.c }%{d} e"), ["'a '", "$b.c", "$d", "' e'"]);
        assert_eq!(parts("%{lookup('k')}"), ["lookup k"]);
        assert_eq!(parts("%{alias(\"k\")}"), ["alias k true"]);
        assert_eq!(parts("x%{alias('k')}"), ["'x'", "alias k false"]);
        assert_eq!(parts("%{literal('%')}{x}"), [r#"Literal("%")"#, "'{x}'"]);
        assert_eq!(parts("%{nope('k')}"), [r#"UnknownFunction("nope")"#]);
    }

    #[test]
    fn malformed_expressions_are_text_or_variables() {
        assert_eq!(parts("a %{b"), ["'a %{b'"]);
        assert_eq!(parts("%{lookup(k)}"), ["$lookup(k)"]);
        assert_eq!(parts("%{lookup('k\")}"), ["$lookup('k\")"]);
        assert_eq!(parts("%{::}%{''}"), ["Empty", "Empty"]);
        assert_eq!(parts("%{%{facts}}"), ["$%{facts", "'}'"]);
    }

    #[test]
    fn a_value_without_expressions_is_kept_as_it_lies() {
        let plain: Value = vec![Value::from("a"), Value::from(1)].into();
        let compile = |value: &Value| Template::compile(value, &Variables::default());
        assert!(matches!(compile(&plain), Template::Plain(value) if value == plain));
        assert!(matches!(compile(&vec![Value::from("%{a}")].into()), Template::Array(_)));
    }
}
