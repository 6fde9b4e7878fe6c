//! The facts of the node that the flags of a verb select.

use std::collections::{HashMap, HashSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hieratic::facts::{Assignment, FactsFolder, node_of_file};
use hieratic::sandbox::SlashPath as _;
use hieratic::{Error, Facts, Hash, Permissions};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_fleet::{NodeError, is_of_many, node_among};

use super::Target;
use crate::args::PlaceArguments;
use crate::fleet::report_unanswered;
use crate::report::Reporter;
use crate::usage::usage;
use crate::{codes, output};

impl Target<'_> {
    /// The facts of the node: from files and flags, else from its name, which is this machine's if none is named. No
    /// program runs.
    pub(crate) fn facts(&self, reporter: &Reporter) -> Result<Facts, Error> {
        self.facts_or(reporter, || facts_from_name(host_name().as_deref(), self.place))
    }

    /// The facts of the node for `lookup`, the only verb that may run facter. It does so if neither a node nor facts are
    /// named: the user asks about this machine, as with `puppet lookup`. Facter runs dozens of programs, which verbs that
    /// check, compare or rewrite do not need.
    pub(crate) fn facts_or_those_of_facter(&self, reporter: &Reporter) -> Result<Facts, Error> {
        self.facts_or(reporter, || local_facts(self.place, reporter))
    }

    /// The facts of the node for completions. Errors are ignored.
    pub(crate) fn facts_for_completion(&self) -> Option<Facts> {
        let files = self.files_of_facts().unwrap_or_default().files;
        let name = self.place.node.as_deref();
        let facts =
            if files.is_empty() { facts_from_name(name, self.place) } else { self.read_files(&files, name).ok()? };
        self.with_flags(facts).ok()
    }

    /// The facts of the node: from files and flags, else from its name; `this_machine` has them where neither is given.
    fn facts_or(&self, reporter: &Reporter, this_machine: impl FnOnce() -> Facts) -> Result<Facts, Error> {
        let name = self.place.node.as_deref();
        if name == Some("") {
            return Err(usage("the name of the node is empty").help("pass it with --node NAME"));
        }
        let files = self.files_of_facts()?.report_warnings(reporter);
        let facts = match (files.is_empty(), name) {
            (false, _) => self.read_files(&files, name)?,
            (true, Some(name)) => facts_from_name(Some(name), self.place),
            (true, None) => this_machine(),
        };
        self.with_flags(facts)
    }

    /// Describes where the facts are from. Errors were reported when they were read for the answer.
    pub(super) fn source_of_facts(&self) -> String {
        match (self.files_of_facts().unwrap_or_default().files, &self.place.node) {
            (files, _) if !files.is_empty() => join_paths(files.iter().map(|file| &file.path)),
            (_, Some(node)) => format!("only the name {node}"),
            (_, None) => "those of this machine".to_owned(),
        }
    }

    /// The files with the facts of the node, of those and of the folders that flags or settings name.
    fn files_of_facts(&self) -> Result<FactsFiles, Error> {
        let (place, permissions) = (self.place, self.permissions());
        let (mut files, mut repeated) = (Vec::new(), Vec::new());
        for path in &place.facts {
            let named = permissions.files_named(path);
            let is_of_many = is_of_many(path);
            let (mut found, mut is_named) = (None, false);
            let file = match (is_of_many || named.is_folder(path), &place.node) {
                (true, Some(node)) if is_of_many => {
                    let among = node_among(path, node, &permissions)?;
                    repeated.extend(among.repeated);
                    found = among.nodes.into_iter().next();
                    found.as_ref().map(|_| path.clone())
                }
                (true, Some(node)) => {
                    let folder = FactsFolder::new(path, &permissions);
                    let mut named = folder.files(node);
                    match named.next() {
                        Some(first) => {
                            repeated.extend(named.map(|other| NodeError::repeated(other.to_slashes(), node)));
                            Some(first)
                        }
                        None => folder.find(node).map_err(|error| crate::files::unreadable(path, &error))?,
                    }
                }
                // The folder of the settings applies if the user names a node.
                (true, None) if place.facts_by_settings => continue,
                (true, None) if is_of_many => {
                    let message = format!("{} has the facts of many nodes, but no node is named", path.display());
                    return Err(usage(message).help("pass the name of the node: --node NAME"));
                }
                (true, None) => return Err(needs_node(path, &permissions)),
                // A file in the settings is one node's.
                (false, Some(node)) if place.facts_by_settings => {
                    node_of_file(path, &named)?.node().is_some_and(|of| of == node).then(|| path.clone())
                }
                (false, _) => {
                    is_named = true;
                    Some(path.clone())
                }
            };
            match (file, &place.node) {
                (Some(path), _) => files.push(FactsFile { path, found, is_named }),
                (None, Some(node)) if !place.facts_by_settings && is_of_many => {
                    return Err(usage(format!("{} has no facts of the node {node}", path.display()))
                        .help("the node name is taken from certname, clientcert, networking.fqdn or fqdn"));
                }
                (None, Some(node)) if !place.facts_by_settings => return Err(unknown(path, node, &permissions)),
                _ => {}
            }
        }
        let note = match &place.node {
            Some(node) if files.is_empty() && place.facts_by_settings => {
                Some(format!("{} has no facts of {node}: using only the name", join_paths(&place.facts)))
            }
            _ => None,
        };
        Ok(FactsFiles { files, note, repeated })
    }

    /// The facts with those that flags name.
    fn with_flags(&self, mut facts: Facts) -> Result<Facts, Error> {
        self.set_flags(&mut facts)?;
        Ok(facts)
    }

    /// Sets the facts, variables and trusted data that flags name.
    pub(crate) fn set_flags(&self, facts: &mut Facts) -> Result<(), Error> {
        let refused = |error: Error| error.help("write --fact role=web, or --fact os.family=Debian");
        let mut names = FactNames::default();
        for assignment in &self.place.fact {
            let Assignment { name, value } = Assignment::parse(assignment).map_err(refused)?;
            names.add(name, value.as_hash().is_some()).map_err(refused)?;
            facts.set(name, value);
        }
        for assignment in &self.place.var {
            let Assignment { name, value } = Assignment::parse(assignment).map_err(refused)?;
            facts.set_variable(name, value);
        }
        if let Some(file) = &self.place.trusted_data {
            facts.set_trusted(Facts::load(file, &self.permissions().files_named(file))?);
        }
        Ok(())
    }

    fn read_files(&self, files: &[FactsFile], name: Option<&str>) -> Result<Facts, Error> {
        let mut facts = Facts::new(name, Hash::default());
        for FactsFile { path, found, is_named: _ } in files {
            match found {
                Some(found) => facts.merge(found.facts()),
                None => facts.merge(&Facts::load(path, &self.permissions().files_named(path))?),
            }
        }
        // Facts that are found by the name of the node override no other facts, unlike a file for `puppet lookup`.
        if let Some(last) = files.iter().rfind(|file| file.is_named) {
            facts.check_identity(&last.path)?;
        }
        Ok(facts)
    }
}

