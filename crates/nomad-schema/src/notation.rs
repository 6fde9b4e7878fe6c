//! The notation of the schemas.
//!
//! `type NAME [FLAG...]` begins a type, whose fields follow: `NAME SHAPE [TYPE] [= VALUE...] [FLAG...]`. A type is
//! `strict` if the program refuses what is unknown, `open` if anything may be in it, `weak` if its values are
//! converted, and `cased` if its names are compared with their case. A field may be `required`, written `once` alone
//! or as a block `many` times, have values in any case (`nocase`) or values that the program does not check (`loose`),
//! or be `cased` itself. `removed VERSION: TEXT` and `deprecated: TEXT` end a line. A second spelling of a name follows
//! it after `|`. Lines `one of NAMES`, `exactly one of NAMES` and `some of NAMES` in a type restrict how many of these
//! fields have a value.

use hieratic_value::collections::HashMap;

/// The types of a kind of file.
pub(crate) struct Schema {
    types: HashMap<&'static str, Type>,
}

/// The names that an object may contain.
#[derive(Default)]
pub(crate) struct Type {
    pub(crate) fields: Vec<Field>,
    /// The fields that depend on each other.
    pub(crate) choices: Vec<Choice>,
    /// Whether the program refuses unknown names.
    pub(crate) is_strict: bool,
    /// Whether any name is allowed.
    pub(crate) is_open: bool,
    /// Whether values are converted as `mapstructure` does.
    pub(crate) is_weak: bool,
    /// Whether the case of names matters.
    pub(crate) is_cased: bool,
}

/// Fields that depend on each other.
pub(crate) struct Choice {
    pub(crate) names: Vec<&'static str>,
    /// Whether one of them alone may have a value.
    pub(crate) is_exclusive: bool,
    /// Whether one of them must have a value.
    pub(crate) is_required: bool,
}

/// An argument, or a block.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    /// The other spelling of the name.
    pub(crate) alias: Option<&'static str>,
    pub(crate) shape: Shape,
    /// The values that are allowed, if they are known.
    pub(crate) values: Vec<&'static str>,
    pub(crate) is_required: bool,
    /// Whether a strict type allows the block several times.
    pub(crate) is_many: bool,
    /// Whether the program refuses a second one.
    pub(crate) is_once: bool,
    /// Whether the case of the values does not matter.
    pub(crate) is_nocase: bool,
    /// Whether the program accepts other values, and ignores them.
    pub(crate) is_loose: bool,
    /// Whether the case of the name matters.
    pub(crate) is_cased: bool,
    /// The version that has removed it, and what to write instead.
    pub(crate) removed: Option<(&'static str, &'static str)>,
    /// The text to write instead of something that still works.
    pub(crate) deprecated: Option<&'static str>,
}

