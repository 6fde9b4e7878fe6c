//! RSA keys in PKCS #1 form, with the checks and messages of the reference.

use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::pkcs8::PrivateKeyInfo;
use rsa::traits::PublicKeyParts;
use rsa::{BigUint, RsaPrivateKey};

use super::der::{DerError, Elements, is_negative};
use super::pem;

/// Parses a PEM key.
pub(super) fn read(text: &str) -> Result<RsaPrivateKey, String> {
    let Some(block) = pem::first(text) else { return Err("failed to parse key: no key found".into()) };
    if block.headers.iter().any(|(name, value)| name == "Proc-Type" && value == "4,ENCRYPTED") {
        return Err(
            "failed to parse key: password protected keys are not supported. Please decrypt the key prior to use"
                .into(),
        );
    }
    let key = match KeyIntegers::read(&block.bytes) {
        Err(problem) => return Err(describe_other_form(&block.bytes).unwrap_or_else(|| problem.to_string())),
        // Keys of more than two primes are an obsolete form.
        Ok(numbers) if numbers.has_more_primes => {
            RsaPrivateKey::from_pkcs1_der(&block.bytes).map_err(|error| error.to_string())?
        }
        Ok(numbers) => numbers.check()?,
    };
    let bits = key.n().bits();
    if bits < 1024 {
        let advice = "see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size";
        return Err(format!("crypto/rsa: {bits}-bit keys are insecure ({advice})"));
    }
    Ok(key)
}

/// The error message if these bytes are a key in another form.
fn describe_other_form(bytes: &[u8]) -> Option<String> {
    let (form, kind) = if is_elliptic(bytes) {
        ("EC", "format")
    } else if PrivateKeyInfo::try_from(bytes).is_ok() {
        ("PKCS8", "format")
    } else {
        return None;
    };
    Some(format!("x509: failed to parse private key (use Parse{form}PrivateKey instead for this key {kind})"))
}

/// Returns whether these bytes begin an elliptic curve key: a sequence of the number one and bytes.
fn is_elliptic(bytes: &[u8]) -> bool {
    let [0x30, length, rest @ ..] = bytes else { return false };
    // Long lengths take more bytes, as many as the low bits say.
    let skipped = if *length & 0x80 == 0 { 0 } else { usize::from(*length & 0x7f) };
    matches!(rest.get(skipped..), Some([0x02, 0x01, 0x01, 0x04, ..]))
}

