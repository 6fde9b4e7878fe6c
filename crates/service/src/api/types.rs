//! What is asked and answered, as types: the description of the API is made of them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

/// Which node of which environment, and what is known of it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct LookupRequest {
    /// The environment's name; the service's default without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "production"))]
    pub(crate) environment: Option<String>,
    /// The node's name. Without `facts`, its stored facts are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "web01.example.com"))]
    pub(crate) node: Option<String>,
    /// The node's facts; stored facts are not used then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<Object>))]
    pub(crate) facts: Option<Map<String, Json>>,
    /// The trusted data, with `facts`; taken from them and the name without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<Object>))]
    pub(crate) trusted: Option<Map<String, Json>>,
    /// Variables of the top scope, as manifests set them, with `facts`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<Object>))]
    pub(crate) variables: Option<Map<String, Json>>,
    /// The keys, each of which is answered.
    #[cfg_attr(test, schema(min_items = 1, max_items = 1000))]
    pub(crate) keys: Vec<String>,
    /// How the values of all levels become one: `first`, `unique`, `hash`, `deep`, or an object with `strategy` and its
    /// options, as `lookup_options` take it. Without it the data decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<Merge>))]
    pub(crate) merge: Option<Json>,
    /// The value if nothing is found.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(test, schema(value_type = Any, required = false))]
    pub(crate) default: Option<Json>,
    /// The Puppet type that values must have.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "Integer"))]
    pub(crate) value_type: Option<String>,
    /// Whether removals hold at every depth of the hierarchy.
    #[serde(default)]
    pub(crate) strict_knockout: bool,
    /// Whether to tell where every part of a value comes from.
    #[serde(default)]
    pub(crate) origins: bool,
    /// Whether to show secrets; the service has to allow it.
    #[serde(default)]
    pub(crate) reveal: bool,
}

/// A value that is there, be it null.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

/// Any JSON value.
#[cfg(test)]
#[derive(ToSchema)]
#[schema(value_type = Value)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct Any(Json);

/// A merge strategy: its name, or an object with `strategy` and its options.
#[cfg(test)]
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) enum Merge {
    /// `first`, `unique`, `hash` or `deep`.
    Name(String),
    /// With options.
    #[schema(value_type = Object)]
    Options(Map<String, Json>),
}

/// The answers to a lookup.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct LookupResponse {
    /// The environment that was asked.
    pub(crate) environment: String,
    /// The node that was asked, if it has a name.
    pub(crate) node: Option<String>,
    /// One answer for each key, in the order of the keys.
    pub(crate) answers: Vec<Answer>,
}

/// The answer for one key.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct Answer {
    /// The key.
    pub(crate) key: String,
    /// Whether it has a value, or the default stands in.
    pub(crate) found: bool,
    /// The value, if it was found; secrets are covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Any, required = false))]
    pub(crate) value: Option<Json>,
    /// Where every part of the value comes from, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) origins: Option<Vec<OriginRow>>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Fault>,
    /// The levels that were not asked, though they may have the key: their data is kept elsewhere, or the settings leave them out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) not_asked: Vec<LevelLeftOut>,
}

/// A level that was not asked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct LevelLeftOut {
    /// The name of the level.
    pub(crate) level: String,
    /// Why it was not asked.
    pub(crate) reason: String,
}

/// A part of a value, and where it comes from: a place in a file, or something with a name.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct OriginRow {
    /// The keys and indexes that lead to the part.
    #[cfg_attr(test, schema(value_type = Vec<Any>))]
    pub(crate) path: Vec<Json>,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    /// The column in characters, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
    /// What it comes from, if that is no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
}

/// Why there is no value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct Fault {
    /// What kind of fault it is; `key-not-found` if there is none but that.
    #[cfg_attr(test, schema(example = "key-not-found"))]
    pub(crate) code: String,
    /// The fault in words.
    pub(crate) message: String,
    /// The file that it lies in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    /// The column in characters, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
    /// What to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
}

/// A key to explain; everything but `keys` as in a lookup.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplainRequest {
    /// The environment's name; the service's default without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) environment: Option<String>,
    /// The node's name. Without `facts`, its stored facts are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "web01.example.com"))]
    pub(crate) node: Option<String>,
    /// The node's facts; stored facts are not used then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<Object>))]
    pub(crate) facts: Option<Map<String, Json>>,
    /// The trusted data, with `facts`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<Object>))]
    pub(crate) trusted: Option<Map<String, Json>>,
    /// Variables of the top scope, with `facts`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<Object>))]
    pub(crate) variables: Option<Map<String, Json>>,
    /// The key.
    #[cfg_attr(test, schema(example = "profile::web::port"))]
    pub(crate) key: String,
    /// How the values of all levels become one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<Merge>))]
    pub(crate) merge: Option<Json>,
    /// Whether to explain `lookup_options` alone.
    #[serde(default)]
    pub(crate) only_options: bool,
    /// Whether to show secrets; the service has to allow it.
    #[serde(default)]
    pub(crate) reveal: bool,
}

