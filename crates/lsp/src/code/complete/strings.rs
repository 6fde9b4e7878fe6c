//! Completion in strings: classes, keys, files of modules, titles of resources, values, and variables.

use hieratic::sandbox::FileKind;
use hieratic_lint::View;
use hieratic_puppet_syntax::TokenKind;
use lsp_types::CompletionItemKind;

use super::context::{CompletionContext, Completions, item, typed};
use super::{attributes, names, variables};
use crate::code::symbol_at::FILE_FUNCTIONS;

/// The maximum number of files of a folder that are proposed.
const MAX_FILES: usize = 1_000;

/// The beginning of the address of a file on the server.
const FILE_SERVER: &str = "puppet:///";

/// A string that is open at the cursor, on the line of its quote.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OpenString<'l> {
    /// The line before the quote.
    before: &'l str,
    is_double: bool,
    /// The string up to the cursor.
    inside: &'l str,
}

impl<'l> OpenString<'l> {
    /// Returns the string that is open at the end of a part of a line.
    pub(super) fn at(line: &'l str) -> Option<OpenString<'l>> {
        let mut open: Option<(usize, char)> = None;
        let mut letters = line.char_indices();
        while let Some((at, letter)) = letters.next() {
            match (open, letter) {
                (Some(_), '\\') => drop(letters.next()),
                (Some((_, quote)), _) if letter == quote => open = None,
                (None, '\'' | '"') => open = Some((at, letter)),
                (None, '#') => return None,
                _ => {}
            }
        }
        let (at, quote) = open?;
        Some(OpenString { before: &line[..at], is_double: quote == '"', inside: &line[at + 1..] })
    }

    /// The name of the function whose first argument the string is.
    fn function(&self) -> Option<&'l str> {
        let before = self.before.trim_end().strip_suffix('(')?;
        before.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'))).next()
    }

    /// The type of the reference whose title the string is: `File['`.
    fn reference(&self) -> Option<String> {
        let before = self.before.trim_end();
        let before = before.strip_suffix('[').or_else(|| before.strip_suffix(','))?;
        let open = before.rfind('[').map_or(before, |open| &before[..open]);
        let name = if self.before.trim_end().ends_with('[') { before } else { open };
        let name = name.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'))).next()?;
        names::is_type_name(name).then(|| name.trim_start_matches("::").to_lowercase())
    }

    /// Returns whether the string is the title of a class that is declared, or an argument of `include`.
    fn is_class(&self) -> bool {
        let before = self.before.trim_end();
        let is_title = before.strip_suffix('{').is_some_and(|rest| rest.trim_end().ends_with("class"));
        is_title || ["include", "contain", "require"].iter().any(|name| before.ends_with(name))
    }
}

/// Completes in a string. Returns the part of it that a completion replaces.
pub(super) fn complete(context: &CompletionContext<'_>, string: &OpenString<'_>, found: &mut Completions) -> String {
    if string.is_double && complete_interpolation(context, string.inside, found) {
        return String::new();
    }
    if let Some(path) = string.inside.strip_prefix(FILE_SERVER) {
        return match path.strip_prefix("modules/") {
            Some(path) => module_files(context, "files", path, found),
            None => {
                found.add(item("modules/", CompletionItemKind::FOLDER, "files of modules"));
                path.to_owned()
            }
        };
    }
    let whole = string.inside.to_owned();
    match string.function() {
        Some("lookup" | "hiera" | "hiera_array" | "hiera_hash" | "hiera_include") => {
            keys(context, &whole, found);
            return whole;
        }
        Some("include" | "contain" | "require") => {
            names::classes(context, &whole, found);
            return whole;
        }
        Some(name) => {
            if let Some((_, folder)) = FILE_FUNCTIONS.iter().find(|(known, _)| *known == name) {
                let last = module_files(context, folder, &whole, found);
                // A template of the other kind is rendered as text.
                let other = match name {
                    "epp" => ".erb",
                    "template" => ".epp",
                    _ => return last,
                };
                found.items.retain(|label, _| !label.ends_with(other));
                return last;
            }
        }
        None => {}
    }
    match string.reference() {
        Some(class) if class == "class" => names::classes(context, &whole, found),
        Some(resource_type) => titles(context, &resource_type, &whole, found),
        None if string.is_class() => names::classes(context, &whole, found),
        None => {
            let quote = context.offset - string.inside.len() - 1;
            let index = context.words.first_behind(quote);
            if index.checked_sub(1).is_some_and(|index| matches!(context.words.text(index), "=>" | "+>")) {
                attributes::values(context, index, &whole, true, found);
                if FILE_SERVER.starts_with(&*whole) && context.words.text(index.saturating_sub(2)) == "source" {
                    found.add(item(FILE_SERVER, CompletionItemKind::FOLDER, "files of the server"));
                }
            } else if let Some(variable) = compared_variable(context, index) {
                attributes::values_of_variable(context, variable, &whole, found);
            }
        }
    }
    whole
}

/// The variable that a word is compared with: `$x == ''`, and the options of `case $x { }` and `$x ? { }`.
fn compared_variable(context: &CompletionContext<'_>, index: usize) -> Option<usize> {
    let words = context.words;
    let before = index.checked_sub(1)?;
    let subject = match words.text(before) {
        "==" | "!=" => before.checked_sub(1)?,
        "{" | "}" | "," => {
            let open = words.open_around(index).filter(|open| words.text(*open) == "{")?;
            let last = open.checked_sub(1)?;
            match words.text(last) {
                "?" => last.checked_sub(1)?,
                _ if last > 0 && words.text(last - 1) == "case" => last,
                _ => return None,
            }
        }
        _ => return None,
    };
    (words.kind(subject) == Some(TokenKind::Variable)).then_some(subject)
}

