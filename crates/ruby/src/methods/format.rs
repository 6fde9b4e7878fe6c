//! `format`, and `String#%`.

use num_bigint::{BigInt, Sign};

use super::numeric::{charge_digits, parse_float, parse_integer};
use crate::value::Value;
use crate::vm::{Outcome, Vm};

#[derive(Default, PartialEq, Eq)]
struct Flags {
    minus: bool,
    plus: bool,
    space: bool,
    zero: bool,
    alternate: bool,
    width: Option<usize>,
    precision: Option<usize>,
}

/// The arguments, by position, by index or by name.
struct Source<'a> {
    list: &'a [Value],
    next: usize,
}

impl Source<'_> {
    fn take(&mut self, vm: &mut Vm<'_>) -> Outcome {
        let value = self.list.get(self.next).cloned();
        self.next += 1;
        value.ok_or_else(|| vm.argument_error("too few arguments"))
    }

    fn named(&self, vm: &mut Vm<'_>, name: &str, shown: &str) -> Outcome {
        let Some(Value::Hash(hash)) = self.list.first() else { return Err(vm.argument_error("one hash required")) };
        let symbol = vm.symbol(name);
        let key = vm.key(&symbol)?;
        if let Some(value) = hash.table.borrow().get(&key) {
            return Ok(value.clone());
        }
        let class = vm.st.classes.key_error.clone();
        Err(vm.error(&class, format!("key{shown} not found")))
    }
}

const MAX_WIDTH: usize = 1 << 24;

/// Formats as Ruby's `sprintf` does.
pub(super) fn sprintf(vm: &mut Vm<'_>, template: &Value, arguments: &[Value]) -> Outcome {
    let template = vm.to_str(template)?;
    let mut out = String::new();
    let mut source = Source { list: arguments, next: 0 };
    let bytes: Vec<char> = template.chars().collect();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && bytes[at] != '%' {
            at += 1;
        }
        out.extend(&bytes[start..at]);
        if at >= bytes.len() {
            break;
        }
        at += 1;
        let mut flags = Flags::default();
        let mut value: Option<Value> = None;
        loop {
            let Some(letter) = bytes.get(at).copied() else {
                return Err(vm.argument_error("incomplete format specifier; use %% (double %) instead"));
            };
            at += 1;
            match letter {
                '-' => flags.minus = true,
                '+' => flags.plus = true,
                ' ' => flags.space = true,
                '0' => flags.zero = true,
                '#' => flags.alternate = true,
                '1'..='9' => {
                    let mut number = letter as usize - '0' as usize;
                    while let Some(digit) = bytes.get(at).and_then(|c| c.to_digit(10)) {
                        number = number.saturating_mul(10).saturating_add(digit as usize);
                        at += 1;
                    }
                    if bytes.get(at) == Some(&'$') {
                        at += 1;
                        value = Some(match arguments.get(number - 1) {
                            Some(value) => value.clone(),
                            None => return Err(vm.argument_error("too few arguments")),
                        });
                    } else {
                        flags.width = Some(number);
                    }
                }
                '*' => {
                    let width = source.take(vm)?;
                    let width = vm.to_int(&width)?;
                    flags.minus |= width < 0;
                    flags.width = usize::try_from(width.unsigned_abs()).ok();
                }
                '.' => {
                    let mut number = 0_usize;
                    if bytes.get(at) == Some(&'*') {
                        at += 1;
                        let precision = source.take(vm)?;
                        // A negative precision is ignored.
                        flags.precision = usize::try_from(vm.to_int(&precision)?).ok();
                        continue;
                    }
                    while let Some(digit) = bytes.get(at).and_then(|c| c.to_digit(10)) {
                        number = number.saturating_mul(10).saturating_add(digit as usize);
                        at += 1;
                    }
                    flags.precision = Some(number);
                }
                '<' | '{' => {
                    let close = if letter == '<' { '>' } else { '}' };
                    let start = at;
                    while bytes.get(at).is_some_and(|c| *c != close) {
                        at += 1;
                    }
                    if at >= bytes.len() {
                        return Err(vm.argument_error("malformed name - unmatched parenthesis"));
                    }
                    let name: String = bytes[start..at].iter().collect();
                    at += 1;
                    let found = source.named(vm, &name, &format!("{letter}{name}{close}"))?;
                    if letter == '{' {
                        let text = vm.to_s(&found)?;
                        pad(vm, &mut out, &text, &flags)?;
                        break;
                    }
                    value = Some(found);
                }
                '%' if flags != Flags::default() => {
                    return Err(vm.argument_error("invalid format character - %"));
                }
                '%' => {
                    out.push('%');
                    break;
                }
                '\n' | '\0' => {
                    out.push('%');
                    out.push(letter);
                    break;
                }
                _ => {
                    let value = match value.take() {
                        Some(value) => value,
                        None if "csdiubBoxXfeEgGaAp".contains(letter) => source.take(vm)?,
                        None => Value::Nil,
                    };
                    one(vm, &mut out, letter, value, &mut flags)?;
                    break;
                }
            }
        }
        vm.build(16)?;
    }
    vm.build(out.len())?;
    Ok(Value::string(out))
}