/// The integers of a key, as they are encoded.
struct KeyIntegers<'b> {
    version: i64,
    modulus: &'b [u8],
    exponent: i64,
    secret: &'b [u8],
    primes: [&'b [u8]; 2],
    /// The exponents for each prime, and the inverse of the second prime. They may be missing, and are worked out then.
    remainders: [Option<&'b [u8]>; 3],
    has_more_primes: bool,
}

impl<'b> KeyIntegers<'b> {
    fn read(bytes: &'b [u8]) -> Result<KeyIntegers<'b>, DerError> {
        let mut elements = Elements::from_sequence(bytes, "pkcs1PrivateKey")?;
        let numbers = KeyIntegers {
            version: elements.small()?,
            modulus: elements.integer()?,
            exponent: elements.small()?,
            secret: elements.integer()?,
            primes: [elements.integer()?, elements.integer()?],
            remainders: [elements.optional_integer()?, elements.optional_integer()?, elements.optional_integer()?],
            has_more_primes: !elements.is_at_end(),
        };
        elements.expect_end()?;
        Ok(numbers)
    }

    /// The key, if its numbers fit together.
    fn check(&self) -> Result<RsaPrivateKey, String> {
        if self.version > 1 {
            return Err("x509: unsupported private key version".into());
        }
        let others = self.primes.iter().chain(self.remainders.iter().flatten());
        if [self.modulus, self.secret].iter().chain(others).any(|number| is_negative(number) || **number == [0]) {
            return Err("x509: private key contains zero or negative value".into());
        }
        let [n, d, p, q] = [self.modulus, self.secret, self.primes[0], self.primes[1]].map(BigUint::from_bytes_be);
        let one = BigUint::from(1u8);
        if [&n, &p, &q].iter().any(|modulus| **modulus <= one) {
            return Err("modulus must be > 1".into());
        }
        within(&d, &n)?;
        let inverse = self.remainders[2].map(BigUint::from_bytes_be);
        if let (Some(inverse), [Some(_), Some(_), _]) = (&inverse, &self.remainders) {
            within(inverse, &p)?;
        }
        let e = check_exponent(&n, self.exponent)?;
        check_primes(&n, &p, &q)?;
        let (before_p, before_q) = (&p - &one, &q - &one);
        let (of_p, of_q) = (&d % &before_p, &d % &before_q);
        let (dp, dq, inverse) = match (&self.remainders, inverse) {
            ([Some(dp), Some(dq), _], Some(inverse)) => {
                (BigUint::from_bytes_be(dp), BigUint::from_bytes_be(dq), inverse)
            }
            _ if is_even(&p) => return Err("crypto/rsa: p is even".into()),
            _ => (of_p.clone(), of_q.clone(), q.modpow(&(&before_p - &one), &p)),
        };
        for (remainder, modulus) in [(&dp, &before_p), (&dq, &before_q)] {
            if remainder >= modulus || (&e * remainder) % modulus != one {
                return Err("crypto/rsa: invalid CRT exponent".into());
            }
        }
        if (&q * &inverse) % &p != one {
            return Err("crypto/rsa: invalid CRT coefficient".into());
        }
        for (remainder, own, name) in [(&of_p, &dp, "dP"), (&of_q, &dq, "dQ")] {
            if remainder != own {
                return Err(format!("crypto/rsa: d does not match {name}"));
            }
        }
        check_strength(&n, &d, &p, &q)?;
        RsaPrivateKey::from_components(n, e, d, vec![p, q]).map_err(|error| error.to_string())
    }
}

fn is_even(number: &BigUint) -> bool {
    number.to_bytes_le().first().is_none_or(|byte| byte & 1 == 0)
}

/// Refuses a number that is not below a modulus.
fn within(number: &BigUint, modulus: &BigUint) -> Result<(), String> {
    // The reference compares the sizes in words of 64 bits.
    let words = |number: &BigUint| number.bits().div_ceil(64);
    if words(number) > words(modulus) {
        return Err("input overflows the modulus size".into());
    }
    if number >= modulus { Err("input overflows the modulus".into()) } else { Ok(()) }
}

fn check_exponent(modulus: &BigUint, exponent: i64) -> Result<BigUint, String> {
    let wrong = |problem: &str| Err(format!("crypto/rsa: {problem}"));
    if is_even(modulus) {
        return wrong("public modulus is even");
    }
    match u64::try_from(exponent) {
        Err(_) | Ok(0 | 1) => wrong("public exponent too small or negative"),
        Ok(exponent) if exponent % 2 == 0 => wrong("public exponent is even"),
        Ok(exponent) if exponent > i32::MAX.unsigned_abs().into() => wrong("public exponent too large"),
        Ok(exponent) => Ok(exponent.into()),
    }
}

fn check_primes(n: &BigUint, p: &BigUint, q: &BigUint) -> Result<(), String> {
    if p >= n || q >= n {
        return Err("crypto/rsa: invalid prime".into());
    }
    if (p * q) % n != BigUint::from(0u8) {
        return Err("crypto/rsa: p * q != n".into());
    }
    let two = BigUint::from(2u8);
    if *p <= two || *q <= two { Err("crypto/rsa: invalid prime".into()) } else { Ok(()) }
}

/// Rejects weak keys: primes that are close to each other, and a small private exponent.
fn check_strength(n: &BigUint, d: &BigUint, p: &BigUint, q: &BigUint) -> Result<(), String> {
    if p == q {
        return Err("crypto/rsa: p == q".into());
    }
    let difference = if p > q { p - q } else { q - p };
    if difference.bits() + 100 <= n.bits() / 2 {
        return Err("crypto/rsa: |p - q| too small".into());
    }
    if d.bits() <= n.bits() / 2 { Err("crypto/rsa: d too small".into()) } else { Ok(()) }
}
