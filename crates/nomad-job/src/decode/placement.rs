//! `constraint` and `affinity`, in which operators may be written as arguments: `version = ">= 1.2"`.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/constraint> and
//! <https://developer.hashicorp.com/nomad/docs/job-specification/affinity>.

use hieratic_hcl_eval::{AttributeSchema, Body, Problem, Schema, Span};
use hieratic_hcl_types::{Type, Value, convert};

use super::{Decoder, in_source};
use crate::record::{Data, Record};
use crate::schema::Struct;

/// An argument of such a block.
struct Argument {
    name: &'static str,
    ty: Type,
}

const fn text(name: &'static str) -> Argument {
    Argument { name, ty: Type::String }
}

/// The arguments of `constraint`. The last two are accepted without effect.
const CONSTRAINT: &[Argument] = &[
    text("attribute"),
    text("value"),
    text("operator"),
    text("version"),
    text("semver"),
    text("regexp"),
    text("set_contains"),
    Argument { name: "distinct_hosts", ty: Type::Bool },
    text("distinct_property"),
    text("set_contains_all"),
    text("set_contains_any"),
    text("is_set"),
    text("is_not_set"),
];

/// The arguments of `affinity`.
const AFFINITY: &[Argument] = &[
    text("attribute"),
    text("value"),
    text("operator"),
    Argument { name: "weight", ty: Type::Number },
    text("version"),
    text("semver"),
    text("regexp"),
    text("set_contains_any"),
    text("set_contains_all"),
    text("set_contains"),
];

/// The values of the written arguments, by name.
struct ArgumentValues(Vec<(&'static str, Value, Span)>);

impl ArgumentValues {
    fn get(&self, name: &str) -> Option<(&Value, Span)> {
        self.0
            .iter()
            .find(|(own_value, value, _)| *own_value == name && !value.is_null())
            .map(|(_, value, place)| (value, *place))
    }

    /// The string of an argument, or [`Data::Unknown`].
    fn text(&self, name: &str) -> Option<(Data, Span)> {
        let (value, place) = self.get(name)?;
        match value {
            Value::Unknown(_) => Some((Data::Unknown, place)),
            value => Some((Data::Text(value.as_str()?.into()), place)),
        }
    }
}

impl<'a> Decoder<'a> {
    pub(super) fn constraint(&mut self, body: &Body<'a>, shape: &'static Struct) -> Record {
        let mut record = Record::new(shape);
        let Some(written) = self.argument_values(body, CONSTRAINT) else { return record };
        basics(&mut record, &written);
        for operator in ["version", "semver", "regexp", "set_contains"] {
            shorthand(&mut record, &written, operator, "RTarget");
        }
        if let Some((distinct, place)) = written.get("distinct_hosts") {
            let distinct = match distinct {
                Value::Bool(distinct) => if *distinct { "true" } else { "false" }.into(),
                _ => Data::Unknown,
            };
            record.set("Operand", "distinct_hosts".into(), Some(place));
            record.set("RTarget", distinct, Some(place));
        }
        shorthand(&mut record, &written, "distinct_property", "LTarget");
        default_operator(&mut record);
        record
    }

    pub(super) fn affinity(&mut self, body: &Body<'a>, shape: &'static Struct) -> Record {
        let mut record = Record::new(shape);
        let Some(written) = self.argument_values(body, AFFINITY) else { return record };
        basics(&mut record, &written);
        if let Some((weight, place)) = written.get("weight") {
            let weight = match weight {
                Value::Number(weight) => {
                    // As in the reference, truncated to an integer, and then to eight bits.
                    let whole = weight.truncated().and_then(|weight| weight.to_i64());
                    let whole = whole.unwrap_or(if weight.is_negative() { i64::MIN } else { i64::MAX });
                    Data::Int(i64::from(whole as i8))
                }
                _ => Data::Unknown,
            };
            record.set("Weight", weight, Some(place));
        }
        for operator in ["version", "semver", "regexp", "set_contains_any", "set_contains_all", "set_contains"] {
            shorthand(&mut record, &written, operator, "RTarget");
        }
        default_operator(&mut record);
        record
    }

    /// The values of the arguments; `None` if there was any message.
    fn argument_values(&mut self, body: &Body<'a>, arguments: &'static [Argument]) -> Option<ArgumentValues> {
        let attributes = arguments.iter().map(|argument| AttributeSchema::optional(argument.name)).collect();
        let schema = Schema { attributes, blocks: Vec::new() };
        let (content, mut problems) = body.content(&schema);
        let mut written = Vec::new();
        for attribute in in_source(content.attributes) {
            let Some(argument) = arguments.iter().find(|argument| *argument.name == *attribute.name) else { continue };
            let (value, more) = attribute.expression.value(self.context);
            let follows = more.has_errors();
            problems.append(more);
            let range = attribute.expression.range();
            match convert(&value, &argument.ty) {
                Ok(value) => written.push((argument.name, value, range.span)),
                Err(problem) => {
                    let detail = format!("Inappropriate value for attribute \"{}\": {problem}.", argument.name);
                    problems.push(
                        Problem::error("Incorrect attribute value type", detail).at_range(range).with_follows(follows),
                    );
                }
            }
        }
        let clean = problems.is_empty();
        self.problems.append(problems);
        clean.then_some(ArgumentValues(written))
    }
}

fn basics(record: &mut Record, written: &ArgumentValues) {
    for (field, name) in [("LTarget", "attribute"), ("RTarget", "value"), ("Operand", "operator")] {
        if let Some((text, place)) = written.text(name) {
            record.set(field, text, Some(place));
        }
    }
}

/// Decodes an operator that is written as an argument: its value is one of the operands.
fn shorthand(record: &mut Record, written: &ArgumentValues, operator: &str, field: &str) {
    match written.text(operator) {
        // If it is empty, the operator is another one.
        Some((Data::Unknown, place)) => {
            record.set("Operand", Data::Unknown, Some(place));
            record.set(field, Data::Unknown, Some(place));
        }
        Some((text, place)) if text != Data::from("") => {
            record.set("Operand", operator.into(), Some(place));
            record.set(field, text, Some(place));
        }
        _ => {}
    }
}

fn default_operator(record: &mut Record) {
    if record.get("Operand").is_none_or(|operator| operator.value == Data::from("")) {
        record.set("Operand", "=".into(), None);
    }
}
