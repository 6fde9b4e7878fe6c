//! Opens a [`Workspace`]: reads its configurations and all of its data.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::budget::Progress;
use hieratic::value::collections::HashMap;
use hieratic::{Environment, Error, Settings, Strict};
use rayon::prelude::*;

use super::data::{self, DataFile, Reader};
use super::hierarchy::{self, Config, LocatedFile};
use super::pattern::Pattern;
use super::{ReadFile, Workspace, nodes};
use crate::finding::Finding;
use crate::missing_parts::MissingParts;
use crate::rules::hierarchy as hierarchy_rule;

/// The settings of an environment whose files are read once, with their lines.
fn read_once(settings: &Settings) -> Settings {
    Settings { strict: Some(Strict::Off), positions: true, once: true, ..settings.clone() }
}

impl Workspace {
    /// Opens the environment of a folder, reads its configurations and all of its data.
    pub(crate) fn open(settings: &Settings, progress: &dyn Progress) -> Result<Workspace, Box<Finding>> {
        Workspace::open_with(settings, &HashMap::default(), progress)
    }

    /// Opens an environment without reading the data files again that are in `read`.
    pub(crate) fn open_with(
        settings: &Settings,
        read: &HashMap<PathBuf, ReadFile>,
        progress: &dyn Progress,
    ) -> Result<Workspace, Box<Finding>> {
        let opened = Environment::open(&read_once(settings));
        let known = |located: &LocatedFile, _: &Environment| read.get(&located.path).cloned();
        Workspace::from_environment(settings, opened, &known, progress)
    }

    /// Opens an environment as far as these names matter: YAML and JSON files that cannot contain any of them are not
    /// parsed. Their keys are unknown, and they may be unreadable.
    pub(crate) fn open_for(settings: &Settings, names: &[&str]) -> Result<Workspace, Box<Finding>> {
        let opened = Environment::open(&read_once(settings));
        let known = |located: &LocatedFile, environment: &Environment| {
            let LocatedFile { path, config, reached, reader } = located;
            if !matches!(reader, Reader::Yaml | Reader::Eyaml | Reader::Json) {
                return None;
            }
            // A file that cannot be read is read again as data, which reports why.
            let source = crate::texts::read(path, &environment.capabilities().data).ok()?;
            let is_asked = names.iter().any(|name| data::may_have(source.text(), name));
            let file = if is_asked {
                DataFile::parse(path, source, *config, reached.clone(), *reader)
            } else {
                (DataFile::unparsed(path, source, *config, reached.clone(), *reader), Vec::new())
            };
            Some((Arc::new(file.0), file.1))
        };
        Workspace::from_environment(settings, opened, &known, &())
    }

    /// Opens an environment beside another one with the same files, and shares the data that was read. The files in `read`
    /// are not read again.
    pub(crate) fn open_like(
        settings: &Settings,
        other: &Environment,
        read: &HashMap<PathBuf, ReadFile>,
    ) -> Result<Workspace, Box<Finding>> {
        let opened = Environment::open_beside(&read_once(settings), other);
        let known = |located: &LocatedFile, _: &Environment| read.get(&located.path).cloned();
        Workspace::from_environment(settings, opened, &known, &())
    }

    /// Opens a state that is a [patch](hieratic::sandbox::Patched) of another. Files outside of the patch are not read
    /// again.
    pub(crate) fn open_beside(settings: &Settings, other: &Workspace) -> Result<Workspace, Box<Finding>> {
        let opened = Environment::open_beside(&read_once(settings), &other.environment);
        let read: HashMap<&Path, &Arc<DataFile>> = other.files.iter().map(|file| (file.path.as_path(), file)).collect();
        let known = |located: &LocatedFile, environment: &Environment| {
            let path = located.path.as_path();
            let file =
                read.get(path).filter(|file| file.is_alone() && !environment.capabilities().data.is_patched(path))?;
            Some((Arc::clone(file), other.own.get(path).cloned().unwrap_or_default()))
        };
        Workspace::from_environment(settings, opened, &known, &())
    }

    /// Creates a repository from an environment that was opened. `known` returns the data files that were read already.
    fn from_environment(
        settings: &Settings,
        opened: Result<Environment, Error>,
        known: &(dyn Fn(&LocatedFile, &Environment) -> Option<ReadFile> + Sync),
        progress: &dyn Progress,
    ) -> Result<Workspace, Box<Finding>> {
        let environment = opened.map_err(|error| Box::new(hierarchy_rule::unusable(&error)))?;
        let given = Arc::new(settings.clone());
        let settings = read_once(settings);
        let mut missing_parts = MissingParts::new(&environment, &environment.capabilities().data);
        let hierarchy::Configs { usable: configs, mut findings } = hierarchy::configs(&environment, &mut missing_parts);
        let hierarchy::LocatedFiles { located: found, unreachable, incomplete_levels, private, unreadable } =
            hierarchy::locate(&configs, &environment, is_named(&settings));
        for (config, level) in &private {
            missing_parts.private_level(&configs[*config].levels[*level].level.name);
        }
        findings.extend(unreadable);
        progress.begin("data files", found.len());
        let read: Vec<_> = found
            .into_par_iter()
            .map(|located| {
                let known = known(&located, &environment).filter(|(file, _)| file.reader == located.reader);
                let LocatedFile { path, config, reached, reader } = located;
                let read = match known {
                    Some((file, wrong)) if file.config == config && file.reached == reached => (Some(file), wrong),
                    Some((file, wrong)) => (Some(Arc::new(file.moved(config, reached))), wrong),
                    None => {
                        let (file, wrong) =
                            DataFile::read(&path, &environment.capabilities().data, config, reached, reader);
                        (file.map(Arc::new), wrong)
                    }
                };
                progress.step();
                (path, read)
            })
            .collect();
        let mut unreadable = Vec::new();
        let mut files = Vec::with_capacity(read.len());
        let mut own = HashMap::default();
        for (path, (file, wrong)) in read {
            match file {
                Some(file) => files.push(file),
                None => unreadable.push(path.clone()),
            }
            if !wrong.is_empty() {
                own.insert(path, wrong);
            }
        }
        let searched = searched_by(&configs).map(|name| (name.to_owned(), nodes::SYNTHETIC.to_owned())).collect();
        let configs = Arc::new(configs);
        Ok(Workspace {
            settings: given,
            environment,
            configs,
            files,
            unreadable,
            unreachable,
            incomplete_levels,
            searched,
            missing_parts,
            findings,
            own,
        })
    }
}

/// Returns whether the name of the environment is given, as opposed to the default of a server.
pub(crate) fn is_named(settings: &Settings) -> bool {
    settings.environment.is_some() || settings.environment_dir.is_none()
}

/// The variables that searches of hierarchies depend on.
fn searched_by(configs: &[Config]) -> impl Iterator<Item = &str> {
    let patterns = configs.iter().flat_map(|config| &config.levels).flat_map(|level| &level.patterns);
    patterns.flat_map(Pattern::searched_by)
}
