use super::*;

fn shown(text: &str) -> String {
    match parse(text) {
        Ok(found) => found.to_string(),
        Err(error) => format!("!! {error}"),
    }
}

#[test]
fn types_are_read_and_written_as_the_reference_does() {
    for (text, expected) in [
        ("  Integer  ", "Integer"),
        ("Integer # comment", "Integer"),
        ("STRING", "String"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}
