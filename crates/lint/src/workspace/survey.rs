//! [`Survey`] collects the names in a control repository, for completion and suggestions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use hieratic::{Facts, Hash, Settings, Value};

use super::Workspace;
use super::data::{DataFile, LOOKUP_OPTIONS, LevelMatch, may_have};
use super::nodes::SYNTHETIC;
use super::pattern::{Bindings, node_for};

/// The names that a control repository has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The keys of all data files that a node may read, sorted.
    pub keys: Vec<String>,
    /// The nodes that have their own data file, sorted.
    pub nodes: Vec<String>,
}

/// The variables that are the name of a node.
const NAMES: [&str; 4] = ["trusted.certname", "clientcert", "fqdn", "networking.fqdn"];

/// The variables that are the first part of the name of a node, and all of it where a node has a short name.
const HOST_NAMES: [&str; 3] = ["trusted.hostname", "hostname", "networking.hostname"];

/// The name of a node, if a bound variable contains it.
fn name_in(bindings: &Bindings) -> Option<&str> {
    value_of(bindings, &NAMES)
}

/// The endings of variables of a site that name a node, such as `verified_host`.
const NAME_ENDINGS: [&str; 7] = ["host", "hostname", "host_name", "node", "nodename", "node_name", "certname"];

/// The name of a node, if a bound variable is its name, the first part of the name, or called as names are.
fn likely_name_in(bindings: &Bindings) -> Option<&str> {
    name_in(bindings).or_else(|| value_of(bindings, &HOST_NAMES)).or_else(|| {
        let is_name = |variable: &str| {
            let last = variable.rsplit(['.', ':']).next().unwrap_or(variable);
            NAME_ENDINGS
                .iter()
                .any(|ending| last.strip_suffix(ending).is_some_and(|start| start.is_empty() || start.ends_with('_')))
        };
        bindings.iter().find(|(variable, _)| is_name(variable)).map(|(_, value)| value.as_str())
    })
}

/// The value of the first of some variables that is bound.
fn value_of<'b>(bindings: &'b Bindings, names: &[&str]) -> Option<&'b str> {
    let is_name = |variable: &str| {
        let variable = variable.strip_prefix("::").unwrap_or(variable);
        names.contains(&variable.strip_prefix("facts.").unwrap_or(variable))
    };
    bindings.iter().find(|(variable, _)| is_name(variable)).map(|(_, value)| value.as_str())
}

/// Collects the names in a control repository. Returns `None` if it cannot be read.
pub fn survey(settings: &Settings) -> Option<Survey> {
    let workspace = Workspace::open(settings, &()).ok()?;
    let nodes: BTreeSet<&str> = bindings_of_files(&workspace).filter_map(likely_name_in).collect();
    let mut keys: Vec<String> =
        workspace.keys().into_iter().map(|key| hieratic::lookup::quoted_key(key).into_owned()).collect();
    keys.sort_unstable();
    Some(Survey { keys, nodes: nodes.into_iter().map(String::from).collect() })
}

/// The nodes that the paths of data files describe: for every file that a level reads, a node that reads it and has no
/// other facts; and one without any facts.
///
/// # Errors
/// The repository cannot be read.
fn nodes_of_data(settings: &Settings) -> Result<Vec<Facts>, String> {
    // The paths alone say which nodes there are.
    let workspace = Workspace::open_for(settings, &[]).map_err(|finding| finding.diagnostic.message.clone())?;
    Ok(nodes_of_files(&workspace))
}

fn nodes_of_files(workspace: &Workspace) -> Vec<Facts> {
    let mut seen = BTreeSet::new();
    let mut nodes = vec![Facts::named(SYNTHETIC)];
    for bindings in bindings_of_files(workspace) {
        if seen.insert(format!("{bindings:?}")) {
            nodes.extend(node_for(bindings, name_in(bindings).unwrap_or(SYNTHETIC)));
        }
    }
    nodes
}

/// Returns the nodes that have their own data file in any of the settings, sorted by name, with the facts in its path. The
/// first path that names a node decides. Settings that cannot be read contribute none, as in [`nodes_of_any_data`].
pub fn named_nodes_of_any_data(settings: &[&Settings]) -> Vec<Facts> {
    let mut nodes: BTreeMap<String, Facts> = BTreeMap::new();
    let opened = settings.iter().filter_map(|settings| Workspace::open_for(settings, &[]).ok());
    for workspace in opened {
        for bindings in bindings_of_files(&workspace) {
            let Some(name) = likely_name_in(bindings) else { continue };
            if !nodes.contains_key(name)
                && let Some(facts) = node_for(bindings, name)
            {
                nodes.insert(name.to_owned(), facts);
            }
        }
    }
    nodes.into_values().collect()
}

fn bindings_of_files(workspace: &Workspace) -> impl Iterator<Item = &Bindings> {
    workspace.files.iter().flat_map(|file| file.reached.iter().map(|reach| &reach.bindings))
}

/// Returns those nodes of [`nodes_of_any_data`] that represent all answers for some keys if some files change: one node
/// for each set of nodes that read the same of these files and of the files with the keys.
///
/// Nodes that only differ in other files have the same answers for the keys, because no other file mentions them. If a
/// level is not YAML or JSON, all nodes are returned.
pub fn nodes_of_data_about(settings: &[&Settings], keys: &[&str], changed: &BTreeSet<&Path>) -> Vec<Facts> {
    // Settings that cannot be read contribute none, as above.
    let opened = settings.iter().filter_map(|settings| Workspace::open_for(settings, &[]).ok());
    let mut nodes: BTreeMap<String, Facts> = BTreeMap::new();
    for facts in opened.flat_map(|workspace| nodes_about(&workspace, keys, changed)) {
        let known = format!("{} {}", facts.node().unwrap_or_default(), Value::from(facts.facts().clone()).inspect());
        nodes.entry(known).or_insert(facts);
    }
    nodes.into_values().collect()
}

