//! Writes values byte for byte as PyYAML does with libyaml, which Ansible uses:
//! <https://pyyaml.org/wiki/PyYAMLDocumentation#emitter>. [`hieratic_yaml::emitter`] lays them out.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hieratic_yaml::emitter::{Characters, Collection, Emitter, Kind as Shape, Options, Scalar, Style};
use minijinja::Value;

use super::resolver::{Resolver, Tag};
use crate::error::{Result, error};
use crate::objects::{Markup, Tuple, distinguish};
use crate::python::compare::{address, sort};
use crate::python::kind::{entries, iterate, type_name};
use crate::python::text::LONGEST;
use crate::python::{Budget, Kind, kind};
use crate::work;
use hieratic_python_values::float;

/// The layout of YAML.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The indentation of a level in spaces.
    pub indent: usize,
    /// The length in characters at which lines are folded.
    pub width: usize,
    /// Whether collections are written in flow style; with `None`, those that contain only scalars are.
    pub flow: Option<bool>,
    /// Whether keys are sorted.
    pub sort: bool,
    /// Whether characters outside ASCII are written unescaped.
    pub unicode: bool,
    /// Whether `---` is written before the document.
    pub explicit_start: bool,
    /// Whether `...` is written after the document.
    pub explicit_end: bool,
    /// Whether everything is written with its tag, in brackets and double quotes.
    pub canonical: bool,
    /// The quotes of all scalars, or the indicator `|` or `>`. `None` chooses the style by content.
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
            canonical: false,
            quote: None,
        }
    }
}

/// The maximum nesting depth of values.
const MAX_DEPTH: usize = 150;

/// A value ready to be written.
enum Node {
    Scalar(ScalarNode),
    Sequence {
        items: Vec<Node>,
        flow: bool,
        address: Option<usize>,
    },
    Mapping {
        pairs: Vec<(Node, Node)>,
        flow: bool,
        tag: Option<&'static str>,
        address: Option<usize>,
    },
    /// A collection that was represented before, by its address.
    Alias(usize),
}

/// A scalar.
struct ScalarNode {
    text: String,
    /// Whether it may be plain.
    plain: bool,
    is_text: bool,
    /// Its tag in the canonical form.
    tag: &'static str,
}

/// The collections of a document, of which those that occur again get anchors.
#[derive(Default)]
struct Collections {
    /// Each one by its address, which stays its own as long as the value is here.
    known: HashMap<usize, Value>,
    /// The anchors, in the order in which collections occur again.
    anchors: HashMap<usize, String>,
}

impl Collections {
    /// The address of a collection if it occurs again, which gives it an anchor.
    fn repeated(&mut self, value: &Value) -> Result<Option<usize>> {
        let Some(address) = address(value) else { return Ok(None) };
        if self.known.insert(address, value.clone()).is_none() {
            return Ok(None);
        }
        // Whether a template sees one object or several depends on where it names the variable.
        distinguish(value)?;
        let number = self.anchors.len() + 1;
        self.anchors.entry(address).or_insert_with(|| format!("id{number:03}"));
        Ok(Some(address))
    }

    fn anchor(&self, address: Option<usize>) -> Option<&str> {
        self.anchors.get(&address?).map(String::as_str)
    }
}

/// Writes a document.
pub fn write(value: &Value, layout: &Layout) -> Result<String> {
    let resolver = Resolver::new();
    let mut collections = Collections::default();
    let node = represent(value, layout, &resolver, MAX_DEPTH, &Budget::new(), &mut collections)?;
    let mut emitter = Emitter::new(Options {
        indent: layout.indent,
        width: layout.width,
        characters: if layout.unicode { Characters::BasicPlane } else { Characters::Ascii },
        explicit_start: layout.explicit_start,
        explicit_end: layout.explicit_end,
        canonical: layout.canonical,
        ..Options::default()
    });
    emit(&mut emitter, &node, layout, &collections)?;
    Ok(emitter.finish())
}

