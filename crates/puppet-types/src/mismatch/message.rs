//! [`Report`]: one mismatch and its message.

use hieratic_value::Str;
use hieratic_value::text::article;

use super::path::Step;
use crate::check::Check;
use crate::range::{Int, IntegerRange};
use crate::types::{StringType, Type};

/// One part of a value that does not fit.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub path: Vec<Step>,
    pub kind: MismatchKind,
}

/// The kind of a mismatch. Its types are normalized.
#[derive(Clone, Debug)]
pub(crate) enum MismatchKind {
    MissingKey(Str),
    UnknownKey(Str),
    Unresolved(Str),
    UnexpectedBlock,
    MissingBlock,
    Type { expected: Type, actual: Type },
    Pattern { expected: Type, actual: Type },
    Size { expected: IntegerRange, actual: IntegerRange },
    Count { expected: IntegerRange, actual: IntegerRange },
}

/// The property that mismatches must share to be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MismatchClass {
    Size,
    Count,
    MissingBlock,
    UnexpectedBlock,
    Type,
}

impl MismatchKind {
    pub fn type_mismatch(expected: &Type, actual: &Type, check: &Check<'_>) -> MismatchKind {
        MismatchKind::Type { expected: expected.normalize_in(check), actual: actual.normalize_in(check) }
    }

    pub fn pattern_mismatch(expected: &Type, actual: &Type, check: &Check<'_>) -> MismatchKind {
        MismatchKind::Pattern { expected: expected.normalize_in(check), actual: actual.normalize_in(check) }
    }

    pub fn is(&self, class: MismatchClass) -> bool {
        match class {
            MismatchClass::Size => matches!(self, MismatchKind::Size { .. } | MismatchKind::Count { .. }),
            MismatchClass::Count => matches!(self, MismatchKind::Count { .. }),
            MismatchClass::MissingBlock => matches!(self, MismatchKind::MissingBlock),
            MismatchClass::UnexpectedBlock => matches!(self, MismatchKind::UnexpectedBlock),
            MismatchClass::Type => matches!(self, MismatchKind::Type { .. } | MismatchKind::Pattern { .. }),
        }
    }

    /// Merges two mismatches into one with the kind and the actual type of the first.
    pub fn merge(&self, other: &MismatchKind, check: &Check<'_>) -> MismatchKind {
        let joined = |expected: &Type, actual: &Type| match other {
            MismatchKind::Type { expected: theirs, .. } | MismatchKind::Pattern { expected: theirs, .. } => {
                (Type::variant([expected.clone(), theirs.clone()]).normalize_in(check), actual.clone())
            }
            _ => (expected.clone(), actual.clone()),
        };
        let hull = |expected: &IntegerRange| match other {
            MismatchKind::Size { expected: theirs, .. } | MismatchKind::Count { expected: theirs, .. } => {
                expected.hull(theirs)
            }
            _ => expected.clone(),
        };
        match self {
            MismatchKind::Type { expected, actual } => {
                let (expected, actual) = joined(expected, actual);
                MismatchKind::Type { expected, actual }
            }
            MismatchKind::Pattern { expected, actual } => {
                let (expected, actual) = joined(expected, actual);
                MismatchKind::Pattern { expected, actual }
            }
            MismatchKind::Size { expected, actual } => {
                MismatchKind::Size { expected: hull(expected), actual: actual.clone() }
            }
            MismatchKind::Count { expected, actual } => {
                MismatchKind::Count { expected: hull(expected), actual: actual.clone() }
            }
            other => other.clone(),
        }
    }

    fn message(&self, start: &str) -> String {
        match self {
            MismatchKind::MissingKey(key) => format!("{start} expects a value for key '{key}'"),
            MismatchKind::UnknownKey(key) => format!("{start} unrecognized key '{key}'"),
            MismatchKind::Unresolved(name) => format!("{start} references an unresolved type '{name}'"),
            MismatchKind::UnexpectedBlock => format!("{start} does not expect a block"),
            MismatchKind::MissingBlock => format!("{start} expects a block"),
            MismatchKind::Type { expected, actual } => type_message(start, expected, actual),
            MismatchKind::Pattern { expected, actual } => pattern_message(start, expected, actual),
            MismatchKind::Size { expected, actual } => {
                format!("{start} expects size to be {}, got {}", range_text(expected, "0"), range_text(actual, "0"))
            }
            MismatchKind::Count { expected, actual } => {
                let one = |end: Option<&Int>| end == Some(&1i64.into());
                let singular = one(expected.from()) && (expected.to().is_none() || one(expected.to()))
                    || starts_at_zero(expected) && one(expected.to());
                format!(
                    "{start} expects {} argument{}, got {}",
                    range_text(expected, "no"),
                    if singular { "" } else { "s" },
                    range_text(actual, "none")
                )
            }
        }
    }
}

impl Report {
    pub fn new(path: &[Step], kind: MismatchKind) -> Report {
        Report { path: path.to_vec(), kind }
    }

    /// Returns the path without the steps into alternatives of a `Variant`.
    pub fn place(&self) -> Vec<&Step> {
        self.path.iter().filter(|step| !step.is_alternative()).collect()
    }

    /// Returns the report without one step of its path.
    pub fn without(mut self, step: usize) -> Report {
        if step < self.path.len() {
            self.path.remove(step);
        }
        self
    }

    /// Returns the message, with a leading space if it begins with a path.
    pub fn format(&self) -> String {
        let (signature, path) = match self.path.split_first() {
            Some((first @ Step::Signature(_), rest)) => (format!(" {first}"), rest),
            _ => (String::new(), &self.path[..]),
        };
        let mut start = signature;
        for step in path {
            start.push(' ');
            start.push_str(&step.to_string());
        }
        self.kind.message(&start)
    }
}

