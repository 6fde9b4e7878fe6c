//! Reads the files of `+include`.

use std::path::{Component, Path};

use hieratic_diagnostics::{Code, nearest};
use hieratic_python_values as python;
use hieratic_value::Value;
use hieratic_yaml_edit::tree::{Content, Entry, Map, Node, Span};

use super::apply::Target;
use super::walk::Resolution;
use super::{Expander, paths};
use crate::codes;
use crate::error::DirectiveError;
use crate::source::{SourceFile, invalid_yaml, parse};
use crate::{Directive, File, ReadFault};
use hieratic_sandbox::SlashPath as _;

/// The node of a file, or of a part of it; `None` for an empty one.
pub(super) type Loaded = Result<Option<Node>, Unloadable>;

/// The reason why a file could not be had.
#[derive(Clone)]
pub(super) struct Unloadable {
    message: String,
    help: Option<String>,
    reason: Reason,
    /// The position of the error in the file.
    place: Option<(u32, Span)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// There is just no such file.
    Absent,
    /// The file is a program, which would have to be run.
    Python,
    /// No password is known.
    Encrypted,
    Other,
}

/// The parsed value of an include.
struct IncludeSpec {
    file: String,
    when: Option<String>,
    repository: Option<Repository>,
    /// True for a list of variables, which the reference reads from a server for one environment.
    is_list: bool,
}

/// The repository that an include names, with its address if the include has it.
struct Repository {
    name: String,
    address: Option<String>,
}

/// The keys of an include.
const KEYS: [&str; 4] = ["file", "merge", "repository", "when"];

/// The values of `merge`.
const MERGES: [&str; 2] = ["maplist", "raw"];

