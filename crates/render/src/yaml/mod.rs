//! YAML as Ruby writes it: Psych 4 on libyaml 0.2.5.
//!
//! Psych decides which style each scalar should have ([`scalar`]) and which objects get an anchor ([`anchors`]);
//! libyaml's emitter ([`emitter`]) takes that for a wish, sees whether the style is possible where the scalar stands,
//! folds lines at 80 columns and escapes what is not printable.

mod anchors;
mod emitter;
mod scalar;
mod time;
mod walk;

use std::borrow::Cow;

use base64::Engine as _;
use hieratic_value::text::float as float_text;

use crate::{Error, Scalar, Tree, View};
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

/// What is to be written for a node of a tree, before it is known how it will look.
enum Node<'t, T: Tree> {
    Scalar(Piece<'t>),
    Alias(usize),
    /// An empty array or hash, with its anchor.
    Empty(&'static str, Option<usize>),
    /// Any other collection, with its anchor.
    Collection(Open<T>, Option<usize>),
}

/// The tag of Puppet's class for secrets. Ruby writes any object that it does not know with its class and its fields.
const SENSITIVE: &str = "!ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive";

impl<'t, T: Tree> Node<'t, T> {
    fn of(tree: &'t T, anchors: &mut Anchors) -> Result<Self, Error> {
        let view = match tree.view() {
            View::Scalar(leaf) => return piece(leaf).map(Node::Scalar),
            view => view,
        };
        let anchor = match anchors.mark(tree) {
            Mark::Alias(number) => return Ok(Node::Alias(number)),
            Mark::Anchor(number) => Some(number),
            Mark::None => None,
        };
        let open = match view {
            View::Array(elements) => 
            ''
        };
    }
}
