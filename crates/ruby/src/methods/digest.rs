//! Digests and their encodings.

use md5::Digest as _;

use super::Natives;
use crate::value::Value;
use crate::vm::{Args, Outcome, Vm};

/// A digest of bytes, and how many bytes its blocks have.
#[derive(Clone, Copy)]
struct Digest {
    of: fn(&[u8]) -> Vec<u8>,
    block: usize,
}

const DIGESTS: [(&str, Digest); 6] = [
    ("MD5", Digest { of: |bytes| md5::Md5::digest(bytes).to_vec(), block: 64 }),
    ("SHA1", Digest { of: |bytes| sha1::Sha1::digest(bytes).to_vec(), block: 64 }),
    ("SHA224", Digest { of: |bytes| sha2::Sha224::digest(bytes).to_vec(), block: 64 }),
    ("SHA256", Digest { of: |bytes| sha2::Sha256::digest(bytes).to_vec(), block: 64 }),
    ("SHA384", Digest { of: |bytes| sha2::Sha384::digest(bytes).to_vec(), block: 128 }),
    ("SHA512", Digest { of: |bytes| sha2::Sha512::digest(bytes).to_vec(), block: 128 }),
];

/// The longest key that is derived, in bytes.
const MAX_KEY: usize = 1 << 20;

impl Digest {
    /// A key as both of its paddings.
    fn pads(self, key: &[u8]) -> [Vec<u8>; 2] {
        let mut padded = if key.len() > self.block { (self.of)(key) } else { key.to_vec() };
        padded.resize(self.block, 0);
        [0x36, 0x5c].map(|with| padded.iter().map(|byte| byte ^ with).collect())
    }

    /// The code of a message, with the paddings of a key.
    fn code(self, [inner, outer]: &[Vec<u8>; 2], message: &[u8]) -> Vec<u8> {
        let within = (self.of)(&[inner, message].concat());
        (self.of)(&[&outer[..], &within].concat())
    }
}

fn named(vm: &mut Vm<'_>, a: &Args) -> Outcome<Digest> {
    let name = vm.to_s(&a.at(0))?;
    let plain = name.to_ascii_uppercase().replace('-', "");
    match DIGESTS.iter().find(|(known, _)| *known == plain) {
        Some((_, digest)) => Ok(*digest),
        None => Err(vm.unsupported(format!("the digest {name}"))),
    }
}

fn bytes(vm: &mut Vm<'_>, a: &Args, at: usize) -> Outcome<Vec<u8>> {
    let bytes = vm.to_string_object(&a.at(at))?.bytes().to_vec();
    vm.steps(bytes.len() / 64)?;
    Ok(bytes)
}

pub(super) const FUNCTIONS: Natives = &[
    ("self.digest", 2, 2, |vm, _, a| {
        let digest = named(vm, a)?;
        let bytes = bytes(vm, a, 1)?;
        Ok(Value::binary((digest.of)(&bytes)))
    }),
    ("self.hmac", 3, 3, |vm, _, a| {
        let digest = named(vm, a)?;
        let (key, message) = (bytes(vm, a, 1)?, bytes(vm, a, 2)?);
        Ok(Value::binary(digest.code(&digest.pads(&key), &message)))
    }),
    // PBKDF2: https://www.rfc-editor.org/rfc/rfc8018#section-5.2
    ("self.pbkdf2", 5, 5, |vm, _, a| {
        let digest = named(vm, a)?;
        let (password, salt) = (bytes(vm, a, 1)?, bytes(vm, a, 2)?);
        let iterations = vm.to_count(&a.at(3), "negative iterations")?.max(1);
        let length = vm.to_count(&a.at(4), "negative length")?;
        if length > MAX_KEY {
            return Err(vm.argument_error("the key is too long"));
        }
        let pads = digest.pads(&password);
        let mut key = Vec::with_capacity(length);
        for block in 1_u32.. {
            if key.len() >= length {
                break;
            }
            let mut last = digest.code(&pads, &[&salt[..], &block.to_be_bytes()].concat());
            let mut sum = last.clone();
            for _ in 1..iterations {
                vm.steps(16)?;
                last = digest.code(&pads, &last);
                sum.iter_mut().zip(&last).for_each(|(sum, byte)| *sum ^= byte);
            }
            key.extend(sum);
        }
        key.truncate(length);
        Ok(Value::binary(key))
    }),
];
