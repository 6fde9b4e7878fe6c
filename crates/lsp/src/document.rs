//! [`Document`]: an open file with its unsaved changes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use hieratic_diagnostics::{Source, Span};
use hieratic_lint::Kind;
use hieratic_puppet_syntax::{Parsed, Token, parse, tokens};
use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Url};

use crate::keys::Keys;
use crate::lens_cache::CachedLenses;
use crate::positions::{Encoding, Lines};
use crate::templates::lexer::Template;
use hieratic::sandbox::SlashPath as _;

/// The language of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Code of the Puppet language.
    Manifest,
    /// A template of it.
    Epp,
    /// YAML: data, configurations, documents.
    Yaml,
    /// JSON.
    Json,
    /// HOCON.
    Hocon,
    /// Jobs, variables, and other files of HCL.
    Hcl,
    /// A Jinja2 template.
    Jinja,
    /// A template in Ruby.
    Erb,
    /// Something else.
    Other,
}

impl Language {
    /// Determines the language of a file from its name, or from the client's language id if the name is not enough.
    pub(crate) fn from_path(path: &Path, client: &str) -> Language {
        match Kind::from_path(path) {
            Some(Kind::Manifest) => return Language::Manifest,
            Some(Kind::Epp) => return Language::Epp,
            Some(Kind::Yaml) => return Language::Yaml,
            Some(Kind::Json) => return Language::Json,
            Some(Kind::Hcl) => return Language::Hcl,
            Some(Kind::Jinja) => return Language::Jinja,
            Some(Kind::Erb) => return Language::Erb,
            Some(Kind::Puppetfile) => return Language::Other,
            None => {}
        }
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("conf" | "hocon") => Language::Hocon,
            _ => match client {
                "puppet" => Language::Manifest,
                "epp" => Language::Epp,
                "yaml" => Language::Yaml,
                "json" => Language::Json,
                "hcl" | "nomad" => Language::Hcl,
                "jinja" | "jinja2" | "jinja-html" => Language::Jinja,
                "eruby" | "erb" => Language::Erb,
                "hocon" => Language::Hocon,
                _ => Language::Other,
            },
        }
    }

    /// Returns whether the file is Puppet code.
    pub(crate) fn is_code(self) -> bool {
        matches!(self, Language::Manifest | Language::Epp)
    }

    /// Returns whether the file is a tree of maps and lists that the YAML reader accepts.
    pub(crate) fn is_tree(self) -> bool {
        matches!(self, Language::Yaml | Language::Json)
    }

    /// Returns whether the file is a tree of maps and lists.
    pub(crate) fn has_keys(self) -> bool {
        self.is_tree() || self == Language::Hocon
    }

    /// Returns whether the file is a template in another language than Puppet's.
    pub(crate) fn is_template(self) -> bool {
        matches!(self, Language::Jinja | Language::Erb)
    }
}

/// The number of documents so far.
static SERIAL: AtomicU64 = AtomicU64::new(0);

/// An immutable version of a file, with its line table and the results of parsing it. An edit creates another document.
#[derive(Debug)]
pub(crate) struct Document {
    /// The path of the file.
    pub(crate) path: PathBuf,
    /// The address that the client uses.
    pub(crate) uri: Url,
    /// The version of the client; none for a file that is not open.
    pub(crate) version: Option<i32>,
    /// Identifies the version: later ones have larger numbers. The client's versions start again when it reopens a
    /// file.
    pub(crate) serial: u64,
    /// The content.
    pub(crate) text: Arc<str>,
    /// The language.
    pub(crate) language: Language,
    /// The line table.
    pub(crate) lines: Lines,
    encoding: Encoding,
    parsed: OnceLock<Parsed>,
    tokens: OnceLock<Vec<Token>>,
    keys: OnceLock<Keys>,
    hcl: OnceLock<Arc<hieratic_hcl_syntax::Parsed<hieratic_hcl_syntax::Body>>>,
    template: OnceLock<Template>,
    lenses: Mutex<Option<CachedLenses>>,
}

impl Document {
    /// Creates a document.
    pub(crate) fn new(
        path: PathBuf,
        uri: Url,
        version: Option<i32>,
        language: Language,
        text: impl Into<Arc<str>>,
        encoding: Encoding,
    ) -> Document {
        let text = text.into();
        let lines = Lines::new(&text, encoding);
        Document {
            path,
            uri,
            version,
            serial: SERIAL.fetch_add(1, Ordering::Relaxed),
            text,
            language,
            lines,
            encoding,
            parsed: OnceLock::new(),
            tokens: OnceLock::new(),
            keys: OnceLock::new(),
            hcl: OnceLock::new(),
            template: OnceLock::new(),
            lenses: Mutex::default(),
        }
    }

    /// Applies changes in order. A range beyond the end of the content is cut there.
    pub(crate) fn changed(&self, changes: Vec<TextDocumentContentChangeEvent>, version: i32) -> Document {
        let mut text = self.text.to_string();
        let mut lines: Option<Lines> = Some(self.lines.clone());
        for change in changes {
            match change.range {
                Some(range) => {
                    let at = lines.take().unwrap_or_else(|| Lines::new(&text, self.encoding)).span(&text, range);
                    text.replace_range(at, &change.text);
                }
                None => text = change.text,
            }
            lines = None;
        }
        Document::new(self.path.clone(), self.uri.clone(), Some(version), self.language, text, self.encoding)
    }

