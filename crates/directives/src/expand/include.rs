//! Files that `+include` names.

use hieratic_diagnostics::Code;
use hieratic_document::tree::{self, Content, Entry, Node, Span};
use hieratic_pythonic as python;
use hieratic_value::Value;

use super::apply::Target;
use super::walk::Resolution;
use super::{Expander, place};
use crate::codes;
use crate::fault::Fault;
use crate::source::{SourceFile, invalid_yaml};
use crate::{Directive, ReadFault};

/// What a file, or a part of it, turned out to be: none for an empty one.
pub(super) type Loaded = Result<Option<Node>, Unloadable>;

/// Why a file could not be had.
#[derive(Clone)]
pub(super) struct Unloadable {
    message: String,
    help: Option<String>,
    /// Whether there is just no such file.
    absent: bool,
    /// Where in the file the fault is.
    place: Option<(u32, Span)>,
}

/// What the value of an include says.
struct Wanted {
    file: String,
    when: Option<String>,
}

impl Expander<'_> {
    pub(super) fn resolve_include(&mut self, holder: &Node, entry: &Entry, directive: &Directive) -> Resolution {
        let wanted = match wanted(entry.node()) {
            Ok(wanted) => wanted,
            Err((code, message)) => {
                let fault = Fault::new(code, message)
                    .at(holder.source(), entry.item.span(), "expected a file name")
                    .help("write `+include: FILE`, or `+include: {file: FILE, merge: raw, when: VARIABLE}`");
                return Resolution::Fault(Box::new(fault));
            }
        };
        if let Some(variable) = &wanted.when
            && self.options.environment.get(variable).is_none_or(String::is_empty)
        {
            return Resolution::Nothing(format!("the environment variable {variable} is not set"));
        }
        let folder = self.sources.get(holder.source()).map(|file| file.folder.clone()).unwrap_or_default();
        match self.load(&wanted.file, &folder) {
            Ok(Some(node)) => Resolution::Found(Target { node, path: None, done: false }),
            Ok(None) => Resolution::Nothing("the file is empty".to_owned()),
            Err(unloadable) => {
                let shown = match entry.node().as_str() {
                    Some(text) => text.to_owned(),
                    None => python::repr(&entry.node().to_value()),
                };
                let message = format!(
                    "unable to load document include: {shown} (base: {}): {}",
                    folder.display(),
                    unloadable.message
                );
                let fault = Fault::new(codes::INCLUDE_FAILED, message).at(holder.source(), entry.item.span(), "");
                let fault = match unloadable.help {
                    Some(help) => fault.help(help),
                    None if unloadable.absent => fault
                        .help("the path is relative to the including file; write `+?include` if the file is optional"),
                    None => fault,
                };
                let fault = match unloadable.place {
                    Some((source, span)) => fault.at(source, span, "the fault of the file"),
                    None => fault,
                };
                if directive.optional {
                    if !unloadable.absent {
                        self.warn(fault);
                    }
                    return Resolution::Nothing("the file cannot be read".to_owned());
                }
                Resolution::Fault(Box::new(fault))
            }
        }
    }

    /// Whether a directive takes its target as it is written.
    pub(super) fn is_raw(&self, directive: &Directive, value: &Node) -> bool {
        let value = match &directive.include {
            Some(_) => value.as_map().and_then(|map| map.get("merge")).map(|item| item.node()),
            None => Some(value),
        };
        value.and_then(Node::as_str) == Some("raw")
    }

    /// Reads a file, or finds it among those that were read: by what it is, not by what it was called.
    fn load(&mut self, name: &str, folder: &std::path::Path) -> Loaded {
        let is_url = name.starts_with("http");
        let (file, fragment) = name.split_once('#').unwrap_or((name, ""));
        let asked = if is_url { file.to_owned() } else { folder.join(file).display().to_string() };
        let key = (asked, fragment.to_owned());
        if let Some(known) = self.loaded.get(&key) {
            return known.clone();
        }
        let loaded = self.load_part(file, fragment, folder);
        if let Ok(Some(node)) = &loaded {
            let known = self.anchors.version();
            self.anchors.add(node);
            if self.anchors.version() != known {
                self.memo.clear();
            }
        }
        self.loaded.insert(key, loaded.clone());
        loaded
    }

    fn load_part(&mut self, name: &str, fragment: &str, folder: &std::path::Path) -> Loaded {
        let file = self.files.read(name, folder);
        let file = file.map_err(|fault| {
            let ReadFault { message, help, absent } = fault;
            Unloadable { message, help, absent, place: None }
        })?;
        let whole = (file.identity.clone(), "\0whole".to_owned());
        let root = match self.loaded.get(&whole) {
            Some(known) => known.clone()?,
            None => {
                let number = self.sources.next();
                let root = tree::parse_as(&file.text, number, &file.name, self.reading);
                let source = hieratic_diagnostics::Source::new(file.name.clone(), file.text.as_str());
                let identity = Some((file.identity, file.folder.is_some()));
                let folder = file.folder.unwrap_or_else(|| folder.to_owned());
                let loaded = match &root {
                    Ok(root) => Ok(Some(root.clone()).filter(|root| !root.is_null())),
                    Err(error) => {
                        let diagnostic = invalid_yaml(error, &file.name, &file.text);
                        let label = diagnostic.labels.first();
                        let place = label.map(|label| (number, label.span));
                        let help = diagnostic.help.first().cloned();
                        Err(Unloadable { message: diagnostic.message, help, absent: false, place })
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

fn wanted(value: &Node) -> Result<Wanted, (Code, String)> {
    let (file, when) = match value.content() {
        Content::Map(map) => {
            let Some(file) = map.get("file") else {
                let shown = python::repr(&value.to_value());
                return Err((codes::INCLUDE_VALUE, format!("`file` key missing from document include: {shown}")));
            };
            (file.node(), map.get("when").map(|item| item.node().to_value()))
        }
        _ => (value, None),
    };
    let Some(file) = file.as_str() else {
        return Err((codes::INCLUDE_VALUE, format!("Invalid include: {}", python::repr(&file.to_value()))));
    };
    let when = when.filter(|when| when.is_truthy()).map(|when| when.to_text()).filter(|when| !when.is_empty());
    Ok(Wanted { file: file.to_owned(), when })
}

/// The part of a file behind `#`: a JSON pointer in which `%` escapes may stand
/// (<https://www.rfc-editor.org/rfc/rfc6901#section-6>).
fn part(root: &Node, fragment: &str) -> Loaded {
    let unresolvable = || Unloadable {
        message: format!("Unresolvable JSON pointer: {}", python::quoted(fragment)),
        help: Some("the part after # is a path into the file: /key/0/key".to_owned()),
        absent: false,
        place: None,
    };
    let pointer = unquote(fragment.trim_start_matches('/'));
    let mut node = root.clone();
    for segment in pointer.split('/').filter(|_| !pointer.is_empty()) {
        let segment = crate::key::unescape(segment);
        let next = match node.content() {
            Content::Map(map) => map.get(&segment),
            Content::List(items) => place::list_index(&segment, items.len()).and_then(|at| items.get(at)),
            Content::Scalar(_) => None,
        };
        node = next.ok_or_else(unresolvable)?.node().clone();
    }
    Ok(Some(node).filter(|node| !matches!(node.as_scalar(), Some(Value::Undef))))
}

/// Undoes `%20` and its like; what is no escape stays.
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
