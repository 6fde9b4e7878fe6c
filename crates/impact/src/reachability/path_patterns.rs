//! [`PathPatterns`]: the uninterpolated paths of hierarchies, and the files that they can match.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hieratic::hiera::inspect::{HierarchyFile, InterpolationKind, Level, Source, Whose, interpolations};
use hieratic::sandbox::{DirEntry, FileKind, Files};
use hieratic::{Environment, Facts, Value};

use crate::compare::Subject;
use crate::diff::Diff;

/// The uninterpolated paths of hierarchies.
#[derive(Clone, Debug, Default)]
pub(super) struct PathPatterns {
    /// Paths without variables.
    fixed: BTreeSet<PathBuf>,
    patterns: BTreeSet<Pattern>,
    /// The variables in the patterns.
    variables: BTreeSet<String>,
}

/// A path with variable parts: these literals in this order, with any text between them. The path begins with the first
/// literal and ends with the last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pattern(Vec<String>);

/// The functions that read the files of their levels, and nothing else.
const READERS: [(&str, &str); 4] = [
    ("yaml_data", "data_hash"),
    ("json_data", "data_hash"),
    ("hocon_data", "data_hash"),
    ("eyaml_lookup_key", "lookup_key"),
];
/// The options of `eyaml_lookup_key` that name files.
const KEY_OPTIONS: [&str; 2] = ["pkcs7_private_key", "pkcs7_public_key"];
/// The most names that are searched for links. A longer search takes more time than it saves.
const MOST_NAMES: usize = 200_000;

impl PathPatterns {
    /// Reads the paths of a layer; `None` if the paths do not determine which files it reads.
    pub(super) fn read(environment: &Environment, whose: Whose<'_>) -> Option<PathPatterns> {
        let layers = environment.layers();
        let mut written = PathPatterns::default();
        match HierarchyFile::read(layers, environment.capabilities(), whose, &mut Vec::new()).ok()? {
            Some(blueprint) => {
                for level in blueprint.levels.iter().chain(&blueprint.default_levels) {
                    written.add(level)?;
                }
            }
            // Without a configuration, the machine's data is in the default place.
            None if whose == Whose::Global => {
                written.fixed.insert(layers.global_config.with_file_name("data").join("common.yaml"));
            }
            None => {}
        }
        Some(written)
    }

    /// The paths of all layers.
    pub(super) fn merge(layers: Vec<PathPatterns>) -> PathPatterns {
        let mut all = PathPatterns::default();
        for PathPatterns { fixed, patterns, variables } in layers {
            all.fixed.extend(fixed);
            all.patterns.extend(patterns);
            all.variables.extend(variables);
        }
        all
    }

    /// Adds a level; `None` if its paths do not determine which files it reads.
    fn add(&mut self, level: &Level) -> Option<()> {
        let is_reader = READERS.iter().any(|(name, kind)| *name == &*level.function && *kind == level.kind);
        let is_encrypted = level.kind == "lookup_key";
        if !is_reader || !is_encrypted && !level.options.is_empty() || level.sources.is_empty() {
            return None;
        }
        for Source { text, is_glob, mapped } in &level.sources {
            let local = mapped.as_ref().map(|(variable, local)| {
                self.variables.insert(variable.to_string());
                &**local
            });
            self.add_path(text, &level.datadir, *is_glob, local)?;
        }
        for file in KEY_OPTIONS.iter().filter_map(|name| level.options.get(name)) {
            self.add_path(file.as_str().filter(|file| file.starts_with('/'))?, "/", false, None)?;
        }
        Some(())
    }

    /// Adds a path; `None` if it can lead to any file.
    fn add_path(&mut self, text: &str, folder: &str, is_glob: bool, local: Option<&str>) -> Option<()> {
        // `..` is resolved by name, or through links, depending on the file system.
        if text.contains("..") {
            return None;
        }
        let mut pieces = vec![String::new()];
        let mut end = 0;
        for found in interpolations(text) {
            match found.kind {
                InterpolationKind::Variable(name) if local.is_some_and(|local| is_loop_variable(&name, local)) => {}
                InterpolationKind::Variable(name) => _ = self.variables.insert(name),
                _ => return None,
            }
            pieces.last_mut()?.push_str(text.get(end..found.range.start)?);
            pieces.push(String::new());
            end = found.range.end;
        }
        pieces.last_mut()?.push_str(text.get(end..)?);
        if is_glob {
            // All files below the last folder without a pattern.
            let fixed = pieces.first()?.split(['*', '?', '[', '{', '\\']).next()?;
            let folder = fixed.rsplit_once('/').map_or("", |(folder, _)| folder);
            self.patterns.insert(Pattern(vec![format!("{folder}/"), String::new()]));
            return Some(());
        }
        if pieces.len() > 1 && can_produce_dots(&pieces) {
            return None;
        }
        // A path that begins with a variable which has no value begins with what follows.
        let begins_open = text.strip_prefix(folder).is_some_and(|path| path.trim_start_matches('/').starts_with("%{"));
        if begins_open
            && let Some(rest) = pieces.get(1..).filter(|rest| rest.first().is_some_and(|next| next.starts_with('/')))
        {
            let rest = rest.to_vec();
            self.add_pieces(rest);
        }
        self.add_pieces(pieces);
        Some(())
    }

