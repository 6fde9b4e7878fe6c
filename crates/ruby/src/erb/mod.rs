//! ERB: translates a template to Ruby source with the same lines, which is then parsed as usual.
//!
//! The source is that of Ruby's own ERB, including its quirks: a comment in `<% # ... %>` hides the text after it. =>
//! ERB: translates a template to Ruby source with equal line numbers.
//!
//! The result equals that of Ruby's ERB, including its quirks: a comment in `<% # ... %>` hides the text after it.

/// The trim mode: the handling of line ends and spaces around tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trim {
    /// `-`, which Puppet uses: `-%>` removes the line end after it, and `<%-` the spaces before it.
    pub explicit: bool,
    /// `%`: a line that starts with it is code.
    pub percent: bool,
    /// `<>`: a line that starts with `<%` and ends with `%>` leaves no newline.
    pub whole_lines: bool,
    /// `>`: a line that ends with `%>` leaves no newline.
    pub ends: bool,
}

impl Trim {
    /// Parses the string form of Ruby's `trim_mode`.
    pub fn parse(mode: &str) -> Trim {
        Trim {
            explicit: mode.contains('-'),
            percent: mode.contains('%'),
            whole_lines: mode.contains("<>"),
            ends: mode.contains('>') && !mode.contains("<>"),
        }
    }
}

/// Translates a template to Ruby source.
pub fn compile(template: &str, trim: Trim) -> String {
    let mut out = Source { text: String::with_capacity(template.len() * 2), fresh: true };
    out.statement("_erbout = +''");
    let mut rest = template;
    let mut text = String::new();
    let mut line_start = true;
    // The offset at which the search for the next tag began.
    let mut chunk = 0;
    while !rest.is_empty() {
        if trim.percent && line_start && rest.starts_with('%') {
            let (line, after) = rest.split_once('\n').map_or((rest, ""), |(line, after)| (line, after));
            if let Some(literal) = line.strip_prefix("%%") {
                text.push('%');
                text.push_str(literal);
                text.push('\n');
            } else {
                out.put(&mut text);
                out.statement(&line[1..]);
                out.newline();
            }
            rest = after;
            continue;
        }
        let limit = if trim.percent { rest.find('\n').map_or(rest.len(), |at| at + 1) } else { rest.len() };
        let Some(at) = rest[..limit].find("<%") else {
            text.push_str(&rest[..limit]);
            rest = &rest[limit..];
            line_start = true;
            continue;
        };
        text.push_str(&rest[..at]);
        let opened_line = at == 0 && line_start || rest[..at].ends_with('\n');
        rest = &rest[at + 2..];
        line_start = false;
        if let Some(after) = rest.strip_prefix('%') {
            text.push_str("<%");
            chunk = text.len();
            rest = after;
            continue;
        }
        let kind = match rest.as_bytes().first() {
            Some(b'=') => '=',
            Some(b'#') => '#',
            Some(b'-') if trim.explicit => '-',
            _ => ' ',
        };
        if kind != ' ' {
            rest = &rest[1..];
        }
        if kind == '-' {
            // Spaces before the tag are dropped if the tag is alone on its line; only the text since the last tag
            // counts.
            let kept = text[chunk..].trim_end_matches([' ', '\t']).len() + chunk;
            if kept == chunk || text[..kept].ends_with('\n') {
                text.truncate(kept);
            }
        }
        out.put(&mut text);
        chunk = 0;
        let mut code = String::new();
        let mut swallow = false;
        loop {
            let Some(end) = rest.find("%>") else {
                // A tag that is never closed is literal text.
                code.push_str(rest);
                out.put(&mut code);
                out.statement("_erbout");
                return out.text;
            };
            let before = &rest[..end];
            if let Some(before) = before.strip_suffix('%') {
                code.push_str(before);
                code.push_str("%>");
                rest = &rest[end + 2..];
                continue;
            }
            rest = &rest[end + 2..];
            match before.strip_suffix('-').filter(|_| trim.explicit) {
                Some(before) => {
                    code.push_str(before);
                    swallow = true;
                }
                None => code.push_str(before),
            }
            break;
        }
        out.tag(kind, &code);
        let trims = swallow || trim.ends || (trim.whole_lines && opened_line);
        if swallow && rest.is_empty() {
            out.newline();
        }
        if trims {
            let after = rest.strip_prefix('\n');
            if let Some(after) = after {
                out.newline();
                rest = after;
                line_start = true;
            }
        }
    }
    out.put(&mut text);
    out.statement("_erbout");
    out.text
}

/// The generated Ruby source.
struct Source {
    text: String,
    /// True at the start of a line.
    fresh: bool,
}

impl Source {
    fn statement(&mut self, code: &str) {
        if !self.fresh {
            self.text.push_str("; ");
        }
        self.text.push_str(code);
        self.fresh = false;
    }

    fn newline(&mut self) {
        self.text.push('\n');
        self.fresh = true;
    }

    /// Writes a string literal that is appended to the output, followed by as many newlines as the string contains.
    fn put(&mut self, text: &mut String) {
        if text.is_empty() {
            return;
        }
        let mut literal = String::with_capacity(text.len() + 24);
        literal.push_str("_erbout.<< \"");
        let mut lines = 0;
        for one in text.chars() {
            match one {
                '\n' => {
                    literal.push_str("\\n");
                    lines += 1;
                }
                '"' | '\\' | '#' => {
                    literal.push('\\');
                    literal.push(one);
                }
                '\r' => literal.push_str("\\r"),
                one => literal.push(one),
            }
        }
        literal.push('"');
        text.clear();
        self.statement(&literal);
        for _ in 0..lines {
            self.newline();
        }
    }

    fn tag(&mut self, kind: char, code: &str) {
        match kind {
            '=' => self.statement(&format!("_erbout.<<(({code}).to_s)")),
            '#' => {
                for _ in code.matches('\n') {
                    self.newline();
                }
            }
            _ => match code.strip_suffix('\n') {
                Some(code) => {
                    self.statement(code);
                    self.newline();
                }
                None => self.statement(code),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puppet(template: &str) -> String {
        compile(template, Trim::parse("-"))
    }

    #[test]
    fn text_and_expressions_become_appends() {
        assert_eq!(
            puppet("a <%= x %>!\n"),
            "_erbout = +''; _erbout.<< \"a \"; _erbout.<<(( x ).to_s); _erbout.<< \"!\\n\"\n_erbout"
        );
    }

    #[test]
    fn an_unclosed_tag_is_text() {
        assert_eq!(puppet("a <%u%%%d> b\n"), "_erbout = +''; _erbout.<< \"a \"; _erbout.<< \"u%%%d> b\\n\"\n_erbout");
        assert_eq!(puppet("<%= x"), "_erbout = +''; _erbout.<< \" x\"; _erbout");
    }

    #[test]
    fn a_dash_removes_the_line_end() {
        assert_eq!(puppet("  <%- if x -%>\nb\n"), "_erbout = +'';  if x \n_erbout.<< \"b\\n\"\n_erbout");
    }
}
