//! Lookups of nodes and their answers, shared by the API and the pages. All answers are redacted unless secrets are
//! revealed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::http::StatusCode;
use hieratic::budget::Budget;
use hieratic::codes::hiera as codes;
use hieratic::diagnostics::Code;
use hieratic::explain::{Explain, Why};
use hieratic::lookup::{Key, Object, Origin, SkippedLevel, SkippedLevels, Survey, nearest_keys};
use hieratic::value::ErasedSort as _;
use hieratic::value::text::REDACTED;
use hieratic::{Error, Facts, Node, Query, Redactor, Value};
use hieratic_impact::{Arrays, Indexes, Leaf};
use hieratic_report::part_path;
use quick_cache::sync::Cache;
use serde_json::Value as Json;

use crate::api::types::{Answer, Explained, Fault, LayerAnswer, LevelLeftOut, OriginRow};
use crate::json;
use crate::problem::Problem;
use crate::words::has_whole_word;

/// A node, with the redactor that redacts secrets in strings without marks.
#[derive(Clone, Copy)]
pub(crate) struct NodeContext<'n> {
    pub(crate) node: &'n Node,
    pub(crate) redactor: &'n Redactor,
    /// The budget that the work is charged to.
    pub(crate) budget: &'n Budget,
    /// The folder of its environment.
    pub(crate) root: &'n Path,
    /// The answers to all keys of some nodes, and the number of this one among them.
    pub(crate) memory: Option<(&'n Cache<u64, Arc<KeyRows>>, u64)>,
}

impl NodeContext<'_> {
    /// Redacts the secrets in a message that may quote values.
    ///
    /// It must not be used on text from the request: redaction would reveal that the text is a secret.
    fn redact(&self, text: &str, reveal: bool) -> String {
        if reveal { text.to_owned() } else { self.redactor.message(text).into_owned() }
    }
}

/// The options of a lookup.
#[derive(Clone, Debug, Default)]
pub(crate) struct LookupOptions {
    pub(crate) merge: Option<hieratic::Strategy>,
    pub(crate) default: Option<Value>,
    pub(crate) value_type: Option<hieratic::puppet_types::Type>,
    pub(crate) strict_knockout: bool,
    pub(crate) origins: bool,
    pub(crate) reveal: bool,
}

impl LookupOptions {
    fn query<'q>(&self, subject: &NodeContext<'_>, key: &'q str) -> Query<'q> {
        Query {
            conceal: !self.reveal,
            budget: subject.budget.clone(),
            names: vec![key],
            merge: self.merge.clone(),
            value_type: self.value_type.clone(),
            default: self.default.clone(),
            strict_knockout: self.strict_knockout,
            ..Query::default()
        }
    }
}

/// Looks a key up.
pub(crate) fn lookup(subject: &NodeContext<'_>, key: &str, options: &LookupOptions) -> Answer {
    let noted = SkippedLevels::default();
    let (node, query) = (subject.node, Query { skipped_levels: Some(noted.clone()), ..options.query(subject, key) });
    let outcome = if options.origins {
        node.lookup_traced(&query).map(|answer| {
            let origins = json::leaves(&answer.value, options.reveal).into_iter().map(origin_row).collect();
            let value = if options.reveal { answer.value.to_value() } else { answer.value.masked() };
            (value, Some(origins))
        })
    } else if options.reveal {
        node.lookup(&query).map(|value| (value, None))
    } else {
        node.lookup_redacted(&query).map(|value| (value, None))
    };
    let skipped_levels = noted.levels().iter().map(skipped_level).collect();
    match outcome {
        Ok((value, origins)) => Answer {
            key: key.into(),
            found: true,
            value: Some(json::of_value(&value, options.reveal)),
            origins,
            error: None,
            skipped_levels,
        },
        Err(error) => {
            let error = Some(fault(subject, key, &error, options.reveal));
            Answer { key: key.into(), found: false, value: None, origins: None, error, skipped_levels }
        }
    }
}

fn skipped_level(level: &SkippedLevel) -> LevelLeftOut {
    LevelLeftOut { level: level.level.to_string(), reason: level.reason() }
}

/// Replaces the explanation of a merge that involves a secret.
const OMITTED_EXPLANATION: &str =
    "The explanation of a merge set by the request is omitted if it involves a secret, without `reveal`";

