//! [`md5`](https://www.puppet.com/docs/puppet/8/function.html#md5),
//! [`sha1`](https://www.puppet.com/docs/puppet/8/function.html#sha1),
//! [`sha256`](https://www.puppet.com/docs/puppet/8/function.html#sha256) and
//! [`digest`](https://www.puppet.com/docs/puppet/8/function.html#digest)

use hieratic_value::Value;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

use crate::{Call, Dispatch, Doc, EvalError, Function, Outcome};

use super::legacy;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "md5",
        Doc::new("The MD5 checksum of a string.").example("md5('a')"),
        &[Dispatch::untyped(|call| of_text(call, "md5", Algorithm::Md5))],
    ),
    Function::new(
        "sha1",
        Doc::new("The SHA-1 checksum of a string.").example("sha1('a')"),
        &[Dispatch::untyped(|call| of_text(call, "sha1", Algorithm::Sha1))],
    ),
    Function::new(
        "sha256",
        Doc::new("The checksum of a string.").example("sha256('a')"),
        &[Dispatch::untyped(|call| of_text(call, "sha256", Algorithm::Sha256))],
    ),
    Function::new(
        "digest",
        Doc::new("The checksum of a string, by the algorithm of the agent.").example("digest('a')"),
        &[Dispatch::untyped(digest)],
    ),
];

/// The digest algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Algorithm {
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
}

/// Returns the digest of bytes in hexadecimal digits.
///
/// ```
/// use hieratic_puppet_functions::{Algorithm, hexdigest};
/// assert_eq!(hexdigest(Algorithm::Md5, b""), "d41d8cd98f00b204e9800998ecf8427e");
/// ```
pub fn hexdigest(algorithm: Algorithm, bytes: &[u8]) -> String {
    match algorithm {
        Algorithm::Md5 => format!("{:x}", Md5::digest(bytes)),
        Algorithm::Sha1 => format!("{:x}", Sha1::digest(bytes)),
        Algorithm::Sha224 => format!("{:x}", Sha224::digest(bytes)),
        Algorithm::Sha256 => format!("{:x}", Sha256::digest(bytes)),
        Algorithm::Sha384 => format!("{:x}", Sha384::digest(bytes)),
        Algorithm::Sha512 => format!("{:x}", Sha512::digest(bytes)),
    }
}

fn of_text(call: &mut Call<'_>, function: &str, algorithm: Algorithm) -> Outcome {
    let arguments = legacy::arguments(call, function, 1)?;
    Ok(Value::from(hexdigest(algorithm, legacy::text(&arguments, 0)?.as_bytes())))
}

/// The number of leading bytes that the light algorithms read.
const LIGHT_BYTES: usize = 512;

/// Computes the digest with the algorithm of the setting; the default is SHA-256.
fn digest(call: &mut Call<'_>) -> Outcome {
    let arguments = legacy::arguments(call, "digest", 1)?;
    let text = legacy::text(&arguments, 0)?;
    let setting = call.host.variable("settings::digest_algorithm")?;
    let name = setting.as_ref().and_then(Value::as_str).unwrap_or("sha256");
    let (algorithm, bytes) = match name.strip_suffix("lite") {
        Some(name) => (name, &text.as_bytes()[..text.len().min(LIGHT_BYTES)]),
        None => (name, text.as_bytes()),
    };
    let algorithm = match algorithm {
        "md5" => Algorithm::Md5,
        "sha1" => Algorithm::Sha1,
        "sha224" => Algorithm::Sha224,
        "sha256" => Algorithm::Sha256,
        "sha384" => Algorithm::Sha384,
        "sha512" => Algorithm::Sha512,
        _ => return Err(EvalError::new(format!("digest(): the algorithm '{name}' cannot digest a string")).into()),
    };
    Ok(Value::from(hexdigest(algorithm, bytes)))
}
