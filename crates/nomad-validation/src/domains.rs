//! Names of hosts. Source of the rules: <https://pkg.go.dev/github.com/miekg/dns#IsDomainName>.

/// How long a name may be.
const MAX_LENGTH: usize = 256;

/// How long what stands between two dots may be.
const MAX_LABEL: usize = 63;

/// Whether the text is a name in the domain name system: labels of 63 bytes at most with dots between them. Any byte may stand
/// in a label, and a backslash takes the meaning of what follows it away.
pub(crate) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    let (mut total, mut label, mut labels) = (0, 0, 0);
    loop {
        match bytes.next() {
            Some(b'\\') => {
                let rest: Vec<u8> = bytes.clone().take(3).collect();
                // The name ends in an escape of nothing.
                if rest.is_empty() {
                    return false;
                }
                if rest.len() == 3 && rest.iter().all(u8::is_ascii_digit) {
                    bytes.nth(2);
                } else {
                    bytes.next();
                }
                label += 1;
            }
            // A dot with nothing before it is the root, alone or behind a dot.
            Some(b'.') if label == 0 => return text == ".",
            None if label == 0 => return labels > 0,
            end @ (Some(b'.') | None) => {
                total += 1 + label;
                if label > MAX_LABEL || total > MAX_LENGTH {
                    return false;
                }
                labels += 1;
                label = 0;
                if end.is_none() {
                    return true;
                }
            }
            Some(_) => label += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_other_texts() {
        let long = "a".repeat(63);
        let longer = "a".repeat(64);
        let longest = [&*long; 4].join(".");
        for text in ["a", "a.b", "a.b.", ".", "a b", "ä", r"a\.b", r"a\046b", r"a\..", r"\\", &long, &longest] {
            assert!(is_name(text), "{text}");
        }
        let too_long = format!("{longest}.b");
        for text in ["", "..", ".a", "a..b", "a..", r"a\", &longer, &too_long] {
            assert!(!is_name(text), "{text}");
        }
    }
}
