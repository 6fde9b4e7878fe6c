//! The model of a job for rules: blocks whose fields have values or defaults, with paths and positions.

use std::fmt::Write;

use hieratic_hcl_eval::Range;
use hieratic_hcl_syntax::Span;
use hieratic_nomad_job::Job;
use hieratic_nomad_job::record::{Data, Datum, Record};

/// A block of the job, written or not.
///
/// A block may inherit from another one the fields that it does not have: the `update` of a group inherits from that of
/// the job.
#[derive(Clone, Copy)]
pub(crate) struct Block<'a> {
    job: &'a Job,
    record: Option<&'a Record>,
    place: Option<Span>,
    step: Step<'a>,
    parent: Option<&'a Block<'a>>,
    fallback: Option<&'a Block<'a>>,
}

/// The step from the enclosing block to a block.
#[derive(Clone, Copy)]
enum Step<'a> {
    Job,
    Field(&'static str),
    Item(&'static str, usize),
    Key(&'static str, &'a str),
}

/// A field of a block, or the block itself.
#[derive(Clone, Copy)]
pub(crate) struct FieldPath<'a> {
    block: &'a Block<'a>,
    field: Option<&'static str>,
    item: Option<usize>,
}

impl<'a> Block<'a> {
    /// The job itself.
    pub(crate) fn job(job: &'a Job) -> Self {
        Self { job, record: Some(job.record()), place: None, step: Step::Job, parent: None, fallback: None }
    }

    /// The block with another one to inherit fields from.
    pub(crate) fn with_fallback(self, beneath: &'a Block<'a>) -> Self {
        Self { fallback: Some(beneath), ..self }
    }

    /// Returns whether the block itself is written.
    pub(crate) fn is_written(&self) -> bool {
        self.record.is_some()
    }

