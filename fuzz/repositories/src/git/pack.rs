//! Objects as they lie on disk: in files of their own, and in packs, as differences to others.

use sha1::{Digest, Sha1};

use super::objects::{Id, deflated, hex};
use crate::random::Random;
use crate::repository::File;

/// An object in a file of its own, which now and then says something wrong of itself.
pub(super) fn loose_object(id: &Id, kind: &str, bytes: &[u8], lies: bool, random: &mut Random) -> File {
    const SIZES: [&str; 6] = ["0", "1", "4294967296", "18446744073709551615", "99999999999999999999", "-1"];
    let size = if lies && random.once_in(60) {
        random.one(&SIZES).copied().unwrap_or_default().to_owned()
    } else {
        bytes.len().to_string()
    };
    let mut whole = format!("{kind} {size}\0").into_bytes();
    whole.extend(bytes);
    if lies && random.once_in(100) {
        whole.resize(whole.len() + random.size(40_000_000), b'x');
    }
    let name = hex(*id);
    File::new(format!(".git/objects/{}/{}", &name[..2], &name[2..]), deflated(&whole))
}
fn header(kind: u8, mut size: u64) -> Vec<u8> {
    let mut bytes = vec![kind << 4 | (size & 15) as u8];
    size >>= 4;
    while size > 0 {
        if let Some(last) = bytes.last_mut() {
            *last |= 0x80;
        }
        bytes.push((size & 0x7f) as u8);
        size >>= 7;
    }
    bytes
}

/// A number of seven bits a byte.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = (number & 0x7f) as u8;
        number >>= 7;
        bytes.push(byte | if number > 0 { 0x80 } else { 0 });
        if number == 0 {
            return bytes;
        }
    }
}

pub(super) fn distance(mut number: u64) -> Vec<u8> {
    let mut bytes = vec![(number & 0x7f) as u8];
    while number > 0x7f {
        number = (number >> 7) - 1;
        bytes.insert(0, (number & 0x7f) as u8 | 0x80);
    }
    bytes
}

/// A difference that makes some bytes of any base, or one that copies its base again and again.
fn difference(base: usize, bytes: &[u8], lies: bool, random: &mut Random) -> Vec<u8> {
    const SIZES: [u64; 5] = [0, 1, 100_000_000, 1 << 40, u64::MAX];
    let mut delta = varint(base as u64);
    if lies && random.once_in(12) {
        let copies = random.size(20_000);
        let size = if random.once_in(3) {
            random.one(&SIZES).copied().unwrap_or(0)
        } else {
            (base.min(0xffff) * copies) as u64
        };
        delta.extend(varint(size));
        for _ in 0..copies {
            delta.extend([0x80 | 0x30, base.min(0xffff) as u8, (base.min(0xffff) >> 8) as u8]);
        }
        return delta;
    }
    delta.extend(varint(bytes.len() as u64));
    for part in bytes.chunks(127) {
        delta.push(part.len() as u8);
        delta.extend(part);
    }
    delta
}

/// Adds differences over each other, each the whole of what is below it, or that twice; the place of the last one.
fn chain(pack: &mut Vec<u8>, mut base: u64, mut size: usize, count: usize, doubles: bool) -> u64 {
    /// The most bytes that one instruction copies.
    const LARGEST: usize = 0xff_ffff;
    for _ in 0..count {
        let offset = pack.len() as u64;
        let times = if doubles { 2 } else { 1 };
        let mut delta = varint(size as u64);
        delta.extend(varint((size * times) as u64));
        // What is larger than one instruction copies is a lie.
        let part = size.clamp(1, LARGEST);
        for _ in 0..times {
            delta.extend([0xf0, part as u8, (part >> 8) as u8, (part >> 16) as u8]);
        }
        pack.extend(header(6, delta.len() as u64));
        pack.extend(distance(offset - base));
        pack.extend(deflated(&delta));
        (base, size) = (offset, size * times);
    }
    base
}

/// A pack of objects, some as differences to others, and its index.
pub(super) fn pack(objects: &[(Id, &'static str, Vec<u8>)], lies: bool, random: &mut Random) -> (Vec<u8>, Vec<u8>) {
    const SIZES: [u64; 5] = [0, 1, 3 << 30, 1 << 40, u64::MAX];
    let mut pack = [b"PACK\0\0\0\x02".as_slice(), &(objects.len() as u32).to_be_bytes()].concat();
    let mut places: Vec<(Id, u64)> = Vec::new();
    let deltas = random.once_in(2);
    for (at, (id, kind, bytes)) in objects.iter().enumerate() {
        let offset = pack.len() as u64;
        let number = match *kind {
            "commit" => 1,
            "tree" => 2,
            "blob" => 3,
            _ => 4,
        };
        let lie = (lies && random.once_in(80)).then(|| random.one(&SIZES).copied().unwrap_or(0));
        let base = random.below(at + 1);
        match objects.get(base).zip(places.get(base)) {
            Some(((base_id, _, base_bytes), (_, base_at))) if deltas && base < at => {
                let delta = difference(base_bytes.len(), bytes, lies, random);
                let size = lie.unwrap_or(delta.len() as u64);
                if random.once_in(2) {
                    pack.extend(header(6, size));
                    let wrong = lies && random.once_in(60);
                    pack.extend(distance(if wrong { random.size(1 << 20) as u64 } else { offset - base_at }));
                } else {
                    pack.extend(header(7, size));
                    // One that is a difference to itself, or to what is not there.
                    pack.extend(if lies && random.once_in(60) { *id } else { *base_id });
                }
                pack.extend(deflated(&delta));
            }
            _ => {
                pack.extend(header(number, lie.unwrap_or(bytes.len() as u64)));
                pack.extend(deflated(bytes));
            }
        }
        places.push((*id, offset));
    }
    if lies
        && random.once_in(8)
        && let Some(last) = places.len().checked_sub(1)
    {
        let doubles = random.once_in(2);
        let count = if doubles { random.size(40) } else { random.size(5_000) };
        places[last].1 = chain(&mut pack, places[last].1, objects[last].2.len(), count, doubles);
    }
    let trailer = Sha1::digest(&pack);
    pack.extend(trailer);
    places.sort_unstable();
    let mut index = vec![0xff, b't', b'O', b'c', 0, 0, 0, 2];
    for first in 0..=255_u8 {
        let count = places.iter().filter(|(id, _)| id[0] <= first).count();
        let count = if lies && random.once_in(5_000) { random.size(1 << 31) } else { count };
        index.extend((count as u32).to_be_bytes());
    }
    index.extend(places.iter().flat_map(|(id, _)| *id));
    index.extend(vec![0; places.len() * 4]);
    for (_, place) in &places {
        let place = if lies && random.once_in(100) { random.size(1 << 31) as u64 | 0x8000_0000 } else { *place };
        index.extend((place as u32).to_be_bytes());
    }
    index.extend(trailer);
    let own = Sha1::digest(&index);
    index.extend(own);
    (pack, index)
}
