//! Numbers: their value and base.

use hieratic_value::Value;

use super::Parser;
use crate::Problem;
use crate::ast::Node;
use crate::codes;
use crate::token::Token;

impl<'s> Parser<'s> {
    /// Converts a token to a number. An integer that does not fit is only an error if there are no syntax errors.
    pub(super) fn number(&mut self, token: &Token<'_>) -> Node {
        let extent = token.extent();
        let text = token.text();
        let (digits, radix) = match text.as_bytes() {
            [b'0', b'x' | b'X', ..] => (&text[2..], 16),
            _ if text.contains(['.', 'e', 'E']) => {
                let float: f64 = text.parse().unwrap_or(f64::INFINITY);
                if float.is_infinite() {
                    // The reference fails here without a position.
                    let message = format!("Internal Error, NUMBER token does not contain a valid number, {text}");
                    let mut problem = Problem::error(codes::INVALID_NUMBER, message, extent);
                    problem.at = None;
                    self.record_problem(problem);
                }
                return Node::Literal(Value::Float(float));
            }
            [b'0', _, ..] => (&text[1..], 8),
            _ => (text, 10),
        };
        let value = i64::from_str_radix(digits, radix.into()).unwrap_or_else(|_| {
            let shown = hexadecimal(digits, radix);
            let message =
                format!("A Literal Integer resulted in a value outside of Puppet Integer max range, got '+0x{shown}'");
            self.late.push(Problem::error(codes::NUMERIC_OVERFLOW, message, extent));
            i64::MAX
        });
        Node::Integer { value, radix }
    }
}

/// Returns the digits of a number in base 16. The time is quadratic in the length, so a very long number is truncated
/// in the message.
fn hexadecimal(digits: &str, radix: u8) -> String {
    const LONGEST: usize = 1000;
    if radix == 16 {
        let digits = digits.trim_start_matches('0').to_ascii_lowercase();
        return digits;
    }
    // The number as digits in base 16, the lowest first.
    let mut number: Vec<u32> = Vec::new();
    for digit in digits.bytes().take(LONGEST) {
        let mut carry = u32::from(digit - b'0');
        for place in &mut number {
            let product = *place * u32::from(radix) + carry;
            *place = product % 16;
            carry = product / 16;
        }
        while carry > 0 {
            number.push(carry % 16);
            carry /= 16;
        }
    }
    let shown: String = number.iter().rev().filter_map(|digit| char::from_digit(*digit, 16)).collect();
    if digits.len() > LONGEST { format!("{shown}...") } else { shown }
}
