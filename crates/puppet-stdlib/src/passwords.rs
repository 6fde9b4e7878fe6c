//! `pw_hash`: the password hashes of `crypt(3)`, without a call to the system.

use hieratic_crypto::passwords::{BCRYPT_SALT, MD5_SALT, SHA_ROUNDS, SHA_SALT, Sha, Version, bcrypt_steps};
use hieratic_puppet_functions::{Call, Outcome};
use hieratic_value::Value;

use crate::digests::reveal;
use crate::untyped::{ensure, fail};

/// The hash algorithms, with their crypt(3) prefixes.
const KINDS: [(&str, &str); 7] = [
    ("md5", "1"),
    ("sha-256", "5"),
    ("sha-512", "6"),
    ("bcrypt", "2b"),
    ("bcrypt-a", "2a"),
    ("bcrypt-x", "2x"),
    ("bcrypt-y", "2y"),
];

/// The length in bytes from which a password is too long, as in libxcrypt: the cost of SHA-crypt is quadratic in it.
const TOO_LONG: usize = 512;

pub(crate) fn pw_hash(call: &mut Call<'_>) -> Outcome {
    let many = call.arguments.len();
    ensure(many == 3, || format!("pw_hash(): wrong number of arguments ({many} for 3)"))?;
    let given = [reveal(&call.arguments[0]), reveal(&call.arguments[1]), reveal(&call.arguments[2])];
    let password = match given[0] {
        Value::String(password) => password.to_string(),
        Value::Undef => String::new(),
        _ => return fail("pw_hash(): first argument must be a string"),
    };
    let Value::String(kind) = given[1] else { return fail("pw_hash(): second argument must be a string") };
    let prefix = KINDS.iter().find(|(name, _)| *name == kind.to_lowercase()).map(|(_, prefix)| *prefix);
    let Some(prefix) = prefix else { return fail(format!("pw_hash(): {kind} is not a valid hash type")) };
    let Value::String(salt) = given[2] else { return fail("pw_hash(): third argument must be a string") };
    ensure(!salt.is_empty(), || "pw_hash(): third argument must not be empty".into())?;
    let bcrypt = prefix.starts_with('2');
    if bcrypt && !is_bcrypt_salt(salt) {
        let pattern = "(?-mix:^(0[4-9]|[12][0-9]|3[01])\\$[./A-Za-z0-9]{22})";
        return fail(format!("pw_hash(): characters in salt must match {pattern}"));
    }
    if !bcrypt && !salt.chars().all(is_salt) {
        return fail("pw_hash(): characters in salt must be in the set [a-zA-Z0-9./]");
    }
    if password.is_empty() {
        return Ok(Value::Undef);
    }
    ensure(password.len() < TOO_LONG, || {
        let (most, has) = (TOO_LONG - 1, password.len());
        format!("pw_hash(): a password has at most {most} bytes, and this one has {has}")
    })?;
    call.host.budget().steps(steps(salt, bcrypt))?;
    match crypt(&password, prefix, salt) {
        Some(hash) => Ok(Value::from(hash)),
        None => fail(format!("pw_hash(): {kind} with this salt cannot be computed; try bcrypt, sha-256 or sha-512")),
    }
}

fn is_salt(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '.' || c == '/'
}

fn is_bcrypt_salt(salt: &str) -> bool {
    salt.split_once('$').is_some_and(|(cost, salt)| {
        let cost_is_good = cost.len() == 2 && cost.parse::<u8>().is_ok_and(|cost| (4..=31).contains(&cost));
        cost_is_good && salt.chars().take_while(|c| is_salt(*c)).count() >= BCRYPT_SALT
    })
}

/// Returns the cost of a hash in steps. For algorithms other than bcrypt it is constant, because passwords are bounded
/// in length.
fn steps(salt: &str, bcrypt: bool) -> u64 {
    const OTHERS: u64 = 100_000;
    let cost = salt.get(..2).and_then(|cost| cost.parse::<u32>().ok()).filter(|_| bcrypt);
    cost.map_or(OTHERS, bcrypt_steps)
}

/// Returns the hash as in `/etc/shadow`; `None` for the insecure early version of bcrypt.
fn crypt(password: &str, prefix: &str, salt: &str) -> Option<String> {
    let password = password.as_bytes();
    let cut = |most: usize| &salt[..salt.len().min(most)];
    let sha = |kind: Sha| {
        let digest = hieratic_crypto::passwords::sha(kind, password, cut(SHA_SALT), SHA_ROUNDS)?;
        Some(format!("${}${}${digest}", kind.prefix(), cut(SHA_SALT)))
    };
    match prefix {
        "1" => {
            let salt = cut(MD5_SALT);
            Some(format!("$1${salt}${}", hieratic_crypto::passwords::md5(password, salt)))
        }
        "5" => sha(Sha::Sha256),
        "6" => sha(Sha::Sha512),
        _ => bcrypt(password, prefix, salt),
    }
}

