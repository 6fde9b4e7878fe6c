//! [`StringFormats`] and the table that finds the format of a type.

use std::cmp::Ordering;
use std::sync::LazyLock;

use super::format::Format;
use crate::Error;
use crate::object::is_error;
use crate::types::Type;

/// The formats for writing values: the default, one format for the value itself, or formats by type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StringFormats(FormatKind);

#[derive(Clone, Debug, Default, PartialEq)]
enum FormatKind {
    #[default]
    Default,
    Single(String),
    Map(Vec<(Type, FormatSpec)>),
}

impl StringFormats {
    /// Creates one format for the value itself, such as `%x`.
    pub fn single(format: &str) -> StringFormats {
        StringFormats(FormatKind::Single(format.into()))
    }

    /// Creates formats by type. Values of other types use the default.
    pub fn map(formats: Vec<(Type, FormatSpec)>) -> StringFormats {
        StringFormats(FormatKind::Map(formats))
    }
}

/// The format for the values of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum FormatSpec {
    /// A format.
    Format(String),
    /// A format for an array or a hash, with separators and the formats of elements.
    Container(ContainerFormat),
}

/// The format of an array or a hash.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContainerFormat {
    /// The format of the whole; `%a`, `%h`, `%s` or `%p` with flags.
    pub format: Option<String>,
    /// The string between elements.
    pub separator: Option<String>,
    /// The string between a key and its value.
    pub separator2: Option<String>,
    /// The formats of the elements.
    pub string_formats: Option<Vec<(Type, FormatSpec)>>,
}

/// A format with its separators and element formats.
#[derive(Clone, Debug)]
pub(super) struct FormatEntry {
    pub format: Format,
    pub separator: Option<String>,
    pub separator2: Option<String>,
    /// The formats of elements; `None` for the default ones.
    pub elements: Option<FormatMap>,
}

/// Formats by type; the first type that a value is an instance of determines its format.
#[derive(Clone, Debug)]
pub(super) struct FormatMap(Vec<(Type, FormatEntry)>);

impl FormatMap {
    /// Creates the table for values of a type: `formats`, then the default formats.
    pub fn new(formats: &StringFormats, kind: &Type) -> Result<FormatMap, Error> {
        let given = match &formats.0 {
            FormatKind::Default => return Ok(DEFAULTS.clone()),
            // In the reference, the type of errors is not assignable to itself, so a format for it is never found.
            FormatKind::Single(format) if matches!(kind, Type::ObjectOf(error) if is_error(error.base())) => {
                Format::parse(format)?;
                return Ok(DEFAULTS.clone());
            }
            FormatKind::Single(format) => {
                let array = Type::array(Type::Any);
                let hash = Type::hash(Type::Any, Type::Any);
                let container = ContainerFormat { format: Some(format.clone()), ..Default::default() };
                if array.is_assignable(kind) {
                    vec![(array, FormatSpec::Container(container))]
                } else if hash.is_assignable(kind) {
                    vec![(hash, FormatSpec::Container(container))]
                } else {
                    vec![(kind.clone(), FormatSpec::Format(format.clone()))]
                }
            }
            FormatKind::Map(given) => given.clone(),
        };
        Ok(DEFAULTS.merge(&FormatMap::read(&given)?))
    }

    /// Creates a table with one format.
    pub fn only(kind: Type, format: Format) -> FormatMap {
        FormatMap(vec![(kind, FormatEntry { format, separator: None, separator2: None, elements: None })])
    }

    fn read(given: &[(Type, FormatSpec)]) -> Result<FormatMap, Error> {
        let entry = |spec: &FormatSpec| match spec {
            FormatSpec::Format(text) => Format::parse(text).map(|format| FormatEntry {
                format,
                separator: None,
                separator2: None,
                elements: None,
            }),
            FormatSpec::Container(container) => Ok(FormatEntry {
                format: Format::parse(container.format.as_deref().unwrap_or_default())?,
                separator: container.separator.clone(),
                separator2: container.separator2.clone(),
                elements: container.string_formats.as_deref().map(FormatMap::read).transpose()?,
            }),
        };
        let entries = given.iter().map(|(kind, spec)| Ok((kind.clone(), entry(spec)?)));
        entries.collect::<Result<_, _>>().map(FormatMap)
    }

    /// Returns the entry of the first type that this one is assignable to.
    pub fn find(&self, kind: &Type) -> Option<&FormatEntry> {
        self.0.iter().find(|(own, _)| own.is_assignable(kind)).map(|(_, entry)| entry)
    }

