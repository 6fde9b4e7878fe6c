//! [`Play`]: the state that all templates of a call share, like the tasks of a play in Ansible.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use hieratic::expressions::Vault;
use hieratic::facts::FactsFolder;
use hieratic::jinja::local_time;
use hieratic::layers::repository_of;
use hieratic::puppet_eval::Options;
use hieratic::sandbox::Mounted;
use hieratic::templates::{
    Inventory, Jinja2, Playbook, Rendering, Role, TemplateLanguage, TemplateTask, jinja2_variables,
};
use hieratic::{Environment, Error, ErrorKind, Facts, Hash, Permissions, Template, Value};
use hieratic_diagnostics::{Diagnostic, Severity, Source};
use hieratic_fleet::is_of_many;

use super::flags::RenderArguments;
use super::playbook::{self, OtherRoles};
use super::source::{is_standard_input, text};
use crate::args::PlaceArguments;
use crate::code::options;
use crate::eval::tree_context;
use crate::report::Reporter;
use crate::target::{Target as NodeTarget, host_name};
use crate::{codes, documents, output};
use hieratic::sandbox::SlashPath as _;

/// The state that all renderings of a call share.
pub(super) struct Play<'a> {
    pub(super) arguments: &'a RenderArguments,
    language: TemplateLanguage,
    pub(super) jinja2: Jinja2,
    environment: Option<Environment>,
    pub(super) options: Options,
    pub(super) hosts: Arc<Hosts>,
    /// The playbook that the flag names.
    pub(super) playbook: Option<Playbook>,
    /// The defaults and variables of the other roles of a play, by its name and that of the role.
    pub(super) others: RefCell<HashMap<(String, String), OtherRoles>>,
    /// The templates whose tasks have different variables, each with its role, that were reported.
    reported: RefCell<HashSet<(String, PathBuf)>>,
    /// The host that was rendered for last: templates of one host follow each other.
    last: RefCell<Option<(Option<String>, HostFacts)>>,
    /// The time at which the call began.
    started: SystemTime,
}

/// The facts of a host, and its variables by the inventory.
#[derive(Clone)]
struct HostFacts {
    facts: Facts,
    variables: Hash,
}

/// The sources of facts and variables of hosts.
pub(super) struct Hosts {
    place: PlaceArguments,
    permissions: Permissions,
    pub(super) inventory: Option<Inventory>,
    /// The variables about all hosts that each host sees.
    of_all: Hash,
    pub(super) vault: Vault,
    /// The variables of `--vars` and `--var`, which count more than all others.
    pub(super) given: Vec<(String, Value)>,
    /// The host that a file of facts is about; without it, the file is about all hosts.
    host: Option<String>,
}

/// A role with its variables.
pub(super) struct OpenRole {
    role: Role,
    pub(super) defaults: Hash,
    pub(super) vars: Hash,
    magic: Hash,
    jinja2: Jinja2,
    /// The arguments of its tasks that render templates.
    tasks: HashMap<String, TemplateTask>,
}

/// A template that is rendered for a host.
#[derive(Clone, Copy)]
pub(super) struct Target<'t> {
    pub(super) role: Option<&'t OpenRole>,
    /// The name that was given for the template.
    pub(super) name: &'t Path,
    /// The path of the template.
    pub(super) path: &'t Path,
    pub(super) host: Option<&'t str>,
}

/// The result of a rendering.
pub(super) enum RenderOutput {
    /// The output, or the reason why there is none.
    Rendering(Rendering),
    /// A template over a tree was printed.
    Tree(ExitCode),
}

