//! Character references of markup: by name and by number.

use super::decoders::{RAW, Reading};

/// The longest name below, and the most digits of a number.
const LONGEST: usize = 10;

/// Names of ASCII characters, with their aliases.
const NAMES: &[(&str, char)] = &[
    ("amp", '&'),
    ("AMP", '&'),
    ("lt", '<'),
    ("LT", '<'),
    ("gt", '>'),
    ("GT", '>'),
    ("quot", '"'),
    ("QUOT", '"'),
    ("apos", '\''),
    ("Tab", '\t'),
    ("NewLine", '\n'),
    ("excl", '!'),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("midast", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("equals", '='),
    ("quest", '?'),
    ("commat", '@'),
    ("lsqb", '['),
    ("lbrack", '['),
    ("bsol", '\\'),
    ("rsqb", ']'),
    ("rbrack", ']'),
    ("Hat", '^'),
    ("lowbar", '_'),
    ("grave", '`'),
    ("lcub", '{'),
    ("lbrace", '{'),
    ("verbar", '|'),
    ("vert", '|'),
    ("rcub", '}'),
    ("rbrace", '}'),
];

/// The names of U+00A0 to U+00FF, in order.
const LATIN: &str = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 \
    acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
    Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
    Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave \
    iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/// Returns the character whose name or number follows the `&`.
pub(super) fn entity(text: &[u8], at: usize) -> Option<Reading> {
    let number = ["#", "%23"].into_iter().find(|sign| text[at..].starts_with(sign.as_bytes()));
    let from = at + number.map_or(0, str::len);
    let after = &text[from..];
    let length = after.iter().take(LONGEST).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = std::str::from_utf8(&after[..length]).ok().filter(|name| !name.is_empty())?;
    let end = [";", "%3B", "%3b"].into_iter().find(|sign| after[length..].starts_with(sign.as_bytes()))?;
    let symbol = match number {
        Some(_) => match name.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => name.parse().ok()?,
        },
        None => named(name)?.into(),
    };
    (symbol < RAW).then_some((symbol, from + length + end.len()))
}

fn named(name: &str) -> Option<char> {
    if let Some((_, character)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(*character);
    }
    let index = LATIN.split(' ').filter(|known| !known.is_empty()).position(|known| known == name)?;
    char::from_u32(0xa0 + u32::try_from(index).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        for (name, character) in [("nbsp", '\u{a0}'), ("szlig", 'ß'), ("yuml", 'ÿ'), ("times", '×'), ("apos", '\'')]
        {
            assert_eq!(named(name), Some(character), "{name}");
        }
        assert_eq!(LATIN.split(' ').filter(|name| !name.is_empty()).count(), 96);
    }
}
