//! What all readers share: texts with names, and places in them.
//!
//! A [`Source`] is a text with a name. Inside, a place is a byte, and a [`Span`] a range of bytes; people and editors count lines and
//! columns, which is a [`Position`]. [`graphemes`] are what a reader takes for one character, and [`nearest`] finds the spelling that may
//! have been meant.
//!
//! The crate knows no language and no message.
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
