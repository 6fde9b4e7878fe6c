//! The arguments and blocks of a file, as rules read them.

use hieratic_hcl1::{File, Item, Token, Value};
use hieratic_source::Span;

use crate::finding::Finding;
use crate::types::is_template;

/// The literal that an argument of a name is set to, last.
pub(super) fn argument<'f>(file: &File, items: &'f [Item], name: &str) -> Option<&'f Token> {
    blocks(file, items, name).filter_map(literal).last()
}

/// The literal that an argument is set to.
pub(super) fn literal(item: &Item) -> Option<&Token> {
    match &item.value {
        Value::Literal(literal) => Some(&literal.token),
        Value::List(_) | Value::Object(_) => None,
    }
}

/// The value of an argument, if it can be read and no other program fills it in.
pub(super) fn known_text(file: &File, token: &Token) -> Option<String> {
    // A string that cannot be read is reported elsewhere.
    file.name(token).ok().filter(|text| !is_template(text))
}

/// The blocks of a name.
pub(super) fn blocks<'f, 'n>(
    file: &'n File,
    items: &'f [Item],
    name: &'n str,
) -> impl Iterator<Item = &'f Item> + use<'f, 'n> {
    let is_named = move |item: &&Item| {
        let key = item.keys.first().map(|key| file.name(key));
        matches!(key, Some(Ok(key)) if key.eq_ignore_ascii_case(name))
    };
    items.iter().filter(is_named)
}

/// The label of a block. One without a value is reported elsewhere.
pub(super) fn label<'f>(file: &File, item: &'f Item) -> Option<(&'f Token, String)> {
    let token = item.keys.get(1)?;
    Some((token, file.name(token).ok()?))
}

/// The items of a block.
pub(super) fn inner(item: &Item) -> &[Item] {
    match &item.value {
        Value::Object(object) => &object.items,
        _ => &[],
    }
}

/// Creates the finding of a value that is refused.
pub(super) fn refused(span: Span, message: String, help: &str) -> Finding {
    Finding { span, message, help: Some(help.to_owned()), is_refused: true }
}