/// An answer, and how it came about.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct ExplainResponse {
    /// The environment that was asked.
    pub(crate) environment: String,
    /// The node that was asked, if it has a name.
    pub(crate) node: Option<String>,
    /// The answer.
    pub(crate) answer: Answer,
    /// The explanation, as `puppet lookup --explain` prints it.
    pub(crate) text: String,
    /// The same as data, as `puppet lookup --explain --render-as json` prints it.
    #[cfg_attr(test, schema(value_type = Any))]
    pub(crate) explanation: Json,
}

/// An explanation before it is sent.
pub(crate) struct Explained {
    pub(crate) answer: Answer,
    pub(crate) text: String,
    pub(crate) explanation: Json,
}

/// Which part of a list is wanted.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct ListQuery {
    /// The environment's name; the service's default without it.
    pub(crate) environment: Option<String>,
    /// What names have to hold, in any case of letters.
    #[serde(default)]
    pub(crate) search: String,
    /// The name after which to go on.
    pub(crate) after: Option<String>,
    /// How many at most; 1,000 without it.
    #[cfg_attr(test, param(minimum = 1, maximum = 10000))]
    pub(crate) limit: Option<usize>,
}

/// Which environment is meant.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct EnvironmentQuery {
    /// The environment's name; the service's default without it.
    pub(crate) environment: Option<String>,
}

/// The nodes whose facts are stored.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct NodesResponse {
    /// Their names, sorted.
    pub(crate) nodes: Vec<String>,
    /// Whether there are more.
    pub(crate) more: bool,
}

/// The environments.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct EnvironmentsResponse {
    /// Their names, sorted.
    pub(crate) environments: Vec<String>,
    /// The one that is meant if a request names none.
    pub(crate) default: String,
}

/// The keys of a node.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct KeysResponse {
    /// The environment that was asked.
    pub(crate) environment: String,
    /// The node.
    pub(crate) node: String,
    /// The keys of all files that its hierarchies name, sorted.
    pub(crate) keys: Vec<String>,
    /// Whether there are more.
    pub(crate) more: bool,
}

/// A key, level by level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct LayersResponse {
    /// The environment that was asked.
    pub(crate) environment: String,
    /// The node.
    pub(crate) node: String,
    /// What a lookup answers.
    pub(crate) answer: Answer,
    /// What each level says, the highest first.
    pub(crate) layers: Vec<LayerAnswer>,
}

/// What one location of a level says of a key, interpolated, but neither merged nor converted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct LayerAnswer {
    /// `global`, `environment`, or `module` with its name.
    pub(crate) layer: String,
    /// The level's name.
    pub(crate) level: String,
    /// The file or address that it resolves to for the node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) location: Option<String>,
    /// Whether the location is there.
    pub(crate) exists: bool,
    /// Whether the level is one of a module's default hierarchy.
    pub(crate) default_hierarchy: bool,
    /// Whether it has the key.
    pub(crate) found: bool,
    /// Its value; secrets are covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Any, required = false))]
    pub(crate) value: Option<Json>,
    /// The file that the value stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The line that it begins at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    /// Why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Fault>,
}

/// What is searched for on all nodes.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct FindQuery {
    /// The environment's name; the service's default without it.
    pub(crate) environment: Option<String>,
    /// Words, all of which have to be in what is found, in any case of letters.
    #[serde(default)]
    pub(crate) q: String,
    /// How many of each kind at most; 50 without it.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    pub(crate) limit: Option<usize>,
}

/// What holds the words of a search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FindResponse {
    /// The environment that was asked.
    pub(crate) environment: String,
    /// What was searched for.
    pub(crate) q: String,
    /// How many nodes there are.
    pub(crate) nodes: usize,
    /// How many of them have been read.
    pub(crate) read: usize,
    /// Whether all of them have been read; if not, ask again.
    pub(crate) complete: bool,
    /// Keys whose names hold the words.
    #[serde(rename = "keys")]
    pub(crate) found_keys: Vec<FoundKey>,
    /// Values that hold the words, together with their keys.
    #[serde(rename = "values")]
    pub(crate) found_values: Vec<FoundValue>,
    /// Nodes whose names hold the words.
    #[serde(rename = "node_names")]
    pub(crate) found_nodes: Vec<String>,
    /// Files of data that are read for some node.
    #[serde(rename = "files")]
    pub(crate) found_files: Vec<FoundFile>,
    /// Facts whose names and values hold the words.
    #[serde(rename = "facts")]
    pub(crate) found_facts: Vec<FoundFact>,
    /// Whether there is more than the limit of some kind.
    pub(crate) more: bool,
}

