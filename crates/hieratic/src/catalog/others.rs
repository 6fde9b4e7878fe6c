//! [`Database`]: the facts and catalogs of other nodes, for the compilation of a catalog.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic_puppet_eval::ExportedResource;
use hieratic_value::Value;
use hieratic_value::collections::HashMap;

use super::DatabaseAnswers;
use super::exported::{Answer, Exported, exported_of};

/// A database of the facts and catalogs of a fleet, such as PuppetDB.
pub trait Database: fmt::Debug + Send + Sync {
    /// Returns the resources of a type that nodes export: a list of objects with `certname`, `type`, `title`, `tags`,
    /// `file`, `line`, `exported` and `parameters`, sorted so that the order is stable.
    ///
    /// # Errors
    /// The reason why there is no answer, as a sentence.
    fn exported(&self, kind: &str) -> Result<Value, String>;

    /// Returns the answer to a query: a string in PQL, or an array in the language of PuppetDB's syntax trees.
    ///
    /// # Errors
    /// The reason why there is no answer, as a sentence.
    fn query(&self, query: &Value) -> Result<Value, String>;
}

/// The sources of knowledge about other nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct OtherNodes {
    pub exported: Option<Arc<Exported>>,
    pub answers: Option<Arc<DatabaseAnswers>>,
    pub database: Option<Arc<DatabaseCache>>,
}

impl OtherNodes {
    /// Returns whether exported resources are available.
    pub fn stores_exported(&self) -> bool {
        self.exported.is_some() || self.database.is_some()
    }

    /// Returns the exported resources of a type, whose name is in lower case. `None` if they are not available.
    pub fn exported(&self, kind: &str) -> Option<Answer> {
        match (&self.exported, &self.database) {
            (Some(exported), _) => Some(Ok(exported.of_kind(kind))),
            (None, Some(database)) => Some(database.exported(kind)),
            (None, None) => None,
        }
    }

    /// Returns the answer to a query, if there is a database; recorded answers replace it.
    pub fn query(&self, query: &Value) -> Option<Result<Value, String>> {
        match (&self.answers, &self.database) {
            (Some(answers), _) => Some(answers.to(query)),
            (None, Some(database)) => Some(database.database.query(query)),
            (None, None) => None,
        }
    }
}

/// A cache over a database, which is queried once for each type, whichever node collects it.
#[derive(Debug)]
pub(crate) struct DatabaseCache {
    database: Arc<dyn Database>,
    exported: Mutex<HashMap<String, Answer>>,
}

impl DatabaseCache {
    pub fn new(database: Arc<dyn Database>) -> DatabaseCache {
        DatabaseCache { database, exported: Mutex::default() }
    }

    fn exported(&self, kind: &str) -> Answer {
        // Threads that need the same answer wait for it. A panic leaves the table consistent.
        let mut known = self.exported.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known.get(kind) {
            return answer.clone();
        }
        let answer = self.database.exported(&hieratic_puppet_eval::capitalized(kind)).and_then(|rows| read(&rows));
        known.insert(kind.to_owned(), answer.clone());
        answer
    }
}

/// The resources of an answer.
fn read(rows: &Value) -> Answer {
    let rows = rows.as_array().ok_or("its answer is not a list of resources")?;
    let one = |row: &Value| -> Option<ExportedResource> {
        let node = row.as_hash()?.get("certname")?.as_str()?;
        Some(exported_of(node, row)?.1)
    };
    let all: Option<Vec<ExportedResource>> = rows.iter().map(one).collect();
    all.map(Arc::new).ok_or_else(|| "its answer contains an entry that is not an exported resource".to_owned())
}
