//! [`Playbook`]: the plays that use a role, with their variables:
//! <https://docs.ansible.com/ansible/latest/playbook_guide/playbooks_variables.html>.

use std::path::{Path, PathBuf};

use hieratic_hiera::Error;
use hieratic_sandbox::Files;
use hieratic_value::{Hash, HashBuilder, Value};

use super::tasks::{RoleFinder, TaskVariables, UnreadTasks};
use crate::codes;
use crate::facts::file_error;
use crate::templates::TemplateLanguage;
use crate::vault::Vault;

/// The plays of a playbook and of its imported playbooks.
#[derive(Clone, Debug)]
pub struct Playbook {
    path: PathBuf,
    plays: Vec<PlayOfRoles>,
    unread: Vec<UnreadTasks>,
}

/// A play: its hosts, its roles and its variables.
#[derive(Clone, Debug)]
pub struct PlayOfRoles {
    /// The name. By default, the patterns of the hosts.
    pub name: String,
    /// The patterns of the hosts.
    pub hosts: Vec<String>,
    /// The variables of the play itself.
    pub vars: Hash,
    /// The files of variables. Their names may be templates. The first existing file of each list is used.
    pub vars_files: Vec<Vec<String>>,
    /// The variables that the play prompts for.
    pub prompted: Vec<String>,
    /// The uses of roles, in order.
    pub roles: Vec<RoleUse>,
    /// The folder of the playbook.
    pub folder: PathBuf,
}

/// The use of a role.
#[derive(Clone, Debug)]
pub struct RoleUse {
    /// The name of the role.
    pub name: String,
    /// The parameters, which override all variables of the play and the role.
    pub params: Hash,
    /// Whether the role is in the play's list of roles, so that all roles of the play see its variables. A role that a
    /// task includes is not.
    pub is_listed: bool,
    /// The files of variables that the task names.
    pub files: RoleFiles,
}

/// The files of a role that a task names (`defaults_from`, `vars_from`) in the place of the main ones. Their names may be
/// templates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoleFiles {
    /// The file in `defaults`.
    pub defaults: Option<String>,
    /// The file in `vars`.
    pub vars: Option<String>,
}

impl RoleUse {
    /// Returns whether the role has the same variables in another use.
    pub fn has_variables_of(&self, other: &RoleUse) -> bool {
        self.files == other.files && equal(&self.params, &other.params)
    }
}

impl PlayOfRoles {
    /// Returns the uses of a role, in order.
    pub fn uses_of(&self, role: &str) -> impl Iterator<Item = &RoleUse> {
        self.roles.iter().filter(move |used| used.name == role || used.name.rsplit('.').next() == Some(role))
    }
}

/// The limit of playbooks that import each other, and of blocks and files of tasks in each other.
pub(super) const DEEPEST: usize = 20;

/// The limit of files: playbooks and tasks that import others twice double them at each level.
pub(super) const MOST_IMPORTS: usize = 1_000;

/// The keys of an entry of `roles` that are not parameters.
const KEYWORDS: [&str; 38] = [
    "any_errors_fatal",
    "become",
    "become_exe",
    "become_flags",
    "become_method",
    "become_user",
    "check_mode",
    "collections",
    "connection",
    "debugger",
    "delegate_facts",
    "delegate_to",
    "diff",
    "environment",
    "ignore_errors",
    "ignore_unreachable",
    "max_fail_percentage",
    "module_defaults",
    "name",
    "no_log",
    "port",
    "remote_user",
    "role",
    "run_once",
    "tags",
    "throttle",
    "timeout",
    "vars",
    "when",
    "allow_duplicates",
    "apply",
    "public",
    "defaults_from",
    "handlers_from",
    "rolespec_validate",
    "tasks_from",
    "vars_from",
    "src",
];

impl Playbook {
    /// Reads a playbook and its imported playbooks.
    pub fn read(path: &Path, files: &Files, vault: &Vault) -> Result<Playbook, Error> {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let mut reader = PlayReader { files, vault, imports: 0, plays: Vec::new(), unread: Vec::new() };
        reader.add_playbook(&absolute, 0)?;
        let PlayReader { plays, unread, .. } = reader;
        Ok(Playbook { path: absolute, plays, unread })
    }

    /// Returns the included files of tasks that were not read.
    pub fn unread(&self) -> &[UnreadTasks] {
        &self.unread
    }

    /// Returns the folder of the playbook.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// Returns the plays that use a role for a host, each with the use. `is_for` returns whether patterns match the
    /// host.
    pub fn uses<'p>(
        &'p self,
        role: &str,
        mut is_for: impl FnMut(&[String]) -> Result<bool, Error>,
    ) -> Result<Vec<(&'p PlayOfRoles, &'p RoleUse)>, Error> {
        let mut found = Vec::new();
        for play in &self.plays {
            if let Some(used) = play.uses_of(role).next()
                && is_for(&play.hosts)?
            {
                found.push((play, used));
            }
        }
        Ok(found)
    }

    /// Returns the names of all roles in the playbook.
    pub fn role_names(&self) -> impl Iterator<Item = &str> {
        self.plays.iter().flat_map(|play| &play.roles).map(|used| used.name.as_str())
    }
}

/// Collects plays from a playbook and those that it imports.
struct PlayReader<'f> {
    files: &'f Files,
    vault: &'f Vault,
    /// The files that were read so far.
    imports: usize,
    plays: Vec<PlayOfRoles>,
    unread: Vec<UnreadTasks>,
}

