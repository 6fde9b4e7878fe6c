//! Ranges of numbers: `Integer[1, 10]`, `Float[0.0]` and size constraints.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hieratic_value::{BigInt, Rich, Value, text};

/// An integer of any size, without an allocation if it fits into 64 bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Int(IntRepr);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum IntRepr {
    Small(i64),
    /// Never a number that fits into 64 bits, so that equal numbers have equal representations.
    Big(Arc<BigInt>),
}

impl Int {
    pub(crate) fn to_big(&self) -> BigInt {
        match &self.0 {
            IntRepr::Small(number) => BigInt::from(*number),
            IntRepr::Big(number) => (**number).clone(),
        }
    }

    /// Returns the next integer.
    pub fn successor(&self) -> Int {
        match &self.0 {
            IntRepr::Small(number) if *number < i64::MAX => Int::from(number + 1),
            _ => Int::from(self.to_big() + 1),
        }
    }

    /// Returns the previous integer.
    pub fn predecessor(&self) -> Int {
        match &self.0 {
            IntRepr::Small(number) if *number > i64::MIN => Int::from(number - 1),
            _ => Int::from(self.to_big() - 1),
        }
    }

    /// Returns the negated integer.
    pub fn negated(&self) -> Int {
        match &self.0 {
            IntRepr::Small(number) if *number > i64::MIN => Int::from(-number),
            _ => Int::from(-self.to_big()),
        }
    }

    /// Returns the nearest floating point number.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            IntRepr::Small(number) => *number as f64,
            // A decimal number always parses as a float; it is infinite if it is out of range.
            IntRepr::Big(number) => number.to_string().parse().unwrap_or(f64::INFINITY),
        }
    }

    /// Returns the integer of a value, or `None` for other types.
    pub fn from_value(value: &Value) -> Option<Int> {
        match value {
            Value::Integer(number) => Some(Int::from(*number)),
            Value::Rich(rich) => match &**rich {
                Rich::BigInteger(number) => Some(Int::from(number.clone())),
                _ => None,
            },
            _ => None,
        }
    }
}

impl From<i64> for Int {
    fn from(number: i64) -> Self {
        Int(IntRepr::Small(number))
    }
}

impl From<i32> for Int {
    fn from(number: i32) -> Self {
        Int::from(i64::from(number))
    }
}

impl From<BigInt> for Int {
    fn from(number: BigInt) -> Self {
        match i64::try_from(&number) {
            Ok(small) => Int(IntRepr::Small(small)),
            Err(_) => Int(IntRepr::Big(Arc::new(number))),
        }
    }
}

impl From<usize> for Int {
    fn from(number: usize) -> Self {
        i64::try_from(number).map_or_else(|_| Int::from(BigInt::from(number)), Int::from)
    }
}

impl From<Int> for Value {
    fn from(number: Int) -> Self {
        match number.0 {
            IntRepr::Small(number) => Value::Integer(number),
            IntRepr::Big(number) => Value::from(Rich::BigInteger((*number).clone())),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (&self.0, &other.0) {
            (IntRepr::Small(a), IntRepr::Small(b)) => a.cmp(b),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            IntRepr::Small(number) => write!(f, "{number}"),
            IntRepr::Big(number) => write!(f, "{number}"),
        }
    }
}

/// A range of integers, with inclusive bounds; a bound of `None` is open.
///
/// ```
/// use hieratic_puppet_types::IntegerRange;
/// let port = IntegerRange::new(Some(1.into()), Some(65535.into())).unwrap();
/// assert!(port.contains(&8080.into()));
/// assert!(IntegerRange::new(Some(5.into()), Some(3.into())).is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct IntegerRange {
    from: Option<Int>,
    to: Option<Int>,
}

impl IntegerRange {
    /// Every integer.
    pub const ALL: IntegerRange = IntegerRange { from: None, to: None };

    /// Creates the range between two bounds; returns `None` if the first is greater than the second.
    pub fn new(from: Option<Int>, to: Option<Int>) -> Option<IntegerRange> {
        match (&from, &to) {
            (Some(low), Some(high)) if low > high => None,
            _ => Some(IntegerRange { from, to }),
        }
    }

    /// Creates the range of all integers from this one up.
    pub fn at_least(from: impl Into<Int>) -> IntegerRange {
        IntegerRange { from: Some(from.into()), to: None }
    }

    /// Creates the range of one integer.
    pub fn exactly(number: impl Into<Int>) -> IntegerRange {
        let number = number.into();
        IntegerRange { from: Some(number.clone()), to: Some(number) }
    }

    /// Creates the range of a size between two numbers.
    pub(crate) fn sizes(from: usize, to: usize) -> IntegerRange {
        IntegerRange { from: Some(from.min(to).into()), to: Some(to.into()) }
    }

