//! [`DatabaseAnswers`]: recorded answers for `puppetdb_query`.

use hieratic_hiera::{Error, ErrorKind};
use hieratic_value::Value;

use crate::codes;

/// Recorded answers of PuppetDB to queries.
///
/// ```
/// use hieratic::catalog::DatabaseAnswers;
///
/// let recorded = br#"[{"query": "nodes[certname] {}", "answer": [{"certname": "web01"}]}]"#;
/// assert!(DatabaseAnswers::parse("answers.json", recorded).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct DatabaseAnswers {
    recorded: Vec<(Value, Value)>,
}

impl DatabaseAnswers {
    /// Parses a JSON list of objects with `query` and `answer`.
    ///
    /// # Errors
    /// The input is not such a list.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<DatabaseAnswers, Error> {
        let refuse = |problem: String| {
            Error::new(ErrorKind::Fatal, codes::PUPPETDB_ANSWERS, format!("{name}: {problem}"))
                .help("write a list of objects: [{\"query\": \"nodes[certname] {}\", \"answer\": [{\"certname\": \"web01\"}]}]")
        };
        let data = hieratic_json::parse(bytes).map_err(|error| refuse(error.to_string()))?;
        DatabaseAnswers::from_value(name, &data)
    }

    /// Reads a list of hashes with `query` and `answer`.
    ///
    /// # Errors
    /// The value is not such a list.
    pub fn from_value(name: &str, data: &Value) -> Result<DatabaseAnswers, Error> {
        let refuse = |problem: String| {
            Error::new(ErrorKind::Fatal, codes::PUPPETDB_ANSWERS, format!("{name}: {problem}"))
                .help("write a list of objects: [{\"query\": \"nodes[certname] {}\", \"answer\": [{\"certname\": \"web01\"}]}]")
        };
        let all = data.as_array().ok_or_else(|| refuse("this is not a list of recorded answers".into()))?;
        let mut recorded = Vec::with_capacity(all.len());
        for (index, one) in all.iter().enumerate() {
            let part = |name: &str| one.as_hash().and_then(|one| one.get(name)).cloned();
            match (part("query"), part("answer")) {
                (Some(query), Some(answer)) => recorded.push((query, answer)),
                _ => return Err(refuse(format!("element {index} has no 'query' or no 'answer'"))),
            }
        }
        Ok(DatabaseAnswers { recorded })
    }

    /// Returns the answer to a query that equals a recorded one, apart from whitespace.
    pub(crate) fn to(&self, query: &Value) -> Result<Value, String> {
        let same = |one: &Value| match (one.as_str(), query.as_str()) {
            (Some(one), Some(other)) => one.split_whitespace().eq(other.split_whitespace()),
            _ => one == query,
        };
        let found = self.recorded.iter().find(|(one, _)| same(one)).map(|(_, answer)| answer.clone());
        found.ok_or_else(|| format!("no answer to the query {} is recorded", query.inspect()))
    }
}
