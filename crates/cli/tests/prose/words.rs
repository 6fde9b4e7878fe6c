//! Phrases that our documents do not use: `docs/style.md` lists them, with what to write instead.

use std::path::Path;

use crate::pages::{self, Page};

pub struct Entry {
    pub phrase: String,
    pub instead: String,
}

/// The table under the heading "Word list".
pub fn list() -> Vec<Entry> {
    let style = std::fs::read_to_string(pages::root().join("docs/style.md")).unwrap();
    let (_, table) = style.split_once("\n## Word list\n").unwrap();
    let mut entries = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let mut cells = row.trim_matches('|').split(" | ");
        let (phrases, instead) = (cells.next().unwrap(), cells.next().unwrap().trim());
        let phrases = phrases.split('`').skip(1).step_by(2);
        entries.extend(phrases.map(|phrase| Entry { phrase: phrase.to_owned(), instead: instead.to_owned() }));
    }
    entries
}

impl Entry {
    /// Where the phrase stands in a paragraph, as bytes.
    pub fn find(&self, paragraph: &str, folded: &str) -> Option<usize> {
        let sentence = self.phrase.starts_with(char::is_uppercase);
        let (text, phrase) =
            if sentence { (paragraph, self.phrase.clone()) } else { (folded, self.phrase.to_lowercase()) };
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        text.match_indices(&phrase).map(|(at, _)| at).find(|&at| {
            let (before, after) = (&text[..at], &text[at + phrase.len()..]);
            let whole = !before.ends_with(is_word) && !after.starts_with(is_word);
            let first = before.trim_end_matches([' ', '*', '(']);
            let starts = first.is_empty() || first.ends_with(['.', ':', '?', '!', '|', '-']);
            // A question may begin with "Who" or "What".
            let asks = after.find(['.', '?', '!', '|']).is_some_and(|end| after[end..].starts_with('?'));
            whole && (!sentence || starts && !asks)
        })
    }
}

/// Paragraphs as single lines, with the number of the first line: a phrase may go over the end of a line.
fn paragraphs(page: &Page) -> Vec<(usize, String)> {
    let mut paragraphs: Vec<(usize, String)> = Vec::new();
    let mut last = 0;
    for (number, line) in page.lines() {
        let line = line.trim();
        let begins = line.is_empty() || line.starts_with(['|', '#', '-', '*', '>']) || number != last + 1;
        match paragraphs.last_mut() {
            Some((_, text)) if !begins => {
                text.push(' ');
                text.push_str(line);
            }
            _ if line.starts_with('#') => paragraphs.push((number, String::new())),
            _ => paragraphs.push((number, line.to_owned())),
        }
        last = number;
    }
    paragraphs.into_iter().map(|(number, text)| (number, pages::without_code(&text))).collect()
}

/// What a text says that it should not, each with its place.
fn faults(list: &[Entry], page: &Page) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, paragraph) in paragraphs(page) {
        let folded = paragraph.to_lowercase();
        for entry in list {
            if entry.find(&paragraph, &folded).is_some() {
                let (phrase, instead) = (&entry.phrase, &entry.instead);
                faults.push(format!("{}:{number}: \"{phrase}\": write: {instead}", page.path.display()));
            }
        }
    }
    faults
}

/// The pages that are held to the rules.
fn checked() -> Vec<Page> {
    let mut pages = pages::at_the_root();
    for folder in ["docs", "examples", "fuzz"] {
        pages.extend(pages::below(Path::new(folder)));
    }
    pages.retain(|page| page.path != Path::new("docs/style.md"));
    pages
}

#[test]
fn documents_use_the_words_of_the_field() {
    let list = list();
    assert!(list.len() > 60, "{} phrases", list.len());
    let pages = checked();
    let faults: Vec<String> = pages.iter().flat_map(|page| faults(&list, page)).collect();
    assert!(faults.is_empty(), "{} phrases:\n{}", faults.len(), faults.join("\n"));
}

/// Phrases of messages that repeat those of the programs that Hieratic agrees with.
const REPEATED: &[&str] = &[
    "(e.g. filemd5",
    "(e.g. 1 or -1)",
    "place it on a line of its own",
    "in order to specify filepath",
    "in order to test incoming values",
];

