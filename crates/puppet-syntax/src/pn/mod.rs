//! The tree in Puppet's Extended S-Expression Notation (PN), as in `puppet parser dump --format pn`.
//!
//! [`dump`] is for people and tests. [`Pn`] is the notation as data, with an indented and a JSON form.
//!
//! ```
//! use hieratic_diagnostics::Source;
//! use hieratic_puppet_syntax::{Options, parse, pn};
//!
//! let parsed = parse(&Source::new("f", "notice 1 + $x"), &Options::default());
//! let program = parsed.program.unwrap();
//! assert_eq!(pn::dump(&program), r#"(invoke {:functor (qn "notice") :args [(+ 1 (var "x"))]})"#);
//! assert_eq!(pn::Pn::from_expr(&program.body).json(), r##"{"^":["invoke",{"#":["functor",{"^":["qn","notice"]},"##.to_string()
//!     + r##""args",[{"^":["+",1,{"^":["var","x"]}]}]]}]}"##);
//! ```

mod transform;
mod write;

use hieratic_value::Str;

use crate::ast::Program;

/// One node of the notation.
#[derive(Clone, Debug, PartialEq)]
pub enum Pn {
    /// `nil`.
    Nil,
    /// `true` or `false`.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A float, written as Ruby writes it.
    Float(f64),
    /// A string.
    String(Str),
    /// `[a b]`.
    List(Vec<Pn>),
    /// `{:key value}`.
    Map(Vec<(Str, Pn)>),
    /// `(name a b)`.
    Call(&'static str, Vec<Pn>),
}

/// Writes the tree on one line.
pub fn dump(program: &Program) -> String {
    Pn::from_expr(&program.body).text()
}

/// Writes the tree on many lines, indented by two blanks for each level, as with `--pretty`.
pub fn dump_pretty(program: &Program) -> String {
    Pn::from_expr(&program.body).pretty()
}
