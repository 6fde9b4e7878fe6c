//! Numbers in the formats of strings.

use hieratic_value::BigInt;
use hieratic_value::format::{self, Field};

use super::directive;
use super::format::Format;
use crate::Error;
use crate::range::Int;

/// Truncates a number.
pub(crate) fn truncate(number: f64) -> Result<Int, Error> {
    if !number.is_finite() {
        return Err(Error::new(hieratic_value::text::float(number)));
    }
    let whole = number.trunc();
    if whole.abs() < 9e18 {
        return Ok(Int::from(whole as i64));
    }
    // A finite number without fraction is written with digits only.
    Ok(format!("{whole:.0}").parse::<BigInt>().map_or_else(|_| Int::from(0i64), Int::from))
}

/// `%d`, `%x`, `%X`, `%o`, `%b` and `%B`.
pub(super) fn integer(format: &Format, number: &Int) -> Result<String, Error> {
    directive::check(format)?;
    Ok(format::integer(&field(format), &number.to_big()))
}

/// `%e`, `%f`, `%g`, `%a` and their capitals.
pub(super) fn float(format: &Format, number: f64) -> Result<String, Error> {
    directive::check(format)?;
    Ok(format::float(&field(format), number))
}

fn field(format: &Format) -> Field {
    Field {
        letter: format.letter,
        space: format.has(' '),
        alternative: format.is_alternative(),
        plus: format.has('+'),
        minus: format.has('-'),
        zero: format.has('0'),
        width: format.width,
        precision: format.precision,
    }
}
