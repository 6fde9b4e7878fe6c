//! [`SourceFile`]: a file of an environment as a page shows it, without possible secrets.
//!
//! Readers of a page must not see secrets. A line of data is shown only if no lookup of its key is secret, on any node.
//! Lines of code are shown, except those with sensitive values.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use axum::http::StatusCode;
use hieratic::budget::Budget;
use hieratic::codes::hiera as codes;
use hieratic::dependencies::SourceData;
use hieratic::diagnostics::Code;
use hieratic::explain::{PartStatus, WhyLayer};
use hieratic::lookup::{Object, Origin, quoted_key};
use hieratic::sandbox::Files;
use hieratic::{Node, Query};

use crate::fleet::Index;
use crate::lookups::NodeContext;
use crate::nodes::NodeSelector;
use crate::problem::Problem;
use crate::{Service, findings, json, lookups, suggestions};
use hieratic_report::pages::NodeLevels;

/// The largest file that is shown, in bytes.
const MAX_BYTES: u64 = 2 << 20;

/// The maximum number of lines that are shown.
pub(crate) const MAX_LINES: usize = 20_000;

/// The maximum number of keys of a file whose use is looked at.
const MAX_KEYS: usize = 3000;

/// The ends of the names of files that hold code or configuration, not data.
const CODE: [&str; 2] = ["pp", "epp"];
/// The names of files of configuration.
const CONFIGURATION: [&str; 4] = ["hiera.yaml", "environment.conf", "metadata.json", "Puppetfile"];

/// The codes of errors that concern encrypted values.
const ENCRYPTED: [Code; 2] = [codes::EYAML_DECRYPT, codes::EYAML_ENCRYPTOR];

/// The use of a line on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineUse {
    /// It is part of an answer, or nothing is known against it.
    Counts,
    /// Its value is not in the answer.
    Loses,
}

/// A line of a file.
#[derive(Clone, Debug)]
pub(crate) struct FileLine {
    /// The text; `None` if it is or may be secret.
    pub(crate) text: Option<String>,
    /// The key that begins on this line.
    pub(crate) key: Option<String>,
    pub(crate) line_use: LineUse,
}

/// The winner of a key whose value in this file loses.
#[derive(Clone, Debug)]
pub(crate) struct Winner {
    pub(crate) path: PathBuf,
    pub(crate) line: u32,
}

/// A file with the findings and keys of its lines.
pub(crate) struct SourceFile {
    pub(crate) path: PathBuf,
    /// The name, relative to the environment.
    pub(crate) name: String,
    pub(crate) lines: Vec<FileLine>,
    /// For the keys of which all loses, the place of the answer.
    pub(crate) winners: BTreeMap<String, Winner>,
    /// The node that the use is shown for; empty for files that are not data of a node.
    pub(crate) node: String,
    /// The level of that node.
    pub(crate) level: Option<String>,
    /// Some of the nodes that read it, and how many do, if all nodes were read.
    pub(crate) readers: Option<(Vec<String>, usize)>,
    /// Whether it is data.
    pub(crate) is_data: bool,
    /// The number of keys whose values are not shown because they are or may be secret.
    pub(crate) hidden_keys: usize,
    /// The number of keys whose values are not shown because an error hides whether they are secret, and the first error.
    pub(crate) failed_keys: Option<(usize, String)>,
    /// Whether values are not shown only because not all nodes were read yet.
    pub(crate) is_waiting: bool,
}

/// Reads a file of an environment for a page.
pub(crate) fn source_file(
    service: &Service,
    environment: &str,
    name: &str,
    node: &str,
    budget: &Budget,
) -> Result<SourceFile, Problem> {
    let (opened, _) = service.nodes.environments.get(environment)?;
    let root = opened.environment.layers().environment.root.clone();
    let path = plain_path(&root, name)?;
    if is_code(&path) {
        return code_file(&root, path, name);
    }
    let index = service.fleet.index(service, environment, budget)?;
    let readers = index.files().iter().find(|file| *file.path == *path).map(|file| index.readers_of(file));
    let readers: Vec<String> = readers.unwrap_or_default().into_iter().map(|node| index.nodes[node].clone()).collect();
    let node = match (node, readers.first()) {
        ("", Some(first)) => first.clone(),
        ("", None) => return Err(unread(&index, name)),
        (node, _) => node.to_string(),
    };
    let selector = NodeSelector::Stored(node.clone());
    let lines = service.nodes.ask(environment, &selector, budget, &|subject| {
        let levels = NodeLevels::new(subject.node, subject.budget);
        levels.data_of(&path).cloned().map(|data| data_file(subject, &levels, &path, &data, &index))
    });
    let lines = lines.map_err(|problem| suggestions::of_node(service, environment, &node, problem))?;
    let Some(lines) = lines else {
        let detail = format!("the node '{node}' does not read {name}");
        return Err(Problem::not_found(detail).help("leave the node out, or choose one that reads the file"));
    };
    let file = lines?;
    let readers = (readers.iter().take(MAX_READERS).cloned().collect(), readers.len());
    Ok(SourceFile { name: name.into(), node, readers: index.is_complete().then_some(readers), ..file })
}

