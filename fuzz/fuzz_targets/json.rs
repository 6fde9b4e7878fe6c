#![no_main]
//! A data file: read with positions, never a panic.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = hieratic_json::parse_with_positions(data);
});
