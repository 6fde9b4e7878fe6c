//! Writes values to the byte as PyYAML does with libyaml, which is how Ansible writes them:
//! <https://pyyaml.org/wiki/PyYAMLDocumentation#emitter>.

use minijinja::Value;

use super::analysis::{Analysis, analyze, is_break, is_printable};
use super::resolver::{Resolver, Tag};
use crate::error::{Result, error};
use crate::objects::Markup;
use crate::python::compare::sort;
use crate::python::kind::{entries, iterate, type_name};
use crate::python::text::LONGEST;
use crate::python::{Budget, Kind, kind};
use crate::work;
use hieratic_pythonic::float;

/// How YAML is laid out.
#[derive(Clone, Debug)]
pub struct Layout {
    /// How many spaces a level is indented by.
    pub indent: usize,
    /// How long lines may get before they are broken.
    pub width: usize,
    /// Whether collections are written in brackets; without a word, those that hold scalars only.
    pub flow: Option<bool>,
    /// Whether keys are sorted.
    pub sort: bool,
    /// Whether other characters than ASCII's are written as they are.
    pub unicode: bool,
    /// Whether `---` stands before the document.
    pub explicit_start: bool,
    /// Whether `...` stands behind it.
    pub explicit_end: bool,
    /// The quotes of all scalars, or `|` or `>` before them, if they have some.
    pub quote: Option<char>,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            indent: 2,
            width: 80,
            flow: None,
            sort: true,
            unicode: true,
            explicit_start: false,
            explicit_end: false,
            quote: None,
        }
    }
}

/// How deeply values may nest.
const DEEPEST: usize = 150;

/// A value ready to be written.
enum Node {
    Scalar { text: String, plain: bool, is_text: bool },
    Sequence { items: Vec<Node>, flow: bool },
    Mapping { pairs: Vec<(Node, Node)>, flow: bool, tag: Option<&'static str> },
}

/// Writes a document.
pub fn write(value: &Value, layout: &Layout) -> Result<String> {
    let resolver = Resolver::new();
    let node = represent(value, layout, &resolver, DEEPEST, &Budget::new())?;
    let mut emitter = Emitter {
        out: String::new(),
        column: 0,
        whitespace: true,
        indention: true,
        flow_level: 0,
        indent: if (2..10).contains(&layout.indent) { layout.indent } else { 2 },
        width: layout.width,
        unicode: layout.unicode,
        quote: layout.quote,
        open_ended: false,
    };
    if emitter.width <= emitter.indent * 2 {
        emitter.width = 80;
    }
    if layout.explicit_start {
        emitter.indicator("---", true, false, false);
    }
    emitter.node(&node, None, At::Root)?;
    if layout.explicit_end {
        emitter.write_indent(None);
        emitter.indicator("...", true, false, false);
    }
    emitter.write_indent(None);
    if emitter.open_ended && !layout.explicit_end {
        emitter.indicator("...", true, false, false);
        emitter.write_indent(None);
    }
    Ok(emitter.out)
}

fn represent(value: &Value, layout: &Layout, resolver: &Resolver, depth: usize, budget: &Budget) -> Result<Node> {
    budget.step()?;
    let Some(depth) = depth.checked_sub(1) else {
        return Err(error("the value nests too deeply to be written as YAML"));
    };
    let scalar = |text: String| Node::Scalar { text, plain: true, is_text: false };
    let text_node =
        |text: &str| Node::Scalar { text: text.into(), plain: resolver.resolve(text) == Tag::Text, is_text: true };
    let is_plain = |node: &Node| matches!(node, Node::Scalar { .. }) && layout.quote.is_none();
    Ok(match kind(value)? {
        Kind::Missing(missing) => {
            missing.usable()?;
            text_node(&missing.placeholder())
        }
        Kind::None => scalar("null".into()),
        Kind::Bool(truth) => scalar(if truth { "true" } else { "false" }.into()),
        Kind::Int(number) => scalar(number.to_string()),
        Kind::Float(number) if number.is_nan() => scalar(".nan".into()),
        Kind::Float(number) if number.is_infinite() => scalar(if number > 0.0 { ".inf" } else { "-.inf" }.into()),
        Kind::Float(number) => {
            let text = float(number);
            scalar(if text.contains('.') { text } else { text.replacen('e', ".0e", 1) })
        }
        Kind::Str(text) if Markup::is(value) => {
            return Err(error(format!(
                "cannot represent an escaped text as YAML: Markup({text:?}); use the filter `string`"
            )));
        }
        Kind::Str(text) => {
            work::bytes(text.len())?;
            text_node(text)
        }
        Kind::Datetime(time) => scalar(time.to_text(' ')),
        Kind::List | Kind::Tuple(_) => {
            let items = iterate(value)?;
            let items = items.iter().map(|item| represent(item, layout, resolver, depth, budget));
            let items = items.collect::<Result<Vec<Node>>>()?;
            let flow = layout.flow.unwrap_or_else(|| items.iter().all(is_plain));
            Node::Sequence { items, flow }
        }
        kind @ (Kind::Dict | Kind::Set(_)) => {
            let (mut pairs, tag) = match kind {
                Kind::Set(items) => (items.iter().map(|item| (item.clone(), Value::from(()))).collect(), Some("!!set")),
                _ => (entries(value)?, None),
            };
            if layout.sort {
                let keyed = pairs.iter().enumerate().map(|(at, (key, _))| (key.clone(), Value::from(at))).collect();
                // Keys that cannot be compared stay as they are.
                if let Ok(sorted) = sort(keyed, false) {
                    let order = sorted.iter().filter_map(|(_, at)| at.as_usize());
                    pairs = order.filter_map(|at| pairs.get(at).cloned()).collect::<Vec<_>>();
                }
            }
            let mut nodes = Vec::new();
            for (key, item) in &pairs {
                nodes.push((
                    represent(key, layout, resolver, depth, budget)?,
                    represent(item, layout, resolver, depth, budget)?,
                ));
            }
            let flow = layout.flow.unwrap_or_else(|| nodes.iter().all(|(key, item)| is_plain(key) && is_plain(item)));
            Node::Mapping { pairs: nodes, flow, tag }
        }
        Kind::Bytes(_) => return Err(error("bytes cannot be written as YAML: encode them first, with b64encode")),
        Kind::Timedelta(_) | Kind::Other => {
            return Err(error(format!("cannot represent an object of type '{}'", type_name(value))));
        }
    })
}

/// Where a node stands.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Root,
    Sequence,
    Mapping,
    SimpleKey,
    Key,
}