fn pad(vm: &mut Vm<'_>, out: &mut String, text: &str, flags: &Flags) -> Outcome<()> {
    let cut: String;
    let text = match flags.precision {
        Some(most) => {
            cut = text.chars().take(most).collect();
            &cut
        }
        None => text,
    };
    let width = flags.width.unwrap_or(0);
    if width > MAX_WIDTH {
        return Err(vm.argument_error("width too big"));
    }
    vm.build(width)?;
    let fill = width.saturating_sub(text.chars().count());
    if !flags.minus {
        out.extend(std::iter::repeat_n(' ', fill));
    }
    out.push_str(text);
    if flags.minus {
        out.extend(std::iter::repeat_n(' ', fill));
    }
    Ok(())
}

fn one(vm: &mut Vm<'_>, out: &mut String, letter: char, value: Value, flags: &mut Flags) -> Outcome<()> {
    if flags.precision.unwrap_or(0) > MAX_WIDTH {
        return Err(vm.argument_error("precision too big"));
    }
    match letter {
        's' => {
            let text = vm.to_s(&value)?;
            pad(vm, out, &text, flags)
        }
        'p' => {
            let text = vm.inspect(&value)?;
            pad(vm, out, &text, flags)
        }
        'c' => {
            let text = match &value {
                Value::Str(text) if text.with(|text| text.chars().count() != 1) => {
                    return Err(vm.argument_error("%c requires a character"));
                }
                Value::Str(text) => text.with(str::to_owned),
                other => {
                    let code = vm.to_int(other)?;
                    match u32::try_from(code).ok().and_then(char::from_u32) {
                        Some(letter) => letter.to_string(),
                        None => return Err(vm.argument_error("invalid character")),
                    }
                }
            };
            flags.precision = None;
            pad(vm, out, &text, flags)
        }
        'd' | 'i' | 'u' => {
            let number = integer(vm, &value)?;
            number_out(vm, out, &number, 10, "", flags, false)
        }
        'b' | 'B' => {
            let number = integer(vm, &value)?;
            number_out(vm, out, &number, 2, if letter == 'b' { "0b" } else { "0B" }, flags, false)
        }
        'o' => {
            let number = integer(vm, &value)?;
            number_out(vm, out, &number, 8, "0", flags, false)
        }
        'x' | 'X' => {
            let number = integer(vm, &value)?;
            number_out(vm, out, &number, 16, if letter == 'x' { "0x" } else { "0X" }, flags, letter == 'X')
        }
        'f' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
            if letter == 'f'
                && let Some(number) = Vm::as_big(&value)
            {
                // Integers of any size are formatted exactly.
                let precision = flags.precision.unwrap_or(6);
                let mut digits = vm.big_text(&BigInt::from(number.magnitude().clone()))?;
                if precision > 0 {
                    digits.push('.');
                    digits.extend(std::iter::repeat_n('0', precision));
                }
                return signed(vm, out, number.sign() == Sign::Minus, "", &digits, flags, true);
            }
            let number = match &value {
                Value::Str(text) => match text.with(|text| parse_float(text, true)) {
                    Some(number) => number,
                    None => {
                        let shown = vm.inspect(&value)?;
                        return Err(vm.argument_error(format!("invalid value for Float(): {shown}")));
                    }
                },
                other => vm.to_float(other)?,
            };
            if !number.is_finite() {
                let text = if number.is_nan() { "NaN" } else { "Inf" };
                flags.zero = false;
                return signed(vm, out, number < 0.0, "", text, flags, false);
            }
            let magnitude = number.abs();
            let precision = flags.precision.unwrap_or(6);
            vm.build(precision)?;
            let digits = match letter {
                'f' => format!("{magnitude:.precision$}"),
                'e' | 'E' => exponential(magnitude, precision, letter),
                'g' | 'G' => general(magnitude, precision, flags.alternate, if letter == 'g' { 'e' } else { 'E' }),
                _ => return Err(vm.unsupported("the format %a")),
            };
            signed(vm, out, number.is_sign_negative(), "", &digits, flags, true)
        }
        other => Err(vm.argument_error(format!("malformed format string - %{other}"))),
    }
}

