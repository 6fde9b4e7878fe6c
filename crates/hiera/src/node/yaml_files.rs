//! [`YamlFiles`]: the plain YAML data files of a node.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_value::Str;

use super::Node;
use super::level::Backend;
use super::location::LocationKind;
use crate::backend::FILE_NAME;
use crate::glob;
use crate::layers::CONFIG_FILE_NAME;
use crate::source::{Format, key_files};

/// The YAML files in which lookups of a node have searched keys, and where more would be found.
#[derive(Debug, Default)]
pub struct YamlFiles {
    /// The files, existing or not.
    pub files: Vec<Arc<Path>>,
    /// The folders at and below which patterns find such files.
    pattern_folders: Vec<PathBuf>,
    /// The folders at and below which patterns find files of other formats, or files for functions.
    other_pattern_folders: Vec<PathBuf>,
    /// The files and folders that are read in another way.
    others: HashSet<PathBuf>,
    /// The folders of modules, unless functions are levels, which may ask for any module.
    module_folders: HashSet<PathBuf>,
}

impl YamlFiles {
    /// Returns whether a new file in a folder can only become another file of these, if its name is that of a YAML
    /// file.
    pub fn may_be_found(&self, file: &Path) -> bool {
        const EXTENSIONS: [&str; 3] = ["yaml", "yml", "eyaml"];
        let Some(folder) = file.parent() else { return false };
        let is_below = |folders: &[PathBuf]| folders.iter().any(|one| folder.starts_with(one));
        let extension = file.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
            && is_below(&self.pattern_folders)
            && !is_below(&self.other_pattern_folders)
            && !self.others.contains(folder)
            && !self.others.contains(file)
    }

    /// Returns whether a folder can only be a module that no lookup of some keys asks for: neither it nor any file in it was read or would
    /// be found.
    pub fn is_other_module(&self, folder: &Path, keys: &[Str]) -> bool {
        let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else { return false };
        let meets = |one: &PathBuf| one.starts_with(folder) || folder.starts_with(one);
        let is_asked = |key: &Str| key.split("::").any(|part| name == part);
        self.module_folders.contains(parent)
            && !self.pattern_folders.iter().chain(&self.other_pattern_folders).any(meets)
            && !self.others.iter().any(|other| other.starts_with(folder))
            && !keys.iter().any(is_asked)
    }
}

impl Node {
    /// Returns the YAML files in which lookups of the node have searched keys so far, existing or not. An answer
    /// depends only on the values of the [requested keys](crate::KeyRecord) in such a file, if the file is not also
    /// read in another way. Files that are also configurations are left out.
    ///
    /// Returns `None` if a level in a searched layer is not plain YAML or JSON, because data may include other files,
    /// or if a function has read files that are not [recorded](Node::recording_keys).
    pub fn yaml_files(&self) -> Option<YamlFiles> {
        let of_modules = self.modules.iter().map(|module| module.get()?.as_deref()?.as_ref().ok());
        let global = self.global.get().and_then(|global| global.as_ref().ok());
        let environment = self.environment.get().and_then(|environment| environment.as_ref().ok()?.as_ref());
        let mut found = YamlFiles::default();
        let code_files = self.recorded_keys.as_ref()?.code_files()?;
        let mut has_functions = !code_files.is_empty();
        // The names of settings and metadata, which are read as such.
        let root = &self.shared.layers().environment.root;
        let settings = [FILE_NAME, CONFIG_FILE_NAME, "environment.conf"].map(|name| root.join(name));
        let mut others: HashSet<PathBuf> = code_files.into_iter().chain(settings).collect();
        for provider in [global, environment].into_iter().chain(of_modules).flatten() {
            if let Some(config) = &provider.config.path {
                others.extend([config.to_path_buf(), config.with_file_name(FILE_NAME)]);
            }
            // Levels that could not be resolved are an error, not an answer.
            let Some(Ok(levels)) = provider.levels.get() else { continue };
            for level in levels.hierarchy.iter().chain(&levels.default_hierarchy) {
                has_functions |= matches!(level.backend, Backend::Function(_));
                let is_yaml = match &level.backend {
                    Backend::File(Format::Yaml) => true,
                    Backend::Eyaml => {
                        others.extend(key_files(&level.options).map(|file| file.to_path_buf()));
                        true
                    }
                    Backend::File(Format::Json) | Backend::Skipped(_) | Backend::Function(_) => false,
                    _ => return None,
                };
                let patterns = level.patterns.iter().map(|pattern| glob::named_folder(pattern));
                if is_yaml {
                    found.pattern_folders.extend(patterns);
                } else {
                    found.other_pattern_folders.extend(patterns);
                }
                found.files.extend(level.locations.iter().filter_map(|location| match &location.kind {
                    LocationKind::Path { path, .. } if is_yaml => Some(path.clone()),
                    _ => None,
                }));
            }
        }
        // A path that leads nowhere is its own name.
        let real = |path: &Path| self.shared.files_of_config(path).real(path).unwrap_or_else(|_| path.to_owned());
        let real: HashSet<PathBuf> = others.iter().map(|other| real(other)).collect();
        let is_metadata = |file: &Path| file.file_name().is_some_and(|name| name == "metadata.json");
        others.extend(real);
        found.files.retain(|file| !others.contains(&**file) && !is_metadata(file));
        found.others = others;
        if !has_functions {
            let roots = self.shared.layers().modules.values().map(|module| &module.root);
            found.module_folders = roots.filter_map(|root| root.parent()).map(Path::to_owned).collect();
        }
        Some(found)
    }
}
