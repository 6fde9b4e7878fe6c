//! The types of requests and answers. The OpenAPI description is generated from them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

/// Selects a node of an environment, and gives its facts.
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
    /// The merge strategy: `first`, `unique`, `hash`, `deep`, or an object with `strategy` and its options, as in
    /// `lookup_options`. By default the data decides.
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
    /// Applies the knockout prefix at every depth of the merged values.
    #[serde(default)]
    pub(crate) strict_knockout: bool,
    /// Adds the origin of every part of the value.
    #[serde(default)]
    pub(crate) origins: bool,
    /// Reveals secrets; the service has to allow it.
    #[serde(default)]
    pub(crate) reveal: bool,
}

/// Deserializes a value that is present, even if it is null.
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
    /// A strategy with options.
    #[schema(value_type = Object)]
    Options(Map<String, Json>),
}

/// The answers to a lookup.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct LookupResponse {
    /// The environment.
    pub(crate) environment: String,
    /// The name of the node, if it has one.
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
    /// Whether the key has a value, from the data or from the default.
    pub(crate) found: bool,
    /// The value, if it was found; secrets are redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Any, required = false))]
    pub(crate) value: Option<Json>,
    /// The origins of all parts of the value, if the request wants them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) origins: Option<Vec<OriginRow>>,
    /// The reason why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Fault>,
    /// The levels that were skipped although they may have the key: their data is elsewhere, or the settings exclude
    /// them.
    #[serde(rename = "not_asked", skip_serializing_if = "Vec::is_empty")]
    pub(crate) skipped_levels: Vec<LevelLeftOut>,
}

/// A level that was skipped.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct LevelLeftOut {
    /// The name of the level.
    pub(crate) level: String,
    /// The reason why it was skipped.
    pub(crate) reason: String,
}

/// A part of a value with its origin: a position in a file, or a named source.
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
    /// The source of the part, if it is not a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
}

/// The reason why there is no value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct Fault {
    /// The code of the error; `key-not-found` if the key is only missing.
    #[cfg_attr(test, schema(example = "key-not-found"))]
    pub(crate) code: String,
    /// The message of the error.
    pub(crate) message: String,
    /// The file with the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    /// The column in characters, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
    /// Suggestions to fix the error.
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
    /// The merge strategy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<Merge>))]
    pub(crate) merge: Option<Json>,
    /// Explains `lookup_options` alone.
    #[serde(default)]
    pub(crate) only_options: bool,
    /// Reveals secrets; the service has to allow it.
    #[serde(default)]
    pub(crate) reveal: bool,
}

/// An answer with its explanation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct ExplainResponse {
    /// The environment.
    pub(crate) environment: String,
    /// The name of the node, if it has one.
    pub(crate) node: Option<String>,
    /// The answer.
    pub(crate) answer: Answer,
    /// The explanation, as `puppet lookup --explain` prints it.
    pub(crate) text: String,
    /// The explanation as data, as `puppet lookup --explain --render-as json` prints it.
    #[cfg_attr(test, schema(value_type = Any))]
    pub(crate) explanation: Json,
}

/// An explanation before it is sent.
pub(crate) struct Explained {
    pub(crate) answer: Answer,
    pub(crate) text: String,
    pub(crate) explanation: Json,
}

/// Selects a part of a list.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct ListQuery {
    /// The environment's name; the service's default without it.
    pub(crate) environment: Option<String>,
    /// Text that the names must contain, ignoring case.
    #[serde(default)]
    pub(crate) search: String,
    /// The name after which the list starts.
    pub(crate) after: Option<String>,
    /// The maximum number of names (default: 1,000).
    #[cfg_attr(test, param(minimum = 1, maximum = 10000))]
    pub(crate) limit: Option<usize>,
}

/// Selects an environment.
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
    /// The names of the nodes, sorted.
    pub(crate) nodes: Vec<String>,
    /// Whether there are more names.
    pub(crate) more: bool,
    /// The places where nodes occur again in the file of facts, up to 100: the first facts of a node are used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) repeated: Vec<String>,
}

/// The environments.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct EnvironmentsResponse {
    /// The names of the environments, sorted.
    pub(crate) environments: Vec<String>,
    /// The default environment.
    pub(crate) default: String,
}

