//! The bytes that two strings have in common at their starts and at their ends.
//!
//! Strings of some hundred kilobytes are compared for each commit of a history. Numbers of 128 bits are compared in
//! place, while `memcmp` of the C library of the released program compares bytes.

/// The size of the parts that are compared at once.
const PART: usize = size_of::<u128>();

/// Returns the length of the common start of two strings.
pub fn common_start(one: &[u8], other: &[u8]) -> usize {
    let (parts, others) = (one.as_chunks::<PART>().0, other.as_chunks::<PART>().0);
    let equal = parts.iter().zip(others).take_while(|(one, other)| is_equal(one, other)).count() * PART;
    let rest = one.iter().zip(other).skip(equal);
    equal + rest.take_while(|(one, other)| one == other).count()
}

/// Returns the length of the common end of two strings.
pub fn common_end(one: &[u8], other: &[u8]) -> usize {
    let (parts, others) = (one.as_rchunks::<PART>().1, other.as_rchunks::<PART>().1);
    let equal = parts.iter().rev().zip(others.iter().rev()).take_while(|(one, other)| is_equal(one, other));
    let equal = equal.count() * PART;
    let rest = one.iter().rev().zip(other.iter().rev()).skip(equal);
    equal + rest.take_while(|(one, other)| one == other).count()
}

fn is_equal(one: &[u8; PART], other: &[u8; PART]) -> bool {
    u128::from_ne_bytes(*one) == u128::from_ne_bytes(*other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_and_ends_are_those_of_single_bytes() {
        let bytes: Vec<u8> = (0..100_u8).collect();
        for length in 0..bytes.len() {
            let one = &bytes[..length];
            assert_eq!((common_start(one, &bytes), common_end(one, one)), (length, length));
            for at in 0..length {
                let mut other = one.to_vec();
                other[at] ^= 1;
                assert_eq!((common_start(one, &other), common_end(one, &other)), (at, length - at - 1));
            }
            assert_eq!(common_end(&bytes[length..], &bytes), bytes.len() - length);
        }
    }
}
