//! Decodes base 64 within a string, so that the result can be searched like any other text: for a secret that was
//! escaped, changed in case, or embedded in a document before it was encoded.

use std::ops::Range;

use super::decoders;

/// The minimum length of a word. Shorter ones cannot encode a secret together with anything else.
const MIN_WORD: usize = 12;

/// A digit, and its byte range.
type Digit = (u8, Range<usize>);

/// Decoded bytes, with the range of the text that each comes from.
#[derive(Default)]
struct Decoded {
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

/// A separator between decoded runs: no valid text contains it.
const SEPARATOR: u8 = 0xff;

/// The number of decoded bytes after which they are searched.
const FLUSH_SIZE: usize = 1 << 16;

/// Calls back with decoded bytes that may be text, and the range that each byte comes from.
pub(super) fn each(text: &[u8], mut found: impl FnMut(&[u8], &[Range<usize>])) {
    if !has_long_word(text) {
        return;
    }
    // Wherever the first digit of four may be.
    let mut decoded: [Decoded; 4] = Default::default();
    runs(text, |run| {
        for (skipped, decoded) in decoded.iter_mut().enumerate() {
            decode(&run[skipped..], decoded);
            if decoded.bytes.len() >= FLUSH_SIZE {
                found(&decoded.bytes, &decoded.places);
                *decoded = Decoded::default();
            }
        }
    });
    for decoded in decoded.iter().filter(|decoded| !decoded.bytes.is_empty()) {
        found(&decoded.bytes, &decoded.places);
    }
}

/// Returns whether a string can contain a run: most strings are names and sentences without a long enough word.
fn has_long_word(text: &[u8]) -> bool {
    let mut length = 0;
    text.iter().any(|byte| {
        length = if digit((*byte).into()).is_some() { length + 1 } else { 0 };
        length >= MIN_WORD || matches!(byte, b'\\' | b'%' | b'&')
    })
}

/// Calls back with every run of digits that may be base 64.
fn runs(text: &[u8], mut found: impl FnMut(&[Digit])) {
    let mut ended = |run: &mut Vec<Digit>| {
        // Decimal digits do not decode to text: every third byte would begin an incomplete character.
        if run.len() >= MIN_WORD && !run.iter().all(|(value, _)| (52..62).contains(value)) {
            found(run);
        }
        run.clear();
    };
    let mut run: Vec<Digit> = Vec::new();
    // The start of the last word of the run.
    let mut word = 0;
    let mut at = 0;
    while at < text.len() {
        let (symbol, end) = match text[at] {
            b'\\' | b'%' | b'&' => decoders::deepest(text, at),
            byte => (byte.into(), at + 1),
        };
        match (digit(symbol), char::from_u32(symbol)) {
            (Some(value), _) => run.push((value, at..end)),
            // A backslash may precede any character.
            (None, Some('\\')) => {}
            // Encoders break lines.
            (None, Some(' ' | '\t' | '\n' | '\r')) => {
                if (1..MIN_WORD).contains(&(run.len() - word)) {
                    // The last word of a run may be short, the others may not.
                    ended(&mut run);
                }
                word = run.len();
            }
            _ => {
                ended(&mut run);
                word = 0;
            }
        }
        at = end;
    }
    ended(&mut run);
}

fn digit(symbol: u32) -> Option<u8> {
    Some(match u8::try_from(symbol).ok()? {
        byte @ b'A'..=b'Z' => byte - b'A',
        byte @ b'a'..=b'z' => byte - b'a' + 26,
        byte @ b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

fn decode(run: &[Digit], decoded: &mut Decoded) {
    for digits in run.chunks(4) {
        let bits = digits.iter().fold(0_u32, |bits, (value, _)| (bits << 6) | u32::from(*value));
        let bits = (bits << (6 * (4 - digits.len()))).to_be_bytes();
        for (byte, two) in bits[1..].iter().zip(digits.windows(2)) {
            decoded.bytes.push(*byte);
            decoded.places.push(two[0].1.start..two[1].1.end);
        }
    }
    decoded.bytes.push(SEPARATOR);
    decoded.places.push(0..0);
}
