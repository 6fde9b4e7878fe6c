//! [`Signature`]: one signature of a function, and the message for a call that fits no signature.

use hieratic_value::Value;

use super::describe::{describe, merge};
use super::message::{MismatchClass, MismatchKind, Report};
use super::path::{Step, extend};
use crate::assignable::accepts_undef;
use crate::build::is_kind_of_callable;
use crate::check::Check;
use crate::infer::infer_set;
use crate::range::IntegerRange;
use crate::types::Type;

/// A signature of a function.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The name and the type of the block. The type accepts `undef` if the block is optional; `None` if no block is
    /// allowed.
    pub block: Option<(hieratic_value::Str, Type)>,
}

/// One parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name, as messages show it.
    pub name: hieratic_value::Str,
    /// The type.
    pub kind: Type,
    /// Whether the argument is required.
    pub required: bool,
    /// Whether the argument may be repeated. Only the last parameter can be.
    pub repeated: bool,
}

impl Signature {
    /// Creates a signature from parameters, of which the first `required` ones are required.
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

    /// Returns whether the number of arguments is allowed.
    fn takes(&self, count: usize) -> bool {
        let endless = self.parameters.last().is_some_and(|last| last.repeated);
        count >= self.required() && (endless || count <= self.parameters.len())
    }

    /// Returns the parameter for the argument at an index.
    fn at(&self, index: usize) -> Option<&Parameter> {
        self.parameters.get(index).or(self.parameters.last())
    }

    /// Returns whether the arguments and the block, or its absence, fit the signature.
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

    /// Returns the allowed numbers of arguments.
    pub(crate) fn counts(&self) -> IntegerRange {
        match self.parameters.last() {
            Some(last) if last.repeated => IntegerRange::at_least(self.required()),
            _ => IntegerRange::sizes(self.required(), self.parameters.len()),
        }
    }

    /// Describes why the arguments do not fit.
    fn describe_arguments(&self, arguments: &[Type], path: &[Step]) -> Vec<Report> {
        if !self.takes(arguments.len()) {
            let actual = IntegerRange::exactly(arguments.len());
            return vec![Report::new(path, MismatchKind::Count { expected: self.counts(), actual })];
        }
        for (index, actual) in arguments.iter().enumerate() {
            let Some(Parameter { name, kind: expected, .. }) = self.at(index) else { continue };
            if !expected.is_assignable(actual) {
                let path = extend(path, Step::Parameter(name.clone()));
                let reports = describe(expected, actual, &path, None);
                if !reports.is_empty() {
                    return reports;
                }
            }
        }
        Vec::new()
    }

    /// Describes why the block, or its absence, does not fit.
    fn describe_block(&self, block: Option<&Type>, path: &[Step]) -> Vec<Report> {
        match (&self.block, block) {
            (None, Some(_)) => vec![Report::new(path, MismatchKind::UnexpectedBlock)],
            (Some((_, expected)), Some(given)) => describe(expected, given, &extend(path, Step::Block), None),
            (Some((_, expected)), None) if !accepts_undef(expected, &Check::default()) => {
                vec![Report::new(path, MismatchKind::MissingBlock)]
            }
            _ => Vec::new(),
        }
    }
}

impl std::fmt::Display for Signature {
    /// Writes the parameters as in messages: type and name, with a question mark if it is optional, a star if any
    /// number may be given, a plus if at least one; the block comes last.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.parameters.is_empty() {
            // The reference forgets the block then.
            return Ok(());
        }
        for (index, Parameter { name, kind, required, repeated }) in self.parameters.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            match (repeated, required, kind) {
                (true, true, kind) => write!(f, "{kind} {name}+")?,
                (true, false, kind) => write!(f, "{kind} {name}*")?,
                (false, true, kind) => write!(f, "{kind} {name}")?,
                (false, false, Type::Optional(Some(kind))) => write!(f, "{kind} {name}?")?,
                (false, false, kind) => write!(f, "{kind} {name}?")?,
            }
        }
        match &self.block {
            Some((name, Type::Optional(Some(kind)))) => write!(f, ", {kind} {name}?"),
            Some((name, kind @ Type::Callable(_))) => write!(f, ", {kind} {name}"),
            _ => Ok(()),
        }
    }
}

/// Describes why no signature of the function accepts the arguments and the block.
///
/// ```
/// use hieratic_puppet_types::{Parameter, Signature, Type, describe_call};
/// let number = Parameter { name: "n".into(), kind: Type::INTEGER, required: true, repeated: false };
/// let block = Some(("block".into(), Type::Callable(Default::default())));
/// let ways = [Signature { parameters: vec![number], block }];
/// assert_eq!(describe_call("times", &ways, &[1.into()], None), "'times' expects a block");
/// assert_eq!(describe_call("times", &ways, &[], None), "'times' expects 1 argument, got none");
/// ```
pub fn describe_call(function: &str, signatures: &[Signature], arguments: &[Value], block: Option<&Type>) -> String {
    let types: Vec<Type> = arguments.iter().map(infer_set).collect();
    describe_call_of_types(function, signatures, &types, block)
}

/// Like [`describe_call`], for arguments of which only the types are known.
pub fn describe_call_of_types(
    function: &str,
    signatures: &[Signature],
    arguments: &[Type],
    block: Option<&Type>,
) -> String {
    let mut types = arguments.to_vec();
    // The reference takes a trailing callable for the block.
    let block = match (block, types.last()) {
        (Some(block), _) => Some(block.clone()),
        (None, Some(last)) if is_kind_of_callable(last, true) => types.pop(),
        _ => None,
    };
    let step = |index: usize| [Step::Signature(index)];
    let each = |describe: &dyn Fn(&Signature, &[Step]) -> Vec<Report>| -> Vec<Vec<Report>> {
        signatures.iter().enumerate().map(|(index, one)| describe(one, &step(index))).collect()
    };
    let mut all = each(&|signature, path| signature.describe_arguments(&types, path));
    if all.iter().any(Vec::is_empty) {
        let blocks = each(&|signature, path| signature.describe_block(block.as_ref(), path));
        if blocks.iter().all(|reports| !reports.is_empty()) {
            all = blocks;
        } else {
            for (own, block) in all.iter_mut().zip(blocks) {
                if own.is_empty() {
                    *own = block;
                }
            }
        }
    }
    let label = if function == "lambda" { "block".to_owned() } else { format!("'{function}'") };
    let merged = merge(0, MismatchClass::Count, all.clone(), &Check::default());
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
            let head = format!("The function {label} was called with arguments it does not accept. It expects one of:");
            list(head, "", &[]);
            for (signature, reports) in signatures.iter().zip(&all) {
                list(format!("  ({signature})"), "    ", reports);
            }
        }
    }
    lines.join("\n")
}