    /// The written fields of the block, if it is written.
    pub(crate) fn record(&self) -> Option<&'a Record> {
        self.record
    }

    /// The block around it.
    pub(crate) fn around(&self) -> Option<&'a Block<'a>> {
        self.parent
    }

    /// The only block of that name.
    pub(crate) fn block<'b>(&'b self, field: &'static str) -> Block<'b> {
        self.inner(Step::Field(field), self.get(field))
    }

    /// The only block of that name, if it is written.
    pub(crate) fn written<'b>(&'b self, field: &'static str) -> Option<Block<'b>> {
        Some(self.block(field)).filter(Block::is_written)
    }

    /// The blocks of that name.
    pub(crate) fn blocks<'b>(&'b self, field: &'static str) -> impl ExactSizeIterator<Item = Block<'b>> {
        self.list(field).iter().enumerate().map(move |(at, item)| self.inner(Step::Item(field, at), Some(item)))
    }

    /// The blocks under labels, sorted by label.
    pub(crate) fn labelled<'b>(&'b self, field: &'static str) -> impl Iterator<Item = (&'b str, Block<'b>)> {
        self.map(field).iter().map(move |(key, item)| (&**key, self.inner(Step::Key(field, key), Some(item))))
    }

    fn inner<'b>(&'b self, step: Step<'b>, datum: Option<&'b Datum>) -> Block<'b> {
        let record = datum.and_then(|datum| match &datum.value {
            Data::Record(record) => Some(&**record),
            _ => None,
        });
        let place = datum.and_then(|datum| datum.place);
        Block { job: self.job, record, place, step, parent: Some(self), fallback: None }
    }

    fn get(&self, field: &str) -> Option<&'a Datum> {
        let own = self.record.and_then(|record| record.get(field)).filter(|datum| datum.value != Data::Null);
        own.or_else(|| self.fallback?.get(field))
    }

    /// Returns whether the field has a value, including an empty one.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    /// The string of a field, if it has one.
    pub(crate) fn given_text(&self, field: &str) -> Option<&'a str> {
        match &self.get(field)?.value {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The string of a field; empty if it has none.
    pub(crate) fn text(&self, field: &str) -> &'a str {
        self.given_text(field).unwrap_or_default()
    }

    /// The string of a field, unless it is empty.
    pub(crate) fn filled_text(&self, field: &str) -> Option<&'a str> {
        self.given_text(field).filter(|text| !text.is_empty())
    }

    /// The number of a field, if it has one; lengths of time in nanoseconds.
    pub(crate) fn given_number(&self, field: &str) -> Option<i64> {
        match self.get(field)?.value {
            Data::Int(number) => Some(number),
            Data::Uint(number) => i64::try_from(number).ok(),
            _ => None,
        }
    }

    /// The number of a field; zero if it has none.
    pub(crate) fn number(&self, field: &str) -> i64 {
        self.given_number(field).unwrap_or_default()
    }

    /// The flag of a field, if it has one.
    pub(crate) fn given_flag(&self, field: &str) -> Option<bool> {
        match self.get(field)?.value {
            Data::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// The flag of a field; false if it has none.
    pub(crate) fn flag(&self, field: &str) -> bool {
        self.given_flag(field).unwrap_or_default()
    }

    /// The elements of a list.
    pub(crate) fn list(&self, field: &str) -> &'a [Datum] {
        match self.get(field) {
            Some(Datum { value: Data::List(items), .. }) => items,
            _ => &[],
        }
    }

    /// The strings of a list.
    pub(crate) fn texts(&self, field: &str) -> impl ExactSizeIterator<Item = &'a str> {
        self.list(field).iter().map(|item| match &item.value {
            Data::Text(text) => &**text,
            _ => "",
        })
    }

    /// The entries of a map, sorted by key.
    pub(crate) fn map(&self, field: &str) -> &'a [(hieratic_nomad_job::record::Text, Datum)] {
        match self.get(field) {
            Some(Datum { value: Data::Map(entries), .. }) => entries,
            _ => &[],
        }
    }

    /// The strings of a map.
    pub(crate) fn text_map(&self, field: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.map(field).iter().map(|(key, item)| match &item.value {
            Data::Text(text) => (&**key, &**text),
            _ => (&**key, ""),
        })
    }

    /// The path of the block, as the subject of a finding.
    pub(crate) fn path<'b>(&'b self) -> FieldPath<'b> {
        FieldPath { block: self, field: None, item: None }
    }

    /// The path of a field, as the subject of a finding.
    pub(crate) fn at<'b>(&'b self, field: &'static str) -> FieldPath<'b> {
        FieldPath { block: self, field: Some(field), item: None }
    }

    /// The path of an element of a list, as the subject of a finding.
    pub(crate) fn at_item<'b>(&'b self, field: &'static str, item: usize) -> FieldPath<'b> {
        FieldPath { block: self, field: Some(field), item: Some(item) }
    }

    /// Appends the path of the block.
    fn write_path(&self, out: &mut String) {
        if let Some(parent) = self.parent {
            parent.write_path(out);
            out.push('.');
        }
        // Writing to a string cannot fail.
        let _ = match self.step {
            Step::Job => write!(out, "Job"),
            Step::Field(field) => write!(out, "{field}"),
            Step::Item(field, at) => write!(out, "{field}[{at}]"),
            Step::Key(field, key) => write!(out, "{field}[{}]", hieratic_hcl_types::quoted(key)),
        };
    }

    /// The block that is written, from this one outwards.
    fn nearest_place(&self) -> Option<Span> {
        self.place.or_else(|| self.parent?.nearest_place())
    }
}

impl FieldPath<'_> {
    /// The block in which the field is written: the fallback, if only that has the field or is written at all.
    fn owner(&self) -> &Block<'_> {
        let holds = |block: &Block<'_>| match (block.record, self.field) {
            (Some(record), Some(field)) => record.get(field).is_some(),
            (record, None) => record.is_some(),
            (None, Some(_)) => false,
        };
        match self.block.fallback {
            Some(beneath)
                if !holds(self.block) && (holds(beneath) || !self.block.is_written() && beneath.is_written()) =>
            {
                beneath
            }
            _ => self.block,
        }
    }

    /// The path as text: `Job.TaskGroups[0].Count`.
    pub(crate) fn path(&self) -> String {
        let mut out = String::new();
        self.owner().write_path(&mut out);
        if let Some(field) = self.field {
            out.push('.');
            out.push_str(field);
        }
        if let Some(item) = self.item {
            // Writing to a string cannot fail.
            let _ = write!(out, "[{item}]");
        }
        out
    }

    /// The range of the value, or of the innermost written block around it.
    pub(crate) fn range(&self) -> Option<Range> {
        let owner = self.owner();
        let field = self.field.and_then(|field| owner.record?.get(field));
        let item = field.zip(self.item).and_then(|(field, at)| match &field.value {
            Data::List(items) => items.get(at),
            _ => None,
        });
        let place = item.and_then(|item| item.place).or(field.and_then(|field| field.place));
        place.or_else(|| owner.nearest_place()).map(|place| owner.job.range(place))
    }
}