    /// Returns the format of a type; the default is `%s`.
    pub fn format(&self, kind: &Type) -> Format {
        let plain = || Format { letter: 's', flags: String::new(), width: None, precision: None };
        self.find(kind).map_or_else(plain, |entry| entry.format.clone())
    }

    /// Merges both tables. A type of the higher one overrides the types of the lower one that are assignable to it.
    fn merge(&self, higher: &FormatMap) -> FormatMap {
        let hidden = |kind: &Type| higher.0.iter().any(|(own, _)| own != kind && own.is_assignable(kind));
        let kept = self.0.iter().filter(|(kind, _)| !hidden(kind)).map(|(kind, lower)| {
            let higher = higher.0.iter().find(|(own, _)| own == kind).map(|(_, entry)| entry);
            (kind.clone(), higher.map_or_else(|| lower.clone(), |higher| lower.merge(higher)))
        });
        let mut merged: Vec<(Type, FormatEntry)> = kept.collect();
        for (kind, entry) in &higher.0 {
            if !merged.iter().any(|(known, _)| known == kind) {
                merged.push((kind.clone(), entry.clone()));
            }
        }
        FormatMap(merge_sort(merged))
    }
}

impl FormatEntry {
    fn merge(&self, higher: &FormatEntry) -> FormatEntry {
        FormatEntry {
            format: higher.format.clone(),
            separator: higher.separator.clone().or_else(|| self.separator.clone()),
            separator2: higher.separator2.clone().or_else(|| self.separator2.clone()),
            elements: match (&self.elements, &higher.elements) {
                (Some(lower), Some(higher)) => Some(lower.merge(higher)),
                (lower, higher) => higher.clone().or_else(|| lower.clone()),
            },
        }
    }
}

/// Sorts narrow types before wide ones.
///
/// The order is not a total one, so the result depends on the steps of the sort: this is the merge sort that the
/// reference runs on, with the lower half first.
fn merge_sort(mut entries: Vec<(Type, FormatEntry)>) -> Vec<(Type, FormatEntry)> {
    if entries.len() < 2 {
        return entries;
    }
    let upper = merge_sort(entries.split_off(entries.len() / 2));
    let (mut lower, mut upper) = (merge_sort(entries).into_iter().peekable(), upper.into_iter().peekable());
    let mut sorted = Vec::new();
    while let (Some(one), Some(other)) = (lower.peek(), upper.peek()) {
        let next = if compare(&one.0, &other.0) == Ordering::Greater { upper.next() } else { lower.next() };
        sorted.extend(next);
    }
    sorted.extend(lower.chain(upper));
    sorted
}

fn compare(a: &Type, b: &Type) -> Ordering {
    match (b.is_assignable(a), a.is_assignable(b)) {
        _ if a == b => Ordering::Equal,
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => match (rank(a), rank(b)) {
            (0, _) | (_, 0) => a.to_string().cmp(&b.to_string()),
            (one, other) => one.cmp(&other),
        },
    }
}

fn rank(kind: &Type) -> u8 {
    match kind {
        Type::Struct(_) => 1,
        Type::Hash(_) => 2,
        Type::Tuple(_) => 3,
        Type::Array(_) => 4,
        Type::Pattern(_) => 10,
        Type::Enum(_) => 11,
        Type::String(_) => 12,
        _ => 0,
    }
}

/// The default formats of elements: as in Puppet code.
pub(super) static DEFAULT_ELEMENTS: LazyLock<FormatMap> = LazyLock::new(|| FormatMap::only(Type::Any, letter('p')));

static DEFAULTS: LazyLock<FormatMap> = LazyLock::new(|| {
    let entry =
        |letter_of: char| FormatEntry { format: letter(letter_of), separator: None, separator2: None, elements: None };
    let container = |letter_of: char, separator2: &str| FormatEntry {
        format: letter(letter_of),
        separator: Some(", ".into()),
        separator2: Some(separator2.into()),
        elements: Some(DEFAULT_ELEMENTS.clone()),
    };
    FormatMap(vec![
        (Type::Object(None), entry('p')),
        (Type::FLOAT, entry('f')),
        (Type::Numeric, entry('d')),
        (Type::array(Type::Any), container('a', ", ")),
        (Type::hash(Type::Any, Type::Any), container('h', " => ")),
        (Type::Binary, entry('B')),
        (Type::Any, entry('s')),
    ])
});

fn letter(letter: char) -> Format {
    Format { letter, flags: String::new(), width: None, precision: None }
}