/// The maximum number of readers that are named.
const MAX_READERS: usize = 200;

/// Returns the path of a file, which must be plain: no way out of a folder, no hidden folder such as `.git`.
fn plain_path(root: &Path, name: &str) -> Result<PathBuf, Problem> {
    let given = Path::new(name);
    let is_plain = |part: Component<'_>| match part {
        Component::Normal(part) => part.to_str().is_some_and(|part| !part.starts_with('.')),
        Component::RootDir => true,
        _ => false,
    };
    if name.is_empty() || name.contains('\0') || !given.components().all(is_plain) {
        return Err(Problem::bad_request("`path` is not the name of a file").help("name a file of the environment"));
    }
    Ok(root.join(given))
}

fn is_code(path: &Path) -> bool {
    let has_end = path.extension().and_then(|end| end.to_str()).is_some_and(|end| CODE.contains(&end));
    has_end || path.file_name().and_then(|name| name.to_str()).is_some_and(|name| CONFIGURATION.contains(&name))
}

fn unread(index: &Index, name: &str) -> Problem {
    if !index.is_final() {
        return Problem::unavailable(format!("no node that was read so far reads {name}"))
            .help("nodes are still being read: try again in a moment");
    }
    let help = "the pages show data only where it is known that no lookup of it is secret, so they show the files that nodes read";
    Problem::not_found(format!("no node reads {name}")).help(help)
}

fn missing(name: &str, error: &std::io::Error) -> Problem {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::PermissionDenied => {
            Problem::not_found(format!("there is no file {name} in the environment"))
        }
        _ => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{name} cannot be shown: {error}")),
    }
}

/// A file of code or configuration, within the environment.
fn code_file(root: &Path, path: PathBuf, name: &str) -> Result<SourceFile, Problem> {
    if !path.starts_with(root) {
        return Err(Problem::not_found(format!("there is no file {name} in the environment")));
    }
    let files = Files::below([root]).with_largest(MAX_BYTES);
    let text = files.read_text(&path).map_err(|error| missing(name, &error))?;
    let line = |text: &str| FileLine {
        text: findings::may_show_message(&path, text).then(|| text.to_string()),
        key: None,
        line_use: LineUse::Counts,
    };
    let lines: Vec<FileLine> = text.lines().take(MAX_LINES).map(line).collect();
    Ok(SourceFile {
        hidden_keys: lines.iter().filter(|line| line.text.is_none()).count(),
        failed_keys: None,
        lines,
        name: name.into(),
        path,
        winners: BTreeMap::new(),
        node: String::new(),
        level: None,
        readers: None,
        is_data: false,
        is_waiting: false,
    })
}

/// The use of a key of a file on a node.
#[derive(Default)]
struct KeyUse {
    /// Whether its values may be shown.
    is_open: bool,
    /// The error that hides whether they may.
    failure: Option<String>,
    /// Whether another level has the answer, and this file adds nothing to it.
    loses: bool,
    /// The lines of the parts that are not in the answer, though others are.
    lost: HashSet<u32>,
    winner: Option<Winner>,
}

