//! [`Role`]: a role of Ansible, with its variables and the search path of its files.

use std::path::{Path, PathBuf};

use hieratic_hiera::Error;
use hieratic_jinja::Foreign;
use hieratic_sandbox::{Denied, FileKind, Files, Stat, is_absence, plain};
use hieratic_value::ErasedSort as _;
use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, HashBuilder, Value};

use super::template_tasks::{TemplateTask, TemplateTasks};
use crate::codes;
use crate::control_repo::repository_of;
use crate::facts::file_error;
use crate::templates::TemplateLanguage;
use crate::vault::Vault;
use hieratic_sandbox::SlashPath as _;

/// A [role](https://docs.ansible.com/ansible/latest/playbook_guide/playbooks_reuse_roles.html) of Ansible.
#[derive(Clone, Debug)]
pub struct Role {
    path: PathBuf,
    name: String,
    playbook: PathBuf,
    files: Files,
    vault: Vault,
}

/// The maximum depth of role dependencies.
const DEEPEST: usize = 20;

/// The maximum number of folders from `roles` to a role: `group/web` is the name of a role, too.
const DEEPEST_NAME: usize = 3;

/// The endings of files of variables, in the order in which Ansible looks for them.
const ENDINGS: [&str; 3] = ["yml", "yaml", "json"];

impl Role {
    /// Opens the role in a folder. `files` are the readable files, and the vault decrypts encrypted ones. The playbook
    /// is assumed to be next to the folder `roles` that contains the role, as in `roles/web` or `roles/group/web`,
    /// otherwise in the parent of the role.
    pub fn open(path: &Path, files: &Files, vault: &Vault) -> Result<Role, Error> {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        if !files.is_folder(&absolute) {
            let help = "name the folder of a role: the one that has the folders defaults, tasks and templates";
            return Err(file_error(codes::VARIABLES, "there is no role here".to_owned(), path).help(help));
        }
        let above = absolute.parent().unwrap_or(&absolute);
        let mut outer = absolute.ancestors().skip(1).take(DEEPEST_NAME);
        let roles = outer.find(|folder| folder.file_name().is_some_and(|name| name == "roles"));
        let playbook = roles.and_then(Path::parent).unwrap_or(above).to_path_buf();
        let name = absolute.strip_prefix(roles.unwrap_or(above)).unwrap_or(&absolute).to_string_lossy().into_owned();
        Ok(Role { path: absolute, name, playbook, files: files.clone(), vault: vault.clone() })
    }

    /// Returns its name: its path below the folder `roles`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the folder of the playbook that uses the role.
    pub fn playbook(&self) -> &Path {
        &self.playbook
    }

    /// Returns the folders in which files named by its templates are searched.
    pub fn search(&self) -> Vec<PathBuf> {
        vec![self.path.clone(), self.path.join("tasks"), self.playbook.clone()]
    }

    /// Returns the value of `ansible_search_path` in the template at this path.
    pub fn ansible_search_path(&self, template: &Path) -> Value {
        let beside = template.parent().unwrap_or(template).to_path_buf();
        let folders = self.search().into_iter().chain([self.playbook.clone(), beside]);
        folders.map(|path| Value::from(path.to_slashes())).collect()
    }

    /// Returns the folders that its templates may read: the role, and the folder of the playbook, or, if no repository
    /// contains both, only those with files for templates.
    pub fn readable(&self) -> Vec<PathBuf> {
        let repository = repository_of(&self.path);
        if repository.is_some_and(|repository| self.playbook.starts_with(repository)) {
            return vec![self.path.clone(), self.playbook.clone()];
        }
        let kinds = ["templates", "files", "vars"].map(|kind| self.playbook.join(kind));
        [self.path.clone()].into_iter().chain(kinds).collect()
    }

    /// Returns the arguments of the tasks that render each template, by the name that the tasks give it.
    pub fn template_tasks(&self) -> Result<std::collections::HashMap<String, TemplateTask>, Error> {
        let mut all = TemplateTasks::default();
        let is_meant = |name: &str| !name.starts_with('.');
        for file in files_below(&self.path.join("tasks"), &self.files, "tasks", &is_meant)? {
            // A file that is not of tasks, or cannot be read, has none: a template that names its destination fails.
            if let Ok(tasks) = TemplateLanguage::Jinja2.document_of_file(&file, &self.files, &self.vault) {
                all.add(&tasks, &Hash::default(), &file, 0)?;
            }
        }
        Ok(all.into_map())
    }

