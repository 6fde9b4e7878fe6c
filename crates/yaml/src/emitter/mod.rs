//! Writes one document of YAML with the layout of libyaml 0.2.5.
//!
//! Ruby's Psych and PyYAML write with libyaml, and the packages for Go with a port of it. They only request a style:
//! libyaml decides which styles a string allows, indents, folds lines at a width, and escapes unprintable characters.
//! The callers of this module therefore pass [events](Emitter) with the styles and tags that their reference requests,
//! and [`Options`] for the differences in layout.
//!
//! The ports of libyaml to Rust write characters beyond the basic plane unchanged, where libyaml escapes them and
//! quotes the string, so they cannot be used here.
//!
//! Data that is inserted into an existing document is written by [`write`](mod@crate::write) instead: it must be equal
//! in YAML 1.1 and 1.2, does not fold lines, and does not reproduce another program. Both use the same analysis of
//! strings.
//!
//! Source: `emitter.c` of <https://github.com/yaml/libyaml>.

pub mod analysis;
mod options;
mod output;
mod scalar;

pub use options::{Characters, EndMark, Options};
pub use scalar::{Scalar, Style};

use analysis::Analysis;
use output::Output;
use scalar::LineLayout;

/// The longest simple key, in bytes.
const LONGEST_KEY: usize = 128;

/// Writes the events of one document.
///
/// A node is a [`scalar`](Emitter::scalar), an [`alias`](Emitter::alias), or a collection: [`start`](Emitter::start),
/// its nodes, and [`end`](Emitter::end). In a mapping, keys and values alternate. The work is linear in the size of the
/// output.
///
/// ```
/// use hieratic_yaml::emitter::{Collection, Emitter, Kind, Options, Scalar, Style};
///
/// let mut emitter = Emitter::new(Options::default());
/// emitter.start(&Collection::block(Kind::Mapping));
/// emitter.scalar(&Scalar::string("ports", Style::Plain));
/// emitter.start(&Collection::block(Kind::Sequence));
/// emitter.scalar(&Scalar::implicit("80"));
/// emitter.scalar(&Scalar::string("8080", Style::SingleQuoted));
/// emitter.start(&Collection::empty(Kind::Mapping));
/// emitter.end();
/// emitter.end();
/// emitter.end();
/// assert_eq!(emitter.finish(), "ports:\n- 80\n- '8080'\n- {}\n");
/// ```
pub struct Emitter {
    output: Output,
    options: Options,
    /// The collections that are open, from the outermost.
    levels: Vec<Level>,
    /// The document is one whose end must be marked.
    open_ended: bool,
}

/// The kind of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A list of nodes.
    Sequence,
    /// Keys and values.
    Mapping,
}

/// The beginning of a collection.
///
/// ```
/// use hieratic_yaml::emitter::{Collection, Emitter, Kind, Options, Scalar};
///
/// let mut emitter = Emitter::new(Options::default());
/// emitter.start(&Collection { anchor: Some("1"), ..Collection::block(Kind::Sequence) });
/// emitter.start(&Collection { flow: true, ..Collection::block(Kind::Sequence) });
/// emitter.scalar(&Scalar::implicit("1"));
/// emitter.scalar(&Scalar::implicit("2"));
/// emitter.end();
/// emitter.alias("1");
/// emitter.end();
/// assert_eq!(emitter.finish(), "&1\n- [1, 2]\n- *1\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collection<'t> {
    /// The kind of the collection.
    pub kind: Kind,
    /// Whether it is empty. An empty collection always has brackets and, as a key, can be on one line with its value.
    pub is_empty: bool,
    /// Whether it is a flow collection. All collections in it are, too.
    pub flow: bool,
    /// The anchor.
    pub anchor: Option<&'t str>,
    /// The tag as written, such as `!!set`.
    pub tag: Option<&'t str>,
}

impl<'t> Collection<'t> {
    /// Creates a block collection.
    pub fn block(kind: Kind) -> Collection<'t> {
        Collection { kind, is_empty: false, flow: false, anchor: None, tag: None }
    }

    /// Creates an empty collection.
    pub fn empty(kind: Kind) -> Collection<'t> {
        Collection { is_empty: true, ..Collection::block(kind) }
    }
}

/// A collection that is open.
struct Level {
    /// The column of its content.
    indent: usize,
    flow: bool,
    kind: Kind,
    /// Nothing was written in it.
    is_first: bool,
    next: NextElement,
}

/// The next element of a collection.
#[derive(Clone, Copy)]
enum NextElement {
    Item,
    Key,
    /// The value of a key on the same line.
    SimpleValue,
    /// The value of a key after `? `.
    Value,
}

/// The context of a node.
#[derive(Clone, Copy, PartialEq)]
enum NodeContext {
    Root,
    Sequence,
    Mapping,
    SimpleKey,
}

impl Emitter {
    /// Begins a document.
    pub fn new(mut options: Options) -> Emitter {
        if !(2..10).contains(&options.indent) {
            options.indent = 2;
        }
        if options.width <= 2 * options.indent {
            options.width = 80;
        }
        let mut output = Output::new(options.width);
        if options.explicit_start || options.canonical {
            output.indicator("---", false);
        }
        if options.canonical {
            output.indent(0);
        }
        Emitter { output, options, levels: Vec::new(), open_ended: false }
    }

    /// Returns the number of bytes written so far.
    pub fn written(&self) -> usize {
        self.output.len()
    }

    /// Ends the document.
    pub fn finish(mut self) -> String {
        self.output.indent(0);
        if self.options.explicit_end || self.open_ended {
            self.output.indicator("...", false);
            self.output.indent(0);
        }
        self.output.into_string()
    }

