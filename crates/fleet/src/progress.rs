//! [`Progress`]: the progress of an export, from which a later run can continue.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::source::NodeError;
use crate::summary::Summary;

/// The progress of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The number of finished sources, including those that were not selected or could not be read.
    pub sources: u64,
    /// The number of rows of the next node that are already written.
    pub rows: usize,
    /// The summary without the rows of the next node.
    pub summary: Summary,
}

/// The output of a resumable export.
pub trait Ledger: Write + Send {
    /// Saves the output so far with the progress. After a failure, an export can continue from the last saved progress
    /// and the output at that time.
    ///
    /// # Errors
    /// The progress cannot be saved.
    fn keep(&mut self, progress: &Progress) -> io::Result<()>;
}

impl Progress {
    /// Returns the progress as JSON.
    pub fn to_json(&self) -> Value {
        let Summary { nodes, rows, failed, found, classes, lookups, faults, unanswered } = &self.summary;
        let faults: Vec<Value> = faults.iter().map(|error| json!([error.place, error.message])).collect();
        json!({
            "sources": self.sources, "rows_of_next": self.rows, "nodes": nodes, "rows": rows, "failed": failed, "found": found, "classes": classes,
            "lookups": lookups, "faults": faults, "unanswered": unanswered,
        })
    }

    /// Parses the progress from JSON. Returns `None` if the JSON has another form.
    pub fn of_json(json: &Value) -> Option<Progress> {
        let object: &Map<String, Value> = json.as_object()?;
        let number = |name: &str| object.get(name)?.as_u64();
        let size = |name: &str| number(name).and_then(|number| usize::try_from(number).ok());
        let error = |error: &Value| {
            let text = |at: usize| Some(error.get(at)?.as_str()?.to_owned());
            Some(NodeError { place: text(0)?, message: text(1)? })
        };
        let summary = Summary {
            nodes: size("nodes")?,
            rows: number("rows")?,
            failed: number("failed")?,
            found: object.get("found")?.as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?,
            classes: size("classes")?,
            lookups: number("lookups")?,
            faults: object.get("faults")?.as_array()?.iter().map(error).collect::<Option<_>>()?,
            unanswered: size("unanswered")?,
        };
        Some(Progress { sources: number("sources")?, rows: size("rows_of_next")?, summary })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_kept_whole() {
        let error = NodeError { place: "facts/a \"b\".json".to_owned(), message: "ü\nnull".to_owned() };
        let summary = Summary {
            nodes: 3,
            rows: u64::MAX,
            failed: 1,
            found: vec![0, 3],
            classes: 2,
            lookups: 40,
            faults: vec![error.clone(), error],
            unanswered: 7,
        };
        let progress = Progress { sources: 11, rows: 5, summary };
        let text = progress.to_json().to_string();
        assert_eq!(Progress::of_json(&serde_json::from_str(&text).unwrap()), Some(progress));
        assert_eq!(Progress::of_json(&json!({"sources": 1})), None);
    }
}
