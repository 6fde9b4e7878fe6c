//! [`RoleFinder`]: the roles that tasks import or include, directly or through files of tasks:
//! <https://docs.ansible.com/ansible/latest/playbook_guide/playbooks_reuse.html>.

use std::path::{Path, PathBuf};

use hieratic_hiera::Error;
use hieratic_sandbox::Files;
use hieratic_value::{Hash, Value};

use super::playbook::{DEEPEST, MOST_IMPORTS, RoleFiles, RoleUse, merged, variables};
use crate::codes;
use crate::facts::file_error;
use crate::templates::TemplateLanguage;
use crate::vault::Vault;

/// An included file of tasks that was not read, so that its roles are unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadTasks {
    /// The name of the file, as it is included.
    pub name: String,
    /// The file that includes it.
    pub file: PathBuf,
    /// The reason.
    pub reason: &'static str,
}

/// Collects the roles that tasks use.
pub(super) struct RoleFinder<'f> {
    pub(super) files: &'f Files,
    pub(super) vault: &'f Vault,
    /// The files that were read so far, playbooks among them.
    pub(super) imports: &'f mut usize,
    pub(super) unread: &'f mut Vec<UnreadTasks>,
    /// The folder of the playbook.
    pub(super) folder: &'f Path,
    pub(super) roles: Vec<RoleUse>,
    /// The files of tasks that are being read: each includes the next.
    pub(super) chain: Vec<PathBuf>,
}

/// The variables around tasks.
#[derive(Clone, Default)]
pub(super) struct TaskVariables {
    /// Those of blocks and of tasks that import.
    of_blocks: Hash,
    /// Those of tasks that include, which count more.
    of_includes: Hash,
}

impl TaskVariables {
    fn with_block(&self, vars: &Hash) -> TaskVariables {
        TaskVariables { of_blocks: merged(&self.of_blocks, vars), of_includes: self.of_includes.clone() }
    }

    /// `of_apply` are the variables that an include applies to the tasks.
    fn with_reuse(&self, form: Reuse, vars: &Hash, of_apply: &Hash) -> TaskVariables {
        match form {
            Reuse::Import => self.with_block(vars),
            Reuse::Include => TaskVariables {
                of_blocks: merged(&self.of_blocks, of_apply),
                of_includes: merged(&self.of_includes, vars),
            },
        }
    }
}

/// The form of a task that includes tasks or a role.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reuse {
    /// It is read before the play runs: a file has to be there, and a role is one of the play's roles.
    Import,
    /// It is read when the task runs.
    Include,
}

const FORMS: [(&str, Reuse); 2] = [("import_", Reuse::Import), ("include_", Reuse::Include)];

impl RoleFinder<'_> {
    /// Adds the roles of tasks in a file, with the variables around the tasks.
    pub(super) fn add_tasks(
        &mut self,
        tasks: &Value,
        outer: &TaskVariables,
        path: &Path,
        depth: usize,
    ) -> Result<(), Error> {
        if depth > DEEPEST {
            let message = format!("blocks and files of tasks nest more than {DEEPEST} levels deep");
            return Err(file_error(codes::VARIABLES, message, path));
        }
        for task in tasks.as_array().unwrap_or_default() {
            let own = variables(task, path)?;
            for key in ["block", "rescue", "always"] {
                if let Some(inner) = task.at_path(&[key]) {
                    self.add_tasks(inner, &outer.with_block(&own), path, depth + 1)?;
                }
            }
            for (prefix, form) in FORMS {
                let vars = |action: &str| {
                    Ok::<_, Error>(outer.with_reuse(form, &own, &variables_of_apply(task, action, path)?))
                };
                if let Some(name) = argument(task, &format!("{prefix}role"), "name") {
                    let (vars, is_listed) = (vars("include_role")?, form == Reuse::Import);
                    let params = merged(&vars.of_blocks, &vars.of_includes);
                    let from = |key| argument(task, &format!("{prefix}role"), key).map(str::to_owned);
                    let files = RoleFiles { defaults: from("defaults_from"), vars: from("vars_from") };
                    self.roles.push(RoleUse { name: name.to_owned(), params, is_listed, files });
                }
                if let Some(name) = argument(task, &format!("{prefix}tasks"), "file") {
                    self.add_file(name, form, &vars("include_tasks")?, path, depth)?;
                }
            }
        }
        Ok(())
    }

    fn add_file(
        &mut self,
        name: &str,
        form: Reuse,
        vars: &TaskVariables,
        from: &Path,
        depth: usize,
    ) -> Result<(), Error> {
        let unread = |reason| UnreadTasks { name: name.to_owned(), file: from.to_path_buf(), reason };
        if name.contains("{{") {
            self.unread.push(unread("its name is a template, which is rendered when the task runs"));
            return Ok(());
        }
        // The file is searched next to the tasks that include it, then next to the playbook.
        let beside = from.parent().unwrap_or(from);
        let Some(path) =
            [beside, self.folder].map(|folder| folder.join(name)).into_iter().find(|path| self.files.is_file(path))
        else {
            if form == Reuse::Include {
                self.unread.push(unread("it is not here"));
                return Ok(());
            }
            let message = format!("the file of tasks '{name}', which the playbook imports, is not here");
            return Err(file_error(codes::VARIABLES, message, from)
                .help("it is searched next to the file that imports it, and next to the playbook"));
        };
        if form == Reuse::Include && self.chain.contains(&path) {
            // A loop that a condition ends. The roles of the file are known.
            return Ok(());
        }
        *self.imports += 1;
        if *self.imports > MOST_IMPORTS {
            let message = format!("the playbook reads more than {MOST_IMPORTS} other files");
            return Err(file_error(codes::VARIABLES, message, from));
        }
        let tasks = TemplateLanguage::Jinja2.document_of_file(&path, self.files, self.vault)?;
        self.chain.push(path.clone());
        let added = self.add_tasks(&tasks, vars, &path, depth + 1);
        self.chain.pop();
        added
    }
}

/// Returns the value of an action of a task.
fn action_of<'t>(task: &'t Value, action: &str) -> Option<&'t Value> {
    let full = format!("ansible.builtin.{action}");
    [action, &full].into_iter().find_map(|name| task.at_path(&[name]))
}

/// Returns the variables that an include applies to the tasks that it includes.
fn variables_of_apply(task: &Value, action: &str, path: &Path) -> Result<Hash, Error> {
    match action_of(task, action).and_then(|value| value.at_path(&["apply"])) {
        Some(apply) => variables(apply, path),
        None => Ok(Hash::default()),
    }
}

/// Returns the argument of a task: the value of its action, or what the action names by a key.
fn argument<'t>(task: &'t Value, action: &str, key: &str) -> Option<&'t str> {
    match action_of(task, action)? {
        // `include_role: name=web` in one string is parsed by Ansible as well.
        Value::String(text) => {
            let text = text.trim();
            text.split_whitespace()
                .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
                .or_else(|| (!text.contains('=') && matches!(key, "name" | "file")).then_some(text))
        }
        value => value.at_path(&[key])?.as_str(),
    }
}