/// Explains every step of a lookup.
pub(crate) fn explain(subject: &NodeContext<'_>, key: &str, options: &LookupOptions, only_options: bool) -> Explained {
    let (node, query) = (subject.node, options.query(subject, key));
    let answer = lookup(subject, key, &LookupOptions { origins: false, ..options.clone() });
    let is_covered = answer.value.as_ref().and_then(Json::as_str) == Some(REDACTED);
    if !options.reveal && options.merge.is_some() && is_covered {
        // The reference's merges modify their inputs, and explanations show it. A missing element would reveal that the
        // request's own knockout prefix has matched it.
        return Explained { answer, text: OMITTED_EXPLANATION.into(), explanation: Json::Object(Default::default()) };
    }
    let (outcome, mut explanation) = node.explain(&query, Explain { only_options, reveal: options.reveal });
    if let Err(error) = &outcome {
        explanation.conclude(message(subject, error, options.reveal));
    }
    // Secrets in an explanation are redacted by their marks. A search for secrets as substrings would also redact keys
    // and facts of the request, and so confirm a guess.
    let tree = hieratic_output::json(explanation.to_tree()).ok();
    let tree = tree.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Json::Null);
    Explained { answer, text: explanation.to_string(), explanation: tree }
}

/// The explanation of an answer.
pub(crate) struct AnswerExplanation {
    pub(crate) answer: Result<Object, Fault>,
    /// The provenance of the parts of each level; `None` if a secret is involved, about which it would reveal
    /// something, or if a level is unreadable.
    pub(crate) why: Option<Why>,
    pub(crate) layers: Vec<LayerAnswer>,
}

/// Explains an answer by the levels that contribute to it.
pub(crate) fn reasons(subject: &NodeContext<'_>, key: &str) -> Result<AnswerExplanation, Problem> {
    let query = LookupOptions::default().query(subject, key);
    let surveys = subject.node.survey_query(&query).map_err(|error| unreadable(subject, &error))?;
    let is_open = |object: &Object| !object.has_decrypted() && !object.has_hidden();
    let all_open = surveys.iter().all(|survey| match &survey.found {
        Ok(found) => found.as_ref().is_none_or(is_open),
        // An unreadable level may hold a secret. `layers` has the reason why it is unreadable.
        Err(_) => false,
    });
    let layers = surveys.iter().map(|survey| layer(subject, survey, false)).collect();
    let answer = subject.node.lookup_traced(&query).map(|answer| answer.value);
    let is_fine = match &answer {
        Ok(value) => is_open(value),
        Err(error) => error.code() == Node::NOT_FOUND,
    };
    let reason = (all_open && is_fine)
        .then(|| subject.node.why(&query))
        .filter(|reason| !reason.hides && reason.faulty.is_empty());
    Ok(AnswerExplanation { answer: answer.map_err(|error| fault(subject, key, &error, false)), why: reason, layers })
}

/// The answer to a key in one line.
pub(crate) struct AnswerSummary {
    /// JSON on one line, with redacted secrets; or the message of an error.
    pub(crate) text: String,
    pub(crate) is_fault: bool,
    /// The position of its first part.
    pub(crate) place: Option<(PathBuf, u32)>,
}

/// Returns the answer to a key in one line; `None` if no level has the key.
pub(crate) fn summary(subject: &NodeContext<'_>, key: &str) -> Option<AnswerSummary> {
    match subject.node.lookup_traced(&LookupOptions::default().query(subject, key)) {
        Ok(answer) => {
            let place = json::leaves(&answer.value, false).into_iter().find_map(|leaf| match leaf.origin {
                Some(Origin::File { file, line, .. }) => Some((file.to_path_buf(), line)),
                _ => None,
            });
            let text = json::of_value(&answer.value.masked(), false).to_string();
            Some(AnswerSummary { text, is_fault: false, place })
        }
        Err(error) if error.code() == Node::NOT_FOUND => None,
        Err(error) => {
            let fault = plain_fault(subject, &error, false);
            let place = fault.file.map(|file| (file.into(), fault.line.unwrap_or(1)));
            Some(AnswerSummary { text: fault.message, is_fault: true, place })
        }
    }
}

