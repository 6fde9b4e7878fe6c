//! Completion in Puppet code.

mod attributes;
mod context;
mod methods;
mod names;
mod snippets;
mod strings;
mod variables;

use hieratic_puppet_syntax::TokenKind;
use lsp_types::{CompletionItem, CompletionItemKind};

use self::context::{CompletionContext, Completions, item, typed};
use super::symbol_at::CodeWords;
use super::template_calls::CalledTemplate;
use crate::data::complete::replace;
use crate::document::{Document, Language};
use crate::snapshot::Snapshot;

/// Returns the completions at an offset, and whether there are more.
pub(crate) fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> (Vec<CompletionItem>, bool) {
    if is_in_comment(document, offset) {
        return (Vec::new(), false);
    }
    let Some(before) = code_before(document, offset) else { return (Vec::new(), false) };
    let (outline, words) = (snapshot.outline_of(&document.path), CodeWords::new(document));
    let mut context = CompletionContext {
        snapshot,
        document,
        offset,
        before,
        typed: typed(before),
        view: snapshot.view_of(&document.path),
        outline: &outline,
        words: &words,
    };
    let mut found = Completions::default();
    // Facts are named in strings as well as outside of them.
    if let Some((path, last)) = fact_path(before) {
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        for (name, docs) in crate::facts::below(snapshot, &keys) {
            found.add(item(&name, CompletionItemKind::VARIABLE, &docs));
        }
        context.typed = last.to_owned();
    } else if let Some(string) = strings::OpenString::at(before) {
        context.typed = strings::complete(&context, &string, &mut found);
    } else {
        complete_code(&context, &mut found);
    }
    let (mut items, more) = found.into_limited();
    for item in &mut items {
        replace(document, offset, &context.typed, item);
    }
    (items, more)
}

/// The code of the line of an offset, up to the offset; `None` in the text of a template.
fn code_before(document: &Document, offset: usize) -> Option<&str> {
    let line = document.before(offset);
    if document.language != Language::Epp {
        return Some(line);
    }
    match line.rsplit_once("<%") {
        Some((_, code)) if code.contains("%>") => None,
        Some((_, code)) => Some(code),
        // The tag began on a line before.
        None if line.contains("%>") => None,
        None => Some(line),
    }
}

fn is_in_comment(document: &Document, offset: usize) -> bool {
    document
        .tokens()
        .iter()
        .any(|token| token.kind == TokenKind::Comment && token.span.first() < offset && offset <= token.span.behind())
}

/// Completes outside of strings.
fn complete_code(context: &CompletionContext<'_>, found: &mut Completions) {
    let CompletionContext { typed, words, .. } = context;
    if let Some(name) = typed.strip_prefix('$') {
        variables::complete(context, name, "$", found);
        return;
    }
    let index = words.first_behind(context.offset - typed.len());
    let word_before = index.checked_sub(1).map_or("", |index| words.text(index));
    if matches!(word_before, "include" | "contain" | "require" | "inherits")
        || word_before == "," && is_after_include(words, index)
    {
        names::classes(context, typed, found);
        return;
    }
    if matches!(word_before, "{" | ":" | "," | ";" | "")
        && let Some((of, title, open)) = words.resource_around(index)
        && has_title(words, open, index)
    {
        attributes::names(context, &attributes::ResourceBody { of, title, open, index }, found);
        return;
    }
    if matches!(word_before, "{" | ",")
        && let Some(called) = CalledTemplate::around(context.snapshot, context.view, words, index)
    {
        attributes::template_parameters(context, &called, index, found);
        return;
    }
    if matches!(word_before, "->" | "~>" | "<-" | "<~") || word_before == "(" && before(words, index, 2) == "realize" {
        attributes::own_references(context).into_iter().filter(|one| one.label.starts_with(typed)).for_each(
            |mut one| {
                // Before all types.
                one.sort_text = Some(format!("0{}", one.label));
                found.add(one);
            },
        );
        names::types(context, typed, found);
        return;
    }
    // The title of a reference, without a quote yet.
    if word_before == "[" && typed.is_empty() && names::is_type_name(before(words, index, 2)) {
        strings::quoted_titles(context, before(words, index, 2), found);
    }
    if word_before == ">>" || is_type_of_parameter(words, index) && typed.is_empty() {
        names::types(context, typed, found);
        return;
    }
    if word_before == "." {
        methods::complete(context, typed, found);
        return;
    }
    if matches!(word_before, "=>" | "+>") {
        attributes::values(context, index, typed, false, found);
        // A word that begins a listed value is one.
        if !typed.is_empty() && !found.items.is_empty() {
            return;
        }
    }
    if names::is_type_name(typed) {
        names::types(context, typed, found);
        return;
    }
    if typed.is_empty() && !matches!(word_before, "{" | "}" | "(" | "=" | "=>" | "") {
        return;
    }
    names::functions(context, typed, found);
    if matches!(word_before, "" | "{" | "}" | ")" | ";") || starts_line(context.before, typed) {
        names::resource_types(context, typed, found);
        names::keywords(typed, found);
        snippets::complete(context, found);
    }
}

