//! [`Inventory`]: hosts, their groups and the variables of both, as Ansible reads them:
//! <https://docs.ansible.com/ansible/latest/inventory_guide/intro_inventory.html>.

use std::path::{Path, PathBuf};

use hieratic_hiera::Error;
use hieratic_sandbox::Files;
use hieratic_value::ErasedSort as _;
use hieratic_value::{Hash, HashBuilder, Value};
use indexmap::{IndexMap, IndexSet};

use self::ini::{expand_pattern, parse_commented_literal, parse_literal, section, uncommented, with_port, words};
use super::role::{files_below, is_file, variable_files};
use crate::codes;
use crate::facts::file_error;
use crate::templates::TemplateLanguage;
use crate::vault::Vault;
use hieratic_sandbox::SlashPath as _;

mod ini;

/// Hosts, their groups and the variables of both.
#[derive(Clone, Debug)]
pub struct Inventory {
    groups: IndexMap<String, Group>,
    /// The hosts, with the variables of the inventory file.
    hosts: IndexMap<String, HashBuilder>,
    /// The hosts of each group and of the groups in it.
    members: IndexMap<String, IndexSet<String>>,
    /// The groups of each host, those that count more last.
    groups_of: IndexMap<String, Vec<String>>,
    /// The folders that have folders `group_vars` and `host_vars`, those that count more last.
    folders: Vec<PathBuf>,
    /// The variables of groups that have hosts, by files in each of these folders; files that cannot be read are an error for those hosts.
    files_of_groups: Vec<IndexMap<String, Result<HashBuilder, Error>>>,
    /// The file or folder of the inventory; without one, the folder of the playbook.
    file: PathBuf,
    /// The file that is being read.
    current: PathBuf,
    /// The file of each host: the first one that names it.
    files_of_hosts: IndexMap<String, PathBuf>,
    /// Stands for a missing inventory: the only host is the machine that runs Ansible.
    is_implicit: bool,
    /// Whether the file that is being read is encrypted.
    is_secret: bool,
    files: Files,
    vault: Vault,
    /// The number of entries of all hosts and groups together.
    entries: usize,
    skipped: Vec<SkippedKey>,
}

/// A key of a group in an inventory of YAML that has no meaning, such as `host` for `hosts`. Ansible warns of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedKey {
    /// The file.
    pub file: PathBuf,
    /// The group.
    pub group: String,
    /// The key.
    pub key: String,
}

#[derive(Clone, Debug, Default)]
struct Group {
    vars: HashBuilder,
    hosts: IndexSet<String>,
    children: IndexSet<String>,
}

/// The limit of hosts, in a range and altogether.
const MOST: usize = 100_000;

/// The limit of variables of hosts and members of groups: ranges and groups of groups multiply them.
const MOST_ENTRIES: usize = 10_000_000;

impl Inventory {
    /// Reads an inventory, INI or YAML, or all inventories in a folder. The variables of groups and hosts are searched
    /// next to it and in the folder of the playbook. The vault decrypts encrypted ones.
    ///
    /// # Errors
    /// A file cannot be read or parsed.
    pub fn read(file: &Path, playbook: Option<&Path>, files: &Files, vault: &Vault) -> Result<Inventory, Error> {
        let is_folder = files.is_folder(file);
        let beside = if is_folder { Some(file) } else { file.parent() }.map(Path::to_path_buf).unwrap_or_default();
        let more = playbook.filter(|folder| *folder != beside).map(Path::to_path_buf);
        let mut inventory = Inventory::empty(file, [beside].into_iter().chain(more).collect(), files, vault);
        let sources = if is_folder { files_below(file, files, "inventories", &is_source)? } else { vec![file.into()] };
        if sources.is_empty() {
            let help =
                "files whose names end in .ini, .cfg, .txt, .md and the like are skipped in a folder: name the file";
            return Err(file_error(codes::VARIABLES, "there is no inventory in the folder".to_owned(), file).help(help));
        }
        for source in sources {
            inventory.read_source(source)?;
        }
        inventory.resolve()?;
        Ok(inventory)
    }

