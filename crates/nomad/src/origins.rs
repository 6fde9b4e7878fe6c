//! Where the values of a job come from.

use std::fmt::Write;

use hieratic_hcl::Range;

use crate::Job;
use crate::record::{Data, Datum, Place, Record};

/// A value of the job, as it is printed, and where it was written.
#[derive(Clone, Debug)]
pub struct Origin<'j> {
    /// The way to the value in the printed job: `TaskGroups[0].Tasks[0].Env["A"]`.
    pub path: String,
    /// The value; never a list, a map or a structure with anything in it.
    pub value: &'j Data,
    /// The expression or block that gave it; none for what follows from other values.
    pub place: Option<Range>,
}

impl Job {
    /// Every value that was written or that follows from others, in the order in which they are printed.
    ///
    /// ```
    /// use hieratic_nomad::{Job, Options};
    ///
    /// let source = "job \"web\" {\n  meta { owner = \"ops\" }\n}\n";
    /// let job = Job::parse(source, &Options { path: "web.hcl".into(), ..Options::default() }).unwrap();
    /// let origins = job.origins();
    /// let owner = origins.iter().find(|origin| origin.path == "Meta[\"owner\"]").unwrap();
    /// assert_eq!(owner.place.as_ref().unwrap().to_string(), "web.hcl:2,18-23");
    /// ```
    pub fn origins(&self) -> Vec<Origin<'_>> {
        let mut walk = Walk { job: self, path: String::new(), found: Vec::new() };
        walk.record(self.record(), None);
        walk.found
    }
}

struct Walk<'j> {
    job: &'j Job,
    path: String,
    found: Vec<Origin<'j>>,
}

impl<'j> Walk<'j> {
    fn record(&mut self, record: &'j Record, around: Option<Place>) {
        for (field, datum) in record.entries() {
            let before = self.path.len();
            if before > 0 {
                self.path.push('.');
            }
            self.path.push_str(field.name);
            self.datum(datum, around);
            self.path.truncate(before);
        }
    }

    /// What has no place of its own inside of something written has that one's.
    fn datum(&mut self, datum: &'j Datum, around: Option<Place>) {
        let place = datum.place.or(around);
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
                    crate::json::text(&mut self.path, key);
                    self.path.push(']');
                    self.datum(value, place);
                    self.path.truncate(before);
                }
            }
            // A structure's own place is that of its block, which wrote none of its values.
            Data::Record(record) => self.record(record, None),
            value => {
                let place = place.map(|place| self.job.range(place));
                self.found.push(Origin { path: self.path.clone(), value, place });
            }
        }
    }
}
