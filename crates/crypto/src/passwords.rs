//! Password hashes of crypt(3) for the functions of all languages, and their costs. The hashes are intentionally slow,
//! so the caller charges the cost to a budget before it computes one.
//!
//! ```
//! use hieratic_crypto::passwords::{Sha, sha};
//!
//! let digest = sha(Sha::Sha512, b"password", "salt", 5_000).unwrap();
//! assert!(digest.starts_with("IxDD3jeSOb5eB1CX5LBsqZFVkJdido3OUILO5Ifz5iwMuTS4XMS130MTSuDDl3aCI6WouIL9AjRbLCelDCy.g."));
//! ```

use base64::Engine as _;
use base64::alphabet::BCRYPT;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use md5::{Digest as _, Md5};
use sha_crypt::{Sha256Params, Sha512Params};

pub use bcrypt::Version;

/// The two kinds of SHA-crypt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sha {
    /// `$5$`.
    Sha256,
    /// `$6$`.
    Sha512,
}

impl Sha {
    /// Returns the part between the first two dollar signs of a hash.
    pub fn prefix(self) -> &'static str {
        match self {
            Sha::Sha256 => "5",
            Sha::Sha512 => "6",
        }
    }

    fn block(self) -> u64 {
        match self {
            Sha::Sha256 => 64,
            Sha::Sha512 => 128,
        }
    }
}

/// The number of characters of a salt that SHA-crypt uses.
pub const SHA_SALT: usize = 16;

/// The default number of rounds of SHA-crypt.
pub const SHA_ROUNDS: usize = sha_crypt::ROUNDS_DEFAULT;

/// Returns the digest of a password by SHA-crypt, without its prefix, rounds and salt. Returns `None` if the number of
/// rounds is invalid.
pub fn sha(kind: Sha, password: &[u8], salt: &str, rounds: usize) -> Option<String> {
    let salt = salt.as_bytes();
    match kind {
        Sha::Sha256 => sha_crypt::sha256_crypt_b64(password, salt, &Sha256Params::new(rounds).ok()?).ok(),
        Sha::Sha512 => sha_crypt::sha512_crypt_b64(password, salt, &Sha512Params::new(rounds).ok()?).ok(),
    }
}

/// Returns the cost in steps of a budget: one for every digested block. At the start, the password is digested once per
/// byte.
pub fn sha_steps(kind: Sha, password: &[u8], rounds: usize) -> u64 {
    let whole = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let length = whole(password.len());
    let blocks = |bytes: u64| bytes / kind.block() + 1;
    let start = blocks(length.saturating_mul(length));
    let round = blocks(length.saturating_mul(2).saturating_add(whole(SHA_SALT)));
    start.saturating_add(round.saturating_mul(whole(rounds)))
}

/// The most characters of a salt that MD5-crypt uses.
pub const MD5_SALT: usize = 8;

/// The digits of MD5-crypt.
const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Returns the digest of a password by MD5-crypt, which devices such as routers still ask for, without its prefix `1` and
/// its salt.
///
/// ```
/// assert_eq!(hieratic_crypto::passwords::md5(b"cisco", "nTc1"), "Z28sUTcWfXlvVe2x.3XAa.");
/// ```
pub fn md5(password: &[u8], salt: &str) -> String {
    let digest = |parts: &[&[u8]]| {
        let mut digest = Md5::new();
        parts.iter().for_each(|part| digest.update(part));
        digest.finalize()
    };
    let salt = salt.as_bytes();
    let mut start = Md5::new();
    start.update(password);
    start.update(b"$1$");
    start.update(salt);
    let other = digest(&[password, salt, password]);
    for part in password.chunks(other.len()) {
        start.update(other.get(..part.len()).unwrap_or_default());
    }
    let mut bits = password.len();
    while bits > 0 {
        start.update(if bits & 1 == 1 { b"\0" } else { password.get(..1).unwrap_or_default() });
        bits >>= 1;
    }
    let mut last = start.finalize();
    for round in 0..MD5_ROUNDS {
        let (first, second) = if round % 2 == 1 { (password, &last[..]) } else { (&last[..], password) };
        let salt = if round % 3 > 0 { salt } else { b"" };
        let again = if round % 7 > 0 { password } else { b"" };
        last = digest(&[first, salt, again, second]);
    }
    let byte = |at: usize| last.get(at).copied().map_or(0, usize::from);
    let groups = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]];
    let groups = groups.map(|[high, middle, low]| (byte(high) << 16 | byte(middle) << 8 | byte(low), 4));
    let digits = groups.into_iter().chain([(byte(11), 2)]).flat_map(|(bits, count)| {
        (0..count).map(move |at| DIGITS.get(bits >> (6 * at) & 63).map_or('.', |digit| char::from(*digit)))
    });
    digits.collect()
}

const MD5_ROUNDS: usize = 1_000;

/// Returns the cost of MD5-crypt in steps of a budget: one for every digested block.
pub fn md5_steps(password: &[u8]) -> u64 {
    let length = u64::try_from(password.len()).unwrap_or(u64::MAX);
    (length / 32 + 1).saturating_mul(MD5_ROUNDS as u64)
}

/// The letters of a salt of bcrypt.
pub const BCRYPT_SALT: usize = 22;

/// Returns the bytes of a salt of bcrypt, whose last letter has four bits too many. Returns `None` unless the salt has
/// 22 valid letters.
///
/// ```
/// assert_eq!(hieratic_crypto::passwords::bcrypt_salt("......................"), Some([0; 16]));
/// assert_eq!(hieratic_crypto::passwords::bcrypt_salt("short"), None);
/// ```
pub fn bcrypt_salt(letters: &str) -> Option<[u8; 16]> {
    let digits = GeneralPurpose::new(
        &BCRYPT,
        GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(DecodePaddingMode::RequireNone),
    );
    <[u8; 16]>::try_from(digits.decode(letters).ok()?).ok()
}

/// Returns the hash of a password by bcrypt; nothing for a cost that bcrypt does not have.
pub fn bcrypt(version: Version, password: &[u8], cost: u32, salt: [u8; 16]) -> Option<String> {
    Some(bcrypt::hash_with_salt(password, cost, salt).ok()?.format_for_version(version))
}

/// Returns the cost in steps of a budget for a cost parameter. Each increment doubles the work; cost 10 takes a tenth
/// of a second.
pub fn bcrypt_steps(cost: u32) -> u64 {
    1_000 << cost.min(40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_grows_with_the_rounds_and_with_the_square_of_the_length() {
        let steps = |length: usize, rounds| sha_steps(Sha::Sha512, &vec![b'x'; length], rounds);
        assert_eq!(steps(8, 5_000), 5_001);
        assert_eq!(steps(1 << 20, 1_000) >> 20, (8 << 10) + 15);
        assert_eq!((bcrypt_steps(10), bcrypt_steps(31) >> 10), (1_024_000, 2_097_152_000));
    }

    #[test]
    fn rounds_that_do_not_exist_have_no_hash() {
        assert_eq!(sha(Sha::Sha256, b"a", "s", 999), None);
        assert_eq!(bcrypt(Version::TwoB, b"a", 3, [0; 16]), None);
    }
}
