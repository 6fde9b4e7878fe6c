//! [`Problem`]: a violation of a rule, with the data for its fix.

use std::ops::Range;

use crate::token::Id;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A warning.
    Warning,
    /// An error.
    Error,
}

/// A violation of a rule.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The name of the rule, or `syntax` if the manifest cannot be parsed.
    pub rule: &'static str,
    /// The severity of the rule.
    pub severity: Severity,
    /// The message of puppet-lint.
    pub message: String,
    /// The line that puppet-lint reports, counted from 1.
    pub line: i64,
    /// The column that puppet-lint reports. It is wrong after some interpolations, but the span is right.
    pub column: i64,
    /// The byte range of the problem.
    pub span: Range<usize>,
    /// The reason in the comment that accepts the problem, which may be empty. `None` without a comment.
    pub ignored: Option<String>,
    /// Whether the problem was fixed.
    pub is_fixed: bool,
    /// The data of the fix.
    pub(crate) data: Data,
}

/// The data of a fix.
#[derive(Clone, Debug, Default)]
pub(crate) enum Data {
    /// Nothing: there is no fix.
    #[default]
    None,
    /// The token that changes.
    Token(Id),
    /// An arrow, the column that it belongs into, and the indentation of its attribute if that begins a line.
    Arrow { token: Id, column: i64, indent: Option<i64> },
    /// The number of a resource.
    Resource(usize),
    /// A token in a resource, which has a number.
    InResource { token: Id, resource: usize },
    /// An attribute and its value.
    Attribute { name: Id, value: Id },
    /// The beginning of a string, the variable in it, and the end.
    OnlyVariable { start: Id, variable: Id, end: Id },
    /// A variable, and the legacy fact in it.
    Fact { token: Id, name: String },
}
