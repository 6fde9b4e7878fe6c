//! Scalars: the choice of the style, and the writer of each style.

use super::Characters;
use super::analysis::{Analysis, is_break};
use super::output::Output;

/// The requested style of a scalar. A style that the string does not allow is replaced: plain by single quotes; single
/// quotes and blocks by double quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// `'a'`
    SingleQuoted,
    /// `"a"`
    DoubleQuoted,
    /// A block of unchanged lines, after `|`.
    Literal,
    /// A block of folded lines, after `>`. As in libyaml, long lines that begin with a space are folded as well,
    /// although parsers do not unfold them.
    Folded,
}

/// A scalar to be written.
///
/// ```
/// use hieratic_yaml::emitter::{Emitter, Options, Scalar, Style};
///
/// let written = |scalar: &Scalar| {
///     let mut emitter = Emitter::new(Options::default());
///     emitter.scalar(scalar);
///     emitter.finish()
/// };
/// assert_eq!(written(&Scalar::string("a: b", Style::Plain)), "'a: b'\n");
/// assert_eq!(written(&Scalar::string("a\nb\n", Style::Literal)), "|\n  a\n  b\n");
/// assert_eq!(written(&Scalar { tag: Some("!!str"), ..Scalar::string("<<", Style::SingleQuoted) }), "!!str '<<'\n");
/// // It keeps its type only without quotes.
/// assert_eq!(written(&Scalar { style: Style::SingleQuoted, ..Scalar::implicit("1") }), "! '1'\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar<'t> {
    /// The content.
    pub text: &'t str,
    /// The tag as written, such as `!!str`.
    pub tag: Option<&'t str>,
    /// The style that it should have.
    pub style: Style,
    /// Whether the plain scalar without a tag reads back as the same value. If not, it is quoted.
    pub plain_implicit: bool,
    /// Whether the quoted scalar without a tag reads back as the same value. If not, it gets the tag `!`.
    pub quoted_implicit: bool,
}

