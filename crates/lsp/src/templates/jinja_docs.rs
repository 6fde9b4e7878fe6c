//! Descriptions of the statements of Jinja2 and of the members of `loop`:
//! <https://jinja.palletsprojects.com/en/3.1.x/templates/>. Descriptions of filters, tests, functions and lookups are
//! in their tables.

/// The description of a name in a table.
pub(super) fn find(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == name).map(|(_, docs)| *docs)
}

/// Returns whether a statement has an end tag.
pub(super) fn has_end(word: &str) -> bool {
    ["if", "for", "block", "macro", "filter", "call", "with", "raw", "autoescape", "trans", "set"].contains(&word)
}

/// Words that are not names.
pub(super) const KEYWORDS: [&str; 24] = [
    "and",
    "or",
    "not",
    "in",
    "is",
    "if",
    "else",
    "true",
    "false",
    "none",
    "True",
    "False",
    "None",
    "recursive",
    "as",
    "import",
    "with",
    "without",
    "context",
    "ignore",
    "missing",
    "scoped",
    "required",
    "set",
];

#[rustfmt::skip]
pub(super) const STATEMENTS: &[(&str, &str)] = &[
    ("if", "Renders its content if the condition is true."),
    ("elif", "Another condition of the `if` around."),
    ("else", "Rendered if no condition is true, or if a loop has no items."),
    ("for", "Renders its content for each item."),
    ("set", "Gives a name to a value, or to its rendered content."),
    ("block", "A part that a template which extends this one may replace."),
    ("extends", "Renders another template with the blocks of this one."),
    ("include", "Renders another template here."),
    ("import", "Makes the macros of another template available under a name."),
    ("from", "Makes some macros of another template available."),
    ("macro", "A part with parameters that can be called like a function."),
    ("call", "Calls a macro with its content as `caller`."),
    ("filter", "Applies a filter to its content."),
    ("with", "Variables for its content only."),
    ("raw", "Renders its content unchanged."),
    ("autoescape", "Whether HTML is escaped in its content."),
    ("do", "Evaluates an expression and renders nothing."),
    ("break", "Ends the loop."),
    ("continue", "Continues with the next item of the loop."),
    ("trans", "Text that can be translated."),
];

#[rustfmt::skip]
pub(super) const LOOP: &[(&str, &str)] = &[
    ("index", "The number of the item, from 1."),
    ("index0", "The number of the item, from 0."),
    ("revindex", "The number of the item from the end, from 1."),
    ("revindex0", "The number of the item from the end, from 0."),
    ("first", "Whether it is the first item."),
    ("last", "Whether it is the last item."),
    ("length", "How many items there are."),
    ("cycle", "One of several values in turn."),
    ("depth", "How deep a recursive loop is, from 1."),
    ("depth0", "How deep a recursive loop is, from 0."),
    ("previtem", "The item before."),
    ("nextitem", "The item after."),
    ("changed", "Whether a value is another one than for the item before."),
];
