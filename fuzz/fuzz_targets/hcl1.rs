#![no_main]
//! HCL1 in both dialects: it is read or refused with a place, and its layout can be made.

use hieratic_budget::Budget;
use hieratic_hcl1::{Dialect, format, parse};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for dialect in [Dialect::Nomad, Dialect::Vault] {
        let budget = Budget::default();
        match parse(bytes, dialect, &budget) {
            Ok(file) => {
                let _ = format(&file, &budget);
            }
            Err(error) => assert!(error.place.line >= 1),
        }
    }
});
