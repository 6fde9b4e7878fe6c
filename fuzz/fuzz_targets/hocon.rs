#![no_main]
//! A data file: read with positions, never a panic.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = hieratic_hocon::parse_with_positions(data, &hieratic_hocon::Environment::empty());
});
