//! The unknown values of a job, and jobs in which they are replaced.

use std::sync::Arc;

use crate::Job;
use crate::record::{Data, Datum, Record, Text};
use crate::schema::{Kind, Scalar, Source, Struct};

/// The maximum nesting depth of blocks that replace unknown ones.
const DEPTH: usize = 3;

/// A source of values for unknown values.
pub trait GapFiller {
    /// Returns a value for a field, or [`Data::Null`] for none.
    fn scalar(&mut self, of: Scalar) -> Data;

    /// Returns a value whose type only a plugin knows.
    fn any(&mut self) -> Data;

    /// Returns a label, or the key of a map.
    fn label(&mut self) -> Text;

    /// Returns whether to add another block, element or key, where any number is allowed.
    fn has_more(&mut self) -> bool;
}

impl Job {
    /// Returns whether any part of the job depends on an unknown value.
    ///
    /// ```
    /// use hieratic_nomad_job::{Job, Options};
    ///
    /// let source = "variable \"n\" {}\njob \"web\" {\n  priority = var.n\n}\n";
    /// let job = Job::parse(source, &Options { partial: true, ..Options::default() })?;
    /// assert!(job.has_gaps());
    /// # Ok::<(), hieratic_nomad_job::Failure>(())
    /// ```
    pub fn has_gaps(&self) -> bool {
        record_has_gaps(self.record())
    }

    /// Returns the job with all unknown values replaced.
    pub fn fill_gaps(&self, filling: &mut dyn GapFiller) -> Job {
        let mut job = self.clone();
        fill_record(job.record_mut(), filling);
        job
    }
}

fn record_has_gaps(record: &Record) -> bool {
    record.entries().any(|(_, datum)| has_gaps(&datum.value))
}

fn has_gaps(data: &Data) -> bool {
    match data {
        Data::Unknown => true,
        Data::List(items) => items.iter().any(|item| has_gaps(&item.value)),
        Data::Map(entries) => entries.iter().any(|(_, value)| has_gaps(&value.value)),
        Data::Record(record) => record_has_gaps(record),
        _ => false,
    }
}

fn fill_record(record: &mut Record, filling: &mut dyn GapFiller) {
    let shape = record.shape();
    for (at, field) in shape.fields.iter().enumerate() {
        let Some(datum) = record.at(at).filter(|datum| has_gaps(&datum.value)) else { continue };
        let mut datum = datum.clone();
        fill(&mut datum.value, field.kind, filling);
        record.set_at(at, datum);
    }
}

fn fill(data: &mut Data, kind: Kind, filling: &mut dyn GapFiller) {
    match data {
        Data::Unknown => *data = generate(kind, filling, DEPTH),
        Data::List(items) => {
            let before = std::mem::take(items);
            for mut item in before {
                match (&mut item.value, kind) {
                    (Data::Unknown, Kind::Many(of)) => {
                        if filling.has_more() {
                            items.push(Datum { value: structure(of, filling, DEPTH), ..item });
                        }
                        continue;
                    }
                    (value, kind) => fill(value, within(kind), filling),
                }
                items.push(item);
            }
        }
        Data::Map(entries) => entries.iter_mut().for_each(|(_, value)| fill(&mut value.value, within(kind), filling)),
        Data::Record(record) => fill_record(Arc::make_mut(record), filling),
        _ => {}
    }
}

/// The kind of the elements of a kind.
fn within(kind: Kind) -> Kind {
    match kind {
        Kind::List(of) | Kind::Map(of) => Kind::Plain(of),
        Kind::MapOfLists(of) => Kind::List(of),
        Kind::Many(of) | Kind::Keyed(of) => Kind::One(of),
        kind => kind,
    }
}

/// Generates a value of a kind.
fn generate(kind: Kind, filling: &mut dyn GapFiller, depth: usize) -> Data {
    if !matches!(kind, Kind::Plain(_) | Kind::Maybe(_) | Kind::Any) && !filling.has_more() {
        return Data::Null;
    }
    match kind {
        Kind::Plain(of) | Kind::Maybe(of) => filling.scalar(of),
        Kind::List(of) => Data::List(vec![Datum::derived(filling.scalar(of))]),
        Kind::Map(of) => Data::Map(vec![(filling.label(), Datum::derived(filling.scalar(of)))]),
        Kind::MapOfLists(of) => {
            let items = Data::List(vec![Datum::derived(filling.scalar(of))]);
            Data::Map(vec![(filling.label(), Datum::derived(items))])
        }
        Kind::Any => filling.any(),
        Kind::Bytes => Data::Null,
        Kind::One(of) => structure(of, filling, depth),
        Kind::Many(of) => Data::List(vec![Datum::derived(structure(of, filling, depth))]),
        Kind::Keyed(of) => Data::Map(vec![(filling.label(), Datum::derived(structure(of, filling, depth)))]),
    }
}

/// Generates a structure with all fields that can be written.
fn structure(of: &'static Struct, filling: &mut dyn GapFiller, depth: usize) -> Data {
    let mut record = Record::new(of);
    for (at, field) in of.fields.iter().enumerate() {
        let value = match field.source {
            Source::Label(_) => Data::Text(filling.label()),
            Source::Unwritten => continue,
            Source::Block(_) if depth == 0 => continue,
            _ => generate(field.kind, filling, depth.saturating_sub(1)),
        };
        record.set_at(at, Datum::derived(value));
    }
    Data::Record(Arc::new(record))
}