impl<'t> Scalar<'t> {
    /// Creates a string. A plain style means that it is read back as a string without quotes, too.
    pub fn string(text: &'t str, style: Style) -> Scalar<'t> {
        Scalar { text, tag: None, style, plain_implicit: true, quoted_implicit: true }
    }

    /// Creates a scalar whose type follows from its content: a number, a boolean.
    pub fn implicit(text: &'t str) -> Scalar<'t> {
        Scalar { quoted_implicit: false, ..Scalar::string(text, Style::Plain) }
    }

    /// The style that is possible: libyaml's `yaml_emitter_select_scalar_style`.
    pub(super) fn possible_style(&self, analysis: &Analysis, in_simple_key: bool, in_flow: bool) -> Style {
        let Analysis { multiline, flow_plain, block_plain, single_quoted, block, .. } = *analysis;
        let plain = if in_flow { flow_plain } else { block_plain };
        let plain = plain && (self.plain_implicit || self.tag.is_some()) && !(in_simple_key && self.text.is_empty());
        match self.style {
            _ if in_simple_key && multiline => Style::DoubleQuoted,
            Style::Plain if plain => Style::Plain,
            Style::Plain | Style::SingleQuoted if single_quoted => Style::SingleQuoted,
            Style::Literal | Style::Folded if block && !in_flow && !in_simple_key => self.style,
            _ => Style::DoubleQuoted,
        }
    }
}

/// The layout of the lines of a scalar.
#[derive(Clone, Copy)]
pub(super) struct LineLayout {
    /// The column of all lines but the first.
    pub(super) indent: usize,
    /// Whether long lines are folded.
    pub(super) fold: bool,
}

impl Output {
    pub(super) fn plain(&mut self, text: &str, lines: LineLayout) {
        if !text.is_empty() {
            self.separate();
        }
        self.after_space = false;
        self.in_indentation = false;
        if lines.fold && self.column + text.len() > self.width {
            self.words(text, lines.indent);
        } else {
            self.put(text);
        }
    }

    /// Words, with line breaks in place of single spaces where the lines get long.
    fn words(&mut self, text: &str, indent: usize) {
        let (mut from, mut after_space) = (0, false);
        for (at, c) in text.char_indices() {
            let is_space = c == ' ';
            if is_space && !after_space && self.is_full() && !text[at + 1..].starts_with(' ') {
                self.put_counted(&text[from..at]);
                self.indent(indent);
                self.in_indentation = false;
                from = at + 1;
            } else {
                self.column += 1;
            }
            after_space = is_space;
        }
        self.put_counted(&text[from..]);
        self.after_space = false;
    }

    pub(super) fn single_quoted(&mut self, text: &str, lines: LineLayout) {
        self.indicator("'", false);
        let (mut from, mut after_space, mut after_break) = (0, false, false);
        for (at, c) in text.char_indices() {
            if is_break(c) {
                self.put_counted(&text[from..at]);
                if !after_break && c == '\n' {
                    self.line_break('\n');
                }
                self.line_break(c);
                self.in_indentation = true;
                from = at + c.len_utf8();
                after_break = true;
                continue;
            }
            if after_break {
                // The rules of styles leave no space here.
                self.indent(lines.indent);
                self.in_indentation = false;
                (after_space, after_break) = (false, false);
            }
            let fold = c == ' ' && lines.fold && !after_space && self.is_full();
            if fold && at > 0 && at + 1 < text.len() && !text[at + 1..].starts_with(' ') {
                self.put_counted(&text[from..at]);
                self.indent(lines.indent);
                self.in_indentation = false;
                from = at + 1;
            } else if c == '\'' {
                self.put_counted(&text[from..=at]);
                from = at;
                self.column += 2;
            } else {
                self.column += 1;
            }
            after_space = c == ' ';
        }
        self.put_counted(&text[from..]);
        if after_break {
            self.indent(lines.indent);
        }
        self.attached("'", false);
    }

    pub(super) fn double_quoted(&mut self, text: &str, lines: LineLayout, characters: Characters, escape_all: bool) {
        self.indicator("\"", false);
        let (mut from, mut after_space) = (0, false);
        for (at, c) in text.char_indices() {
            let as_it_is = match c {
                _ if escape_all => false,
                '"' | '\\' => false,
                ' '..='~' => true,
                _ => characters.contain(c) && !is_break(c),
            };
            if !as_it_is {
                self.put_counted(&text[from..at]);
                self.escape(c);
                from = at + c.len_utf8();
                after_space = false;
                continue;
            }
            let fold = c == ' ' && lines.fold && !after_space && self.is_full();
            if fold && at > 0 && at + 1 < text.len() {
                self.put_counted(&text[from..at]);
                self.indent(lines.indent);
                from = at + 1;
                if text[from..].starts_with(' ') {
                    self.put("\\");
                }
            } else {
                self.column += 1;
            }
            after_space = c == ' ';
        }
        self.put_counted(&text[from..]);
        self.attached("\"", false);
    }

    /// `text` as a literal block; whether empty lines at its end belong to it.
    pub(super) fn literal(&mut self, text: &str, lines: LineLayout, hint: usize) -> bool {
        let kept = self.block_header("|", text, hint);
        let mut from = 0;
        let mut after_break = true;
        for (at, c) in text.char_indices() {
            if is_break(c) {
                self.put_counted(&text[from..at]);
                self.line_break(c);
                from = at + c.len_utf8();
            } else {
                if after_break {
                    self.in_indentation = true;
                    self.indent(lines.indent);
                }
                self.column += 1;
            }
            after_break = is_break(c);
        }
        self.put_counted(&text[from..]);
        self.in_indentation = after_break;
        kept
    }

    /// `text` as a folded block; whether empty lines at its end belong to it.
    pub(super) fn folded(&mut self, text: &str, lines: LineLayout, hint: usize) -> bool {
        let kept = self.block_header(">", text, hint);
        let (mut from, mut after_break, mut leading_space) = (0, true, true);
        for (at, c) in text.char_indices() {
            if is_break(c) {
                self.put_counted(&text[from..at]);
                if !after_break && !leading_space && c == '\n' {
                    // A line break between two lines that are not indented is folded, unless it is doubled.
                    let after = text[at..].trim_start_matches(is_break);
                    if !after.is_empty() && !after.starts_with([' ', '\t']) {
                        self.line_break('\n');
                    }
                }
                self.line_break(c);
                self.in_indentation = true;
                from = at + c.len_utf8();
                after_break = true;
                continue;
            }
            if after_break {
                self.indent(lines.indent);
                leading_space = c == ' ';
            }
            if !after_break && c == ' ' && self.is_full() && !text[at + 1..].starts_with(' ') {
                self.put_counted(&text[from..at]);
                self.indent(lines.indent);
                from = at + 1;
            } else {
                self.column += 1;
            }
            self.in_indentation = false;
            after_break = false;
        }
        self.put_counted(&text[from..]);
        kept
    }

    /// Writes the header of a block scalar: its sign, an indentation indicator if the first line does not determine it,
    /// and the chomping of the line breaks at its end. Returns whether these are preserved.
    fn block_header(&mut self, sign: &str, text: &str, hint: usize) -> bool {
        self.indicator(sign, false);
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            self.attached(&hint.to_string(), false);
        }
        let mut ends = text.chars().rev();
        let ends_line = ends.next().is_some_and(is_break);
        let kept = ends_line && ends.next().is_none_or(is_break);
        if !ends_line {
            self.put("-");
        } else if kept {
            self.put("+");
        }
        self.line_break('\n');
        self.after_space = true;
        self.in_indentation = true;
        kept
    }
}