    /// Adds a path by the literals between its variables.
    fn add_pieces(&mut self, pieces: Vec<String>) {
        match <[String; 1]>::try_from(pieces) {
            Ok([text]) => _ = self.fixed.insert(PathBuf::from(text)),
            Err(pieces) => _ = self.patterns.insert(Pattern::from_pieces(&pieces)),
        }
    }

    /// Returns whether one of the paths can be that of a changed file, for one of the nodes. Unknown cases count as
    /// true.
    pub(super) fn can_match(&self, changed: &BTreeSet<PathBuf>, sides: Diff<&Environment>, nodes: &[Subject]) -> bool {
        let files = sides.map(|side| &side.capabilities().data);
        self.fixed.iter().any(|path| files.into_iter().any(|files| files.is_patched(path)))
            || self.patterns.iter().any(|pattern| changed.iter().any(|path| pattern.matches(path)))
            || self.can_leave_folder(nodes)
            || self.may_cross_links(changed, files)
    }

    /// Returns whether a value of a variable may leave the folder that it is interpolated into.
    fn can_leave_folder(&self, nodes: &[Subject]) -> bool {
        let of_node =
            |facts: &Facts| self.variables.iter().any(|name| facts.of_variable(name).iter().any(leaves_folder));
        nodes.iter().any(|node| of_node(&node.base))
    }

    /// Returns whether a link may be on the way to a file that matches a pattern. A folder that became a file or a link
    /// counts as one.
    fn may_cross_links(&self, changed: &BTreeSet<PathBuf>, files: Diff<&Files>) -> bool {
        let mut names = 0;
        let mut seen: BTreeMap<&Path, Diff<Vec<DirEntry>>> = BTreeMap::new();
        for path in changed.iter().filter(|path| self.patterns.iter().any(|pattern| pattern.can_be_below(path))) {
            let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
                return true;
            };
            let list = |files: &Files| files.list(folder).unwrap_or_default();
            let listed = seen.entry(folder).or_insert_with(|| files.map(list));
            let is_file = |listed: &Vec<DirEntry>| {
                let at = listed.binary_search_by(|entry| entry.name.as_str().cmp(name)).ok();
                at.and_then(|at| listed.get(at)).is_none_or(|entry| entry.kind == FileKind::File)
            };
            if !listed.as_ref().into_iter().all(is_file) {
                return true;
            }
        }
        let folders: BTreeSet<&Path> = self.patterns.iter().filter_map(Pattern::folder).collect();
        folders.iter().any(|folder| {
            let is_inner = folder.ancestors().skip(1).any(|outer| folders.contains(outer));
            files.into_iter().any(|files| files.is_mounted(folder))
                && files.into_iter().any(|files| {
                    files.real(folder).is_ok_and(|real| real != **folder)
                        || !is_inner && holds_link(files, folder, &mut names)
                })
        })
    }
}

/// Returns whether a folder contains a link, or too many names to search.
fn holds_link(files: &Files, folder: &Path, names: &mut usize) -> bool {
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in files.list(&folder).unwrap_or_default() {
            *names += 1;
            match entry.kind {
                _ if *names > MOST_NAMES => return true,
                FileKind::Link => return true,
                FileKind::Folder => open.push(folder.join(entry.name)),
                FileKind::File | FileKind::Other => {}
            }
        }
    }
    false
}

/// Returns whether a variable is the loop variable of `mapped_paths`, or an element of its value.
fn is_loop_variable(variable: &str, local: &str) -> bool {
    variable.strip_prefix(local).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns whether variables between these literals can produce a `..`: two adjacent variables, or one next to nothing
/// but dots.
fn can_produce_dots(pieces: &[String]) -> bool {
    let is_dots =
        |name: Option<&str>| name.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte == b'.'));
    let last = pieces.len() - 1;
    pieces.iter().enumerate().any(|(index, piece)| {
        let (is_before, is_after) = (index < last, index > 0);
        is_before && is_after && piece.is_empty()
            || is_before && is_dots(piece.rsplit('/').next())
            || is_after && is_dots(piece.split('/').next())
    })
}

