//! Secrets that cannot be opened, that nothing opens, and those of which that is not known.
use crate::support;

use support::{found, found_with};

/// The folder with key pairs that the tests of secrets share.
const KEYS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crypto/tests");

fn hiera(private: &str, public: &str) -> String {
    format!(
        "version: 5\nhierarchy:\n  - name: Secrets\n    lookup_key: eyaml_lookup_key\n    path: secrets.eyaml\n    options: \
         {{pkcs7_private_key: '{private}', pkcs7_public_key: '{public}'}}\n  - {{name: Common, path: common.yaml}}\n"
    )
}

fn encrypted(plain: &str) -> String {
    let public = std::fs::read_to_string(format!("{KEYS}/keys/public_key.pkcs7.pem")).unwrap();
    hieratic::eyaml::encrypt_text(plain, &public).unwrap()
}

fn checked(keys: &str, secrets: &str) -> Vec<String> {
    let hiera = hiera(&format!("{KEYS}/{keys}/private_key.pkcs7.pem"), &format!("{KEYS}/{keys}/public_key.pkcs7.pem"));
    let files = [("hiera.yaml", &*hiera), ("data/secrets.eyaml", secrets), ("data/common.yaml", "a: 1\n")];
    // The keys lie outside of the repository.
    found_with(&files, |options| options.settings.permissions.outside = true)
}

#[test]
fn secrets_decrypt_with_their_keys() {
    let secret = || format!("a: 1\npassword: {}\n", encrypted("canary-of-the-check"));
    assert_eq!(checked("keys", &secret()), [] as [&str; 0]);
    // One of 256 values opens as garbage with another key of the same name, as with OpenSSL, always the same.
    let wrong = (0..8).map(|_| checked("other-keys", &secret())).find(|wrong| !wrong.is_empty()).unwrap_or_default();
    assert!(wrong.len() == 1, "{wrong:?}");
    assert!(
        wrong[0].starts_with("undecryptable-secret data/secrets.eyaml:2 The secret cannot be decrypted"),
        "{wrong:?}"
    );
    assert!(!wrong[0].contains("canary"), "{wrong:?}");
}

#[test]
fn damaged_secrets_are_found() {
    let cut = "password: ENC[PKCS7,MIIBeQYJKoZI\n";
    assert_eq!(
        checked("keys", cut),
        ["undecryptable-secret data/secrets.eyaml:1 The secret is truncated: the closing ']' is missing"]
    );
    let damaged = checked("keys", "password: ENC[PKCS7,MIIBeQYJKoZI]\n");
    assert!(damaged.len() == 1 && damaged[0].starts_with("undecryptable-secret"), "{damaged:?}");
}

#[test]
fn missing_private_keys_are_a_note() {
    let secret = "password: ENC[PKCS7,MIIBeQYJKoZI]\nother: ENC[PKCS7,MIIB]\n";
    let files =
        |hiera: &str| found(&[("hiera.yaml", hiera), ("data/secrets.eyaml", secret), ("data/common.yaml", "a: 1\n")]);
    assert_eq!(
        files(&hiera("/not/here.pem", "/not/public.pem")),
        [
            "secret-unchecked hiera.yaml:3 The secrets of the level 'Secrets' were not checked (1 file): the key /not/here.pem \
         is outside of the repository"
        ]
    );
    let varying = files(&hiera("/keys/%{environment}.pem", "/keys/public.pem"));
    assert!(varying.len() == 1 && varying[0].ends_with("the location of its keys depends on the node"), "{varying:?}");
}

#[test]
fn secrets_in_levels_that_do_not_decrypt() {
    let hiera = ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common, path: common.yaml}\n");
    let data = ("data/common.yaml", "a: ENC[PKCS7,MIIBeQYJKoZI]\nb: see ENC[...]\n");
    assert_eq!(
        found_with(&[hiera, data], |_| {}),
        [
            "secret-not-decrypted data/common.yaml:1 The value is encrypted, but 'yaml_data' of the level 'Common' does not decrypt"
        ]
    );
}

#[test]
fn types_of_secrets_are_not_checked() {
    let hiera = hiera(&format!("{KEYS}/keys/private_key.pkcs7.pem"), &format!("{KEYS}/keys/public_key.pkcs7.pem"));
    let secret = format!("secret: {}\n", encrypted("four"));
    let class =
        "class c (\n  Sensitive[String[9]] $hidden,\n  String[20] $part,\n  Integer $whole,\n  Integer $open,\n) { }\n";
    let data = "lookup_options:\n  c::hidden: {convert_to: Sensitive}\n  c::part: {merge: unique}\nc::hidden: four\nc::part: '%{lookup(\"secret\")}'\n\
                c::whole: '%{alias(\"secret\")}'\nc::open: text\n";
    let files = [
        ("hiera.yaml", hiera.as_str()),
        ("data/secrets.eyaml", &secret),
        ("data/common.yaml", data),
        ("modules/c/manifests/init.pp", class),
        ("facts/n.json", "{}"),
    ];
    let wrong: Vec<String> = found(&files).into_iter().filter(|found| found.starts_with("parameter-type")).collect();
    assert!(wrong.len() == 1 && wrong[0].contains("'c::open'"), "{wrong:?}");
}
