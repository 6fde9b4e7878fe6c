//! A test fails with a panic.
#![allow(clippy::unwrap_used)]

use hieratic_puppet_types::bytes_value;
use hieratic_value::{Rich, Value};

use crate::testing::{TestHost, hash, list, shown};
use crate::{Flow, Host};
use hieratic_value::random::Random;

fn answer(host: &mut TestHost, name: &str, arguments: &[Value]) -> String {
    match host.call_function(name, arguments, None) {
        Ok(value) => value.inspect(),
        Err(Flow::Error(error)) => format!("ERR {}", error.message),
        Err(flow) => format!("{flow:?}"),
    }
}

#[test]
fn digests() {
    assert_eq!(shown("md5", &["".into()], None), r#""d41d8cd98f00b204e9800998ecf8427e""#);
    assert_eq!(shown("sha1", &["abc".into()], None), r#""a9993e364706816aba3e25717850c26c9cd0d89d""#);
    let sha256 = r#""ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad""#;
    assert_eq!(shown("sha256", &["abc".into()], None), sha256);
    assert_eq!(shown("digest", &["abc".into()], None), sha256);
    assert_eq!(shown("md5", &[], None), "ERR md5(): Wrong number of arguments given (0 for 1)");
    assert_eq!(shown("md5", &[5.into()], None), "ERR no implicit conversion of Integer into String");
    let mut host = TestHost::default();
    host.variables.insert("settings::digest_algorithm".into(), "md5".into());
    assert_eq!(answer(&mut host, "digest", &["".into()]), r#""d41d8cd98f00b204e9800998ecf8427e""#);
}

#[test]
fn random_numbers_of_a_node() {
    let mut host = TestHost::default();
    let networking = hash([("networking", hash([("fqdn", "web01.example.com")]))]);
    host.variables.insert("facts".into(), networking);
    for (arguments, expected) in [
        (vec![100.into()], "52"),
        (vec!["100".into()], "52"),
        (vec![1.into()], "0"),
        (vec![10.into(), 5.into()], "2"),
        (vec![0.into()], "ERR invalid argument - 0"),
        (vec![], "ERR fqdn_rand(): Wrong number of arguments given (0 for minimum 1)"),
    ] {
        assert_eq!(answer(&mut host, "fqdn_rand", &arguments), expected);
    }
}

/// Expected values are those of Ruby's `Random.new(seed).rand(limit)`.
#[test]
fn random_numbers_of_ruby() {
    for (seed, limit, expected) in RANDOM {
        assert_eq!(Random::new(seed).below(*limit), *expected, "{seed} {limit}");
    }
}

const RANDOM: &[(&str, u64, u64)] = &[
    ("10f", 1000, 873),
    ("0", 10, 5),
    ("1", 7, 5),
    ("ffffffff", 4294967296, 419326371),
    ("100000000", 100, 44),
    ("1deadbeef00000000", 100, 53),
    ("123456789abcdef0123456789abcdef0", 1099511627776, 342999725847),
    ("9e107d9d372bb6826bd81d3542a419d6", 60, 55),
    ("200000001", 4611686018427387909, 1559010967799199768),
    ("5", 1, 0),
    ("5", 2, 1),
];

#[test]
fn files() {
    let mut host = TestHost::default();
    host.files.insert("ntp/a".into(), b"text".to_vec());
    host.files.insert("ntp/b".into(), vec![0xff]);
    assert_eq!(answer(&mut host, "file", &["no/file".into(), "ntp/a".into()]), r#""text""#);
    assert_eq!(
        answer(&mut host, "file", &["no/a".into(), "no/b".into()]),
        "ERR Could not find any files from no/a, no/b"
    );
    assert_eq!(answer(&mut host, "find_file", &[list(["no/a", "ntp/a"])]), r#""ntp/a""#);
    assert_eq!(answer(&mut host, "find_template", &["no/a".into()]), "nil");
    assert_eq!(host.call_function("binary_file", &["ntp/b".into()], None).unwrap(), bytes_value(vec![0xff]));
    assert_eq!(host.call_function("file", &["ntp/b".into()], None).unwrap(), Value::from(Rich::Binary(vec![0xff])));
    assert_eq!(answer(&mut host, "binary_file", &["x".into()]), "ERR binary_file(): The given file 'x' does not exist");
    assert_eq!(answer(&mut host, "module_directory", &["x".into(), "ntp".into()]), r#""/modules/ntp""#);
}

#[test]
fn programs() {
    let mut host = TestHost::default();
    assert_eq!(answer(&mut host, "generate", &["/bin/echo".into(), 5.into()]), r#""out\n""#);
    assert_eq!(host.commands, [["/bin/echo", "5"]]);
    assert_eq!(answer(&mut host, "generate", &["echo".into()]), "ERR Generators must be fully qualified");
    assert_eq!(
        answer(&mut host, "generate", &["/bin/e;cho".into()]),
        "ERR Generators can only contain alphanumerics, file separators, and dashes"
    );
    assert_eq!(answer(&mut host, "generate", &["/bin/../x".into()]), "ERR Can not use generators with '..' in them.");
    assert_eq!(
        answer(&mut host, "generate", &["/bin/false".into()]),
        "ERR Failed to execute generator /bin/false: it says no"
    );
}

#[test]
fn iterators_are_nothing_for_old_functions() {
    let iterator = crate::testing::call("reverse_each", &[list([1])], None).unwrap();
    assert_eq!(shown("fail", &[iterator], None), "ERR Use of an Iterator is not supported here");
}
