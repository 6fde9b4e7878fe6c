//! Type expressions: `list(string)`, `object({a = optional(number, 1)})`.
//!
//! Source: <https://github.com/hashicorp/hcl/blob/main/ext/typeexpr/README.md>.

mod defaults;

use std::sync::Arc;

use hieratic_hcl_syntax::{self as syntax, Problem, Problems, Range};
use hieratic_hcl_types::{AttributeType, ObjectType, Text, Type, convert, quoted};
use hieratic_value::collections::HashSet;

pub use defaults::Defaults;

use crate::{Context, Expression, Pair, StaticCall};

const INVALID: &str = "Invalid type specification";

/// Parses an exact type, without `any` and optional attributes.
pub fn exact(expression: &Expression<'_>) -> (Type, Problems) {
    let (ty, _, problems) = TypeReader { constraint: false, with_defaults: false }.read(expression);
    (ty, problems)
}

/// Parses a constraint, which may contain `any` and optional attributes.
pub fn constraint(expression: &Expression<'_>) -> (Type, Problems) {
    let (ty, _, problems) = TypeReader { constraint: true, with_defaults: false }.read(expression);
    (ty, problems)
}

/// Parses a constraint whose optional attributes may have defaults: `optional(number, 1)`.
pub fn constraint_with_defaults(expression: &Expression<'_>) -> (Type, Option<Defaults>, Problems) {
    TypeReader { constraint: true, with_defaults: true }.read(expression)
}

#[derive(Clone, Copy)]
struct TypeReader {
    constraint: bool,
    with_defaults: bool,
}

type TypeResult = (Type, Option<Defaults>, Problems);

fn type_error(detail: impl Into<String>, at: Range) -> TypeResult {
    (Type::Dynamic, None, fault(detail, at).into())
}

fn fault(detail: impl Into<String>, at: Range) -> Problem {
    Problem::error(INVALID, detail.into()).at_range(at)
}

impl TypeReader {
    fn read(self, expression: &Expression<'_>) -> TypeResult {
        if let Some(word) = expression.as_keyword() {
            return self.keyword(&word, expression.range());
        }
        let no_type = || {
            type_error(
                "A type specification is either a primitive type keyword (bool, number, string) or a complex type \
                 constructor call, like list(string).",
                expression.range(),
            )
        };
        // In JSON, a call is a string in native syntax.
        if let Some(source) = expression.json_source() {
            let parsed = syntax::parse_expression(source);
            let native = Expression::native(&parsed.source, &parsed.tree);
            return match native.as_call() {
                Ok(call) if !parsed.problems.has_errors() => self.call(&call, expression.range()),
                _ => no_type(),
            };
        }
        match expression.as_call() {
            Ok(call) => self.call(&call, expression.range()),
            Err(_) => no_type(),
        }
    }

    fn keyword(self, word: &str, at: Range) -> TypeResult {
        let ty = match word {
            "bool" => Type::Bool,
            "string" => Type::String,
            "number" => Type::Number,
            "any" if self.constraint => Type::Dynamic,
            "any" => {
                let detail = format!(
                    "The keyword {} cannot be used in this type specification: an exact type is required.",
                    quoted(word)
                );
                return type_error(detail, at);
            }
            "list" | "map" | "set" | "object" | "tuple" => return type_error(needs_argument(word), at),
            other => {
                return type_error(format!("The keyword {} is not a valid type specification.", quoted(other)), at);
            }
        };
        (ty, None, Problems::default())
    }

    fn call(self, call: &StaticCall<'_>, whole: Range) -> TypeResult {
        let name = &*call.name;
        match name {
            "bool" | "string" | "number" => {
                let detail = format!("Primitive type keyword {} does not expect arguments.", quoted(name));
                return type_error(detail, call.arguments_range.clone());
            }
            "any" => {
                let detail = format!("Type constraint keyword {} does not expect arguments.", quoted(name));
                return type_error(detail, call.arguments_range.clone());
            }
            "list" | "set" | "map" | "object" | "tuple" => {}
            "optional" => {
                let detail =
                    format!("Keyword {} is valid only as a modifier for object type attributes.", quoted(name));
                return type_error(detail, call.name_range.clone());
            }
            other => return type_error(format!("Keyword {} is not a valid type constructor.", quoted(other)), whole),
        }
        let [argument] = call.arguments.as_slice() else {
            let at = match call.arguments.as_slice() {
                [_, second, .., last] => between(&second.range(), &last.range()),
                [_, second] => second.range(),
                _ => call.arguments_range.clone(),
            };
            return type_error(needs_argument(name), at);
        };
        match name {
            "object" => self.object(argument, whole),
            "tuple" => self.tuple(argument, whole),
            _ => {
                let (element, defaults, problems) = self.read(argument);
                let ty = match name {
                    "list" => Type::list(element),
                    "set" => Type::set(element),
                    _ => Type::map(element),
                };
                let defaults = defaults.map(|element| Defaults::of_elements(ty.clone(), element));
                (ty, defaults, problems)
            }
        }
    }

