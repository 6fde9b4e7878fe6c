//! The functions of the module that are not implemented, and the reasons.

use hieratic_puppet_functions::Function;

use crate::untyped::{fail, function};

/// The functions that are not implemented, each with the reason.
pub const MISSING: &[(&str, &str)] = &[
    ("glob", "it lists files on the machine"),
    ("pry", "it opens a Ruby debugger"),
    ("validate_augeas", "it runs the Augeas library"),
    ("validate_cmd", "it runs a program"),
    ("validate_x509_rsa_key_pair", "it needs OpenSSL"),
];

macro_rules! missing {
    ($($name:literal)*) => { [$(function!($name, |_| unsupported($name))),*] };
}

pub(crate) static FUNCTIONS: [Function; 5] =
    missing!["glob" "pry" "validate_augeas" "validate_cmd" "validate_x509_rsa_key_pair"];

fn unsupported(name: &str) -> hieratic_puppet_functions::Outcome {
    let reason = MISSING.iter().find(|(missing, _)| *missing == name).map_or("", |(_, reason)| reason);
    fail(format!("the function '{name}' of the stdlib module is not available: {reason}"))
}