    /// Returns the lower bound; `None` is open.
    pub fn from(&self) -> Option<&Int> {
        self.from.as_ref()
    }

    /// Returns the upper bound; `None` is open.
    pub fn to(&self) -> Option<&Int> {
        self.to.as_ref()
    }

    /// Returns whether both bounds are open.
    pub fn is_unbounded(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    /// Returns whether both bounds are closed.
    pub fn is_finite(&self) -> bool {
        self.from.is_some() && self.to.is_some()
    }

    /// Returns whether the number is in the range.
    pub fn contains(&self, number: &Int) -> bool {
        self.from.as_ref().is_none_or(|from| from <= number) && self.to.as_ref().is_none_or(|to| number <= to)
    }

    /// Returns whether the size is in the range.
    pub fn contains_size(&self, size: usize) -> bool {
        self.contains(&Int::from(size))
    }

    /// Returns whether every number of the other range is in this one.
    pub fn includes(&self, other: &IntegerRange) -> bool {
        let low = match (&self.from, &other.from) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(others)) => own <= others,
        };
        let high = match (&self.to, &other.to) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(others)) => own >= others,
        };
        low && high
    }

    /// Returns the smallest range that includes both.
    pub fn hull(&self, other: &IntegerRange) -> IntegerRange {
        IntegerRange {
            from: self.from.clone().zip(other.from.clone()).map(|(a, b)| a.min(b)),
            to: self.to.clone().zip(other.to.clone()).map(|(a, b)| a.max(b)),
        }
    }

    /// Merges both if they overlap or are adjacent.
    pub fn merge(&self, other: &IntegerRange) -> Option<IntegerRange> {
        let before = |low: &IntegerRange, high: &IntegerRange| match (&low.to, &high.from) {
            (Some(to), Some(from)) => to.successor() < *from,
            _ => false,
        };
        (!before(self, other) && !before(other, self)).then(|| self.hull(other))
    }

    /// Returns the range without negative numbers, for sizes.
    pub fn to_size(&self) -> IntegerRange {
        let zero = Int::from(0i64);
        match &self.from {
            Some(from) if *from >= zero => self.clone(),
            _ => IntegerRange { to: self.to.clone().map(|to| to.max(zero.clone())), from: Some(zero) },
        }
    }

    /// Returns whether the range contains only zero.
    pub(crate) fn is_zero(&self) -> bool {
        *self == IntegerRange::exactly(0i64)
    }
}

/// A range of floating point numbers with inclusive bounds; infinite bounds are open.
#[derive(Clone, Copy, Debug)]
pub struct FloatRange {
    from: f64,
    to: f64,
}

impl FloatRange {
    /// Every floating point number.
    pub const ALL: FloatRange = FloatRange { from: f64::NEG_INFINITY, to: f64::INFINITY };

    /// Creates the range between two bounds; returns `None` if the first is greater than the second.
    pub fn new(from: Option<f64>, to: Option<f64>) -> Option<FloatRange> {
        let (from, to) = (from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
        // A range with NaN has no order. It is allowed because the reference infers such ranges.
        let ordered = from.partial_cmp(&to) != Some(std::cmp::Ordering::Greater);
        ordered.then_some(FloatRange { from, to })
    }

    /// Creates the range of one number.
    pub fn exactly(number: f64) -> FloatRange {
        FloatRange { from: number, to: number }
    }

    /// Returns the lower bound; `None` is open.
    pub fn from(&self) -> Option<f64> {
        (self.from != f64::NEG_INFINITY).then_some(self.from)
    }

    /// Returns the upper bound; `None` is open.
    pub fn to(&self) -> Option<f64> {
        (self.to != f64::INFINITY).then_some(self.to)
    }

    /// Returns whether both bounds are open.
    pub fn is_unbounded(&self) -> bool {
        self.from().is_none() && self.to().is_none()
    }

    /// Returns whether the number is in the range.
    pub fn contains(&self, number: f64) -> bool {
        self.from <= number && number <= self.to
    }

    /// Returns whether every number of the other range is in this one.
    pub fn includes(&self, other: &FloatRange) -> bool {
        self.from <= other.from && self.to >= other.to
    }

    /// Returns the smallest range that includes both.
    pub fn hull(&self, other: &FloatRange) -> FloatRange {
        FloatRange { from: self.from.min(other.from), to: self.to.max(other.to) }
    }

    /// Merges both if they overlap.
    pub fn merge(&self, other: &FloatRange) -> Option<FloatRange> {
        let apart = self.to < other.from || other.to < self.from;
        (!apart).then(|| self.hull(other))
    }
}

impl PartialEq for FloatRange {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
        same(self.from, other.from) && same(self.to, other.to)
    }
}

