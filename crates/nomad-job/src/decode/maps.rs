//! Bodies that are maps: `meta`, `env`, `config` and others with arbitrary names.
//!
//! In native syntax their blocks are values as well: every block type is a list of maps, every label adds a level, and
//! an object that is assigned to an argument is a list of one map. Plugins expect this form for either syntax.

use std::sync::Arc;

use hieratic_hcl_eval::{Body, Context, Expression, Problems, Range, Source, Span};
use hieratic_hcl_syntax::ast;
use hieratic_hcl_types::Value;
use hieratic_value::collections::HashMap;

use super::{Decoder, assign, sort_entries};
use crate::record::{Data, Datum, Map};
use crate::schema::Kind;

/// A body in native syntax with its source.
#[derive(Clone)]
pub(super) struct NativeBody<'a> {
    /// The body that its expressions belong to.
    body: Body<'a>,
    source: &'a Arc<Source>,
}

/// An item of such a body.
pub(super) enum MapItem<'a> {
    /// The value of an argument.
    Plain(Expression<'a>),
    /// An object, which is a list of one map.
    Object(Expression<'a>),
    /// All blocks of a type.
    Blocks(NativeBody<'a>, Vec<&'a ast::Block>),
}

impl<'a> NativeBody<'a> {
    fn expression(&self, expression: &'a ast::Expression) -> MapItem<'a> {
        let wrapped = self.body.expression(self.source, expression);
        match expression {
            ast::Expression::Object(_) => MapItem::Object(wrapped),
            _ => MapItem::Plain(wrapped),
        }
    }

    fn range(&self, span: Span) -> Range {
        Range::new(self.source.clone(), span)
    }

    /// The items of a body by name. A block takes precedence over an argument of the same name.
    fn items(&self, native: &'a ast::Body) -> Vec<(Arc<str>, MapItem<'a>)> {
        let arguments = native.attributes().iter();
        let mut items: Vec<(Arc<str>, MapItem<'a>)> =
            arguments.map(|attribute| (attribute.name.clone(), self.expression(&attribute.expression))).collect();
        let mut places: HashMap<&str, usize> = HashMap::default();
        for block in &native.blocks {
            let place = *places.entry(&*block.kind).or_insert_with(|| {
                let argument =
                    native.attribute(&block.kind).and_then(|_| items.iter().position(|(name, _)| *name == block.kind));
                argument.unwrap_or_else(|| {
                    items.push((block.kind.clone(), MapItem::Blocks(self.clone(), Vec::new())));
                    items.len() - 1
                })
            });
            match &mut items[place].1 {
                MapItem::Blocks(_, blocks) => blocks.push(block),
                argument => *argument = MapItem::Blocks(self.clone(), vec![block]),
            }
        }
        items
    }

    /// A block as an object below its labels.
    fn block_value(&self, block: &'a ast::Block, context: &Context<'_>, problems: &mut Problems) -> Value {
        let items = self.items(&block.body).into_iter().map(|(name, item)| {
            let (value, more) = item.value(context);
            problems.append(more);
            (name, value)
        });
        let object = Value::object(items.collect());
        block
            .labels
            .iter()
            .rev()
            .fold(object, |value, label| Value::object(vec![(label.text.clone(), Value::tuple(vec![value]))]))
    }
}

impl MapItem<'_> {
    pub(super) fn value(&self, context: &Context<'_>) -> (Value, Problems) {
        match self {
            MapItem::Plain(expression) => expression.value(context),
            MapItem::Object(expression) => {
                let (value, problems) = expression.value(context);
                (Value::tuple(vec![value]), problems)
            }
            MapItem::Blocks(native, blocks) => {
                let mut problems = Problems::default();
                let values = blocks.iter().map(|block| native.block_value(block, context, &mut problems)).collect();
                (Value::tuple(values), problems)
            }
        }
    }

    pub(super) fn range(&self) -> Range {
        match self {
            MapItem::Plain(expression) | MapItem::Object(expression) => expression.range(),
            MapItem::Blocks(native, blocks) => {
                let spans = blocks.first().zip(blocks.last()).map(|(first, last)| first.open_span.to(last.close_span));
                native.range(spans.unwrap_or_default())
            }
        }
    }

    pub(super) fn start_range(&self) -> Range {
        match self {
            MapItem::Plain(expression) | MapItem::Object(expression) => expression.start_range(),
            MapItem::Blocks(native, blocks) => {
                native.range(blocks.first().map(|block| block.open_span).unwrap_or_default())
            }
        }
    }
}

impl<'a> Decoder<'a> {
    /// A body as a map of that kind.
    pub(super) fn map(&mut self, kind: Kind, body: &Body<'a>) -> Map {
        let items = match body.as_native() {
            Some((source, native)) => NativeBody { body: body.clone(), source }.items(native),
            None => {
                let (attributes, problems) = body.just_attributes();
                self.problems.append(problems);
                attributes.into_iter().map(|attribute| (attribute.name, MapItem::Plain(attribute.expression))).collect()
            }
        };
        let mut entries = Vec::with_capacity(items.len());
        for (name, item) in items {
            let place = Some(item.range().span);
            let value = match kind {
                Kind::Any => self.defer(item),
                kind => self.map_value(kind, &item),
            };
            entries.push((name, Datum { value, place }));
        }
        sort_entries(entries)
    }

    /// A value in a map of known type; an empty one after an error.
    fn map_value(&mut self, kind: Kind, item: &MapItem<'a>) -> Data {
        let single = match kind {
            Kind::MapOfLists(of) => Kind::List(of),
            Kind::Map(of) => Kind::Plain(of),
            kind => kind,
        };
        let (value, problems) = item.value(self.context);
        let follows = problems.has_errors();
        self.problems.append(problems);
        assign::field(single, &value, self.gaps).unwrap_or_else(|detail| {
            self.unsuitable("Unsuitable value type", detail, (item.start_range(), item.range()), follows);
            match single {
                Kind::Plain(of) => assign::zero_value(of),
                _ => Data::Null,
            }
        })
    }
}
