//! `Puppetfile`: the modules of a control repository.

use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::Span;
use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat, Url};

use super::modules::{describe, installed, short_name};
use super::{documented, forge_page, item};
use crate::data::complete::replace;
use crate::document::Document;
use crate::snapshot::Snapshot;

/// The keywords, with a snippet for each, and their documentation.
const KEYWORDS: [(&str, &str, &str); 5] = [
    ("mod", "mod '${1:author/name}', '${2:version}'", "A module of the Forge, with its version."),
    ("mod from git", "mod '${1:name}',\n  git: '${2:https://}',\n  ref: '${3:main}'", "A module of a git repository."),
    ("mod from a folder", "mod '${1:name}', local: true", "A module that is in the repository already, and is kept."),
    ("forge", "forge '${1:https://forgeapi.puppet.com}'", "The Forge from which modules are installed."),
    ("moduledir", "moduledir '${1:modules}'", "The folder into which modules are installed."),
];

/// The options of a module, and their documentation.
const OPTIONS: [(&str, &str); 14] = [
    ("git", "The address of the git repository."),
    ("ref", "A branch, a tag or a commit."),
    ("branch", "The branch. `:control_branch` stands for the branch of the control repository."),
    ("tag", "The tag."),
    ("commit", "The commit. It is never looked up again."),
    ("default_branch", "The branch if the one that `branch` names does not exist."),
    ("install_path", "The folder into which the module is installed, relative to the `Puppetfile`."),
    ("exclude_spec", "Whether the tests of the module are removed."),
    ("local", "Whether the module is in the repository already, and is kept."),
    ("type", "The kind of the source: `forge`, `git`, `svn`, `local` or `tarball`."),
    ("source", "The address of the source, whatever its kind is."),
    ("version", "The version, whatever the kind of the source is."),
    ("svn", "The address of the Subversion repository."),
    ("revision", "The revision of the Subversion repository."),
];

/// A string in a line, without its quotes.
struct QuotedWord<'d> {
    text: &'d str,
    span: Span,
}

/// The strings of a line.
fn strings(document: &Document, line: std::ops::Range<usize>) -> Vec<QuotedWord<'_>> {
    let text = document.slice(line.clone());
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, letter) in text.char_indices() {
        match (open, letter) {
            (Some((start, quote)), _) if letter == quote => {
                let span = Span::new(line.start + start + 1, line.start + at);
                found.push(QuotedWord { text: document.slice(span), span });
                open = None;
            }
            (None, '\'' | '"') => open = Some((at, letter)),
            (None, '#') => break,
            _ => {}
        }
    }
    found
}

/// The name of the module that a line declares.
fn module_name(document: &Document, line: std::ops::Range<usize>) -> Option<QuotedWord<'_>> {
    let words = document.slice(line.clone()).trim_start();
    let is_declaration = words.strip_prefix("mod").is_some_and(|rest| rest.starts_with([' ', '(', '\'', '"']));
    is_declaration.then(|| strings(document, line).into_iter().next())?
}

/// The module whose declaration an offset is in: that of its line, or of the lines above that end with a comma.
fn module_around(document: &Document, offset: usize) -> Option<QuotedWord<'_>> {
    let mut line = document.lines.line_of(offset);
    loop {
        let range = document.lines.line(&document.text, line);
        if let Some(name) = module_name(document, range) {
            return Some(name);
        }
        line = line.checked_sub(1)?;
        let above = document.line(line).trim_end();
        if !above.ends_with(',') && !above.trim_start().starts_with('#') {
            return None;
        }
    }
}

