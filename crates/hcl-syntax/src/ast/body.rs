//! Bodies: attributes and blocks.

use std::sync::Arc;

use hieratic_value::collections::HashMap;

use crate::{Expression, Span};

/// From how many attributes on they are found by hash.
const MANY: usize = 12;

/// The attributes and blocks of a file or of a block, in the order of the source.
///
/// Only the first of several attributes with the same name is included; the others are errors
/// (<https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#bodies>).
#[derive(Clone, Debug, Default)]
pub struct Body {
    attributes: Vec<Attribute>,
    /// Blocks, in the order of the source.
    pub blocks: Vec<Block>,
    /// The span from the token before the first item to the token that ends the body.
    pub span: Span,
    /// The empty span at the end of the body: the position of messages about missing items.
    pub end_span: Span,
    /// The index of the attributes by name, if there are many.
    index: Option<Box<HashMap<Arc<str>, u32>>>,
}

impl Body {
    /// Creates a body without items at `span`.
    pub fn new(span: Span, end_span: Span) -> Self {
        Body { span, end_span, ..Body::default() }
    }

    /// Returns the attributes, in the order of the source.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Returns the attribute with this name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        match &self.index {
            Some(index) => index.get(name).and_then(|at| self.attributes.get(*at as usize)),
            None => self.attributes.iter().find(|attribute| &*attribute.name == name),
        }
    }

    /// Adds an attribute.
    ///
    /// # Errors
    ///
    /// The body already has an attribute with this name. The error is the new attribute.
    pub fn add(&mut self, attribute: Attribute) -> Result<(), Attribute> {
        if self.attribute(&attribute.name).is_some() {
            return Err(attribute);
        }
        // A source is shorter than 4 GiB, and so are its attributes fewer.
        let at = self.attributes.len() as u32;
        if let Some(index) = &mut self.index {
            index.insert(attribute.name.clone(), at);
        }
        self.attributes.push(attribute);
        if self.attributes.len() == MANY {
            let names = self.attributes.iter().zip(0..).map(|(attribute, at)| (attribute.name.clone(), at));
            self.index = Some(Box::new(names.collect()));
        }
        Ok(())
    }

    /// Returns the empty span before the first item: the position of messages about a missing item.
    pub fn missing_item_span(&self) -> Span {
        Span { start: self.span.start, end: self.span.start }
    }
}

/// `name = expression`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name.
    pub name: Arc<str>,
    /// The value, unevaluated.
    pub expression: Expression,
    /// The span of the whole attribute.
    pub span: Span,
    /// The span of the name.
    pub name_span: Span,
    /// The span of the equals sign.
    pub equals_span: Span,
}

/// `type "label" { ... }`.
#[derive(Clone, Debug)]
pub struct Block {
    /// The type.
    pub kind: Arc<str>,
    /// The labels, quoted or not.
    pub labels: Vec<Label>,
    /// The attributes and blocks between the braces.
    pub body: Body,
    /// The span of the type.
    pub kind_span: Span,
    /// The span of the opening brace.
    pub open_span: Span,
    /// The span of the closing brace.
    pub close_span: Span,
}

impl Block {
    /// Returns the span from the type to the closing brace.
    pub fn span(&self) -> Span {
        self.kind_span.to(self.close_span)
    }

    /// Returns the span of the header: from the type to the last label.
    pub fn header_span(&self) -> Span {
        self.kind_span.to(self.labels.last().map_or(self.kind_span, |label| label.span))
    }
}

/// A label of a block.
#[derive(Clone, Debug)]
pub struct Label {
    /// The unescaped text.
    pub text: Arc<str>,
    /// The span of the label, including its quotes.
    pub span: Span,
}