/// The names of facts that flags set, so that no flag silently replaces what another one has set.
#[derive(Default)]
struct FactNames<'a> {
    /// The facts whose values are no hashes.
    scalars: HashSet<&'a str>,
    /// The facts that have others below them, each with one of those.
    outer: HashMap<&'a str, &'a str>,
}

impl<'a> FactNames<'a> {
    /// Adds the name of a fact.
    ///
    /// # Errors
    /// A part of it is empty, or another fact is a part of this one.
    fn add(&mut self, name: &'a str, is_hash: bool) -> Result<(), Error> {
        if name.split('.').any(str::is_empty) {
            return Err(usage(format!("the fact '{name}' has an empty part")));
        }
        let clash = |one: &str, other: &str| usage(format!("the facts '{one}' and '{other}' exclude each other"));
        if let Some(inner) = self.outer.get(name) {
            return Err(clash(name, inner));
        }
        for (dot, _) in name.match_indices('.') {
            let outer = &name[..dot];
            if self.scalars.contains(outer) {
                return Err(clash(outer, name));
            }
            self.outer.insert(outer, name);
        }
        if !is_hash {
            self.scalars.insert(name);
        }
        Ok(())
    }
}

/// A file with the facts of a node.
struct FactsFile {
    path: PathBuf,
    /// The facts, if they were found among those of other nodes.
    found: Option<Facts>,
    /// Whether the user has named the file itself, instead of a folder, or a file with many nodes.
    is_named: bool,
}

