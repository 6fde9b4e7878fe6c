//! [`CompletionContext`]: the position of a completion. [`Completions`]: the proposals.

use std::collections::BTreeMap;

use hieratic::value::ErasedSort as _;
use hieratic_lint::View;
use lsp_types::{CompletionItem, CompletionItemKind};

use crate::code::symbol_at::CodeWords;
use crate::data::complete::MAX_COMPLETIONS;
use crate::document::Document;
use crate::outline::{Definition, DefinitionKind, Outline};
use crate::snapshot::Snapshot;

/// The place that is completed.
pub(super) struct CompletionContext<'c> {
    pub(super) snapshot: &'c Snapshot,
    pub(super) document: &'c Document,
    pub(super) offset: usize,
    /// The line up to the cursor.
    pub(super) before: &'c str,
    /// The word that ends at the cursor.
    pub(super) typed: String,
    pub(super) view: Option<&'c View>,
    pub(super) outline: &'c Outline,
    pub(super) words: &'c CodeWords<'c>,
}

/// The completions, each label once.
#[derive(Default)]
pub(super) struct Completions {
    pub(super) items: BTreeMap<String, CompletionItem>,
}

impl Completions {
    /// Adds a completion. The first one of a label counts.
    pub(super) fn add(&mut self, item: CompletionItem) {
        self.items.entry(item.label.clone()).or_insert(item);
    }

    /// The first completions, and whether there are more.
    pub(super) fn into_limited(self) -> (Vec<CompletionItem>, bool) {
        let mut items: Vec<CompletionItem> = self.items.into_values().collect();
        // Those that are to come first must not be cut.
        items.sort_erased_by(|one, other| sort_key(one).cmp(sort_key(other)));
        let more = items.len() > MAX_COMPLETIONS;
        items.truncate(MAX_COMPLETIONS);
        (items, more)
    }
}

/// The string by which editors sort a completion.
fn sort_key(item: &CompletionItem) -> &str {
    item.sort_text.as_deref().unwrap_or(&item.label)
}

pub(super) fn item(label: &str, kind: CompletionItemKind, detail: &str) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail: Some(detail.to_owned()),
        ..CompletionItem::default()
    }
}

pub(super) fn definition(one: &Definition) -> CompletionItem {
    let kind = match one.kind {
        DefinitionKind::Class => CompletionItemKind::CLASS,
        DefinitionKind::Define => CompletionItemKind::STRUCT,
        DefinitionKind::Function | DefinitionKind::Plan => CompletionItemKind::FUNCTION,
        DefinitionKind::TypeAlias => CompletionItemKind::INTERFACE,
    };
    let docs = one.documentation().text;
    let first = docs.lines().next().unwrap_or_default().to_owned();
    CompletionItem {
        documentation: (!first.is_empty()).then_some(lsp_types::Documentation::String(first)),
        ..item(&one.name, kind, one.kind.word())
    }
}

/// Returns the word that ends at the cursor.
pub(super) fn typed(before: &str) -> String {
    let length =
        before.chars().rev().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '$')).map(char::len_utf8);
    let word = &before[before.len() - length.sum::<usize>()..];
    // `title:` and `a ? b : c` end before their colon.
    let word = if word.ends_with(':') && !word.ends_with("::") { "" } else { word };
    let word = word.rfind('$').map_or(word, |at| &word[at..]);
    word.to_owned()
}