impl Eq for FloatRange {}

impl Hash for FloatRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Zero and minus zero are equal and must have the same hash; so must all NaNs.
        for number in [self.from, self.to] {
            let bits = if number.is_nan() { u64::MAX } else { (number + 0.0).to_bits() };
            bits.hash(state);
        }
    }
}

/// A range of timestamps or timespans in nanoseconds with inclusive bounds; a bound of `None` is open.
///
/// Types are passed by value and should be small, so the bounds are behind a pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TimeRange(Option<Arc<TimeEnds>>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct TimeEnds {
    from: Option<i128>,
    to: Option<i128>,
}

impl TimeRange {
    /// The unbounded range.
    pub const ALL: TimeRange = TimeRange(None);

    /// Creates the range between two bounds; returns `None` if the first is greater than the second.
    pub fn new(from: Option<i128>, to: Option<i128>) -> Option<TimeRange> {
        match (from, to) {
            (None, None) => Some(TimeRange::ALL),
            (Some(low), Some(high)) if low > high => None,
            _ => Some(TimeRange(Some(Arc::new(TimeEnds { from, to })))),
        }
    }

    /// Creates the range of one time.
    pub fn exactly(nanoseconds: i128) -> TimeRange {
        TimeRange(Some(Arc::new(TimeEnds { from: Some(nanoseconds), to: Some(nanoseconds) })))
    }

    /// Returns the lower bound; `None` is open.
    pub fn from(&self) -> Option<i128> {
        self.0.as_ref()?.from
    }

    /// Returns the upper bound; `None` is open.
    pub fn to(&self) -> Option<i128> {
        self.0.as_ref()?.to
    }

    /// Returns whether the time is in the range.
    pub fn contains(&self, nanoseconds: i128) -> bool {
        self.from().is_none_or(|from| from <= nanoseconds) && self.to().is_none_or(|to| nanoseconds <= to)
    }

    /// Returns whether every time of the other range is in this one.
    pub fn includes(&self, other: &TimeRange) -> bool {
        self.from().is_none_or(|own| other.from().is_some_and(|other| own <= other))
            && self.to().is_none_or(|own| other.to().is_some_and(|other| own >= other))
    }
}

/// The bounds of a range as the parameters of a type: empty if both are open.
pub(crate) trait RangeParameters {
    fn parameters(&self) -> Vec<String>;
}

impl RangeParameters for IntegerRange {
    fn parameters(&self) -> Vec<String> {
        let end = |number: &Int| number.to_string();
        ends(self.from.as_ref().map(end), self.to.as_ref().map(end))
    }
}

impl RangeParameters for FloatRange {
    fn parameters(&self) -> Vec<String> {
        ends(self.from().map(text::float), self.to().map(text::float))
    }
}

fn ends(from: Option<String>, to: Option<String>) -> Vec<String> {
    match (from, to) {
        (None, None) => Vec::new(),
        (from, to) => std::iter::once(from.unwrap_or_else(|| "default".into())).chain(to).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn range(from: i64, to: i64) -> IntegerRange {
        IntegerRange::new(Some(from.into()), Some(to.into())).unwrap()
    }

    #[test]
    fn neighbours_merge_and_strangers_do_not() {
        assert_eq!(range(0, 2).merge(&range(3, 5)), Some(range(0, 5)));
        assert_eq!(range(0, 2).merge(&range(4, 5)), None);
        assert_eq!(range(0, i64::MAX).merge(&IntegerRange::at_least(7i64)), Some(IntegerRange::at_least(0i64)));
    }

    #[test]
    fn a_size_is_never_below_zero() {
        assert_eq!(range(-5, -1).to_size(), range(0, 0));
        assert_eq!(IntegerRange::ALL.to_size(), IntegerRange::at_least(0i64));
    }

    #[test]
    fn big_integers_have_one_form() {
        let big = Int::from(i64::MAX).successor();
        assert_eq!(big.to_string(), "9223372036854775808");
        assert!(big > Int::from(i64::MAX));
        assert_eq!(Int::from(i64::MIN).negated(), big);
        assert_eq!(big.negated(), Int::from(i64::MIN));
    }

    proptest! {
        #[test]
        fn the_hull_includes_both(a in -9i64..9, b in 0i64..9, c in -9i64..9, d in 0i64..9) {
            let (one, two) = (range(a, a + b), range(c, c + d));
            let hull = one.hull(&two);
            prop_assert!(hull.includes(&one) && hull.includes(&two));
            if let Some(merged) = one.merge(&two) {
                for number in -20i64..20 {
                    let number = Int::from(number);
                    prop_assert_eq!(merged.contains(&number), one.contains(&number) || two.contains(&number));
                }
            }
        }
    }
}
