//! The origins of the values of a job.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::rc::Rc;

use hieratic_hcl_eval::{File, Range, Schema, Span};
use hieratic_hcl_types::Text;
use hieratic_json::write::{Escapes, quote};

use crate::Job;
use crate::record::{Data, Datum, Record};
use crate::variables::{Variable, first_attribute};

/// A printed value of the job, and its origin.
#[derive(Clone, Debug)]
pub struct Origin<'j> {
    /// The path of the value in the printed job: `TaskGroups[0].Tasks[0].Env["A"]`.
    pub path: String,
    /// The value. A list, a map or a structure has an origin only if it is empty.
    pub value: &'j Data,
    /// The range of the expression or block. `None` if the value is derived from other values.
    pub place: Option<Range>,
    /// The locals and variables that the expression refers to, directly or indirectly, in depth-first order. Their
    /// number is limited, and there are none for JSON syntax.
    pub dependencies: Rc<Vec<Dependency<'j>>>,
}

/// A local or a variable that a value depends on.
#[derive(Clone, Debug)]
pub enum Dependency<'j> {
    /// `local.name`, with the range of its expression.
    Local(Text, Range),
    /// `var.name`, with its assignments.
    Variable(&'j Variable),
}

/// The most locals and variables listed for a value.
const MAX_DEPENDENCIES: usize = 32;

impl Job {
    /// Returns all explicit and derived values, in the order of the output.
    ///
    /// ```
    /// use hieratic_nomad_job::{Job, Options};
    ///
    /// let source = "job \"web\" {\n  meta { owner = \"ops\" }\n}\n";
    /// let job = Job::parse(source, &Options { path: "web.hcl".into(), ..Options::default() }).unwrap();
    /// let origins = job.origins();
    /// let owner = origins.iter().find(|origin| origin.path == "Meta[\"owner\"]").unwrap();
    /// assert_eq!(owner.place.as_ref().unwrap().to_string(), "web.hcl:2,18-23");
    /// ```
    pub fn origins(&self) -> Vec<Origin<'_>> {
        let mut walk =
            OriginCollector { job: self, path: String::new(), found: Vec::new(), names: NameIndex::new(self) };
        walk.record(self.record(), None);
        walk.found
    }
}

struct OriginCollector<'j> {
    job: &'j Job,
    path: String,
    found: Vec<Origin<'j>>,
    names: NameIndex<'j>,
}

/// The names that the expressions of a job refer to.
struct NameIndex<'j> {
    job: &'j Job,
    /// The references `local.name` and `var.name`, in the order of the source.
    references: Vec<(Span, bool, Text)>,
    /// The expressions of each local.
    locals: HashMap<Text, Vec<Span>>,
    variables: HashMap<&'j str, &'j Variable>,
    /// The results for spans: all elements of a list often have the same one.
    known: HashMap<Span, Rc<Vec<Dependency<'j>>>>,
}

impl<'j> NameIndex<'j> {
    fn new(job: &'j Job) -> Self {
        // The job does not store the tree of its file, so the file is parsed again.
        let file = File::native(job.source().name(), job.source().bytes().to_vec());
        let mut references = Vec::new();
        for reference in file.references() {
            let is_local = &*reference.root == "local";
            if let Some(name) = first_attribute(&reference).filter(|_| is_local || &*reference.root == "var") {
                references.push((reference.range.span, is_local, Text::from(name)));
            }
        }
        let mut locals: HashMap<Text, Vec<Span>> = HashMap::new();
        // The problems of the file were reported when the job was read.
        let (content, ..) = file.body().partial_content(&Schema::new(&[], &[("locals", &[])]));
        for block in &content.blocks {
            for attribute in block.body.just_attributes().0 {
                locals.entry(attribute.name.clone()).or_default().push(attribute.expression.range().span);
            }
        }
        let variables = job.variables().iter().map(|variable| (variable.name.as_ref(), variable)).collect();
        Self { job, references, locals, variables, known: HashMap::new() }
    }

    /// The locals and variables that an expression depends on.
    fn dependencies(&mut self, place: Span) -> Rc<Vec<Dependency<'j>>> {
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        // A name comes before the names in its definition, and those before the next name of the expression.
        let mut waiting = self.names_within(place);
        waiting.reverse();
        while let Some((is_local, name)) = waiting.pop().filter(|_| found.len() < MAX_DEPENDENCIES) {
            if !seen.insert((is_local, name)) {
                continue;
            }
            if !is_local {
                found.extend(self.variables.get(&**name).map(|variable| Dependency::Variable(variable)));
                continue;
            }
            for &span in self.locals.get(name).into_iter().flatten() {
                let range = self.job.range(span);
                found.push(Dependency::Local(name.clone(), range));
                waiting.extend(self.names_within(span).into_iter().rev());
            }
        }
        let found = Rc::new(found);
        self.known.insert(place, found.clone());
        found
    }

    /// The first of the names in a range.
    fn names_within(&self, range: Span) -> Vec<(bool, &Text)> {
        let first = self.references.partition_point(|(span, ..)| span.start < range.start);
        let within = self.references.iter().skip(first).take_while(|(span, ..)| span.end <= range.end);
        within.take(MAX_DEPENDENCIES).map(|(_, is_local, name)| (*is_local, name)).collect()
    }
}

impl<'j> OriginCollector<'j> {
    fn record(&mut self, record: &'j Record, outer: Option<Span>) {
        for (field, datum) in record.entries() {
            let before = self.path.len();
            if before > 0 {
                self.path.push('.');
            }
            self.path.push_str(field.name);
            self.datum(datum, outer);
            self.path.truncate(before);
        }
    }

    /// Records the origins within a value. A value without a position has that of the enclosing written value.
    fn datum(&mut self, datum: &'j Datum, outer: Option<Span>) {
        let place = datum.place.or(outer);
        let before = self.path.len();
        match &datum.value {
            Data::List(items) if !items.is_empty() => {
                for (at, item) in items.iter().enumerate() {
                    // Writing to a string cannot fail.
                    let _ = write!(self.path, "[{at}]");
                    self.datum(item, place);
                    self.path.truncate(before);
                }
            }
            Data::Map(entries) if !entries.is_empty() => {
                for (key, value) in entries {
                    self.path.push('[');
                    quote(&mut self.path, key, Escapes::Html);
                    self.path.push(']');
                    self.datum(value, place);
                    self.path.truncate(before);
                }
            }
            // The position of a structure is that of its block, which is not the origin of its derived values.
            Data::Record(record) => self.record(record, None),
            value => {
                let dependencies = place.map(|place| self.names.dependencies(place)).unwrap_or_default();
                let place = place.map(|place| self.job.range(place));
                self.found.push(Origin { path: self.path.clone(), value, place, dependencies });
            }
        }
    }
}