struct Emitter {
    out: String,
    column: usize,
    /// Whether white space was written last.
    whitespace: bool,
    /// Whether only indicators and white space were written in the line.
    indention: bool,
    flow_level: usize,
    indent: usize,
    width: usize,
    unicode: bool,
    quote: Option<char>,
    /// Whether the last scalar ends with ends of lines that belong to it.
    open_ended: bool,
}

impl Emitter {
    fn raw(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn indicator(&mut self, indicator: &str, need_whitespace: bool, whitespace: bool, indention: bool) {
        if !self.whitespace && need_whitespace {
            self.raw(" ");
        }
        self.raw(indicator);
        self.whitespace = whitespace;
        self.indention = self.indention && indention;
    }

    fn line_break(&mut self) {
        self.out.push('\n');
        self.column = 0;
        self.whitespace = true;
        self.indention = true;
    }

    fn write_indent(&mut self, indent: Option<usize>) {
        let indent = indent.unwrap_or(0);
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.line_break();
        }
        if self.column < indent {
            self.whitespace = true;
            let spaces = " ".repeat(indent - self.column);
            self.raw(&spaces);
        }
    }

    fn deeper(&self, indent: Option<usize>, flow: bool, indentless: bool) -> Option<usize> {
        match indent {
            None => Some(if flow { self.indent } else { 0 }),
            Some(indent) if indentless => Some(indent),
            Some(indent) => Some(indent + self.indent),
        }
    }

    fn node(&mut self, node: &Node, indent: Option<usize>, at: At) -> Result<()> {
        if self.out.len() > LONGEST {
            return Err(error("the string is too long"));
        }
        if let Node::Mapping { tag: Some(tag), .. } = node {
            self.indicator(tag, true, false, false);
        }
        match node {
            Node::Scalar { text, plain, is_text } => {
                // A scalar is indented as what would be inside it.
                let indent = self.deeper(indent, true, false);
                self.scalar(text, *plain, *is_text, indent, at);
                Ok(())
            }
            Node::Sequence { items, flow } if *flow || self.flow_level > 0 || items.is_empty() => {
                self.flow_sequence(items, indent)
            }
            Node::Sequence { items, .. } => {
                let indentless = at == At::Mapping && !self.indention;
                let inner = self.deeper(indent, false, indentless);
                for item in items {
                    self.write_indent(inner);
                    self.indicator("-", true, false, true);
                    self.node(item, inner, At::Sequence)?;
                }
                Ok(())
            }
            Node::Mapping { pairs, flow, .. } if *flow || self.flow_level > 0 || pairs.is_empty() => {
                self.flow_mapping(pairs, indent)
            }
            Node::Mapping { pairs, .. } => {
                let inner = self.deeper(indent, false, false);
                for (key, value) in pairs {
                    self.write_indent(inner);
                    if self.is_simple_key(key) {
                        self.node(key, inner, At::SimpleKey)?;
                        self.indicator(":", false, false, false);
                    } else {
                        self.indicator("?", true, false, true);
                        self.node(key, inner, At::Key)?;
                        self.write_indent(inner);
                        self.indicator(":", true, false, true);
                    }
                    self.node(value, inner, At::Mapping)?;
                }
                Ok(())
            }
        }
    }

