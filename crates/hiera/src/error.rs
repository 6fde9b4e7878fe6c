//! [`Error`]: the reason why a lookup failed.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_budget::Exhausted;
use hieratic_diagnostics::{Code, Diagnose, Diagnostic, Severity, Source, Span};
use hieratic_json::Position;
use hieratic_value::ids::TooManyIds;
use hieratic_yaml::written;

use crate::codes;
use hieratic_sandbox::SlashPath as _;

/// The position of an error in a file.
#[derive(Clone)]
pub struct Place {
    /// The file.
    pub file: Arc<Path>,
    /// The line, counted from 1, if it is known.
    pub line: Option<u32>,
    /// The column in characters, counted from 1, if it is known.
    pub column: Option<u32>,
    /// The excerpt of a message: the source as it was read, and the span to underline.
    shown: Option<(Source, Span)>,
}

impl Place {
    /// Creates a place that is a file as a whole.
    pub fn file(file: &Path) -> Place {
        Place::new(file, None)
    }

    /// Creates a position in a file, without an excerpt.
    pub fn new(file: impl Into<Arc<Path>>, at: Option<Position>) -> Place {
        Place { file: file.into(), line: at.map(|at| at.line), column: at.map(|at| at.column), shown: None }
    }

    /// Creates the position of a span in a file, with an excerpt of its source.
    pub fn of(file: impl Into<Arc<Path>>, source: &Source, span: Span) -> Place {
        Place::new(file, Some(source.start(span))).showing(source.clone(), span)
    }

    /// Adds the parsed source: a message underlines the value at the position, or the line if the column is unknown.
    pub fn within(self, source: &Source) -> Place {
        let span = match (self.line, self.column) {
            (Some(line), Some(column)) => written(source, Position { line, column }),
            (Some(line), None) => source.line(line),
            (None, _) => return self,
        };
        self.showing(source.clone(), span)
    }

    /// Adds the excerpt that a message shows.
    pub fn showing(self, source: Source, span: Span) -> Place {
        Place { shown: Some((source, span)), ..self }
    }

    /// Adds this place to a diagnostic, with its excerpt if it has one.
    pub fn show_in(&self, diagnostic: Diagnostic) -> Diagnostic {
        match &self.shown {
            Some((source, span)) => diagnostic.label(source.clone(), *span, ""),
            None => self.name_in(diagnostic),
        }
    }

    /// A message about the place, which names it.
    fn name_in(&self, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.location(self.file.to_slashes(), self.line, self.column)
    }

    /// Removes the column, as the reference often does.
    pub fn without_column(self) -> Place {
        Place { column: None, ..self }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { file, line, column, shown: _ } = self;
        out.debug_struct("Place").field("file", file).field("line", line).field("column", column).finish()
    }
}

/// Places are equal if they are the same place, whether a message shows it or not.
impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        (&self.file, self.line, self.column) == (&other.file, other.line, other.column)
    }
}

impl Eq for Place {}

/// The reference's treatment of an error: it decides the output of the command, and whether an enclosing lookup changes
/// the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An error in the data: the reference's command prints nothing and exits with 1. An explanation ends with the
    /// message.
    Lookup,
    /// An error that becomes [`Kind::Lookup`] inside another lookup.
    Puppet,
    /// An error that ends the command in any case.
    Fatal,
}

/// The reason why a lookup has no answer.
///
/// `Display` prints the message of the reference. The position is only included where the reference writes `(file: ...,
/// line: ...)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<ErrorData>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct ErrorData {
    kind: Kind,
    code: Code,
    message: String,
    /// The place to point at.
    place: Option<Place>,
    /// The place that the reference appends to the message, which is often less exact.
    place_in_text: Option<Place>,
    help: Option<String>,
    /// Whether the message quotes a looked-up value.
    quotes_value: bool,
}

impl Error {
    /// Creates an error. The documentation has a page for its code.
    pub fn new(kind: Kind, code: Code, message: impl Into<String>) -> Error {
        Error(Box::new(ErrorData {
            kind,
            code,
            message: message.into(),
            place: None,
            place_in_text: None,
            help: None,
            quotes_value: false,
        }))
    }

    pub(crate) fn lookup(code: Code, message: impl Into<String>) -> Error {
        Error::new(Kind::Lookup, code, message)
    }

    pub(crate) fn puppet(code: Code, message: impl Into<String>) -> Error {
        Error::new(Kind::Puppet, code, message)
    }

    pub(crate) fn fatal(code: Code, message: impl Into<String>) -> Error {
        Error::new(Kind::Fatal, code, message)
    }

    /// Returns whether a limit was reached or the request was cancelled. Such an error does not depend on the data
    /// alone: another try may succeed.
    pub fn is_limit(&self) -> bool {
        self.0.code == codes::LIMIT
    }

    /// Sets the place of the error.
    pub fn at(mut self, place: Place) -> Error {
        self.0.place = Some(place);
        self
    }

    /// Sets the place of the error and appends it to the message, as the reference does.
    pub(crate) fn at_in_text(mut self, place: Place) -> Error {
        self.0.place_in_text = Some(place.clone());
        self.at(place)
    }

