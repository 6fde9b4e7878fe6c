//! Converts the structures of the API to schemas for bodies.

use std::sync::Arc;

use hieratic_hcl_eval::{AttributeSchema, BlockSchema, Schema};
use hieratic_value::ErasedSort as _;
use hieratic_value::collections::HashMap;

use crate::schema::{BodyRule, Source, Struct};

/// A cache of schemas: the same structures occur repeatedly.
#[derive(Default)]
pub(super) struct Schemas {
    cache: HashMap<&'static str, Arc<Schema>>,
}

impl Schemas {
    /// The schema for the body of a structure. Names are sorted, like the messages about missing ones.
    pub(super) fn get(&mut self, shape: &'static Struct) -> Arc<Schema> {
        // Structures have distinct names.
        self.cache.entry(shape.name).or_insert_with(|| Arc::new(schema(shape))).clone()
    }
}

fn schema(shape: &Struct) -> Schema {
    let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
    for field in shape.fields {
        match field.source {
            Source::Attribute { name, required: true } => attributes.push(AttributeSchema::required(name)),
            Source::Attribute { name, required: false } => attributes.push(AttributeSchema::optional(name)),
            // Read before the rest, with a label that the structure does not have: see `task`.
            Source::Block("scaling") if shape.reading == BodyRule::Task => {}
            Source::Block(name) => {
                let label = field.kind.structure().and_then(Struct::label).map(|(_, label)| label);
                blocks.push(BlockSchema::new(name, label.as_slice()));
            }
            Source::Label(_) | Source::Unwritten => {}
        }
    }
    attributes.sort_erased_by(|one, other| one.name.cmp(&other.name));
    blocks.sort_erased_by(|one, other| one.kind.cmp(&other.kind));
    Schema { attributes, blocks }
}