/// The files with the facts of a node, and the diagnostics for those without facts.
#[derive(Default)]
struct FactsFiles {
    files: Vec<FactsFile>,
    note: Option<String>,
    /// The other places of the node, whose facts are not used.
    repeated: Vec<NodeError>,
}

impl FactsFiles {
    fn report_warnings(self, reporter: &Reporter) -> Vec<FactsFile> {
        if let Some(note) = self.note {
            reporter.diagnostic(&Diagnostic::new(Severity::Note, codes::FACTS_UNKNOWN, note));
        }
        report_unanswered(&self.repeated, self.repeated.len(), reporter);
        self.files
    }
}

fn needs_node(folder: &Path, permissions: &Permissions) -> Error {
    let message = format!("{} is a folder of facts, but no node is named", folder.display());
    // The names are only needed for the help.
    usage(message).help(match FactsFolder::new(folder, permissions).names().unwrap_or_default().as_slice() {
        [] => "write the facts of a node to NAME.json or NAME.yaml in that folder, and pass --node NAME".to_owned(),
        [first, ..] => format!("pass the name of the node: --node {first}"),
    })
}

fn unknown(path: &Path, node: &str, permissions: &Permissions) -> Error {
    // It was listed just before; the names are for the help alone.
    let names = FactsFolder::new(path, permissions).names().unwrap_or_default();
    let error = usage(format!("{} has no facts of the node {node}", path.display()));
    error.help(match hieratic_diagnostics::nearest(node, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("write them to {node}.json or {node}.yaml in that folder"),
    })
}

fn join_paths<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> String {
    paths.into_iter().map(|path| output::relative_file(path)).collect::<Vec<_>>().join(", ")
}

/// Returns the facts that follow from the name of a node.
fn facts_from_name(node: Option<&str>, place: &PlaceArguments) -> Facts {
    Facts::named_for(node.unwrap_or("localhost"), place.puppet.version())
}

/// The message shown while facter runs.
const ASKING: &str = "running facter for the facts of this machine; for another node, pass --node or --facts";

/// Returns the facts of this machine: from facter if it is installed, otherwise from its name.
fn local_facts(place: &PlaceArguments, reporter: &Reporter) -> Facts {
    let from_facter = || {
        let mut facter = Command::new("facter");
        facter.args(place.puppet.version().has_legacy_facts().then_some("--show-legacy"));
        facter.arg("--json").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Without facter, only the name of the machine is known, as documented.
        let facter = facter.spawn().ok()?;
        // It takes a second or two, and the user may have meant another node. Scripts know which node they mean, or
        // need no name.
        let is_for_people = std::io::stderr().is_terminal();
        if is_for_people {
            reporter.diagnostic(&Diagnostic::new(Severity::Note, codes::FACTER, ASKING));
        }
        // One fact that cannot be found out makes it fail, and it prints all others nevertheless.
        let output = facter.wait_with_output().map_err(|error| error.to_string());
        let facts = output.and_then(|output| {
            let value = hieratic::json::parse(&output.stdout).map_err(|error| error.to_string())?;
            let facts = value.as_hash().filter(|facts| !facts.is_empty()).cloned();
            facts.ok_or_else(|| "it printed no facts".to_owned())
        });
        if let (Err(reason), true) = (&facts, is_for_people) {
            reporter.diagnostic(&without_facter(reason));
        }
        facts.ok()
    };
    match from_facter() {
        Some(facts) => Facts::new(host_name().as_deref(), facts),
        None => facts_from_name(host_name().as_deref(), place),
    }
}

/// Returns the diagnostic if facter is installed and returns no facts.
fn without_facter(reason: &str) -> Diagnostic {
    let message = format!("facter returned no facts, so only the name of this machine is known: {reason}");
    Diagnostic::new(Severity::Warning, codes::FACTER, message).help("run `facter --json`, or pass --node or --facts")
}

pub(crate) fn host_name() -> Option<String> {
    // Other systems do not have it: then nothing but `localhost` is known.
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_string()).filter(|name| !name.is_empty())
}