/// The form of a field in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    String,
    /// A string with a length of time.
    Duration,
    /// A number of bytes, or a string with a unit.
    Size,
    /// A number of megabytes, or a string with a unit.
    Megabytes,
    /// A number of seconds, or a string with a length of time, also in days.
    Seconds,
    Int,
    /// An integer that is not a string.
    Number,
    /// An integer in decimal notation, also as a string.
    Count,
    Float,
    Bool,
    /// A truth value that is converted.
    Flag,
    /// A list of strings.
    Strings,
    /// A list of integers.
    Ints,
    /// Names and strings.
    Map,
    /// An object with any names and values.
    Object,
    Any,
    /// A block without labels.
    Block(&'static str),
    /// Blocks without labels, or a list of objects.
    Blocks(&'static str),
    /// Blocks with a label.
    Labelled(&'static str),
    /// Objects by names, written as blocks with a label or as an object of objects.
    Table(&'static str),
}

impl Schema {
    /// Reads a schema. The tests read all of them. Fields are indented, types are not.
    pub(crate) fn read(text: &'static str) -> Schema {
        let mut types: HashMap<&'static str, Type> = HashMap::default();
        let mut current = "";
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(header) = line.strip_prefix("type ") {
                let mut words = header.split(' ');
                current = words.next().unwrap_or_default();
                let flags: Vec<&str> = words.collect();
                let has = |flag: &str| flags.contains(&flag);
                let (is_strict, is_open, is_weak, is_cased) = (has("strict"), has("open"), has("weak"), has("cased"));
                types.insert(current, Type { is_strict, is_open, is_weak, is_cased, ..Type::default() });
            } else if let (Some(owner), Some(choice)) = (types.get_mut(current), Choice::read(line.trim())) {
                owner.choices.push(choice);
            } else if let (Some(owner), Some(field)) = (types.get_mut(current), Field::read(line.trim())) {
                owner.fields.push(field);
            }
        }
        Schema { types }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Type> {
        self.types.get(name)
    }
}

impl Choice {
    fn read(line: &'static str) -> Option<Choice> {
        let forms = [("exactly one of ", true, true), ("one of ", true, false), ("some of ", false, true)];
        let form = forms
            .into_iter()
            .find_map(|(form, exclusive, required)| line.strip_prefix(form).map(|names| (names, exclusive, required)));
        let (names, is_exclusive, is_required) = form?;
        Some(Choice { names: names.split(' ').collect(), is_exclusive, is_required })
    }
}

impl Field {
    /// Reports whether a name is that of the field.
    pub(crate) fn is_named(&self, name: &str, is_cased: bool) -> bool {
        let is_same = |known: &str| if is_cased { known == name } else { known.eq_ignore_ascii_case(name) };
        is_same(self.name) || self.alias.is_some_and(is_same)
    }

    fn read(line: &'static str) -> Option<Field> {
        let (line, deprecated) = match line.split_once(" deprecated: ") {
            Some((line, text)) => (line, Some(text)),
            None => (line, None),
        };
        let (line, removed) = match line.split_once(" removed ") {
            Some((line, text)) => (line, text.split_once(": ")),
            None => (line, None),
        };
        let (head, values) = line.split_once(" = ").unwrap_or((line, ""));
        let mut words: Vec<&'static str> = head.split(' ').collect();
        let mut values: Vec<&'static str> = values.split(' ').filter(|value| !value.is_empty()).collect();
        let written = *words.first()?;
        let (name, alias) = match written.split_once('|') {
            Some((name, alias)) => (name, Some(alias)),
            None => (written, None),
        };
        words.remove(0);
        let mut flag = |name: &str| {
            let count = words.len() + values.len();
            words.retain(|word| *word != name);
            values.retain(|word| *word != name);
            words.len() + values.len() < count
        };
        let (is_required, is_many) = (flag("required"), flag("many"));
        let (is_once, is_nocase, is_cased) = (flag("once"), flag("nocase"), flag("cased"));
        let is_loose = flag("loose");
        let shape = Shape::read(words.first()?, words.get(1).copied())?;
        Some(Field {
            name,
            alias,
            shape,
            values,
            is_required,
            is_many,
            is_once,
            is_nocase,
            is_loose,
            is_cased,
            removed,
            deprecated,
        })
    }
}

impl Shape {
    fn read(word: &str, of: Option<&'static str>) -> Option<Shape> {
        Some(match word {
            "string" => Shape::String,
            "duration" => Shape::Duration,
            "size" => Shape::Size,
            "megabytes" => Shape::Megabytes,
            "seconds" => Shape::Seconds,
            "number" => Shape::Number,
            "count" => Shape::Count,
            "flag" => Shape::Flag,
            "int" => Shape::Int,
            "float" => Shape::Float,
            "bool" => Shape::Bool,
            "strings" => Shape::Strings,
            "ints" => Shape::Ints,
            "map" => Shape::Map,
            "object" => Shape::Object,
            "any" => Shape::Any,
            "block" => Shape::Block(of?),
            "blocks" => Shape::Blocks(of?),
            "labelled" => Shape::Labelled(of?),
            "table" => Shape::Table(of?),
            _ => return None,
        })
    }

    /// The type of the objects, if it is one.
    pub(crate) fn object(self) -> Option<&'static str> {
        match self {
            Shape::Block(of) | Shape::Blocks(of) | Shape::Labelled(of) | Shape::Table(of) => Some(of),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn every_line_of_every_schema_is_read() {
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/schemas")).unwrap();
        for file in files {
            let path = file.unwrap().path();
            for line in std::fs::read_to_string(&path).unwrap().lines() {
                let line: &'static str = line.to_owned().leak();
                let is_field = line.starts_with("  ") && Choice::read(line.trim()).is_none();
                let is_choice = line.starts_with("  ") && !is_field;
                assert!(!is_field || Field::read(line.trim()).is_some(), "{}: {line}", path.display());
                assert!(
                    is_field || is_choice || line.is_empty() || line.starts_with('#') || line.starts_with("type "),
                    "{line}"
                );
            }
        }
    }

    #[test]
    fn every_type_exists() {
        for kind in Kind::ALL {
            let schema = kind.schema();
            assert!(schema.get(kind.root()).is_some(), "{kind:?}");
            let entries = schema.get("root").filter(|_| kind == Kind::ConsulConfigEntry);
            for entry in entries.into_iter().flat_map(|root| &root.fields[0].values) {
                assert!(schema.get(entry).is_some(), "{entry}");
            }
            for (name, one) in &schema.types {
                for choice in one.choices.iter().flat_map(|choice| &choice.names) {
                    assert!(one.fields.iter().any(|field| field.name == *choice), "{kind:?}: {name}: {choice}");
                }
                for field in &one.fields {
                    let of = field.shape.object();
                    assert!(of.is_none_or(|of| schema.get(of).is_some()), "{kind:?}: {name}.{}: {of:?}", field.name);
                    let twice = one.fields.iter().filter(|other| other.name == field.name).count();
                    assert_eq!(twice, 1, "{kind:?}: {name}.{}", field.name);
                }
            }
        }
    }
}
