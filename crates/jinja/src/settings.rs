//! [`Settings`]: how a template is read.

use crate::options::Extensions;

/// How a template is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether the newline after a block belongs to the block.
    pub trim_blocks: bool,
    /// Whether white space between the start of a line and a block belongs to the block.
    pub lstrip_blocks: bool,
    /// Whether a newline at the end of the template is kept.
    pub keep_trailing_newline: bool,
    /// Whether backslashes in texts between `{{` and `}}` stand for themselves, as in Ansible's playbooks.
    pub plain_backslashes: bool,
    /// What starts and ends a statement.
    pub block: (String, String),
    /// What starts and ends an expression.
    pub variable: (String, String),
    /// What starts and ends a comment.
    pub comment: (String, String),
    /// What starts a statement that ends with its line, if anything does.
    pub line_statement: String,
    /// What starts a comment that ends with its line, if anything does.
    pub line_comment: String,
    /// Whether what expressions print is escaped where no statement says otherwise.
    pub autoescape: bool,
    /// What ends of lines of the template are written as.
    pub newline: &'static str,
    /// Which statements there are beside the usual ones.
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