    /// Adds the configuration file to errors in the form of an interpolation, as the reference does.
    pub(crate) fn in_configuration(self, file: &Arc<Path>) -> Error {
        if !INTERPOLATION_CODES.contains(&self.0.code) {
            return self;
        }
        self.at_in_text(Place::new(file.clone(), None))
    }

    /// Sets the help line.
    pub fn help(mut self, help: impl Into<String>) -> Error {
        self.0.help = Some(help.into());
        self
    }

    /// Marks the message as quoting a looked-up value, which may be secret.
    pub(crate) fn with_quoted_value(mut self) -> Error {
        self.0.quotes_value = true;
        self
    }

    pub(crate) fn quotes_value(&self) -> bool {
        self.0.quotes_value
    }

    /// Returns the reference's treatment of the error.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// Returns the code of the error.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Returns the place of the error.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }

    /// Returns whether the line of the error is unknown, but a second lookup with [positions](crate::Shared::new) may
    /// find it.
    pub fn needs_line(&self) -> bool {
        let has_line = self.place().is_some_and(|place| place.line.is_some());
        !has_line && (self.place().is_some() || self.code() == codes::VALUE_TYPE)
    }

    /// Returns the help line.
    pub fn help_text(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// Converts the error to the one that an enclosing lookup reports.
    pub(crate) fn inside_lookup(mut self) -> Error {
        if self.0.kind == Kind::Puppet {
            self.0.kind = Kind::Lookup;
        }
        self
    }

    /// Converts the error to the one that the global layer reports, which names the key.
    ///
    /// The reference leaves errors of its configuration, which carry a place, unchanged.
    pub(crate) fn in_global_layer(mut self, key: &str) -> Error {
        if self.0.kind == Kind::Lookup && self.0.place_in_text.is_none() && !INTERPOLATION_CODES.contains(&self.0.code)
        {
            self.0.kind = Kind::Puppet;
            self.0.message = format!("Lookup of key '{key}' failed: {}", self.0.message);
        }
        self
    }
}

/// Errors in the form of an interpolation, which the global layer of the reference leaves unchanged.
const INTERPOLATION_CODES: &[Code] =
    &[codes::INTERPOLATION_ALIAS, codes::INTERPOLATION_METHOD, codes::INTERPOLATION_METHODS_FORBIDDEN];

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.message)?;
        if let Some(place) = &self.0.place_in_text {
            write!(out, " (file: {}", place.file.display())?;
            if let Some(line) = place.line {
                write!(out, ", line: {line}")?;
            }
            out.write_str(")")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl Diagnose for Error {
    fn diagnose(&self) -> Vec<Diagnostic> {
        let mut diagnostic = Diagnostic::new(Severity::Error, self.code(), self.to_string());
        if let Some(place) = self.place() {
            // An excerpt of encrypted text would not help.
            diagnostic =
                if self.code() == codes::EYAML_DECRYPT { place.name_in(diagnostic) } else { place.show_in(diagnostic) };
        }
        diagnostic.help.extend(self.help_text().map(str::to_owned));
        vec![diagnostic]
    }
}

impl Error {
    /// Creates an error for a file that cannot be read, with the message of the reference.
    pub fn of_file(error: &std::io::Error, path: &Path) -> Error {
        let refused = hieratic_sandbox::Denied::from_error(error).map(hieratic_sandbox::Denied::help);
        let help = match error.kind() {
            std::io::ErrorKind::IsADirectory => "name a file, or list the files of the directory with `glob:`",
            std::io::ErrorKind::PermissionDenied => "run the command as a user who can read the file",
            _ => "check that the file exists and is readable",
        };
        Error::fatal(codes::FILE_UNREADABLE, io_message(error, path))
            .at(Place::file(&PathBuf::from(path)))
            .help(refused.unwrap_or_else(|| help.to_owned()))
    }
}

impl From<TooManyIds> for Error {
    fn from(error: TooManyIds) -> Error {
        Error::fatal(codes::LIMIT, error.to_string()).help("divide the data among several environments")
    }
}

impl From<Exhausted> for Error {
    fn from(exhausted: Exhausted) -> Error {
        let error = Error::fatal(codes::LIMIT, format!("the lookup was stopped: {exhausted}"));
        match exhausted.help() {
            Some(help) => error.help(help),
            None => error,
        }
    }
}

/// Returns Ruby's message for a system error: `No such file or directory @ rb_sysopen - PATH`.
pub(crate) fn io_message(error: &std::io::Error, path: &Path) -> String {
    let (text, call) = match error.kind() {
        std::io::ErrorKind::NotFound => ("No such file or directory", "rb_sysopen"),
        std::io::ErrorKind::PermissionDenied => ("Permission denied", "rb_sysopen"),
        std::io::ErrorKind::IsADirectory => ("Is a directory", "io_fread"),
        _ => return format!("{error} - {}", path.display()),
    };
    format!("{text} @ {call} - {}", path.display())
}
