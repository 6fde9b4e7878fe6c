//! The encodings of numbers in pages of Parquet files.

/// Encodes numbers as runs of equal ones and, in groups of eight, as their bits: the [hybrid
/// encoding](https://parquet.apache.org/docs/file-format/data-pages/encodings/#run-length-encoding--bit-packing-hybrid-rle--3).
/// The output contains exactly these numbers.
pub(super) fn encode_hybrid(numbers: &[u32], width: u32, out: &mut Vec<u8>) {
    let mut written = 0;
    let mut at = 0;
    while at < numbers.len() {
        let first = numbers[at];
        let length = numbers[at..].iter().take_while(|number| **number == first).count();
        // The group before the run is filled up to eight with numbers of the run.
        let fill = (at - written).next_multiple_of(8) - (at - written);
        if length < fill + 8 {
            at += length;
            continue;
        }
        encode_bit_packed(&numbers[written..at + fill], width, out);
        encode_run(first, length - fill, width, out);
        at += length;
        written = at;
    }
    let rest = &numbers[written..];
    let (eights, few) = rest.split_at(rest.len() / 8 * 8);
    encode_bit_packed(eights, width, out);
    for equal in few.chunk_by(|one, other| one == other) {
        encode_run(equal[0], equal.len(), width, out);
    }
}

/// Encodes a run of one number.
fn encode_run(number: u32, times: usize, width: u32, out: &mut Vec<u8>) {
    varint(times << 1, out);
    out.extend_from_slice(&number.to_le_bytes()[..width.div_ceil(8) as usize]);
}

/// Encodes groups of eight numbers as their bits.
fn encode_bit_packed(eights: &[u32], width: u32, out: &mut Vec<u8>) {
    if eights.is_empty() {
        return;
    }
    varint((eights.len() / 8) << 1 | 1, out);
    pack_bits(eights.iter().copied(), width, out);
}

/// Concatenates the lowest bits of numbers.
pub(super) fn pack_bits(numbers: impl Iterator<Item = u32>, width: u32, out: &mut Vec<u8>) {
    let (mut waiting, mut bits) = (0_u64, 0);
    for number in numbers {
        waiting |= u64::from(number) << bits;
        bits += width;
        if bits >= 32 {
            out.extend_from_slice(&(waiting as u32).to_le_bytes());
            waiting >>= 32;
            bits -= 32;
        }
    }
    out.extend_from_slice(&waiting.to_le_bytes()[..bits.div_ceil(8) as usize]);
}

fn varint(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A decoder, written from the description of the encoding.
    fn read(mut bytes: &[u8], width: u32, count: usize) -> Vec<u32> {
        let mut numbers = Vec::new();
        while numbers.len() < count {
            let (mut head, mut shift) = (0_usize, 0);
            loop {
                let byte = bytes[0];
                bytes = &bytes[1..];
                head |= usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            if head & 1 == 0 {
                let length = width.div_ceil(8) as usize;
                let mut number = [0; 4];
                number[..length].copy_from_slice(&bytes[..length]);
                bytes = &bytes[length..];
                numbers.extend(std::iter::repeat_n(u32::from_le_bytes(number), head >> 1));
            } else {
                let length = (head >> 1) * width as usize;
                let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
                for number in 0..(head >> 1) * 8 {
                    let start = number * width as usize;
                    numbers.push((0..width as usize).map(|at| bit(start + at) << at).sum());
                }
                bytes = &bytes[length..];
            }
        }
        assert!(bytes.is_empty() && numbers.len() - count < 8, "{} bytes are left", bytes.len());
        numbers.truncate(count);
        numbers
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let mut state = 1_u64;
        let mut below = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        for round in 0..2000 {
            let width = 1 + below(20) as u32;
            let mut numbers = Vec::new();
            for _ in 0..below(6) {
                let length = 1 + below(40) as usize;
                match below(2) {
                    0 => numbers.extend(std::iter::repeat_n(below(1 << width) as u32, length)),
                    _ => numbers.extend((0..length).map(|_| below(1 << width) as u32)),
                }
            }
            let mut bytes = Vec::new();
            encode_hybrid(&numbers, width, &mut bytes);
            // Appended numbers are decoded after the first ones.
            encode_hybrid(&numbers, width, &mut bytes);
            numbers.extend_from_within(..);
            assert_eq!(read(&bytes, width, numbers.len()), numbers, "round {round}, {width} bits");
        }
    }

    #[test]
    fn equal_numbers_take_little_room() {
        let mut bytes = Vec::new();
        encode_hybrid(&[3; 20_000], 17, &mut bytes);
        assert_eq!(bytes.len(), 6);
    }
}
