//! `succ`: the string after a string. => `succ`: the successor of a string.

/// The next string, as Ruby counts: `az` is followed by `ba`, `zz` by `aaa`, `a9` by `b0`.
pub(crate) fn successor(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut letters: Vec<char> = text.chars().collect();
    let alphanumeric = |one: char| one.is_ascii_alphanumeric();
    if !letters.iter().any(|one| alphanumeric(*one)) {
        // Without letters and digits, the last character counts.
        for at in (0..letters.len()).rev() {
            match char::from_u32(u32::from(letters[at]) + 1) {
                Some(next) => {
                    letters[at] = next;
                    return letters.into_iter().collect();
                }
                None => letters[at] = '\u{1}',
            }
        }
        letters.insert(0, '\u{1}');
        return letters.into_iter().collect();
    }
    let mut at = letters.iter().rposition(|one| alphanumeric(*one)).unwrap_or(0);
    loop {
        let (next, carry) = match letters[at] {
            'z' => ('a', Some('a')),
            'Z' => ('A', Some('A')),
            '9' => ('0', Some('1')),
            one => (char::from_u32(u32::from(one) + 1).unwrap_or(one), None),
        };
        letters[at] = next;
        let Some(carry) = carry else { return letters.into_iter().collect() };
        // A carry goes to the next letter or digit to the left, over at most the characters between them.
        let left = letters[..at].iter().rposition(|one| alphanumeric(*one));
        match left {
            Some(left)
                if left + 1 == at
                    || letters[left + 1..at].iter().all(|one| !alphanumeric(*one))
                        && same_group(&letters, left, at) =>
            {
                at = left;
            }
            _ => {
                letters.insert(at, carry);
                return letters.into_iter().collect();
            }
        }
    }
}

/// Returns whether a carry passes over the characters between two others: in Ruby `1.9` becomes `2.0`, and `a-9` becomes
/// `b-0`.
fn same_group(letters: &[char], left: usize, right: usize) -> bool {
    let between = &letters[left + 1..right];
    between.is_empty()
        || letters[left].is_ascii_digit() == (letters[right] == '0')
        || letters[left].is_ascii_alphanumeric()
}
