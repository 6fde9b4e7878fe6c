//! Bodies, and their contents by a schema.

pub(crate) mod json;
mod native;
mod schema;

use std::rc::Rc;
use std::sync::Arc;

use hieratic_hcl_syntax as syntax;
use hieratic_hcl_syntax::{Problems, Range, Source, ast};

use crate::Expression;
use crate::dynamic::{Expanded, UnknownBody};

pub use schema::{AttributeSchema, BlockSchema, Schema};

/// The attributes and blocks of a file or a block. Cloning is cheap.
///
/// Reading a body needs a [`Schema`]: JSON does not distinguish attributes from blocks, and a `dynamic` block can
/// produce any block.
#[derive(Clone, Debug)]
pub struct Body<'a>(BodyKind<'a>);

#[derive(Clone, Debug)]
enum BodyKind<'a> {
    Native(native::NativeBody<'a>),
    Json(json::JsonBody<'a>),
    Expanded(Rc<Expanded<'a>>),
    Unknown(Rc<UnknownBody<'a>>),
    Empty(&'a Arc<Source>),
}

/// The attributes and blocks of a body that match a schema.
#[derive(Clone, Debug)]
pub struct Content<'a> {
    /// The attributes, in the order of the schema.
    pub attributes: Vec<Attribute<'a>>,
    /// The blocks, in the order of the source.
    pub blocks: Vec<Block<'a>>,
    /// The range that messages about a missing item point to.
    pub missing_range: Range,
}

/// An attribute of a body.
#[derive(Clone, Debug)]
pub struct Attribute<'a> {
    /// The name.
    pub name: Arc<str>,
    /// The unevaluated value.
    pub expression: Expression<'a>,
    /// The range of the name and the value.
    pub range: Range,
    /// The range of the name.
    pub name_range: Range,
}

/// A block of a body.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// The type.
    pub kind: Arc<str>,
    /// The labels.
    pub labels: Vec<Arc<str>>,
    /// The content of the block.
    pub body: Body<'a>,
    /// The range of the type and the labels.
    pub def_range: Range,
    /// The range of the type.
    pub type_range: Range,
    /// The range of each label.
    pub label_ranges: Vec<Range>,
    /// Whether it represents any number of blocks, because it is generated from an unknown collection, or a block whose
    /// labels are unknown. Such a block has no labels.
    pub is_unknown: bool,
}

impl<'a> Content<'a> {
    /// Returns the attribute with this name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute<'a>> {
        self.attributes.iter().find(|attribute| &*attribute.name == name)
    }
}

impl<'a> Body<'a> {
    /// Creates the complete body of a native file or block.
    pub fn from_native(source: &'a Arc<Source>, body: &'a ast::Body) -> Self {
        Self::native(source, body)
    }

    pub(crate) fn native(source: &'a Arc<Source>, body: &'a ast::Body) -> Self {
        Self(BodyKind::Native(native::NativeBody::new(source, body)))
    }

    pub(crate) fn json(source: &'a Arc<Source>, node: &'a syntax::json::Node) -> Self {
        Self(BodyKind::Json(json::JsonBody::new(source, node)))
    }

    pub(crate) fn expanded(expanded: Expanded<'a>) -> Self {
        Self(BodyKind::Expanded(Rc::new(expanded)))
    }

    pub(crate) fn unknown(unknown: UnknownBody<'a>) -> Self {
        Self(BodyKind::Unknown(Rc::new(unknown)))
    }

    pub(crate) fn empty(source: &'a Arc<Source>) -> Self {
        Self(BodyKind::Empty(source))
    }

    /// Returns the attributes and blocks of the schema, and errors for all other items.
    pub fn content(&self, schema: &Schema) -> (Content<'a>, Problems) {
        match &self.0 {
            BodyKind::Native(body) => body.content(schema),
            BodyKind::Json(body) => body.content(schema),
            BodyKind::Expanded(body) => body.content(schema),
            BodyKind::Unknown(body) => body.content(schema),
            BodyKind::Empty(source) => (empty_content(source), Problems::default()),
        }
    }