fn bcrypt(password: &[u8], prefix: &str, salt: &str) -> Option<String> {
    let version = match prefix {
        "2a" => Version::TwoA,
        "2b" => Version::TwoB,
        "2y" => Version::TwoY,
        _ => return None,
    };
    let (cost, salt) = salt.split_once('$')?;
    let salt = hieratic_crypto::passwords::bcrypt_salt(salt.get(..BCRYPT_SALT)?)?;
    hieratic_crypto::passwords::bcrypt(version, password, cost.parse().ok()?, salt)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of libxcrypt 4.4.33.
    #[test]
    fn hashes_are_those_of_the_system() {
        for (password, prefix, salt, hash) in [
            ("password".to_string(), "1", "salt", "$1$salt$qJH7.N4xYta3aEG/dfqo/0"),
            (
                "password".to_string(),
                "5",
                "0123456789abcdefXYZ",
                "$5$0123456789abcdef$oQKUolm6Bx7mcEe7JRN5jviqVC8X/HsN4dy/U23FdB0",
            ),
            (
                "password".to_string(),
                "2a",
                "05$./ABCDEFGHIJKLMNOPQRSz",
                "$2a$05$./ABCDEFGHIJKLMNOPQRSueuqsEos4oHCCWQMyVMIRnetbR0J47WS",
            ),
            ("a".to_string(), "5", "s", "$5$s$qgP3B1D0m82PjqmN9fAYcv/rBMS9t2tLp7NrzhQCCyC"),
            (
                "a".to_string(),
                "2b",
                "04$abcdefghijklmnopqrstuv",
                "$2b$04$abcdefghijklmnopqrstuuMFdJu9yVgmagVAIC24fOZkaFqd3s9JC",
            ),
            ("été".to_string(), "1", "abcdefghijk", "$1$abcdefgh$t7RUgvXUAGiIuhoyK52tJ1"),
            (
                "été".to_string(),
                "6",
                "0123456789abcdefXYZ",
                "$6$0123456789abcdef$XNucZZ1GlhV7kZF.ulDZjknVdpJTHylVXat4fAaCS0rT/stmNtZUr39EaLdElqwN8cMwqjLQrKCn6cOwecnnw.",
            ),
            ("x".repeat(15), "1", "a", "$1$a$qEoFIeM/PJXywqDgTneXz/"),
            (
                "x".repeat(15),
                "6",
                "./",
                "$6$./$chNjYWT2.fb9qe1YXnxh51t71Xfs.5MOAVS6i2Xs8s15/RWmqe6A0DS4xubEQwuK5886031Igd2UXnfBXUkVe.",
            ),
            (
                "x".repeat(15),
                "2y",
                "04$zzzzzzzzzzzzzzzzzzzzzz",
                "$2y$04$zzzzzzzzzzzzzzzzzzzzzu0G3/t.P4AEH2DBGXuJ3U1Bwoa4Kn59y",
            ),
            ("y".repeat(16), "1", "salt", "$1$salt$GJgkzMNCcGzd4axs7tZ5l1"),
            (
                "y".repeat(16),
                "5",
                "0123456789abcdefXYZ",
                "$5$0123456789abcdef$IEpxxGFQ8/uFQGR6hGp498wH1jTwX3bhb1tZERcVfs4",
            ),
            (
                "y".repeat(16),
                "2a",
                "05$./ABCDEFGHIJKLMNOPQRSz",
                "$2a$05$./ABCDEFGHIJKLMNOPQRSuC5tJ5dnaX4SaWYFidtJruuXAmI2lIp.",
            ),
            ("z".repeat(64), "5", "s", "$5$s$qU8vCsnHrwH0fCe7b5xWTXlDxJuSkNf0bpI6gfRJvH6"),
            (
                "z".repeat(64),
                "2b",
                "04$abcdefghijklmnopqrstuv",
                "$2b$04$abcdefghijklmnopqrstuuBV/ONDg/h/MG8K5D3QijeEr9/rU6GmO",
            ),
            ("long ".repeat(30), "1", "abcdefghijk", "$1$abcdefgh$1nUKrOy/B8RFJGc9m2LU4/"),
            (
                "long ".repeat(30),
                "6",
                "0123456789abcdefXYZ",
                "$6$0123456789abcdef$RosRbMtOoHoQSRnJh2PoAgn6bRjhgX.3dYGtj.L6L.XMKcbdGeA.r//tSrxOt2wJAC1Y8gZdblNBas2HWl.VX/",
            ),
            ("w".repeat(511), "1", "a", "$1$a$FQaBG74yo0aLGxKgkgm0Z."),
            (
                "w".repeat(511),
                "6",
                "./",
                "$6$./$rWnZQ.9sBE2YsO.ClbB3nNzA4KrKBdx8xWFWltO74XmoB.c6vdaqNt6..Zev50efFQILcEhc/SKcOClOyvdnH1",
            ),
            (
                "w".repeat(511),
                "2y",
                "04$zzzzzzzzzzzzzzzzzzzzzz",
                "$2y$04$zzzzzzzzzzzzzzzzzzzzzu1mOLZ/eZuom/b7cPGA7/s6NVU96Un2S",
            ),
        ] {
            assert_eq!(crypt(&password, prefix, salt).as_deref(), Some(hash), "{password}");
        }
        assert_eq!(crypt("a", "2x", "04$abcdefghijklmnopqrstuv"), None);
    }

    #[test]
    fn the_work_is_known_before_it_is_done() {
        assert_eq!(
            (steps("10$a", true), steps("31$a", true) >> 10, steps("salt", false)),
            (1_024_000, 2_097_152_000, 100_000)
        );
    }

    #[test]
    fn a_salt_of_bcrypt_needs_two_digits_and_twenty_two_characters() {
        assert!(is_bcrypt_salt("04$abcdefghijklmnopqrstuv") && is_bcrypt_salt("31$abcdefghijklmnopqrstuv!"));
        assert!(!is_bcrypt_salt("03$abcdefghijklmnopqrstuv") && !is_bcrypt_salt("4$abcdefghijklmnopqrstuv"));
        assert!(!is_bcrypt_salt("10$abc"));
    }
}