impl<'a> Play<'a> {
    /// Reads the data that all renderings share.
    pub(super) fn new(
        arguments: &'a RenderArguments,
        language: TemplateLanguage,
        jinja2: Jinja2,
        reporter: &Reporter,
    ) -> Result<Play<'a>, Error> {
        Play::at(arguments, arguments.place.clone(), language, jinja2, reporter)
    }

    /// Opens the same call for files in another place, such as another revision.
    pub(super) fn beside(&self, place: PlaceArguments, reporter: &Reporter) -> Result<Play<'a>, Error> {
        let jinja2 = Jinja2 { hosts: Default::default(), ..self.jinja2.clone() };
        let beside = Play::at(self.arguments, place, self.language, jinja2, reporter)?;
        Ok(Play { started: self.started, ..beside })
    }

    fn at(
        arguments: &'a RenderArguments,
        place: PlaceArguments,
        language: TemplateLanguage,
        jinja2: Jinja2,
        reporter: &Reporter,
    ) -> Result<Play<'a>, Error> {
        let target = NodeTarget::new(&place);
        let environment = target.open_if_any(reporter)?;
        let vault = arguments.vault.open(reporter)?;
        let options = options(&target, &arguments.code_may);
        let permissions = target.permissions();
        let playbook = match &arguments.playbook {
            Some(file) => {
                let files = Mounted::over(place.revision.as_ref(), readable_around(file, &permissions));
                let playbook = playbook::read(file, &files, &vault)?;
                playbook::report_unread(&playbook, reporter);
                Some(playbook)
            }
            None => None,
        };
        // Without a flag, the playbook is next to the roles.
        let role = arguments.role.as_deref();
        let first = match role {
            Some(folder) => {
                let files = Mounted::over(place.revision.as_ref(), readable_around(folder, &permissions));
                let folders = Role::all_in(folder, &files)?;
                // A role that is missing is reported where it is opened.
                let first = folders.first().filter(|first| files.is_folder(first));
                first.map(|first| Role::open(first, &files, &vault)).transpose()?
            }
            None => None,
        };
        // Variables of groups and hosts are next to the inventory and next to the playbook.
        let beside = playbook.as_ref().map(Playbook::folder).or(first.as_ref().map(Role::playbook));
        // `group_vars` may be a link to another folder of the repository.
        let files_below = |folder: &Path| {
            let files = permissions.files_below(folder).and_below(repository_of(folder)).and_below(beside);
            Mounted::over(place.revision.as_ref(), files)
        };
        let inventory = match (&arguments.inventory, beside) {
            (Some(file), beside) => Some(Inventory::read(file, beside, &files_below(&around(file)), &vault)?),
            // Without an inventory, Ansible knows the machine that it runs on.
            (None, Some(folder)) => Some(Inventory::implicit(folder, &files_below(folder), &vault)?),
            (None, None) => None,
        };
        if let Some(inventory) = &inventory {
            report_skipped(inventory, reporter);
        }
        let mut given = Vec::new();
        // Hierarchies, playbooks and trees look into variables, too.
        let is_for_template = environment.is_none() && playbook.is_none() && arguments.tree.file.is_none();
        for file in &arguments.vars {
            let files = permissions.files_named(file);
            let read = if is_for_template {
                language.deferred_variables_of_file(file, &files, &vault)?
            } else {
                language.variables_of_file(file, &files, &vault)?
            };
            for (name, value) in read.iter() {
                given.extend(name.as_str().map(|name| (name.to_owned(), value.clone())));
            }
        }
        for assignment in &place.var {
            let (name, value) = language.variable(assignment)?;
            given.push((name.to_owned(), value));
        }
        let names: Vec<String> = inventory.iter().flat_map(Inventory::hosts).map(str::to_owned).collect();
        let of_all = inventory.as_ref().map(of_all_hosts).unwrap_or_default();
        let host = match (arguments.host.as_ref().or(place.node.as_ref()), names.as_slice()) {
            (None, [only]) => Some(only.clone()),
            (named, _) => named.cloned(),
        };
        let hosts = Arc::new(Hosts { place, permissions, inventory, of_all, vault: vault.clone(), given, host });
        let known = hosts.clone();
        let of_host = move |host: &str| known.variables(host).map_err(|error| error.to_string());
        let of_hosts = if hosts.inventory.is_some() { hieratic::jinja::hosts(names, of_host) } else { jinja2.hosts };
        let jinja2 = Jinja2 { hosts: of_hosts, vault, ..jinja2 };
        let (others, last, reported) = Default::default();
        let started = SystemTime::now();
        Ok(Play { arguments, language, jinja2, environment, options, hosts, playbook, others, last, reported, started })
    }

    /// The hosts that are named, or all of the inventory; one without a name if there is no inventory.
    pub(super) fn host_names(&self) -> Result<Vec<Option<String>>, Error> {
        let Some(inventory) = self.hosts.named_inventory() else { return Ok(vec![None]) };
        match self.named() {
            Some(_) => Ok(vec![self.only_host()?]),
            None => Ok(inventory.hosts().map(|host| Some(host.to_owned())).collect()),
        }
    }

    fn named(&self) -> Option<&str> {
        self.arguments.host.as_deref().or(self.hosts.place.node.as_deref())
    }

    /// The host of the inventory that a single template is rendered for.
    pub(super) fn only_host(&self) -> Result<Option<String>, Error> {
        let Some(inventory) = self.hosts.named_inventory() else { return Ok(None) };
        let hosts: Vec<&str> = inventory.hosts().collect();
        let (message, help) = match (self.named(), hosts.as_slice()) {
            (Some(name), hosts) if hosts.contains(&name) => return Ok(Some(name.to_owned())),
            (None, [only]) => return Ok(Some((*only).to_owned())),
            (Some(name), hosts) => {
                let help = match hieratic_diagnostics::nearest(name, hosts.iter().copied()) {
                    Some(near) => format!("did you mean '{near}'?"),
                    None => format!("its hosts are {}", shown(hosts)),
                };
                (format!("the inventory has no host '{name}'"), help)
            }
            (None, hosts) => {
                ("no host is named".to_owned(), format!("pass --host NAME: the hosts are {}", shown(hosts)))
            }
        };
        Err(Error::new(ErrorKind::Fatal, codes::USAGE, message).help(help))
    }

    /// The folders of the roles that a flag names.
    pub(super) fn role_folders(&self, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        Role::all_in(folder, &self.files_around(folder))
    }

    /// Whether there is a folder.
    pub(super) fn has_folder(&self, folder: &Path) -> bool {
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        self.files_around(folder).is_folder(&absolute)
    }

    pub(super) fn files_around(&self, path: &Path) -> hieratic::sandbox::Files {
        let files = readable_around(path, &self.hosts.permissions);
        Mounted::over(self.hosts.place.revision.as_ref(), files)
    }

    /// A role with its variables. Roles that it depends on and that are not here are reported.
    pub(super) fn role(&self, folder: &Path, reporter: &Reporter) -> Result<OpenRole, Error> {
        let role = Role::open(folder, &self.files_around(folder), &self.hosts.vault)?;
        for (name, file) in role.missing_roles()? {
            let message = format!("the role '{name}' is not here: its defaults and vars are unknown");
            let warning = Diagnostic::new(Severity::Warning, hieratic::codes::VARIABLES, message);
            let warning = warning.location(output::relative_file(&file), None, None);
            reporter.diagnostic(
                &warning.help("put it next to the role that depends on it, or name its variables with --vars"),
            );
        }
        let (search, readable, foreign) = (role.search(), role.readable(), role.foreign(&output::relative_file)?);
        let jinja2 = Jinja2 { search, readable, foreign, ..self.jinja2.clone() };
        let tasks = role.template_tasks()?;
        Ok(OpenRole { defaults: role.defaults()?, vars: role.vars()?, magic: role.magic()?, jinja2, tasks, role })
    }

    /// Renders a template for a host.
    pub(super) fn rendering(&self, target: Target<'_>, reporter: &Reporter) -> Result<RenderOutput, Error> {
        let facts = self.facts(target, reporter)?;
        let Target { role, path, .. } = target;
        let readable = self.hosts.permissions.files_named(path);
        let readable = Mounted::over(self.hosts.place.revision.as_ref(), readable);
        let text = text(path, &readable, &self.hosts.vault)?;
        let (name, folder) = if is_standard_input(path) {
            ("standard input".to_owned(), PathBuf::from("."))
        } else {
            (output::relative_file(path), documents::folder(path))
        };
        if self.arguments.tree.file.is_some() && self.language == TemplateLanguage::Jinja2 {
            return over_tree(self.arguments, &facts, &name, &text, reporter).map(RenderOutput::Tree);
        }
        let mut jinja2 = role.map_or(&self.jinja2, |role| &role.jinja2).clone();
        if let Some(task) = role.and_then(|role| role.tasks.get(&target.name.to_slashes())) {
            jinja2.overrides = overrides(task, target.name)?;
        }
        let template = Template { source: Source::new(name, text), language: self.language, folder, jinja2 };
        let budget = hieratic::budget::Budget::new(self.arguments.code_may.limits());
        let options = Options { budget, ..self.options.clone() };
        Ok(RenderOutput::Rendering(template.render(self.environment.as_ref(), &facts, &options)))
    }

    /// The facts of a host and all its variables. Variables of flags win over those of files.
    fn facts(&self, target: Target<'_>, reporter: &Reporter) -> Result<Facts, Error> {
        let Target { role, path, host, .. } = target;
        let HostFacts { mut facts, variables } = self.of_host(host, reporter)?;
        let mut above: Vec<(String, Value)> = Vec::new();
        let mut below = Hash::default().into_map();
        if let Some(role) = role {
            let mut known = facts.clone();
            set(&mut known, variables.clone(), std::iter::empty());
            let play = self.of_playbook(role, host, &known, reporter)?;
            below.extend(play.defaults.into_map());
            below.extend(play.own_defaults.unwrap_or_else(|| role.defaults.clone()).into_map());
            above.extend(play.vars);
            above.extend(named_entries(play.own_vars.as_ref().unwrap_or(&role.vars)));
            above.extend(named_entries(&role.magic));
            let task = role.tasks.get(&target.name.to_slashes());
            match task.map(|task| &task.vars) {
                Some(Some(vars)) => above.extend(named_entries(vars)),
                Some(None) => self.report_tasks(role, target.name, reporter),
                None => {}
            }
            above.extend(play.params);
            above.push(("ansible_search_path".into(), role.role.ansible_search_path(path)));
        }
        below.extend(variables.into_map());
        if let Some(address) = below.get(&Value::from("inventory_hostname")).cloned() {
            // Ansible connects to a host by its name unless it has an address. Other hosts do not see that.
            below.entry("ansible_host".into()).or_insert(address);
        }
        above.extend(self.hosts.given.iter().cloned());
        if self.language == TemplateLanguage::Jinja2 && self.jinja2.template_vars {
            above.extend(self.of_template(target));
        }
        set(&mut facts, below.into(), above.into_iter());
        Ok(facts)
    }

    /// Warns once of tasks that render a template with different variables, which do not count.
    fn report_tasks(&self, role: &OpenRole, name: &Path, reporter: &Reporter) {
        if self.reported.borrow_mut().insert((role.name().to_owned(), name.to_owned())) {
            let message = format!("tasks render '{}' with different variables: none of them count", name.display());
            let warning = Diagnostic::new(Severity::Warning, hieratic::codes::VARIABLES, message);
            reporter.diagnostic(&warning.help("name the variables of one task with --vars"));
        }
    }

    /// The variables that Ansible's module `template` sets, over all others.
    fn of_template(&self, Target { role, name, path, .. }: Target<'_>) -> Vec<(String, Value)> {
        // A revision has no times of files.
        let is_on_disk = self.arguments.against.is_none() && self.hosts.place.revision.is_none();
        let found = self.hosts.permissions.files_named(path).stat(path).filter(|_| is_on_disk);
        let task = role.and_then(|role| role.tasks.get(&name.to_slashes()));
        let destination = task.and_then(|task| task.destination.as_ref());
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let variables = [
            ("ansible_managed", Some("Ansible managed".into())),
            ("template_path", Some(name.to_slashes().into())),
            ("template_fullpath", Some(absolute.to_slashes().into())),
            ("template_host", host_name().map(Value::from)),
            ("template_run_date", local_time(self.started)),
            ("template_mtime", found.as_ref().and_then(|found| found.modified).and_then(local_time)),
            ("template_destpath", destination.map(|destination| destination.as_str().into())),
        ];
        variables.into_iter().filter_map(|(variable, value)| Some((variable.to_owned(), value?))).collect()
    }

    fn of_host(&self, host: Option<&str>, reporter: &Reporter) -> Result<HostFacts, Error> {
        if let Some((_, known)) = self.last.borrow().as_ref().filter(|(name, _)| name.as_deref() == host) {
            return Ok(known.clone());
        }
        let mut place = self.hosts.place.clone();
        place.node = host.map(str::to_owned).or(place.node);
        let facts = NodeTarget::new(&place).facts(reporter)?;
        // Without facts, a node's name is that of this machine, which Ansible calls localhost.
        let is_named = host.is_some() || place.node.is_some() || !place.facts.is_empty();
        let variables = self.hosts.of_inventory(host.or(facts.node()).filter(|_| is_named))?;
        let known = HostFacts { facts, variables };
        self.last.replace(Some((host.map(str::to_owned), known.clone())));
        Ok(known)
    }
}

