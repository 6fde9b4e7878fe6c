//! Jinja2 templates: filters, tests and functions, and the names that a template defines.

use hieratic_diagnostics::Span;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use hieratic::jinja::{Builtin, BuiltinKind, builtins};
use lsp_types::{CompletionItem, CompletionItemKind, Location};

use super::jinja_docs as docs;
use super::lexer::{Tag, TagKind, WordKind};
use crate::document::Document;
use crate::snapshot::Snapshot;

/// The maximum nesting depth of statements.
const MAX_DEPTH: usize = 100;

/// A name that a template gives to something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameBinding {
    pub(crate) name: String,
    /// The span of the name.
    pub(crate) at: Span,
    /// The start of the tag that binds the name.
    pub(crate) tag: usize,
    /// Whether the name is bound in the whole rest of the template.
    pub(crate) is_global: bool,
    /// The tag, as written.
    pub(crate) source: String,
}

/// All filters, tests, functions and lookups whose names can be typed, by name.
struct Builtins {
    filters: BTreeMap<&'static str, Builtin>,
    tests: BTreeMap<&'static str, Builtin>,
    functions: BTreeMap<&'static str, Builtin>,
    lookups: BTreeMap<&'static str, Builtin>,
}

static BUILTINS: LazyLock<Builtins> = LazyLock::new(|| Builtins {
    filters: by_name(BuiltinKind::Filter),
    tests: by_name(BuiltinKind::Test),
    functions: by_name(BuiltinKind::Function),
    lookups: by_name(BuiltinKind::Lookup),
});

fn by_name(kind: BuiltinKind) -> BTreeMap<&'static str, Builtin> {
    let names = builtins(kind).into_iter().filter(|builtin| !builtin.name.starts_with(['=', '!', '<', '>']));
    names.map(|builtin| (builtin.name, builtin)).collect()
}

/// The built-in name, which Ansible also finds after `ansible.builtin.`.
fn find_builtin<'b>(table: &'b BTreeMap<&str, Builtin>, name: &str) -> Option<&'b Builtin> {
    table.get(name.strip_prefix("ansible.builtin.").unwrap_or(name))
}

fn describe_builtin(builtin: &Builtin) -> String {
    format!("```jinja\n{}\n```\n\n{}", builtin.signature(), builtin.documentation)
}

/// Returns whether a string is the name of a lookup: the first argument of `lookup`, `query` or `q`.
fn is_lookup_name(tag: &Tag, text: &str, index: usize) -> bool {
    tag.before(text, index) == "(" && index >= 2 && matches!(tag.text(text, index - 2), "lookup" | "query" | "q")
}