fn represent(
    value: &Value,
    layout: &Layout,
    resolver: &Resolver,
    depth: usize,
    budget: &Budget,
    collections: &mut Collections,
) -> Result<Node> {
    budget.step()?;
    let Some(depth) = depth.checked_sub(1) else {
        return Err(error("the value nests too deeply to be written as YAML"));
    };
    let scalar = |text: String, tag: &'static str| Node::Scalar(ScalarNode { text, plain: true, is_text: false, tag });
    let text_node = |text: &str| {
        let plain = resolver.resolve(text) == Tag::Text;
        Node::Scalar(ScalarNode { text: text.into(), plain, is_text: true, tag: "!!str" })
    };
    let is_plain = |node: &Node| match node {
        Node::Scalar(scalar) => layout.quote.is_none() && scalar.tag != BINARY,
        _ => false,
    };
    Ok(match kind(value)? {
        Kind::Missing(missing) => {
            missing.usable()?;
            text_node(&missing.placeholder())
        }
        Kind::None => scalar("null".into(), "!!null"),
        Kind::Bool(truth) => scalar(if truth { "true" } else { "false" }.into(), "!!bool"),
        Kind::Int(number) => scalar(number.to_string(), "!!int"),
        Kind::Float(number) => scalar(float_text(number), "!!float"),
        Kind::Str(text) if Markup::is(value) => {
            return Err(error(format!(
                "cannot represent an escaped text as YAML: Markup({text:?}); use the filter `string`"
            )));
        }
        Kind::Str(text) => {
            work::bytes(text.len())?;
            text_node(text)
        }
        Kind::Datetime(time) => scalar(time.to_text(' '), "!!timestamp"),
        Kind::Bytes(bytes) => scalar(base64_lines(bytes)?, BINARY),
        Kind::Tuple(_) if value.downcast_object_ref().and_then(Tuple::type_name).is_some() => {
            return Err(error(format!("cannot represent an object of type '{}'", type_name(value))));
        }
        Kind::List | Kind::Tuple(_) => {
            let items = iterate(value)?;
            // Python has one empty tuple, which is written anew each time.
            let is_empty_tuple = items.is_empty() && !matches!(kind(value)?, Kind::List);
            if !is_empty_tuple && let Some(address) = collections.repeated(value)? {
                return Ok(Node::Alias(address));
            }
            let items = items.iter().map(|item| represent(item, layout, resolver, depth, budget, collections));
            let items = items.collect::<Result<Vec<Node>>>()?;
            let flow = layout.flow.unwrap_or_else(|| items.iter().all(is_plain));
            Node::Sequence { items, flow, address: address(value) }
        }
        kind @ (Kind::Dict | Kind::Set(_)) => {
            if let Some(address) = collections.repeated(value)? {
                return Ok(Node::Alias(address));
            }
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
                    represent(key, layout, resolver, depth, budget, collections)?,
                    represent(item, layout, resolver, depth, budget, collections)?,
                ));
            }
            let flow = layout.flow.unwrap_or_else(|| nodes.iter().all(|(key, item)| is_plain(key) && is_plain(item)));
            Node::Mapping { pairs: nodes, flow, tag, address: address(value) }
        }
        Kind::Daytime(_) | Kind::Zone(_) | Kind::Timedelta(_) | Kind::Other => {
            return Err(error(format!("cannot represent an object of type '{}'", type_name(value))));
        }
    })
}

/// The tag of bytes, which are written as a block.
const BINARY: &str = "!!binary";

/// A float as PyYAML writes it.
fn float_text(number: f64) -> String {
    if number.is_nan() {
        return ".nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.into();
    }
    let text = float(number);
    if text.contains('.') { text } else { text.replacen('e', ".0e", 1) }
}

/// The bytes of a line of Base64, and its characters, as Python's `base64.encodebytes` breaks it.
const LINE_BYTES: usize = 57;

/// Bytes as lines of Base64.
fn base64_lines(bytes: &[u8]) -> Result<String> {
    work::bytes(bytes.len() * 4 / 3)?;
    let line = |bytes: &[u8]| STANDARD.encode(bytes) + "\n";
    Ok(bytes.chunks(LINE_BYTES).map(line).collect())
}

fn emit(emitter: &mut Emitter, node: &Node, layout: &Layout, collections: &Collections) -> Result<()> {
    if emitter.written() > LONGEST {
        return Err(error("the string is too long"));
    }
    match node {
        Node::Scalar(ScalarNode { text, plain, is_text, tag }) => {
            let style = match layout.quote {
                _ if *tag == BINARY => Style::Literal,
                None | Some('\0') => Style::Plain,
                Some('\'') => Style::SingleQuoted,
                Some('|') => Style::Literal,
                Some('>') => Style::Folded,
                Some(_) => Style::DoubleQuoted,
            };
            let tag = (layout.canonical || *tag == BINARY).then_some(*tag);
            let scalar = Scalar { tag, ..Scalar::string(text, style) };
            emitter.scalar(&Scalar { plain_implicit: *plain, quoted_implicit: *is_text || tag.is_some(), ..scalar });
        }
        Node::Alias(address) => {
            if let Some(anchor) = collections.anchor(Some(*address)) {
                emitter.alias(anchor);
            }
        }
        Node::Sequence { items, flow, address } => {
            let (is_empty, anchor) = (items.is_empty(), collections.anchor(*address));
            let tag = layout.canonical.then_some("!!seq");
            emitter.start(&Collection { is_empty, flow: *flow, anchor, tag, ..Collection::block(Shape::Sequence) });
            for item in items {
                emit(emitter, item, layout, collections)?;
            }
            emitter.end();
        }
        Node::Mapping { pairs, flow, tag, address } => {
            let (is_empty, anchor) = (pairs.is_empty(), collections.anchor(*address));
            emitter.start(&Collection {
                is_empty,
                flow: *flow,
                anchor,
                tag: tag.or(layout.canonical.then_some("!!map")),
                ..Collection::block(Shape::Mapping)
            });
            for (key, value) in pairs {
                emit(emitter, key, layout, collections)?;
                emit(emitter, value, layout, collections)?;
            }
            emitter.end();
        }
    }
    Ok(())
}
