#![no_main]
//! Versions, ranges of them, times and addresses: what is read is written so that it reads as the same.

use hieratic_puppet_types::quantities::{SemVer, SemVerRange, Timespan, Timestamp, Uri};

libfuzzer_sys::fuzz_target!(|input: (&str, &str)| {
    let (text, format) = input;
    if let Ok(version) = SemVer::parse(text) {
        assert_eq!(SemVer::parse(&version.to_string()).as_ref(), Ok(&version));
    }
    if let Ok(range) = SemVerRange::parse(text) {
        assert_eq!(SemVerRange::parse(&range.to_string()).as_ref(), Ok(&range));
    }
    if let Ok(uri) = Uri::parse(text) {
        // A port that the scheme implies is not written.
        assert_eq!(Uri::parse(&uri.to_string()).map(|again| again.to_string()), Ok(uri.to_string()));
    }
    if let Ok(span) = Timespan::parse(text) {
        // Leading zeros of a fraction are lost in the text, as in the reference.
        let _ = Timespan::parse(&span.to_string());
    }
    if let Ok(moment) = Timestamp::parse(text) {
        let _ = moment.format(format, Some("America/New_York"));
    }
    let _ = Timespan::parse_format(text, format);
    let _ = Timestamp::parse_format(text, format, None);
    for nanoseconds in [0, -1, 90_061_500_000_000] {
        let _ = Timespan::new(nanoseconds).map(|span| span.format(format));
    }
});
