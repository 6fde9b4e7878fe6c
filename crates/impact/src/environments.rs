//! [`environments_of_data`]: the environments whose names occur in the paths of data.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hieratic::Environment;
use hieratic::hiera::inspect::{HierarchyFile, Whose};
use hieratic::sandbox::FileKind;

/// The ways to write the name of the environment in a path.
const MARKS: [&str; 3] = ["%{environment}", "%{::environment}", "%{server_facts.environment}"];

/// Returns the environments for which a hierarchy has data under their names, each with its files or folders: with the
/// path `env/%{environment}.yaml`, the file `env/staging.yaml` is for `staging`. A file that another level reads under
/// a fixed path, such as `common.yaml` next to `%{environment}.yaml`, does not count as the data of an environment.
pub fn environments_of_data(environment: &Environment) -> BTreeMap<String, BTreeSet<PathBuf>> {
    let read =
        HierarchyFile::read(environment.layers(), environment.capabilities(), Whose::Environment, &mut Vec::new());
    // The lookup reports why a hierarchy cannot be read.
    let Ok(Some(blueprint)) = read else { return BTreeMap::new() };
    let texts: Vec<String> = blueprint
        .levels
        .iter()
        .flat_map(|level| level.sources.iter().map(|source| absolute(&level.datadir, &source.text)))
        .collect();
    let is_named = |text: &&String| MARKS.iter().any(|mark| text.contains(mark));
    let others: Vec<&String> = texts.iter().filter(|text| !is_named(text)).collect();
    let files = &environment.capabilities().data;
    let mut found: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for named in texts.iter().filter_map(|text| NamedPath::parse(text)) {
        // A folder that is missing or unreadable has no names; the lookup reports the latter. Folders outside are not
        // part of the repository.
        let folder = Path::new(named.folder);
        let entries = if files.holds(folder) { files.list(folder).unwrap_or_default() } else { Vec::new() };
        for entry in entries {
            let name = entry.name.strip_prefix(named.start).and_then(|rest| rest.strip_suffix(named.end));
            let Some(name) = name.filter(|name| is_environment_name(name)) else { continue };
            let path = format!("{}/{}", named.folder, entry.name);
            let is_of_another = |other: &&&String| {
                other.strip_prefix(&path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let fits = match named.below {
                None => entry.kind != FileKind::Folder,
                Some(below) => entry.kind != FileKind::File && files.exists(Path::new(&format!("{path}/{below}"))),
            };
            if fits && !others.iter().any(|other| is_of_another(&other)) {
                found.entry(name.to_owned()).or_default().insert(hieratic::sandbox::plain(Path::new(&path)));
            }
        }
    }
    found
}

/// A path of a level with its folder.
fn absolute(datadir: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{datadir}/{path}") }
}

/// A path with the name of an environment in it.
struct NamedPath<'t> {
    folder: &'t str,
    /// The text before the name of the environment in the name of its file or folder; `end` is the text after it.
    start: &'t str,
    end: &'t str,
    /// The path inside the folder that carries the name, up to the first variable or pattern; `None` if a file carries
    /// the name.
    below: Option<&'t str>,
}

impl NamedPath<'_> {
    /// Returns `None` if other variables or patterns surround the name, because the name cannot be separated from them.
    fn parse(text: &str) -> Option<NamedPath<'_>> {
        let (at, mark) = MARKS.iter().filter_map(|mark| Some((text.find(mark)?, mark))).min()?;
        let (before, after) = (&text[..at], &text[at + mark.len()..]);
        let (folder, start) = before.rsplit_once('/')?;
        let (end, below) = match after.split_once('/') {
            Some((end, below)) => (end, Some(below)),
            None => (after, None),
        };
        let is_plain = |text: &str| !text.contains("%{") && !text.contains(['*', '?', '[', '{']);
        let written = |below: &'_ str| -> usize {
            let first = below.find("%{").or_else(|| below.find(['*', '?', '[', '{'])).unwrap_or(below.len());
            if first == below.len() { first } else { below[..first].rfind('/').unwrap_or(0) }
        };
        let below = below.map(|below| &below[..written(below)]);
        ([folder, start, end].into_iter().all(is_plain)).then_some(NamedPath { folder, start, end, below })
    }
}

fn is_environment_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic::Settings;
    use hieratic::sandbox::{Memory, Mounted};

    #[test]
    fn files_of_other_levels_name_no_environment() {
        let hiera = "version: 5\nhierarchy:\n  - {name: A, path: '%{environment}.yaml'}\n  - {name: B, path: '%{::environment}/nodes/%{trusted.certname}.yaml'}\n  - {name: C, path: 'in/%{server_facts.environment}/x.yaml'}\n  - {name: D, path: 'roles/%{facts.role}.yaml'}\n  - {name: E, path: '%{facts.role}/%{environment}.yaml'}\n  - {name: F, path: common.yaml}\n";
        let files = [
            ("hiera.yaml", hiera),
            ("data/common.yaml", ""),
            ("data/qa.yaml", ""),
            ("data/two.words.yaml", ""),
            ("data/roles/qb.yaml", ""),
            ("data/prod/nodes/a.yaml", ""),
            ("data/other/a.yaml", ""),
            ("data/in/deep/x.yaml", ""),
            ("data/in/empty/y.yaml", ""),
        ];
        let tree: Memory = files.into_iter().collect();
        let settings = Settings {
            environment_dir: Some("/repository".into()),
            hiera_config: Some("/nowhere/hiera.yaml".into()),
            codedir: Some("/nowhere".into()),
            confdir: Some("/nowhere".into()),
            tree: Some(Mounted::new("/repository", tree)),
            ..Settings::default()
        };
        let found = environments_of_data(&Environment::open(&settings).unwrap());
        assert_eq!(found.keys().collect::<Vec<_>>(), ["deep", "prod", "qa"]);
        let paths: Vec<&PathBuf> = found.values().flatten().collect();
        assert_eq!(
            paths,
            [
                Path::new("/repository/data/in/deep"),
                "/repository/data/prod".as_ref(),
                "/repository/data/qa.yaml".as_ref()
            ]
        );
    }
}