/// The answer to a key of a node, in a list of all its keys.
pub(crate) struct KeyRow {
    pub(crate) key: String,
    /// The redacted value, or the message of the error.
    pub(crate) answer: Result<Json, String>,
    /// The files that its parts come from, each with the first line of a part, in the order of the parts.
    pub(crate) places: Vec<(PathBuf, u32)>,
}

/// The answers to the keys of a node, sorted, and whether there are more.
pub(crate) struct KeyRows {
    pub(crate) rows: Vec<KeyRow>,
    pub(crate) more: bool,
}

/// The maximum number of keys in the list of a node.
pub(crate) const MAX_KEY_ROWS: usize = 5000;

/// Returns the answers to the first keys of a node. A node answers from what it has read, so they are computed once for it.
pub(crate) fn key_rows(subject: &NodeContext<'_>) -> Result<Arc<KeyRows>, Problem> {
    if let Some(known) = subject.memory.and_then(|(memory, number)| memory.get(&number)) {
        return Ok(known);
    }
    let (keys, more) = keys(subject, "", None, MAX_KEY_ROWS)?;
    let rows = Arc::new(KeyRows { rows: keys.into_iter().map(|key| key_row(subject, key)).collect(), more });
    // Answers of a request that was stopped are not those of the node.
    if let Some((memory, number)) = subject.memory.filter(|_| subject.budget.ended().is_ok()) {
        memory.insert(number, rows.clone());
    }
    Ok(rows)
}

fn key_row(subject: &NodeContext<'_>, key: String) -> KeyRow {
    let quoted = hieratic::lookup::quoted_key(&key);
    let options = LookupOptions::default();
    match subject.node.lookup_traced(&options.query(subject, &quoted)) {
        Ok(answer) => {
            let mut places: Vec<(PathBuf, u32)> = Vec::new();
            for leaf in json::leaves(&answer.value, false) {
                if let Some(Origin::File { file, line, .. }) = &leaf.origin
                    && places.iter().all(|(known, _)| **known != **file)
                {
                    places.push((file.to_path_buf(), *line));
                }
            }
            KeyRow { key, answer: Ok(json::of_value(&answer.value.masked(), false)), places }
        }
        Err(error) => {
            let fault = fault(subject, &quoted, &error, false);
            let places = fault.file.map(|file| (file.into(), fault.line.unwrap_or(1))).into_iter().collect();
            KeyRow { key, answer: Err(fault.message), places }
        }
    }
}

/// A redacted value, with the place of each of its parts.
#[derive(Clone, Debug)]
pub(crate) struct PartedValue {
    pub(crate) value: Json,
    /// The scalars and empty collections with the path to each.
    pub(crate) parts: Vec<(Vec<Json>, Option<Origin>)>,
    /// The meaning of its arrays: sets, if a merge made them.
    pub(crate) arrays: Arrays,
}

impl PartedValue {
    /// Creates the value of an answer to a query.
    pub(crate) fn new(object: &Object, node: &Node, query: &Query<'_>) -> PartedValue {
        let parts: Vec<_> = json::leaves(object, false).into_iter().map(|leaf| (leaf.path, leaf.origin)).collect();
        let has_arrays = parts.iter().any(|(path, _)| path.iter().any(Json::is_number));
        // Options that cannot be used make the lookup fail, too.
        let arrays = if has_arrays { Arrays::of_answer(node, query).unwrap_or_default() } else { Arrays::default() };
        PartedValue { value: json::of_value(&object.masked(), false), parts, arrays }
    }

    /// Creates a redacted value.
    pub(crate) fn redacted() -> PartedValue {
        PartedValue { value: REDACTED.into(), parts: vec![(Vec::new(), None)], arrays: Arrays::default() }
    }

    /// Returns the parts as leaves that are compared as they are shown.
    pub(crate) fn leaves(&self) -> Vec<Leaf> {
        let leaf = |(path, origin): &(Vec<Json>, Option<Origin>)| {
            let value = json::to_value(part_at(&self.value, path)?).ok()?;
            // In JSON, only indexes are numbers.
            let is_index = |(depth, step): (usize, &Json)| step.is_number().then_some(depth);
            let indexes = path.iter().enumerate().filter_map(is_index).fold(Indexes::default(), Indexes::with);
            let path = path.iter().map(|step| json::to_value(step).ok()).collect::<Option<Vec<Value>>>()?;
            Some(Leaf { path, plain: value.clone(), value, origin: origin.clone(), is_redacted: false, indexes })
        };
        // Every part has a value in JSON, which can be read again.
        self.parts.iter().filter_map(leaf).collect()
    }
}

