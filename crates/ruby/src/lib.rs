//! Ruby, as far as configuration needs it: ERB templates and functions of modules.
//!
//! Source is read by [prism](https://github.com/ruby/prism), the Ruby team's own parser, into a small [tree](ast), which is
//! evaluated here. Code reaches nothing outside: no file, no process, no clock and no chance except through a [`Host`], and
//! it draws steps and bytes from the host's budget. What it cannot have ends in an error that code cannot rescue.
//!
//! ```
//! use hieratic_ruby::{Alone, Ruby};
//! let mut ruby = Ruby::new();
//! assert_eq!(ruby.inspect(&mut Alone::default(), "%w[b a].sort.map(&:to_sym)", "x.rb").unwrap(), "[:a, :b]");
//! ```

pub mod ast;
#[cfg(test)]
mod costs;
mod erb;
mod host;
mod library;
mod machine;
mod methods;
mod parse;
mod prelude;
mod puppet;
mod real;
mod symbol;
mod value;
mod vm;

/// How the message ends of an error about something that Ruby has and code cannot have here.
pub const UNAVAILABLE: &str = "is not available to Ruby code here";

pub use erb::{Trim, compile};
pub use host::{Alone, Ends, Host, HostError, PathKind, RubyBlock};
pub use machine::{ErrorKind, Ruby, RubyError, check_template};
pub use parse::parse;
pub use puppet::{
    BlockDeclaration, DispatchDeclaration, FunctionDeclaration, ParameterDeclaration, TitlePattern, TypeDeclaration,
};
pub use real::{RealRuby, TIME as REAL_RUBY_TIME};
pub use symbol::{Symbol, Symbols};
