//! Tests for every encoding that a supported language or format produces, alone and mixed.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};
use hieratic_hiera::Secrets;
use hieratic_value::Value;
use hieratic_value::text::REDACTED;
use proptest::prelude::*;

use super::Redactor;

fn redactor(texts: &[&str]) -> Redactor {
    let secrets = Secrets::default();
    texts.iter().for_each(|text| secrets.add(&Value::from(*text)));
    Redactor::new(secrets, false)
}

/// A secret with every character that is escaped somewhere.
const SECRET: &str = "Pä$$&wörd <it's> \"q\" {%x%} ${y}/z\\n\t^#";

fn assert_covered(secret: &str, encoded: &str) {
    let redacted = redactor(&[secret]).text(&format!("[{encoded}]")).into_owned();
    assert_eq!(redacted, format!("[{REDACTED}]"), "{encoded}");
}

/// Replaces characters by their encoded form.
fn by(text: &str, encode: impl Fn(char) -> Option<String>) -> String {
    text.chars().map(|c| encode(c).unwrap_or_else(|| c.into())).collect()
}

fn units(c: char, upper: bool) -> String {
    let mut units = [0; 2];
    let digits = |unit: &u16| if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
    c.encode_utf16(&mut units).iter().map(digits).collect()
}

#[test]
fn json_of_any_encoder() {
    let plain = serde_json::to_string(SECRET).unwrap();
    let plain = plain.trim_matches('"');
    assert_covered(SECRET, plain.trim_end_matches('"'));
    let go = by(plain, |c| "&<>\u{2028}".contains(c).then(|| units(c, false)));
    assert_covered(SECRET, &go);
    assert_covered(SECRET, &by(plain, |c| "&<>'".contains(c).then(|| units(c, true))));
    assert_covered(SECRET, &by(plain, |c| (!c.is_ascii()).then(|| units(c, true))));
    assert_covered(SECRET, &by(SECRET, |c| Some(units(c, false))));
    assert_covered("a😀 secret😀", &by("a😀 secret😀", |c| Some(units(c, false))));
    // JSON within JSON within JSON.
    let twice = serde_json::to_string(&serde_json::to_string(&go).unwrap()).unwrap();
    assert!(!redactor(&[SECRET]).text(&twice).contains("rd"), "{twice}");
}

#[test]
fn cases_beyond_ascii() {
    for secret in ["Straße-élan", "übergröße", "Σίσυφος"] {
        assert_covered(secret, &secret.to_uppercase());
        assert_covered(secret, &secret.to_lowercase());
        let mut rest = secret.chars();
        let title: String = rest.next().unwrap().to_uppercase().chain(rest.flat_map(char::to_lowercase)).collect();
        assert_covered(secret, &title);
    }
}

#[test]
fn yaml_of_any_style() {
    let secret = "open\u{1b}se\u{a0}sa\u{85}me\u{2028}of\u{2029}é😀";
    assert_covered(secret, "open\\ese\\_sa\\Nme\\Lof\\Pé\\U0001F600");
    assert_covered(secret, "open\\x1bse\\xa0sa\\x85me\\u2028of\\u2029\\xe9\\U0001f600");
    let secret = "it's an open\nsesame: #yes";
    assert_covered(secret, "it''s an open\n\n  sesame: #yes");
    assert_covered(secret, "it's an open\n      sesame: #yes");
    assert_covered(secret, "it's an \\\n    open\\nsesame: #yes");
}

#[test]
fn texts_of_programs() {
    assert_covered(SECRET, "P\\u{e4}\\$\\$&w\\u{F6}rd\\s<it\\'s> \\\"q\\\" {%x%} \\${y}\\/z\\\\n\\t^#");
    assert_covered("a ${b} %{c} end", "a $${b} %%{c} end");
    assert_covered("a ${b} %{c} end", "a \\u0024{b} \\U00000025{c} end");
    assert_covered("a.b*c [d] end", "a\\.b\\*c\\ \\[d\\]\\ end");
    assert_covered("pass#{x}word", "pass\\#{x}word");
    assert_covered("pa\u{7}ss\0word", "pa\\ass\\0word");
    assert_covered("éclair-code", "\\303\\251clair-code");
}

#[test]
fn shells() {
    let secret = "it's $a `pass` & \"word\"";
    assert_covered(secret, "it'\\''s $a `pass` & \"word\"");
    assert_covered(secret, "it'\"'\"'s $a `pass` & \"word\"");
    assert_covered(secret, "it\\'s\\ \\$a\\ \\`pass\\`\\ \\&\\ \\\"word\\\"");
    assert_covered(secret, "it\\'s $a `pass` \\x26 \\\"word\\\"");
    // PowerShell and batch files.
    assert_covered(secret, "it's `$a ``pass`` & `\"word`\"");
    assert_covered(secret, "it''s $a `pass` & \"\"word\"");
    assert_covered("50% & more%", "50%% ^& more%");
}

