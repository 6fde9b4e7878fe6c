//! [`Settings`]: the syntax settings of a template.

use crate::options::Extensions;

/// The syntax settings of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether the newline after a block belongs to the block.
    pub trim_blocks: bool,
    /// Whether whitespace between the start of a line and a block belongs to the block.
    pub lstrip_blocks: bool,
    /// Whether a newline at the end of the template is printed.
    pub keep_trailing_newline: bool,
    /// Whether backslashes in strings between `{{` and `}}` are literal, as in Ansible's playbooks.
    pub plain_backslashes: bool,
    /// The delimiters of statements.
    pub block: (String, String),
    /// The delimiters of expressions.
    pub variable: (String, String),
    /// The delimiters of comments.
    pub comment: (String, String),
    /// The prefix of line statements. It is empty if they are disabled.
    pub line_statement: String,
    /// The prefix of line comments. It is empty if they are disabled.
    pub line_comment: String,
    /// Whether the output of expressions is escaped, unless a statement changes this.
    pub autoescape: bool,
    /// The replacement for line ends of the template.
    pub newline: &'static str,
    /// The enabled extensions.
    pub extensions: Extensions,
}

impl Default for Settings {
    fn default() -> Settings {
        let pair = |start: &str, end: &str| (start.to_string(), end.to_string());
        Settings {
            trim_blocks: false,
            lstrip_blocks: false,
            keep_trailing_newline: false,
            plain_backslashes: false,
            block: pair("{%", "%}"),
            variable: pair("{{", "}}"),
            comment: pair("{#", "#}"),
            line_statement: String::new(),
            line_comment: String::new(),
            autoescape: false,
            newline: "\n",
            extensions: Extensions::default(),
        }
    }
}
