//! The parts of pages.

use hieratic_impact::Diff;
use hieratic_report::pages::{SideText, pair};

#[test]
fn only_differences_are_marked() {
    let shown = |base, head| {
        pair(Diff { base, head }.map(|text| Some(SideText { text, origin: None, address: None }))).into_string()
    };
    let text = shown("port = 8080", "port = 8443");
    assert!(text.contains("port = 8<mark>080</mark>") && text.contains("port = 8<mark>443</mark>"), "{text}");
    let text = shown("a = \"ä1\"", "a = \"äö1\"");
    assert!(text.contains("+ a = &quot;ä<mark>ö</mark>1&quot;") && text.contains("− a = &quot;ä1&quot;"), "{text}");
    assert!(!shown("x", "y").contains("<mark>") && !shown("true", "false").contains("<mark>"));
    assert!(shown("<b>", "<i>").contains("&lt;<mark>b</mark>&gt;"));
    let added = Diff { base: None, head: Some(SideText { text: "1", origin: Some("a:1"), address: Some("/file#L1") }) };
    assert!(pair(added).into_string().contains("a:1"));
}
