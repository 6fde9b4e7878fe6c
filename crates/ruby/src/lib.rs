//! Ruby, as far as configuration needs it: ERB templates and functions of modules.
//!
//! Source is parsed by [prism](https://github.com/ruby/prism), the Ruby team's own parser, into a small [tree](ast),
//! which is evaluated here. Code has no access to files, processes, the clock or random numbers except through a
//! [`Host`], and it draws steps and bytes from the host's budget. Access to anything else is an error that code cannot
//! rescue.
//!
//! ```
//! use hieratic_ruby::{NullHost, Ruby};
//! let mut ruby = Ruby::new();
//! assert_eq!(ruby.inspect(&mut NullHost::default(), "%w[b a].sort.map(&:to_sym)", "x.rb").unwrap(), "[:a, :b]");
//! ```

pub mod ast;
#[cfg(test)]
mod costs;
mod erb;
mod external;
mod host;
mod interpreter;
mod library;
mod methods;
mod parse;
mod prelude;
mod puppet;
mod symbol;
mod value;
mod vm;

/// The end of error messages about features that Ruby has and this sandbox does not.
pub const UNAVAILABLE: &str = "is not available to Ruby code here";

pub use erb::{Trim, compile};
pub use external::{ExternalRuby, TIMEOUT as EXTERNAL_RUBY_TIMEOUT};
pub use host::{Host, HostError, HostErrorKind, NullHost, PathKind, RubyBlock};
pub use interpreter::{ErrorKind, Ruby, RubyError, check_template};
pub use parse::parse;
pub use puppet::{
    BlockDeclaration, DispatchDeclaration, FunctionDeclaration, ParameterDeclaration, TitlePattern, TypeDeclaration,
    ValueDeclaration,
};
pub use symbol::{Symbol, Symbols};