/// The variables that list the hosts of a play.
pub(super) const LISTS_OF_HOSTS: [&str; 4] =
    ["ansible_play_hosts", "ansible_play_hosts_all", "ansible_play_batch", "play_hosts"];

/// The variables about all hosts of an inventory that each host sees.
fn of_all_hosts(inventory: &Inventory) -> Hash {
    let groups = ("groups", inventory.groups().into());
    if inventory.is_implicit() {
        return [groups].into_iter().collect();
    }
    let hosts: Value = inventory.hosts().map(Value::from).collect();
    let lists = LISTS_OF_HOSTS.into_iter().map(|name| (name, hosts.clone()));
    let file = std::path::absolute(inventory.file()).unwrap_or_else(|_| inventory.file().to_path_buf());
    let source = [Value::from(file.to_slashes())].into_iter().collect::<Value>();
    [groups, ("ansible_inventory_sources", source)].into_iter().chain(lists).collect()
}

impl Hosts {
    /// The inventory that the flag names.
    pub(super) fn named_inventory(&self) -> Option<&Inventory> {
        self.inventory.as_ref().filter(|inventory| !inventory.is_implicit())
    }

    /// The variables that a host has by the inventory, and those that the play gives all hosts.
    fn of_inventory(&self, host: Option<&str>) -> Result<Hash, Error> {
        let host = host.unwrap_or("localhost");
        let no_facts = || ("ansible_facts", Value::from(Hash::default()));
        match &self.inventory {
            Some(inventory) => {
                let mut known = inventory.variables(host)?.into_map();
                known.extend(self.of_all.clone().into_map());
                known.extend([no_facts()].map(|(name, value)| (Value::from(name), value)));
                if inventory.is_implicit() {
                    let only: Value = [Value::from(host)].into_iter().collect();
                    known.extend(LISTS_OF_HOSTS.map(|name| (Value::from(name), only.clone())));
                }
                Ok(known.into())
            }
            None => Ok(Hash::default()),
        }
    }