    /// Returns Ansible's implicit inventory: only `localhost`, with the variables of the group `all` next to the
    /// playbook.
    pub fn implicit(playbook: &Path, files: &Files, vault: &Vault) -> Result<Inventory, Error> {
        let mut inventory = Inventory::empty(playbook, vec![playbook.to_path_buf()], files, vault);
        inventory.is_implicit = true;
        inventory.resolve()?;
        Ok(inventory)
    }

    fn empty(file: &Path, folders: Vec<PathBuf>, files: &Files, vault: &Vault) -> Inventory {
        let (groups, hosts, members, groups_of, files_of_groups, files_of_hosts) = Default::default();
        let mut inventory = Inventory {
            groups,
            hosts,
            members,
            groups_of,
            folders,
            files_of_groups,
            file: file.to_path_buf(),
            current: file.to_path_buf(),
            files_of_hosts,
            is_implicit: false,
            is_secret: false,
            files: files.clone(),
            vault: vault.clone(),
            entries: 0,
            skipped: Vec::new(),
        };
        inventory.group("all").children.insert("ungrouped".to_owned());
        inventory.group("ungrouped");
        inventory
    }

    /// Returns whether this is the implicit inventory.
    pub fn is_implicit(&self) -> bool {
        self.is_implicit
    }

    fn read_source(&mut self, file: PathBuf) -> Result<(), Error> {
        let unreadable = |error| file_error(codes::VARIABLES, format!("cannot read the inventory: {error}"), &file);
        let text = self.files.read_text(&file).map_err(unreadable)?;
        let is_yaml =
            file.extension().is_some_and(|ending| ["yml", "yaml", "json"].iter().any(|known| ending == *known));
        let is_toml = file.extension().is_some_and(|ending| ending == "toml");
        self.current = file;
        if text.starts_with("#!") && !is_yaml {
            return Err(self.unsupported("the inventory is a program, which is not run"));
        }
        if is_toml {
            return Err(self.unsupported("the inventory is TOML, which is not supported"));
        }
        self.is_secret = Vault::is_encrypted(text.as_bytes());
        let text = if self.is_secret { self.decrypted(&text)? } else { text };
        if is_yaml { self.read_yaml(&text) } else { self.read_ini(&text) }
    }

    /// Returns the error of an inventory of a kind that only Ansible reads.
    fn unsupported(&self, message: &str) -> Error {
        let help = "write what `ansible-inventory --list --yaml` prints into a file, and name that";
        file_error(codes::VARIABLES, message.to_owned(), &self.current).help(help)
    }

    /// The text of an encrypted inventory.
    fn decrypted(&self, text: &str) -> Result<String, Error> {
        self.vault.decrypt_file(text.as_bytes()).map_err(|reason| {
            let help = "pass the password with --vault-password-file FILE, or with --vault-id LABEL@FILE";
            let message = format!("the inventory cannot be decrypted: {reason}");
            file_error(codes::VARIABLES, message, &self.current).help(help)
        })
    }