    /// Returns the document with other text.
    pub(crate) fn with_text(&self, text: &str) -> Document {
        Document::new(self.path.clone(), self.uri.clone(), self.version, self.language, text, self.encoding)
    }

    /// Returns whether code may contain plans.
    fn has_tasks(&self) -> bool {
        hieratic_lint::is_plan(&self.path)
    }

    fn syntax(&self) -> hieratic_puppet_syntax::Options {
        hieratic_puppet_syntax::Options { epp: self.language == Language::Epp, tasks: self.has_tasks() }
    }

    /// The tree of code.
    pub(crate) fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| {
            let source = Source::new(self.path.to_slashes(), self.text.clone());
            parse(&source, &self.syntax())
        })
    }

    /// The tree of code, or what could be read of it.
    pub(crate) fn program(&self) -> Option<&hieratic_puppet_syntax::ast::Program> {
        let parsed = self.parsed();
        parsed.program.as_ref().or(parsed.recovered.as_ref())
    }

    /// The tokens of code.
    pub(crate) fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| tokens(&self.text, &self.syntax()))
    }

    /// The keys and values of data, as far as they can be read.
    pub(crate) fn keys(&self) -> &Keys {
        self.keys.get_or_init(|| match self.language {
            Language::Hocon => Keys::parse_hocon(&self.text),
            Language::Hcl => {
                let parsed = self.hcl();
                Keys::from_hcl(&parsed.tree, &self.text, !parsed.problems.has_errors())
            }
            _ => Keys::parse_yaml(&self.text),
        })
    }

    /// The tags of a template.
    pub(crate) fn template(&self) -> &Template {
        self.template.get_or_init(|| match self.language {
            Language::Erb => Template::erb(&self.text),
            Language::Jinja => Template::jinja(&self.text),
            _ => Template::default(),
        })
    }

    /// The tree of HCL, as far as it can be read.
    pub(crate) fn hcl(&self) -> &hieratic_hcl_syntax::Parsed<hieratic_hcl_syntax::Body> {
        self.hcl.get_or_init(|| {
            let source = hieratic_hcl_syntax::Source::new(self.path.to_slashes(), self.text.as_bytes());
            Arc::new(hieratic_hcl_syntax::parse_config(source))
        })
    }

    /// The lenses that were computed for this version.
    pub(crate) fn lenses(&self) -> MutexGuard<'_, Option<CachedLenses>> {
        // Each change is one assignment, so it is consistent after a panic.
        self.lenses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The byte of a position.
    pub(crate) fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position)
    }

    /// The range of bytes.
    pub(crate) fn range(&self, span: impl Into<Span>) -> Range {
        self.lines.range(&self.text, span.into())
    }

    /// Returns a part of the content.
    pub(crate) fn slice(&self, span: impl Into<Span>) -> &str {
        self.text.get(span.into().range()).unwrap_or_default()
    }

    /// The text of a line.
    pub(crate) fn line(&self, line: usize) -> &str {
        self.slice(self.lines.line(&self.text, line))
    }

    /// The text of the line of a byte, up to the byte.
    pub(crate) fn before(&self, offset: usize) -> &str {
        let line = self.lines.line(&self.text, self.lines.line_of(offset));
        self.slice(line.start..offset.min(line.end).max(line.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        let uri = Url::parse("file:///a.yaml").unwrap();
        Document::new("/a.yaml".into(), uri, Some(1), Language::Yaml, text, Encoding::Utf16)
    }

    fn change(range: Option<[u32; 4]>, text: &str) -> TextDocumentContentChangeEvent {
        let range = range.map(|[a, b, c, d]| Range::new(Position::new(a, b), Position::new(c, d)));
        TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let before = document("a: \u{1f600}x\r\nb: 1\r\n");
        let changes = vec![
            change(Some([0, 5, 0, 6]), "yz"),
            change(Some([1, 0, 1, 1]), "c"),
            change(Some([2, 0, 9, 9]), "d: 2\n"),
        ];
        let after = before.changed(changes, 2);
        assert_eq!(&*after.text, "a: \u{1f600}yz\r\nc: 1\r\nd: 2\n");
        assert_eq!(after.version, Some(2));
        assert_eq!(&*after.changed(vec![change(None, "whole"), change(Some([0, 9, 0, 0]), "!")], 3).text, "whole!");
    }

    #[test]
    fn languages_follow_from_file_names() {
        for (name, language) in [
            ("a.pp", Language::Manifest),
            ("a.epp", Language::Epp),
            ("a.eyaml", Language::Yaml),
            ("a.nomad.hcl", Language::Hcl),
            ("a.erb", Language::Erb),
            ("a.conf", Language::Hocon),
        ] {
            assert_eq!(Language::from_path(name.as_ref(), ""), language);
        }
        assert_eq!(Language::from_path("Untitled-1".as_ref(), "puppet"), Language::Manifest);
    }
}