/// The keys of a node.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct KeysResponse {
    /// The environment.
    pub(crate) environment: String,
    /// The node.
    pub(crate) node: String,
    /// The keys of all files that its hierarchies name, sorted.
    pub(crate) keys: Vec<String>,
    /// Whether there are more keys.
    pub(crate) more: bool,
}

/// A key, level by level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct LayersResponse {
    /// The environment.
    pub(crate) environment: String,
    /// The node.
    pub(crate) node: String,
    /// The answer of the lookup.
    pub(crate) answer: Answer,
    /// The value of each level, from the highest priority to the lowest.
    pub(crate) layers: Vec<LayerAnswer>,
}

/// The value of a key at one location of a level: interpolated, but neither merged nor converted.
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
    /// Whether the location exists.
    pub(crate) exists: bool,
    /// Whether the level belongs to the default hierarchy of a module.
    pub(crate) default_hierarchy: bool,
    /// Whether the location has the key.
    pub(crate) found: bool,
    /// The value; secrets are redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Any, required = false))]
    pub(crate) value: Option<Json>,
    /// The file of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The line that it begins at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    /// The reason why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Fault>,
}

/// Selects the environment and the words of a search over all nodes.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct FindQuery {
    /// The environment's name; the service's default without it.
    pub(crate) environment: Option<String>,
    /// The words; a result contains all of them, ignoring case.
    #[serde(default)]
    pub(crate) q: String,
    /// The maximum number of results of each kind (default: 50).
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    pub(crate) limit: Option<usize>,
}

/// The results of a search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FindResponse {
    /// The environment.
    pub(crate) environment: String,
    /// The words of the search.
    pub(crate) q: String,
    /// The number of nodes.
    pub(crate) nodes: usize,
    /// The number of nodes that have been read.
    pub(crate) read: usize,
    /// Whether all nodes have been read; if not, retry.
    pub(crate) complete: bool,
    /// Keys whose names contain the words.
    #[serde(rename = "keys")]
    pub(crate) found_keys: Vec<FoundKey>,
    /// Values that hold the words, together with their keys.
    #[serde(rename = "values")]
    pub(crate) found_values: Vec<FoundValue>,
    /// Keys on nodes: some of the words are in the name of the node, or are a fact of it, and the others in the key or the value.
    #[serde(rename = "on_nodes")]
    pub(crate) found_on_nodes: Vec<FoundOnNode>,
    /// Nodes whose names contain the words.
    #[serde(rename = "node_names")]
    pub(crate) found_nodes: Vec<String>,
    /// Files of data that are read for some node.
    #[serde(rename = "files")]
    pub(crate) found_files: Vec<FoundFile>,
    /// Facts whose names and values contain the words.
    #[serde(rename = "facts")]
    pub(crate) found_facts: Vec<FoundFact>,
    /// Whether any kind has more results than the limit.
    pub(crate) more: bool,
}

/// The number of nodes, and the names of some.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FoundNodes {
    /// The number of nodes.
    pub(crate) count: usize,
    /// The names of the first.
    pub(crate) examples: Vec<String>,
}

impl FoundNodes {
    /// The name of the first; empty if there is none.
    pub(crate) fn first(&self) -> &str {
        self.examples.first().map_or("", String::as_str)
    }
}

/// A key that was found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FoundKey {
    /// The key.
    pub(crate) key: String,
    /// The number of different values.
    pub(crate) values: usize,
    /// The number of nodes with a value.
    pub(crate) nodes: usize,
}

/// A value that was found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FoundValue {
    /// The key.
    pub(crate) key: String,
    /// The value as JSON on one line, truncated if it is long; secrets are redacted.
    pub(crate) value: String,
    /// The path to the part of the value that holds the words, if it is a part: `servers[0].name`. `value` is that part
    /// then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) part: Option<String>,
    /// The positions of the value, or of its part, for some of its nodes.
    pub(crate) places: Vec<String>,
    /// The nodes that have it.
    pub(crate) nodes: FoundNodes,
}

/// A key that was found on some nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FoundOnNode {
    /// The key.
    pub(crate) key: String,
    /// The value as JSON on one line, truncated if it is long; secrets are redacted.
    pub(crate) value: String,
    /// The positions of the value.
    pub(crate) places: Vec<String>,
    /// The nodes that match and have this value.
    pub(crate) nodes: FoundNodes,
}

