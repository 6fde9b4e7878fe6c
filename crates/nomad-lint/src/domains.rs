//! Domain names. Source of the rules: <https://pkg.go.dev/github.com/miekg/dns#IsDomainName>.

/// The maximum length of a name, in bytes.
const MAX_LENGTH: usize = 256;

/// The maximum length of a label, in bytes.
const MAX_LABEL: usize = 63;

/// Checks a domain name: labels of at most 63 bytes, separated by dots. A label may contain any byte, and a backslash
/// escapes the byte or the three digits after it.
pub(crate) fn is_name(text: &str) -> bool {
    if text.is_empty() {
        return false;
    }
    let mut bytes = text.as_bytes().to_vec();
    if !ends_at_root(&bytes) {
        bytes.push(b'.');
    }
    // The start of the label, shifted so that each escape counts as a single byte.
    let mut start = 0;
    let (mut at, mut total) = (0, 0);
    let (mut behind_dot, mut is_escaping) = (false, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => {
                if total >= MAX_LENGTH {
                    return false;
                }
                let is_number = bytes.get(at + 1..at + 4).is_some_and(|digits| digits.iter().all(u8::is_ascii_digit));
                let skipped = if is_number { 3 } else { 1 };
                at += skipped;
                start += skipped;
                behind_dot = false;
                // At the end of a name, the reference accepts every other one of consecutive escapes as complete.
                is_escaping = !is_escaping;
            }
            b'.' => {
                if behind_dot || at == 0 && bytes.len() > 1 {
                    return false;
                }
                let label = at - start;
                total += 1 + label;
                if label > MAX_LABEL || total > MAX_LENGTH {
                    return false;
                }
                start = at + 1;
                (behind_dot, is_escaping) = (true, false);
            }
            _ => (behind_dot, is_escaping) = (false, false),
        }
        at += 1;
    }
    !is_escaping
}

/// Returns whether the last byte is an unescaped dot.
fn ends_at_root(bytes: &[u8]) -> bool {
    bytes.split_last().is_some_and(|(last, before)| {
        let escapes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
        *last == b'.' && escapes % 2 == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_names_are_recognized() {
        let long = "a".repeat(63);
        let longer = "a".repeat(64);
        let longest = [&*long; 4].join(".");
        for text in
            ["a", "a.b", "a.b.", ".", "a b", "ä", r"a\.b", r"a\046b", r"a\..", r"\\", r"a\046\", &long, &longest]
        {
            assert!(is_name(text), "{text}");
        }
        let too_long = format!("{longest}.b");
        for text in ["", "..", ".a", "a..b", "a..", r"a\", &longer, &too_long] {
            assert!(!is_name(text), "{text}");
        }
    }
}
