//! What may be in a body.

use std::borrow::Cow;

/// The attributes and blocks that a body may have.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// The attributes.
    pub attributes: Vec<AttributeSchema>,
    /// The blocks.
    pub blocks: Vec<BlockSchema>,
}

/// An attribute that may be there.
#[derive(Clone, Debug)]
pub struct AttributeSchema {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Whether it must be there.
    pub required: bool,
}

/// A type of blocks that may be there, any number of them.
#[derive(Clone, Debug)]
pub struct BlockSchema {
    /// The type.
    pub kind: Cow<'static, str>,
    /// What its labels are called in messages.
    pub labels: Vec<Cow<'static, str>>,
}

impl Schema {
    /// Attributes that may be left out, and blocks with the names of their labels.
    pub fn new(attributes: &[&'static str], blocks: &[(&'static str, &[&'static str])]) -> Self {
        Self {
            attributes: attributes.iter().map(|name| AttributeSchema::optional(name)).collect(),
            blocks: blocks.iter().map(|(kind, labels)| BlockSchema::new(kind, labels)).collect(),
        }
    }

    /// The block of that type; of several the last, which what was taken before is put behind.
    pub fn block(&self, kind: &str) -> Option<&BlockSchema> {
        self.blocks.iter().rev().find(|block| block.kind == kind)
    }
}

impl AttributeSchema {
    /// It may be left out.
    pub fn optional(name: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), required: false }
    }

    /// It must be there.
    pub fn required(name: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), required: true }
    }
}

impl BlockSchema {
    /// A type of blocks.
    pub fn new(kind: &'static str, labels: &[&'static str]) -> Self {
        Self { kind: Cow::Borrowed(kind), labels: labels.iter().map(|label| Cow::Borrowed(*label)).collect() }
    }
}