/// A file that was found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FoundFile {
    /// The file, relative to the environment.
    pub(crate) file: String,
    /// The nodes that read it.
    pub(crate) nodes: FoundNodes,
}

/// A fact that was found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FoundFact {
    /// The name of the fact, as a path.
    pub(crate) fact: String,
    /// The value of the fact.
    pub(crate) value: String,
    /// The nodes that have it.
    pub(crate) nodes: FoundNodes,
}

/// A key on all nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct SpreadResponse {
    /// The environment.
    pub(crate) environment: String,
    /// The key.
    pub(crate) key: String,
    /// The number of nodes.
    pub(crate) nodes: usize,
    /// The number of nodes that have been read.
    pub(crate) read: usize,
    /// Whether all nodes have been read; if not, retry.
    pub(crate) complete: bool,
    /// The different values, the most frequent first.
    pub(crate) values: Vec<SpreadValue>,
    /// The nodes that have no value.
    pub(crate) without: Vec<String>,
    /// The facts that these nodes share, and no other node has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) without_distinguished_by: Option<String>,
}

/// One value of a key, and its nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct SpreadValue {
    /// The value; secrets are redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Any, required = false))]
    pub(crate) value: Option<Json>,
    /// The reason why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// The positions of the value, for some of its nodes.
    pub(crate) places: Vec<String>,
    /// The facts that these nodes share, and no other node has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) distinguished_by: Option<String>,
    /// The nodes that have it.
    pub(crate) nodes: Vec<String>,
}

/// The fact or value by which nodes are grouped.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct HierarchyQuery {
    /// The environment's name; the service's default without it.
    pub(crate) environment: Option<String>,
    /// The fact whose values form the groups, as a path. Without it, there are no groups.
    pub(crate) by: Option<String>,
}

/// The levels of the hierarchies, for all nodes together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct HierarchyResponse {
    /// The environment.
    pub(crate) environment: String,
    /// The number of nodes.
    pub(crate) nodes: usize,
    /// The number of nodes that have been read.
    pub(crate) read: usize,
    /// Whether all nodes have been read; if not, retry.
    pub(crate) complete: bool,
    /// The fact that forms the groups, if the request names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<String>,
    /// The groups, the largest first; those without the fact, and with its rarest values if there are many, are the last one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) groups: Vec<GroupRow>,
    /// The levels, from the highest priority to the lowest.
    pub(crate) levels: Vec<LevelRow>,
}

/// A group of nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct GroupRow {
    /// The value of the fact; none for the last group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    /// The number of nodes in the group.
    pub(crate) nodes: usize,
}

/// The contribution of a level on a group of nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct GroupUseRow {
    /// The number of nodes of the group with a file at the level.
    pub(crate) nodes: usize,
    /// The number of keys that these files define.
    pub(crate) keys: usize,
    /// The number of keys for which the level has the highest priority on at least one node of the group.
    pub(crate) highest: usize,
}

/// The contribution of a level on all nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct LevelRow {
    /// The module whose hierarchy it is in; none for those of the machine and the environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) module: Option<String>,
    /// The level's name.
    pub(crate) level: String,
    /// The number of nodes with a file at the level.
    pub(crate) nodes: usize,
    /// The number of files that the nodes read at the level.
    pub(crate) files: usize,
    /// The number of keys that these files define.
    pub(crate) keys: usize,
    /// The number of keys for which the level has the highest priority on at least one node.
    pub(crate) highest: usize,
    /// The reason why the level is not asked, if it is skipped.
    #[serde(rename = "not_asked", skip_serializing_if = "Option::is_none")]
    pub(crate) skipped: Option<String>,
    /// The contribution on each of the groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) groups: Vec<GroupUseRow>,
}

/// A node's facts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FactsResponse {
    /// The node.
    pub(crate) node: String,
    /// The facts of the node.
    #[cfg_attr(test, schema(value_type = Object))]
    pub(crate) facts: Map<String, Json>,
}

/// The state of the service.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct Health {
    /// `ok`.
    pub(crate) status: String,
}
