//! The structures of the API's job: their fields in the order in which they are printed, and the syntax of each field
//! in a job file.
//!
//! The tables are used by `decode` for job files, by `api` for the API's JSON, and by `json` for the output.
//!
//! ```
//! use hieratic_nomad_job::schema::{JOB, Source};
//!
//! let (_, priority) = JOB.attribute("priority").unwrap();
//! assert_eq!(priority.name, "Priority");
//! assert!(matches!(JOB.field("ParentID").unwrap().1.source, Source::Unwritten));
//! ```

mod connect;
mod gateway;
mod group;
mod identity;
mod job;
mod network;
mod node_pool;
mod placement;
mod resources;
mod service;
mod task;
mod volumes;

pub use group::{SCALING_POLICY, TASK_GROUP};
pub use identity::{SECRET, VAULT};
pub use job::JOB;
pub use node_pool::{NODE_POOL, NODE_POOL_FILE};
pub use placement::{AFFINITY, CONSTRAINT};
pub use task::TASK;

/// A structure of the API's job.
#[derive(Debug)]
pub struct Struct {
    /// The name in the API, for messages about the API's JSON.
    pub name: &'static str,
    /// The fields, in the order of the output.
    pub fields: &'static [Field],
    /// The rule that decodes its body.
    pub reading: BodyRule,
}

/// A field of a structure.
#[derive(Debug)]
pub struct Field {
    /// The name in the API's JSON.
    pub name: &'static str,
    /// The syntax in a job file.
    pub source: Source,
    /// The type of the value.
    pub kind: Kind,
    /// Whether the JSON omits it if it is empty.
    pub unless_empty: bool,
}

/// The syntax of a field in a job file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// As an argument.
    Attribute {
        /// The argument's name.
        name: &'static str,
        /// Whether the argument is required.
        required: bool,
    },
    /// As a block, or several.
    Block(&'static str),
    /// As the label of the structure's block, with its name in messages about a missing label.
    Label(&'static str),
    /// Not in a job file: the server sets it, or it is derived from other fields.
    Unwritten,
}

/// The type of a field's value. It determines the output if the field has no value.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A value that is always present. The default is `""`, `0` or `false`.
    Plain(Scalar),
    /// An optional value. The default is `null`.
    Maybe(Scalar),
    /// A list of values.
    List(Scalar),
    /// A map of values.
    Map(Scalar),
    /// A map of lists of values.
    MapOfLists(Scalar),
    /// A map of arbitrary values, which plugins define.
    Any,
    /// Bytes, in Base64 in JSON.
    Bytes,
    /// One structure.
    One(&'static Struct),
    /// A list of structures.
    Many(&'static Struct),
    /// A map of structures by their labels.
    Keyed(&'static Struct),
}

/// The type of a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A string.
    Text,
    /// A string whose type has its own name in the API.
    Named(&'static str),
    /// `true` or `false`.
    Bool,
    /// An integer.
    Integer,
    /// An integer with this number of bits.
    Int(u8),
    /// An unsigned integer with this number of bits.
    Uint(u8),
    /// A duration: written as `"1h30m"` or in nanoseconds, printed in nanoseconds.
    Duration,
}

/// The rule that decodes the body of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyRule {
    /// Field by field.
    Plain,
    /// As a `group`: its tasks inherit `vault` and `secret`, and `meta` may be an argument.
    Group,
    /// As a `task`: `env` and `meta` may be arguments, `scaling` is labelled.
    Task,
    /// As a `constraint`: operators may be written as arguments.
    Constraint,
    /// As an `affinity`: operators may be written as arguments.
    Affinity,
}

/// Returns whether a field of any structure of the API's job has this name in JSON.
pub fn is_field(name: &str) -> bool {
    static NAMES: std::sync::OnceLock<std::collections::HashSet<&'static str>> = std::sync::OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names = std::collections::HashSet::from(["Job"]);
        let mut seen: Vec<&'static Struct> = vec![&JOB];
        let mut next = 0;
        while let Some(of) = seen.get(next) {
            for field in of.fields {
                names.insert(field.name);
                if let Some(within) = field.kind.structure()
                    && !seen.iter().any(|known| std::ptr::eq(*known, within))
                {
                    seen.push(within);
                }
            }
            next += 1;
        }
        names
    });
    names.contains(name)
}