    /// Returns the file of a template, as the module `template` finds it. `None` if it does not exist.
    ///
    /// # Errors
    /// The file may not be read, for example because a link leads out of the repository.
    pub fn template(&self, name: &Path) -> Result<Option<PathBuf>, Error> {
        if name.is_absolute() {
            return Ok(Some(name.to_path_buf()));
        }
        let mut refused = None;
        for folder in self.search() {
            for place in [folder.join("templates").join(name), folder.join(name)] {
                match is_file(&place, &self.files) {
                    Ok(true) => return Ok(Some(place)),
                    Ok(false) => {}
                    Err(error) if place.starts_with(&self.path) => refused = refused.or(Some(error)),
                    // A place beside the role that must not be read is not searched.
                    Err(_) => {}
                }
            }
        }
        refused.map_or(Ok(None), Err)
    }

    /// Returns the roles in a folder: the folder itself if it is one, otherwise the folders in it that have templates.
    pub fn all_in(folder: &Path, files: &Files) -> Result<Vec<PathBuf>, Error> {
        let folder = &std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        if !files.is_folder(folder) {
            return Ok(vec![folder.to_path_buf()]);
        }
        for part in PARTS {
            if stat(&folder.join(part), files)?.is_some_and(|part| part.kind == FileKind::Folder) {
                return Ok(vec![folder.to_path_buf()]);
            }
        }
        let unlisted = |error| file_error(codes::VARIABLES, format!("cannot list the roles: {error}"), folder);
        let entries = files.list(folder).map_err(unlisted)?;
        let roles = entries.iter().map(|entry| folder.join(&entry.name));
        let roles: Vec<PathBuf> = roles.filter(|role| files.is_folder(&role.join("templates"))).collect();
        if roles.is_empty() {
            Err(file_error(codes::VARIABLES, "there is no role here".to_owned(), folder)
                .help("name the folder of a role, or a folder of roles with templates"))
        } else {
            Ok(roles)
        }
    }

    /// Returns the filters, tests and lookups of the role, its collection and the playbook that are written in Python.
    /// `shown` returns the display name of a file.
    pub fn foreign(&self, shown: &dyn Fn(&Path) -> String) -> Result<Foreign, Error> {
        let mut all = Foreign::default();
        let collection = self.path.parent().and_then(Path::parent).map(|above| above.join("plugins"));
        for kind in ["filter", "test", "lookup"] {
            let own = [&self.path, &self.playbook].map(|folder| folder.join(format!("{kind}_plugins")));
            for folder in own.into_iter().chain(collection.iter().map(|plugins| plugins.join(kind))) {
                for file in files_below(&folder, &self.files, "plugins", &|name| !name.starts_with(['.', '_']))? {
                    if file.extension().is_none_or(|ending| ending != "py") {
                        continue;
                    }
                    if kind == "lookup" {
                        let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
                        all.add(kind, &name, shown(&file), true);
                        continue;
                    }
                    let unreadable =
                        |error| file_error(codes::VARIABLES, format!("cannot read the plugin: {error}"), &file);
                    let text = self.files.read_text(&file).map_err(unreadable)?;
                    for (name, line, is_certain) in python_names(&text, kind) {
                        all.add(kind, name, format!("{}:{line}", shown(&file)), is_certain);
                    }
                }
            }
        }
        Ok(all)
    }

    /// Returns the direct and indirect dependencies of the role that do not exist: their names, and the files that name
    /// them.
    pub fn missing_roles(&self) -> Result<Vec<(String, PathBuf)>, Error> {
        Ok(self.chain()?.missing)
    }

    /// The role with all that it depends on.
    fn chain(&self) -> Result<DependencyChain, Error> {
        let mut chain = DependencyChain::default();
        self.add_to(&mut chain, 0)?;
        Ok(chain)
    }

