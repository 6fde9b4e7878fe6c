//! Calls of EPP templates: the parameters of the template, and those that the call passes.

use std::path::PathBuf;

use hieratic_lint::View;
use hieratic_puppet_syntax::TokenKind;

use super::define::module_file;
use super::symbol_at::CodeWords;
use crate::outline::{Parameter, template_parameters};
use crate::snapshot::Snapshot;

/// The template whose parameters the hash around a word passes: `epp('m/a.epp', { name => 1 })`.
pub(crate) struct CalledTemplate {
    /// The file of the template.
    pub(crate) file: PathBuf,
    /// The parameters that it declares.
    pub(crate) parameters: Vec<Parameter>,
    /// The brace that opens the hash.
    pub(crate) open: usize,
}

impl CalledTemplate {
    /// Returns the template of the call around a word.
    pub(crate) fn around(
        snapshot: &Snapshot,
        view: Option<&View>,
        words: &CodeWords<'_>,
        index: usize,
    ) -> Option<CalledTemplate> {
        let open = words.open_around(index).filter(|open| words.text(*open) == "{")?;
        let (function, parenthesis, commas) = words.call_around(open)?;
        let name = parenthesis + 1;
        if function != "epp" || commas != 1 || words.kind(name) != Some(TokenKind::String) {
            return None;
        }
        let file = module_file(view?, "templates", words.unquoted(name))?;
        let parameters = template_parameters(snapshot.document(&file)?.program()?);
        Some(CalledTemplate { file, parameters, open })
    }

    /// Returns the parameter that a word before an arrow names.
    pub(crate) fn named(&self, words: &CodeWords<'_>, index: usize) -> Option<&Parameter> {
        let name = words.unquoted(index);
        self.parameters.iter().find(|one| words.text(index + 1) == "=>" && one.name == name)
    }
}
