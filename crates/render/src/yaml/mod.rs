//! YAML as Ruby writes it: Psych 4 on libyaml 0.2.5.
//!
//! Psych decides which style each scalar should have ([`scalar`]) and which objects get an anchor ([`anchors`]);
//! libyaml ([`emitter`]) takes that for a wish, sees what the text allows ([`analysis`]), indents, folds lines at 80
//! columns and escapes what is not printable.

mod analysis;
mod anchors;
mod emitter;
mod scalar;
mod time;
mod walk;

use base64::Engine as _;
use hieratic_value::text::float as float_text;

use crate::{Error, Scalar, Tree};
use anchors::{Anchors, Mark};
use emitter::{Emitter, Piece, Style};
use scalar::Hint;
use walk::{Open, Place};

/// The YAML that `--render-as yaml` prints: Ruby's `to_yaml`.
///
/// Fails on the few strings on which Ruby fails: see [`Error::NoInteger`] and [`Error::NoTime`].
///
/// ```
/// use hieratic_value::Value;
/// let list = Value::from(vec![Value::from("yes"), Value::from("a\nb\n"), Value::Undef]);
/// assert_eq!(hieratic_render::yaml(&list)?, "---\n- 'yes'\n- |\n  a\n  b\n-\n");
/// # Ok::<(), hieratic_render::Error>(())
/// ```
pub fn yaml<T: Tree>(tree: T) -> Result<String, Error> {
    let mut anchors = Anchors::of(tree.clone());
    let mut emitter = Emitter::new();
    let mut open: Vec<Open<T>> = Vec::new();
    let mut next = Some((Place::Root, tree));
    loop {
        if let Some((place, tree)) = next.take() {
            let node = Node::of(&tree, &mut anchors)?;
            match place {
                Place::Root => {}
                Place::Item => emitter.item(),
                Place::Key => emitter.key(node.is_simple_key()),
                Place::Value => emitter.value(),
                Place::Secret => {
                    emitter.key(true);
                    emitter.scalar(&Piece::plain("value"));
                    emitter.value();
                }
            }
            open.extend(node.write(&mut emitter));
        }
        let Some(top) = open.last_mut() else { return Ok(emitter.finish()) };
        next = top.next();
        if next.is_none() {
            emitter.end_collection();
            open.pop();
        }
    }
}

/// What is to be written for a node of a tree.
enum Node<'t, T: Tree> {
    Scalar(Piece<'t>),
    /// A collection that was written before.
    Alias(usize),
    /// `[]` or `{}`, with its anchor.
    Empty(Option<usize>, &'static str),
    /// Any other collection, with its anchor.
    Collection(Option<usize>, Open<T>),
}

/// The tag of Puppet's class for secrets. Ruby writes any object that it does not know with its class and its fields.
const SENSITIVE: &str = "!ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive";

impl<'t, T: Tree> Node<'t, T> {
    fn of(tree: &'t T, anchors: &mut Anchors) -> Result<Self, Error> {
        let mut open = match Open::of(tree.view()) {
            Ok(open) => open,
            Err(leaf) => return piece(leaf).map(Node::Scalar),
        };
        let anchor = match anchors.mark(tree) {
            Mark::Alias(number) => return Ok(Node::Alias(number)),
            Mark::Anchor(number) => Some(number),
            Mark::None => None,
        };
        Ok(match open.empty() {
            Some(text) => Node::Empty(anchor, text),
            None => Node::Collection(anchor, open),
        })
    }

    /// Whether the node as a key goes on one line with its value.
    fn is_simple_key(&self) -> bool {
        match self {
            Node::Scalar(piece) => piece.is_simple_key(),
            Node::Alias(_) | Node::Empty(..) => true,
            Node::Collection(..) => false,
        }
    }

    /// Writes a leaf, or the beginning of a collection that is then to be gone through.
    fn write(self, emitter: &mut Emitter) -> Option<Open<T>> {
        match self {
            Node::Scalar(piece) => emitter.scalar(&piece),
            Node::Alias(number) => emitter.alias(number),
            Node::Empty(anchor, text) => emitter.empty_collection(anchor, text),
            Node::Collection(anchor, open) => {
                match &open {
                    Open::Array(_) => emitter.start_sequence(anchor),
                    Open::Hash(..) => emitter.start_mapping(anchor, None),
                    Open::Sensitive(_) => emitter.start_mapping(anchor, Some(SENSITIVE)),
                }
                return Some(open);
            }
        }
        None
    }
}

/// A leaf with the style and the tag that Psych gives it.
fn piece(leaf: Scalar<'_>) -> Result<Piece<'_>, Error> {
    Ok(match leaf {
        Scalar::Undef => Piece::plain(""),
        Scalar::Boolean(boolean) => Piece::plain(if boolean { "true" } else { "false" }),
        Scalar::Integer(integer) => Piece::plain(integer.to_string()),
        Scalar::BigInteger(integer) => Piece::plain(integer.to_string()),
        Scalar::Float(float) if float.is_nan() => Piece::plain(".nan"),
        Scalar::Float(float) if float.is_infinite() => Piece::plain(if float > 0.0 { ".inf" } else { "-.inf" }),
        Scalar::Float(float) => Piece::plain(float_text(float)),
        Scalar::Symbol("") => Piece::tagged("!ruby/symbol", "", Style::Plain),
        Scalar::Symbol(name) => Piece::plain(format!(":{name}")),
        Scalar::String(text) => string(text)?,
        Scalar::Extended(other) => {
            let text = other.to_text();
            string(&text)?.into_owned()
        }
        Scalar::Binary(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) if text.is_ascii() => string(text)?,
            _ => {
                let text = base64::engine::general_purpose::STANDARD.encode(bytes);
                Piece::tagged("!binary", text, Style::Literal)
            }
        },
    })
}

fn string(text: &str) -> Result<Piece<'_>, Error> {
    Ok(match scalar::hint(text)? {
        Hint::Plain => Piece::string(text, Style::Plain),
        Hint::SingleQuoted => Piece::string(text, Style::SingleQuoted),
        Hint::DoubleQuoted => Piece::string(text, Style::DoubleQuoted),
        Hint::Literal => Piece::string(text, Style::Literal),
        Hint::MergeKey => Piece::tagged("!!str", text, Style::SingleQuoted),
    })
}

#[cfg(test)]
mod tests;
