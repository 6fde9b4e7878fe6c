//! [`Inventory`]: hosts, their groups and the variables of both, as Ansible reads them:
//! <https://docs.ansible.com/ansible/latest/inventory_guide/intro_inventory.html>.

use std::path::{Path, PathBuf};

use hieratic_hiera::Error;
use hieratic_sandbox::Files;
use hieratic_value::{Hash, HashBuilder, Value};
use indexmap::{IndexMap, IndexSet};

use super::role::{files_below, is_file, variable_files};
use crate::codes;
use crate::facts::file_error;
use crate::templates::TemplateLanguage;
use crate::vault::Vault;
use hieratic_sandbox::SlashPath as _;

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
        order.sort();
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
            names.sort();
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

/// Splits a host pattern into the hosts and the port. One with a port may be in brackets, as in `[fe80::1]:22`.
fn with_port(pattern: &str) -> (&str, Option<Value>) {
    let Some((name, port)) = pattern.rsplit_once(':').filter(|(_, port)| is_port(port)) else {
        return (pattern, None);
    };
    let inner = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).filter(|inner| !inner.is_empty());
    if inner.is_none() && has_colon(name) {
        return (pattern, None);
    }
    // Python reads a number with zeros in front, which is no literal.
    let digits = port.trim_start_matches('0');
    (inner.unwrap_or(name), Some(parse_literal(if digits.is_empty() { "0" } else { digits })))
}

/// Returns whether a string is a port.
fn is_port(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|digit| digit.is_ascii_digit())
}

/// Returns whether a host pattern has a colon outside of its ranges, as an IPv6 address has.
fn has_colon(pattern: &str) -> bool {
    let mut depth = 0;
    pattern.chars().any(|letter| {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        letter == ':' && depth == 0
    })
}

/// Returns the part before a comment.
fn uncommented(text: &str) -> &str {
    text.split(" #").next().unwrap_or(text)
}

/// Parses a value of an INI inventory: a Python literal, or a plain string.
fn parse_literal(text: &str) -> Value {
    hieratic_jinja::read_literal(text).unwrap_or_else(|| text.into())
}

/// The most comment signs of a value that are tried.
const MAX_SIGNS: usize = 32;

/// Parses the value of a group: a comment ends a Python literal; a plain string contains it.
fn parse_commented_literal(text: &str) -> Value {
    let ends = text.match_indices('#').map(|(at, _)| at).take(MAX_SIGNS);
    let mut literals = ends.filter_map(|end| hieratic_jinja::read_literal(text.get(..end)?.trim_end()));
    hieratic_jinja::read_literal(text).or_else(|| literals.next()).unwrap_or_else(|| text.into())
}

/// The words of a line as Python's `shlex` takes it apart: a comment sign outside of quotes ends the line, also in a word.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut is_open) = (String::new(), None, false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, '#') => break,
            (None, '\'' | '"') => (quote, is_open) = (Some(letter), true),
            (Some(open), letter) if letter == open => quote = None,
            (None | Some('"'), '\\') => {
                is_open = true;
                let next = letters.next().ok_or("a backslash has nothing to escape")?;
                // In quotes, it escapes only itself and the quote: `"C:\dir"` is a path.
                if quote.is_some() && !matches!(next, '"' | '\\') {
                    word.push(letter);
                }
                word.push(next);
            }
            (None, ' ' | '\t' | '\r' | '\n') => {
                if is_open {
                    words.push(std::mem::take(&mut word));
                }
                is_open = false;
            }
            (_, letter) => {
                is_open = true;
                word.push(letter);
            }
        }
    }
    if quote.is_some() {
        return Err("a quote has no end".to_owned());
    }
    if is_open {
        words.push(word);
    }
    Ok(words)
}

/// Returns the text in the brackets of a line that begins a section, or `None` for the line of a host such as
/// `[01:10].example.com`. A line that ends with a bracket is never one of a host.
fn section(line: &str) -> Option<&str> {
    let inner = line.strip_prefix('[')?;
    let (section, rest) = inner.split_once(']')?;
    let rest = rest.trim_start();
    if rest.is_empty() || rest.starts_with('#') { Some(section) } else { inner.strip_suffix(']') }
}

