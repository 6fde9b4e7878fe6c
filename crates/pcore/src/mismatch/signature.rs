//! [`Signature`]: one way to call a function, and what to say when none of them fits.

use hieratic_value::Value;

use super::describe::{describe, merge};
use super::message::{Class, Fault, Report};
use super::path::Step;
use crate::infer::infer_set;
use crate::range::IntegerRange;
use crate::types::Type;

/// One way to call a function: names and types of its parameters, the first of which have to be given.
pub(crate) struct Signature {
    parameters: Vec<(&'static str, Type)>,
    required: usize,
}

impl Signature {
    pub fn new(required: usize, parameters: impl IntoIterator<Item = (&'static str, Type)>) -> Signature {
        Signature { parameters: parameters.into_iter().collect(), required }
    }

    /// Whether the arguments can be given.
    pub fn accepts(&self, arguments: &[Value]) -> bool {
        (self.required..=self.parameters.len()).contains(&arguments.len())
            && self.parameters.iter().zip(arguments).all(|((_, one), argument)| one.is_instance(argument))
    }

    fn describe(&self, arguments: &[Type], path: &[Step]) -> Vec<Report> {
        if !(self.required..=self.parameters.len()).contains(&arguments.len()) {
            let expected = IntegerRange::sizes(self.required, self.parameters.len());
            let actual = IntegerRange::exactly(arguments.len());
            return vec![Report::new(path, Fault::Count { expected, actual })];
        }
        for ((name, expected), actual) in self.parameters.iter().zip(arguments) {
            if !expected.is_assignable(actual) {
                let path = super::path::extend(path, Step::Parameter((*name).into()));
                let reports = describe(expected, actual, &path);
                if !reports.is_empty() {
                    return reports;
                }
            }
        }
        Vec::new()
    }
}

impl std::fmt::Display for Signature {
    /// The parameters as messages show them: type, name, and a question mark if it may be left out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, (name, one)) in self.parameters.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            let optional = index >= self.required;
            match one {
                Type::Optional(Some(inner)) if optional => write!(f, "{inner} {name}?")?,
                one => write!(f, "{one} {name}{}", if optional { "?" } else { "" })?,
            }
        }
        Ok(())
    }
}

/// Why none of the ways to call the function takes the arguments.
pub(crate) fn describe_signatures(function: &str, signatures: &[Signature], arguments: &[Value]) -> String {
    let types: Vec<Type> = arguments.iter().map(infer_set).collect();
    let all: Vec<Vec<Report>> = signatures
        .iter()
        .enumerate()
        .map(|(index, signature)| signature.describe(&types, &[Step::Signature(index)]))
        .collect();
    let merged = merge(0, Class::Count, all.clone());
    if let [one] = &merged[..] {
        return format!("'{function}'{}", one.format());
    }
    let mut lines = Vec::new();
    let mut list = |signature: String, indent: &str, reports: &[Report]| {
        lines.push(signature);
        for report in reports {
            lines.push(format!("{indent}rejected:{}", report.clone().without(0).format()));
        }
    };
    match signatures {
        [signature] => {
            list(format!("'{function}' expects ({signature})"), "  ", all.first().map_or(&[], Vec::as_slice));
        }
        _ => {
            let head =
                format!("The function '{function}' was called with arguments it does not accept. It expects one of:");
            list(head, "", &[]);
            for (signature, reports) in signatures.iter().zip(&all) {
                list(format!("  ({signature})"), "    ", reports);
            }
        }
    }
    lines.join("\n")
}
