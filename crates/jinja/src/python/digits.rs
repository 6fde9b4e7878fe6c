//! The digits of small integers, which most numbers in templates are.

/// Appends a number to a string.
#[inline]
pub fn write_digits(out: &mut String, number: i64) {
    // Most numbers have few digits, which are copied three at once.
    match usize::try_from(number) {
        Ok(number @ ..=999) => first_digits(out, number),
        Ok(number @ ..=999_999) => {
            first_digits(out, number / 1_000);
            three_digits(out, number % 1_000);
        }
        _ => out.push_str(itoa::Buffer::new().format(number)),
    }
}

/// Appends a number below a thousand. All numbers copy the same length, which the compiler optimizes.
#[inline(always)]
fn first_digits(out: &mut String, number: usize) {
    let end = out.len() + 1 + usize::from(number > 9) + usize::from(number > 99);
    if let Some(block) = SHORTENED.get(4 * number..4 * number + 4) {
        out.push_str(block);
        out.truncate(end);
    }
}

/// Writes such a number with zeros before it.
#[inline(always)]
fn three_digits(out: &mut String, number: usize) {
    let end = out.len() + 3;
    if let Some(block) = FILLED.get(4 * number..4 * number + 4) {
        out.push_str(block);
        out.truncate(end);
    }
}

/// All numbers below a thousand in blocks of four characters: zero-padded, and not.
const FILLED: &str = ascii(FILLED_BLOCKS);
const FILLED_BLOCKS: &[u8] = &blocks(true);
const SHORTENED: &str = ascii(SHORTENED_BLOCKS);
const SHORTENED_BLOCKS: &[u8] = &blocks(false);

const fn blocks(is_filled: bool) -> [u8; 4_000] {
    let mut all = [b' '; 4_000];
    let mut number = 0;
    while number < 1_000 {
        let digits = [(number / 100) as u8, (number / 10 % 10) as u8, (number % 10) as u8];
        let skipped = if is_filled || number > 99 { 0 } else { 2 - (number > 9) as usize };
        let mut at = skipped;
        while at < 3 {
            all[4 * number + at - skipped] = b'0' + digits[at];
            at += 1;
        }
        number += 1;
    }
    all
}

const fn ascii(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_match_the_standard_formatting() {
        let near = |power: u32| (-2..=2).map(move |by| 10_i64.pow(power) + by);
        let numbers = (0..=18).flat_map(near).chain(-120..120_000).chain([i64::MIN, i64::MAX]);
        for number in numbers {
            let mut out = String::from("x");
            write_digits(&mut out, number);
            assert_eq!(out, format!("x{number}"));
        }
    }
}
