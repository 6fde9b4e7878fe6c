//! The form in which the options of drivers are described.

use crate::nomad_version::NomadVersion;

/// A driver with its options, sorted by name.
pub(in crate::lint) struct Driver {
    pub(in crate::lint) name: &'static str,
    pub(in crate::lint) options: &'static [DriverOption],
}

/// An option in `config`, or in a block of it.
pub(in crate::lint) struct DriverOption {
    pub(in crate::lint) name: &'static str,
    pub(in crate::lint) kind: OptionKind,
    pub(in crate::lint) required: bool,
    /// The first version of Nomad that has the option; none for those of version 1.0, and of drivers that have separate
    /// versions.
    pub(in crate::lint) since: Option<NomadVersion>,
    /// The rule for each of its strings.
    pub(in crate::lint) rule: TextRule,
}

/// The type of an option. Scalars are converted: `"5"` is a valid number, and 5 a valid text.
#[derive(Clone, Copy)]
pub(in crate::lint) enum OptionKind {
    Text,
    Bool,
    /// A whole number between these.
    Integer(i64, i64),
    /// A list of strings.
    Texts,
    /// A block, or a list of maps, with strings.
    TextMap,
    /// A block, or a list of maps, with whole numbers.
    NumberMap,
    /// Several things.
    Any,
    /// A block that can be written once.
    Block(&'static [DriverOption]),
    /// A block that can be repeated.
    Blocks(&'static [DriverOption]),
    /// A block of strings that can be written once, and not as an element of a list of several.
    TextBlock,
}

/// A rule for a string, which the driver applies when the task starts.
#[derive(Clone, Copy)]
pub(in crate::lint) enum TextRule {
    /// Any text is valid.
    Free,
    /// One of these, or an empty one.
    OneOf(&'static [&'static str]),
    /// The text that was expected, if it is another.
    Form(fn(&str) -> Option<&'static str>),
}

impl DriverOption {
    const fn new(name: &'static str, kind: OptionKind) -> Self {
        Self { name, kind, required: false, since: None, rule: TextRule::Free }
    }

    pub(in crate::lint) const fn text(name: &'static str) -> Self {
        Self::new(name, OptionKind::Text)
    }

    pub(in crate::lint) const fn flag(name: &'static str) -> Self {
        Self::new(name, OptionKind::Bool)
    }

    pub(in crate::lint) const fn integer(name: &'static str) -> Self {
        Self::new(name, OptionKind::Integer(i64::MIN, i64::MAX))
    }

    pub(in crate::lint) const fn integer_within(name: &'static str, least: i64, most: i64) -> Self {
        Self::new(name, OptionKind::Integer(least, most))
    }

    pub(in crate::lint) const fn texts(name: &'static str) -> Self {
        Self::new(name, OptionKind::Texts)
    }

    pub(in crate::lint) const fn text_map(name: &'static str) -> Self {
        Self::new(name, OptionKind::TextMap)
    }

    pub(in crate::lint) const fn number_map(name: &'static str) -> Self {
        Self::new(name, OptionKind::NumberMap)
    }

    pub(in crate::lint) const fn text_block(name: &'static str) -> Self {
        Self::new(name, OptionKind::TextBlock)
    }

    pub(in crate::lint) const fn any(name: &'static str) -> Self {
        Self::new(name, OptionKind::Any)
    }

    pub(in crate::lint) const fn block(name: &'static str, within: &'static [DriverOption]) -> Self {
        Self::new(name, OptionKind::Block(within))
    }

    pub(in crate::lint) const fn blocks(name: &'static str, within: &'static [DriverOption]) -> Self {
        Self::new(name, OptionKind::Blocks(within))
    }

    pub(in crate::lint) const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    pub(in crate::lint) const fn since(self, major: u16, minor: u16, patch: u16) -> Self {
        Self { since: Some(NomadVersion::new(major, minor, patch)), ..self }
    }

    pub(in crate::lint) const fn one_of(self, values: &'static [&'static str]) -> Self {
        Self { rule: TextRule::OneOf(values), ..self }
    }

    pub(in crate::lint) const fn in_form(self, form: fn(&str) -> Option<&'static str>) -> Self {
        Self { rule: TextRule::Form(form), ..self }
    }
}

impl OptionKind {
    /// The type in messages.
    pub(in crate::lint) fn name(self) -> &'static str {
        match self {
            OptionKind::Text => "text",
            OptionKind::Bool => "true or false",
            OptionKind::Integer(0.., _) => "a whole number that is not negative",
            OptionKind::Integer(..) => "a whole number",
            OptionKind::Texts => "a list of strings",
            OptionKind::TextMap | OptionKind::TextBlock => "a block of strings",
            OptionKind::NumberMap => "a block of whole numbers",
            OptionKind::Any => "anything",
            OptionKind::Block(_) => "a block",
            OptionKind::Blocks(_) => "blocks",
        }
    }
}
