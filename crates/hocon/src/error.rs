//! [`HoconError`]: the reason why HOCON cannot be parsed.

use std::rc::Rc;

use hieratic_json::Error;
use hieratic_source::Position;

/// The origin of a value, as the gem's messages name it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Origin {
    /// The name of the source. The gem uses this one for every source that is a string.
    pub description: Rc<str>,
    /// The first line; negative when unknown.
    pub line: i64,
    pub last_line: i64,
    /// The position.
    pub at: Position,
}

const MERGE: &str = "merge of ";

impl Origin {
    pub fn text(line: i64, at: Position) -> Self {
        Origin { description: "String".into(), line, last_line: line, at }
    }

    /// Returns the origin of two merged values.
    pub fn merged(&self, other: &Origin) -> Origin {
        let plain = |origin: &Origin| -> Rc<str> {
            origin.description.strip_prefix(MERGE).map_or_else(|| origin.description.clone(), Into::into)
        };
        let (mine, theirs) = (plain(self), plain(other));
        if mine != theirs {
            let description = format!("{MERGE}{mine},{theirs}").into();
            return Origin { description, line: -1, last_line: -1, at: self.at };
        }
        let line = match (self.line, other.line) {
            (line, other) if line < 0 => other,
            (line, other) if other < 0 => line,
            (line, other) => line.min(other),
        };
        Origin { description: mine, line, last_line: self.last_line.max(other.last_line), at: self.at }
    }

    /// Returns the origin of several merged values. As in the gem, the last ones are merged first, three at a time.
    pub fn merge_all(mut origins: Vec<Origin>) -> Origin {
        loop {
            let joined = match origins.as_slice() {
                [] => return Origin::text(-1, Position::START),
                [one] => return one.clone(),
                [one, two] => return one.merged(two),
                [.., a, b, c] if a.similarity(b) >= b.similarity(c) => a.merged(b).merged(c),
                [.., a, b, c] => a.merged(&b.merged(c)),
            };
            origins.truncate(origins.len() - 3);
            origins.push(joined);
        }
    }

    fn similarity(&self, other: &Origin) -> u8 {
        if self.description != other.description {
            return 0;
        }
        1 + u8::from(self.line == other.line) + u8::from(self.last_line == other.last_line)
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin { description, line, .. } if *line < 0 => f.write_str(description),
            Origin { description, line, last_line, .. } if line == last_line => write!(f, "{description}: {line}"),
            Origin { description, line, last_line, .. } => write!(f, "{description}: {line}-{last_line}"),
        }
    }
}

/// The reason why reading stops.
#[derive(Debug)]
pub(super) struct HoconError(Box<HoconErrorParts>);

#[derive(Debug)]
struct HoconErrorParts {
    message: String,
    at: Position,
    hint: Option<&'static str>,
    limit: bool,
}

pub(super) type HoconResult<T> = Result<T, HoconError>;

impl HoconError {
    fn new(message: String, at: Position) -> Self {
        HoconError(Box::new(HoconErrorParts { message, at, hint: None, limit: false }))
    }

    /// Creates the gem's `ConfigError` with an origin.
    pub fn at(origin: &Origin, message: impl std::fmt::Display) -> Self {
        HoconError::new(format!("{origin}: {message}"), origin.at)
    }

    /// Creates the gem's `ConfigError` without an origin, or another exception of Ruby.
    pub fn plain(at: Position, message: impl Into<String>) -> Self {
        HoconError::new(message.into(), at)
    }

    /// Creates an error for input on which the gem has no limit, or for an unsupported feature of the gem.
    pub fn limit(at: Position, message: impl Into<String>) -> Self {
        let mut failure = HoconError::new(message.into(), at);
        failure.0.limit = true;
        failure
    }

    pub fn with_hint(mut self, hint: &'static str) -> Self {
        self.0.hint = Some(hint);
        self
    }

    /// Converts the error for use inside a list: as in the gem, it loses its details.
    pub fn inside_list(self) -> Self {
        if self.0.limit { self } else { HoconError::plain(self.0.at, "unexpected exception") }
    }
}

impl From<HoconError> for Error {
    fn from(failure: HoconError) -> Self {
        let HoconErrorParts { message, at, hint, .. } = *failure.0;
        let error = Error::new(message).at(at);
        match hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}