fn starts_at_zero(range: &IntegerRange) -> bool {
    range.from().is_none_or(|from| *from == 0i64.into())
}

fn range_text(range: &IntegerRange, zero: &str) -> String {
    match (range.from().filter(|_| !starts_at_zero(range)), range.to()) {
        (None, None) => "unlimited".into(),
        (None, Some(to)) if *to == 0i64.into() => zero.into(),
        (None, Some(to)) => format!("at most {to}"),
        (Some(from), None) => format!("at least {from}"),
        (Some(from), Some(to)) if from == to => from.to_string(),
        (Some(from), Some(to)) => format!("between {from} and {to}"),
    }
}

/// Formats expected and actual type. Type parameters are shown only where they can be the reason of the mismatch.
fn type_message(start: &str, expected: &Type, actual: &Type) -> String {
    let (optional, expected) = match expected {
        Type::Optional(Some(inner)) => (true, &**inner),
        other => (false, other),
    };
    let alternatives: &[Type] = match expected {
        Type::Variant(variants) => variants.as_slice(),
        single => std::slice::from_ref(single),
    };
    let detailed = alternatives.iter().any(|one| is_same_kind(one, actual) || default_accepts(one, actual));
    let (mut names, actual): (Vec<String>, String) = if detailed {
        (alternatives.iter().map(Type::to_expanded_string).collect(), detailed_actual(alternatives, actual))
    } else {
        let mut names: Vec<String> = Vec::new();
        for name in alternatives.iter().map(Type::short_name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        (names, actual.short_name())
    };
    if optional {
        names.insert(0, "Undef".into());
    }
    match &names[..] {
        [] => format!("{start} expects a value of type , or , got {actual}"),
        [one] => format!("{start} expects {} {one} value, got {actual}", article(one)),
        [one, other] => format!("{start} expects a value of type {one} or {other}, got {actual}"),
        [all @ .., last] => format!("{start} expects a value of type {}, or {last}, got {actual}", all.join(", ")),
    }
}

fn pattern_message(start: &str, expected: &Type, actual: &Type) -> String {
    let (prefix, expected) = match expected {
        Type::Optional(Some(inner)) => ("an undef value or ", &**inner),
        other => ("", other),
    };
    let actual = match actual {
        Type::String(StringType::Value(text)) => format!("'{text}'"),
        other => other.short_name(),
    };
    format!("{start} expects {prefix}a match for {}, got {actual}", expected.to_expanded_string())
}

/// Returns whether both types differ in their parameters at most.
fn is_same_kind(expected: &Type, actual: &Type) -> bool {
    std::mem::discriminant(expected) == std::mem::discriminant(actual)
        || matches!(expected, Type::Alias(_))
        || matches!(actual, Type::Alias(_))
        || matches!(
            (expected, actual),
            (Type::Struct(_), Type::Hash(_))
                | (Type::Tuple(_), Type::Array(_))
                | (Type::UriOf(_) | Type::Uri, Type::UriOf(_))
        )
}

/// Returns whether the expected type without its parameters would accept the actual one.
fn default_accepts(expected: &Type, actual: &Type) -> bool {
    let bare = match expected.resolved() {
        Type::Integer(_) => Type::INTEGER,
        Type::Float(_) => Type::FLOAT,
        Type::Boolean(_) => Type::BOOLEAN,
        Type::String(_) => Type::STRING,
        Type::Enum(_) => Type::enumeration::<Str>([]),
        Type::Pattern(_) => Type::pattern([]),
        Type::Regexp(_) => Type::Regexp(None),
        Type::Collection(_) => Type::Collection(None),
        Type::Array(_) => Type::array(Type::Any),
        Type::Hash(_) => Type::hash(Type::Any, Type::Any),
        Type::Tuple(_) => Type::tuple([]),
        Type::Struct(_) => Type::structure([]),
        Type::Variant(_) => Type::variant([]),
        Type::Optional(_) => Type::Optional(None),
        Type::NotUndef(_) => Type::NotUndef(None),
        Type::Sensitive(_) => Type::sensitive(Type::Any),
        Type::Type(_) => Type::Type(None),
        Type::Iterable(_) => Type::Iterable(None),
        Type::Iterator(_) => Type::Iterator(None),
        Type::Callable(_) => Type::Callable(Default::default()),
        Type::Runtime(_) => Type::Runtime(Default::default()),
        Type::Class(_) => Type::Class(None),
        Type::Resource(_) => Type::Resource(Default::default()),
        Type::Timestamp(_) => Type::TIMESTAMP,
        Type::Timespan(_) => Type::TIMESPAN,
        Type::SemVer(_) => Type::SEM_VER,
        Type::UriOf(_) => Type::Uri,
        Type::Init(_) => Type::Init(None),
        Type::Object(_) => Type::Object(None),
        Type::TypeSet(_) => Type::TypeSet(None),
        // The reference has no bare form of it and uses `Any`.
        Type::ObjectOf(_) => Type::Any,
        other => other.clone(),
    };
    bare.is_assignable(actual)
}

fn detailed_actual(expected: &[Type], actual: &Type) -> String {
    let resolved = || expected.iter().map(Type::resolved);
    let kind = resolved().any(|one| is_same_kind(one, actual));
    if kind || resolved().any(|one| one.is_assignable(&actual.generalize())) {
        actual.to_expanded_string()
    } else {
        actual.last_name().to_owned()
    }
}