    /// Adds the role and its dependencies in the order of precedence. Returns the number of levels below the role.
    fn add_to(&self, chain: &mut DependencyChain, depth: usize) -> Result<usize, Error> {
        let needed = self.needed()?;
        let own = plain(&self.path);
        chain.heights.insert(own.clone(), None);
        chain.roles.push(self.clone());
        let too_deep = || {
            let message = format!("roles depend on each other more than {DEEPEST} levels deep");
            file_error(codes::VARIABLES, message, needed.file.as_deref().unwrap_or(&self.path))
        };
        if depth >= DEEPEST && !needed.is_empty() {
            return Err(too_deep());
        }
        for name in &needed.absent {
            let one = (name.clone(), needed.file.clone().unwrap_or_default());
            if !chain.missing.contains(&one) {
                chain.missing.push(one);
            }
        }
        let mut height = 0;
        for role in needed.here.iter().rev() {
            let below = match chain.heights.get(&plain(&role.path)) {
                // A repeated role counts at its first position.
                Some(Some(below)) => *below,
                Some(None) => return Err(too_deep()),
                None => role.add_to(chain, depth + 1)?,
            };
            height = height.max(below + 1);
            if depth + height > DEEPEST {
                return Err(too_deep());
            }
        }
        chain.heights.insert(own, Some(height));
        Ok(height)
    }

    /// Returns the templates of the role: the relative paths of all files below its folder `templates`.
    pub fn templates(&self) -> Result<Vec<PathBuf>, Error> {
        let root = self.path.join("templates");
        let found = files_below(&root, &self.files, "templates", &|_| true)?;
        Ok(found.into_iter().filter_map(|path| Some(path.strip_prefix(&root).ok()?.to_path_buf())).collect())
    }

    /// Returns the magic variables, such as `role_path`.
    pub fn magic(&self) -> Result<Hash, Error> {
        let text = |path: &Path| Value::from(path.to_slashes());
        let playbook = text(&self.playbook);
        let name = Value::from(self.name());
        let version = [
            ("string", "2.15.9".into()),
            ("full", "2.15.9".into()),
            ("major", 2.into()),
            ("minor", 15.into()),
            ("revision", Value::from(9)),
        ];
        let version: Hash = version.into_iter().collect();
        let dependent: Vec<Value> = self.chain()?.roles.iter().skip(1).map(|role| Value::from(role.name())).collect();
        let magic = [
            ("ansible_managed", Value::from("Ansible managed")),
            ("role_path", text(&self.path)),
            ("role_name", name.clone()),
            ("ansible_role_name", name.clone()),
            ("role_names", [name.clone()].into_iter().collect()),
            ("ansible_role_names", dependent.iter().cloned().chain([name.clone()]).collect()),
            ("ansible_play_role_names", [name].into_iter().collect()),
            ("playbook_dir", playbook),
            ("ansible_collection_name", Value::Undef),
            ("environment", Value::from(Vec::new())),
            ("ansible_dependent_role_names", dependent.into()),
            ("ansible_run_tags", ["all"].into_iter().map(Value::from).collect()),
            ("ansible_skip_tags", Value::from(Vec::new())),
            ("ansible_forks", Value::from(5)),
            ("ansible_verbosity", Value::from(0)),
            ("ansible_check_mode", false.into()),
            ("ansible_diff_mode", false.into()),
            ("ansible_version", version.into()),
        ];
        Ok(magic.into_iter().collect())
    }

    /// Returns the defaults of the role. They override those of its dependencies, which are included.
    pub fn defaults(&self) -> Result<Hash, Error> {
        self.collected("defaults", None)
    }

    /// Returns its defaults, with this file in the place of the main one.
    pub fn defaults_from(&self, file: &str) -> Result<Hash, Error> {
        self.collected("defaults", Some(file))
    }

    /// Returns the variables of the role. They override those of its dependencies, which are included.
    pub fn vars(&self) -> Result<Hash, Error> {
        self.collected("vars", None)
    }

    /// Returns its variables, with this file in the place of the main one.
    pub fn vars_from(&self, file: &str) -> Result<Hash, Error> {
        self.collected("vars", Some(file))
    }