/// A file of data on a node that reads it.
fn data_file(
    subject: &NodeContext<'_>,
    levels: &NodeLevels,
    path: &Path,
    data: &SourceData,
    index: &Index,
) -> Result<SourceFile, Problem> {
    // The file was read by a lookup of this node, wherever the configuration places it.
    let files = Files::below(path.parent()).with_largest(MAX_BYTES);
    let text = files.read_text(path).map_err(|error| missing(&path.display().to_string(), &error))?;
    let mut starts: Vec<(u32, &str)> = data.keys().filter_map(|key| Some((data.line_of(key)?, &**key))).collect();
    starts.sort_unstable();
    let module = levels.of_file(path).and_then(|level| levels.levels.get(level)).and_then(|level| level.module.clone());
    let mut uses: HashMap<&str, KeyUse> = HashMap::new();
    let mut is_waiting = false;
    for (_, key) in starts.iter().take(MAX_KEYS) {
        let is_foreign = module
            .as_ref()
            .is_some_and(|module| !key.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with("::")));
        let result = match *key {
            Node::OPTIONS_KEY => KeyUse { is_open: true, ..KeyUse::default() },
            _ if is_foreign => KeyUse::default(),
            key => {
                let rows = index.rows_of(key);
                let is_secret_elsewhere = rows.iter().any(|row| row.is_redacted());
                is_waiting |= !index.is_complete() && !is_secret_elsewhere;
                let mut key_use = key_use(subject, levels, path, key);
                // Where it works, a lookup proves that the key is not secret.
                let works_elsewhere = rows.iter().any(|row| !row.is_error);
                key_use.is_open |= key_use.failure.is_some() && works_elsewhere;
                key_use.is_open &= index.is_complete() && !is_secret_elsewhere;
                if key_use.is_open || is_secret_elsewhere {
                    key_use.failure = None;
                }
                key_use
            }
        };
        uses.insert(key, result);
    }
    // The text has to be that of the data, or lines of one key would be taken for those of another.
    let all: Vec<&str> = text.lines().collect();
    let is_plain = |key: &str| key.chars().all(|c| c.is_ascii_alphanumeric() || ":_-.".contains(c));
    let is_there = |(line, key): &(u32, &str)| {
        let found = all.get((*line as usize).saturating_sub(1));
        !is_plain(key) || found.is_some_and(|text| text.contains(key))
    };
    if !starts.iter().all(is_there) {
        return Err(Problem::unavailable("the file is being changed").help("try again in a moment"));
    }
    let mut lines = Vec::new();
    for (number, text) in (1u32..).zip(text.lines().take(MAX_LINES)) {
        let first = starts.partition_point(|(at, _)| *at < number);
        let begun: Vec<&str> =
            starts[first..].iter().take_while(|(at, _)| *at == number).map(|(_, key)| *key).collect();
        let before = first.checked_sub(1).and_then(|at| starts.get(at)).map(|(_, key)| *key);
        // A line that begins with its only key ends the value before it. Others may have parts of several.
        let is_alone = matches!(begun.as_slice(), [key] if text.trim_start_matches(['"', '\'']).starts_with(key));
        // Comments above the first key describe the file.
        let mut of_line = begun.iter().copied().chain(before.filter(|_| !is_alone));
        let is_open = of_line.all(|key| uses.get(key).is_some_and(|known| known.is_open));
        let key_use = begun.first().copied().or(before).and_then(|key| uses.get(key));
        let key = begun.first().map(|key| key.to_string());
        let masked = subject.redactor.text(text).into_owned();
        let is_comment = text.trim_start().starts_with('#');
        let line_use = match key_use {
            Some(known) if !is_comment => known.of_line(number),
            _ => LineUse::Counts,
        };
        lines.push(FileLine { text: is_open.then_some(masked), key, line_use });
    }
    let hidden_keys = uses.values().filter(|key_use| !key_use.is_open && key_use.failure.is_none()).count();
    let failures: Vec<&String> = starts.iter().filter_map(|(_, key)| uses.get(key)?.failure.as_ref()).collect();
    let failed_keys = failures.first().map(|first| (failures.len(), first.to_string()));
    let winners = uses
        .iter()
        .filter(|(_, key_use)| key_use.loses)
        .filter_map(|(key, key_use)| Some((key.to_string(), key_use.winner.clone()?)));
    Ok(SourceFile {
        winners: winners.collect(),
        path: path.to_owned(),
        name: String::new(),
        node: String::new(),
        level: levels.of_file(path).and_then(|level| levels.levels.get(level)).map(|level| level.name.clone()),
        readers: None,
        is_data: true,
        is_waiting: is_waiting && (hidden_keys > 0 || failed_keys.is_some()),
        hidden_keys,
        failed_keys,
        lines,
    })
}

