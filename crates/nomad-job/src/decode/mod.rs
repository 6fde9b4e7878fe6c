//! Decodes the bodies of a job file into records, by the tables of [`crate::schema`].
//!
//! Arguments and blocks are decoded in the order of the source, which is the order of the messages. As in the
//! reference, values that plugins define (`config`, `policy`) are evaluated only if everything else is valid: until
//! then they are [`Data::Pending`].

mod assign;
mod duration;
mod group;
mod job;
mod maps;
mod pending;
mod placement;
mod scaling;
mod schemas;
mod task;
mod type_text;

use std::sync::Arc;

use hieratic_hcl_eval::{Attribute, Block, Body, Context, Expression, Problem, Problems, Range};
use hieratic_value::ErasedSort as _;

use crate::record::{Data, Datum, Map, Record};
use crate::schema::{BodyRule, Field, Kind, Scalar, Struct};

use self::assign::UnknownPolicy;
pub(crate) use self::job::decode_job;
use self::maps::MapItem;
use self::schemas::Schemas;

/// Decodes bodies, and collects messages and pending expressions.
pub(crate) struct Decoder<'a> {
    context: &'a Context<'a>,
    problems: Problems,
    schemas: Schemas,
    pending: Vec<MapItem<'a>>,
    /// The treatment of unknown values.
    gaps: UnknownPolicy,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(context: &'a Context<'a>, partial: bool) -> Self {
        let (problems, schemas) = (Problems::default(), Schemas::default());
        let gaps = if partial { UnknownPolicy::Keep } else { UnknownPolicy::Reject };
        Self { context, problems, schemas, pending: Vec::new(), gaps }
    }

    /// A body as that structure.
    pub(crate) fn body(&mut self, body: &Body<'a>, shape: &'static Struct) -> Record {
        match shape.reading {
            BodyRule::Plain => self.fields(body, shape),
            BodyRule::Group => self.group(body, shape),
            BodyRule::Task => self.task(body, shape),
            BodyRule::Constraint => self.constraint(body, shape),
            BodyRule::Affinity => self.affinity(body, shape),
        }
    }

    /// A body as that structure, field by field.
    fn fields(&mut self, body: &Body<'a>, shape: &'static Struct) -> Record {
        let schema = self.schemas.get(shape);
        let (content, problems) = body.content(&schema);
        self.problems.append(problems);
        let mut record = Record::new(shape);
        for attribute in in_source(content.attributes) {
            if let Some((at, field)) = shape.attribute(&attribute.name)
                && let Some(datum) = self.attribute(field, &attribute)
            {
                record.set_at(at, datum);
            }
        }
        for (name, blocks) in by_type(content.blocks) {
            if let Some((at, field)) = shape.block(&name)
                && let Some(datum) = self.blocks(field, &name, blocks)
            {
                record.set_at(at, datum);
            }
        }
        record
    }

    /// Decodes an argument; `None` after an error.
    fn attribute(&mut self, field: &Field, attribute: &Attribute<'a>) -> Option<Datum> {
        let place = Some(attribute.expression.range().span);
        let value = match field.kind {
            Kind::Plain(Scalar::Duration) | Kind::Maybe(Scalar::Duration) => self.duration(&attribute.expression),
            kind => self.expression(kind, &attribute.expression),
        }?;
        Some(Datum { value, place })
    }

    /// Evaluates an expression for a field of that kind. After an error, returns `None` or an empty value.
    fn expression(&mut self, kind: Kind, expression: &Expression<'a>) -> Option<Data> {
        let (value, problems) = expression.value(self.context);
        let follows = problems.has_errors();
        self.problems.append(problems);
        match assign::field(kind, &value, self.gaps) {
            Ok(data) => Some(data),
            Err(detail) => {
                let at = (expression.start_range(), expression.range());
                self.unsuitable("Unsuitable value type", detail, at, follows);
                assign::value_after_error(kind, &value)
            }
        }
    }

    /// Reports an unsuitable value, with its start and its full range. The message is a consequence if the value could
    /// not be evaluated.
    fn unsuitable(&mut self, summary: &'static str, detail: String, at: (Range, Range), follows: bool) {
        let (subject, context) = at;
        let problem = Problem::error(summary, detail).at_range(subject).with_follows(follows);
        self.problems.push(Problem { context: Some(context), ..problem });
    }

    /// Decodes the blocks of a field, which are all of that type in the body; `None` after an error.
    fn blocks(&mut self, field: &Field, name: &str, blocks: Vec<Block<'a>>) -> Option<Datum> {
        let first = blocks.first()?;
        let place = Some(first.def_range.span);
        let value = match field.kind {
            Kind::Many(of) => Data::List(blocks.iter().map(|block| self.block(block, of)).collect()),
            Kind::Keyed(of) => {
                let mut entries: Map = Vec::with_capacity(blocks.len());
                for block in &blocks {
                    let datum = self.block(block, of);
                    if block.is_unknown {
                        return Some(Datum { value: Data::Unknown, place });
                    }
                    if let Some(label) = block.labels.first() {
                        entries.push((label.clone(), datum));
                    }
                }
                Data::Map(sort_entries(entries))
            }
            kind => {
                let mut known = blocks.iter().filter(|block| !block.is_unknown);
                if let (Some(first), Some(second)) = (known.next(), known.next()) {
                    let before = &first.def_range;
                    self.problems.push(
                        Problem::error(
                            format!("Duplicate {name} block"),
                            format!("Only one {name} block is allowed. Another was defined at {before}."),
                        )
                        .at_range(second.def_range.clone()),
                    );
                    return None;
                }
                match kind {
                    Kind::One(of) => self.block(first, of).value,
                    kind => {
                        let map = self.map(kind, &first.body);
                        if first.is_unknown { Data::Unknown } else { Data::Map(map) }
                    }
                }
            }
        };
        Some(Datum { value, place })
    }

    /// A block as that structure, its label in it.
    fn block(&mut self, block: &Block<'a>, shape: &'static Struct) -> Datum {
        let mut record = self.body(&block.body, shape);
        if block.is_unknown {
            return Datum { value: Data::Unknown, place: Some(block.def_range.span) };
        }
        if let (Some((at, _)), Some(label)) = (shape.label(), block.labels.first()) {
            let place = block.label_ranges.first().map(|range| range.span);
            record.set_at(at, Datum { value: Data::Text(label.clone()), place });
        }
        Datum { value: Data::Record(Arc::new(record)), place: Some(block.def_range.span) }
    }
}

/// The attributes in the order of the source.
fn in_source(mut attributes: Vec<Attribute<'_>>) -> Vec<Attribute<'_>> {
    attributes.sort_erased_by_key(|attribute| attribute.range.span.start);
    attributes
}

/// The blocks by their type, types in the order of their first block.
fn by_type(blocks: Vec<Block<'_>>) -> Vec<(Arc<str>, Vec<Block<'_>>)> {
    // There are at most as many types as the structure has fields.
    let mut types: Vec<(Arc<str>, Vec<Block<'_>>)> = Vec::new();
    for block in blocks {
        match types.iter_mut().find(|(name, _)| *name == block.kind) {
            Some((_, of_type)) => of_type.push(block),
            None => types.push((block.kind.clone(), vec![block])),
        }
    }
    types
}

/// The entries by key; of several under one key the last.
fn sort_entries(mut entries: Map) -> Map {
    entries.reverse();
    entries.sort_erased_by(|(one, _), (other, _)| one.cmp(other));
    entries.dedup_by(|(one, _), (other, _)| one == other);
    entries
}