/// Looks a key up for a list: the redacted value with the places of its parts, or the message of an error.
pub(crate) fn parted_answer(subject: &NodeContext<'_>, key: &str) -> Result<PartedValue, String> {
    let quoted = hieratic::lookup::quoted_key(key);
    let options = LookupOptions::default();
    let query = options.query(subject, &quoted);
    match subject.node.lookup_traced(&query) {
        Ok(answer) => Ok(PartedValue::new(&answer.value, subject.node, &query)),
        Err(error) => Err(fault(subject, &quoted, &error, false).message),
    }
}

/// A part of a value that holds the words of a search.
pub(crate) struct MatchingPart {
    /// The keys and indexes that lead to it; empty for all of the value.
    pub(crate) path: Vec<Value>,
    /// The part as JSON on one line, with redacted secrets.
    pub(crate) text: String,
    pub(crate) place: Option<(Arc<Path>, u32)>,
}

/// Returns the scalar of a key's value that holds most of some words, in its path or in itself; `None` if none holds any.
/// Of a string with several lines, it is one line.
pub(crate) fn matching_part(subject: &NodeContext<'_>, key: &str, words: &[String]) -> Option<MatchingPart> {
    let quoted = hieratic::lookup::quoted_key(key);
    let options = LookupOptions::default();
    let answer = subject.node.lookup_traced(&options.query(subject, &quoted)).ok()?;
    let value = json::of_value(&answer.value.masked(), false);
    // The best part so far, with its value.
    let mut best: Option<(usize, MatchingPart, &Json)> = None;
    for leaf in json::leaves(&answer.value, false) {
        let Some(part) = part_at(&value, &leaf.path) else { continue };
        let text = part.to_string();
        let path: Vec<Value> = leaf.path.iter().map(segment).collect();
        let (lower, lower_path) = (text.to_lowercase(), part_path(&path).to_lowercase());
        // A word in the part itself weighs more than one in its path, and most as a whole.
        let weight = |word: &String| {
            if has_whole_word(&lower, word) {
                4
            } else if lower.contains(word) {
                3
            } else {
                usize::from(lower_path.contains(word))
            }
        };
        let count = words.iter().map(weight).sum();
        if count > best.as_ref().map_or(0, |(most, ..)| *most) {
            let place = match leaf.origin {
                Some(Origin::File { file, line, .. }) => Some((file, line)),
                _ => None,
            };
            best = Some((count, MatchingPart { path, text, place }, part));
        }
    }
    let (_, mut part, value) = best?;
    if let Some(text) = value.as_str()
        && let Some((index, line)) = matching_line(text, words)
    {
        part.text = Json::from(line).to_string();
        if let Some((file, first)) = &mut part.place {
            *first = line_of_block(subject, file, *first, index, line).unwrap_or(*first);
        }
    }
    Some(part)
}

/// Returns the line of the part of a key's value that holds most of some words; of its first part if none holds any.
pub(crate) fn matching_place(subject: &NodeContext<'_>, key: &str, words: &[String]) -> Option<(Arc<Path>, u32)> {
    if let Some(part) = matching_part(subject, key, words) {
        return part.place;
    }
    let quoted = hieratic::lookup::quoted_key(key);
    let options = LookupOptions::default();
    // A key that fails on the node has no line.
    let answer = subject.node.lookup_traced(&options.query(subject, &quoted)).ok()?;
    json::leaves(&answer.value, false).into_iter().find_map(|leaf| match leaf.origin {
        Some(Origin::File { file, line, .. }) => Some((file, line)),
        _ => None,
    })
}

/// Returns the index and the text of the line that holds most of some words; `None` if the string has one line, or no
/// line holds any.
fn matching_line<'t>(text: &'t str, words: &[String]) -> Option<(usize, &'t str)> {
    text.trim_end_matches('\n').contains('\n').then_some(())?;
    let count = |line: &str| {
        let lower = line.to_lowercase();
        words.iter().filter(|word| lower.contains(word.as_str())).count()
    };
    let mut best: Option<(usize, usize, &str)> = None;
    for (index, line) in text.lines().enumerate() {
        let count = count(line);
        if count > best.map_or(0, |(most, ..)| most) {
            best = Some((count, index, line));
        }
    }
    best.map(|(_, index, line)| (index, line))
}

