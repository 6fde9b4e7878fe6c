//! Reports in the format of JUnit, which services for continuous integration show.

use crate::markup;

/// A report: for each test its name, and why it failed, if it did.
pub(crate) fn report(suite: &str, tests: &[(String, Option<String>)]) -> String {
    let failures = tests.iter().filter(|(_, failure)| failure.is_some()).count();
    let suite = escaped(suite);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{suite}\" tests=\"{}\" failures=\"{failures}\">\n",
        tests.len()
    );
    for (test, failure) in tests {
        let name = escaped(test);
        match failure {
            None => text.push_str(&format!("  <testcase classname=\"{suite}\" name=\"{name}\"/>\n")),
            Some(message) => {
                let message = escaped(message);
                text.push_str(&format!(
                    "  <testcase classname=\"{suite}\" name=\"{name}\">\n    <failure message=\"{message}\"/>\n  </testcase>\n"
                ));
            }
        }
    }
    text.push_str("</testsuite>\n");
    text
}

/// Text as an attribute of XML, which knows no other control characters than these.
fn escaped(text: &str) -> String {
    markup::escaped(text, |c| match c {
        '\n' => Some("&#10;"),
        '\t' => Some("&#9;"),
        c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => Some("\u{fffd}"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_does_not_know_is_replaced() {
        let text = report("catalogs", &[("a<b".into(), None), ("c".into(), Some("\"no\" & \u{1}\n".into()))]);
        assert!(text.contains("name=\"a&lt;b\"/>") && text.contains("tests=\"2\" failures=\"1\""));
        assert!(text.contains("message=\"&quot;no&quot; &amp; \u{fffd}&#10;\""));
    }
}
