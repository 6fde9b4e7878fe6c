//! `--playbook`: the variables of a role in a play.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use hieratic::templates::{PlayOfRoles, Playbook, Role, RoleUse, Template, TemplateLanguage};
use hieratic::{Error, ErrorKind, Facts, Hash, Value};
use hieratic_diagnostics::{Diagnostic, Severity, Source, nearest};

use super::play::{LISTS_OF_HOSTS, OpenRole, Play, named_entries, set};
use crate::codes;
use crate::report::Reporter;
use crate::usage::usage;
use hieratic::sandbox::SlashPath as _;

/// The variables of a play around those of a role.
#[derive(Default)]
pub(super) struct PlayVariables {
    /// The defaults of the other roles of the play, below those of the role.
    pub(super) defaults: Hash,
    /// The variables of the play, of its files and of its other roles, below those of the role.
    pub(super) vars: Vec<(String, Value)>,
    /// The parameters of the role, above its variables, with Ansible's variables about the play.
    pub(super) params: Vec<(String, Value)>,
    /// The defaults of the role, if the play names another file of them.
    pub(super) own_defaults: Option<Hash>,
    /// The variables of the role, if the play names another file of them.
    pub(super) own_vars: Option<Hash>,
}

/// The defaults and the variables of the other roles of a play.
pub(super) type OtherRoles = Rc<(Hash, Hash)>;