    /// The variables of a host as others see them in `hostvars`: of the inventory, its facts, and those that were given.
    fn variables(&self, host: &str) -> Result<Hash, Error> {
        let mut facts = Facts::new(Some(host), Hash::default());
        for path in &self.place.facts {
            let named = self.permissions.files_named(path);
            if named.is_folder(path) {
                let folder = FactsFolder::new(path, &self.permissions);
                if let Some(file) = folder.file(host) {
                    facts.merge(&folder.read(&file)?);
                }
            } else if !self.place.facts_by_settings
                && !is_of_many(path)
                && self.host.as_deref().is_none_or(|of_file| of_file == host)
            {
                facts.merge(&Facts::load(path, &named)?);
            }
        }
        set(&mut facts, self.of_inventory(Some(host))?, self.given.iter().cloned());
        Ok(jinja2_variables(&facts))
    }
}

/// Sets variables: facts count more than those below, and those above count more than facts.
pub(super) fn set(facts: &mut Facts, below: Hash, above: impl Iterator<Item = (String, Value)>) {
    let explicit = facts.explicit();
    let gathered = explicit.get("ansible_facts").and_then(Value::as_hash).cloned().unwrap_or_default();
    let is_fact = |name: &str| explicit.get(name).is_some() || gathered.get(name).is_some();
    let below: Vec<_> = named_entries(&below).filter(|(name, _)| !is_fact(name)).collect();
    for (name, value) in below.into_iter().chain(above) {
        facts.set_variable(&name, value);
    }
}