/// How many nodes, and some of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FoundNodes {
    /// How many.
    pub(crate) count: usize,
    /// The names of the first.
    pub(crate) examples: Vec<String>,
}

/// A key that was found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FoundKey {
    /// The key.
    pub(crate) key: String,
    /// How many different values it has.
    pub(crate) values: usize,
    /// How many nodes have one.
    pub(crate) nodes: usize,
}

/// A value that was found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FoundValue {
    /// The key.
    pub(crate) key: String,
    /// The value as JSON on one line, cut if it is long; secrets are covered.
    pub(crate) value: String,
    /// Where it begins, for some of its nodes.
    pub(crate) places: Vec<String>,
    /// The nodes that have it.
    pub(crate) nodes: FoundNodes,
}

/// A file that was found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FoundFile {
    /// The file, seen from the environment.
    pub(crate) file: String,
    /// The nodes that read it.
    pub(crate) nodes: FoundNodes,
}

/// A fact that was found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FoundFact {
    /// Its name, with the path into it.
    pub(crate) fact: String,
    /// Its value.
    pub(crate) value: String,
    /// The nodes that have it.
    pub(crate) nodes: FoundNodes,
}

/// A key on all nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct SpreadResponse {
    /// The environment that was asked.
    pub(crate) environment: String,
    /// The key.
    pub(crate) key: String,
    /// How many nodes there are.
    pub(crate) nodes: usize,
    /// How many of them have been read.
    pub(crate) read: usize,
    /// Whether all of them have been read; if not, ask again.
    pub(crate) complete: bool,
    /// Its different values, the most frequent first.
    pub(crate) values: Vec<SpreadValue>,
    /// The nodes that have no value.
    pub(crate) without: Vec<String>,
    /// The facts that exactly those have alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) without_distinguished_by: Option<String>,
}

/// One value of a key, and who has it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct SpreadValue {
    /// The value; secrets are covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Any, required = false))]
    pub(crate) value: Option<Json>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// Where it begins, for some of its nodes.
    pub(crate) places: Vec<String>,
    /// The facts that exactly these nodes have alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) distinguished_by: Option<String>,
    /// The nodes that have it.
    pub(crate) nodes: Vec<String>,
}

/// By what nodes are put into groups.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct HierarchyQuery {
    /// The environment's name; the service's default without it.
    pub(crate) environment: Option<String>,
    /// The fact whose values make the groups, with the path into it. Without it, there are no groups.
    pub(crate) by: Option<String>,
}

/// The levels of the hierarchies, for all nodes together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct HierarchyResponse {
    /// The environment that was asked.
    pub(crate) environment: String,
    /// How many nodes there are.
    pub(crate) nodes: usize,
    /// How many of them have been read.
    pub(crate) read: usize,
    /// Whether all of them have been read; if not, ask again.
    pub(crate) complete: bool,
    /// The fact by which nodes are put into groups, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<String>,
    /// The groups, the largest first; those without the fact, and with its rarest values if there are many, are the last one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) groups: Vec<GroupRow>,
    /// The levels, the highest first.
    pub(crate) levels: Vec<LevelRow>,
}

/// A group of nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct GroupRow {
    /// The value of the fact; none for the last group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    /// How many nodes are in it.
    pub(crate) nodes: usize,
}

/// What a level is good for on a group of nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct GroupUseRow {
    /// How many nodes of the group have a file there.
    pub(crate) nodes: usize,
    /// How many keys these files set.
    pub(crate) keys: usize,
    /// For how many of these keys the level is the highest on at least one node of the group.
    pub(crate) highest: usize,
}

/// What a level is good for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct LevelRow {
    /// The module whose hierarchy it is in; none for those of the machine and the environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) module: Option<String>,
    /// The level's name.
    pub(crate) level: String,
    /// How many nodes have a file there.
    pub(crate) nodes: usize,
    /// How many files they read there.
    pub(crate) files: usize,
    /// How many keys these files set.
    pub(crate) keys: usize,
    /// For how many of these keys the level is the highest on at least one node.
    pub(crate) highest: usize,
    /// What it is good for on each of the groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) groups: Vec<GroupUseRow>,
}

/// A node's facts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FactsResponse {
    /// The node.
    pub(crate) node: String,
    /// Its facts.
    #[cfg_attr(test, schema(value_type = Object))]
    pub(crate) facts: Map<String, Json>,
}

/// That the service is there.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct Health {
    /// `ok`.
    pub(crate) status: String,
}
