//! Generated blocks whose number is unknown.

use hieratic_hcl_syntax::{Problems, Range};
use hieratic_hcl_types::Value;

use crate::{Attribute, Body, Content, Expression, Schema};

/// A body all of whose values are unknown.
#[derive(Clone, Debug)]
pub(crate) struct UnknownBody<'a> {
    template: Body<'a>,
}

impl<'a> UnknownBody<'a> {
    pub(super) fn new(template: Body<'a>) -> Self {
        Self { template }
    }

    pub(crate) fn template(&self) -> &Body<'a> {
        &self.template
    }

    pub(crate) fn content(&self, schema: &Schema) -> (Content<'a>, Problems) {
        let (content, problems) = self.template.content(schema);
        (with_unknown_values(content), problems)
    }

    pub(crate) fn partial_content(&self, schema: &Schema) -> (Content<'a>, Body<'a>, Problems) {
        let (content, rest, problems) = self.template.partial_content(schema);
        (with_unknown_values(content), Body::unknown(UnknownBody::new(rest)), problems)
    }

    pub(crate) fn just_attributes(&self) -> (Vec<Attribute<'a>>, Problems) {
        let (attributes, problems) = self.template.just_attributes();
        (attributes.into_iter().map(with_unknown_value).collect(), problems)
    }

    pub(crate) fn missing_item_range(&self) -> Range {
        self.template.missing_item_range()
    }
}

fn with_unknown_values(content: Content<'_>) -> Content<'_> {
    let mut content = content;
    content.attributes = content.attributes.into_iter().map(with_unknown_value).collect();
    for block in &mut content.blocks {
        block.body = Body::unknown(UnknownBody::new(block.body.clone()));
    }
    content
}

fn with_unknown_value(attribute: Attribute<'_>) -> Attribute<'_> {
    let expression = Expression::from_value(Value::DYNAMIC, attribute.expression.range());
    Attribute { expression, ..attribute }
}
