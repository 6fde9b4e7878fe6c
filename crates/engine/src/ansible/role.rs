//! [`Role`]: a role of Ansible, with its variables and the folders where its files are looked for.

use std::path::{Path, PathBuf};

use hieratic_hiera::Error;
use hieratic_powers::Files;
use hieratic_value::{Hash, HashBuilder, Value};

use crate::codes;
use crate::facts::in_file;
use crate::render::TemplateLanguage;
use crate::vault::Vault;

/// A [role](https://docs.ansible.com/ansible/latest/playbook_guide/playbooks_reuse_roles.html) of Ansible.
#[derive(Clone, Debug)]
pub struct Role {
    path: PathBuf,
    playbook: PathBuf,
    files: Files,
    vault: Vault,
}

/// The roles that a role depends on may depend on others, so many levels deep.
const DEEPEST: usize = 20;

/// The endings of files of variables, in the order in which Ansible looks for them.
const ENDINGS: [&str; 3] = ["yml", "yaml", "json"];

impl Role {
    /// The role in a folder; files are those that may be read of it, and the vault decrypts what is encrypted. The playbook is taken to lie beside the folder `roles` that the role
    /// is in, otherwise in the folder above the role.
    pub fn open(path: &Path, files: &Files, vault: &Vault) -> Result<Role, Error> {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        if !files.is_folder(&absolute) {
            let help = "name the folder of a role: the one that has the folders defaults, tasks and templates";
            return Err(in_file(codes::VARIABLES, "there is no role here".to_owned(), path).help(help));
        }
        let above = absolute.parent().unwrap_or(&absolute);
        let playbook = match above.file_name().is_some_and(|name| name == "roles") {
            true => above.parent().unwrap_or(above),
            false => above,
        };
        let playbook = playbook.to_path_buf();
        Ok(Role { path: absolute, playbook, files: files.clone(), vault: vault.clone() })
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The folder of the playbook that uses it.
    pub fn playbook(&self) -> &Path {
        &self.playbook
    }

    /// The folders where files are looked for that its templates name.
    pub fn search(&self) -> Vec<PathBuf> {
        vec![self.path.clone(), self.path.join("tasks"), self.playbook.clone()]
    }

    /// The folders that its templates may read.
    pub fn readable(&self) -> Vec<PathBuf> {
        let kinds = ["templates", "files", "vars"].map(|kind| self.playbook.join(kind));
        [self.path.clone()].into_iter().chain(kinds).collect()
    }

    /// The file of a template, as the module `template` finds it.
    pub fn template(&self, name: &Path) -> Option<PathBuf> {
        if name.is_absolute() {
            return Some(name.to_path_buf());
        }
        let places =
            self.search().into_iter().flat_map(|folder| [folder.join("templates").join(name), folder.join(name)]);
        places.into_iter().find(|place| self.files.is_file(place))
    }

    /// The templates of the role: all files below its folder `templates`, by their names there.
    pub fn templates(&self) -> Result<Vec<PathBuf>, Error> {
        let root = self.path.join("templates");
        let found = files_below(&root, &self.files, "templates", &|_| true)?;
        Ok(found.into_iter().filter_map(|path| Some(path.strip_prefix(&root).ok()?.to_path_buf())).collect())
    }

    /// What its templates know of the role itself, and what Ansible tells all templates.
    pub fn magic(&self) -> Hash {
        let text = |path: &Path| Value::from(path.display().to_string());
        let playbook = text(&self.playbook);
        let name = Value::from(self.name());
        let search = self.search().iter().take(2).map(|path| text(path)).collect::<Value>();
        let version = [
            ("full", "2.15.9".into()),
            ("string", "2.15.9".into()),
            ("major", 2.into()),
            ("minor", 15.into()),
            ("revision", Value::from(9)),
        ];
        let version: Hash = version.into_iter().collect();
        [
            ("ansible_managed", Value::from("Ansible managed")),
            ("role_path", text(&self.path)),
            ("role_name", name.clone()),
            ("ansible_role_name", name.clone()),
            ("role_names", [name.clone()].into_iter().collect()),
            ("ansible_role_names", [name.clone()].into_iter().collect()),
            ("ansible_play_role_names", [name].into_iter().collect()),
            ("playbook_dir", playbook),
            ("ansible_search_path", search),
            ("ansible_check_mode", false.into()),
            ("ansible_diff_mode", false.into()),
            ("ansible_version", version.into()),
        ]
        .into_iter()
        .collect()
    }

    /// Its defaults, with those of the roles that it depends on below them.
    pub fn defaults(&self) -> Result<Hash, Error> {
        self.collected("defaults", 0)
    }

    /// Its variables, with those of the roles that it depends on below them.
    pub fn vars(&self) -> Result<Hash, Error> {
        self.collected("vars", 0)
    }

    fn collected(&self, kind: &str, depth: usize) -> Result<Hash, Error> {
        let mut all = HashBuilder::default();
        for needed in self.dependencies(depth)? {
            all.extend(needed.collected(kind, depth + 1)?.into_map());
        }
        all.extend(self.variables(kind)?.into_map());
        Ok(all.into())
    }

    /// The variables in `KIND/main.yml`, or in all files below `KIND/main`.
    fn variables(&self, kind: &str) -> Result<Hash, Error> {
        let main = self.path.join(kind).join("main");
        for ending in ENDINGS {
            let file = main.with_extension(ending);
            if self.files.is_file(&file) {
                return self.variables_of(&file);
            }
        }
        if self.files.is_file(&main) {
            return self.variables_of(&main);
        }
        let mut all = HashBuilder::default();
        for file in variable_files(&main, &self.files)? {
            all.extend(self.variables_of(&file)?.into_map());
        }
        Ok(all.into())
    }

    fn variables_of(&self, file: &Path) -> Result<Hash, Error> {
        TemplateLanguage::Jinja2.variables_of_file(file, &self.files, &self.vault)
    }

    /// The roles that `meta/main.yml` says it depends on.
    fn dependencies(&self, depth: usize) -> Result<Vec<Role>, Error> {
        let meta = self.path.join("meta/main");
        let Some(file) =
            ENDINGS.map(|ending| meta.with_extension(ending)).into_iter().find(|file| self.files.is_file(file))
        else {
            return Ok(Vec::new());
        };
        let meta = self.variables_of(&file)?;
        let Some(needed) = meta.get("dependencies").and_then(Value::as_array) else { return Ok(Vec::new()) };
        if depth >= DEEPEST && !needed.is_empty() {
            let message = format!("roles depend on each other more than {DEEPEST} levels deep");
            return Err(in_file(codes::VARIABLES, message, &file));
        }
        let above = self.path.parent().unwrap_or(&self.path);
        let name = |one: &Value| match one {
            Value::String(name) => Some(name.to_string()),
            Value::Hash(entry) => ["role", "name"].iter().find_map(|key| Some(entry.get(key)?.as_str()?.to_owned())),
            _ => None,
        };
        let folders = needed.iter().filter_map(name).map(|name| above.join(name));
        // A role that is not here has variables that nobody knows; Ansible would look for it elsewhere.
        folders
            .filter(|folder| self.files.is_folder(folder))
            .map(|folder| Role::open(&folder, &self.files, &self.vault))
            .collect()
    }
}

/// The files of variables in a folder, in the order in which Ansible reads them; none if there is no folder.
pub(super) fn variable_files(folder: &Path, files: &Files) -> Result<Vec<PathBuf>, Error> {
    let is_meant = |name: &str| !name.starts_with('.') && !name.ends_with('~');
    let mut found = files_below(folder, files, "variables", &is_meant)?;
    let is_of_variables = |ending: Option<&str>| ending.is_none_or(|ending| ENDINGS.contains(&ending));
    found.retain(|path| is_of_variables(path.extension().and_then(|ending| ending.to_str())));
    Ok(found)
}

/// How many files and folders are looked at below a folder: links may lead round in circles.
const MOST_BELOW: usize = 10_000;

/// All files below a folder, by name, without the files and folders whose names are not meant; none if there is no folder.
fn files_below(
    folder: &Path,
    files: &Files,
    what: &str,
    is_meant: &dyn Fn(&str) -> bool,
) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    let mut seen = 0;
    while let Some(folder) = open.pop() {
        if !files.is_folder(&folder) {
            continue;
        }
        let entries = files.list(&folder);
        let entries =
            entries.map_err(|fault| in_file(codes::VARIABLES, format!("cannot list the {what}: {fault}"), &folder))?;
        seen += entries.len();
        if seen > MOST_BELOW {
            let message = format!("cannot list the {what}: there are more than {MOST_BELOW} files");
            return Err(in_file(codes::VARIABLES, message, &folder));
        }
        for entry in entries.iter().filter(|entry| is_meant(&entry.name)) {
            let path = folder.join(&entry.name);
            match files.is_folder(&path) {
                true => open.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    Ok(found)
}
