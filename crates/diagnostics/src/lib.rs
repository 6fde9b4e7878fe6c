//! What a user is told: where, what, and what to try.
//!
//! A [`Diagnostic`] is plain data; [`render`] writes it for people, as JSON or as SARIF. Control characters in data and
//! messages are made visible, so that they cannot drive a terminal.
//!
//! ```
//! use hieratic_diagnostics::{Diagnostic, Severity, Source, Span, render};
//!
//! let source = Source::new("data/common.yaml", "port: 80\nprot: 81\n");
//! let start = source.offset(2, 1);
//! let diagnostic = Diagnostic::new(Severity::Error, "unknown-key", "there is no key 'prot'")
//!     .label(source, Span { start, end: start + 4 }, "")
//!     .help("did you mean 'port'?");
//! let text = render::human(&diagnostic, &render::Style::default());
//! assert!(text.contains("data/common.yaml:2:1") && text.contains("^^^^"));
//! ```

mod code;
mod diagnostic;
pub mod render;
mod source;
mod suggest;

pub use code::Code;
pub use diagnostic::{Diagnostic, Label, Location, Severity};
pub use source::{Place, Source, Span};
pub use suggest::{nearest, nearest_many};
