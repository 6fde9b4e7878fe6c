//! Digests, and one password hash: `bcrypt`, `md5`, `rsadecrypt`, `sha1`, `sha256`, `sha512`.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#hash-and-crypto-functions>.

mod der;
mod pem;
mod rsa_key;

use std::fmt::Write;

use hieratic_budget::Budget;
use hieratic_crypto::passwords::bcrypt_steps;
use hieratic_hcl_types::{CallError, Function, Type, Value, quoted};
use md5::Md5;
use rsa::Pkcs1v15Encrypt;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use crate::FunctionTable;
use crate::arguments::{CallResult, call_error, number, string, text, whole};
use crate::encoding::from_base64;

pub(crate) fn add(table: &mut FunctionTable) {
    let hash = Function::with_budget(vec![string("str")], Type::String, bcrypt);
    table.add("bcrypt", "Hashes a password with bcrypt, with a random salt.", hash.with_variadic(number("cost")));
    digest::<Md5>(table, "md5", "Returns the MD5 digest in hexadecimal.");
    digest::<Sha1>(table, "sha1", "Returns the SHA-1 digest in hexadecimal.");
    digest::<Sha256>(table, "sha256", "Returns the SHA-256 digest in hexadecimal.");
    digest::<Sha512>(table, "sha512", "Returns the SHA-512 digest in hexadecimal.");
    table.fixed(
        "rsadecrypt",
        "Decrypts text in base64 with a private RSA key.",
        [string("ciphertext"), string("privatekey")],
        Type::String,
        rsa_decrypt,
    );
}

fn digest<D: Digest + 'static>(table: &mut FunctionTable, name: &'static str, documentation: &'static str) {
    table.fixed(name, documentation, [string("str")], Type::String, |arguments| {
        let mut digits = String::new();
        for byte in D::digest(text(arguments, 0).as_bytes()) {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
        }
        Ok(Value::string(digits))
    });
}

/// The cost if none is given, or if it is too low.
const USUAL_COST: i64 = 10;

/// `bcrypt`: every call uses a new salt.
fn bcrypt(budget: &Budget, arguments: &[Value]) -> CallResult {
    let cost = if arguments.len() > 1 { whole(arguments, 1).map_err(CallError::call)? } else { USUAL_COST };
    if arguments.len() > 2 {
        return call_error("bcrypt() takes no more than two arguments");
    }
    let password = text(arguments, 0);
    let wrong = |message: String| call_error(format!("error occured generating password {message}"));
    if password.len() > 72 {
        return wrong("bcrypt: password length exceeds 72 bytes".into());
    }
    let cost = if cost < 4 { USUAL_COST } else { cost };
    let Some(cost) = u32::try_from(cost).ok().filter(|cost| *cost <= 31) else {
        return wrong(format!("crypto/bcrypt: cost {cost} is outside allowed inclusive range 4..31"));
    };
    budget.steps(bcrypt_steps(cost))?;
    match bcrypt::hash_with_result(password, cost) {
        Ok(parts) => Ok(Value::string(parts.format_for_version(bcrypt::Version::TwoA))),
        Err(error) => wrong(error.to_string()),
    }
}

fn rsa_decrypt(arguments: &[Value]) -> CallResult {
    let (ciphertext, key) = (text(arguments, 0), text(arguments, 1));
    let Some(bytes) = from_base64(ciphertext) else {
        return call_error(format!(
            "failed to decode input {}: cipher text must be base64-encoded",
            quoted(ciphertext)
        ));
    };
    let key = rsa_key::read(key).map_err(CallError::call)?;
    match key.decrypt(Pkcs1v15Encrypt, &bytes).map(String::from_utf8) {
        Ok(Ok(decrypted)) => Ok(Value::string(decrypted)),
        Ok(Err(_)) => call_error("the decrypted text is not valid UTF-8"),
        Err(_) => call_error("crypto/rsa: decryption error"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn passwords_verify() {
        let budget = Budget::default();
        let hash = bcrypt(&budget, &[Value::string("secret"), 4.into()]).unwrap();
        let hash = hash.as_str().unwrap();
        assert!(hash.starts_with("$2a$04$") && hash.len() == 60, "{hash}");
        assert!(bcrypt::verify("secret", hash).unwrap());
        let long = Value::string("x".repeat(73));
        assert!(bcrypt(&budget, &[long, 4.into()]).unwrap_err().message().contains("exceeds 72 bytes"));
    }
}