#[test]
fn markup_and_addresses() {
    let named = by(SECRET, |c| {
        Some(match c {
            '&' => "&amp;".into(),
            '<' => "&lt;".into(),
            '>' => "&gt;".into(),
            '"' => "&quot;".into(),
            '\'' => "&apos;".into(),
            'ä' => "&auml;".into(),
            'ö' => "&ouml;".into(),
            _ => return None,
        })
    });
    assert_covered(SECRET, &named);
    assert_covered(SECRET, &named.replace('&', "&amp;"));
    assert_covered(SECRET, &by(SECRET, |c| Some(format!("&#{};", u32::from(c)))));
    assert_covered(SECRET, &by(SECRET, |c| Some(format!("&#x{:X};", u32::from(c)))));
    let percent = |upper: bool| -> String {
        let byte = |byte: u8| match (byte.is_ascii_alphanumeric(), upper) {
            (true, _) => char::from(byte).to_string(),
            (false, true) => format!("%{byte:02X}"),
            (false, false) => format!("%{byte:02x}"),
        };
        SECRET.bytes().map(byte).collect()
    };
    for percent in [percent(true), percent(false)] {
        assert_covered(SECRET, &percent);
        assert_covered(SECRET, &percent.replace("%20", "+"));
        assert_covered(SECRET, &percent.replace('%', "%25"));
    }
}

#[test]
fn base_64_and_digits() {
    let wrapped = |text: String, width: usize| -> String {
        let digits: Vec<char> = text.chars().collect();
        digits.chunks(width).map(String::from_iter).collect::<Vec<_>>().join("\n  ")
    };
    for (before, after) in [("", ""), ("x", "y"), ("xy", "z"), ("user:", "@host"), ("a=b;p=", "")] {
        let text = format!("{before}{SECRET}{after}");
        let json = serde_json::to_string(&text).unwrap();
        for plain in [text.clone(), json, text.to_uppercase()] {
            for encoded in [
                STANDARD.encode(&plain),
                URL_SAFE.encode(&plain),
                STANDARD_NO_PAD.encode(&plain),
                wrapped(STANDARD.encode(&plain), 20),
                wrapped(STANDARD.encode(&plain), 20).replace('\n', "\\n"),
                STANDARD.encode(&plain).replace('/', "\\/").replace('+', "%2B"),
                STANDARD.encode(STANDARD.encode(&plain)),
            ] {
                let redacted = redactor(&[SECRET]).text(&encoded).into_owned();
                assert!(redacted.contains(REDACTED), "{plain}: {encoded}");
                assert!(redacted.len() < REDACTED.len() + 2 * (before.len() + after.len()) + 24, "{redacted}");
            }
        }
    }
    let wide: Vec<u8> = "swordfish".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(redactor(&["swordfish"]).text(&STANDARD.encode(wide)).contains(REDACTED));
    let hex: String = SECRET.bytes().map(|byte| format!("{byte:02x}")).collect();
    assert_covered(SECRET, &hex);
    assert_covered(SECRET, &hex.to_uppercase());
    assert_covered(SECRET, &SECRET.chars().rev().collect::<String>());
}

#[test]
fn control_characters_made_visible() {
    assert_covered("pass\u{1b}wo\u{0}rd!", "pass␛wo␀rd!");
    assert_covered("pass\u{202e}wo\trd!", "pass\u{fffd}wo\\trd!");
    assert_covered("ab\u{1b}c", "ab␛c");
}

#[test]
fn short_secrets_to_the_letter() {
    for encoded in
        ["it's", "it''s", "it'\\''s", "it\\'s", "it&#39;s", "it%27s", "IT\\u0027S", "s'ti", "aXQncw", "69742773"]
    {
        assert_covered("it's", encoded);
    }
    assert_eq!(redactor(&["it's"]).text("its, i t's"), "its, i t's");
    assert_covered("a\"$b", "a\\\"$$b");
    // An escape is redacted as a whole.
    assert_eq!(redactor(&["$%^\""]).text("\\$%%^^\\\""), REDACTED);
}

#[test]
fn marks_at_the_edges_belong_to_the_secret() {
    assert_eq!(
        redactor(&["$ecretword$"]).text("'$ecretword$', %24ecretword\\$ x"),
        format!("'{REDACTED}', {REDACTED} x")
    );
    assert_eq!(redactor(&["\"quoted-word\""]).text("k: \\\"quoted-word\\\"!"), format!("k: \\{REDACTED}!"));
}

