//! [`Signature`]: one way to call a function, and what to say when none of them fits.

use hieratic_value::Value;

use super::describe::{describe, merge};
use super::message::{Class, Fault, Report};
use super::path::Step;
use crate::infer::infer_set;
use crate::range::IntegerRange;
use crate::types::Type;

/// One way to call a function.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The name and the type of the block; a type that takes `undef` if it may be left out; none if there can be no block.
    pub block: Option<(hieratic_value::Str, Type)>,
}

/// One parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name, as messages show it.
    pub name: hieratic_value::Str,
    /// The type.
    pub kind: Type,
    /// Whether it has to be given.
    pub required: bool,
    /// Whether it may be given any number of times; only the last can be.
    pub repeated: bool,
}

impl Signature {
    /// Parameters, the first of which have to be given.
    pub(crate) fn new(required: usize, parameters: impl IntoIterator<Item = (&'static str, Type)>) -> Signature {
        let parameters = parameters.into_iter().enumerate();
        let parameters = parameters.map(|(index, (name, kind))| Parameter {
            name: name.into(),
            kind,
            required: index < required,
            repeated: false,
        });
        Signature { parameters: parameters.collect(), block: None }
    }

    fn required(&self) -> usize {
        self.parameters.iter().filter(|parameter| parameter.required).count()
    }

    /// Whether so many arguments can be given.
    fn takes(&self, count: usize) -> bool {
        let endless = self.parameters.last().is_some_and(|last| last.repeated);
        count >= self.required() && (endless || count <= self.parameters.len())
    }

    /// The parameter that takes the argument at a position.
    fn at(&self, index: usize) -> Option<&Parameter> {
        self.parameters.get(index).or(self.parameters.last())
    }

    /// Whether the arguments, and the block or that there is none, can be given.
    pub fn accepts(&self, arguments: &[Value], block: Option<&Type>) -> bool {
        let block_fits = match (&self.block, block) {
            (None, None) => true,
            (None, Some(_)) => false,
            (Some((_, expected)), None) => expected.is_assignable(&Type::Undef),
            (Some((_, expected)), Some(given)) => expected.is_assignable(given),
        };
        block_fits
            && self.takes(arguments.len())
            && arguments
                .iter()
                .enumerate()
                .all(|(index, argument)| self.at(index).is_some_and(|one| one.kind.is_instance(argument)))
    }

    fn describe(&self, arguments: &[Type], path: &[Step]) -> Vec<Report> {
        if !self.takes(arguments.len()) {
            let expected = IntegerRange::sizes(self.required(), self.parameters.len());
            let actual = IntegerRange::exactly(arguments.len());
            return vec![Report::new(path, Fault::Count { expected, actual })];
        }
        for (index, actual) in arguments.iter().enumerate() {
            let Some(Parameter { name, kind: expected, .. }) = self.at(index) else { continue };
            if !expected.is_assignable(actual) {
                let path = super::path::extend(path, Step::Parameter(name.clone()));
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
        for (index, Parameter { name, kind, required, .. }) in self.parameters.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            let optional = !required;
            match kind {
                Type::Optional(Some(inner)) if optional => write!(f, "{inner} {name}?")?,
                one => write!(f, "{one} {name}{}", if optional { "?" } else { "" })?,
            }
        }
        Ok(())
    }
}

/// Why none of the ways to call the function takes the arguments and the block.
pub fn describe_call(function: &str, signatures: &[Signature], arguments: &[Value], _block: Option<&Type>) -> String {
    let types: Vec<Type> = arguments.iter().map(infer_set).collect();
    let all: Vec<Vec<Report>> = signatures
        .iter()
        .enumerate()
        .map(|(index, signature)| signature.describe(&types, &[Step::Signature(index)]))
        .collect();
    let label = if function == "lambda" { "block".to_owned() } else { format!("'{function}'") };
    let merged = merge(0, Class::Count, all.clone());
    if let [one] = &merged[..] {
        return format!("{label}{}", one.format());
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
            list(format!("{label} expects ({signature})"), "  ", all.first().map_or(&[], Vec::as_slice));
        }
        _ => {
            let head =
                format!("The function {label} was called with arguments it does not accept. It expects one of:");
            list(head, "", &[]);
            for (signature, reports) in signatures.iter().zip(&all) {
                list(format!("  ({signature})"), "    ", reports);
            }
        }
    }
    lines.join("\n")
}
