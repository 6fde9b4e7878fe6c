//! Functions that encode, digest and derive data: Base64, checksums, keys.

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hieratic_puppet_functions::{Algorithm, Call, Dispatch, Doc, Flow, Function, Outcome, hexdigest};
use hieratic_value::{Hash, Rich, Value};
use sha1::{Digest, Sha1};
use sha2::Sha512;

use crate::untyped::{arguments, ensure, fail};
use crate::{passwords, random};

const DATA: [&str; 1] = ["Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] my_data"];

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new(
        "base64",
        Doc::new("Encodes and decodes, with or without line breaks, or URL-safe."),
        &[Dispatch::untyped(base64_of)],
    ),
    Function::new("fqdn_uuid", Doc::new("Returns the UUID (version 5) of a name."), &[Dispatch::untyped(fqdn_uuid)]),
    Function::new(
        "pw_hash",
        Doc::new("Hashes a password for `/etc/shadow`: MD5, SHA-256, SHA-512, bcrypt."),
        &[Dispatch::untyped(passwords::pw_hash)],
    ),
    Function::new(
        "stdlib::crc32",
        Doc::new("Returns a CRC-32 checksum."),
        &[Dispatch::new(&DATA, |call| Ok(Value::from(format!("{:x}", crc32fast::hash(content(call).as_bytes())))))],
    ),
    Function::new(
        "stdlib::sha256",
        Doc::new("Returns a SHA-256 digest."),
        &[Dispatch::new(&DATA, |call| Ok(Value::from(hexdigest(Algorithm::Sha256, content(call).as_bytes()))))],
    ),
    Function::new(
        "str2saltedpbkdf2",
        Doc::new("Hashes a password for macOS 10.8 and later."),
        &[Dispatch::untyped(str2saltedpbkdf2)],
    ),
    Function::new(
        "str2saltedsha512",
        Doc::new("Hashes a password for macOS 10.7."),
        &[Dispatch::untyped(str2saltedsha512)],
    ),
];

/// Returns the string of the first argument, secret or not.
fn content(call: &Call<'_>) -> String {
    call.arguments.first().map(|value| reveal(value).to_text()).unwrap_or_default()
}

/// Returns the content of a secret; other values are returned unchanged.
pub(crate) fn reveal(value: &Value) -> &Value {
    match value.as_rich() {
        Some(Rich::Sensitive(inner)) => inner,
        _ => value,
    }
}

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STRICT: GeneralPurposeConfig = GeneralPurposeConfig::new();

fn base64_of(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "base64")?;
    let many = given.len();
    ensure(many >= 2, || format!("base64(): Wrong number of arguments ({many}; must be >= 2)"))?;
    let action = given[0].as_str().filter(|action| matches!(*action, "encode" | "decode"));
    let Some(action) = action else { return fail("base64(): the first argument must be one of 'encode' or 'decode'") };
    let Value::String(text) = &given[1] else {
        return fail("base64(): the second argument must be a string to base64");
    };
    let method = given.get(2).map_or(Some("default"), Value::as_str);
    let Some(method) = method.filter(|method| matches!(*method, "default" | "strict" | "urlsafe")) else {
        return fail("base64(): the third argument must be one of 'default', 'strict', or 'urlsafe'");
    };
    let alphabet = if method == "urlsafe" { &URL_SAFE } else { &STANDARD };
    if action == "encode" {
        let encoded = GeneralPurpose::new(alphabet, STRICT).encode(&**text);
        return Ok(Value::from(if method == "default" { in_lines(&encoded) } else { encoded }));
    }
    let decoded = match method {
        "default" => {
            // Invalid digits are skipped, and so is everything after the first padding.
            let digits: String = text.split('=').next().unwrap_or_default().chars().filter(|c| is_digit(*c)).collect();
            // A single digit at the end is less than a byte and is dropped.
            let digits = if digits.len() % 4 == 1 { &digits[..digits.len() - 1] } else { &digits };
            GeneralPurpose::new(alphabet, LENIENT).decode(digits).ok()
        }
        "strict" => GeneralPurpose::new(alphabet, STRICT).decode(&**text).ok(),
        _ => GeneralPurpose::new(alphabet, LENIENT).decode(&**text).ok(),
    };
    match decoded {
        None => fail("invalid base64"),
        Some(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Value::from(text)),
            Err(bytes) => fail(format!(
                "base64(): the decoded value is not a string but {} bytes; Binary('...') decodes to bytes",
                bytes.as_bytes().len()
            )),
        },
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '+' || c == '/'
}