impl Expander<'_> {
    pub(super) fn resolve_include(&mut self, container: &Node, entry: &Entry, directive: &Directive) -> Resolution {
        let spec = match include_spec(entry.node()) {
            Ok(spec) => spec,
            Err((code, message)) => {
                let error = DirectiveError::new(code, message)
                    .at(container.source(), entry.item.span(), "expected a file name")
                    .help("write `+include: FILE`, or `+include: {file: FILE, merge: raw, when: VARIABLE}`");
                return Resolution::Error(Box::new(error));
            }
        };
        self.warn_of_unknown_keys(entry.node());
        if let Some(variable) = &spec.when {
            match self.options.environment.read(variable) {
                Ok(None | Some("")) => {
                    return Resolution::Nothing(format!("the environment variable {variable} is not set"));
                }
                Ok(Some(_)) => {}
                // Even an optional include is one if the variable is set, which is unknown.
                Err(hidden) => {
                    let error = DirectiveError::new(codes::HIDDEN_VARIABLE, hidden.to_string())
                        .at(container.source(), entry.item.span(), "the condition of the include")
                        .help(format!("set it with --var {variable}=VALUE, or {}", hidden.help()));
                    return Resolution::Error(Box::new(error));
                }
            }
        }
        if spec.is_list {
            return Resolution::Nothing(
                "a list of variables is only read for an environment that is deployed".to_owned(),
            );
        }
        let including = self.sources.get(container.source()).map(|file| file.folder.clone()).unwrap_or_default();
        let loaded = match &spec.repository {
            None => self.load(&spec.file, &including),
            Some(repository) => {
                let address = repository.address.as_deref().or_else(|| self.repositories.address(&repository.name));
                match self.files.repository(&repository.name, address, &including) {
                    Ok(folder) => self.load_from(&spec.file, &folder, &repository.name),
                    Err(error) if error.absent => {
                        self.misses_name = true;
                        let mut missing = self.missing(container, entry, error.message);
                        missing.help = error.help;
                        return Resolution::Missing(Box::new(missing));
                    }
                    Err(ReadFault { message, help, .. }) => {
                        Err(Unloadable { message, help, reason: Reason::Other, place: None })
                    }
                }
            }
        };
        let unloadable = match loaded {
            Ok(Some(node)) => return Resolution::Found(Target { node, path: None, done: false }),
            Ok(None) => return Resolution::Nothing("the file is empty".to_owned()),
            Err(unloadable) => unloadable,
        };
        let reason = unloadable.reason;
        let error = unloaded(container, entry, &including, unloadable);
        if !directive.optional {
            return Resolution::Error(Box::new(error));
        }
        if reason != Reason::Absent {
            self.warn(error);
        }
        Resolution::Nothing(
            match reason {
                Reason::Python => "the file is Python, which is not run",
                Reason::Encrypted => "the file is encrypted",
                Reason::Absent | Reason::Other => "the file cannot be read",
            }
            .to_owned(),
        )
    }

    /// Warns about unknown keys of an include: a misspelled condition would always hold.
    fn warn_of_unknown_keys(&mut self, value: &Node) {
        for entry in value.as_map().map(Map::entries).unwrap_or_default() {
            let name = entry.name().unwrap_or_default();
            if KEYS.contains(&name) {
                let merge = entry.node().as_str().filter(|_| name == "merge");
                if let Some(merge) = merge.filter(|merge| !merge.is_empty() && !MERGES.contains(merge)) {
                    let message = format!("the value '{merge}' of `merge` is not known, and has no effect");
                    let error =
                        DirectiveError::new(codes::INCLUDE_KEY, message).at(value.source(), entry.item.span(), "");
                    self.warn(match nearest(merge, MERGES) {
                        Some(near) => error.help(format!("did you mean '{near}'?")),
                        None => error.help("write `merge: raw` to insert the file unexpanded"),
                    });
                }
                continue;
            }
            let message = format!("the key '{}' of an include is not known, and has no effect", entry.key.to_text());
            let error = DirectiveError::new(codes::INCLUDE_KEY, message).at(value.source(), entry.key_span, "");
            self.warn(match nearest(name, KEYS) {
                Some(near) => error.help(format!("did you mean '{near}'?")),
                None => error.help(format!("the keys are {}", KEYS.join(", "))),
            });
        }
    }

    /// Reads a file of a repository, which it may not lead out of.
    fn load_from(&mut self, name: &str, folder: &Path, repository: &str) -> Loaded {
        let path = Path::new(name.split_once('#').map_or(name, |(path, _)| path));
        let mut depth = 0_i64;
        let leads_out = path.components().any(|part| {
            depth += match part {
                Component::Normal(_) => 1,
                Component::ParentDir => -1,
                Component::CurDir => 0,
                Component::RootDir | Component::Prefix(_) => return true,
            };
            depth < 0
        });
        if leads_out || name.starts_with("http:") || name.starts_with("https:") {
            return Err(Unloadable {
                message: format!("Path not allowed outside of repository {repository}: \"{name}\""),
                help: Some("the path is relative to the repository's folder".to_owned()),
                reason: Reason::Other,
                place: None,
            });
        }
        self.load(name, folder)
    }

    /// Returns whether a directive takes its target unexpanded.
    pub(super) fn is_raw(&self, directive: &Directive, value: &Node) -> bool {
        let value = match &directive.include {
            Some(_) => value.as_map().and_then(|map| map.get("merge")).map(|item| item.node()),
            None => Some(value),
        };
        value.and_then(Node::as_str) == Some("raw")
    }

    /// Reads a file, or returns the cached one. Files are cached by their identity, not by the name in the include.
    fn load(&mut self, name: &str, folder: &Path) -> Loaded {
        let is_url = name.starts_with("http");
        let (file, fragment) = name.split_once('#').unwrap_or((name, ""));
        let path = if is_url { file.to_owned() } else { folder.join(file).to_slashes() };
        let key = (path, fragment.to_owned());
        if let Some(known) = self.loaded.get(&key) {
            return known.clone();
        }
        let loaded = self.load_part(file, fragment, folder);
        if let Ok(Some(node)) = &loaded {
            let known = self.anchors.version();
            self.anchors.add(node);
            self.repositories.add(node);
            if self.anchors.version() != known {
                self.memo.clear();
            }
        }
        self.loaded.insert(key, loaded.clone());
        loaded
    }

    fn load_part(&mut self, name: &str, fragment: &str, folder: &Path) -> Loaded {
        let file = self.files.read(name, folder);
        let file = file.map_err(|error| {
            let ReadFault { message, help, absent } = error;
            let reason = if absent { Reason::Absent } else { Reason::Other };
            Unloadable { message, help, reason, place: None }
        })?;
        let file = if name.ends_with(".py") { python_file(file)? } else { file };
        let whole = (file.identity.clone(), "\0whole".to_owned());
        let root = match self.loaded.get(&whole) {
            Some(known) => known.clone()?,
            None => {
                let number = self.sources.next();
                let (file, is_secret) = self.decrypted(file)?;
                let root = parse(&file.text, number, &file.name, self.reading, self.vault.as_deref());
                if let (Some(vault), Ok(root), true) = (&self.vault, &root, is_secret) {
                    vault.note(&root.to_value());
                }
                let source = hieratic_diagnostics::Source::new(file.name.clone(), file.text.as_str());
                // An encrypted file is not written to, because the new content would be unencrypted.
                let identity = Some((file.identity, file.folder.is_some() && !is_secret));
                let folder = file.folder.unwrap_or_else(|| folder.to_owned());
                let loaded = match &root {
                    Ok(root) => Ok(Some(root.clone()).filter(|root| !root.is_null())),
                    // The error is not shown, because the file is a secret.
                    Err(_) if is_secret => {
                        let message = format!("'{}' is not valid YAML when it is decrypted", file.name);
                        Err(Unloadable { message, help: None, reason: Reason::Other, place: None })
                    }
                    Err(error) => {
                        let diagnostic = invalid_yaml(error, &file.name, &file.text);
                        let label = diagnostic.labels.first();
                        let place = label.map(|label| (number, label.span));
                        let help = diagnostic.help.first().cloned();
                        Err(Unloadable { message: diagnostic.message, help, reason: Reason::Other, place })
                    }
                };
                let root = root.unwrap_or_else(|_| Node::from_value(&Value::Undef));
                self.sources.add(SourceFile { source, root, folder, identity });
                self.loaded.insert(whole, loaded.clone());
                loaded?
            }
        };
        match root {
            Some(root) if !fragment.is_empty() => part(&root, fragment),
            other => Ok(other),
        }
    }
}