fn nodes_about(workspace: &Workspace, keys: &[&str], changed: &BTreeSet<&Path>) -> Vec<Facts> {
    if workspace.has_other_sources() {
        return nodes_of_files(workspace);
    }
    let is_about = |file: &&Arc<DataFile>| {
        let text = file.source().text();
        // A pattern in the options may match a key.
        changed.contains(file.path())
            || keys.iter().any(|key| may_have(text, key))
            || text.contains(LOOKUP_OPTIONS) && text.contains('^')
    };
    let about: Vec<&Arc<DataFile>> = workspace.files.iter().filter(is_about).collect();
    let read_with = |bindings: &Bindings| -> Vec<usize> {
        let reads = |file: &Arc<DataFile>| {
            let fits =
                |reach: &LevelMatch| reach.bindings.iter().all(|(name, value)| bindings.get(name) == Some(value));
            file.reached.iter().any(fits)
        };
        about.iter().enumerate().filter(|(_, file)| reads(file)).map(|(index, _)| index).collect()
    };
    let mut seen = BTreeSet::from([read_with(&Bindings::new())]);
    let mut nodes = vec![Facts::named(SYNTHETIC)];
    for bindings in bindings_of_files(workspace) {
        if seen.insert(read_with(bindings)) {
            nodes.extend(node_for(bindings, name_in(bindings).unwrap_or(SYNTHETIC)));
        }
    }
    nodes
}

/// Returns the distinct nodes that the data of any of the settings describes, sorted by name. Settings that cannot be
/// read contribute none: opening their environment reports the error.
pub fn nodes_of_any_data(settings: &[&Settings]) -> Vec<Facts> {
    let mut nodes: BTreeMap<String, Facts> = BTreeMap::new();
    for facts in settings.iter().flat_map(|settings| nodes_of_data(settings).unwrap_or_default()) {
        let known = format!("{} {}", facts.node().unwrap_or_default(), Value::from(facts.facts().clone()).inspect());
        nodes.entry(known).or_insert(facts);
    }
    nodes.into_values().collect()
}

/// Returns the name of a node for messages or, for a synthetic node, the facts that its data files need.
pub fn shown_node(facts: &Facts) -> String {
    match facts.node() {
        Some(SYNTHETIC) | None => {}
        Some(name) => return name.to_owned(),
    }
    let of_name = pairs(&Facts::named(SYNTHETIC));
    let mut needed = pairs(facts);
    needed.retain(|pair| !of_name.contains(pair));
    if needed.is_empty() { "any other node".to_owned() } else { needed.join(" and ") }
}

/// Each scalar of facts as `name=value`, the name with dots.
fn pairs(facts: &Facts) -> Vec<String> {
    fn add(facts: &Hash, above: &str, pairs: &mut Vec<String>) {
        for (name, value) in facts.iter() {
            let name = format!("{above}{}", name.to_text());
            match value {
                Value::Hash(inner) => add(inner, &format!("{name}."), pairs),
                Value::Array(elements) => {
                    pairs.extend(elements.iter().map(|element| format!("{name}={}", element.to_text())));
                }
                value => pairs.push(format!("{name}={}", value.to_text())),
            }
        }
    }
    let mut all = Vec::new();
    add(facts.facts(), "", &mut all);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_survey_has_keys_and_nodes_of_all_files() {
        let root = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: N, path: 'nodes/%{trusted.certname}.yaml'}\n  - {name: R, path: 'roles/%{facts.role}.yaml'}\n  - {name: H, path: 'hosts/%{trusted.hostname}.yaml'}\n  - {name: V, path: 'sites/%{facts.site}/%{::verified_host}.yaml'}\n  - {name: G, path: 'groups/%{facts.hostgroup}.yaml'}\n",
        );
        write("data/nodes/web01.yaml", "a::b: 1\n");
        write("data/hosts/mail.yaml", "a::b: 2\n");
        write("data/sites/eu/eu-db-1.yaml", "a::b: 3\n");
        write("data/groups/all.yaml", "a::b: 4\n");
        write("data/roles/db.yaml", "c.d: 1\nlookup_options: {}\n");
        let settings = Settings { environment_dir: Some(root.path().into()), ..Settings::default() };
        let survey = survey(&settings).unwrap();
        assert_eq!(survey.keys, ["'c.d'", "a::b"]);
        assert_eq!(survey.nodes, ["eu-db-1", "mail", "web01"]);
        let named = named_nodes_of_any_data(&[&settings]);
        assert_eq!(named.iter().map(|facts| facts.node().unwrap()).collect::<Vec<_>>(), ["eu-db-1", "mail", "web01"]);
        let site = named[0].facts().get("site").map(Value::to_text);
        assert_eq!(site.as_deref(), Some("eu"), "its path has facts of it");
        let nodes = nodes_of_data(&settings).unwrap();
        assert_eq!(
            nodes.iter().map(shown_node).collect::<Vec<_>>(),
            [
                "any other node",
                "hostgroup=all",
                "any other node",
                "web01",
                "role=db",
                "verified_host=eu-db-1 and site=eu"
            ]
        );
    }
}
