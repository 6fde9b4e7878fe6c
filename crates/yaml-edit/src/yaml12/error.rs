//! [`Yaml12Error`]: the reason why a source is not YAML.

use super::cursor::Mark;
use hieratic_json::Error;
use hieratic_source::Position;

/// A syntax error, with the wording of the reference.
#[derive(Debug)]
pub(crate) struct Yaml12Error {
    context: Option<(String, Mark)>,
    problem: String,
    at: Mark,
}

impl Yaml12Error {
    pub(super) fn new(problem: impl Into<String>, at: Mark) -> Yaml12Error {
        Yaml12Error { context: None, problem: problem.into(), at }
    }

    /// Adds the context of the error and the position where it began.
    pub(super) fn during(mut self, context: impl Into<String>, from: Mark) -> Yaml12Error {
        self.context = Some((context.into(), from));
        self
    }

    /// The error for a source with a name.
    pub(crate) fn error(&self, name: &str) -> Error {
        let place = |mark: Mark| {
            let Position { line, column } = mark.position();
            format!("  in \"{name}\", line {line}, column {column}")
        };
        let mut lines = Vec::new();
        if let Some((context, from)) = &self.context {
            lines.push(context.clone());
            if (from.line, from.column) != (self.at.line, self.at.column) {
                lines.push(place(*from));
            }
        }
        lines.extend([self.problem.clone(), place(self.at)]);
        let error = Error::new(lines.join("\n")).at(self.at.position());
        match self.hint() {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }

    fn hint(&self) -> Option<&'static str> {
        let starts = |start: &str| self.problem.starts_with(start);
        Some(if starts("found character '\\t'") {
            "use spaces: tabs are not allowed here"
        } else if starts("found character") {
            "quote strings that start with @, ` or %"
        } else if starts("mapping values are not allowed") {
            "put a value that contains a colon and a space in quotes, or check the indentation"
        } else if starts("could not find expected ':'") {
            "add a colon after the key, and check the indentation of the lines above"
        } else if starts("expected <block end>") {
            "check the indentation, and that quotes and brackets above are closed with nothing after them"
        } else if starts("expected ',' or") {
            "close the bracket, and write commas between the elements"
        } else if starts("found unexpected end of stream") {
            "close the quotes"
        } else if starts("found unknown escape character") {
            "use single quotes, or write two backslashes"
        } else {
            return None;
        })
    }
}

/// A character as Python shows it; none for the end of the text.
pub(super) fn describe_char(character: char) -> String {
    match character {
        '\0' => "'\\x00'".to_owned(),
        '\t' => "'\\t'".to_owned(),
        '\n' => "'\\n'".to_owned(),
        '\r' => "'\\r'".to_owned(),
        '\'' => "\"'\"".to_owned(),
        '\\' => "'\\\\'".to_owned(),
        c @ ('\u{80}'..='\u{a0}' | '\u{ad}') => format!("'\\x{:02x}'", u32::from(c)),
        c @ ('\u{2028}' | '\u{2029}' | '\u{feff}') => format!("'\\u{:04x}'", u32::from(c)),
        c => format!("'{c}'"),
    }
}
