//! What may have been meant.

/// From how many edits on a name is another one.
const FAR: usize = 3;

/// The first of the names that is close to the given one.
///
/// ```
/// use hieratic_hcl_syntax::suggestion;
///
/// assert_eq!(suggestion("edif", ["if", "endif"]), Some("if"));
/// assert_eq!(suggestion("something", ["if", "endif"]), None);
/// ```
///
/// Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/didyoumean.go>
pub fn suggestion<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names.into_iter().find(|name| is_near(given, name))
}

/// Whether fewer than [`FAR`] letters have to be added, removed or replaced.
fn is_near(one: &str, other: &str) -> bool {
    let letters: Vec<char> = other.chars().take(one.len() + FAR).collect();
    if one.chars().count().abs_diff(letters.len()) >= FAR {
        return false;
    }
    let mut row: Vec<usize> = (0..=letters.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = at;
        let mut left = at + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(&letters) {
            let best = (diagonal + usize::from(letter != *other)).min(left + 1).min(*cell + 1);
            diagonal = *cell;
            *cell = best;
            left = best;
        }
        if let Some(first) = row.first_mut() {
            *first = at + 1;
        }
    }
    row.last().is_some_and(|distance| *distance < FAR)
}
