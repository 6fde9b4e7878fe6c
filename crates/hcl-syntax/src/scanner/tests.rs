//! Properties of the tokens of arbitrary bytes.

use proptest::prelude::*;

use super::{BYTE_ORDER_MARK, Scanner, TokenKind};

/// Bytes that meet all states of the scanner.
const PIECES: &[&[u8]] = &[
    b"\"",
    b"${",
    b"%{",
    b"}",
    b"~}",
    b"{",
    b"<<A\n",
    b"A\n",
    b"<<-A\r\n",
    b"$",
    b"%",
    b"$$",
    b"$${",
    b"\\",
    b"\n",
    b"\r",
    b"a",
    b"1",
    b".",
    b"e+1",
    b"/*",
    b"*/",
    b"//",
    b"#",
    b" ",
    b"\t",
    b"\xff",
    b"\xc3",
    b"\xc3\xa9",
    b"\xef\xbb\xbf",
    b"~",
    b"<<",
];

fn texts() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(proptest::sample::select(PIECES), 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Tokens are in order, and only blanks are outside of tokens.
    #[test]
    fn tokens_contain_every_byte_except_blanks(text in texts(), template: bool) {
        let mut scanner = Scanner::new(&text, template);
        let mut at = if text.starts_with(BYTE_ORDER_MARK) { 3 } else { 0 };
        loop {
            let token = scanner.next();
            let (start, end) = (token.start as usize, token.end as usize);
            prop_assert!(at <= start && end <= text.len(), "{:?}", token);
            prop_assert!(text[at..start].iter().all(|byte| matches!(byte, b' ' | b'\t')), "{:?}", token);
            at = end;
            if token.kind == TokenKind::Eof {
                break;
            }
            prop_assert!(start < end, "{:?}", token);
        }
        prop_assert_eq!(at, text.len());
        // The end stays the end.
        prop_assert_eq!(scanner.next().kind, TokenKind::Eof);
    }
}

#[test]
fn a_number_ends_before_an_invalid_character() {
    for (text, length) in
        [("1.", 1), ("1..2", 4), ("1...", 1), ("1e", 1), ("1.e5", 4), ("1e5.", 3), ("1e+", 1), ("1.5e-7x", 6)]
    {
        let token = Scanner::new(text.as_bytes(), false).next();
        assert_eq!((token.kind, token.end), (TokenKind::Number, length), "{text}");
    }
}