    fn collected(&self, kind: &str, file: Option<&str>) -> Result<Hash, Error> {
        let mut all = HashBuilder::default();
        for role in self.chain()?.roles.iter().skip(1).rev() {
            all.extend(role.variables(kind)?.into_map());
        }
        let own = match file {
            Some(file) => self.named_variables(kind, file)?,
            None => self.variables(kind)?,
        };
        all.extend(own.into_map());
        Ok(all.into())
    }

    /// The variables in the file `KIND/NAME`, with or without its ending, or in all files below that folder.
    fn named_variables(&self, kind: &str, name: &str) -> Result<Hash, Error> {
        let folder = self.path.join(kind);
        let is_inside = Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
        let named = ["", ".yml", ".yaml", ".json"].map(|ending| folder.join(format!("{name}{ending}")));
        for file in named.iter().filter(|_| is_inside) {
            if is_file(file, &self.files)? {
                return self.variables_of(file);
            }
            if stat(file, &self.files)?.is_some_and(|found| found.kind == FileKind::Folder) {
                let mut all = HashBuilder::default();
                for file in variable_files(file, &self.files)? {
                    all.extend(self.variables_of(&file)?.into_map());
                }
                return Ok(all.into());
            }
        }
        let message =
            format!("the role '{}' has no file '{kind}/{name}', which a task of the playbook names", self.name());
        Err(file_error(codes::VARIABLES, message, &folder).help("correct the name, with or without .yml"))
    }

    /// The variables in `KIND/main.yml`, or in all files below `KIND/main`.
    fn variables(&self, kind: &str) -> Result<Hash, Error> {
        let main = self.path.join(kind).join("main");
        for ending in ENDINGS {
            let file = main.with_extension(ending);
            if is_file(&file, &self.files)? {
                return self.variables_of(&file);
            }
        }
        if is_file(&main, &self.files)? {
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

    /// Reads the dependencies from `meta/main.yml`.
    fn needed(&self) -> Result<RoleDependencies, Error> {
        let meta = self.path.join("meta/main");
        let mut file = None;
        for ending in ENDINGS {
            let candidate = meta.with_extension(ending);
            if file.is_none() && is_file(&candidate, &self.files)? {
                file = Some(candidate);
            }
        }
        let mut needed = RoleDependencies { file, ..RoleDependencies::default() };
        let Some(file) = &needed.file else { return Ok(needed) };
        let meta = self.variables_of(file)?;
        let listed = meta.get("dependencies").and_then(Value::as_array).unwrap_or_default();
        let above = self.path.parent().unwrap_or(&self.path);
        let name = |one: &Value| match one {
            Value::String(name) => Some(name.to_string()),
            Value::Hash(entry) => {
                ["role", "name", "src"].iter().find_map(|key| Some(entry.get(key)?.as_str()?.to_owned()))
            }
            _ => None,
        };
        for name in listed.iter().filter_map(name) {
            // A role of the same collection may be named in full.
            let last = name.rsplit('.').next().unwrap_or(&name);
            let folders = [self.playbook.join("roles").join(&name), above.join(&name), above.join(last)];
            match folders.into_iter().find(|folder| self.files.is_folder(folder)) {
                Some(folder) => needed.here.push(Role::open(&folder, &self.files, &self.vault)?),
                None => needed.absent.push(name),
            }
        }
        Ok(needed)
    }
}

/// The roles that a role depends on.
#[derive(Default)]
struct RoleDependencies {
    here: Vec<Role>,
    /// The names of those that are not here.
    absent: Vec<String>,
    /// The file that names them.
    file: Option<PathBuf>,
}

impl RoleDependencies {
    fn is_empty(&self) -> bool {
        self.here.is_empty() && self.absent.is_empty()
    }
}

/// A role with all that it depends on, each once: roles may depend on the same others over many ways.
#[derive(Default)]
struct DependencyChain {
    /// The roles, those that count more first.
    roles: Vec<Role>,
    /// The number of levels below each role by its folder, or `None` while the role is being added: meeting it again is
    /// a cycle.
    heights: HashMap<PathBuf, Option<usize>>,
    /// The names of roles that are not here, and the files that name them.
    missing: Vec<(String, PathBuf)>,
}

/// The folders of a role.
const PARTS: [&str; 7] = ["tasks", "templates", "defaults", "vars", "meta", "handlers", "files"];

/// Returns whether a file exists at a path. It is an error if it must not be read, for example behind a link that leads
/// out.
pub(super) fn is_file(path: &Path, files: &Files) -> Result<bool, Error> {
    Ok(stat(path, files)?.is_some_and(|stat| stat.is_file()))
}

/// The file or folder at a path, if there is one; an error if it may not be read.
fn stat(path: &Path, files: &Files) -> Result<Option<Stat>, Error> {
    match files.try_stat(path) {
        Ok(stat) => Ok(Some(stat)),
        Err(problem) if is_absence(&problem) => Ok(None),
        Err(problem) => {
            let error = file_error(codes::VARIABLES, format!("the file cannot be read: {problem}"), path);
            Err(Denied::from_error(&problem).into_iter().fold(error, |error, denied| error.help(denied.help())))
        }
    }
}

/// The names that a plugin in Python may define, with their lines: keys of dictionaries. Those within the function that lists the filters
/// or tests are certain.
fn python_names<'t>(text: &'t str, kind: &'static str) -> impl Iterator<Item = (&'t str, usize, bool)> {
    let start = format!("def {kind}s(");
    let mut indent = None;
    text.lines().enumerate().flat_map(move |(at, line)| {
        let depth = line.len() - line.trim_start().len();
        let code = line.trim_start();
        match indent {
            _ if code.starts_with(&start) => indent = Some(depth),
            Some(within) if !code.is_empty() && !code.starts_with(['#', '}']) && depth <= within => indent = None,
            _ => {}
        }
        let is_certain = indent.is_some();
        keys_in(code).map(move |name| (name, at + 1, is_certain))
    })
}

/// The strings of a line of Python that are followed by a colon.
fn keys_in(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find(['\'', '"'])?;
            let quote = rest.get(at..=at)?;
            let tail = rest.get(at + 1..)?;
            let (name, after) = tail.split_once(quote)?;
            rest = after;
            let is_name =
                !name.is_empty() && name.chars().all(|letter| letter == '_' || letter.is_ascii_alphanumeric());
            if is_name && after.trim_start().starts_with(':') {
                return Some(name);
            }
        }
    })
}

