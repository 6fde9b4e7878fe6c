//! [`Document`] and the files it includes: texts with their trees, found again by number.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_diagnostics::{Diagnostic, Severity, Source};
use hieratic_document::tree::{self, Node, Reading};
use hieratic_value::Value;

use crate::Failure;
use crate::codes;

/// Decrypts what Ansible Vault encrypted in documents and in the files that they include.
pub trait Vault: Send + Sync {
    /// The plain text, or why there is none.
    fn decrypt(&self, text: &str) -> Result<String, String>;

    /// Whether it has a password, so that what is in values and files can be known.
    fn opens_files(&self) -> bool {
        true
    }

    /// Takes note of values that were encrypted together, all of which are secrets.
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

/// A text, its tree, and where the files lie that it includes.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    pub(crate) source: Source,
    pub(crate) root: Node,
    pub(crate) folder: PathBuf,
    /// By what the file is found again, and whether it could be written; none for the main document.
    pub(crate) identity: Option<(String, bool)>,
}

impl Document {
    /// Reads a document: YAML, of which JSON is a part.
    ///
    /// `name` is what messages call it, `folder` is where relative includes begin. The error says what is wrong with the
    /// text and where.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Document, Failure> {
        Document::parse_as(text, name, folder, Reading::Core)
    }

    /// Reads a document, and later the files that it includes, by somebody's rules.
    pub fn parse_as(text: &str, name: &str, folder: &Path, reading: Reading) -> Result<Document, Failure> {
        Document::read(text, name, folder, reading, None)
    }

    /// Reads a document in which some values are encrypted, and later the files that it includes, which may be encrypted as a whole.
    pub fn parse_encrypted(text: &str, name: &str, folder: &Path, vault: Arc<dyn Vault>) -> Result<Document, Failure> {
        Document::read(text, name, folder, Reading::Core, Some(vault))
    }

    fn read(
        text: &str,
        name: &str,
        folder: &Path,
        reading: Reading,
        vault: Option<Arc<dyn Vault>>,
    ) -> Result<Document, Failure> {
        let root = parse(text, 0, name, reading, vault.as_deref());
        let root = root.map_err(|error| Failure::of(invalid_yaml(&error, name, text)))?;
        let source = Source::new(name, text);
        let main = SourceFile { source, root, folder: folder.to_owned(), identity: None };
        Ok(Document { main, reading, vault })
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.main.source.text()
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        self.main.source.name()
    }

    /// What is written in it, directives and all.
    pub fn root(&self) -> &Node {
        &self.main.root
    }
}

/// Reads a text by somebody's rules, with what decrypts its values.
pub(crate) fn parse(
    text: &str,
    number: u32,
    name: &str,
    reading: Reading,
    vault: Option<&dyn Vault>,
) -> Result<Node, hieratic_document::Error> {
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
    // JSON is YAML. What is wrong with it is not told, because it is a secret.
    let node = tree::parse(&plain, 0, "").map_err(|_| "it is not valid JSON".to_owned())?;
    let value = node.to_value();
    vault.note(&value);
    Ok(value)
}

/// A text that is not YAML as a message with its place.
pub fn invalid_yaml(error: &hieratic_document::Error, name: &str, text: &str) -> Diagnostic {
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

    /// The number that the next source will have.
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
