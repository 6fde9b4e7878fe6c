//! Unsigned integers. Source of the rules: <https://pkg.go.dev/strconv#ParseUint>.

/// The error about a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberError {
    /// A character is not a digit, or there are no digits.
    Syntax,
    /// It is too large.
    Range,
}

impl NumberError {
    /// Go's description of the error.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            NumberError::Syntax => "invalid syntax",
            NumberError::Range => "value out of range",
        }
    }

    /// Go's message of a function that could not parse the string.
    pub(crate) fn message(self, function: &str, text: &str) -> String {
        format!("strconv.{function}: parsing {}: {}", hieratic_hcl_types::quoted(text), self.reason())
    }
}

/// Parses a number of that base that is at most `limit`.
///
/// # Errors
///
/// The first error from the left: digits after a number that is already too large are not checked.
pub(crate) fn unsigned(text: &str, base: u32, limit: u64) -> Result<u64, NumberError> {
    if text.is_empty() {
        return Err(NumberError::Syntax);
    }
    let mut number: u64 = 0;
    for letter in text.chars() {
        let digit = letter.to_digit(base).ok_or(NumberError::Syntax)?;
        number = number
            .checked_mul(base.into())
            .and_then(|number| number.checked_add(digit.into()))
            .filter(|number| *number <= limit)
            .ok_or(NumberError::Range)?;
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_left() {
        assert_eq!(unsigned("0644", 8, 4095), Ok(0o644));
        assert_eq!(unsigned("10000", 8, 4095), Err(NumberError::Range));
        assert_eq!(unsigned("100008", 8, 4095), Err(NumberError::Range));
        assert_eq!(unsigned("8", 8, 4095), Err(NumberError::Syntax));
        assert_eq!(unsigned("+1", 10, u64::MAX), Err(NumberError::Syntax));
        assert_eq!(unsigned("", 10, u64::MAX), Err(NumberError::Syntax));
        assert_eq!(unsigned("18446744073709551615", 10, u64::MAX), Ok(u64::MAX));
        assert_eq!(unsigned("18446744073709551616", 10, u64::MAX), Err(NumberError::Range));
    }
}