    fn is_simple_key(&self, node: &Node) -> bool {
        match node {
            Node::Scalar { text, .. } => text.chars().count() < 128 && !analyze(text, self.unicode).multiline,
            Node::Sequence { items, .. } => items.is_empty(),
            Node::Mapping { pairs, .. } => pairs.is_empty(),
        }
    }

    fn flow_sequence(&mut self, items: &[Node], indent: Option<usize>) -> Result<()> {
        self.indicator("[", true, true, false);
        self.flow_level += 1;
        let inner = self.deeper(indent, true, false);
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.indicator(",", false, false, false);
            }
            if self.column > self.width {
                self.write_indent(inner);
            }
            self.node(item, inner, At::Sequence)?;
        }
        self.flow_level -= 1;
        self.indicator("]", false, false, false);
        Ok(())
    }

    fn flow_mapping(&mut self, pairs: &[(Node, Node)], indent: Option<usize>) -> Result<()> {
        self.indicator("{", true, true, false);
        self.flow_level += 1;
        let inner = self.deeper(indent, true, false);
        for (at, (key, value)) in pairs.iter().enumerate() {
            if at > 0 {
                self.indicator(",", false, false, false);
            }
            if self.column > self.width {
                self.write_indent(inner);
            }
            if self.is_simple_key(key) {
                self.node(key, inner, At::SimpleKey)?;
                self.indicator(":", false, false, false);
            } else {
                self.indicator("?", true, false, false);
                self.node(key, inner, At::Key)?;
                if self.column > self.width {
                    self.write_indent(inner);
                }
                self.indicator(":", true, false, false);
            }
            self.node(value, inner, At::Mapping)?;
        }
        self.flow_level -= 1;
        self.indicator("}", false, false, false);
        Ok(())
    }

    fn scalar(&mut self, text: &str, plain: bool, is_text: bool, indent: Option<usize>, at: At) {
        let Analysis { multiline, flow_plain, block_plain, single_quoted, block } = analyze(text, self.unicode);
        let simple_key = at == At::SimpleKey;
        let split = !simple_key;
        let fits = !(simple_key && (multiline || text.is_empty()));
        let allowed = if self.flow_level > 0 { flow_plain } else { block_plain };
        if let Some(quote) = self.quote.filter(|quote| *quote != '\0') {
            // What is no text says so.
            if !is_text {
                self.indicator("!", true, false, false);
            }
            match quote {
                '\'' if single_quoted && !(simple_key && multiline) => self.single_quoted(text, split, indent),
                '|' if block && self.flow_level == 0 && !simple_key => self.literal(text, indent),
                '>' if block && self.flow_level == 0 && !simple_key => self.folded(text, indent),
                _ => self.double_quoted(text, split, indent),
            }
        } else if plain && fits && allowed {
            self.plain(text, split, indent);
        } else if !is_text {
            // The colon of a time is not written plain in brackets.
            self.indicator("!", true, false, false);
            self.single_quoted(text, split, indent);
        } else if single_quoted && !(simple_key && multiline) {
            self.single_quoted(text, split, indent);
        } else {
            self.double_quoted(text, split, indent);
        }
    }

    fn plain(&mut self, text: &str, split: bool, indent: Option<usize>) {
        if text.is_empty() {
            return;
        }
        if !self.whitespace {
            self.raw(" ");
        }
        self.whitespace = false;
        self.indention = false;
        let letters: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < letters.len() {
            let is_space = letters[at] == ' ';
            let end = (at..letters.len()).find(|end| (letters[*end] == ' ') != is_space).unwrap_or(letters.len());
            if is_space && end == at + 1 && self.column > self.width && split {
                self.write_indent(indent);
                self.whitespace = false;
                self.indention = false;
            } else {
                let part: String = letters[at..end].iter().collect();
                self.raw(&part);
            }
            at = end;
        }
    }

    fn single_quoted(&mut self, text: &str, split: bool, indent: Option<usize>) {
        self.indicator("'", true, false, false);
        let letters: Vec<char> = text.chars().collect();
        let class = |letter: char| match letter {
            ' ' => 1,
            letter if is_break(letter) => 2,
            '\'' => 3,
            _ => 0,
        };
        let mut at = 0;
        while at < letters.len() {
            let kind = class(letters[at]);
            let end = match kind {
                3 => at + 1,
                _ => (at..letters.len()).find(|end| class(letters[*end]) != kind).unwrap_or(letters.len()),
            };
            match kind {
                1 if end == at + 1 && self.column > self.width && split && at != 0 && end != letters.len() => {
                    self.write_indent(indent);
                }
                2 => {
                    if letters[at] == '\n' {
                        self.line_break();
                    }
                    for letter in &letters[at..end] {
                        match letter {
                            '\n' => self.line_break(),
                            other => {
                                self.line_break();
                                self.out.pop();
                                self.out.push(*other);
                            }
                        }
                    }
                    self.write_indent(indent);
                }
                3 => self.raw("''"),
                _ => {
                    let part: String = letters[at..end].iter().collect();
                    self.raw(&part);
                }
            }
            at = end;
        }
        self.indicator("'", false, false, false);
    }

    /// What starts a block: its sign, how far it is indented if its text does not tell, and what becomes of the last ends of lines.
    fn block(&mut self, sign: &str, letters: &[char]) {
        self.indicator(sign, true, false, false);
        if letters.first().is_some_and(|letter| *letter == ' ' || is_break(*letter)) {
            let indent = self.indent.to_string();
            self.indicator(&indent, false, false, false);
        }
        let breaks = letters.iter().rev().take(2).take_while(|letter| is_break(**letter)).count();
        self.open_ended = false;
        match breaks {
            0 => self.indicator("-", false, false, false),
            1 if letters.len() > 1 => {}
            _ => {
                self.indicator("+", false, false, false);
                self.open_ended = true;
            }
        }
        self.line_break();
    }

    /// An end of a line inside of a block.
    fn block_break(&mut self, letter: char) {
        self.line_break();
        if letter != '\n' {
            self.out.pop();
            self.out.push(letter);
        }
    }

    fn literal(&mut self, text: &str, indent: Option<usize>) {
        let letters: Vec<char> = text.chars().collect();
        self.block("|", &letters);
        let mut breaks = true;
        for letter in letters {
            if is_break(letter) {
                self.block_break(letter);
                breaks = true;
            } else {
                if breaks {
                    self.write_indent(indent);
                }
                self.raw(letter.encode_utf8(&mut [0; 4]));
                self.indention = false;
                breaks = false;
            }
        }
    }

    fn folded(&mut self, text: &str, indent: Option<usize>) {
        let letters: Vec<char> = text.chars().collect();
        self.block(">", &letters);
        let (mut breaks, mut leading_spaces) = (true, true);
        for (at, letter) in letters.iter().copied().enumerate() {
            if is_break(letter) {
                if !breaks && !leading_spaces && letter == '\n' {
                    let behind = letters.iter().skip(at).find(|letter| !is_break(**letter));
                    if behind.is_some_and(|letter| !matches!(letter, ' ' | '\t')) {
                        self.line_break();
                    }
                }
                self.block_break(letter);
                breaks = true;
            } else {
                if breaks {
                    self.write_indent(indent);
                    leading_spaces = matches!(letter, ' ' | '\t');
                }
                let single = letter == ' ' && letters.get(at + 1) != Some(&' ');
                if !breaks && single && self.column > self.width {
                    self.write_indent(indent);
                } else {
                    self.raw(letter.encode_utf8(&mut [0; 4]));
                }
                self.indention = false;
                breaks = false;
            }
        }
    }

    fn double_quoted(&mut self, text: &str, split: bool, indent: Option<usize>) {
        self.indicator("\"", true, false, false);
        let letters: Vec<char> = text.chars().collect();
        let mut after_space = false;
        for (at, letter) in letters.iter().enumerate() {
            let inner = at > 0 && at + 1 < letters.len();
            if *letter == ' ' && split && !after_space && self.column > self.width && inner {
                self.write_indent(indent);
                if letters.get(at + 1) == Some(&' ') {
                    self.raw("\\");
                }
            } else if matches!(letter, '"' | '\\' | '\u{feff}')
                || is_break(*letter)
                || !is_printable(*letter, self.unicode)
            {
                self.raw(&escape(*letter));
            } else {
                self.raw(letter.encode_utf8(&mut [0; 4]));
            }
            after_space = *letter == ' ';
        }
        self.whitespace = false;
        self.indention = false;
        self.indicator("\"", false, false, false);
    }
}

fn escape(letter: char) -> String {
    let short = match letter {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '"' => '"',
        '\\' => '\\',
        '\u{85}' => 'N',
        '\u{a0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        other => {
            return match u32::from(other) {
                code @ 0..=0xff => format!("\\x{code:02X}"),
                code @ 0..=0xffff => format!("\\u{code:04X}"),
                code => format!("\\U{code:08X}"),
            };
        }
    };
    format!("\\{short}")
}
