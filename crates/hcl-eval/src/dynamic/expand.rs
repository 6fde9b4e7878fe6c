//! Bodies with expanded `dynamic` blocks.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hieratic_hcl_syntax::{Problem, Problems, Range};
use hieratic_hcl_types::{Value, quoted};

use super::specification::Specification;
use super::{Iteration, UnknownBody};
use crate::body::{AttributeSchema, BlockSchema, Schema};
use crate::context::Variables;
use crate::{Attribute, Block, Body, Content, Context};

const DYNAMIC: &str = "dynamic";

/// The cost of a generated block, in steps.
const BLOCK_COST: u64 = 8;

/// A body, the context of its `dynamic` blocks, and the names of the items that were already read from it.
#[derive(Clone)]
pub(crate) struct Expanded<'a> {
    original: Body<'a>,
    context: &'a Context<'a>,
    /// The element that the body was generated from, if it is in a `dynamic` block.
    iteration: Option<Rc<Iteration>>,
    hidden_attributes: BTreeSet<String>,
    hidden_blocks: BTreeMap<String, BlockSchema>,
}

impl<'a> Expanded<'a> {
    pub(super) fn new(original: Body<'a>, context: &'a Context<'a>) -> Self {
        Self { original, context, iteration: None, hidden_attributes: BTreeSet::new(), hidden_blocks: BTreeMap::new() }
    }

    pub(crate) fn original(&self) -> &Body<'a> {
        &self.original
    }

    pub(crate) fn iteration(&self) -> Option<&Rc<Iteration>> {
        self.iteration.as_ref()
    }

    pub(crate) fn content(&self, schema: &Schema) -> (Content<'a>, Problems) {
        let (raw, mut problems) = self.original.content(&self.extend_schema(schema));
        let content = self.expand_content(raw, schema, false, &mut problems);
        (content, problems)
    }

    pub(crate) fn partial_content(&self, schema: &Schema) -> (Content<'a>, Body<'a>, Problems) {
        let (raw, _, mut problems) = self.original.partial_content(&self.extend_schema(schema));
        let content = self.expand_content(raw, schema, true, &mut problems);
        let mut rest = self.clone();
        rest.hidden_attributes.extend(schema.attributes.iter().map(|attribute| attribute.name.to_string()));
        rest.hidden_blocks.extend(schema.blocks.iter().map(|block| (block.kind.to_string(), block.clone())));
        (content, Body::expanded(rest), problems)
    }

    pub(crate) fn just_attributes(&self) -> (Vec<Attribute<'a>>, Problems) {
        let (attributes, problems) = self.original.just_attributes();
        (self.attributes(attributes), problems)
    }

    pub(crate) fn missing_item_range(&self) -> Range {
        self.original.missing_item_range()
    }

    /// The schema, extended by `dynamic` blocks and by the items that were already read.
    fn extend_schema(&self, schema: &Schema) -> Schema {
        let mut extended = schema.clone();
        extended.blocks.push(BlockSchema::new(DYNAMIC, &["type"]));
        extended.blocks.extend(self.hidden_blocks.values().cloned());
        let hidden = self.hidden_attributes.iter().cloned();
        extended.attributes.extend(hidden.map(|name| AttributeSchema { name: name.into(), required: false }));
        extended
    }

    fn expand_content(&self, raw: Content<'a>, schema: &Schema, partial: bool, problems: &mut Problems) -> Content<'a> {
        let mut blocks = Vec::with_capacity(raw.blocks.len());
        for block in raw.blocks {
            if &*block.kind == DYNAMIC {
                self.expand(&block, schema, partial, &mut blocks, problems);
            } else if !self.hidden_blocks.contains_key(&*block.kind) {
                let body = self.child(block.body, self.iteration.clone());
                blocks.push(Block { body, ..block });
            }
        }
        Content { attributes: self.attributes(raw.attributes), blocks, missing_range: raw.missing_range }
    }

    fn attributes(&self, raw: Vec<Attribute<'a>>) -> Vec<Attribute<'a>> {
        let visible = raw.into_iter().filter(|attribute| !self.hidden_attributes.contains(&*attribute.name));
        match &self.iteration {
            None => visible.collect(),
            Some(iteration) => visible
                .map(|attribute| Attribute { expression: attribute.expression.within(iteration), ..attribute })
                .collect(),
        }
    }

    fn expand(
        &self,
        dynamic: &Block<'a>,
        schema: &Schema,
        partial: bool,
        blocks: &mut Vec<Block<'a>>,
        problems: &mut Problems,
    ) {
        let (Some(kind), Some(at)) = (dynamic.labels.first(), dynamic.label_ranges.first()) else { return };
        if self.hidden_blocks.contains_key(&**kind) {
            return;
        }
        let Some(declared) = schema.block(kind) else {
            if !partial {
                let detail = format!("Blocks of type {} are not expected here.", quoted(kind));
                problems.push(Problem::error("Unsupported block type", detail).at_range(at.clone()));
            }
            return;
        };
        let context = self.for_each_context();
        let Some(specification) = Specification::read(dynamic, declared, &context, problems) else { return };
        let mut add = |key: Value, value: Value, known: bool| {
            let iteration = specification.iteration(self.iteration.as_ref(), key, value);
            let Some(block) = specification.block(&iteration, &context, problems) else { return };
            let body = self.child(block.body, Some(iteration));
            let body = if known { body } else { Body::unknown(UnknownBody::new(body)) };
            blocks.push(Block { body, ..block });
        };
        let elements = &specification.for_each;
        // Nested blocks multiply: each block costs as much as its content.
        let length = elements.length().unwrap_or_default();
        if let Err(limit) = context.budget().steps((length as u64).saturating_mul(BLOCK_COST)) {
            let help = limit.help().map_or(String::new(), |help| format!(" To continue, {help}."));
            let detail = format!("Generating these blocks takes too much work: {limit}.{help}");
            problems.push(Problem::error("Limit reached", detail).at_range(at.clone()));
            return;
        }
        if let Some(entries) = elements.as_entries() {
            entries.iter().for_each(|(key, value)| add(Value::String(key.clone()), value.clone(), true));
        } else if let Some(items) = elements.as_slice() {
            let of_set = matches!(elements, Value::Set(_));
            for (index, value) in items.iter().enumerate() {
                add(if of_set { value.clone() } else { Value::from(index) }, value.clone(), true);
            }
        } else {
            add(Value::DYNAMIC, Value::DYNAMIC, false);
        }
    }

    fn for_each_context(&self) -> Context<'_> {
        match &self.iteration {
            Some(iteration) => self.context.child_with(Variables::Iteration(iteration)),
            None => self.context.child(),
        }
    }

    fn child(&self, body: Body<'a>, iteration: Option<Rc<Iteration>>) -> Body<'a> {
        Body::expanded(Expanded { iteration, ..Expanded::new(body, self.context) })
    }
}

impl std::fmt::Debug for Expanded<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Expanded").field("original", &self.original).field("iteration", &self.iteration).finish()
    }
}