/// Returns whether a path leaves its folder if this value is interpolated.
fn leaves_folder(value: &Value) -> bool {
    match value {
        Value::String(text) => text.starts_with('/') || text.contains(".."),
        Value::Array(elements) => elements.iter().any(leaves_folder),
        Value::Hash(pairs) => pairs.iter().any(|(key, value)| leaves_folder(key) || leaves_folder(value)),
        _ => false,
    }
}

impl Pattern {
    /// Creates a pattern from the literals between variables. A slash after a variable may coincide with the slash
    /// before it, because the variable can be empty.
    fn from_pieces(pieces: &[String]) -> Pattern {
        let plain = |(index, piece): (usize, &String)| {
            let mut plain = piece.replace("/./", "/");
            while plain.contains("//") {
                plain = plain.replace("//", "/");
            }
            if index > 0 { plain.trim_start_matches('/').to_owned() } else { plain }
        };
        Pattern(pieces.iter().enumerate().map(plain).collect())
    }

    /// Returns whether a path can match the pattern.
    fn matches(&self, path: &Path) -> bool {
        let Some(text) = path.to_str() else { return true };
        let (Some(first), Some((last, outer))) = (self.0.first(), self.0.split_last()) else { return true };
        let Some(mut rest) = text.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str())) else {
            return false;
        };
        for piece in outer.iter().skip(1) {
            let Some(at) = rest.find(piece.as_str()) else { return false };
            rest = rest.get(at + piece.len()..).unwrap_or_default();
        }
        true
    }

    /// Returns whether paths of the pattern can be below a path, if the path were a folder.
    fn can_be_below(&self, path: &Path) -> bool {
        let Some(text) = path.to_str() else { return true };
        let first = self.0.first().map_or("", String::as_str);
        text.starts_with(first) || first.starts_with(text)
    }

    /// The folder that contains all paths of the pattern.
    fn folder(&self) -> Option<&Path> {
        // The rest may be the beginning of a name.
        let (folder, _) = self.0.first()?.rsplit_once('/')?;
        Some(Path::new(if folder.is_empty() { "/" } else { folder }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Option<PathPatterns> {
        let mut written = PathPatterns::default();
        written.add_path(text, "/r/data", false, None).map(|()| written)
    }

    fn leads_to(text: &str, path: &str) -> bool {
        let written = written(text).unwrap();
        written.fixed.contains(Path::new(path)) || written.patterns.iter().any(|one| one.matches(Path::new(path)))
    }

    #[test]
    fn patterns_match_the_paths_of_all_values() {
        for (text, path) in [
            ("/r/data/common.yaml", "/r/data/common.yaml"),
            ("/r/data/roles/%{role}.yaml", "/r/data/roles/web.yaml"),
            ("/r/data/roles/%{role}.yaml", "/r/data/roles/a/b.yaml"),
            ("/r/data/%{site}/%{role}.yaml", "/r/data/x/web.yaml"),
            // A variable without a value.
            ("/r/data/%{site}/%{role}.yaml", "/r/data/web.yaml"),
            ("/r/data/%{site}/%{role}/all.yaml", "/r/data/all.yaml"),
            ("/r/data/%{site}/x/all.yaml", "/x/all.yaml"),
            ("/r/data//a/./%{site}", "/r/data/a/x"),
        ] {
            assert!(leads_to(text, path), "{text} {path}");
        }
        for (text, path) in [
            ("/r/data/common.yaml", "/r/data/common.yml"),
            ("/r/data/roles/%{role}.yaml", "/r/data/sites/web.yaml"),
            ("/r/data/roles/%{role}.yaml", "/r/data/roles/README.md"),
            ("/r/data/%{a}-x/%{role}.yaml", "/r/data/x/web.yaml"),
            ("/r/data/%{a}.yaml", "/r/README.md"),
        ] {
            assert!(!leads_to(text, path), "{text} {path}");
        }
    }

    #[test]
    fn paths_that_can_lead_anywhere_have_no_pattern() {
        for text in
            ["/r/data/../%{a}", "/r/data/%{a}%{b}", "/r/data/.%{a}", "/r/data/%{a}./x", "/r/%{lookup('a')}.yaml"]
        {
            assert!(written(text).is_none(), "{text}");
        }
        assert!(leaves_folder(&"/etc".into()) && leaves_folder(&Value::from(vec!["a/..".into()])));
        assert!(!leaves_folder(&"a.b/c".into()));
    }
}