pub(super) fn named_entries(variables: &Hash) -> impl Iterator<Item = (String, Value)> + '_ {
    variables.iter().filter_map(|(name, value)| Some((name.as_str()?.to_owned(), value.clone())))
}

impl OpenRole {
    /// Its defaults, with this file in the place of the main one.
    pub(super) fn defaults_from(&self, file: &str) -> Result<Hash, Error> {
        self.role.defaults_from(file)
    }

    /// Its variables, with this file in the place of the main one.
    pub(super) fn vars_from(&self, file: &str) -> Result<Hash, Error> {
        self.role.vars_from(file)
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        self.role.name()
    }

    /// The folder of all roles.
    pub(super) fn folder_of_roles(&self) -> PathBuf {
        self.role.playbook().join("roles")
    }

    /// Its templates, by their names.
    pub(super) fn templates(&self) -> Result<Vec<PathBuf>, Error> {
        self.role.templates()
    }

    /// Whether it has a template.
    pub(super) fn has_template(&self, name: &Path) -> Result<bool, Error> {
        Ok(self.role.template(name)?.is_some())
    }

    /// The file of a template.
    pub(super) fn template(&self, name: &Path) -> Result<PathBuf, Error> {
        if let Some(path) = self.role.template(name)? {
            return Ok(path);
        }
        let all = self.role.templates()?;
        let names: Vec<String> = all.iter().map(|path| path.to_slashes()).collect();
        let suggestion = hieratic_diagnostics::nearest(&name.to_string_lossy(), names.iter().map(String::as_str));
        let message = format!("there is no template '{}'", name.display());
        Err(Error::new(ErrorKind::Fatal, codes::USAGE, message).help(match suggestion {
            Some(suggestion) => format!("the role '{}' has the template '{suggestion}'", self.name()),
            None => format!("it was looked for in the role '{}' and in its folder templates", self.name()),
        }))
    }
}