/// Expands a host pattern: `web[01:10]` gives ten hosts, `db-[a:c]` three.
fn expand_pattern(pattern: &str) -> Result<Vec<String>, String> {
    let Some((before, rest)) = pattern.split_once('[') else {
        return Ok(vec![pattern.to_owned()]);
    };
    let Some((range, after)) = rest.split_once(']') else {
        return Ok(vec![pattern.to_owned()]);
    };
    let parts: Vec<&str> = range.split(':').collect();
    let (Some(first), Some(last)) = (parts.first(), parts.get(1)) else {
        return Err(format!("the range [{range}] has no ':', as in [1:3]"));
    };
    let step = parts
        .get(2)
        .map_or(Ok(1), |step| step.parse::<usize>())
        .map_err(|_| format!("the range [{range}] has no number as its step"))?;
    let wrong = || format!("the range [{range}] is not a range of numbers or letters, as in [01:10] or [a:c]");
    let result: Vec<String> = match (first.parse::<usize>(), last.parse::<usize>()) {
        (Ok(from), Ok(to)) => {
            let width = if first.starts_with('0') { first.len() } else { 0 };
            (from..=to).step_by(step.max(1)).take(MOST).map(|number| format!("{number:0width$}")).collect()
        }
        _ => {
            let letter =
                |text: &str| text.chars().next().filter(|letter| letter.is_ascii_alphabetic() && text.len() == 1);
            let (from, to) = (letter(first).ok_or_else(wrong)?, letter(last).ok_or_else(wrong)?);
            (from..=to).step_by(step.max(1)).map(String::from).collect()
        }
    };
    let after = expand_pattern(after)?;
    if result.len().saturating_mul(after.len()) > MOST {
        return Err(format!("the range [{range}] has more than {MOST} hosts"));
    }
    Ok(result.iter().flat_map(|result| after.iter().map(move |after| format!("{before}{result}{after}"))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inventory(name: &str, text: &str, more: &[(&str, &str)]) -> Inventory {
        let folder = tempfile::tempdir().expect("a folder").keep();
        std::fs::write(folder.join(name), text).expect("a file");
        for (name, text) in more {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        Inventory::read(&folder.join(name), None, &Files::below([&folder]), &Vault::default()).expect("an inventory")
    }

    /// As ansible-inventory 2.15.9 lists them.
    #[test]
    fn groups_and_variables_are_those_of_ansible() {
        let text = "alone\n[web]\nweb[01:02].x:2222 a=1 b='x y' c=[1,2] # more\n[db]\ndb-[a:b]\n[all:vars]\na=0\nd=all\n\
                    [prod:children]\nweb\ndb\n[prod:vars]\nd=prod\ne=prod\n[web:vars]\ne=web\n";
        let files = [
            ("group_vars/all.yml", "d: file\nf: all\n"),
            ("group_vars/web/x.yml", "f: web\n"),
            ("host_vars/web01.x.yml", "f: host\n"),
        ];
        let inventory = inventory("hosts", text, &files);
        let vars = inventory.variables("web01.x").expect("variables");
        let shown = |name: &str| vars.get(name).map(|value| value.inspect()).unwrap_or_default();
        assert_eq!(
            ["a", "b", "c", "d", "e", "f"].map(shown),
            ["1", "\"x y\"", "[1, 2]", "\"file\"", "\"web\"", "\"host\""]
        );
        assert_eq!(shown("ansible_port"), "2222");
        assert_eq!(shown("group_names"), "[\"prod\", \"web\"]");
        assert_eq!(inventory.groups().get("prod").map(|hosts| hosts.as_array().map_or(0, <[_]>::len)), Some(4));
        assert_eq!(inventory.groups().get("ungrouped").map(Value::inspect).as_deref(), Some("[\"alone\"]"));
    }

    #[test]
    fn inventories_of_yaml_nest() {
        let text = "all:\n  hosts: {h1: {a: 1}}\n  children:\n    web:\n      hosts: {h2: }\n      vars: {b: 2}\n";
        let inventory = inventory("hosts.yml", text, &[]);
        assert_eq!(inventory.variables("h2").expect("variables").get("b"), Some(&2.into()));
        assert_eq!(inventory.hosts().collect::<Vec<_>>(), ["h1", "h2"]);
    }

    #[test]
    fn keys_of_groups_without_a_meaning_are_listed() {
        let text = "all:\n  host: {h1: }\n  children:\n    web:\n      hosts: {h2: }\n      var: {a: 1}\n";
        let known = inventory("hosts.yaml", text, &[]);
        let skipped = known.skipped().iter().map(|skipped| (&*skipped.group, &*skipped.key));
        assert_eq!(skipped.collect::<Vec<_>>(), [("all", "host"), ("web", "var")]);
    }

    #[test]
    fn a_folder_has_several_inventories() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [
            ("a/hosts", "[web]\nh1 a=1\n"),
            ("b.yml", "web: {hosts: {h2: {}, h1: {b: 2}}}\n"),
            ("c.ini", "h3\n"),
            ("README.md", "text\n"),
            ("group_vars/web.yml", "c: 3\n"),
        ];
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let readable = Files::below([folder.path()]);
        let inventory = Inventory::read(folder.path(), None, &readable, &Vault::default()).expect("an inventory");
        assert_eq!(inventory.hosts().collect::<Vec<_>>(), ["h1", "h2"]);
        let vars = inventory.variables("h1").expect("variables");
        let shown = |name: &str| vars.get(name).map(|value| value.to_text().to_string()).unwrap_or_default();
        assert_eq!(["a", "b", "c"].map(shown), ["1", "2", "3"]);
        assert!(shown("inventory_file").ends_with("a/hosts"));
        assert!(shown("inventory_dir").ends_with("a"));
    }

    #[test]
    fn comments_end_literals_of_groups_but_no_strings() {
        for (text, value) in [
            ("5432 # port", Value::from(5432)),
            ("'a # b' # c", "a # b".into()),
            ("a # b", "a # b".into()),
            ("a#b", "a#b".into()),
            ("# b", "# b".into()),
            ("[1, 2] # b", [1, 2].map(Value::from).into_iter().collect()),
        ] {
            assert_eq!(parse_commented_literal(text), value, "{text}");
        }
    }

    #[test]
    fn lines_of_hosts_are_words_of_shlex() {
        for (line, expected) in [
            (r#"h a="x\d" b="q\"r" c=\n d="a\\b""#, vec!["h", r"a=x\d", "b=q\"r", "c=n", r"d=a\b"]),
            (r"h a='x\d' b=a'b c'd e=#x", vec!["h", r"a=x\d", "b=ab cd", "e="]),
            ("h a=b#c d=e", vec!["h", "a=b"]),
            (r"h x=a\#b y='1'#c", vec!["h", "x=a#b", "y=1"]),
            ("h a=1\u{a0}b\tc=", vec!["h", "a=1\u{a0}b", "c="]),
        ] {
            assert_eq!(words(line), Ok(expected.into_iter().map(str::to_owned).collect()), "{line}");
        }
        assert!(words("h a=\\").is_err());
    }

    #[test]
    fn a_range_may_begin_the_line_of_a_host() {
        let known = inventory("hosts", "[1:2].ex n=1\n[web:hosts] # the first\n[a:b]x\n", &[]);
        assert_eq!(known.hosts().collect::<Vec<_>>(), ["1.ex", "2.ex", "ax", "bx"]);
        let folder = tempfile::tempdir().expect("a folder");
        let known = inventory("hosts", "[::1]:22\nh1\nh[1:2]:0033 a=1\n", &[]);
        let port = |host: &str| known.variables(host).unwrap().get("ansible_port").cloned();
        assert_eq!((port("::1"), port("h1"), port("h2")), (Some(22.into()), None, Some(33.into())));
        for text in ["[my web]\nh\n", "[web]x]\n", "[web:]\nh\n"] {
            assert!(refusal(folder.path(), text).contains("section"), "{text}");
        }
    }

    #[test]
    fn without_an_inventory_there_are_the_variables_of_all() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("group_vars")).expect("a folder");
        std::fs::write(folder.path().join("group_vars/all.yml"), "a: 1\n").expect("a file");
        let readable = Files::below([folder.path()]);
        let inventory = Inventory::implicit(folder.path(), &readable, &Vault::default()).expect("an inventory");
        let vars = inventory.variables("localhost").expect("variables");
        assert_eq!(vars.get("a"), Some(&1.into()));
        assert_eq!(vars.get("inventory_file"), None);
        assert_eq!(vars.get("ansible_connection"), Some(&"local".into()));
    }

    #[test]
    fn programs_are_not_run() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(refusal(folder.path(), "#!/bin/sh\necho\n").contains("is a program"));
        for (name, text, message) in [
            ("hosts.toml", "[web.hosts]\nh1 = {}\n", "is TOML"),
            ("hosts.yml", "plugin: a.b.constructed\n", "configures the plugin 'a.b.constructed'"),
            ("secret", "$ANSIBLE_VAULT;1.1;AES256\n3435\n", "cannot be decrypted"),
        ] {
            let file = folder.path().join(name);
            std::fs::write(&file, text).expect("a file");
            let read = Inventory::read(&file, None, &Files::below([folder.path()]), &Vault::default());
            let shown = read.map_or_else(|error| error.to_string(), |_| String::new());
            assert!(shown.contains(message), "{shown}");
        }
    }

    fn refusal(folder: &Path, text: &str) -> String {
        let file = folder.join("hosts");
        std::fs::write(&file, text).expect("a file");
        let read = Inventory::read(&file, None, &Files::below([folder]), &Vault::default());
        let variables = read.and_then(|inventory| {
            let host = inventory.hosts().next().expect("a host").to_owned();
            inventory.variables(&host)
        });
        variables.map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn files_of_other_groups_need_not_be_read() {
        let files = [("group_vars/db.yml", "$ANSIBLE_VAULT;1.1;AES256\n3030\n"), ("group_vars/web.yml", "a: 1\n")];
        let inventory = inventory("hosts", "[web]\nw\n[db]\nd\n", &files);
        assert_eq!(inventory.variables("w").expect("variables").get("a"), Some(&1.into()));
        assert!(inventory.variables("d").is_err_and(|error| error.to_string().contains("no password was given")));
    }

    #[test]
    fn multiplying_results_are_bounded() {
        let folder = tempfile::tempdir().expect("a folder");
        let hosts = "a[1:60000]\nb[1:60000]\n";
        assert!(refusal(folder.path(), hosts).contains("there are more than 100000 hosts"));
        let groups: String = (0..300).map(|at| format!("[g{at}:children]\ng{}\n", at + 1)).collect();
        let nested = format!("{groups}[g300]\na[1:50000]\n");
        assert!(refusal(folder.path(), &nested).contains("more than 10000000 variables and members"));
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_round_in_circles_have_an_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let web = folder.path().join("group_vars/web");
        std::fs::create_dir_all(&web).expect("a folder");
        for name in ["one", "two"] {
            std::os::unix::fs::symlink(".", web.join(name)).expect("a link");
        }
        assert!(refusal(folder.path(), "[web]\na\n").contains("there are more than 10000 files"));
    }

    #[test]
    fn a_group_is_not_in_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("hosts");
        std::fs::write(&file, "[a:children]\nb\n[b:children]\na\n").expect("a file");
        let read = Inventory::read(&file, None, &Files::below([folder.path()]), &Vault::default());
        assert!(read.is_err_and(|error| error.to_string().contains("is in itself")));
    }
}