impl KeyUse {
    fn of_line(&self, line: u32) -> LineUse {
        if self.loses || self.lost.contains(&line) { LineUse::Loses } else { LineUse::Counts }
    }
}

/// Returns the use of a key of a file on a node.
fn key_use(subject: &NodeContext<'_>, levels: &NodeLevels, path: &Path, key: &str) -> KeyUse {
    let quoted = quoted_key(key);
    let query = Query { conceal: true, budget: subject.budget.clone(), ..Query::new(&quoted) };
    let is_open = |object: &Object| !object.has_decrypted() && !object.has_hidden();
    let failed = |error: &hieratic::Error| KeyUse {
        failure: Some(lookups::message(subject, error, false)),
        ..KeyUse::default()
    };
    let surveys = match subject.node.survey_query(&query) {
        Ok(surveys) => surveys,
        Err(error) => return failed(&error),
    };
    for survey in &surveys {
        let is_public = match &survey.found {
            Ok(found) => found.as_ref().is_none_or(is_open),
            // An error in a value that is not encrypted hides no secret of this key. The result of a function may be one.
            Err(error) => {
                let is_encrypted = |place: &String| levels.is_encrypted(place.as_ref(), key);
                !ENCRYPTED.contains(&error.code()) && survey.location.as_ref().is_some_and(|place| !is_encrypted(place))
            }
        };
        if !is_public {
            return KeyUse::default();
        }
    }
    let why = subject.node.why(&query);
    let answer = match &why.answer {
        Ok(answer) if is_open(&answer.value) && !why.hides => &answer.value,
        Err(error) if error.code() == Node::NOT_FOUND => return KeyUse { is_open: true, ..KeyUse::default() },
        // Only the options of the key could make it secret then.
        Err(error) => {
            return match subject.node.may_hide(&query) {
                Ok(may_hide) => KeyUse { is_open: !may_hide, ..KeyUse::default() },
                // The page names the error of the lookup; that of its options says no more.
                Err(_) => failed(error),
            };
        }
        Ok(_) => return KeyUse::default(),
    };
    let is_here = |layer: &&WhyLayer| matches!(&layer.place, Some(Origin::File { file, .. }) if **file == *path);
    let (mut wins, mut lost) = (HashSet::new(), HashSet::new());
    for part in why.layers.iter().filter(is_here).flat_map(|layer| &layer.parts) {
        let is_effective = match &part.status {
            PartStatus::Kept => true,
            PartStatus::Knockout(removed) => !removed.is_empty(),
            _ => false,
        };
        let lines = lines_in(&part.value, path);
        if is_effective { wins.extend(lines) } else { lost.extend(lines) }
    }
    let contributes = why.layers.iter().any(|layer| is_here(&layer));
    let loses = !contributes && why.hidden.iter().any(|layer| is_here(&layer));
    let winner = json::leaves(answer, false).into_iter().find_map(|leaf| match leaf.origin {
        Some(Origin::File { file, line, .. }) => Some(Winner { path: file.to_path_buf(), line }),
        _ => None,
    });
    KeyUse { is_open: true, failure: None, loses, lost: lost.difference(&wins).copied().collect(), winner }
}

/// Returns the lines of the parts of a value that come from a file.
fn lines_in<'o>(object: &Object, path: &'o Path) -> impl Iterator<Item = u32> + use<'o> {
    json::leaves(object, false).into_iter().filter_map(move |leaf| match leaf.origin {
        Some(Origin::File { file, line, .. }) if *file == *path => Some(line),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_are_files() {
        let root = Path::new("/srv/env");
        for name in ["", "../x", "a/../b.pp", ".git/config", "a/.hidden/b.pp", "a\0b", "./a.pp"] {
            let lines = plain_path(root, name);
            // A leading dot alone means nothing and is dropped by the path.
            assert!(lines.is_err() || name == "./a.pp", "{name:?}: {lines:?}");
        }
        assert_eq!(plain_path(root, "data/a.yaml").ok(), Some("/srv/env/data/a.yaml".into()));
    }

    #[test]
    fn data_is_no_code() {
        assert!(is_code(Path::new("manifests/site.pp")) && is_code(Path::new("hiera.yaml")));
        assert!(!is_code(Path::new("data/common.yaml")) && !is_code(Path::new("keys/private.pem")));
    }
}