/// Reports keys of groups in an inventory that have no meaning.
fn report_skipped(inventory: &Inventory, reporter: &Reporter) {
    for skipped in inventory.skipped() {
        let message = format!("the key '{}' of the group '{}' is skipped", skipped.key, skipped.group);
        let warning = Diagnostic::new(Severity::Warning, hieratic::codes::VARIABLES, message)
            .location(output::relative_file(&skipped.file), None, None)
            .help("a group has `hosts`, `vars` and `children`");
        reporter.diagnostic(&warning);
    }
}

/// The settings of the tasks that render a template.
fn overrides(task: &TemplateTask, name: &Path) -> Result<Vec<(String, Value)>, Error> {
    let refused = |reason: &str| {
        let message = format!("the tasks of the role that render '{}' {reason}", name.display());
        Error::new(ErrorKind::Fatal, codes::USAGE, message)
            .help("write the settings into the first line of the template: `#jinja2: lstrip_blocks: True`")
    };
    let known =
        task.overrides.as_ref().ok_or_else(|| refused("have different settings: which ones count is unknown"))?;
    for (setting, value) in known {
        if setting == "output_encoding" {
            return Err(refused("write another encoding than UTF-8, which is not supported"));
        }
        // Delimiters may contain braces themselves, such as `{{{`.
        if value.as_str().is_some_and(|text| text.contains("{{") && text.contains("}}")) {
            return Err(refused(&format!("set {setting} with a template, which is not known here")));
        }
    }
    Ok(known.clone())
}

/// The first of some names.
pub(super) fn shown(names: &[&str]) -> String {
    let more = if names.len() > 5 { ", ..." } else { "" };
    format!("{}{more}", names.get(..5).unwrap_or(names).join(", "))
}

/// The folder that a role or a file is in: the roles that a role depends on are there, too.
fn around(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.parent().map_or(path.clone(), Path::to_path_buf)
}

/// The files around a role or a playbook: those beside it, and those of its repository, where plugins and links are.
fn readable_around(path: &Path, permissions: &Permissions) -> hieratic::sandbox::Files {
    let around = around(path);
    permissions.files_below(&around).and_below(repository_of(&around))
}

/// Renders a template over a tree of instances or a document: with `SELF`, and Unfurl's filters and lookups.
fn over_tree(
    arguments: &RenderArguments,
    facts: &Facts,
    name: &str,
    text: &str,
    reporter: &Reporter,
) -> Result<ExitCode, Error> {
    let known = facts.facts().iter().chain(facts.variables().iter());
    let vars = known.map(|(name, value)| (name.to_text(), value.clone())).collect();
    let vault = arguments.vault.open(reporter)?;
    let context = tree_context(&arguments.tree, &arguments.place, arguments.code_may.limits(), vars, vault, reporter)?;
    match context.render_text(name, text) {
        Ok(text) => {
            reporter.print_text(text.as_bytes());
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            reporter.failure(&error);
            Ok(ExitCode::FAILURE)
        }
    }
}
