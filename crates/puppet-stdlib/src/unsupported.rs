//! The functions of the module that are not implemented, and the reasons.

use hieratic_puppet_functions::{Dispatch, Doc, Function};

use crate::untyped::fail;

/// Declares the functions, each with the reason.
macro_rules! missing {
    ($($name:literal: $reason:literal),+ $(,)?) => {
        /// The functions that are not implemented, each with the reason.
        pub const MISSING: &[(&str, &str)] = &[$(($name, $reason)),+];

        pub(crate) static FUNCTIONS: &[Function] = &[
            $(Function::new($name, Doc::new(concat!("Not available: ", $reason, ".")), &[Dispatch::untyped(|_| {
                fail(concat!("the function '", $name, "' of the stdlib module is not available: ", $reason))
            })])),+
        ];
    };
}

missing! {
    "glob": "it lists files on the machine",
    "pry": "it opens a Ruby debugger",
    "validate_augeas": "it runs the Augeas library",
    "validate_cmd": "it runs a program",
    "validate_x509_rsa_key_pair": "it needs OpenSSL",
}
