//! Values of the real `eyaml`, and faults in the reference's words.

// A panic is how a test fails.
#![allow(clippy::unwrap_used)]

use hieratic_crypto::eyaml::{Decryptor, Encryptor, KeyOptions, KeySource, create_keys, encrypt_text};
use hieratic_value::{Hash, Value};

fn path(name: &str) -> String {
    format!("{}/tests/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn with(private: &str, public: &str) -> Decryptor {
    let options: Hash = [("pkcs7_private_key", private), ("pkcs7_public_key", public)]
        .into_iter()
        .map(|(name, file)| (name, Value::from(path(file))))
        .collect();
    Decryptor::new(&options, &KeySource::of_user())
}

const PRIVATE: &str = "keys/private_key.pkcs7.pem";
const PUBLIC: &str = "keys/public_key.pkcs7.pem";

fn hello() -> String {
    std::fs::read_to_string(path("hello.txt")).unwrap().trim().to_string()
}

#[test]
fn a_value_of_eyaml_is_decrypted() {
    let decryptor = with(PRIVATE, PUBLIC);
    let hello = hello();
    assert_eq!(decryptor.decrypt_text(&hello).as_deref(), Ok("hello wörld"));
    assert_eq!(
        decryptor.decrypt_text(&format!("a {hello} b {hello}\n\n")).as_deref(),
        Ok("a hello wörld b hello wörld\n")
    );
    let folded =
        hello.chars().collect::<Vec<_>>().chunks(60).map(|line| line.iter().collect::<String>()).collect::<Vec<_>>();
    assert!(folded[0].starts_with("ENC[PKCS7,"));
    assert_eq!(decryptor.decrypt_text(&folded.join(" ")).as_deref(), Ok("hello wörld"));
    assert_eq!(decryptor.decrypt_text("plain\n").as_deref(), Ok("plain"));
}

#[test]
fn encryption_and_decryption_are_inverse() {
    let certificate = std::fs::read_to_string(path(PUBLIC)).unwrap();
    let encrypted = encrypt_text("s3cret", &certificate).unwrap();
    assert_eq!(with(PRIVATE, PUBLIC).decrypt_text(&encrypted).as_deref(), Ok("s3cret"));
}

#[test]
fn errors_have_the_messages_of_the_reference() {
    let hello = hello();
    let other = ("other-keys/private_key.pkcs7.pem", "other-keys/public_key.pkcs7.pem");
    let gone = path("gone.pem");
    let cases = [
        (with(other.0, other.1), hello.clone(), "bad decrypt".to_string()),
        (with(other.0, PUBLIC), hello.clone(), "private key does not match certificate".into()),
        (with("README.md", PUBLIC), hello.clone(), "Neither PUB key nor PRIV key: unsupported".into()),
        (with(PRIVATE, "README.md"), hello.clone(), "PEM_read_bio_X509: no start line".into()),
        (with("gone.pem", PUBLIC), hello.clone(), format!("No such file or directory @ rb_sysopen - {gone}")),
        (
            Decryptor::new(&Hash::default(), &KeySource::of_user()),
            hello.clone(),
            "pkcs7_public_key is not defined".into(),
        ),
        (with(PRIVATE, PUBLIC), "ENC[PKCS7,AAAA]".into(), "Could not parse the PKCS7: no start line".into()),
    ];
    for (decryptor, text, message) in cases {
        let error = decryptor.decrypt_text(&text).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(error.encryptor_not_there().is_none());
    }
    let unknown = with(PRIVATE, PUBLIC).decrypt_text("ENC[Foo,AAAA]").unwrap_err();
    assert_eq!(unknown.to_string(), "cannot load such file -- hiera/backend/eyaml/encryptors/foo");
    assert_eq!(unknown.encryptor_not_there(), Some("Foo"));
}

#[test]
fn keys_are_not_printed() {
    assert_eq!(format!("{:?}", with(PRIVATE, PUBLIC)), "Decryptor");
}

#[test]
fn new_keys_have_a_subject_and_a_number_of_their_own() {
    let make =
        |subject: &str| create_keys(&KeyOptions { subject: subject.into(), bits: 1024, ..KeyOptions::default() });
    let (one, other) = (make("/").unwrap(), make("/C=US/CN=a, b").unwrap());
    let encryptor = |keys: &hieratic_crypto::eyaml::NewKeys| Encryptor::from_pem(&keys.public).unwrap();
    let encrypted = encryptor(&one).encrypt(b"s3cret").unwrap();
    assert!(encryptor(&one).is_recipient(&encrypted) && !encryptor(&other).is_recipient(&encrypted));
    assert!(make("no subject").unwrap_err().to_string().contains("/C=US/CN=name"));
    assert!(create_keys(&KeyOptions { bits: 8, ..KeyOptions::default() }).is_err());
    assert_eq!(format!("{one:?}"), "NewKeys");
}
