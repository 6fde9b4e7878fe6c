//! [`Document`] and its included files, with their syntax trees, by source id.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_diagnostics::{Diagnostic, Severity, Source};
use hieratic_value::Value;
use hieratic_yaml_edit::tree::{self, Node, Reading};

use crate::Failure;
use crate::codes;

/// Decrypts values and files that Ansible Vault has encrypted.
pub trait Vault: Send + Sync {
    /// Returns the plain text.
    ///
    /// # Errors
    /// The value cannot be decrypted. The error is a message.
    fn decrypt(&self, text: &str) -> Result<String, String>;

    /// Returns whether the vault has a password for values and files.
    fn opens_files(&self) -> bool {
        true
    }

    /// Records that all values in `values` are secrets, because they were encrypted together.
    fn note(&self, values: &Value);
}

/// A document that may have merge directives.
#[derive(Clone)]
pub struct Document {
    pub(crate) main: SourceFile,
    pub(crate) reading: Reading,
    /// The vault that decrypts it, if a password is known.
    pub(crate) vault: Option<Arc<dyn Vault>>,
}

impl fmt::Debug for Document {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Document").field("main", &self.main).field("reading", &self.reading).finish_non_exhaustive()
    }
}

/// A source, its tree, and the base folder of its includes.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    pub(crate) source: Source,
    pub(crate) root: Node,
    pub(crate) folder: PathBuf,
    /// The identity of the file, and whether it is writable; `None` for the main document.
    pub(crate) identity: Option<(String, bool)>,
}

impl Document {
    /// Parses a document: YAML or JSON.
    ///
    /// `name` is the name in messages, `folder` the base of relative includes.
    ///
    /// # Errors
    /// The document has a syntax error.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Document, Failure> {
        Document::parse_as(text, name, folder, Reading::Core)
    }

    /// Like [`parse`](Self::parse), with a dialect of YAML, which also applies to included files.
    pub fn parse_as(text: &str, name: &str, folder: &Path, reading: Reading) -> Result<Document, Failure> {
        Document::read(text, name, folder, reading, None)
    }

    /// Like [`parse_as`](Self::parse_as), for documents with encrypted values and encrypted included files. Without a
    /// vault, an encrypted value is an error.
    pub fn parse_with_vault(
        text: &str,
        name: &str,
        folder: &Path,
        vault: Option<Arc<dyn Vault>>,
    ) -> Result<Document, Failure> {
        Document::read(text, name, folder, Reading::Core, vault)
    }

    fn read(
        text: &str,
        name: &str,
        folder: &Path,
        reading: Reading,
        vault: Option<Arc<dyn Vault>>,
    ) -> Result<Document, Failure> {
        let root = parse(text, 0, name, reading, vault.as_deref());
        let root = root.map_err(|error| Failure::from_diagnostic(invalid_yaml(&error, name, text)))?;
        let source = Source::new(name, text);
        let main = SourceFile { source, root, folder: folder.to_owned(), identity: None };
        Ok(Document { main, reading, vault })
    }

    /// Returns the document with an edited text.
    pub(crate) fn with_text(&self, text: &str) -> Result<Document, Failure> {
        Document::read(text, self.name(), &self.main.folder, self.reading, self.vault.clone())
    }

    /// Returns the source.
    pub fn text(&self) -> &str {
        self.main.source.text()
    }

    /// Returns the name in messages.
    pub fn name(&self) -> &str {
        self.main.source.name()
    }

    /// Returns the unexpanded tree.
    pub fn root(&self) -> &Node {
        &self.main.root
    }
}

/// Parses a source with the given YAML rules, and decrypts its values with the vault.
pub(crate) fn parse(
    text: &str,
    number: u32,
    name: &str,
    reading: Reading,
    vault: Option<&dyn Vault>,
) -> Result<Node, hieratic_json::Error> {
    match vault {
        Some(vault) => tree::parse_with(text, number, name, reading, Some(&|tag, text| decrypted(vault, tag, text))),
        None => tree::parse_as(text, number, name, reading),
    }
}

/// The value of a scalar that a vault encrypted.
fn decrypted(vault: &dyn Vault, tag: &str, text: &str) -> Result<Value, String> {
    let plain = vault.decrypt(text)?;
    if tag != "!vault-json" || !vault.opens_files() {
        return Ok(plain.into());
    }
    // JSON is YAML. The error must not quote the content, because it is a secret.
    let node = tree::parse(&plain, 0, "").map_err(|_| "it is not valid JSON".to_owned())?;
    let value = node.to_value();
    vault.note(&value);
    Ok(value)
}

/// Creates the diagnostic for invalid YAML, with its position.
pub fn invalid_yaml(error: &hieratic_json::Error, name: &str, text: &str) -> Diagnostic {
    let source = Source::new(name, text);
    let mut diagnostic = Diagnostic::new(Severity::Error, codes::INVALID_YAML, error.message());
    if let Some(at) = error.position() {
        let character = source.character(source.offset(at.line, at.column));
        diagnostic = diagnostic.label(source, character, "");
    }
    diagnostic.help.extend(error.hint().map(str::to_owned));
    diagnostic
}

/// The main document and every file that was included.
#[derive(Clone, Debug)]
pub(crate) struct Sources(Vec<SourceFile>);

impl Sources {
    pub(crate) fn new(main: SourceFile) -> Sources {
        Sources(vec![main])
    }

    pub(crate) fn get(&self, number: u32) -> Option<&SourceFile> {
        self.0.get(number as usize)
    }

    /// Returns the id of the next source.
    pub(crate) fn next(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn add(&mut self, file: SourceFile) {
        self.0.push(file);
    }

    /// The file and line of a node.
    pub(crate) fn place(&self, node: &Node) -> Option<(&str, u32, u32)> {
        let file = self.get(node.source())?;
        let place = file.source.start(node.span());
        Some((file.source.name(), place.line, place.column))
    }
}