impl Struct {
    const fn new(name: &'static str, fields: &'static [Field]) -> Self {
        Self { name, fields, reading: BodyRule::Plain }
    }

    const fn read_as(self, reading: BodyRule) -> Self {
        Self { reading, ..self }
    }

    /// Returns the field with this name in JSON, and its index.
    pub fn field(&self, name: &str) -> Option<(usize, &'static Field)> {
        self.fields.iter().enumerate().find(|(_, field)| field.name == name)
    }

    /// Returns the field with this argument in a job file, and its index.
    pub fn attribute(&self, name: &str) -> Option<(usize, &'static Field)> {
        self.find(|source| matches!(source, Source::Attribute { name: own, .. } if own == name))
    }

    /// Returns the field with this type of block in a job file, and its index.
    pub fn block(&self, name: &str) -> Option<(usize, &'static Field)> {
        self.find(|source| matches!(source, Source::Block(own) if own == name))
    }

    /// Returns the index of the field for the label, and the label's name.
    pub fn label(&self) -> Option<(usize, &'static str)> {
        self.fields.iter().enumerate().find_map(|(at, field)| match field.source {
            Source::Label(name) => Some((at, name)),
            _ => None,
        })
    }

    fn find(&self, holds: impl Fn(Source) -> bool) -> Option<(usize, &'static Field)> {
        self.fields.iter().enumerate().find(|(_, field)| holds(field.source))
    }
}

impl Field {
    const fn new(name: &'static str, source: Source, kind: Kind) -> Self {
        Self { name, source, kind, unless_empty: false }
    }

    const fn unless_empty(self) -> Self {
        Self { unless_empty: true, ..self }
    }
}

impl Kind {
    /// Returns the structure of the field, or `None` for other types.
    pub fn structure(self) -> Option<&'static Struct> {
        match self {
            Kind::One(of) | Kind::Many(of) | Kind::Keyed(of) => Some(of),
            _ => None,
        }
    }
}

const fn optional(name: &'static str, attribute: &'static str, kind: Kind) -> Field {
    Field::new(name, Source::Attribute { name: attribute, required: false }, kind)
}

const fn required(name: &'static str, attribute: &'static str, kind: Kind) -> Field {
    Field::new(name, Source::Attribute { name: attribute, required: true }, kind)
}

const fn block(name: &'static str, block: &'static str, kind: Kind) -> Field {
    Field::new(name, Source::Block(block), kind)
}

const fn label(name: &'static str, label: &'static str, kind: Kind) -> Field {
    Field::new(name, Source::Label(label), kind)
}

const fn unwritten(name: &'static str, kind: Kind) -> Field {
    Field::new(name, Source::Unwritten, kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every structure that can be reached from the job.
    fn all(of: &'static Struct, seen: &mut Vec<&'static Struct>) {
        if seen.iter().any(|known| std::ptr::eq(*known, of)) {
            return;
        }
        seen.push(of);
        for field in of.fields {
            if let Some(inner) = field.kind.structure() {
                all(inner, seen);
            }
        }
    }

    #[test]
    fn names_are_unique_in_their_structure() {
        let mut structures = Vec::new();
        all(&JOB, &mut structures);
        assert_eq!(structures.len(), 72);
        for of in structures {
            for (at, field) in of.fields.iter().enumerate() {
                assert_eq!(of.field(field.name).map(|(first, _)| first), Some(at), "{}.{}", of.name, field.name);
                let written = match field.source {
                    Source::Attribute { name, .. } => of.attribute(name),
                    Source::Block(name) => of.block(name),
                    Source::Label(_) => of.label().map(|(place, _)| (place, field)),
                    Source::Unwritten => continue,
                };
                assert_eq!(written.map(|(first, _)| first), Some(at), "{}.{}", of.name, field.name);
            }
        }
    }

    #[test]
    fn structures_under_labels_have_a_label() {
        let mut structures = Vec::new();
        all(&JOB, &mut structures);
        for of in structures {
            for field in of.fields {
                if let Kind::Keyed(inner) = field.kind {
                    assert!(inner.label().is_some(), "{}.{}", of.name, field.name);
                }
            }
        }
    }
}
