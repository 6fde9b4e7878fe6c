//! YAML as Ruby reads it: `Puppet::Util::Yaml.safe_load` on Psych 4 and libyaml 0.2.5.
//!
//! Only the first document of a stream is read, as by the reference. An empty one is [`Value::Undef`].
//!
//! ```
//! use hieratic_yaml::{self as yaml, Options};
//!
//! let options = Options::new("common.yaml");
//! assert_eq!(yaml::parse(b"mode: 0644", &options)?.inspect(), r#"{"mode"=>420}"#);
//!
//! let error = yaml::parse(b"released: 2024-02-29", &options).unwrap_err();
//! assert_eq!(error.message(), "(common.yaml): Tried to load unspecified class: Date");
//! # Ok::<(), hieratic_json::Error>(())
//! ```

mod build;
mod conversion_error;
pub mod emitter;
pub mod events;
mod fast;
mod hint;
mod keys;
mod scalar;
mod scalar_extent;
mod tag;

use hieratic_json::position_sink::{AllPositions, NoPositions};
use hieratic_json::{Document, Error};
use hieratic_value::Value;

pub use scalar_extent::written;

/// The options of the YAML parser.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Whether Ruby's symbols (`:name`) are allowed. If not, they are an error.
    pub symbols: bool,
    /// Whether `!ruby/regexp` makes a [`RubyRegexp`]. If not, it is an error.
    pub regexps: bool,
    /// The file name for messages.
    pub file: &'a str,
}

impl<'a> Options<'a> {
    /// Creates the options with which Puppet reads data files.
    pub fn new(file: &'a str) -> Self {
        Options { symbols: true, regexps: false, file }
    }
}

/// A regular expression of Ruby.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RubyRegexp {
    /// The pattern between the slashes.
    pub source: String,
    /// The options: `m`, `i` and `x`.
    pub options: String,
}

impl RubyRegexp {
    /// `/source/options`
    fn parse(text: &str) -> Option<RubyRegexp> {
        let (source, options) = text.strip_prefix('/')?.rsplit_once('/')?;
        let known = options.chars().all(|option| matches!(option, 'm' | 'i' | 'x' | 'n'));
        known.then(|| RubyRegexp { source: source.into(), options: options.into() })
    }
}

impl hieratic_value::Extended for RubyRegexp {
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }

    fn equals(&self, other: &dyn hieratic_value::Extended) -> bool {
        other.as_any().downcast_ref::<RubyRegexp>() == Some(self)
    }

    fn hash_into(&self, state: &mut dyn std::hash::Hasher) {
        state.write(self.source.as_bytes());
    }

    fn to_text(&self) -> String {
        format!("/{}/{}", self.source, self.options)
    }

    fn ruby_class(&self) -> &'static str {
        "Regexp"
    }

    fn clone_box(&self) -> Box<dyn hieratic_value::Extended> {
        Box::new(self.clone())
    }
}

/// The maximum nesting depth of a document.
///
/// Code that walks values may recurse this deep. Ruby fails at some ten thousand levels.
pub const MAX_DEPTH: usize = 1000;

/// The maximum number of values to which all aliases of a document expand.
///
/// Aliases of aliases let a small file expand to more values than fit into memory when they are walked or printed. Ruby
/// has no limit.
pub const MAX_ALIASED: u64 = 2_000_000;

/// The maximum number of `%TAG` directives in a document. The time to parse them is quadratic.
pub const MAX_TAG_DIRECTIVES: usize = 1000;

/// Parses a document.
///
/// A byte order mark is part of the content, as in Puppet's data files; see [`without_byte_order_mark`].
pub fn parse(source: &[u8], options: &Options) -> Result<Value, Error> {
    build::build::<NoPositions>(source, options).map(|(value, ())| value)
}

/// Parses a document, and returns the position of each part.
pub fn parse_with_positions(source: &[u8], options: &Options) -> Result<Document, Error> {
    build::build::<AllPositions>(source, options).map(|(value, positions)| Document { value, positions })
}

/// Returns the value of a scalar in Ruby, where symbols are allowed. Returns `None` for a string.
pub fn scalar_of(tag: Option<&str>, text: &str, quoted: bool) -> Result<Option<Value>, Error> {
    let plain = match tag {
        _ if quoted => return Ok(None),
        None => scalar::resolve(text, true),
        Some(tag) => tag::scalar(tag, text, true),
    };
    match plain {
        Ok(scalar::Plain::Value(value)) => Ok(Some(value)),
        Ok(scalar::Plain::Text) => Ok(None),
        Err(failure) => Err(Error::new(failure.message(""))),
    }
}

/// Removes a UTF-8 byte order mark, for the files for which the reference does so (`hiera.yaml`).
pub fn without_byte_order_mark(source: &[u8]) -> &[u8] {
    source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source)
}
