//! `password_hash`: <https://docs.ansible.com/ansible/latest/collections/ansible/builtin/password_hash_filter.html>.

use minijinja::Value;
use sha_crypt::{Sha256Params, Sha512Params};

use super::{Table, as_text, given};
use crate::call::Args;
use crate::eval::Context;
use crate::python::kind::truth;
use crate::python::{Result, error};

pub const TABLE: Table = &[("password_hash", password_hash)];

/// What salts are made of.
const LETTERS: &str = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

fn password_hash(_: &Context<'_>, args: Args) -> Result<Value> {
    let names = ["password", "hashtype", "salt", "salt_size", "rounds", "ident"];
    let [password, hashtype, salt, salt_size, rounds, ident] = args.bind(names, 1)?;
    let is_given = |value: Option<Value>| match value {
        Some(value) if truth(&value)? => Ok::<_, minijinja::Error>(Some(value)),
        _ => Ok(None),
    };
    let password = as_text(&Some(given(password)))?;
    let algorithm = is_given(hashtype)?.map_or(Ok("sha512".into()), |name| as_text(&Some(name)))?;
    let number = |value: Option<Value>| is_given(value)?.map(|value| crate::python::number::index(&value)).transpose();
    let (salt_size, rounds) = (number(salt_size)?, number(rounds)?);
    let salt = is_given(salt)?.map(|salt| as_text(&Some(salt))).transpose()?;
    if salt.as_ref().is_some_and(|salt| !salt.chars().all(|letter| LETTERS.contains(letter))) {
        return Err(error("invalid characters in salt"));
    }
    match algorithm.as_str() {
        "sha512" | "sha512_crypt" | "sha256" | "sha256_crypt" => {
            let long = algorithm.starts_with("sha512");
            let rounds = rounds.unwrap_or(if long { 656_000 } else { 535_000 });
            let count = usize::try_from(rounds).ok().filter(|count| (1_000..=999_999_999).contains(count));
            let count =
                count.ok_or_else(|| error(format!("rounds must be between 1000 and 999999999, not {rounds}")))?;
            let salt = salted(salt, salt_size, 16)?;
            crate::work::steps(count)?;
            let bad = |_| error("the hash cannot be created");
            let digest = match long {
                true => {
                    let parameters = Sha512Params::new(count).map_err(bad)?;
                    sha_crypt::sha512_crypt_b64(password.as_bytes(), salt.as_bytes(), &parameters).map_err(bad)?
                }
                false => {
                    let parameters = Sha256Params::new(count).map_err(bad)?;
                    sha_crypt::sha256_crypt_b64(password.as_bytes(), salt.as_bytes(), &parameters).map_err(bad)?
                }
            };
            // What everybody does need not be told.
            let rounds = if count == 5_000 { String::new() } else { format!("rounds={count}$") };
            Ok(Value::from(format!("${}${rounds}{salt}${digest}", if long { 6 } else { 5 })))
        }
        "blowfish" | "bcrypt" => {
            let cost = u32::try_from(rounds.unwrap_or(12)).ok().filter(|cost| (4..=31).contains(cost));
            let cost = cost.ok_or_else(|| error("rounds must be between 4 and 31"))?;
            let ident = is_given(ident)?.map_or(Ok("2b".into()), |ident| as_text(&Some(ident)))?;
            let version = match ident.trim_matches('$') {
                "2a" => bcrypt::Version::TwoA,
                "2b" => bcrypt::Version::TwoB,
                "2y" => bcrypt::Version::TwoY,
                other => return Err(error(format!("the ident '{other}' is not supported: use 2a, 2b or 2y"))),
            };
            let salt = match salt {
                Some(salt) => salt_of_bcrypt(&salt)?,
                None => std::array::from_fn(|_| fastrand::u8(..)),
            };
            // A hash is two to the cost times some hundred steps.
            crate::work::steps(256usize.saturating_mul(1 << cost))?;
            let hash =
                bcrypt::hash_with_salt(password.as_bytes(), cost, salt).map_err(|fault| error(fault.to_string()))?;
            Ok(Value::from(hash.format_for_version(version)))
        }
        other => Err(error(format!(
            "password_hash does not support {other}: use sha512, sha256 or blowfish, which are still safe"
        ))),
    }
}

/// The salt that is given, or one of random letters.
fn salted(salt: Option<String>, size: Option<i64>, most: usize) -> Result<String> {
    let salt = salt.unwrap_or_else(|| {
        let size = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(most).min(most);
        let letters = LETTERS.as_bytes();
        (0..size)
            .map(|_| letters.get(fastrand::usize(..letters.len())).map_or('.', |letter| char::from(*letter)))
            .collect()
    });
    if salt.len() > most {
        return Err(error(format!("salt too large (sha_crypt requires <= {most} chars)")));
    }
    Ok(salt)
}

/// The bytes of a salt of 22 letters, of which the last has bits to spare.
fn salt_of_bcrypt(salt: &str) -> Result<[u8; 16]> {
    const ORDER: &[u8] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    if salt.len() != 22 {
        return Err(error(format!(
            "salt too {} (bcrypt requires exactly 22 chars)",
            if salt.len() < 22 { "small" } else { "large" }
        )));
    }
    let digits = salt.bytes().map(|letter| ORDER.iter().position(|known| *known == letter).unwrap_or(0));
    let mut bits = digits.flat_map(|digit| (0..6).rev().map(move |at| u8::from(digit >> at & 1 == 1)));
    Ok(std::array::from_fn(|_| (0..8).fold(0, |byte, _| byte << 1 | bits.next().unwrap_or(0))))
}
