//! Reports in JUnit's XML format, which CI systems show.

/// The outcome of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It passed.
    Passed,
    /// It failed, for this reason.
    Failed(String),
    /// It was not run, for this reason.
    Skipped(String),
}

/// Writes a report: for each test its name and its outcome.
pub(crate) fn report(suite: &str, tests: &[(String, Outcome)]) -> String {
    let failures = tests.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_))).count();
    let skipped = tests.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Skipped(_))).count();
    let skipped = if skipped > 0 { format!(" skipped=\"{skipped}\"") } else { String::new() };
    let suite = escaped(suite);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{suite}\" tests=\"{}\" failures=\"{failures}\"{skipped}>\n",
        tests.len()
    );
    for (test, outcome) in tests {
        let name = escaped(test);
        match outcome {
            Outcome::Passed => text.push_str(&format!("  <testcase classname=\"{suite}\" name=\"{name}\"/>\n")),
            Outcome::Skipped(message) => {
                let message = escaped(message);
                text.push_str(&format!(
                    "  <testcase classname=\"{suite}\" name=\"{name}\">\n    <skipped message=\"{message}\"/>\n  </testcase>\n"
                ));
            }
            Outcome::Failed(message) => {
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

/// Escapes a string for an attribute of XML, which has no control characters except these two.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_invalid_in_xml_are_replaced() {
        let tests = [
            ("a<b".into(), Outcome::Passed),
            ("c".into(), Outcome::Failed("\"no\" & \u{1}\n".into())),
            ("d".into(), Outcome::Skipped("no facts".into())),
        ];
        let text = report("catalogs", &tests);
        assert!(text.contains("skipped=\"1\"") && text.contains("<skipped message=\"no facts\"/>"));
        assert!(text.contains("name=\"a&lt;b\"/>") && text.contains("tests=\"3\" failures=\"1\""));
        assert!(text.contains("message=\"&quot;no&quot; &amp; \u{fffd}&#10;\""));
    }
}
