//! Named sources and positions in them, shared by all parsers.
//!
//! A [`Source`] is a string with a name. The code uses byte offsets, and a [`Span`] is a range of bytes. A [`Position`]
//! is a line and a column, for people and editors. [`graphemes`] splits a string into the characters that a reader
//! sees, and [`nearest`] suggests the spelling of a misspelled name.
//!
//! The crate knows neither languages nor messages.
//!
//! ```
//! use hieratic_source::{Position, Source, Span};
//!
//! let source = Source::new("data/common.yaml", "port: 80\nprot: 81\n");
//! let start = source.offset(2, 1);
//! assert_eq!(source.slice(source.line(2)), "prot: 81");
//! assert_eq!(source.position(start + 6), Position { line: 2, column: 7 });
//! ```

mod content;
mod cursor;
mod graphemes;
mod lines;
mod position;
mod source;
mod span;
mod suggest;

pub use content::Content;
pub use cursor::Cursor;
pub use graphemes::{graphemes, is_prepended};
pub use lines::Lines;
pub use position::Position;
pub use source::Source;
pub use span::Span;
pub use suggest::{did_you_mean, nearest, nearest_many, within};