/// Returns the variable files in a folder, in Ansible's order; an empty list without the folder.
pub(super) fn variable_files(folder: &Path, files: &Files) -> Result<Vec<PathBuf>, Error> {
    let is_meant = |name: &str| !name.starts_with('.') && !name.ends_with('~');
    let mut found = files_below(folder, files, "variables", &is_meant)?;
    let is_of_variables = |ending: Option<&str>| ending.is_none_or(|ending| ENDINGS.contains(&ending));
    found.retain(|path| is_of_variables(path.extension().and_then(|ending| ending.to_str())));
    // A folder in it whose name has an ending is skipped.
    let has_ending = |name: &std::ffi::OsStr| Path::new(name).extension().is_some();
    let inside = |path: &Path| path.strip_prefix(folder).unwrap_or(path).parent().map(Path::to_path_buf);
    found.retain(|path| inside(path).is_some_and(|folders| !folders.iter().any(has_ending)));
    Ok(found)
}

/// The limit of files and folders below a folder: links may lead round in circles.
const MOST_BELOW: usize = 10_000;

/// Returns all files below a folder, sorted, without those for which `is_meant` returns false; an empty list without
/// the folder.
pub(super) fn files_below(
    folder: &Path,
    files: &Files,
    subject: &str,
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
        let entries = entries
            .map_err(|error| file_error(codes::VARIABLES, format!("cannot list the {subject}: {error}"), &folder))?;
        seen += entries.len();
        if seen > MOST_BELOW {
            let message = format!("cannot list the {subject}: there are more than {MOST_BELOW} files");
            return Err(file_error(codes::VARIABLES, message, &folder));
        }
        for entry in entries.iter().filter(|entry| is_meant(&entry.name)) {
            let path = folder.join(&entry.name);
            if files.is_folder(&path) { open.push(path) } else { found.push(path) }
        }
    }
    found.sort_erased();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The defaults of the roles that a role depends on.
    fn without_own(role: &Role) -> Result<Hash, Error> {
        let mut all = HashBuilder::default();
        for role in role.chain()?.roles.iter().skip(1).rev() {
            all.extend(role.variables("defaults")?.into_map());
        }
        Ok(all.into())
    }

    /// Returns the merged defaults of the first role with its dependencies, or the error.
    fn defaults(roles: &[(&str, &str)]) -> Result<Hash, String> {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, needed) in roles {
            let role = folder.path().join("roles").join(name);
            for (file, text) in [("meta", format!("dependencies: [{needed}]")), ("defaults", format!("last: {name}"))] {
                std::fs::create_dir_all(role.join(file)).expect("a folder");
                std::fs::write(role.join(file).join("main.yml"), text).expect("a file");
            }
        }
        let files = Files::below([folder.path()]);
        let role = Role::open(&folder.path().join("roles").join(roles[0].0), &files, &Vault::default());
        role.and_then(|role| without_own(&role)).map_err(|error| error.to_string())
    }

    #[test]
    fn roles_on_many_ways_are_read_once() {
        let last = |roles: &[(&str, &str)]| defaults(roles).map(|hash| hash.get("last").map(Value::to_text));
        // The last role counts, as if every role were read on every way.
        let ways = [("r", "a, x, a"), ("a", "d"), ("x", ""), ("d", "")];
        assert_eq!(last(&ways), Ok(Some("a".to_owned())));
        assert_eq!(last(&[("r", "a, x"), ("a", "x"), ("x", "")]), Ok(Some("x".to_owned())));
        let names: Vec<String> = (0..=DEEPEST).map(|at| format!("r{at}")).collect();
        let next: Vec<String> =
            (1..=DEEPEST).map(|at| format!("r{at}, ../roles/r{at}, r{at}")).chain([String::new()]).collect();
        let pairs: Vec<(&str, &str)> = names.iter().zip(&next).map(|(name, next)| (&**name, &**next)).collect();
        assert_eq!(last(&pairs), Ok(Some("r1".to_owned())));
        let deeper = [&[("r", "r0")][..], &pairs].concat();
        assert!(last(&deeper).is_err_and(|why| why.contains("levels deep")));
        assert!(last(&[("r", "a"), ("a", "r")]).is_err_and(|why| why.contains("levels deep")));
        let short = [&[("r", "r1, q"), ("q", "r0")][..], &pairs].concat();
        assert!(last(&short).is_err_and(|why| why.contains("levels deep")));
    }

    #[test]
    fn a_role_in_a_group_is_named_from_the_folder_of_roles() {
        let folder = tempfile::tempdir().expect("a folder");
        let roles = folder.path().join("site/roles");
        for (role, text) in [("group/web", "dependencies: [group/base, common]"), ("group/base", ""), ("common", "")] {
            std::fs::create_dir_all(roles.join(role).join("meta")).expect("a folder");
            std::fs::write(roles.join(role).join("meta/main.yml"), text).expect("a file");
        }
        let files = Files::below([folder.path()]);
        let role = Role::open(&roles.join("group/web"), &files, &Vault::default()).expect("a role");
        assert_eq!((role.name(), role.playbook()), ("group/web", folder.path().join("site").as_path()));
        assert_eq!(role.missing_roles().expect("roles"), []);
        let alone = Role::open(&roles.join("../group"), &files, &Vault::default());
        assert!(alone.is_err());
        let above = Role::open(&folder.path().join("site"), &files, &Vault::default()).expect("a role");
        assert_eq!((above.name(), above.playbook()), ("site", folder.path()));
    }

    #[test]
    fn names_of_filters_in_python_are_found() {
        let text = "DOC = {'doc': 1}\nclass FilterModule(object):\n    def filters(self):\n        return {\n            'up': up, \"down\": d,\n        }\n\n    def other(self):\n        return {'x': 1}\n";
        let names: Vec<_> = python_names(text, "filter").collect();
        assert_eq!(names, [("doc", 1, false), ("up", 5, true), ("down", 5, true), ("x", 9, false)]);
    }
}