/// Splits into lines of 60 characters with line ends, like Ruby's `encode64`.
fn in_lines(encoded: &str) -> String {
    let mut result = String::with_capacity(encoded.len() + encoded.len() / 60 + 1);
    for (index, c) in encoded.chars().enumerate() {
        if index > 0 && index % 60 == 0 {
            result.push('\n');
        }
        result.push(c);
    }
    if !result.is_empty() {
        result.push('\n');
    }
    result
}

/// Returns the name-based UUID of [RFC 4122](https://www.rfc-editor.org/rfc/rfc4122#section-4.3) in the DNS namespace.
fn fqdn_uuid(call: &mut Call<'_>) -> Outcome {
    const DNS: [u8; 16] =
        [0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8];
    let given = arguments(call, "fqdn_uuid")?;
    let many = given.len();
    ensure(many > 0, || "fqdn_uuid: No arguments given".into())?;
    ensure(many == 1, || format!("fqdn_uuid: Too many arguments given ({many})"))?;
    let Value::String(name) = &given[0] else {
        return fail(format!("no implicit conversion of {} into String", given[0].ruby_class()));
    };
    let mut digest = Sha1::new().chain_update(DNS).chain_update(name.as_bytes()).finalize();
    digest[6] = digest[6] & 0x0f | 0x50;
    digest[8] = digest[8] & 0x3f | 0x80;
    let digits: String = digest[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let groups = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    Ok(Value::from(groups.join("-")))
}

/// The cost of a round: it digests two blocks twice.
const STEPS_A_ROUND: u64 = 4;

fn str2saltedpbkdf2(call: &mut Call<'_>) -> Outcome {
    let many = call.arguments.len();
    ensure(many == 3, || format!("str2saltedpbkdf2(): wrong number of arguments ({many} for 3)"))?;
    let given = [reveal(&call.arguments[0]), reveal(&call.arguments[1]), reveal(&call.arguments[2])];
    let wrong = |subject: &str| fail(format!("str2saltedpbkdf2(): {subject}"));
    let Value::String(password) = given[0] else { return wrong("first argument must be a string") };
    let Value::String(salt) = given[1] else { return wrong("second argument must be a string") };
    if salt.len() < 8 {
        return wrong("second argument must be at least 8 bytes long");
    }
    let Value::Integer(iterations) = given[2] else { return wrong("third argument must be an integer") };
    let rounds = u32::try_from(*iterations).ok().filter(|rounds| *rounds > 40_000 && *rounds < 70_000);
    let Some(rounds) = rounds else { return wrong("third argument must be between 40,000 and 70,000") };
    call.host.budget().steps(u64::from(rounds) * STEPS_A_ROUND)?;
    let key: [u8; 128] = pbkdf2::pbkdf2_hmac_array::<Sha512, 128>(password.as_bytes(), salt.as_bytes(), rounds);
    let pairs = [
        ("password_hex", Value::from(hexadecimal(&key))),
        ("salt_hex", Value::from(hexadecimal(salt.as_bytes()))),
        ("iterations", Value::Integer(*iterations)),
    ];
    Ok(Value::from(pairs.into_iter().collect::<Hash>()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn str2saltedsha512(call: &mut Call<'_>) -> Result<Value, Flow> {
    let given = arguments(call, "str2saltedsha512")?;
    let many = given.len();
    ensure(many == 1, || format!("str2saltedsha512(): Wrong number of arguments passed ({many} but we require 1)"))?;
    let Value::String(password) = &given[0] else {
        let class = given[0].ruby_class();
        return fail(format!("str2saltedsha512(): Requires a String argument, you passed: {class}"));
    };
    let salt = &random::seed().to_le_bytes()[..4];
    let digest = Sha512::new().chain_update(salt).chain_update(password.as_bytes()).finalize();
    Ok(Value::from(hexadecimal(salt) + &hexadecimal(&digest)))
}