impl Play<'_> {
    /// Returns whether a role is rendered for a host: with a playbook, if a play uses it for that host.
    pub(super) fn uses(&self, role: &OpenRole, host: Option<&str>) -> Result<bool, Error> {
        match &self.playbook {
            Some(playbook) => Ok(!self.uses_in(playbook, role, host)?.is_empty()),
            None => Ok(true),
        }
    }

    /// Returns whether a playbook is named.
    pub(super) fn has_playbook(&self) -> bool {
        self.playbook.is_some()
    }

    fn uses_in<'p>(
        &self,
        playbook: &'p Playbook,
        role: &OpenRole,
        host: Option<&str>,
    ) -> Result<Vec<(&'p PlayOfRoles, &'p RoleUse)>, Error> {
        playbook.uses(role.name(), |patterns| match (self.hosts.named_inventory(), host) {
            (Some(inventory), Some(host)) if !has_template(patterns) => {
                Ok(inventory.selected(patterns)?.iter().any(|selected| selected == host))
            }
            _ => Ok(true),
        })
    }

    /// The variables of the play that uses a role for a host. `known` are the facts of the host, with its variables.
    pub(super) fn of_playbook(
        &self,
        role: &OpenRole,
        host: Option<&str>,
        known: &Facts,
        reporter: &Reporter,
    ) -> Result<PlayVariables, Error> {
        let Some(playbook) = &self.playbook else { return Ok(PlayVariables::default()) };
        let uses = self.uses_in(playbook, role, host)?;
        let Some((play, used)) = uses.first() else {
            let whom = host.map(|host| format!(" for the host '{host}'")).unwrap_or_default();
            let error = usage(format!("no play of the playbook uses the role '{}'{whom}", role.name()));
            return Err(match nearest(role.name(), playbook.role_names()) {
                Some(near) => error.help(format!("it uses the role '{near}'")),
                None => error.help("name a role that one of its plays uses, and a host that the play is for"),
            });
        };
        let others = self.other_roles(play, role, uses.len(), reporter)?;
        let mut vars: Vec<(String, Value)> = named_entries(&play.vars).collect();
        let mut facts = known.clone();
        let own = named_entries(&role.vars).chain(self.hosts.given.iter().cloned());
        set(&mut facts, role.defaults.clone(), vars.iter().cloned().chain(own));
        for names in &play.vars_files {
            let found = self.vars_file(play, names, &facts)?;
            vars.extend(named_entries(&found));
            set(&mut facts, Hash::default(), named_entries(&found));
        }
        let own = |name: &Option<String>, read: &dyn Fn(&str) -> Result<Hash, Error>| {
            let Some(name) = name else { return Ok(None) };
            let name = if name.contains("{{") { self.text_of(play, name, &facts)? } else { name.clone() };
            read(&name).map(Some)
        };
        let own_defaults = own(&used.files.defaults, &|name| role.defaults_from(name))?;
        let own_vars = own(&used.files.vars, &|name| role.vars_from(name))?;
        vars.extend(named_entries(&others.1));
        let names: Value =
            play.roles.iter().filter(|used| used.is_listed).map(|used| Value::from(&*used.name)).collect();
        let folder = playbook.folder().to_slashes();
        let magic = [
            ("playbook_dir", Value::from(folder)),
            ("ansible_play_name", Value::from(&*play.name)),
            ("ansible_play_role_names", names.clone()),
            ("role_names", names),
        ];
        let mut magic: Vec<(String, Value)> = magic.map(|(name, value)| (name.to_owned(), value)).to_vec();
        if let Some(inventory) = self.hosts.named_inventory().filter(|_| !has_template(&play.hosts)) {
            let hosts: Value = inventory.selected(&play.hosts)?.into_iter().map(Value::from).collect();
            magic.extend(LISTS_OF_HOSTS.map(|name| (name.to_owned(), hosts.clone())));
        }
        let params = magic.into_iter().chain(named_entries(&used.params)).collect();
        Ok(PlayVariables { defaults: others.0.clone(), vars, params, own_defaults, own_vars })
    }

    /// The defaults and the variables of the other roles of a play; unread parts of a play are reported once.
    fn other_roles(
        &self,
        play: &PlayOfRoles,
        role: &OpenRole,
        uses: usize,
        reporter: &Reporter,
    ) -> Result<OtherRoles, Error> {
        let key = (play.name.clone(), role.name().to_owned());
        if let Some(known) = self.others.borrow().get(&key) {
            return Ok(known.clone());
        }
        let warn = |message: String, help: &str| {
            let warning = Diagnostic::new(Severity::Warning, hieratic::codes::VARIABLES, message);
            reporter.diagnostic(&warning.help(help.to_owned()));
        };
        if uses > 1 {
            let message =
                format!("several plays use the role '{}': '{}' counts, the first one", role.name(), play.name);
            warn(message, "remove the others, or name their variables with --vars");
        }
        let mut same = play.uses_of(role.name());
        if let Some(first) = same.next()
            && same.any(|other| !other.has_variables_of(first))
        {
            let message = format!(
                "the play '{}' uses the role '{}' several times with other variables: the first one counts",
                play.name,
                role.name()
            );
            warn(message, "name the variables of another use with --vars");
        }
        for name in play.prompted.iter().filter(|name| !self.hosts.given.iter().any(|(given, _)| given == *name)) {
            warn(format!("the play '{}' asks for '{name}'", play.name), "name it with --var");
        }
        let (mut defaults, mut vars) = (Vec::new(), Vec::new());
        for used in play.roles.iter().filter(|used| used.is_listed && used.name != role.name()) {
            let folders = [play.folder.join("roles"), role.folder_of_roles()];
            let found = folders.iter().map(|roles| roles.join(&used.name)).find(|folder| self.has_folder(folder));
            let Some(folder) = found else {
                let message = format!("the role '{}' is not here: its defaults and vars are unknown", used.name);
                warn(message, "put it into the folder roles next to the playbook, or name its variables with --vars");
                continue;
            };
            let other = Role::open(&folder, &self.files_around(&folder), &self.hosts.vault)?;
            defaults.extend(named_entries(&other.defaults()?));
            vars.extend(named_entries(&other.vars()?));
        }
        let hash = |entries: Vec<(String, Value)>| entries.into_iter().map(|(name, value)| (Value::from(name), value));
        let known: OtherRoles = Rc::new((hash(defaults).collect(), hash(vars).collect()));
        self.others.borrow_mut().insert(key, known.clone());
        Ok(known)
    }

    /// The variables of the first file of some that exists. Their names are templates.
    fn vars_file(&self, play: &PlayOfRoles, names: &[String], facts: &Facts) -> Result<Hash, Error> {
        let mut tried = Vec::new();
        for name in names {
            let name = if name.contains("{{") { self.text_of(play, name, facts)? } else { name.clone() };
            for path in [play.folder.join("vars").join(&name), play.folder.join(&name)] {
                let files = self.files_around(&path).and_below([&play.folder]);
                if files.is_file(&path) {
                    return TemplateLanguage::Jinja2.variables_of_file(&path, &files, &self.hosts.vault);
                }
            }
            tried.push(name);
        }
        let message =
            format!("the play '{}' names files of variables that are not there: {}", play.name, tried.join(", "));
        Err(Error::new(ErrorKind::Fatal, codes::USAGE, message)
            .help("they were looked for in the folder of the playbook and in its folder vars"))
    }

    /// The text of a template in a playbook.
    fn text_of(&self, play: &PlayOfRoles, text: &str, facts: &Facts) -> Result<String, Error> {
        let template = Template {
            source: Source::new(format!("vars_files of the play '{}'", play.name), text),
            language: TemplateLanguage::Jinja2,
            folder: play.folder.clone(),
            jinja2: self.jinja2.clone(),
        };
        let budget = hieratic::budget::Budget::new(self.arguments.code_may.limits());
        let options = hieratic::puppet_eval::Options { budget, ..self.options.clone() };
        let to_error = |failure: hieratic::templates::RenderFailure| {
            let reason = hieratic_diagnostics::Diagnose::diagnose(&failure);
            let reason = reason.into_iter().map(|reason| reason.message).next().unwrap_or_default();
            let message = format!(
                "the play '{}' names a file of variables, '{text}', whose name is unknown: {reason}",
                play.name
            );
            Error::new(ErrorKind::Fatal, codes::USAGE, message)
                .help("name the variable with --var, or pass the facts of the host")
        };
        template.render(None, facts, &options).text.map_err(to_error)
    }
}

/// Returns whether one of some patterns of hosts is a template, which may mean any host.
fn has_template(patterns: &[String]) -> bool {
    patterns.iter().any(|pattern| pattern.contains("{{"))
}

/// The playbook that a flag names.
pub(super) fn read(
    path: &Path,
    files: &hieratic::sandbox::Files,
    vault: &hieratic::expressions::Vault,
) -> Result<Playbook, Error> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
    if !files.is_file(&absolute) {
        let message = format!("there is no playbook '{}'", path.display());
        return Err(Error::new(ErrorKind::Fatal, codes::USAGE, message)
            .help("name the playbook that ansible-playbook is called with"));
    }
    Playbook::read(&absolute, files, vault)
}

/// Reports the files of tasks that the playbook includes and that are not read.
pub(super) fn report_unread(playbook: &Playbook, reporter: &Reporter) {
    for unread in playbook.unread() {
        let message = format!("the tasks of '{}' are not read: {}", unread.name, unread.reason);
        let warning = Diagnostic::new(Severity::Warning, hieratic::codes::VARIABLES, message)
            .location(crate::output::relative_file(&unread.file), None, None)
            .help("variables that they give to roles are unknown: name them with --vars");
        reporter.diagnostic(&warning);
    }
}
