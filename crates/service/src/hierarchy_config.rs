//! [`HierarchyConfig`]: the levels in the `hiera.yaml` of an environment.

use std::path::{Component, Path, PathBuf};

use hieratic::sandbox::{DirEntry, FileKind, Files};
use hieratic::yaml::{self, Options};
use hieratic::{Hash, Value};

use crate::Service;
use crate::json;
use crate::problem::Problem;

/// The largest configuration that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The settings of a level that name its locations.
const LOCATIONS: [&str; 7] = ["path", "paths", "glob", "globs", "uri", "uris", "mapped_paths"];

/// The configuration of an environment.
pub(crate) struct HierarchyConfig {
    /// The folder of the environment.
    pub(crate) root: PathBuf,
    configuration: Hash,
}

impl HierarchyConfig {
    /// The name of the file, relative to the environment.
    pub(crate) const FILE: &'static str = "hiera.yaml";

    /// Reads the configuration; `None` if the environment has none, or one that has no levels.
    pub(crate) fn read(service: &Service, environment: &str) -> Result<Option<HierarchyConfig>, Problem> {
        let (opened, _) = service.nodes.environments.get(environment)?;
        let root = opened.environment.layers().environment.root.clone();
        Ok(read(&root).map(|configuration| HierarchyConfig { root, configuration }))
    }

    fn levels(&self) -> &[Value] {
        self.configuration.get("hierarchy").and_then(Value::as_array).unwrap_or_default()
    }

    /// Returns the locations of a level as written, with their folder.
    pub(crate) fn locations(&self, name: &str) -> Vec<String> {
        let Some(level) = self.levels().iter().filter_map(Value::as_hash).find(|level| has_name(level, name)) else {
            return Vec::new();
        };
        let default = self.configuration.get("defaults").and_then(Value::as_hash);
        let datadir =
            level.get("datadir").or_else(|| default?.get("datadir")).and_then(Value::as_str).unwrap_or("data");
        let mut found = Vec::new();
        for setting in LOCATIONS {
            match level.get(setting) {
                Some(Value::String(path)) if setting.starts_with("uri") => found.push(path.to_string()),
                Some(Value::String(path)) => found.push(format!("{datadir}/{path}")),
                Some(Value::Array(paths)) => {
                    let paths = paths.iter().filter_map(Value::as_str);
                    match setting {
                        "mapped_paths" => found.push(paths.collect::<Vec<_>>().join(", ")),
                        "uris" => found.extend(paths.map(String::from)),
                        _ => found.extend(paths.map(|path| format!("{datadir}/{path}"))),
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Returns whether a level only has locations outside of the environment: by absolute paths, or by links to nowhere. Its
    /// data can be on another machine.
    pub(crate) fn is_elsewhere(&self, name: &str) -> bool {
        let locations = self.locations(name);
        let files = Files::below([&self.root]);
        let is_outside = |location: &String| {
            Path::new(location).is_absolute() || leads_nowhere(&files, &self.root, Path::new(location))
        };
        !locations.is_empty() && locations.iter().all(is_outside)
    }

    /// Returns the configuration without a level, in JSON, which YAML includes; `None` if it has no such level.
    pub(crate) fn without(&self, name: &str) -> Option<String> {
        let is_other = |level: &&Value| level.as_hash().is_none_or(|level| !has_name(level, name));
        let rest: Vec<Value> = self.levels().iter().filter(is_other).cloned().collect();
        if rest.len() == self.levels().len() {
            return None;
        }
        let replaced = |(key, value): (&Value, &Value)| {
            let value = if key.as_str() == Some("hierarchy") { rest.iter().cloned().collect() } else { value.clone() };
            (key.clone(), value)
        };
        let configuration: Hash = self.configuration.iter().map(replaced).collect();
        Some(json::of_value(&configuration.into(), false).to_string())
    }
}

/// Returns whether a location is behind a link whose target does not exist. Folders behind the first variable are not known.
fn leads_nowhere(files: &Files, root: &Path, location: &Path) -> bool {
    let is_fixed = |part: &Component<'_>| !part.as_os_str().to_string_lossy().contains("%{");
    let mut path = root.to_path_buf();
    location.components().take_while(is_fixed).any(|part| {
        let folder = path.clone();
        path.push(part);
        let is_link = |entry: &DirEntry| entry.kind == FileKind::Link && path.ends_with(&entry.name);
        // A folder that cannot be listed has no links that are known. Most paths exist, so that few folders are listed.
        !files.exists(&path)
            && !files.leads_out(&path)
            && files.list(&folder).is_ok_and(|entries| entries.iter().any(is_link))
    })
}

fn has_name(level: &Hash, name: &str) -> bool {
    level.get("name").is_some_and(|own| own.to_text() == name)
}

fn read(root: &Path) -> Option<Hash> {
    let files = Files::below([root]).with_largest(MAX_BYTES);
    // Lookups report errors in the file: here it only has to exist.
    let bytes = files.read(&root.join(HierarchyConfig::FILE)).ok()?;
    let value = yaml::parse(&bytes, &Options::new(HierarchyConfig::FILE)).ok()?;
    value.as_hash().cloned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_level_is_left_out_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let text = "version: 5\ndefaults: {datadir: d}\nhierarchy:\n  - {name: A, path: a.yaml}\n  - name: B\n    paths: [b.yaml, 'c/%{x}.yaml']\n";
        std::fs::write(folder.path().join("hiera.yaml"), text).unwrap();
        let config = HierarchyConfig { root: folder.path().into(), configuration: read(folder.path()).unwrap() };
        assert_eq!(config.locations("B"), ["d/b.yaml", "d/c/%{x}.yaml"]);
        assert_eq!(
            config.without("A").unwrap(),
            r#"{"version":5,"defaults":{"datadir":"d"},"hierarchy":[{"name":"B","paths":["b.yaml","c/%{x}.yaml"]}]}"#
        );
        assert_eq!(config.without("C"), None);
    }

    #[test]
    fn a_level_with_absolute_paths_is_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let text = "version: 5\nhierarchy:\n  - {name: A, datadir: /srv/private, path: a.yaml}\n  - {name: B, path: a.yaml}\n  - {name: C}\n";
        std::fs::write(folder.path().join("hiera.yaml"), text).unwrap();
        let config = HierarchyConfig { root: folder.path().into(), configuration: read(folder.path()).unwrap() };
        assert_eq!(["A", "B", "C", "D"].map(|name| config.is_elsewhere(name)), [true, false, false, false]);
    }

    #[cfg(unix)]
    #[test]
    fn a_level_behind_a_link_to_nowhere_is_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let text = "version: 5\nhierarchy:\n  - {name: File, path: a.yaml}\n  - {name: Folder, path: 'private/%{x}.yaml'}\n  \
                    - {name: Here, path: 'here/%{x}.yaml'}\n  - {name: Both, paths: [a.yaml, b.yaml]}\n";
        std::fs::write(root.join("hiera.yaml"), text).unwrap();
        std::fs::create_dir_all(root.join("data/there")).unwrap();
        for (target, link) in [("/no/such/file", "a.yaml"), ("/no/such/folder", "private"), ("there", "here")] {
            std::os::unix::fs::symlink(target, root.join("data").join(link)).unwrap();
        }
        let config = HierarchyConfig { root: root.into(), configuration: read(root).unwrap() };
        let levels = ["File", "Folder", "Here", "Both"];
        assert_eq!(levels.map(|name| config.is_elsewhere(name)), [true, true, false, false]);
    }
}
