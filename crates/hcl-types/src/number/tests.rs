#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::{Number, Precision};

fn number(text: &str) -> Number {
    Number::parse(text).unwrap()
}

#[test]
fn numbers_parse_and_print() {
    for (text, printed) in [
        ("0", "0"),
        ("00012", "12"),
        ("1.50", "1.5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1e3", "1000"),
        ("1e-3", "0.001"),
        ("12345678901234567890123", "12345678901234567890123"),
        ("0.1", "0.1"),
        ("-0", "-0"),
        ("1p3", "8"),
        ("9223372036854775808", "9223372036854775808"),
    ] {
        assert_eq!(number(text).to_string(), printed, "{text}");
    }
    for text in ["", "-", ".", "e", "1e", "1_0", "0x1", "1e+", "1.2.3", " 1", "nan"] {
        assert!(Number::parse(text).is_none(), "{text}");
    }
    assert!(number("1e400").to_string().starts_with("1000"));
    assert!(number("Inf").is_infinite());
}

#[test]
fn quotients_are_rounded_to_their_precision() {
    let third = number("1").divide(&number("3")).unwrap();
    let text = third.to_string();
    assert!(text.starts_with("0.33333333333333333333") && text.len() > 150, "{text}");
    assert_eq!(third.to_short(10), "0.3333333333");
    assert!(number("7").divide(&Number::ZERO).unwrap().is_infinite());
    assert!(Number::ZERO.divide(&Number::ZERO).is_none());
}

#[test]
fn remainders_are_cut_towards_zero() {
    assert_eq!(number("-7").modulo(&number("3")), Some(number("-1")));
    assert_eq!(number("7.5").modulo(&number("2")), Some(number("1.5")));
    // The sign of zero, as in the reference.
    for (dividend, divisor, rest) in [("-0", "5", "-0"), ("-0", "-5", "0"), ("-0", "-0.1", "0"), ("0", "-5", "0")] {
        assert_eq!(number(dividend).modulo(&number(divisor)).unwrap().to_string(), rest, "{dividend} % {divisor}");
    }
}

#[test]
fn machine_numbers_are_exact() {
    assert_eq!(Number::from_f64(0.5).unwrap().to_string(), "0.5");
    assert_eq!(Number::from_f64(0.1).unwrap().to_string(), "0.1");
    assert_eq!(number("0.1").to_f64(), 0.1);
    assert_eq!(number("1e300").to_f64(), 1e300);
    assert_eq!(number("5e-324").to_f64(), 5e-324);
    let large = Number::from_f64(70110209207109376.0).unwrap();
    assert_eq!((large.to_string().as_str(), large.to_i64()), ("70110209207109380", Some(70110209207109376)));
    assert_eq!(large, number("70110209207109376"));
}

#[test]
fn words_overflow_into_large_numbers() {
    let most = number("9223372036854775807");
    assert_eq!(most.add(&number("1")).unwrap().to_string(), "9223372036854775808");
    assert_eq!(most.multiply(&most).unwrap().to_string(), "85070591730234615847396907784232501249");
    assert_eq!(number("-9223372036854775808").negate().to_string(), "9223372036854775808");
}

proptest::proptest! {
    /// The printed form of a number parses as the same number.
    #[test]
    fn texts_round_trip(mantissa in proptest::prelude::any::<i64>(), exponent in -400i32..400) {
        let read = number(&format!("{mantissa}e{exponent}"));
        proptest::prop_assert_eq!(&number(&read.to_string()), &read);
    }

    /// Machine numbers are represented exactly.
    #[test]
    fn machine_numbers_round_trip(value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL) {
        let number = Number::from_f64(value).unwrap();
        proptest::prop_assert_eq!(number.to_f64(), value);
        proptest::prop_assert_eq!(number.to_string().parse::<f64>().unwrap(), value);
    }

    /// Arithmetic of whole numbers agrees with that of the machine, in its range.
    #[test]
    fn whole_numbers_agree(a in -1_000_000_000i64..1_000_000_000, b in -1_000_000_000i64..1_000_000_000) {
        let (x, y) = (Number::from(a), Number::from(b));
        proptest::prop_assert_eq!(x.add(&y).unwrap(), Number::from(a + b));
        proptest::prop_assert_eq!(x.multiply(&y).unwrap(), Number::from(a * b));
        if b != 0 {
            proptest::prop_assert_eq!(x.modulo(&y).unwrap(), Number::from(a % b));
            proptest::prop_assert_eq!(x.divide(&y).unwrap().truncated().unwrap(), Number::from(a / b));
        }
    }
}

#[test]
fn subnormal_numbers_are_rounded_to_even() {
    let machine = |text: &str| Number::parse(text).unwrap().to_f64();
    let smallest = f64::from_bits(1);
    for (text, expected) in [
        ("4.9e-324", smallest),
        ("-2.5e-324", -smallest),
        // Half of the smallest number is between these two.
        ("2.4703282292062328e-324", smallest),
        ("2.4703282292062327e-324", 0.0),
        ("1e-400", 0.0),
        ("7.5e-324", f64::from_bits(2)),
    ] {
        assert_eq!(machine(text), expected, "{text}");
    }
    let half = Number::from_f64(smallest).unwrap().divide(&Number::from(2i64)).unwrap();
    assert_eq!(half.to_f64(), 0.0);
}

/// The leading digits equal the first of all digits.
#[test]
fn leading_digits_are_those_of_the_whole_number() {
    for text in ["1e20000", "-1.25e-9999", "9.99999999999999999e19999", "7p40000", "3p-40000", "123456789.5e14000"] {
        let number = Number::parse(text).unwrap();
        let exact = if number.is_whole() { number.absolute().to_digits(10).unwrap() } else { String::new() };
        // A precision above the number of digits gives all of them.
        let (all, point) = number.digits(Precision::Significant(100_000)).unwrap();
        assert!(exact.is_empty() || exact.trim_end_matches('0') == all, "{text}");
        for most in [1, 2, 17, 155, 300, 700] {
            let (digits, place) = number.digits(Precision::Significant(most)).unwrap();
            assert!(digits.len() <= most, "{text} {most}");
            let up = i64::from(all.as_bytes()[most] >= b'5');
            let head: dashu_int::UBig = all[..most].parse().unwrap();
            let rounded = (head + dashu_int::UBig::from(up.unsigned_abs())).to_string();
            assert_eq!(digits, rounded.trim_end_matches('0'), "{text} {most}");
            assert_eq!(place, point + (rounded.len() - most) as i64, "{text} {most}");
        }
        assert_eq!(Number::parse(&number.to_string()), Some(number.clone()), "{text}");
    }
    let (digits, point) = Number::parse("1e-9999999").unwrap().digits(Precision::Fraction(6)).unwrap();
    assert_eq!((digits.as_str(), point), ("", 0));
    assert_eq!(Number::parse("1e9999999").unwrap().to_string().len(), 10_000_000);
}

#[test]
fn numbers_are_limited_to_ten_million_digits() {
    let large = Number::parse("1e9999999").unwrap();
    assert_eq!(large.multiply(&large), Some(Number::INFINITY));
    assert_eq!(large.negate().multiply(&large), Some(Number::NEGATIVE_INFINITY));
    assert!(Number::from(1i64).divide(&large).unwrap().divide(&large).unwrap().is_zero());
}