/// The hover at an offset: the installed module, or the meaning of an option.
pub(super) fn hover(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<(String, Span)> {
    let line = document.lines.line(&document.text, document.lines.line_of(offset));
    if let Some(name) = module_name(document, line.clone()).filter(|name| name.span.touches(offset)) {
        let modules = installed(snapshot, document);
        return Some((describe(name.text, modules.get(short_name(name.text))), name.span));
    }
    let text = document.slice(line.clone());
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let at = offset - line.start;
    let start = text[..at].rfind(|c| !is_part(c)).map_or(0, |before| before + 1);
    let end = text[at..].find(|c| !is_part(c)).map_or(text.len(), |after| at + after);
    let word = text.get(start..end)?;
    let span = Span::new(line.start + start, line.start + end);
    if let Some((_, _, docs)) = KEYWORDS.iter().find(|(known, ..)| *known == word) {
        return Some((format!("**{word}**\n\n{docs}"), span));
    }
    let is_option = text[..start].ends_with(':') || text[end..].starts_with(':');
    let docs = documented(&OPTIONS, word).filter(|_| is_option)?;
    Some((format!("**{word}**\n\n{docs}"), span))
}

/// The completions at an offset.
pub(super) fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> Vec<CompletionItem> {
    let before = document.before(offset);
    let front = before.trim_start();
    if front.starts_with('#') {
        return Vec::new();
    }
    let quote = open_quote(before);
    if let Some(quote) = quote {
        return in_string(snapshot, document, offset, &before[quote + 1..], &before[..quote]);
    }
    let above = document.lines.line_of(offset).checked_sub(1).map_or("", |line| document.line(line)).trim_end();
    if above.ends_with(',') || front.contains(',') {
        return options(document, offset, before);
    }
    let snippets = snapshot.capabilities.snippets;
    let fits = KEYWORDS.iter().filter(|(name, ..)| name.starts_with(front));
    let items = fits.filter(|(name, ..)| snippets || !name.contains(' ')).map(|(name, snippet, docs)| {
        let mut item = CompletionItem {
            insert_text: Some(if snippets { (*snippet).to_owned() } else { format!("{name} '") }),
            insert_text_format: snippets.then_some(InsertTextFormat::SNIPPET),
            ..item(name, CompletionItemKind::KEYWORD, docs)
        };
        replace(document, offset, front, &mut item);
        item
    });
    items.collect()
}

/// The offset of the quote that is open at the end of a part of a line.
fn open_quote(line: &str) -> Option<usize> {
    let mut open: Option<(usize, char)> = None;
    for (at, letter) in line.char_indices() {
        match (open, letter) {
            (Some((_, quote)), _) if letter == quote => open = None,
            (None, '\'' | '"') => open = Some((at, letter)),
            (None, '#') => return None,
            _ => {}
        }
    }
    open.map(|(at, _)| at)
}

/// The options that a module does not have yet, in the form that the file uses.
fn options(document: &Document, offset: usize, before: &str) -> Vec<CompletionItem> {
    let length = before.chars().rev().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
    let typed = &before[before.len() - length.map(char::len_utf8).sum::<usize>()..];
    let is_rocket = typed.starts_with(':')
        || (!typed.is_empty() || document.text.contains("=>")) && !document.text.contains("git:");
    let missing = OPTIONS.iter().filter(|(name, _)| name.starts_with(typed.trim_start_matches(':')));
    let items = missing.map(|(name, docs)| {
        let written = if is_rocket { format!(":{name} => ") } else { format!("{name}: ") };
        let mut item = CompletionItem { insert_text: Some(written), ..item(name, CompletionItemKind::PROPERTY, docs) };
        item.filter_text = Some(if typed.starts_with(':') { format!(":{name}") } else { (*name).to_owned() });
        replace(document, offset, typed, &mut item);
        item
    });
    items.collect()
}

/// Names of modules that others depend on, and versions of installed modules.
fn in_string(snapshot: &Snapshot, document: &Document, offset: usize, typed: &str, front: &str) -> Vec<CompletionItem> {
    let modules = installed(snapshot, document);
    let words = front.trim();
    let mut found: Vec<CompletionItem> = Vec::new();
    let listed: Vec<&str> = (0..document.lines.count())
        .filter_map(|line| module_name(document, document.lines.line(&document.text, line)))
        .filter(|name| !name.span.touches(offset))
        .map(|name| short_name(name.text))
        .collect();
    if matches!(words, "mod" | "mod(") {
        let own = modules.values().filter_map(|module| module.full_name.clone());
        let needed = modules.values().flat_map(|module| module.dependencies.iter().cloned());
        let mut names: Vec<String> = own.chain(needed).map(|name| name.replacen('-', "/", 1)).collect();
        names.sort_erased();
        names.dedup();
        names.retain(|name| name.starts_with(typed) && !listed.contains(&short_name(name)));
        found.extend(names.iter().map(|name| item(name, CompletionItemKind::MODULE, "Installed, or a dependency.")));
    } else if words.ends_with("moduledir") {
        found.push(item("modules", CompletionItemKind::FOLDER, ""));
    } else if words.ends_with("forge") {
        found.push(item("https://forgeapi.puppet.com", CompletionItemKind::VALUE, ""));
    } else if words.starts_with("mod")
        && words.ends_with(',')
        && let Some(module) = module_around(document, offset)
        && let Some(version) = modules.get(short_name(module.text)).and_then(|module| module.version.as_deref())
    {
        found.push(item(version, CompletionItemKind::VALUE, "The installed version."));
    }
    found.retain(|item| item.label.starts_with(typed));
    found.iter_mut().for_each(|item| replace(document, offset, typed, item));
    found
}

/// The pages of the modules on the Forge, and the addresses of repositories.
pub(super) fn links(document: &Document) -> Vec<(Span, Url)> {
    let mut found = Vec::new();
    for line in 0..document.lines.count() {
        let range = document.lines.line(&document.text, line);
        let name = module_name(document, range.clone());
        found.extend(name.and_then(|name| Some((name.span, forge_page(name.text)?))));
        let addresses = strings(document, range).into_iter().filter(|word| word.text.starts_with("https://"));
        found.extend(addresses.filter_map(|word| Some((word.span, Url::parse(word.text).ok()?))));
    }
    found
}