    /// Writes a scalar.
    pub fn scalar(&mut self, scalar: &Scalar<'_>) {
        let analysis = Analysis::from_text(scalar.text, self.options.characters);
        let place = self.before_node(|| is_simple_key(scalar, &analysis));
        let style = if self.options.canonical {
            Style::DoubleQuoted
        } else {
            scalar.possible_style(&analysis, place == NodeContext::SimpleKey, self.is_flow())
        };
        let is_quoted = style != Style::Plain && !scalar.quoted_implicit;
        self.properties(None, scalar.tag.or(is_quoted.then_some("!")));
        let lines = LineLayout { indent: self.deeper(true, false), fold: place != NodeContext::SimpleKey };
        let Options { indent, characters, mark_escapes_all, .. } = self.options;
        match style {
            Style::Plain => self.output.plain(scalar.text, lines),
            Style::SingleQuoted => self.output.single_quoted(scalar.text, lines),
            Style::DoubleQuoted => {
                let escape_all = mark_escapes_all && scalar.text.starts_with('\u{feff}');
                self.output.double_quoted(scalar.text, lines, characters, escape_all);
            }
            Style::Literal | Style::Folded => {
                let kept = match style {
                    Style::Literal => self.output.literal(scalar.text, lines, indent),
                    _ => self.output.folded(scalar.text, lines, indent),
                };
                self.open_ended = kept && self.options.end_mark == EndMark::KeptLines;
            }
        }
        let is_plain_root = place == NodeContext::Root && style == Style::Plain;
        self.open_ended |= is_plain_root && self.options.end_mark == EndMark::PlainRoot;
    }

    /// Writes an alias.
    pub fn alias(&mut self, anchor: &str) {
        let place = self.before_node(|| anchor.len() <= LONGEST_KEY);
        self.output.indicator("*", false);
        self.output.attached(anchor, false);
        if place == NodeContext::SimpleKey {
            // Or else the colon would belong to the name.
            self.output.put(" ");
        }
    }

    /// Begins a collection.
    pub fn start(&mut self, collection: &Collection<'_>) {
        let Collection { kind, is_empty, flow, anchor, tag } = *collection;
        let place = self.before_node(|| is_empty && length(anchor) + length(tag) <= LONGEST_KEY);
        self.properties(anchor, tag);
        let flow = flow || is_empty || self.options.canonical || self.is_flow();
        // A sequence that is the value of a key is not indented.
        let indentless =
            place == NodeContext::Mapping && kind == Kind::Sequence && !flow && !self.output.in_indentation;
        if flow {
            self.output.indicator(if kind == Kind::Sequence { "[" } else { "{" }, false);
            self.output.after_space = true;
        }
        let next = if kind == Kind::Sequence { NextElement::Item } else { NextElement::Key };
        self.levels.push(Level { indent: self.deeper(flow, indentless), flow, kind, is_first: true, next });
    }

    /// Ends the innermost collection.
    pub fn end(&mut self) {
        if let Some(Level { flow: true, kind, is_first, .. }) = self.levels.pop() {
            if self.options.canonical && !is_first {
                self.output.attached(",", false);
                self.output.indent(self.levels.last().map_or(0, |level| level.indent));
            }
            self.output.attached(if kind == Kind::Sequence { "]" } else { "}" }, false);
        }
    }

    /// Writes the indicators before the next node. `fits_key` returns whether it may share a line with its value.
    fn before_node(&mut self, fits_key: impl FnOnce() -> bool) -> NodeContext {
        let Some(level) = self.levels.last_mut() else { return NodeContext::Root };
        let output = &mut self.output;
        let canonical = self.options.canonical;
        match level.next {
            NextElement::Item | NextElement::Key if level.flow => {
                if !level.is_first {
                    output.attached(",", false);
                }
                if canonical || output.is_full() {
                    output.indent(level.indent);
                }
            }
            NextElement::Item | NextElement::Key => output.indent(level.indent),
            NextElement::SimpleValue => output.attached(":", false),
            NextElement::Value => {
                if canonical || !level.flow || output.is_full() {
                    output.indent(level.indent);
                }
                output.indicator(":", !level.flow);
            }
        }
        level.is_first = false;
        match level.next {
            NextElement::Item => {
                if !level.flow {
                    output.indicator("-", true);
                }
                NodeContext::Sequence
            }
            NextElement::Key if !canonical && fits_key() => {
                level.next = NextElement::SimpleValue;
                NodeContext::SimpleKey
            }
            NextElement::Key => {
                output.indicator("?", !level.flow);
                level.next = NextElement::Value;
                NodeContext::Mapping
            }
            NextElement::SimpleValue | NextElement::Value => {
                level.next = NextElement::Key;
                NodeContext::Mapping
            }
        }
    }

    fn properties(&mut self, anchor: Option<&str>, tag: Option<&str>) {
        if let Some(anchor) = anchor {
            self.output.indicator("&", false);
            self.output.attached(anchor, false);
        }
        if let Some(tag) = tag {
            self.output.indicator(tag, false);
        }
    }

    fn is_flow(&self) -> bool {
        self.levels.last().is_some_and(|level| level.flow)
    }

    /// The column of the content of the next node.
    fn deeper(&self, flow: bool, indentless: bool) -> usize {
        match self.levels.last() {
            None if flow => self.options.indent,
            None => 0,
            Some(level) if indentless => level.indent,
            Some(level) => level.indent + self.options.indent,
        }
    }
}

/// Returns whether a scalar as a key shares a line with its value.
fn is_simple_key(scalar: &Scalar<'_>, analysis: &Analysis) -> bool {
    !analysis.multiline && scalar.text.len() + length(scalar.tag) <= LONGEST_KEY
}

fn length(text: Option<&str>) -> usize {
    text.map_or(0, str::len)
}
