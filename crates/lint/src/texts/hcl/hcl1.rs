//! HCL 1: the language of Consul's and Vault's configuration and of what Nomad's commands take in addition to jobs
//! (volumes, policies, quotas).
//!
//! It is parsed leniently, only to recognize the language: names may have dots or quotes, and no separator is required
//! between two items.
//!
//! Source of the rules: <https://github.com/hashicorp/hcl/tree/v1.0.1>.

/// The deepest nesting of objects and lists.
const DEEPEST: usize = 200;

/// Reports whether a string is a document of HCL 1.
pub(super) fn is_document(text: &str) -> bool {
    let mut reader = Reader { text, at: 0 };
    reader.items(None, 0).is_some()
}

/// A recursive-descent parser that only accepts or rejects.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, wanted: char) -> Option<()> {
        (self.peek()? == wanted).then(|| self.at += wanted.len_utf8())
    }

    /// Skips whitespace, commas and comments; `None` if a comment does not end.
    fn blanks(&mut self) -> Option<()> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with('#') || trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                self.at += trimmed.find("*/")? + 2;
            } else {
                return Some(());
            }
        }
    }

    /// Items up to a bracket, or to the end of the text.
    fn items(&mut self, end: Option<char>, depth: usize) -> Option<()> {
        loop {
            self.blanks()?;
            match (self.peek(), end) {
                (None, None) => return Some(()),
                (found, Some(end)) if found == Some(end) => return self.take(end),
                _ => self.item(depth)?,
            }
        }
    }

    /// Names, followed by a value after `=`, or by an object.
    fn item(&mut self, depth: usize) -> Option<()> {
        self.name()?;
        loop {
            self.blanks()?;
            match self.peek()? {
                '=' => {
                    self.take('=')?;
                    self.blanks()?;
                    return self.value(depth);
                }
                '{' => return self.value(depth),
                _ => self.name()?,
            }
        }
    }

    fn name(&mut self) -> Option<()> {
        if self.peek()? == '"' {
            return self.quoted();
        }
        let rest = self.rest();
        let is_incomplete = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
        let end = rest.find(|letter| !is_incomplete(letter)).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then_some(())
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match self.peek()? {
            '{' => {
                self.take('{')?;
                self.items(Some('}'), depth + 1)
            }
            '[' => {
                self.take('[')?;
                loop {
                    self.blanks()?;
                    match self.peek()? {
                        ']' => return self.take(']'),
                        _ => self.value(depth + 1)?,
                    }
                }
            }
            '"' => self.quoted(),
            '<' => self.heredoc(),
            // Numbers, truth values and words.
            _ => self.name_or_number(),
        }
    }

    fn name_or_number(&mut self) -> Option<()> {
        if matches!(self.peek()?, '-' | '+') {
            self.at += 1;
        }
        self.name()
    }

    /// A quoted string, in which `${...}` can contain quotes.
    fn quoted(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        let mut braces = 0_usize;
        loop {
            match bytes.get(at)? {
                b'\\' => at += 1,
                b'\n' if braces == 0 => return None,
                b'$' if bytes.get(at + 1) == Some(&b'{') => {
                    braces += 1;
                    at += 1;
                }
                b'{' if braces > 0 => braces += 1,
                b'}' if braces > 0 => braces -= 1,
                b'"' if braces == 0 => break,
                _ => {}
            }
            at += 1;
        }
        self.at = at + 1;
        Some(())
    }

    fn heredoc(&mut self) -> Option<()> {
        let rest = self.rest().strip_prefix("<<")?;
        let rest = rest.strip_prefix('-').unwrap_or(rest);
        let (first, body) = rest.split_once('\n')?;
        let mark = first.trim();
        if mark.is_empty() {
            return None;
        }
        let mut at = self.text.len() - body.len();
        for line in body.split_inclusive('\n') {
            at += line.len();
            if line.trim() == mark {
                self.at = at;
                return Some(());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_are_not_hcl1() {
        for good in [
            "",
            "id = \"v\"\ntopology_request { required { topology { segments { rack = \"R1\" } } } }\n",
            "namespace \"default\" { policy = \"write\" capabilities = [\"submit-job\"] }\n",
            "telemetry {\n  disable_compat_1.9 = true\n}\n",
            "\"a\" = [1, -2, { b = \"${c(\"d\")}\" }] # e\nf = <<EOF\n}\nEOF\n/* g */ // h\n",
            "path \"secret/*\" { capabilities = [\"read\"] }",
        ] {
            assert!(is_document(good), "{good}");
        }
        for bad in
            ["a", "a = ", "a {", "a = \"b", "a = <<E\nb\n", "a = [1", "= 1", "a = 1 + 1", "/* a", "a }", "a: b\nc: d"]
        {
            assert!(!is_document(bad), "{bad}");
        }
        assert!(!is_document(&format!("a = {}", "[".repeat(100_000))));
    }
}
