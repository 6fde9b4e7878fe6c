//! [`StringFormats`] and the table that finds the format of a type.

use std::cmp::Ordering;
use std::sync::LazyLock;

use super::format::Format;
use crate::Error;
use crate::object::is_error;
use crate::types::Type;

/// The formats for writing values: the default, one format for the value itself, or formats by type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StringFormats(Kind);

#[derive(Clone, Debug, Default, PartialEq)]
enum Kind {
    #[default]
    Default,
    Single(String),
    Map(Vec<(Type, FormatSpec)>),
}

impl StringFormats {
    /// One format for the value itself, such as `%x`.
    pub fn single(format: &str) -> StringFormats {
        StringFormats(Kind::Single(format.into()))
    }

    /// A format for each type. What no type is given for is written as by default.
    pub fn map(formats: Vec<(Type, FormatSpec)>) -> StringFormats {
        StringFormats(Kind::Map(formats))
    }
}

/// The format for the values of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum FormatSpec {
    /// A format.
    Format(String),
    /// A format for an array or a hash, with what goes between and into its elements.
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

/// One format with what belongs to it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub format: Format,
    pub separator: Option<String>,
    pub separator2: Option<String>,
    /// The formats of elements; none for the default ones.
    pub elements: Option<FormatMap>,
}

/// Formats by type; the first type that takes a value gives its format.
#[derive(Clone, Debug)]
pub(super) struct FormatMap(Vec<(Type, Entry)>);

impl FormatMap {
    /// The table for a value of a type, with the default formats behind those that were given.
    pub fn new(formats: &StringFormats, kind: &Type) -> Result<FormatMap, Error> {
        let given = match &formats.0 {
            Kind::Default => return Ok(DEFAULTS.clone()),
            // The type of errors does not take itself in the reference, so that a format for one is never found.
            Kind::Single(format) if matches!(kind, Type::ObjectOf(error) if is_error(error.base())) => {
                Format::parse(format)?;
                return Ok(DEFAULTS.clone());
            }
            Kind::Single(format) => {
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
            Kind::Map(given) => given.clone(),
        };
        Ok(DEFAULTS.merge(&FormatMap::read(&given)?))
    }

    /// A table with one format only.
    pub fn only(kind: Type, format: Format) -> FormatMap {
        FormatMap(vec![(kind, Entry { format, separator: None, separator2: None, elements: None })])
    }

    fn read(given: &[(Type, FormatSpec)]) -> Result<FormatMap, Error> {
        let entry = |spec: &FormatSpec| match spec {
            FormatSpec::Format(text) => {
                Format::parse(text).map(|format| Entry { format, separator: None, separator2: None, elements: None })
            }
            FormatSpec::Container(container) => Ok(Entry {
                format: Format::parse(container.format.as_deref().unwrap_or_default())?,
                separator: container.separator.clone(),
                separator2: container.separator2.clone(),
                elements: container.string_formats.as_deref().map(FormatMap::read).transpose()?,
            }),
        };
        let entries = given.iter().map(|(kind, spec)| Ok((kind.clone(), entry(spec)?)));
        entries.collect::<Result<_, _>>().map(FormatMap)
    }

    /// The entry of the first type that takes values of this one.
    pub fn find(&self, kind: &Type) -> Option<&Entry> {
        self.0.iter().find(|(own, _)| own.is_assignable(kind)).map(|(_, entry)| entry)
    }

    /// Returns the format of a type; the default is `%s`.
    pub fn format(&self, kind: &Type) -> Format {
        let plain = || Format { letter: 's', flags: String::new(), width: None, precision: None };
        self.find(kind).map_or_else(plain, |entry| entry.format.clone())
    }

    /// Both tables as one. A type of the higher one hides those of the lower one that it takes.
    fn merge(&self, higher: &FormatMap) -> FormatMap {
        let hidden = |kind: &Type| higher.0.iter().any(|(own, _)| own != kind && own.is_assignable(kind));
        let kept = self.0.iter().filter(|(kind, _)| !hidden(kind)).map(|(kind, lower)| {
            let higher = higher.0.iter().find(|(own, _)| own == kind).map(|(_, entry)| entry);
            (kind.clone(), higher.map_or_else(|| lower.clone(), |higher| lower.merge(higher)))
        });
        let mut merged: Vec<(Type, Entry)> = kept.collect();
        for (kind, entry) in &higher.0 {
            if !merged.iter().any(|(known, _)| known == kind) {
                merged.push((kind.clone(), entry.clone()));
            }
        }
        FormatMap(merge_sort(merged))
    }
}

impl Entry {
    fn merge(&self, higher: &Entry) -> Entry {
        Entry {
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
/// The order is not a total one, so the result hangs on the steps of the sort: this is the merge sort that the reference
/// runs on, with the lower half first.
fn merge_sort(mut entries: Vec<(Type, Entry)>) -> Vec<(Type, Entry)> {
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
        |letter_of: char| Entry { format: letter(letter_of), separator: None, separator2: None, elements: None };
    let container = |letter_of: char, separator2: &str| Entry {
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