impl Expander<'_> {
    /// Returns a file in plain text, and whether the whole file was encrypted.
    fn decrypted(&self, file: File) -> Result<(File, bool), Unloadable> {
        if !file.text.starts_with("$ANSIBLE_VAULT;") {
            return Ok((file, false));
        }
        let refused = |message: String, help: Option<&str>, reason: Reason| {
            let help = help.map(str::to_owned);
            Unloadable { message, help, reason, place: None }
        };
        let Some(vault) = self.vault.as_ref().filter(|vault| vault.opens_files()) else {
            let message = format!("'{}' is encrypted by Ansible Vault", file.name);
            return Err(refused(message, Some("pass --vault-password-file"), Reason::Encrypted));
        };
        let decrypted = vault.decrypt(&file.text);
        let text = decrypted.map_err(|cause| refused(format!("'{}': {cause}", file.name), None, Reason::Other))?;
        Ok((File { text, ..file }, true))
    }
}

/// The error of an include whose file could not be read.
fn unloaded(container: &Node, entry: &Entry, folder: &Path, unloadable: Unloadable) -> DirectiveError {
    let shown = match entry.node().as_str() {
        Some(text) => text.to_owned(),
        None => python::repr(&entry.node().to_value()),
    };
    let Unloadable { message, help, reason, place } = unloadable;
    let (code, label) = match reason {
        Reason::Python => (codes::IMPORTED_PYTHON, "this file is not run"),
        Reason::Encrypted => (codes::ENCRYPTED_DOCUMENT, ""),
        Reason::Absent | Reason::Other => (codes::INCLUDE_FAILED, ""),
    };
    let message = format!("unable to load document include: {shown} (base: {}): {message}", folder.display());
    let error = DirectiveError::new(code, message).at(container.source(), entry.item.span(), label);
    let error = match help {
        Some(help) => error.help(help),
        None if reason == Reason::Absent => {
            error.help("the path is relative to the including file; write `+?include` if the file is optional")
        }
        None => error,
    };
    match place {
        Some((source, span)) => error.at(source, span, "the error of the file"),
        None => error,
    }
}

/// The document that the reference uses for a program without definitions.
const EMPTY_PROGRAM: &str = "tosca_definitions_version: tosca_simple_unfurl_1_0_0\ntopology_template: {}\n";

