//! The features of the terminal: colors and width.

use std::io::IsTerminal;

use hieratic_diagnostics::render;

use crate::args::Color;

/// Returns whether to color the text on a stream: as set by `--color`; without it, by `NO_COLOR`, `CLICOLOR_FORCE` and
/// `CLICOLOR` (see <https://no-color.org> and <https://bixense.com/clicolors>); otherwise on a terminal with colors.
pub(crate) fn colors(when: Color, stream: &impl IsTerminal) -> bool {
    match when {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let is_colored = color_by_environment(stream.is_terminal(), |name| std::env::var(name).ok());
            is_colored && (!stream.is_terminal() || reads_escape_sequences())
        }
    }
}

/// Returns whether the terminal reads escape sequences, as terminals of Unix do.
#[cfg(not(windows))]
fn reads_escape_sequences() -> bool {
    true
}

/// Asks the console of Windows to read escape sequences, which it does since Windows 10, and returns whether it does.
#[cfg(windows)]
fn reads_escape_sequences() -> bool {
    anstyle_query::windows::enable_ansi_colors().unwrap_or(false)
}

fn color_by_environment(terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name| variable(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    terminal && set("CLICOLOR").is_none_or(|value| value != "0") && set("TERM").is_none_or(|value| value != "dumb")
}

/// Puts a string between the codes of a style, such as `1` for bold, if colors are wanted.
pub(crate) fn painted(color: bool, style: &str, text: &str) -> String {
    if color && !style.is_empty() { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// Returns the maximum width of a line in columns: the value of `COLUMNS`, otherwise the width of the terminal, if
/// there is one.
pub(crate) fn width() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns
        .filter(|columns| *columns > 0)
        .or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
}

/// Returns the style of messages on a stream. Lines are divided between words on a terminal alone: files are searched by lines.
pub(crate) fn message_style(color: bool, stream: &impl IsTerminal) -> render::Style {
    render::Style { color, width: width(), wraps: stream.is_terminal(), verbatim: true }
}

/// Divides a line between words if the stream is a terminal; elsewhere it stays one line.
pub(crate) fn fitted(line: &str, stream: &impl IsTerminal) -> String {
    match width_of(stream) {
        Some(width) => render::wrap(line, width, "  ").join("\n"),
        None => line.to_owned(),
    }
}

/// Divides a line that begins after `indent` columns, and indents the lines that follow by as many.
pub(crate) fn fitted_behind(indent: usize, line: &str, stream: &impl IsTerminal) -> String {
    match width_of(stream) {
        Some(width) => render::wrap(line, width.saturating_sub(indent), "").join(&format!("\n{:indent$}", "")),
        None => line.to_owned(),
    }
}

/// Returns the width of a stream if it is a terminal.
fn width_of(stream: &impl IsTerminal) -> Option<usize> {
    if stream.is_terminal() { width() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_variables_control_colors() {
        let decide = |terminal, variables: &[(&str, &str)]| {
            color_by_environment(terminal, |name| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(decide(true, &[]) && !decide(false, &[]));
        assert!(decide(true, &[("NO_COLOR", "")]) && !decide(true, &[("NO_COLOR", "1")]));
        assert!(!decide(true, &[("CLICOLOR", "0")]) && decide(true, &[("CLICOLOR", "1")]));
        assert!(decide(false, &[("CLICOLOR_FORCE", "1")]) && !decide(false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!decide(false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
        assert!(!decide(true, &[("TERM", "dumb")]) && decide(true, &[("TERM", "xterm")]));
    }
}