/// Returns the number of the line in a file that a line of a block scalar (`|`) is written on. `first` is the line of the
/// indicator. `None` if the file has another text there: the value was written in another way, or variables were filled in.
fn line_of_block(subject: &NodeContext<'_>, file: &Arc<Path>, first: u32, index: usize, line: &str) -> Option<u32> {
    let source = subject.node.source_of(file)?;
    let number = first.checked_add(u32::try_from(index).ok()?)?.checked_add(1)?;
    let written = source.text().get(source.offset(number, 1)..)?.lines().next()?;
    (!line.trim().is_empty() && written.trim() == line.trim()).then_some(number)
}

/// Returns a key or an index of a path as a value.
fn segment(step: &Json) -> Value {
    match step {
        Json::Number(index) => index.as_i64().map_or_else(|| Value::from(index.to_string()), Value::from),
        Json::String(key) => Value::from(key.as_str()),
        other => Value::from(other.to_string()),
    }
}

/// Returns the part of a value at a path of keys and indexes.
fn part_at<'j>(value: &'j Json, path: &[Json]) -> Option<&'j Json> {
    path.iter().try_fold(value, |value, step| match (value, step) {
        (Json::Array(elements), Json::Number(index)) => elements.get(usize::try_from(index.as_u64()?).ok()?),
        (Json::Object(pairs), Json::String(key)) => pairs.get(key),
        _ => None,
    })
}

/// Returns the value of a key on every level.
pub(crate) fn layers(subject: &NodeContext<'_>, key: &str, reveal: bool) -> Result<Vec<LayerAnswer>, Problem> {
    let query = Query { conceal: !reveal, budget: subject.budget.clone(), ..Query::new(key) };
    let surveys = subject.node.survey_query(&query).map_err(|error| unreadable(subject, &error))?;
    Ok(surveys.iter().map(|survey| layer(subject, survey, reveal)).collect())
}

fn layer(subject: &NodeContext<'_>, survey: &Survey, reveal: bool) -> LayerAnswer {
    let (value, origin, error) = match &survey.found {
        Ok(Some(object)) => {
            let value = if reveal { object.to_value() } else { object.masked() };
            let origin = object
                .origin()
                .cloned()
                .or_else(|| json::leaves(object, reveal).into_iter().find_map(|leaf| leaf.origin));
            (Some(json::of_value(&value, reveal)), origin, None)
        }
        Ok(None) => (None, None, None),
        Err(error) => (None, None, Some(plain_fault(subject, error, reveal))),
    };
    let (file, line) = match origin {
        Some(Origin::File { file, line, .. }) => (Some(file.display().to_string()), Some(line)),
        _ => (None, None),
    };
    LayerAnswer {
        layer: survey.layer.clone(),
        level: survey.level.clone(),
        location: survey.location.clone(),
        exists: survey.exists,
        default_hierarchy: survey.is_default,
        found: value.is_some(),
        value,
        file,
        line,
        error,
    }
}

/// Returns the keys of a node that contain a string, ignoring case, and come after a given key.
pub(crate) fn keys(
    subject: &NodeContext<'_>,
    search: &str,
    after: Option<&str>,
    limit: usize,
) -> Result<(Vec<String>, bool), Problem> {
    let keys = subject.node.keys_within(subject.budget).map_err(|error| unreadable(subject, &error))?;
    let mut keys: Vec<String> = keys.iter().map(|key| key.to_string()).collect();
    keys.sort_unstable();
    Ok(select_names(keys, search, after, limit))
}

/// Returns the names that contain a string and come after a given name, and whether there are more than `limit`.
/// `names` is sorted.
pub(crate) fn select_names(names: Vec<String>, search: &str, after: Option<&str>, limit: usize) -> (Vec<String>, bool) {
    let search = search.to_lowercase();
    let mut found: Vec<String> = names
        .into_iter()
        .filter(|name| after.is_none_or(|after| name.as_str() > after))
        .filter(|name| search.is_empty() || name.to_lowercase().contains(&search))
        .take(limit.saturating_add(1))
        .collect();
    let more = found.len() > limit;
    found.truncate(limit);
    (found, more)
}

