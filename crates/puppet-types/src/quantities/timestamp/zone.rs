//! Time zones by name or offset, parsed as Ruby's dates do.

/// Returns the offset of a zone from UTC in seconds: `+01:00`, `-0530`, `GMT+1`, `PST`, `Eastern Standard Time`.
/// `current` is UTC.
///
/// # Errors
/// The zone is unknown.
pub fn zone_offset(zone: &str) -> Result<i64, String> {
    if zone.eq_ignore_ascii_case("current") {
        return Ok(0);
    }
    match prefix(zone).and_then(offset_of) {
        Some(offset) => Ok(offset),
        None => Err(format!("Illegal timezone '{zone}'")),
    }
}

/// The part at the start of a string that looks like a zone.
pub(super) fn prefix(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let bytes = lower.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let word = if lower.starts_with("gmt") || lower.starts_with("utc") {
        3
    } else if lower.starts_with("ut") {
        2
    } else {
        0
    };
    if matches!(bytes.get(word), Some(b'+' | b'-')) && digits(word + 1) > 0 {
        let mut end = word + 1 + digits(word + 1);
        for _ in 0..2 {
            let separated = matches!(bytes.get(end), Some(b':' | b',' | b'.')) && digits(end + 1) > 0;
            if !separated {
                break;
            }
            end += 1 + digits(end + 1);
        }
        return text.get(..end);
    }
    let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    if letters == 0 {
        return None;
    }
    for suffix in [" standard time", " daylight time", " dst"] {
        if lower[letters..].starts_with(suffix) {
            return text.get(..letters + suffix.len());
        }
    }
    text.get(..letters)
}

/// The offset of a zone.
pub(super) fn offset_of(zone: &str) -> Option<i64> {
    let lower = zone.to_ascii_lowercase();
    let (name, summer) = if let Some(name) = lower.strip_suffix(" daylight time").or(lower.strip_suffix(" dst")) {
        (name.to_owned(), 3600)
    } else {
        (lower.strip_suffix(" standard time").unwrap_or(&lower).to_owned(), 0)
    };
    if let Some((_, minutes)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(minutes * 60 + summer);
    }
    let rest = name.trim_start_matches("gmt").trim_start_matches("utc").trim_start_matches("ut");
    let sign = match rest.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    Some(sign * length(&rest[1..])?)
}

/// Hours and minutes: `5`, `05`, `530`, `0530`, `05:30`, `05:30:15`, `1.5`.
fn length(text: &str) -> Option<i64> {
    if let Some((hours, fraction)) = text.split_once(['.', ',']) {
        let hours: i64 = hours.parse().ok()?;
        let share: f64 = format!("0.{fraction}").parse().ok()?;
        return Some(hours * 3600 + (share * 3600.0) as i64);
    }
    if text.contains(':') {
        let mut parts = text.split(':').map(|part| part.parse::<i64>().ok());
        let (hours, minutes) = (parts.next()??, parts.next()??);
        let seconds = parts.next().unwrap_or(Some(0))?;
        return Some(hours * 3600 + minutes * 60 + seconds);
    }
    // Digits without signs between: the hours have the odd one.
    if text.len() > 6 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let hours = if text.len() % 2 == 1 { 1 } else { 2 };
    let part = |from: usize| text.get(from..from + 2).and_then(|part| part.parse::<i64>().ok()).unwrap_or(0);
    Some(text[..hours].parse::<i64>().ok()? * 3600 + part(hours) * 60 + part(hours + 2))
}

/// The zones that have names, in minutes ahead of UTC.
#[rustfmt::skip]
const NAMES: &[(&str, i64)] = &[
    ("utc", 0), ("gmt", 0), ("ut", 0), ("est", -300), ("edt", -240), ("cst", -360), ("cdt", -300), ("mst", -420),
    ("mdt", -360), ("pst", -480), ("pdt", -420), ("a", 60), ("b", 120), ("c", 180), ("d", 240), ("e", 300),
    ("f", 360), ("g", 420), ("h", 480), ("i", 540), ("k", 600), ("l", 660), ("m", 720), ("n", -60),
    ("o", -120), ("p", -180), ("q", -240), ("r", -300), ("s", -360), ("t", -420), ("u", -480), ("v", -540),
    ("w", -600), ("x", -660), ("y", -720), ("z", 0), ("wet", 0), ("at", -120), ("brst", -120), ("ndt", -90),
    ("art", -180), ("adt", -180), ("brt", -180), ("clst", -180), ("nst", -150), ("ast", -240), ("clt", -240), ("akdt", -480),
    ("ydt", -480), ("akst", -540), ("hadt", -540), ("hdt", -540), ("yst", -540), ("ahst", -600), ("cat", 120), ("hast", -600),
    ("hst", -600), ("nt", -660), ("idlw", -720), ("bst", 60), ("cet", 60), ("fwt", 60), ("met", 60), ("mewt", 60),
    ("mez", 60), ("swt", 60), ("wat", 60), ("west", 60), ("cest", 120), ("eet", 120), ("fst", 120), ("mest", 120),
    ("mesz", 120), ("sast", 120), ("sst", -660), ("bt", 180), ("eat", 180), ("eest", 180), ("msk", 180), ("msd", 240),
    ("ist", 330), ("wast", 120), ("cct", 390), ("sgt", 480), ("wadt", 480), ("jst", 540), ("kst", 540), ("east", -360),
    ("gst", 600), ("eadt", 660), ("idle", 720), ("nzst", 720), ("nzt", 720), ("nzdt", 780), ("aest", 600), ("aedt", 660),
    ("acst", 570), ("awst", 480), ("pkt", 300), ("uzt", 300), ("npt", 345), ("mmt", 390), ("ict", 420), ("wib", 420),
    ("hkt", 480), ("pht", 480), ("azt", 240), ("get", 240), ("irst", 210), ("aft", 270), ("yekt", 300), ("omst", 360),
    ("novt", 420), ("krast", 480), ("irkt", 480), ("yakt", 540), ("vlat", 600), ("sakt", 660), ("magt", 660), ("pett", 720),
    ("chast", 765), ("eastern", -300), ("central", -360), ("mountain", -420), ("pacific", -480), ("acdt", 630),
];
