//! Encodings, digests and lengths of time.

use base64::Engine as _;
use base64::alphabet::STANDARD as ALPHABET;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use data_encoding::BASE32;
use hieratic_hcl_types::go::duration;

use super::{exactly, text_of};
use crate::eval::{Fault, Value};

pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    let one = |change: &dyn Fn(&str) -> Result<String, Fault>| {
        exactly::<1>(arguments).and_then(|[text]| Ok(change(text_of(text)?)?.into()))
    };
    Some(match name {
        "b64dec" => one(&decode_base64),
        "b32enc" => one(&|text| Ok(BASE32.encode(text.as_bytes()))),
        "b32dec" => one(&|text| {
            let decoded = BASE32.decode(text.as_bytes()).map(String::from_utf8);
            // The reference returns its message, or bytes.
            decoded.ok().and_then(Result::ok).ok_or_else(|| Fault::NotHere("b32dec of what is no text".to_owned()))
        }),
        "adler32sum" => one(&|text| Ok(adler32(text).to_string())),
        "duration" => exactly::<1>(arguments).and_then(|[seconds]| in_seconds(seconds)),
        "durationRound" => exactly::<1>(arguments).and_then(|[length]| rounded(length)),
        _ => return None,
    })
}

/// The text that is encoded. The message of an error takes its place, as in the reference.
fn decode_base64(text: &str) -> Result<String, Fault> {
    const LENIENT: GeneralPurpose =
        GeneralPurpose::new(&ALPHABET, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));
    if let Some(at) = fault_in_base64(text.as_bytes()) {
        return Ok(format!("illegal base64 data at input byte {at}"));
    }
    let decoded = LENIENT.decode(text.replace(['\r', '\n'], "")).map(String::from_utf8);
    decoded.ok().and_then(Result::ok).ok_or_else(|| Fault::NotHere("b64dec of what is no text".to_owned()))
}

/// The byte that the decoder of Go's library names in its error. Line ends do not count.
fn fault_in_base64(bytes: &[u8]) -> Option<usize> {
    let is_line_end = |at: usize| matches!(bytes.get(at), Some(b'\r' | b'\n'));
    let behind_line_ends = |mut at: usize| {
        while is_line_end(at) {
            at += 1;
        }
        at
    };
    let mut at = 0;
    // The place in a group of four letters.
    let mut place = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\r' | b'\n' => {}
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => place = (place + 1) % 4,
            b'=' if place >= 2 => {
                let mut end = at + 1;
                if place == 2 {
                    end = behind_line_ends(end);
                    match bytes.get(end) {
                        None => return Some(bytes.len()),
                        Some(b'=') => end += 1,
                        Some(_) => return Some(end - 1),
                    }
                }
                end = behind_line_ends(end);
                return (end < bytes.len()).then_some(end);
            }
            _ => return Some(at),
        }
        at += 1;
    }
    (place > 0).then(|| bytes.len() - place)
}

fn adler32(text: &str) -> u32 {
    const MODULUS: u32 = 65_521;
    let (sum, sums) = text.bytes().fold((1, 0), |(sum, sums), byte| {
        let sum = (sum + u32::from(byte)) % MODULUS;
        (sum, (sums + sum) % MODULUS)
    });
    sums << 16 | sum
}

/// A number of seconds as a length of time.
fn in_seconds(value: &Value) -> Result<Value, Fault> {
    let seconds = match value {
        Value::String(text) => match text.parse::<i64>() {
            Ok(seconds) => seconds,
            Err(error) if *error.kind() == std::num::IntErrorKind::PosOverflow => i64::MAX,
            Err(error) if *error.kind() == std::num::IntErrorKind::NegOverflow => i64::MIN,
            // Anything but an integer is 0.
            Err(_) => 0,
        },
        Value::Int(_) => return Err(of_number("duration")),
        _ => 0,
    };
    Ok(duration::display(seconds.wrapping_mul(1_000_000_000)).to_string().into())
}

/// A length of time in its largest unit.
fn rounded(value: &Value) -> Result<Value, Fault> {
    let nanoseconds = match value {
        // Anything but a length of time is 0.
        Value::String(text) => duration::parse(text).unwrap_or(0).unsigned_abs(),
        Value::Int(_) => return Err(of_number("durationRound")),
        _ => 0,
    };
    const SECOND: u64 = 1_000_000_000;
    const DAY: u64 = 86_400 * SECOND;
    let units =
        [("y", 365 * DAY), ("mo", 30 * DAY), ("d", DAY), ("h", 3600 * SECOND), ("m", 60 * SECOND), ("s", SECOND)];
    let unit = units.into_iter().find(|(_, length)| nanoseconds > *length);
    Ok(unit.map_or_else(|| "0s".to_owned(), |(unit, length)| format!("{}{unit}", nanoseconds / length)).into())
}

/// The reference tells integers of 64 bits from others, which templates do not show.
fn of_number(name: &str) -> Fault {
    Fault::NotHere(format!("{name} of a number"))
}