    fn tuple(self, argument: &Expression<'_>, _whole: Range) -> TypeResult {
        let Ok(items) = argument.as_list() else {
            return type_error("Tuple type constructor requires a list of element types.", argument.range());
        };
        let mut problems = Problems::default();
        let mut elements = Vec::with_capacity(items.len());
        let mut children: Vec<(Text, Defaults)> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let (ty, defaults, found) = self.read(item);
            problems.append(found);
            elements.push(ty);
            children.extend(defaults.map(|defaults| (index.to_string().into(), defaults)));
        }
        let ty = Type::tuple(elements);
        (ty.clone(), Defaults::of_parts(ty, Vec::new(), children), problems)
    }

    fn object(self, argument: &Expression<'_>, whole: Range) -> TypeResult {
        let Ok(pairs) = argument.as_map() else {
            let detail = "Object type constructor requires a map whose keys are attribute names and whose values are the \
                          corresponding attribute types.";
            return type_error(detail, argument.range());
        };
        let mut object = ObjectReader::new(self);
        for pair in &pairs {
            object.attribute(pair, &whole);
        }
        let ty = Type::Object(Arc::new(ObjectType::new(object.attributes)));
        (ty.clone(), Defaults::of_parts(ty, object.defaults, object.children), object.problems)
    }
}

struct ObjectReader {
    reader: TypeReader,
    attributes: Vec<AttributeType>,
    /// The names of the attributes.
    names: HashSet<Text>,
    defaults: Vec<(Text, hieratic_hcl_types::Value)>,
    children: Vec<(Text, Defaults)>,
    problems: Problems,
}

impl ObjectReader {
    fn new(reader: TypeReader) -> Self {
        Self {
            reader,
            attributes: Vec::new(),
            names: HashSet::default(),
            defaults: Vec::new(),
            children: Vec::new(),
            problems: Problems::default(),
        }
    }

    fn attribute(&mut self, pair: &Pair<'_>, _whole: &Range) {
        let Some(name) = pair.key.as_keyword() else {
            let detail = "Object constructor map keys must be attribute names.";
            self.problems.push(fault(detail, pair.key.range()));
            return;
        };
        if self.names.contains(&name) {
            let detail = "Object constructor map keys must be unique.";
            self.problems.push(fault(detail, pair.key.range()));
            return;
        }
        let parsed = pair.value.json_source().map(syntax::parse_expression);
        let native = parsed.as_ref().filter(|parsed| !parsed.problems.has_errors());
        let value =
            native.map_or_else(|| pair.value.clone(), |parsed| Expression::native(&parsed.source, &parsed.tree));
        match value.as_call() {
            Ok(call) if &*call.name == "optional" => self.optional(name, &call),
            _ => self.typed(name, &pair.value, false, None),
        }
    }

    fn optional(&mut self, name: Text, call: &StaticCall<'_>) {
        let Some((ty, rest)) = call.arguments.split_first() else {
            let detail = "Optional attribute modifier requires the attribute type as its argument.";
            self.problems.push(fault(detail, call.arguments_range.clone()));
            return;
        };
        let mut optional = false;
        let mut default = None;
        let TypeReader { constraint, with_defaults } = self.reader;
        if !constraint {
            let detail = "Optional attribute modifier is only for type constraints, not for exact types.";
            self.problems.push(fault(detail, call.name_range.clone()));
        } else if rest.is_empty() {
            optional = true;
        } else if let ([expression], true) = (rest, with_defaults) {
            let (value, found) = expression.value(&Context::new());
            if !found.has_errors() {
                optional = true;
                default = Some((value, expression.range()));
            }
            self.problems.append(found);
        } else {
            let detail = if with_defaults {
                "Optional attribute modifier expects at most two arguments: the attribute type, and a default value."
            } else {
                "Optional attribute modifier expects only one argument: the attribute type."
            };
            self.problems.push(fault(detail, call.arguments_range.clone()));
        }
        self.typed(name, ty, optional, default);
    }

    fn typed(
        &mut self,
        name: Text,
        expression: &Expression<'_>,
        optional: bool,
        default: Option<(hieratic_hcl_types::Value, Range)>,
    ) {
        let (ty, children, found) = self.reader.read(expression);
        self.problems.append(found);
        if let Some((value, at)) = default {
            match convert(&value, &ty) {
                Ok(value) => self.defaults.push((name.clone(), value)),
                Err(error) => {
                    let summary = "Invalid default value for optional attribute";
                    let detail =
                        format!("This default value is not compatible with the attribute's type constraint: {error}.");
                    self.problems.push(Problem::error(summary, detail).at_range(at));
                }
            }
        }
        self.children.extend(children.map(|children| (name.clone(), children)));
        self.names.insert(name.clone());
        self.attributes.push(AttributeType { name, ty, optional });
    }
}

fn needs_argument(kind: &str) -> String {
    match kind {
        "object" => {
            "The object type constructor requires one argument specifying the attribute types and values as a map."
                .into()
        }
        "tuple" => "The tuple type constructor requires one argument specifying the element types as a list.".into(),
        other => format!("The {other} type constructor requires one argument specifying the element type."),
    }
}

fn between(first: &Range, last: &Range) -> Range {
    Range::new(first.source.clone(), first.span.to(last.span))
}
