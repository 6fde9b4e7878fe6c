//! The job as data: explicit and derived values, with positions.
//!
//! A [`Record`] stores only the fields that have a value. The printed form of the others depends on their
//! [`Kind`](crate::schema::Kind).

use std::sync::Arc;

use hieratic_hcl_eval::Span;

use crate::schema::{Field, Struct};

/// A string that is shared with the values of expressions.
pub type Text = Arc<str>;

/// A structure with values.
#[derive(Clone, Debug)]
pub struct Record {
    shape: &'static Struct,
    /// Sorted by the index of the field.
    entries: Vec<(u16, Datum)>,
}

/// A value with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Datum {
    /// The value.
    pub value: Data,
    /// The span of the expression or block in the job file. `None` if the value is derived from other values.
    pub place: Option<Span>,
}

/// A value of a field, or one inside of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Null. It only occurs inside of values that plugins define and in lists of structures.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer; durations are in nanoseconds.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A number that is not an integer, or is outside of their range.
    Float(f64),
    /// A string.
    Text(Text),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A list.
    List(Vec<Datum>),
    /// A map, sorted by key.
    Map(Map),
    /// A structure. Tasks that inherit it share it.
    Record(Arc<Record>),
    /// The index of an expression that can only be evaluated after the rest of the job.
    Pending(u32),
    /// A value that depends on an unknown value. It only occurs in jobs that are parsed with
    /// [`Options::partial`](crate::Options::partial). In a list of structures it represents any number of them.
    Unknown,
}

/// A map, sorted by key.
pub type Map = Vec<(Text, Datum)>;

impl Record {
    /// Creates an empty structure.
    pub fn new(shape: &'static Struct) -> Self {
        Self { shape, entries: Vec::new() }
    }

    /// Returns the structure that the record is an instance of.
    pub fn shape(&self) -> &'static Struct {
        self.shape
    }

    /// Returns the fields that have a value, in the order of the structure.
    pub fn entries(&self) -> impl Iterator<Item = (&'static Field, &Datum)> {
        self.entries.iter().filter_map(|(at, datum)| Some((self.shape.fields.get(usize::from(*at))?, datum)))
    }

    /// Returns the value of the field with this name, or `None` if the field has no value or does not exist.
    pub fn get(&self, name: &str) -> Option<&Datum> {
        self.at(self.shape.field(name)?.0)
    }

    /// Returns the string in the field with this name.
    pub fn text(&self, name: &str) -> Option<&Text> {
        match &self.get(name)?.value {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns whether the value of the field with this name is unknown.
    pub fn is_unknown(&self, name: &str) -> bool {
        self.get(name).is_some_and(|datum| datum.value == Data::Unknown)
    }

    /// Returns the elements of the list in the field with this name. It is empty for other values.
    pub fn list(&self, name: &str) -> &[Datum] {
        match self.get(name) {
            Some(Datum { value: Data::List(items), .. }) => items,
            _ => &[],
        }
    }

    /// Returns the structure in the field with this name.
    pub fn record(&self, name: &str) -> Option<&Arc<Record>> {
        match &self.get(name)?.value {
            Data::Record(record) => Some(record),
            _ => None,
        }
    }

    /// The value of the field at that index.
    pub(crate) fn at(&self, at: usize) -> Option<&Datum> {
        let found = self.entries.binary_search_by_key(&at, |(own, _)| usize::from(*own)).ok()?;
        self.entries.get(found).map(|(_, datum)| datum)
    }

    /// Sets the field at that index; [`Data::Null`] removes its value.
    pub(crate) fn set_at(&mut self, at: usize, datum: Datum) {
        // Structures have a few dozen fields.
        let Ok(place) = u16::try_from(at) else { return };
        match (self.entries.binary_search_by_key(&place, |(own, _)| *own), datum.value == Data::Null) {
            (Ok(found), true) => {
                self.entries.remove(found);
            }
            (Ok(found), false) => self.entries[found].1 = datum,
            (Err(_), true) => {}
            (Err(before), false) => self.entries.insert(before, (place, datum)),
        }
    }

    /// Sets the field of that name, if the structure has it.
    pub(crate) fn set(&mut self, name: &str, value: Data, place: Option<Span>) {
        if let Some((at, _)) = self.shape.field(name) {
            self.set_at(at, Datum { value, place });
        }
    }

    /// The values in the order of the structure, mutably.
    pub(crate) fn data_mut(&mut self) -> impl Iterator<Item = &mut Datum> {
        self.entries.iter_mut().map(|(_, datum)| datum)
    }

    /// The value of the field of that name, mutably.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Datum> {
        let (at, _) = self.shape.field(name)?;
        let found = self.entries.binary_search_by_key(&at, |(own, _)| usize::from(*own)).ok()?;
        self.entries.get_mut(found).map(|(_, datum)| datum)
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.shape, other.shape) && self.entries == other.entries
    }
}

impl Datum {
    /// Creates a value without a position.
    pub fn derived(value: Data) -> Self {
        Self { value, place: None }
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Self {
        Data::Text(text.into())
    }
}
