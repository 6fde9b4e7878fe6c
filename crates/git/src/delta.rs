//! Deltas between objects in packs: copies from the base, and new bytes.

use hieratic_budget::Budget;

use crate::objects::{BYTES_PER_STEP, ObjectError, no_memory, wrong};

/// The bytes of two sizes of 64 bits.
pub(crate) const LONGEST_HEADER: usize = 20;

/// The sizes of the base and of the result, which are at the beginning of a delta.
pub(crate) fn sizes(delta: &mut &[u8]) -> Result<(u64, u64), ObjectError> {
    Ok((size(delta)?, size(delta)?))
}

fn size(delta: &mut &[u8]) -> Result<u64, ObjectError> {
    let (mut size, mut shift) = (0, 0);
    loop {
        let byte = next(delta)?;
        if shift > 56 {
            return wrong("the size of a delta is malformed");
        }
        size |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return Ok(size);
        }
    }
}

fn next(delta: &mut &[u8]) -> Result<u8, ObjectError> {
    let Some((first, rest)) = delta.split_first() else { return wrong("a delta is truncated") };
    *delta = rest;
    Ok(*first)
}

/// Applies a delta to its base.
pub(crate) fn apply(base: &[u8], mut delta: &[u8], largest: u64, budget: &Budget) -> Result<Vec<u8>, ObjectError> {
    let (from, size) = sizes(&mut delta)?;
    if from != base.len() as u64 {
        return wrong("a delta does not match the size of its base");
    }
    if size > largest {
        return wrong(format!("it expands to {size} bytes, more than {largest}"));
    }
    let Ok(size) = usize::try_from(size) else { return wrong("it is larger than memory") };
    budget.steps(size as u64 / BYTES_PER_STEP + delta.len() as u64 / 8)?;
    let mut output: Vec<u8> = Vec::new();
    output.try_reserve_exact(size).map_err(|_| no_memory())?;
    while !delta.is_empty() {
        let code = next(&mut delta)?;
        let part = if code & 0x80 != 0 {
            let mut number = |bits: u8, bytes: u8| -> Result<usize, ObjectError> {
                let mut number = 0;
                for byte in 0..bytes {
                    if bits >> byte & 1 == 1 {
                        number |= usize::from(next(&mut delta)?) << (8 * byte);
                    }
                }
                Ok(number)
            };
            let start = number(code & 15, 4)?;
            let count = match number(code >> 4 & 7, 3)? {
                0 => 0x1_0000,
                count => count,
            };
            let end = start.checked_add(count);
            let Some(part) = end.and_then(|end| base.get(start..end)) else {
                return wrong("a delta copies bytes beyond the end of its base");
            };
            part
        } else {
            let count = usize::from(code);
            let Some((part, rest)) = delta.split_at_checked(count).filter(|_| count > 0) else {
                return wrong("a delta is truncated");
            };
            delta = rest;
            part
        };
        if part.len() > size - output.len() {
            return wrong("a delta expands to more bytes than it declares");
        }
        output.extend_from_slice(part);
    }
    if output.len() != size {
        return wrong("a delta expands to fewer bytes than it declares");
    }
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deltas_copy_and_add() {
        let apply_to = |delta: &[u8]| apply(b"0123456789", delta, 100, &Budget::default()).ok();
        assert_eq!(apply_to(&[10, 5, 0x91, 2, 3, 2, b'a', b'b']).as_deref(), Some(&b"234ab"[..]));
        let wrong: [&[u8]; 9] = [
            &[],
            &[10],
            &[9, 0],
            &[10, 5, 0x91, 2, 3],
            &[10, 3, 0x91, 9, 3],
            &[10, 2, 0x91, 2, 3],
            &[10, 1, 0],
            &[10, 101],
            &[0xff; 12],
        ];
        for delta in wrong {
            assert_eq!(apply_to(delta), None, "{delta:?}");
        }
        assert_eq!(apply_to(&[10, 0]).as_deref(), Some(&b""[..]));
    }
}