/// The names that a template gives to values, macros and blocks.
pub(crate) fn defined(document: &Document) -> Vec<NameBinding> {
    let text = &*document.text;
    let mut found = Vec::new();
    for tag in document.template().tags.iter().filter(|tag| tag.kind == TagKind::Statement) {
        let mut add = |index: usize, is_global: bool| {
            let Some(word) = tag.words.get(index).filter(|word| word.kind == WordKind::Name) else { return };
            found.push(NameBinding {
                name: tag.text(text, index).to_owned(),
                at: word.span(),
                tag: tag.span.first(),
                is_global,
                source: text.get(tag.span.range()).unwrap_or_default().to_owned(),
            });
        };
        let until =
            |end: &str| (1..tag.words.len()).take_while(|index| tag.text(text, *index) != end).collect::<Vec<_>>();
        match tag.text(text, 0) {
            "set" => until("=")
                .into_iter()
                .filter(|index| tag.before(text, *index) != ".")
                .for_each(|index| add(index, true)),
            "for" => until("in").into_iter().for_each(|index| add(index, false)),
            "block" => add(1, true),
            "macro" => {
                add(1, true);
                parameters(tag, text, 2).into_iter().for_each(|index| add(index, false));
            }
            "call" if tag.text(text, 1) == "(" => {
                parameters(tag, text, 1).into_iter().for_each(|index| add(index, false));
            }
            "with" => (1..tag.words.len())
                .filter(|index| tag.text(text, index + 1) == "=")
                .for_each(|index| add(index, false)),
            "import" | "from" => {
                let names = tag.words.len();
                for index in 1..names {
                    let before = tag.before(text, index);
                    let is_name =
                        before == "as" || (matches!(before, "import" | ",") && tag.text(text, index + 1) != "as");
                    if is_name {
                        add(index, true);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The parameters in the parenthesis that a word is: names that follow it or a comma.
fn parameters(tag: &Tag, text: &str, open: usize) -> Vec<usize> {
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for index in open..tag.words.len() {
        match tag.text(text, index) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ if depth == 1 && matches!(tag.before(text, index), "(" | ",") => found.push(index),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// The meaning of a name.
enum NameKind {
    Filter,
    Test,
    Function,
    Statement,
    /// A member of `loop`.
    Loop,
    Name,
}

fn name_kind(tag: &Tag, text: &str, index: usize) -> NameKind {
    let before = tag.before(text, index);
    let further = index.checked_sub(1).map_or("", |index| tag.before(text, index));
    match before {
        "" if tag.kind == TagKind::Statement => NameKind::Statement,
        "|" => NameKind::Filter,
        "filter" if index == 1 => NameKind::Filter,
        "is" => NameKind::Test,
        "not" if further == "is" => NameKind::Test,
        "." if further == "loop" => NameKind::Loop,
        _ if tag.text(text, index + 1) == "(" && BUILTINS.functions.contains_key(tag.text(text, index)) => {
            NameKind::Function
        }
        _ => NameKind::Name,
    }
}

/// The hover on a word of a template.
pub(crate) fn hover(document: &Document, offset: usize) -> Option<(String, Span)> {
    let text = &*document.text;
    let (tag, index) = document.template().word_at(offset)?;
    let word = tag.words.get(index)?;
    let name = tag.text(text, index);
    if word.kind == WordKind::String && is_lookup_name(tag, text, index) {
        let lookup = find_builtin(&BUILTINS.lookups, name.trim_matches(['\'', '"']))?;
        return Some((describe_builtin(lookup), word.span()));
    }
    if word.kind != WordKind::Name {
        return None;
    }
    let describe = |subject: &str, table: &'static [(&'static str, &'static str)]| {
        docs::find(table, name).map(|docs| format!("**{name}** — {subject}\n\n{docs}"))
    };
    let docs = match name_kind(tag, text, index) {
        NameKind::Filter => describe_builtin(find_builtin(&BUILTINS.filters, name)?),
        NameKind::Test => describe_builtin(find_builtin(&BUILTINS.tests, name)?),
        NameKind::Function => describe_builtin(find_builtin(&BUILTINS.functions, name)?),
        NameKind::Statement => describe("statement", docs::STATEMENTS)?,
        NameKind::Loop => describe("of the loop", docs::LOOP)?,
        NameKind::Name if tag.before(text, index) == "." => return None,
        NameKind::Name => match nearest(document, name, word.start) {
            Some(one) => format!("```jinja\n{}\n```", one.source.replace("```", "'''")),
            None if name == "loop" => describe("variable", &[("loop", "The loop around.")])?,
            None => return None,
        },
    };
    Some((docs, word.span()))
}

/// Returns the definition of a name that applies at an offset: the last one before it, or otherwise the first one.
fn nearest(document: &Document, name: &str, offset: usize) -> Option<NameBinding> {
    let mut all: Vec<NameBinding> = defined(document).into_iter().filter(|one| one.name == name).collect();
    let before = all.iter().rposition(|one| one.at.first() <= offset).unwrap_or(0);
    (before < all.len()).then(|| all.swap_remove(before))
}

/// The definition of a name, or the file that a string names.
pub(crate) fn definition(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<Vec<Location>> {
    let text = &*document.text;
    let (tag, index) = document.template().word_at(offset)?;
    let word = tag.words.get(index)?;
    if word.kind == WordKind::String {
        let path = file_of(snapshot, document, tag, index)?;
        return snapshot.location(&path, Span::default()).map(|place| vec![place]);
    }
    if word.kind != WordKind::Name || tag.before(text, index) == "." {
        return None;
    }
    let one = nearest(document, tag.text(text, index), word.start)?;
    Some(vec![Location { uri: document.uri.clone(), range: document.range(one.at) }])
}

/// Returns the file that a string in a tag names: next to the template, or in a templates folder around it.
pub(super) fn file_of(snapshot: &Snapshot, document: &Document, tag: &Tag, index: usize) -> Option<PathBuf> {
    let text = &*document.text;
    let is_statement = matches!(tag.text(text, 0), "include" | "extends" | "import" | "from");
    let is_lookup = index >= 2
        && tag.before(text, index) == ","
        && matches!(tag.text(text, index - 2).trim_matches(['\'', '"']), "file" | "template");
    if !is_statement && !is_lookup {
        return None;
    }
    let name = tag.text(text, index).trim_matches(['\'', '"']);
    if name.is_empty() || name.split('/').any(|part| part == "..") {
        return None;
    }
    let files = snapshot.files_around(&document.path)?;
    let root = snapshot.root_of(&document.path)?.folder.clone();
    let mut folder = document.path.parent();
    while let Some(at) = folder.filter(|at| at.starts_with(&root)) {
        for below in [at.join(name), at.join("templates").join(name), at.join("files").join(name)] {
            if files.is_file(&below) && below != document.path {
                return Some(below);
            }
        }
        folder = at.parent();
    }
    let absolute = Path::new(name);
    (absolute.is_absolute() && files.is_file(absolute)).then(|| absolute.to_owned())
}

/// Returns the completions at an offset.
pub(crate) fn complete(document: &Document, offset: usize) -> Vec<CompletionItem> {
    let text = &*document.text;
    let Some(tag) = document.template().tag_at(offset).filter(|tag| tag.kind != TagKind::Comment) else {
        return Vec::new();
    };
    let index = tag.words.partition_point(|word| word.end < offset);
    let is_typed = tag.words.get(index).is_some_and(|word| word.start < offset && word.kind == WordKind::Name);
    if let Some(word) = tag.words.get(index).filter(|word| word.start < offset && word.kind == WordKind::String) {
        let typed = text.get(word.start + 1..offset).unwrap_or_default();
        return if is_lookup_name(tag, text, index) { builtins_from(&BUILTINS.lookups, typed) } else { Vec::new() };
    }
    // A sign that ends here is what comes before.
    let is_sign = tag.words.get(index).is_some_and(|word| word.end == offset && !is_typed);
    let index = if is_sign { index + 1 } else { index };
    let typed = match tag.words.get(index).filter(|_| is_typed) {
        Some(word) => text.get(word.start..offset).unwrap_or_default(),
        None => "",
    };
    let builtins = match name_kind(tag, text, index) {
        NameKind::Filter => builtins_from(&BUILTINS.filters, typed),
        NameKind::Test => builtins_from(&BUILTINS.tests, typed),
        NameKind::Function | NameKind::Name if tag.before(text, index) != "." => {
            builtins_from(&BUILTINS.functions, typed)
        }
        _ => Vec::new(),
    };
    // A name that the template gives to something hides the function.
    let mut found: BTreeMap<String, CompletionItem> = BTreeMap::new();
    let mut add = |name: &str, kind, detail: &str, docs: Option<&str>| {
        if name.starts_with(typed) {
            found.entry(name.to_owned()).or_insert_with(|| CompletionItem {
                label: name.to_owned(),
                kind: Some(kind),
                detail: Some(detail.to_owned()),
                documentation: docs.map(|docs| lsp_types::Documentation::String(docs.to_owned())),
                ..CompletionItem::default()
            });
        }
    };
    match name_kind(tag, text, index) {
        NameKind::Filter => {}
        NameKind::Test => add("not", CompletionItemKind::KEYWORD, "keyword", None),
        NameKind::Loop => {
            for (name, docs) in docs::LOOP {
                add(name, CompletionItemKind::PROPERTY, "of the loop", Some(docs));
            }
        }
        NameKind::Statement => {
            for (name, docs) in docs::STATEMENTS {
                add(name, CompletionItemKind::KEYWORD, "statement", Some(docs));
            }
            for one in open_at(document, tag) {
                add(&format!("end{one}"), CompletionItemKind::KEYWORD, "end of a statement", None);
            }
        }
        NameKind::Function | NameKind::Name if tag.before(text, index) == "." => {}
        NameKind::Function | NameKind::Name => {
            for one in defined(document).iter().filter(|one| one.at.first() < offset || one.is_global) {
                add(&one.name, CompletionItemKind::VARIABLE, &one.source, None);
            }
            for name in ["and", "or", "not", "in", "is", "if", "else", "true", "false", "none"] {
                add(name, CompletionItemKind::KEYWORD, "keyword", None);
            }
            let text = document.slice(0..offset);
            if text.contains("for ") {
                add("loop", CompletionItemKind::VARIABLE, "the loop around", None);
            }
        }
    }
    for builtin in builtins {
        found.entry(builtin.label.clone()).or_insert(builtin);
    }
    found.into_values().collect()
}

/// The built-in names that begin with what is typed.
fn builtins_from(table: &BTreeMap<&str, Builtin>, typed: &str) -> Vec<CompletionItem> {
    let items = table.values().filter(|builtin| builtin.name.starts_with(typed)).map(|builtin| CompletionItem {
        label: builtin.name.to_owned(),
        kind: Some(CompletionItemKind::FUNCTION),
        detail: Some(builtin.signature()),
        documentation: Some(lsp_types::Documentation::String(builtin.documentation.to_owned())),
        ..CompletionItem::default()
    });
    items.collect()
}

/// The statements that are open before a tag, the innermost first.
fn open_at(document: &Document, tag: &Tag) -> Vec<String> {
    let text = &*document.text;
    let mut open: Vec<String> = Vec::new();
    for other in document.template().tags.iter().take_while(|other| other.span.start < tag.span.start) {
        if other.kind != TagKind::Statement {
            continue;
        }
        let word = other.text(text, 0);
        if let Some(closed) = word.strip_prefix("end") {
            if let Some(at) = open.iter().rposition(|opened| opened == closed) {
                open.truncate(at);
            }
            continue;
        }
        let is_whole = word == "set" && (1..other.words.len()).any(|index| other.text(text, index) == "=");
        if docs::has_end(word) && !is_whole && open.len() < MAX_DEPTH {
            open.push(word.to_owned());
        }
    }
    open.reverse();
    open
}

/// The words of a template that Jinja2 has a meaning for.
pub(crate) enum HighlightKind {
    Keyword,
    Function,
    Variable,
    Property,
}

/// The kind of a name, for colors.
pub(crate) fn colored(tag: &Tag, text: &str, index: usize) -> HighlightKind {
    let name = tag.text(text, index);
    match name_kind(tag, text, index) {
        NameKind::Statement => HighlightKind::Keyword,
        NameKind::Filter | NameKind::Test | NameKind::Function => HighlightKind::Function,
        NameKind::Loop => HighlightKind::Property,
        NameKind::Name if tag.before(text, index) == "." => HighlightKind::Property,
        NameKind::Name if docs::KEYWORDS.contains(&name) => HighlightKind::Keyword,
        NameKind::Name if tag.text(text, index + 1) == "(" => HighlightKind::Function,
        NameKind::Name => HighlightKind::Variable,
    }
}