impl PlayReader<'_> {
    fn add_playbook(&mut self, path: &Path, depth: usize) -> Result<(), Error> {
        self.imports += 1;
        if depth > DEEPEST || self.imports > MOST_IMPORTS {
            let message =
                format!("playbooks import more than {MOST_IMPORTS} others, or more than {DEEPEST} levels deep");
            return Err(file_error(codes::VARIABLES, message, path));
        }
        let document = TemplateLanguage::Jinja2.document_of_file(path, self.files, self.vault)?;
        let Some(entries) = document.as_array() else {
            return Err(file_error(
                codes::VARIABLES,
                "the file is not a playbook: it has to be a list of plays".to_owned(),
                path,
            )
            .help("name the file that ansible-playbook is called with"));
        };
        let folder = path.parent().unwrap_or(path);
        for entry in entries {
            let imported = ["import_playbook", "ansible.builtin.import_playbook"];
            if let Some(name) = imported.iter().find_map(|key| entry.at_path(&[*key])?.as_str()) {
                let before = self.plays.len();
                self.add_playbook(&folder.join(name), depth + 1)?;
                let vars = variables(entry, path)?;
                for play in self.plays.get_mut(before..).unwrap_or_default() {
                    play.vars = merged(&play.vars, &vars);
                }
                continue;
            }
            let play = self.play(entry, path, folder)?;
            self.plays.push(play);
        }
        Ok(())
    }

    fn play(&mut self, entry: &Value, path: &Path, folder: &Path) -> Result<PlayOfRoles, Error> {
        let hosts = texts(entry.at_path(&["hosts"]));
        if hosts.is_empty() {
            return Err(file_error(codes::VARIABLES, "a play of the playbook has no hosts".to_owned(), path)
                .help("name them: `hosts: all`"));
        }
        let name = entry.at_path(&["name"]).and_then(Value::as_str).map_or_else(|| hosts.join(","), str::to_owned);
        let listed = |value: &Value| value.as_array().map(<[Value]>::to_vec);
        let vars_files = match entry.at_path(&["vars_files"]) {
            Some(Value::String(one)) => vec![vec![one.to_string()]],
            Some(value) => listed(value).unwrap_or_default().iter().map(|one| texts(Some(one))).collect(),
            None => Vec::new(),
        };
        let prompted = entry.at_path(&["vars_prompt"]).and_then(listed).unwrap_or_default();
        let prompted = prompted.iter().filter_map(|one| Some(one.at_path(&["name"])?.as_str()?.to_owned())).collect();
        let mut roles = Vec::new();
        for used in entry.at_path(&["roles"]).and_then(listed).unwrap_or_default() {
            let Some(name) =
                used.as_str().or_else(|| ["role", "name"].iter().find_map(|key| used.at_path(&[*key])?.as_str()))
            else {
                let message = "an entry of roles in the playbook has no name".to_owned();
                return Err(file_error(codes::VARIABLES, message, path).help("name the role: `- role: NAME`"));
            };
            let own = used.as_hash().into_iter().flat_map(Hash::iter);
            let own = own.filter(|(key, _)| key.as_str().is_some_and(|key| !KEYWORDS.contains(&key)));
            let own: Hash = own.map(|(key, value)| (key.clone(), value.clone())).collect();
            let params = merged(&own, &variables(&used, path)?);
            roles.push(RoleUse { name: name.to_owned(), params, is_listed: true, files: RoleFiles::default() });
        }
        let PlayReader { files, vault, imports, unread, .. } = self;
        let mut finder = RoleFinder { files, vault, imports, unread, folder, roles, chain: Vec::new() };
        for key in ["pre_tasks", "tasks", "post_tasks", "handlers"] {
            if let Some(tasks) = entry.at_path(&[key]) {
                finder.add_tasks(tasks, &TaskVariables::default(), path, 0)?;
            }
        }
        let roles = finder.roles;
        let (vars, folder) = (variables(entry, path)?, folder.to_path_buf());
        Ok(PlayOfRoles { name, hosts, vars, vars_files, prompted, roles, folder })
    }
}

/// The variables under `vars`: a map, or a list of maps.
pub(super) fn variables(entry: &Value, path: &Path) -> Result<Hash, Error> {
    match entry.at_path(&["vars"]) {
        None | Some(Value::Undef) => Ok(Hash::default()),
        Some(Value::Hash(vars)) => Ok(vars.clone()),
        Some(Value::Array(maps)) => {
            let maps = maps.iter().filter_map(Value::as_hash);
            Ok(maps.fold(Hash::default(), |all, more| merged(&all, more)))
        }
        Some(_) => Err(file_error(codes::VARIABLES, "the vars of a play or task must be a map".to_owned(), path)),
    }
}

/// Returns whether two sets of variables are equal.
pub(super) fn equal(one: &Hash, other: &Hash) -> bool {
    Value::from(one.clone()) == Value::from(other.clone())
}

pub(super) fn merged(one: &Hash, other: &Hash) -> Hash {
    let mut all = HashBuilder::default();
    for (key, value) in one.iter().chain(other.iter()) {
        all.insert(key.clone(), value.clone());
    }
    all.into()
}

/// A string, or the strings of a list.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(one)) => vec![one.to_string()],
        Some(Value::Array(items)) => items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playbooks_that_double_reach_a_limit() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..15 {
            let next = format!("- import_playbook: {}.yml\n", number + 1);
            std::fs::write(folder.path().join(format!("{number}.yml")), next.repeat(2)).unwrap();
        }
        std::fs::write(folder.path().join("15.yml"), "- hosts: all\n").unwrap();
        let files = Files::below([folder.path()]);
        let read = |name: &str| Playbook::read(&folder.path().join(name), &files, &Vault::default());
        let error = read("0.yml").unwrap_err();
        assert!(error.to_string().contains("import more than 1000 others"), "{error}");
        assert_eq!(read("14.yml").unwrap().plays.len(), 2);
    }
}