    /// Records the variables of an encrypted inventory as secrets.
    fn note_secrets<'v>(&self, values: impl IntoIterator<Item = &'v Value>) {
        if self.is_secret {
            values.into_iter().for_each(|value| self.vault.secrets().add(value));
        }
    }

    /// Derives what depends on all hosts and groups, and reads the variables of groups.
    fn resolve(&mut self) -> Result<(), Error> {
        self.resolve_groups()?;
        let is_used = |(name, hosts): &(&String, &IndexSet<String>)| *name == "all" || !hosts.is_empty();
        let used = || self.members.iter().filter(is_used).map(|(name, _)| name);
        let of_folder = |folder: &PathBuf| {
            let folder = folder.join("group_vars");
            used().map(|name| (name.clone(), self.in_files(&folder, name))).collect()
        };
        self.files_of_groups = self.folders.iter().map(of_folder).collect();
        Ok(())
    }

    fn add_entries(&mut self, count: usize) -> Result<(), Error> {
        self.entries = self.entries.saturating_add(count);
        if self.entries <= MOST_ENTRIES {
            return Ok(());
        }
        let message = format!("its hosts and groups have more than {MOST_ENTRIES} variables and members");
        Err(file_error(codes::VARIABLES, message, &self.current))
    }

    fn fault(&self, line: usize, message: impl std::fmt::Display) -> Error {
        file_error(codes::VARIABLES, format!("line {line} of the inventory: {message}"), &self.current)
    }

    fn group(&mut self, name: &str) -> &mut Group {
        self.groups.entry(name.to_owned()).or_default()
    }

    /// Adds a host, or variables to a known one, whose port stays as it is.
    fn add_host(&mut self, host: String, group: &str, port: Option<&Value>, vars: HashBuilder) -> Result<(), Error> {
        self.add_entries(1 + vars.len())?;
        self.note_secrets(vars.iter().map(|(_, value)| value));
        self.group(group).hosts.insert(host.clone());
        self.files_of_hosts.entry(host.clone()).or_insert_with(|| self.current.clone());
        let known = self.hosts.entry(host);
        let port = port.filter(|_| matches!(known, indexmap::map::Entry::Vacant(_)));
        let known = known.or_default();
        if let Some(port) = port {
            known.insert("ansible_port".into(), port.clone());
        }
        known.extend(vars);
        if self.hosts.len() > MOST {
            return Err(file_error(codes::VARIABLES, format!("there are more than {MOST} hosts"), &self.current));
        }
        Ok(())
    }

    fn read_ini(&mut self, text: &str) -> Result<(), Error> {
        let (mut group, mut kind) = ("ungrouped".to_owned(), String::new());
        // The groups that are named before they are declared, with the line and the groups that they are children of.
        let mut pending: IndexMap<String, (usize, Vec<String>)> = IndexMap::new();
        for (at, line) in text.lines().enumerate() {
            let (at, line) = (at + 1, line.trim());
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(section) = section(line) {
                let (name, subject) = section.split_once(':').unwrap_or((section, "hosts"));
                let is_named =
                    !name.is_empty() && !name.contains(|letter: char| letter == ']' || letter.is_whitespace());
                if !is_named || !["hosts", "vars", "children"].contains(&subject) {
                    return Err(
                        self.fault(at, format!("the section [{section}] is not one of hosts, vars and children"))
                    );
                }
                (group, kind) = (name.to_owned(), subject.to_owned());
                let is_new = !self.groups.contains_key(&group);
                self.group(&group);
                if kind != "vars" {
                    self.adopt(&group, &mut pending);
                } else if is_new && !pending.contains_key(&group) {
                    pending.insert(group.clone(), (at, Vec::new()));
                }
                continue;
            }
            match kind.as_str() {
                "vars" => {
                    let Some((name, value)) = line.split_once('=') else {
                        return Err(self.fault(at, format!("expected NAME=VALUE, but found '{line}'")));
                    };
                    let value = parse_commented_literal(value.trim());
                    self.note_secrets([&value]);
                    self.group(&group).vars.insert(name.trim().into(), value);
                }
                "children" => {
                    let child = uncommented(line).trim().to_owned();
                    if self.groups.contains_key(&child) {
                        self.group(&group).children.insert(child);
                    } else {
                        pending.entry(child).or_insert_with(|| (at, Vec::new())).1.push(group.clone());
                    }
                }
                _ => {
                    let words = words(line).map_err(|message| self.fault(at, message))?;
                    let Some((pattern, assignments)) = words.split_first() else {
                        continue;
                    };
                    let mut vars = HashBuilder::default();
                    let (pattern, port) = with_port(pattern);
                    for word in assignments {
                        let Some((name, value)) = word.split_once('=') else {
                            return Err(self.fault(at, format!("expected NAME=VALUE, but found '{word}'")));
                        };
                        vars.insert(name.into(), parse_literal(value));
                    }
                    for host in expand_pattern(pattern).map_err(|message| self.fault(at, message))? {
                        self.add_host(host, &group, port.as_ref(), vars.clone())?;
                    }
                }
            }
        }
        match pending.first() {
            Some((name, (at, parents))) => {
                let subject = if parents.is_empty() { "variables of" } else { "a child that is" };
                Err(self
                    .fault(*at, format!("{subject} the group '{name}', which is not declared"))
                    .help(format!("declare it with a section [{name}]")))
            }
            None => Ok(()),
        }
    }

    /// Makes a group that is declared now a child of the groups that named it before.
    fn adopt(&mut self, name: &str, pending: &mut IndexMap<String, (usize, Vec<String>)>) {
        for parent in pending.shift_remove(name).map(|(_, parents)| parents).unwrap_or_default() {
            self.group(&parent).children.insert(name.to_owned());
        }
    }

    fn read_yaml(&mut self, text: &str) -> Result<(), Error> {
        let all = TemplateLanguage::Jinja2.variables_in(text.as_bytes(), &self.current)?;
        if let Some(plugin) = all.get("plugin").and_then(Value::as_str) {
            let message = format!("the inventory configures the plugin '{plugin}', which is not run");
            return Err(self.unsupported(&message));
        }
        for (name, group) in all.iter() {
            self.read_group(&name.to_text(), group, 0)?;
        }
        Ok(())
    }

    fn read_group(&mut self, name: &str, value: &Value, depth: usize) -> Result<(), Error> {
        if depth > 100 {
            return Err(file_error(
                codes::VARIABLES,
                "groups nest more than 100 levels deep".to_owned(),
                &self.current,
            ));
        }
        self.group(name);
        let Value::Hash(entries) = value else { return Ok(()) };
        for (kind, part) in entries.iter() {
            let kind = kind.to_text();
            let part = self.part(name, &kind, part)?;
            match &*kind {
                "vars" => {
                    self.note_secrets(part.iter().map(|(_, value)| value));
                    self.group(name).vars.extend(part.into_map());
                }
                "hosts" => {
                    for (pattern, given) in part.iter() {
                        self.read_host(&pattern.to_text(), given, name)?;
                    }
                }
                "children" => {
                    for (child, group) in part.iter() {
                        let child = child.to_text();
                        self.read_group(&child, group, depth + 1)?;
                        self.group(name).children.insert(child.to_string());
                    }
                }
                _ => self.skipped.push(SkippedKey {
                    file: self.current.clone(),
                    group: name.to_owned(),
                    key: kind.to_string(),
                }),
            }
        }
        Ok(())
    }

    /// Returns the keys of groups that were skipped.
    pub fn skipped(&self) -> &[SkippedKey] {
        &self.skipped
    }

    /// Returns a part of a group as a dictionary. A string is its only key.
    fn part(&self, group: &str, kind: &str, part: &Value) -> Result<Hash, Error> {
        match part {
            Value::Hash(entries) => Ok(entries.clone()),
            Value::String(_) => Ok([(part.clone(), Value::Undef)].into_iter().collect()),
            Value::Undef => Ok(Hash::default()),
            _ if !["vars", "hosts", "children"].contains(&kind) => Ok(Hash::default()),
            _ => {
                let message = format!("'{kind}' of the group '{group}' is not a dictionary");
                Err(file_error(codes::VARIABLES, message, &self.current).help("write each name with a colon behind it"))
            }
        }
    }

    fn read_host(&mut self, pattern: &str, given: &Value, group: &str) -> Result<(), Error> {
        let fault = |message| file_error(codes::VARIABLES, message, &self.current);
        let mut vars = HashBuilder::default();
        let (pattern, port) = with_port(pattern);
        let hosts = expand_pattern(pattern).map_err(fault)?;
        match given {
            Value::Hash(given) => vars.extend(given.clone().into_map()),
            Value::Undef => {}
            _ => return Err(fault(format!("the variables of the host '{pattern}' are not a dictionary"))),
        }
        for host in hosts {
            self.add_host(host, group, port.as_ref(), vars.clone())?;
        }
        Ok(())
    }

    /// Derives the rest: hosts without a group are ungrouped, groups without a parent are in `all`, and no group
    /// contains itself.
    fn resolve_groups(&mut self) -> Result<(), Error> {
        let named = self.groups.iter().filter(|(name, _)| *name != "all" && *name != "ungrouped");
        let grouped: IndexSet<&String> = named.flat_map(|(_, group)| &group.hosts).collect();
        let alone: IndexSet<String> = self.hosts.keys().filter(|host| !grouped.contains(host)).cloned().collect();
        self.group("ungrouped").hosts = alone;
        let inner: IndexSet<&String> = self.groups.values().flat_map(|group| &group.children).collect();
        let is_top = |name: &&String| *name != "all" && !inner.contains(name);
        let tops: Vec<String> = self.groups.keys().filter(is_top).cloned().collect();
        self.group("all").children.extend(tops);

        // A group is visited after all groups that contain it; then its depth below `all` is known.
        let mut waits: IndexMap<&String, usize> = self.groups.keys().map(|name| (name, 0)).collect();
        for child in self.groups.values().flat_map(|group| &group.children) {
            *waits.entry(child).or_default() += 1;
        }
        let mut depths: IndexMap<&String, usize> = IndexMap::new();
        let mut next: Vec<(&String, usize)> =
            waits.iter().filter(|(_, count)| **count == 0).map(|(name, _)| (*name, 0)).collect();
        let mut deepest: IndexMap<&String, usize> = IndexMap::new();
        while let Some((name, depth)) = next.pop() {
            depths.insert(name, depth);
            for child in self.groups.get(name).into_iter().flat_map(|group| &group.children) {
                let below = deepest.entry(child).or_default();
                *below = (*below).max(depth + 1);
                let Some(count) = waits.get_mut(child) else { continue };
                *count -= 1;
                if *count == 0 {
                    next.push((child, *below));
                }
            }
        }
        if let Some(name) = self.groups.keys().find(|name| !depths.contains_key(*name)) {
            let message = format!("the group '{name}' is in itself");
            return Err(file_error(codes::VARIABLES, message, &self.file));
        }
        // As in Ansible, the hosts of a group come before those of the groups in it, level by level.
        let mut members: IndexMap<String, IndexSet<String>> = IndexMap::new();
        let mut entries = 0_usize;
        for name in self.groups.keys() {
            let mut hosts = IndexSet::new();
            let mut seen: IndexSet<&String> = [name].into_iter().collect();
            let mut at = 0;
            while let Some(group) = seen.get_index(at).and_then(|name| self.groups.get(*name)) {
                at += 1;
                entries = entries.saturating_add(1 + group.hosts.len() + group.children.len());
                if entries > MOST_ENTRIES {
                    break;
                }
                hosts.extend(group.hosts.iter().cloned());
                seen.extend(&group.children);
            }
            members.insert(name.clone(), hosts);
        }
        let priority = |name: &String| {
            let priority =
                self.groups.get(name).and_then(|group| group.vars.get(&Value::from("ansible_group_priority")));
            // A priority that is not a number is ignored.
            priority.and_then(|priority| priority.to_text().parse().ok()).unwrap_or(1_i64)
        };
        let mut order: Vec<(usize, i64, &String)> =
            depths.iter().map(|(name, depth)| (*depth, priority(name), *name)).collect();
        order.sort_erased();
        let mut groups_of: IndexMap<String, Vec<String>> = IndexMap::new();
        for (_, _, name) in order {
            for host in members.get(name).into_iter().flatten() {
                groups_of.entry(host.clone()).or_default().push(name.clone());
            }
        }
        (self.members, self.groups_of) = (members, groups_of);
        // It is no variable.
        for group in self.groups.values_mut() {
            group.vars.shift_remove(&Value::from("ansible_group_priority"));
        }
        self.add_entries(entries)
    }

    /// Returns the hosts that match the patterns.
    ///
    /// # Errors
    /// A pattern is a regular expression that is not valid.
    pub fn selected(&self, patterns: &[String]) -> Result<Vec<String>, Error> {
        let members = |name: &String| self.members.get(name).into_iter().flatten().cloned().collect();
        let groups = self.groups.keys().map(|name| (name.clone(), members(name))).collect();
        hieratic_jinja_ansible::selected_hosts(groups, patterns).map_err(|reason| {
            file_error(codes::VARIABLES, format!("a pattern of hosts is not valid: {reason}"), &self.file)
        })
    }

    /// Returns the path of the inventory.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the names of all hosts.
    pub fn hosts(&self) -> impl Iterator<Item = &str> {
        self.hosts.keys().map(String::as_str)
    }

    /// Returns the variables of a host, in the order of precedence that Ansible documents: those of `all`, of its
    /// groups, and of the host itself; for each, first those in the inventory and then those in files next to the
    /// inventory and to the playbook.
    pub fn variables(&self, host: &str) -> Result<Hash, Error> {
        let mut all = HashBuilder::default();
        // A host that is not in the inventory is the machine that runs Ansible. The variables of the group `all` are for it, too.
        let groups = self.groups_of.get(host).cloned().unwrap_or_else(|| vec!["all".to_owned()]);
        for name in &groups {
            all.extend(self.groups.get(name).map(|group| group.vars.clone()).unwrap_or_default());
        }
        let others: Vec<&str> = groups.iter().map(String::as_str).filter(|name| *name != "all").collect();
        for names in [&["all"][..], &others] {
            for of_groups in &self.files_of_groups {
                for name in names {
                    if let Some(variables) = of_groups.get(*name) {
                        all.extend(variables.clone()?);
                    }
                }
            }
        }
        match self.hosts.get(host) {
            Some(variables) => all.extend(variables.clone()),
            None if self.is_implicit && host != "localhost" => {}
            None => drop(all.insert("ansible_connection".into(), "local".into())),
        }
        for folder in &self.folders {
            all.extend(self.in_files(&folder.join("host_vars"), host)?);
        }
        let names: Value = {
            let mut names: Vec<&String> = groups.iter().filter(|name| *name != "all").collect();
            names.sort_erased();
            names.into_iter().map(|name| Value::from(name.as_str())).collect()
        };
        let short = host.split('.').next().unwrap_or(host);
        all.insert("group_names".into(), names);
        all.insert("inventory_hostname".into(), host.into());
        all.insert("inventory_hostname_short".into(), short.into());
        if let Some(file) = self.files_of_hosts.get(host).or(Some(&self.file).filter(|_| !self.is_implicit)) {
            let file = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
            all.insert("inventory_file".into(), file.to_slashes().into());
            all.insert("inventory_dir".into(), file.parent().unwrap_or(&file).to_slashes().into());
        }
        Ok(all.into())
    }

    /// The variables in `FOLDER/NAME`, a file or a folder of files. Of several, the first one counts.
    fn in_files(&self, folder: &Path, name: &str) -> Result<HashBuilder, Error> {
        let mut all = HashBuilder::default();
        let mut found = Vec::new();
        for ending in ["", ".yml", ".yaml", ".json"] {
            let path = folder.join(format!("{name}{ending}"));
            if self.files.is_folder(&path) {
                found = variable_files(&path, &self.files)?;
                break;
            }
            if is_file(&path, &self.files)? {
                found.push(path);
                break;
            }
        }
        for file in found {
            all.extend(TemplateLanguage::Jinja2.variables_of_file(&file, &self.files, &self.vault)?.into_map());
        }
        Ok(all)
    }

    /// Returns the hosts of each group.
    pub fn groups(&self) -> Hash {
        let hosts = |name: &String| {
            let members = self.members.get(name).into_iter().flatten();
            members.map(|host| Value::from(host.as_str())).collect::<Value>()
        };
        self.groups.keys().map(|name| (Value::from(name.as_str()), hosts(name))).collect()
    }
}

/// Returns whether a file or folder in a folder of inventories is one.
fn is_source(name: &str) -> bool {
    const OTHERS: [&str; 13] =
        [".pyc", ".pyo", ".swp", ".bak", "~", ".rpm", ".md", ".txt", ".rst", ".orig", ".ini", ".cfg", ".retry"];
    let is_other = OTHERS.iter().any(|ending| name.ends_with(ending));
    !is_other && !name.starts_with('.') && !["host_vars", "group_vars", "vars_plugins"].contains(&name)
}

#[cfg(test)]
mod tests;