/// The texts in quotes of a source that have several words, each with its line; without its tests and comments.
fn messages(source: &str) -> Vec<(usize, String)> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut texts = Vec::new();
    let mut text: Option<(usize, String)> = None;
    for (index, line) in source.lines().enumerate() {
        let mut rest = line;
        if text.is_none() && line.trim_start().starts_with("//") {
            continue;
        }
        if text.is_some() {
            // A text that a backslash broke begins again behind the indent.
            rest = rest.trim_start();
        }
        let mut characters = rest.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            match (&mut text, c) {
                (Some((_, text)), '\\') => match characters.next() {
                    Some((_, 'n' | 't')) => text.push(' '),
                    Some((_, escaped)) => text.push(escaped),
                    None => {}
                },
                (Some(_), '"') => texts.extend(text.take()),
                (Some((_, text)), c) => text.push(c),
                // A quote as a character is not the beginning of a text.
                (None, '\'') if rest[at..].starts_with("'\"'") || rest[at..].starts_with("'\\\"'") => {
                    characters.by_ref().nth(if rest[at..].starts_with("'\\") { 2 } else { 1 });
                }
                (None, '/') if rest[at..].starts_with("//") => break,
                (None, '"') => text = Some((index + 1, String::new())),
                (None, _) => {}
            }
        }
    }
    texts.retain(|(_, text)| text.split_whitespace().count() > 2);
    texts
}

#[test]
fn messages_use_the_words_of_the_field() {
    let (list, mut faults, mut count) = (list(), Vec::new(), 0);
    for (name, source) in crate::program::sources() {
        for (line, text) in messages(&source) {
            count += 1;
            let text = pages::without_code(&text);
            let folded = text.to_lowercase();
            let found = list.iter().filter(|entry| entry.find(&text, &folded).is_some());
            for entry in found.filter(|_| !REPEATED.iter().any(|phrase| text.contains(phrase))) {
                faults.push(format!("{name}:{line}: \"{}\" in \"{text}\": write: {}", entry.phrase, entry.instead));
            }
        }
    }
    assert!(count > 2_000, "{count} texts");
    assert!(faults.is_empty(), "{} phrases:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn messages_are_found_in_sources() {
    let source = "// not \"this one here\"\nlet a = (b'\"', '\"', \"one two three\"); // \"nor this one\"\n\
        let b = \"goes \\\n      on and \\\"on\\\"\";\n#[cfg(test)] \"but for this one\"";
    let texts = messages(source);
    assert_eq!(texts, [(2, "one two three".to_owned()), (3, "goes on and \"on\"".to_owned())]);
}

#[test]
fn lines_fit_an_editor() {
    let mut long = Vec::new();
    // A page that is made has paragraphs as single lines.
    for page in checked().into_iter().filter(|page| !page.text.contains("<!-- Made by ")) {
        for (number, line) in page.lines() {
            // A row of a table is one line, and a link cannot be broken.
            let free = line.starts_with('|') || line.contains("](") || line.starts_with("Sections: ");
            if !free && line.chars().count() > 140 {
                long.push(format!("{}:{number}", page.path.display()));
            }
        }
    }
    assert!(long.is_empty(), "longer than 140 characters:\n{}", long.join("\n"));
}

#[test]
fn phrases_are_found_where_they_count() {
    let page = |text: &str| Page { path: "page.md".into(), text: text.to_owned() };
    let entry = |phrase: &str| Entry { phrase: phrase.into(), instead: "x".into() };
    let list = [entry("but for"), entry("Who"), entry("white space")];
    let count = |text: &str| faults(&list, &page(text)).len();
    assert_eq!(count("All but\nfor one.\n"), 1);
    assert_eq!(count("All `but for` one, [but](but for).\n"), 0);
    assert_eq!(count("```\nall but for one\n```\n"), 0);
    assert_eq!(count("Done. Who asks is answered.\n"), 1);
    assert_eq!(count("# Who\n\nDone. Who asks?\n\nThose who ask.\n"), 0);
    assert_eq!(count("| White space |\n| Who reads it waits |\n"), 2);
    assert_eq!(count("whitespace, tribut for\n"), 0);
}
