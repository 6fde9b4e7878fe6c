//! Schemas: the attributes and blocks that a body may contain.

use std::borrow::Cow;

/// The attributes and blocks that a body may have.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// The attributes.
    pub attributes: Vec<AttributeSchema>,
    /// The blocks.
    pub blocks: Vec<BlockSchema>,
}

/// An attribute of a schema.
#[derive(Clone, Debug)]
pub struct AttributeSchema {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Whether the attribute is required.
    pub required: bool,
}

/// A type of blocks of a schema. A body may have any number of them.
#[derive(Clone, Debug)]
pub struct BlockSchema {
    /// The type.
    pub kind: Cow<'static, str>,
    /// The names of the labels in messages.
    pub labels: Vec<Cow<'static, str>>,
}

impl Schema {
    /// Creates a schema of optional attributes, and of blocks with the names of their labels.
    pub fn new(attributes: &[&'static str], blocks: &[(&'static str, &[&'static str])]) -> Self {
        Self {
            attributes: attributes.iter().map(|name| AttributeSchema::optional(name)).collect(),
            blocks: blocks.iter().map(|(kind, labels)| BlockSchema::new(kind, labels)).collect(),
        }
    }

    /// Returns the schema of a type of blocks. The last of several is returned, because schemas are extended by
    /// appending.
    pub fn block(&self, kind: &str) -> Option<&BlockSchema> {
        self.blocks.iter().rev().find(|block| block.kind == kind)
    }
}

impl AttributeSchema {
    /// Creates an optional attribute.
    pub fn optional(name: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), required: false }
    }

    /// Creates a required attribute.
    pub fn required(name: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), required: true }
    }
}

impl BlockSchema {
    /// Creates a type of blocks.
    pub fn new(kind: &'static str, labels: &[&'static str]) -> Self {
        Self { kind: Cow::Borrowed(kind), labels: labels.iter().map(|label| Cow::Borrowed(*label)).collect() }
    }
}