fn origin_row(leaf: json::Leaf) -> OriginRow {
    let path = leaf.path;
    match leaf.origin {
        Some(Origin::File { file, line, column }) => OriginRow {
            path,
            file: Some(file.display().to_string()),
            line: Some(line),
            column: Some(column),
            from: None,
        },
        Some(Origin::Named(name)) => OriginRow { path, from: Some(name.to_string()), ..OriginRow::default() },
        None => OriginRow { path, from: Some("unknown".into()), ..OriginRow::default() },
    }
}

/// Returns the problem of a node whose data cannot be read at all.
fn unreadable(subject: &NodeContext<'_>, error: &Error) -> Problem {
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, message(subject, error, false));
    match error.help_text() {
        Some(help) => problem.help(subject.redact(help, false)),
        None => problem,
    }
}

fn fault(subject: &NodeContext<'_>, key: &str, error: &Error, reveal: bool) -> Fault {
    let (node, fault) = (subject.node, plain_fault(subject, error, reveal));
    if error.code() != Node::NOT_FOUND || Key::parse(key).is_err() {
        return fault;
    }
    // Every key is compared with the missing one.
    let known = node.keys_within(subject.budget).map_or(0, |keys| keys.len());
    if key.len() > MAX_LENGTH_TO_SUGGEST || subject.budget.steps((known * key.len()) as u64).is_err() {
        return fault;
    }
    match nearest_keys(node, key).keys.as_slice() {
        [] => fault,
        near => Fault { help: Some(format!("did you mean '{}'?", near.join("' or '"))), ..fault },
    }
}

/// The longest key for which another is suggested.
const MAX_LENGTH_TO_SUGGEST: usize = 200;

/// Codes of errors whose messages only depend on the request and the configuration.
const CODES_WITHOUT_DATA: [Code; 5] =
    [codes::KEY_NOT_FOUND, codes::KEY_SYNTAX, codes::PATH_ESCAPES, codes::UNDEFINED_VARIABLE, codes::TYPE_NOT_TOLD];

/// Returns the message of an error, with secrets redacted in those that may quote some.
pub(crate) fn message(subject: &NodeContext<'_>, error: &Error, reveal: bool) -> String {
    let text = error.to_string();
    if CODES_WITHOUT_DATA.contains(&error.code()) || error.is_limit() { text } else { subject.redact(&text, reveal) }
}

fn plain_fault(subject: &NodeContext<'_>, error: &Error, reveal: bool) -> Fault {
    let place = error.place();
    Fault {
        code: error.code().id().into(),
        message: message(subject, error, reveal),
        file: place.map(|place| place.file.display().to_string()),
        line: place.and_then(|place| place.line),
        column: place.and_then(|place| place.column),
        help: error.help_text().map(|help| subject.redact(help, reveal)),
    }
}

/// The maximum depth of the facts that are listed.
const MAX_FACT_DEPTH: usize = 8;

/// Returns the facts whose names or values contain a string, ignoring case: a row for each scalar.
pub(crate) fn fact_rows(facts: &Facts, search: &str) -> Vec<(String, String)> {
    fn add(name: String, value: &Value, depth: usize, rows: &mut Vec<(String, String)>) {
        let deeper = depth < MAX_FACT_DEPTH;
        match value {
            Value::Hash(hash) if deeper && !hash.is_empty() => {
                for (key, value) in hash {
                    add(format!("{name}.{}", key.to_text()), value, depth + 1, rows);
                }
            }
            Value::Array(elements) if deeper && elements.iter().any(|element| matches!(element, Value::Hash(_))) => {
                for (index, value) in elements.iter().enumerate() {
                    add(format!("{name}.{index}"), value, depth + 1, rows);
                }
            }
            other => rows.push((
                name,
                match json::of_value(other, false) {
                    Json::String(text) => text,
                    other => other.to_string(),
                },
            )),
        }
    }
    let mut rows = Vec::new();
    for (name, value) in facts.facts() {
        add(name.to_text(), value, 0, &mut rows);
    }
    let search = search.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&search);
    rows.retain(|(name, value)| search.is_empty() || has(name) || has(value));
    rows.sort_erased();
    rows
}

/// The key of the data that a lookup key means, if it digs for nothing.
pub(crate) fn unquoted(key: &str) -> String {
    Key::parse(key).map_or_else(|_| key.into(), |key| key.root().to_string())
}