#[test]
fn placeholders_are_not_redacted_again() {
    let redactor = redactor(&["value", "Sens", "redacted"]);
    assert_eq!(redactor.text("a value"), format!("a {REDACTED}"));
    assert_eq!(redactor.text(&format!("{REDACTED} value {REDACTED}")), format!("{REDACTED} {REDACTED} {REDACTED}"));
}

#[test]
fn earlier_findings_hide_no_later_ones() {
    for secret in ["nightfish", "u0041bcdefgh", "41-swordfish", "amp;swordfish", "x41swordfish"] {
        for before in ["\\", "%", "&", "\\\\", "%25", "`", "\\u00", "\\ud83d"] {
            let redacted = redactor(&[secret]).text(&format!("{before}{secret} end")).into_owned();
            assert!(redacted.ends_with(&format!("{REDACTED} end")), "{before}{secret}: {redacted}");
        }
    }
}

#[test]
fn the_work_does_not_depend_on_how_much_is_found() {
    // Everything overlaps; the result is one range.
    let secret = "a".repeat(2_000);
    assert_eq!(redactor(&[&secret]).text(&"a".repeat(300_000)), REDACTED);
    let redactor = redactor(&["nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"]);
    assert!(redactor.text(&"\\n".repeat(100_000)).contains(REDACTED));
}

#[test]
fn ten_thousand_secrets_met_one_by_one() {
    let secrets = Secrets::default();
    let redactor = Redactor::new(secrets.clone(), false);
    for number in 0..2_000 {
        let secret = format!("secret-{number}-of-many");
        secrets.add(&Value::from(secret.as_str()));
        assert_eq!(redactor.text(&secret), REDACTED);
    }
    assert_eq!(redactor.text("secret-7-of-many secret-1999-of-many"), format!("{REDACTED} {REDACTED}"));
}

#[test]
fn a_secret_that_begins_with_an_escape_is_redacted_from_there() {
    // The last digit of the escape is the character that it encodes.
    let ranges = redactor(&["\\0!!É!É"]).ranges("\\\\u0030\\u0021\\u0021\\u00C9\\u0021\\u00C9");
    assert_eq!(ranges.first(), Some(&(0..37)));
    // The escape is itself escaped, with quotation marks before it.
    let ranges = redactor(&["\"%0aÉää"]).ranges("%2522&#37;%2530\\u0061\\u00C9\\u00E4%25c3%25a4");
    assert_eq!(ranges.first(), Some(&(0..43)));
    // The last escape and the letter after it look like an escape of YAML.
    let ranges = redactor(&["\"$\\L,ä!aß"]).ranges("\\u0022&amp;#x24;\\u005CL\\u002C\\u00E4\\u0021\\u0061\\u00DF");
    assert_eq!(ranges.first(), Some(&(0..53)));
}

/// One of the ways in which encoders write a character.
fn written(c: char, way: u8) -> String {
    match way % 9 {
        0 => units(c, way.is_multiple_of(2)),
        1 => c.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect(),
        2 => format!("&#{};", u32::from(c)),
        3 => format!("&amp;#x{:x};", u32::from(c)),
        4 => format!("\\u{{{:x}}}", u32::from(c)),
        5 => c.to_string().bytes().map(|byte| format!("%25{byte:02x}")).collect(),
        6 if c.is_ascii_punctuation() => format!("\\{c}"),
        7 => c.to_uppercase().collect(),
        _ => c.into(),
    }
}

proptest! {
    #[test]
    fn any_mixture_of_escapes(
        secret in "[!-~ äßÉ😀]{4,24}",
        ways in prop::collection::vec(any::<u8>(), 24),
        before in "[ -~]{0,8}",
        behind in "[ -~]{0,8}",
    ) {
        prop_assume!(secret.trim().len() >= 4 && secret.trim() == secret);
        let encoded: String = secret.chars().zip(&ways).map(|(c, way)| written(c, *way)).collect();
        let text = format!("{before}{encoded}{behind}");
        let ranges = redactor(&[&secret]).ranges(&text);
        // Marks at the edges may belong to the surrounding text.
        let inner = encoded.trim_matches(|c: char| !c.is_alphanumeric()).len();
        let length: usize = ranges.iter().map(|range| range.len()).sum();
        prop_assert!(!ranges.is_empty() && length >= inner.saturating_sub(12), "{} {:?}", text, ranges);
    }

    #[test]
    fn ranges_are_in_order_and_within_characters(
        secrets in prop::collection::vec("[a-cé\\\\%&;n0-4]{4,9}", 1..4),
        text in "[a-cé\\\\%&;n0-4u#x]{0,60}",
    ) {
        let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
        let mut end = 0;
        for range in redactor(&secrets).ranges(&text) {
            prop_assert!(range.start >= end && range.start < range.end);
            prop_assert!(text.get(range.clone()).is_some());
            end = range.end;
        }
    }
}
