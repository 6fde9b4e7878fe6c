//! Checksums, Base64, and other conversions of strings to bytes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hieratic_jinja::extend::filters::arguments::{as_text, given};
use hieratic_jinja::extend::python::{Kind, kind};
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error};
use md5::Digest;

pub const TABLE: Table = &[
    define("b64decode", "encoding='utf-8'", "Decodes Base64.", b64decode),
    define("b64encode", "encoding='utf-8'", "Encodes the string in Base64.", b64encode),
    define("checksum", "", "Computes the SHA-1 digest in hexadecimal.", |_, args| digest_of(args, "sha1")),
    define("hash", "hashtype='sha1'", "Computes a digest by the name of its algorithm.", |_, args| {
        let [data, algorithm] = args.bind(["data", "hashtype"], 1)?;
        let algorithm = algorithm.map_or(Ok("sha1".into()), |name| as_text(&Some(name)))?;
        digest(&bytes(&given(data))?, &algorithm).map(Value::from)
    }),
    define("md5", "", "Computes the MD5 digest in hexadecimal.", |_, args| digest_of(args, "md5")),
    define("sha1", "", "Computes the SHA-1 digest in hexadecimal.", |_, args| digest_of(args, "sha1")),
    define(
        "to_uuid",
        "namespace='361e6d51-faec-444a-9079-341386da8e2e'",
        "Computes the UUID of a string within a namespace.",
        to_uuid,
    ),
];

fn bytes(value: &Value) -> Result<Vec<u8>> {
    match kind(value)? {
        Kind::Bytes(bytes) => Ok(bytes.to_vec()),
        _ => as_text(&Some(value.clone())).map(String::into_bytes),
    }
}

/// The name of an encoding.
fn encoding_of(encoding: Option<Value>) -> Result<String> {
    encoding.map_or(Ok("utf-8".into()), |name| as_text(&Some(name)))
}

fn b64encode(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, encoding] = args.bind(["string", "encoding"], 1)?;
    let encoding = encoding_of(encoding)?;
    let value = given(value);
    let bytes = match kind(&value)? {
        Kind::Bytes(bytes) => bytes.to_vec(),
        _ => hieratic_jinja::extend::python::encoding::encode(&as_text(&Some(value))?, &encoding)?,
    };
    Ok(Value::from(STANDARD.encode(bytes)))
}

fn b64decode(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, encoding] = args.bind(["string", "encoding"], 1)?;
    let encoding = encoding_of(encoding)?;
    let encoded = bytes(&given(value))?;
    // Invalid Base64 characters are skipped, and characters after the padding are ignored.
    let digits = encoded.into_iter().filter(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte));
    let digits: Vec<u8> = digits.collect();
    let end = digits.iter().position(|byte| *byte == b'=').unwrap_or(digits.len());
    let padded = digits.len() - end >= (4 - end % 4) % 4;
    let bytes = digits.get(..end).filter(|_| padded).and_then(|digits| {
        let lenient = base64::engine::GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::RequireNone);
        base64::engine::GeneralPurpose::new(&base64::alphabet::STANDARD, lenient).decode(digits).ok()
    });
    let bytes = bytes.ok_or_else(|| error("Incorrect padding"))?;
    hieratic_jinja::extend::python::encoding::decode(&bytes, &encoding).map(Value::from)
}

fn digest_of(args: Args, algorithm: &str) -> Result<Value> {
    let [data] = args.bind(["data"], 1)?;
    digest(&bytes(&given(data))?, algorithm).map(Value::from)
}

/// The digest of bytes in hexadecimal digits.
fn digest(bytes: &[u8], algorithm: &str) -> Result<String> {
    fn hex<D: Digest>(bytes: &[u8]) -> String {
        D::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }
    Ok(match algorithm.to_ascii_lowercase().replace('_', "-").as_str() {
        "md5" => hex::<md5::Md5>(bytes),
        "sha1" => hex::<sha1::Sha1>(bytes),
        "sha224" => hex::<sha2::Sha224>(bytes),
        "sha256" => hex::<sha2::Sha256>(bytes),
        "sha384" => hex::<sha2::Sha384>(bytes),
        "sha512" => hex::<sha2::Sha512>(bytes),
        "sha512-224" => hex::<sha2::Sha512_224>(bytes),
        "sha512-256" => hex::<sha2::Sha512_256>(bytes),
        "sha3-224" => hex::<sha3::Sha3_224>(bytes),
        "sha3-256" => hex::<sha3::Sha3_256>(bytes),
        "sha3-384" => hex::<sha3::Sha3_384>(bytes),
        "sha3-512" => hex::<sha3::Sha3_512>(bytes),
        "blake2b" => hex::<blake2::Blake2b512>(bytes),
        "blake2s" => hex::<blake2::Blake2s256>(bytes),
        _ => {
            return Err(error(format!(
                "unsupported hash type {algorithm}: known are md5, sha1, sha224 to sha512, sha512_224, sha512_256, \
                 sha3_224 to sha3_512, blake2b and blake2s"
            )));
        }
    })
}

/// The namespace of Ansible's own identifiers.
const ANSIBLE: &str = "361e6d51faec444a9079341386da8e2e";

/// A UUID of version 5, which a name and a namespace determine: <https://www.rfc-editor.org/rfc/rfc9562#section-5.5>.
fn to_uuid(_: &dyn Host, args: Args) -> Result<Value> {
    let [name, namespace] = args.bind(["string", "namespace"], 1)?;
    let namespace = namespace.map_or(Ok(ANSIBLE.into()), |namespace| as_text(&Some(namespace)))?;
    let digits: String = namespace.replace("urn:", "").replace("uuid:", "").replace(['{', '}', '-'], "");
    let bad = || error(format!("Invalid value '{namespace}' for 'namespace': badly formed hexadecimal UUID string"));
    let number = u128::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 32).ok_or_else(bad)?;
    let mut hasher = sha1::Sha1::new();
    hasher.update(number.to_be_bytes());
    hasher.update(as_text(&name)?);
    let digest = hasher.finalize();
    let mut head = [0; 16];
    head.copy_from_slice(digest.get(..16).unwrap_or(&[0; 16]));
    let number = u128::from_be_bytes(head) & !(0xf << 76) & !(0b11 << 62) | (5 << 76) | (0b10 << 62);
    let hex = format!("{number:032x}");
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or("");
    let parts = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)];
    Ok(Value::from(parts.join("-")))
}
