//! Data between `-----BEGIN` and `-----END` lines (<https://pkg.go.dev/encoding/pem#Decode>), within other text.

use crate::encoding::from_base64;

/// A block.
#[derive(Debug, PartialEq)]
pub(super) struct Block {
    pub headers: Vec<(String, String)>,
    pub bytes: Vec<u8>,
}

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// The first complete block of a string.
pub(super) fn first(text: &str) -> Option<Block> {
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once(END)?;
        let start = before.rfind(BEGIN).filter(|start| *start == 0 || before[..*start].ends_with('\n'));
        if let Some(start) = start
            && let Some(block) = before.get(start + BEGIN.len()..).and_then(|inner| block(inner, after))
        {
            return Some(block);
        }
        rest = after;
    }
}

/// Decodes the content between the lines, given also the rest from the end line on.
fn block(inner: &str, trailer: &str) -> Option<Block> {
    let (first, mut body) = inner.split_once('\n')?;
    let kind = trimmed(first).strip_suffix(DASHES)?;
    let (trailer, _) = trailer.split_once('\n').unwrap_or((trailer, ""));
    if trimmed(trailer).strip_prefix(kind)? != DASHES {
        return None;
    }
    let mut headers = Vec::new();
    while let Some((line, rest)) = body.split_once('\n')
        && let Some((name, value)) = line.split_once(':')
    {
        headers.push((name.trim().to_owned(), value.trim().to_owned()));
        body = rest;
    }
    let bytes = from_base64(&body.replace([' ', '\t'], ""))?;
    Some(Block { headers, bytes })
}

fn trimmed(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line).trim_end_matches([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_within_other_lines() {
        let text = "see\n-----BEGIN X-----\nA: b\n\nAQID\n-----END X-----\n";
        let block = Block { headers: vec![("A".into(), "b".into())], bytes: vec![1, 2, 3] };
        assert_eq!(first(text), Some(block));
        assert_eq!(first("-----BEGIN X-----\nAQID\n-----END Y-----\n"), None);
        assert_eq!(first("-----BEGIN X-----\nAQID\n"), None);
        assert_eq!(first(""), None);
    }
}
