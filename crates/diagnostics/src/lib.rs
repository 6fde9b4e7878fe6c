//! Messages for users: the error, its position, and the remedy.
//!
//! A [`Source`] is a string with a name, a [`Span`] a range of it. A [`Diagnostic`] is a message with labels on such
//! ranges, as plain data. [`render`] writes it for people, as JSON or as SARIF. It makes control characters in data and
//! messages visible, so that they cannot drive a terminal. [`nearest`] suggests spellings.
//!
//! The codes and the wording of the messages belong to the crates that report them.
//!
//! ```
//! use hieratic_diagnostics::{Code, Diagnostic, Severity, Source, Span, render};
//!
//! const UNKNOWN_KEY: Code = Code::new("unknown-key", "A key does not exist");
//! let source = Source::new("data/common.yaml", "port: 80\nprot: 81\n");
//! let start = source.offset(2, 1);
//! let diagnostic = Diagnostic::new(Severity::Error, UNKNOWN_KEY, "there is no key 'prot'")
//!     .label(source, Span::new(start, start + 4), "")
//!     .help("did you mean 'port'?");
//! let text = render::human(&diagnostic, &render::Style::default());
//! assert!(text.contains("data/common.yaml:2:1") && text.contains("^^^^"));
//! ```

mod code;
mod counts;
mod diagnose;
mod diagnostic;
pub mod render;

pub use code::Code;
pub use counts::{counted, counted_as};
pub use diagnose::Diagnose;
pub use diagnostic::{Diagnostic, Label, Location, Severity};
pub use hieratic_source::{Cursor, Position, Source, Span, did_you_mean, nearest, nearest_many};