/// A word before another one.
fn before<'w>(words: &CodeWords<'w>, index: usize, distance: usize) -> &'w str {
    index.checked_sub(distance).map_or("", |index| words.text(index))
}

/// Returns whether the type of a parameter of a definition belongs in front of a word.
fn is_type_of_parameter(words: &CodeWords<'_>, index: usize) -> bool {
    let is_definition = |open: usize| {
        words.text(open) == "(" && matches!(before(words, open, 2), "class" | "define" | "function" | "plan")
    };
    matches!(before(words, index, 1), "(" | ",") && words.open_around(index).is_some_and(is_definition)
}

fn starts_line(before: &str, typed: &str) -> bool {
    before.len() >= typed.len() && before[..before.len() - typed.len()].trim().is_empty()
}

/// The path to the fact that is typed, and the part of its name before the cursor: `$facts['os']['na` is `facts`, `os`,
/// and `na`.
fn fact_path(before: &str) -> Option<(Vec<String>, &str)> {
    let roots = ["$facts[", "$trusted[", "${facts[", "${trusted[", "$::facts[", "$::trusted["];
    let Some((start, length)) = roots.iter().filter_map(|root| Some((before.rfind(root)?, root.len()))).max() else {
        return dotted_fact_path(before);
    };
    let name = before[start..start + length - 1].trim_start_matches(['$', '{', ':']);
    let mut parts: Vec<&str> = before[start + length..].split("][").collect();
    let last = parts.pop()?.strip_prefix(['\'', '"'])?;
    if last.contains(['\'', '"', ']']) {
        return None;
    }
    let path = std::iter::once(name).chain(parts.into_iter().map(|part| part.trim_matches(['\'', '"'])));
    Some((path.map(str::to_owned).collect(), last))
}

/// The path in the string of a function that reads facts: `getvar('facts.os.na`, `$facts.get('os.na`, `fact('os.na`, and
/// `$facts.dig('os', 'na`.
fn dotted_fact_path(before: &str) -> Option<(Vec<String>, &str)> {
    const FUNCTIONS: [(&str, &str); 4] =
        [("$facts.get(", ""), ("getvar(", "facts."), ("fact(", ""), ("$facts.dig(", "")];
    let (name, root, start) = FUNCTIONS
        .iter()
        .filter_map(|(name, root)| Some((*name, *root, before.rfind(name)?)))
        .max_by_key(|found| found.2)?;
    if before[..start].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':')) {
        return None;
    }
    let mut arguments: Vec<&str> = before[start + name.len()..].split(',').map(str::trim).collect();
    let inside = arguments.pop()?.strip_prefix(['\'', '"'])?.strip_prefix(root)?;
    if inside.contains(['\'', '"']) {
        return None;
    }
    let mut path = vec!["facts".to_owned()];
    if name == "$facts.dig(" {
        for argument in arguments {
            path.push(argument.strip_prefix(['\'', '"'])?.strip_suffix(['\'', '"'])?.to_owned());
        }
        return Some((path, inside));
    }
    let mut parts: Vec<&str> = inside.split('.').collect();
    let last = parts.pop()?;
    path.extend(parts.into_iter().map(str::to_owned));
    arguments.is_empty().then_some((path, last))
}

fn is_after_include(words: &CodeWords<'_>, index: usize) -> bool {
    let mut at = index;
    while let Some(before) = at.checked_sub(1) {
        match words.text(before) {
            "include" | "contain" | "require" => return true,
            "," => {}
            _ if words.text(at) == "," => {}
            _ => return false,
        }
        at = before;
    }
    false
}

/// Returns whether a title is between the brace of a resource and a word. Attributes follow in that case.
fn has_title(words: &CodeWords<'_>, open: usize, index: usize) -> bool {
    let before = open.checked_sub(1).map_or("", |index| words.text(index));
    // Defaults and overrides have no title.
    if before == "]" || before.ends_with('>') || before.starts_with(|c: char| c.is_ascii_uppercase()) {
        return true;
    }
    (open + 1..index).any(|at| words.text(at) == ":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_named_by_their_path() {
        let path = |text: &str| fact_path(text).map(|(path, last)| format!("{} {last}", path.join(".")));
        assert_eq!(path("$facts['os']['na"), Some("facts.os na".to_owned()));
        assert_eq!(path("\"${facts['os'][\""), Some("facts.os ".to_owned()));
        assert_eq!(path("if $trusted[\""), Some("trusted ".to_owned()));
        assert_eq!(path("$facts['os']['na']"), None);
        assert_eq!(path("$facts['os'] == 'a"), None);
        assert_eq!(path("$factsx['"), None);
        assert_eq!(path("$::facts['os']['na"), Some("facts.os na".to_owned()));
        assert_eq!(path("$facts.dig('os', 'na"), Some("facts.os na".to_owned()));
        assert_eq!(path("getvar('facts.os.na"), Some("facts.os na".to_owned()));
        assert_eq!(path("$facts.get('os.na"), Some("facts.os na".to_owned()));
        assert_eq!(path("fact('"), Some("facts ".to_owned()));
        assert_eq!(path("artifact('os"), None);
        assert_eq!(path("getvar('a.b"), None);
    }
}