/// Completes the variable of an interpolation. Returns whether the cursor is in one.
fn complete_interpolation(context: &CompletionContext<'_>, inside: &str, found: &mut Completions) -> bool {
    if let Some(open) = inside.rfind("${")
        && !inside[open..].contains('}')
    {
        let word = &inside[open + 2..];
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        if word.chars().all(is_name) {
            variables::complete(context, word, "", found);
        } else if let Some(name) = typed(inside).strip_prefix('$') {
            variables::complete(context, name, "$", found);
        }
        return true;
    }
    match typed(inside).strip_prefix('$') {
        Some(name) => {
            variables::complete(context, name, "$", found);
            true
        }
        None => false,
    }
}

fn keys(context: &CompletionContext<'_>, typed: &str, found: &mut Completions) {
    let files = context.view.map(View::files).unwrap_or_default();
    for (key, _) in files.iter().flat_map(|file| file.entries()).filter(|(key, _)| key.starts_with(typed)) {
        found.add(item(key, CompletionItemKind::PROPERTY, "key of data"));
    }
}

/// Proposes the titles of the resources that the manifests of the folder declare.
fn titles(context: &CompletionContext<'_>, resource_type: &str, typed: &str, found: &mut Completions) {
    let own = context.document.program().map(crate::outline::resource_titles).unwrap_or_default();
    let own = own.iter().filter(|one| one.resource_type == resource_type).map(|one| one.title.as_str());
    for title in own.chain(context.outline.titles(resource_type)).filter(|title| title.starts_with(typed)) {
        found.add(item(title, CompletionItemKind::REFERENCE, &format!("declared {resource_type}")));
    }
}

/// Proposes the titles of the resources of a type in quotes: `File[`.
pub(super) fn quoted_titles(context: &CompletionContext<'_>, name: &str, found: &mut Completions) {
    let mut all = Completions::default();
    match name.trim_start_matches("::").to_lowercase() {
        class if class == "class" => names::classes(context, "", &mut all),
        resource_type => titles(context, &resource_type, "", &mut all),
    }
    for (title, mut one) in all.items {
        let text = format!("'{}'", title.replace('\\', "\\\\").replace('\'', "\\'"));
        one.insert_text = Some(text.clone());
        one.filter_text = Some(text);
        one.sort_text = Some(format!("0{title}"));
        found.add(one);
    }
}

/// Proposes modules, then the files and folders of one. Returns the part of the path after its last slash.
fn module_files(context: &CompletionContext<'_>, folder: &str, path: &str, found: &mut Completions) -> String {
    let last = path.rsplit('/').next().unwrap_or_default();
    let Some(view) = context.view else { return last.to_owned() };
    let environment = view.environment();
    let modules = &environment.layers().modules;
    let files = &environment.capabilities().code;
    let Some((module, below)) = path.split_once('/') else {
        for (name, module) in modules.iter().filter(|(name, _)| name.starts_with(path)) {
            if files.is_folder(&module.root.join(folder)) {
                found.add(item(&format!("{name}/"), CompletionItemKind::MODULE, &format!("{folder} of the module")));
            }
        }
        return last.to_owned();
    };
    let Some(module) = modules.get(module) else { return last.to_owned() };
    let parent = below.rsplit_once('/').map_or("", |(parent, _)| parent);
    if parent.split('/').any(|part| part == "..") {
        return last.to_owned();
    }
    // A folder that cannot be listed has nothing to propose.
    for entry in files.list(&module.root.join(folder).join(parent)).unwrap_or_default().iter().take(MAX_FILES) {
        let name = &entry.name;
        match entry.kind {
            FileKind::File if name.starts_with(last) => {
                found.add(item(name, CompletionItemKind::FILE, &format!("file of {}", module.root.display())));
            }
            FileKind::Folder if name.starts_with(last) => {
                found.add(item(&format!("{name}/"), CompletionItemKind::FOLDER, "folder"));
            }
            _ => {}
        }
    }
    last.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_open_from_quote_to_quote() {
        let inside = |line| OpenString::at(line).map(|string| string.inside);
        assert_eq!(inside("a => 'b"), Some("b"));
        assert_eq!(inside("a => 'b', \"c'd"), Some("c'd"));
        assert_eq!(inside(r"a => 'it\'s"), Some(r"it\'s"));
        assert_eq!(inside("a => 'b'"), None);
        assert_eq!(inside("a # it's"), None);
        assert_eq!(inside("'\u{e9}\\"), Some("\u{e9}\\"));
    }

    #[test]
    fn the_code_before_a_string_decides_its_kind() {
        let string = |line| OpenString::at(line).unwrap();
        assert_eq!(string("$a = epp('").function(), Some("epp"));
        assert_eq!(string("\u{e9}epp( '").function(), Some("\u{e9}epp"));
        assert_eq!(string("a => '").function(), None);
        assert_eq!(string("require => File['").reference(), Some("file".to_owned()));
        assert_eq!(string("require => My::Site['a', '").reference(), Some("my::site".to_owned()));
        assert_eq!(string("$x['").reference(), None);
        assert!(string("class { '").is_class());
        assert!(!string("file { '").is_class());
    }
}