/// A program that defines types and templates: one without code defines nothing, and any other would have to run.
fn python_file(file: File) -> Result<File, Unloadable> {
    let is_code = |line: &str| !line.trim_start().is_empty() && !line.trim_start().starts_with('#');
    if !file.text.lines().any(is_code) {
        // A program is not written to.
        return Ok(File { text: EMPTY_PROGRAM.to_owned(), folder: None, ..file });
    }
    Err(Unloadable {
        message: "it is Python, and its classes are not run".to_owned(),
        help: Some("its definitions are missing from the result; `unfurl export` writes them as YAML".to_owned()),
        reason: Reason::Python,
        place: None,
    })
}

fn include_spec(value: &Node) -> Result<IncludeSpec, (Code, String)> {
    let Content::Map(map) = value.content() else {
        let file = file_name(value)?;
        return Ok(IncludeSpec { file, when: None, repository: None, is_list: false });
    };
    let Some(file) = map.get("file") else {
        let shown = python::repr(&value.to_value());
        return Err((codes::INCLUDE_VALUE, format!("`file` key missing from document include: {shown}")));
    };
    let file = file_name(file.node())?;
    let when = map.get("when").map(|item| item.node().to_value());
    let when = when.filter(|when| when.is_truthy()).map(|when| when.to_text()).filter(|when| !when.is_empty());
    let repository = match map.get("repository") {
        Some(repository) => named_repository(repository.node(), &file)?,
        None => None,
    };
    let is_list = map.get("merge").and_then(|merge| merge.node().as_str()) == Some("maplist");
    Ok(IncludeSpec { file, when, repository, is_list })
}

fn file_name(value: &Node) -> Result<String, (Code, String)> {
    let invalid = || (codes::INCLUDE_VALUE, format!("Invalid include: {}", python::repr(&value.to_value())));
    value.as_str().map(str::to_owned).ok_or_else(invalid)
}

/// The repository of an include: a name, or `{url, name}`.
fn named_repository(value: &Node, file: &str) -> Result<Option<Repository>, (Code, String)> {
    let invalid =
        || (codes::INCLUDE_VALUE, format!("bad inline repository definition: {}", python::repr(&value.to_value())));
    match value.content() {
        Content::Scalar(Value::Undef) => Ok(None),
        Content::Scalar(_) => {
            let name = value.as_str().ok_or_else(invalid)?;
            Ok(Some(name.to_owned()).filter(|name| !name.is_empty()).map(|name| Repository { name, address: None }))
        }
        Content::Map(map) => {
            let text = |key: &str| map.get(key).and_then(|item| item.node().as_str()).map(str::to_owned);
            let address = text("url").filter(|address| !address.is_empty()).ok_or_else(invalid)?;
            let name = text("name").unwrap_or_else(|| file.rsplit('/').next().unwrap_or(file).to_owned());
            Ok(Some(Repository { name, address: Some(address) }))
        }
        Content::List(_) => Err(invalid()),
    }
}

/// Returns the part of a file that a fragment selects: a JSON pointer with optional `%` escapes
/// (<https://www.rfc-editor.org/rfc/rfc6901#section-6>).
fn part(root: &Node, fragment: &str) -> Loaded {
    let unresolvable = || Unloadable {
        message: format!("Unresolvable JSON pointer: {}", python::quoted(fragment)),
        help: Some("the part after # is a path into the file: /key/0/key".to_owned()),
        reason: Reason::Other,
        place: None,
    };
    let pointer = unquote(fragment.trim_start_matches('/'));
    let mut node = root.clone();
    for segment in pointer.split('/').filter(|_| !pointer.is_empty()) {
        let segment = crate::key::unescape(segment);
        let next = match node.content() {
            Content::Map(map) => map.get(&segment),
            Content::List(items) => paths::list_index(&segment, items.len()).and_then(|at| items.get(at)),
            Content::Scalar(_) => None,
        };
        node = next.ok_or_else(unresolvable)?.node().clone();
    }
    Ok(Some(node).filter(|node| !matches!(node.as_scalar(), Some(Value::Undef))))
}

/// Decodes percent-encoding such as `%20`; invalid escapes are copied.
fn unquote(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                rest = &after[2..];
            }
            None => {
                out.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
