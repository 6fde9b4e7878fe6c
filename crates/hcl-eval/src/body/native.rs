//! Bodies of the native syntax.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use hieratic_hcl_syntax::{Problem, Problems, Range, Source, Span, ast};
use hieratic_hcl_types::quoted;

use super::{Attribute, Block, BlockSchema, Body, Content, Schema};
use crate::Expression;
use crate::suggestion::first;

/// A body in native syntax, without the items that were already read from it.
#[derive(Clone, Debug)]
pub(super) struct NativeBody<'a> {
    source: &'a Arc<Source>,
    body: &'a ast::Body,
    hidden: Rc<HiddenNames>,
}

#[derive(Clone, Debug, Default)]
struct HiddenNames {
    attributes: HashSet<String>,
    blocks: HashSet<String>,
}

impl<'a> NativeBody<'a> {
    pub(super) fn new(source: &'a Arc<Source>, body: &'a ast::Body) -> Self {
        Self { source, body, hidden: Rc::default() }
    }

    pub(super) fn parts(&self) -> (&'a Arc<Source>, &'a ast::Body) {
        (self.source, self.body)
    }

    fn range(&self, span: Span) -> Range {
        Range::new(self.source.clone(), span)
    }

    pub(super) fn content(&self, schema: &Schema) -> (Content<'a>, Problems) {
        let (content, mut problems) = self.find(schema);
        for attribute in self.body.attributes() {
            let name = &*attribute.name;
            let expected = schema.attributes.iter().any(|declared| declared.name == name);
            if !expected && !self.hidden.attributes.contains(name) {
                problems.push(self.unsupported_argument(attribute, &content, schema));
            }
        }
        for block in &self.body.blocks {
            let kind = &*block.kind;
            if schema.block(kind).is_none() && !self.hidden.blocks.contains(kind) {
                problems.push(self.unsupported_block(block, schema));
            }
        }
        (content, problems)
    }

    fn unsupported_argument(&self, attribute: &ast::Attribute, content: &Content<'_>, schema: &Schema) -> Problem {
        let name = &*attribute.name;
        let candidates = schema.attributes.iter().map(|declared| &*declared.name);
        let suggestion = match first(name, candidates.filter(|candidate| content.attribute(candidate).is_none())) {
            Some(suggestion) => format!(" Did you mean {}?", quoted(suggestion)),
            None if schema.block(name).is_some() => {
                format!(" Did you mean to define a block of type {}?", quoted(name))
            }
            None => String::new(),
        };
        let detail = format!("An argument named {} is not expected here.{suggestion}", quoted(name));
        Problem::error("Unsupported argument", detail).at(self.source, attribute.name_span)
    }

    fn unsupported_block(&self, block: &ast::Block, schema: &Schema) -> Problem {
        let kind = &*block.kind;
        let suggestion = match first(kind, schema.blocks.iter().map(|declared| &*declared.kind)) {
            Some(suggestion) => format!(" Did you mean {}?", quoted(suggestion)),
            None if schema.attributes.iter().any(|declared| declared.name == kind) => format!(
                " Did you mean to define argument {}? If so, use the equals sign to assign it a value.",
                quoted(kind)
            ),
            None => String::new(),
        };
        let detail = format!("Blocks of type {} are not expected here.{suggestion}", quoted(kind));
        Problem::error("Unsupported block type", detail).at(self.source, block.kind_span)
    }

    pub(super) fn partial_content(&self, schema: &Schema) -> (Content<'a>, NativeBody<'a>, Problems) {
        let (content, problems) = self.find(schema);
        let mut hidden = (*self.hidden).clone();
        hidden.attributes.extend(content.attributes.iter().map(|attribute| attribute.name.to_string()));
        hidden.blocks.extend(schema.blocks.iter().map(|block| block.kind.to_string()));
        (content, NativeBody { hidden: Rc::new(hidden), ..self.clone() }, problems)
    }

    fn find(&self, schema: &Schema) -> (Content<'a>, Problems) {
        let mut problems = Problems::default();
        let mut attributes = Vec::new();
        for declared in &schema.attributes {
            let name = &*declared.name;
            match self.body.attribute(name).filter(|_| !self.hidden.attributes.contains(name)) {
                Some(attribute) => attributes.push(self.attribute(attribute)),
                None if declared.required => {
                    let detail = format!("The argument {} is required, but no definition was found.", quoted(name));
                    let missing = Problem::error("Missing required argument", detail);
                    problems.push(missing.at_range(self.missing_item_range()));
                }
                None => {}
            }
        }
        let mut blocks = Vec::new();
        for block in &self.body.blocks {
            if self.hidden.blocks.contains(&*block.kind) {
                continue;
            }
            let Some(declared) = schema.block(&block.kind) else { continue };
            match self.wrong_labels(block, declared) {
                Some(problem) => problems.push(problem),
                None => blocks.push(self.block(block)),
            }
        }
        (Content { attributes, blocks, missing_range: self.missing_item_range() }, problems)
    }

    fn wrong_labels(&self, block: &ast::Block, declared: &BlockSchema) -> Option<Problem> {
        let (kind, count) = (&block.kind, declared.labels.len());
        let names = declared.labels.join(", ");
        let header = block.kind_span.to(block.open_span);
        let problem = if let Some(extra) = block.labels.get(count) {
            let detail = if count == 0 {
                format!("No labels are expected for {kind} blocks.")
            } else {
                format!("Only {count} labels ({names}) are expected for {kind} blocks.")
            };
            Problem::error(format!("Extraneous label for {kind}"), detail).at(self.source, extra.span)
        } else {
            let missing = declared.labels.get(block.labels.len())?;
            let detail = format!("All {kind} blocks must have {count} labels ({names}).");
            Problem::error(format!("Missing {missing} for {kind}"), detail).at(self.source, block.open_span)
        };
        Some(problem.with_context(self.source, header))
    }

    fn attribute(&self, attribute: &'a ast::Attribute) -> Attribute<'a> {
        Attribute {
            name: attribute.name.clone(),
            expression: Expression::native(self.source, &attribute.expression),
            range: self.range(attribute.span),
            name_range: self.range(attribute.name_span),
        }
    }

    fn block(&self, block: &'a ast::Block) -> Block<'a> {
        Block {
            kind: block.kind.clone(),
            labels: block.labels.iter().map(|label| label.text.clone()).collect(),
            body: Body::native(self.source, &block.body),
            def_range: self.range(block.header_span()),
            type_range: self.range(block.kind_span),
            label_ranges: block.labels.iter().map(|label| self.range(label.span)).collect(),
            is_unknown: false,
        }
    }

    pub(super) fn just_attributes(&self) -> (Vec<Attribute<'a>>, Problems) {
        let mut problems = Problems::default();
        if let Some(block) = self.body.blocks.first() {
            let summary = format!("Unexpected {} block", quoted(&block.kind));
            let unexpected = Problem::error(summary, "Blocks are not allowed here.");
            problems.push(unexpected.at(self.source, block.kind_span));
        }
        let visible = self.body.attributes().iter().filter(|found| !self.hidden.attributes.contains(&*found.name));
        (visible.map(|attribute| self.attribute(attribute)).collect(), problems)
    }

    pub(super) fn missing_item_range(&self) -> Range {
        self.range(self.body.missing_item_span())
    }
}
