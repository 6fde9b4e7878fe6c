//! RSA keys in PKCS #1 form.

use rsa::RsaPrivateKey;
use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::pkcs8::PrivateKeyInfo;
use rsa::traits::PublicKeyParts;

use super::pem;

/// The key in a text.
pub(super) fn read(text: &str) -> Result<RsaPrivateKey, String> {
    let Some(block) = pem::first(text) else { return Err("failed to parse key: no key found".into()) };
    if block.headers.iter().any(|(name, value)| name == "Proc-Type" && value == "4,ENCRYPTED") {
        return Err(
            "failed to parse key: password protected keys are not supported. Please decrypt the key prior to use"
                .into(),
        );
    }
    let other = |form: &str, kind: &str| {
        format!("x509: failed to parse private key (use Parse{form}PrivateKey instead for this key {kind})")
    };
    let key = RsaPrivateKey::from_pkcs1_der(&block.bytes).map_err(|error| {
        if is_elliptic(&block.bytes) {
            other("EC", "format")
        } else if PrivateKeyInfo::try_from(block.bytes.as_slice()).is_ok() {
            other("PKCS8", "format")
        } else {
            format!("failed to parse key: {error}")
        }
    })?;
    let bits = key.n().bits();
    if bits < 1024 {
        let advice = "see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size";
        return Err(format!("crypto/rsa: {bits}-bit keys are insecure ({advice})"));
    }
    Ok(key)
}

/// Whether these are the first bytes of a key of an elliptic curve: a sequence of the number one and bytes.
fn is_elliptic(bytes: &[u8]) -> bool {
    let [0x30, length, rest @ ..] = bytes else { return false };
    // Long lengths take more bytes, as many as the low bits say.
    let skipped = if *length & 0x80 == 0 { 0 } else { usize::from(*length & 0x7f) };
    matches!(rest.get(skipped..), Some([0x02, 0x01, 0x01, 0x04, ..]))
}