    /// Returns the attributes and blocks of the schema, and a body with all other items.
    pub fn partial_content(&self, schema: &Schema) -> (Content<'a>, Body<'a>, Problems) {
        match &self.0 {
            BodyKind::Native(body) => {
                let (content, rest, problems) = body.partial_content(schema);
                (content, Self(BodyKind::Native(rest)), problems)
            }
            BodyKind::Json(body) => {
                let (content, rest, problems) = body.partial_content(schema);
                (content, Self(BodyKind::Json(rest)), problems)
            }
            BodyKind::Expanded(body) => body.partial_content(schema),
            BodyKind::Unknown(body) => body.partial_content(schema),
            BodyKind::Empty(source) => (empty_content(source), self.clone(), Problems::default()),
        }
    }

    /// Returns all attributes, in the order of the source. Blocks are errors.
    pub fn just_attributes(&self) -> (Vec<Attribute<'a>>, Problems) {
        match &self.0 {
            BodyKind::Native(body) => body.just_attributes(),
            BodyKind::Json(body) => body.just_attributes(),
            BodyKind::Expanded(body) => body.just_attributes(),
            BodyKind::Unknown(body) => body.just_attributes(),
            BodyKind::Empty(_) => (Vec::new(), Problems::default()),
        }
    }

    /// Returns the range that messages about a missing item point to.
    pub fn missing_item_range(&self) -> Range {
        match &self.0 {
            BodyKind::Native(body) => body.missing_item_range(),
            BodyKind::Json(body) => body.missing_item_range(),
            BodyKind::Expanded(body) => body.missing_item_range(),
            BodyKind::Unknown(body) => body.missing_item_range(),
            BodyKind::Empty(source) => start(source),
        }
    }

    /// Returns the underlying body of native syntax, with unexpanded `dynamic` blocks and with items that were already
    /// read. `None` for JSON.
    pub fn as_native(&self) -> Option<(&'a Arc<Source>, &'a ast::Body)> {
        match &self.0 {
            BodyKind::Native(body) => Some(body.parts()),
            BodyKind::Expanded(body) => body.original().as_native(),
            BodyKind::Unknown(body) => body.template().as_native(),
            BodyKind::Json(_) | BodyKind::Empty(_) => None,
        }
    }

    /// Creates an expression from a syntax node in this body, with the variables of the enclosing `dynamic` blocks.
    pub fn expression(&self, source: &'a Arc<Source>, node: &'a ast::Expression) -> Expression<'a> {
        let plain = Expression::native(source, node);
        match &self.0 {
            BodyKind::Expanded(body) => match body.iteration() {
                Some(iteration) => plain.within(iteration),
                None => plain,
            },
            BodyKind::Unknown(_) => Expression::from_value(hieratic_hcl_types::Value::DYNAMIC, plain.range()),
            BodyKind::Native(_) | BodyKind::Json(_) | BodyKind::Empty(_) => plain,
        }
    }

    /// Returns the node of the JSON syntax, or `None` for native syntax.
    pub fn as_json(&self) -> Option<(&'a Arc<Source>, &'a syntax::json::Node)> {
        match &self.0 {
            BodyKind::Json(body) => Some(body.parts()),
            BodyKind::Expanded(body) => body.original().as_json(),
            BodyKind::Unknown(body) => body.template().as_json(),
            BodyKind::Native(_) | BodyKind::Empty(_) => None,
        }
    }
}

fn empty_content<'a>(source: &Arc<Source>) -> Content<'a> {
    Content { attributes: Vec::new(), blocks: Vec::new(), missing_range: start(source) }
}

fn start(source: &Arc<Source>) -> Range {
    Range::new(source.clone(), syntax::Span { start: 0, end: 0 })
}