fn exponential(magnitude: f64, precision: usize, letter: char) -> String {
    let text = format!("{magnitude:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
    format!("{mantissa}{letter}{sign}{exponent:0>2}")
}

fn general(magnitude: f64, precision: usize, keep: bool, letter: char) -> String {
    let precision = precision.max(1);
    let text = format!("{magnitude:.*e}", precision - 1);
    let exponent: i64 = text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let trim = |text: String| {
        if keep || !text.contains('.') {
            return text;
        }
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if exponent < -4 || exponent >= precision as i64 {
        let text = exponential(magnitude, precision - 1, letter);
        let (mantissa, rest) = text.split_once(letter).unwrap_or((&text, ""));
        return format!("{}{letter}{rest}", trim(mantissa.to_owned()));
    }
    let digits = usize::try_from(precision as i64 - 1 - exponent).unwrap_or(0);
    trim(format!("{magnitude:.digits$}"))
}

fn integer(vm: &mut Vm<'_>, value: &Value) -> Outcome<BigInt> {
    Ok(match value {
        Value::Int(number) => BigInt::from(*number),
        Value::Big(number) => (**number).clone(),
        Value::Float(number) if number.is_finite() => super::float_to_big(number.trunc()),
        Value::Float(number) => {
            let class = vm.st.classes.float_domain_error.clone();
            return Err(vm.error(&class, hieratic_value::text::float(*number)));
        }
        Value::Str(text) => {
            charge_digits(vm, text.len_bytes())?;
            match text.with(|text| parse_integer(text, 0, true)) {
                Some(number) => number,
                None => {
                    let shown = vm.inspect(value)?;
                    return Err(vm.argument_error(format!("invalid value for Integer(): {shown}")));
                }
            }
        }
        Value::Nil => return Err(vm.type_error("can't convert nil into Integer")),
        other @ Value::Object(_) => BigInt::from(vm.to_int(other)?),
        other => {
            let class = vm.class_name(other);
            return Err(vm.type_error(format!("can't convert {class} into Integer")));
        }
    })
}

fn number_out(
    vm: &mut Vm<'_>,
    out: &mut String,
    number: &BigInt,
    radix: u32,
    prefix: &str,
    flags: &Flags,
    upper: bool,
) -> Outcome<()> {
    let negative = number.sign() == Sign::Minus;
    let mut digits;
    let mut sign = negative;
    if negative && radix != 10 && !flags.plus && !flags.space {
        // Two's complement, with dots for all the digits that follow to the left.
        let top = std::char::from_digit(radix - 1, radix).unwrap_or('1');
        let bits = u64::from(radix.trailing_zeros());
        let modulus = BigInt::from(1) << ((number.bits() / bits + 2) * bits);
        digits = (number + modulus).to_str_radix(radix);
        digits = format!("{top}{}", digits.trim_start_matches(top));
        if radix == 8 && !digits.starts_with('7') {
            digits.insert(0, '7');
        }
        sign = false;
        let filled = flags.precision.unwrap_or(0).max(if flags.zero { flags.width.unwrap_or(0) } else { 0 });
        if filled > digits.len() {
            let fill: String = std::iter::repeat_n(top, filled - digits.len()).collect();
            digits.insert_str(0, &fill);
        } else {
            digits.insert_str(0, "..");
        }
    } else {
        let magnitude = BigInt::from(number.magnitude().clone());
        digits = if radix == 10 { vm.big_text(&magnitude)? } else { magnitude.to_str_radix(radix) };
    }
    if let Some(precision) = flags.precision
        && digits.len() < precision
    {
        let fill: String = std::iter::repeat_n('0', precision - digits.len()).collect();
        digits.insert_str(0, &fill);
    }
    if flags.precision == Some(0) && digits == "0" {
        digits.clear();
    }
    if upper {
        digits = digits.to_uppercase();
    }
    let prefix = if flags.alternate && number.sign() != Sign::NoSign { prefix } else { "" };
    signed(vm, out, sign, prefix, &digits, flags, flags.precision.is_none())
}

fn signed(
    vm: &mut Vm<'_>,
    out: &mut String,
    negative: bool,
    prefix: &str,
    digits: &str,
    flags: &Flags,
    zeros: bool,
) -> Outcome<()> {
    let sign = if negative {
        "-"
    } else if flags.plus {
        "+"
    } else if flags.space {
        " "
    } else {
        ""
    };
    let width = flags.width.unwrap_or(0);
    if width > MAX_WIDTH {
        return Err(vm.argument_error("width too big"));
    }
    vm.build(width)?;
    let fill = width.saturating_sub(sign.len() + prefix.len() + digits.chars().count());
    let zeros = zeros && flags.zero && !flags.minus;
    if !zeros && !flags.minus {
        out.extend(std::iter::repeat_n(' ', fill));
    }
    out.push_str(sign);
    out.push_str(prefix);
    if zeros {
        out.extend(std::iter::repeat_n('0', fill));
    }
    out.push_str(digits);
    if flags.minus {
        out.extend(std::iter::repeat_n(' ', fill));
    }
    Ok(())
}
