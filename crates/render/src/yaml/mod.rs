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

use std::ffi::CStr;

use base64::Engine as _;
use hieratic_value::text::float as float_text;

use crate::{Error, Scalar, Tree, View};
use anchors::{Anchors, Mark};
use emitter::{Emitter, Style};
use scalar::Hint;
use walk::Open;

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
    let mut emitter = Emitter::new()?;
    let mut open: Vec<Open<T>> = Vec::new();
    let mut next = Some(tree);
    loop {
        if let Some(tree) = next.take() {
            open.extend(start(&mut emitter, &mut anchors, &tree)?);
        }
        let Some(top) = open.last_mut() else { return emitter.finish() };
        next = top.next();
        if next.is_none() {
            match top {
                Open::Array(_) => emitter.end_sequence()?,
                Open::Hash(..) | Open::Sensitive(_) => emitter.end_mapping()?,
            }
            open.pop();
        }
    }
}

/// The tag of Puppet's class for secrets. Ruby writes any object that it does not know with its class and its fields.
const SENSITIVE: &CStr = c"!ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive";

/// Writes a leaf or an alias, or opens a collection.
fn start<T: Tree>(emitter: &mut Emitter, anchors: &mut Anchors, tree: &T) -> Result<Option<Open<T>>, Error> {
    let open = match tree.view() {
        View::Scalar(leaf) => return write_scalar(emitter, leaf).map(|()| None),
        View::Sensitive(inner) => Open::Sensitive(Some(inner)),
        View::Array(elements) => Open::Array(elements),
        View::Hash(pairs) => Open::Hash(pairs, None),
    };
    let anchor = match anchors.mark(tree) {
        Mark::Alias(number) => return emitter.alias(number).map(|()| None),
        Mark::Anchor(number) => Some(number),
        Mark::None => None,
    };
    match open {
        Open::Array(_) => emitter.start_sequence(anchor)?,
        Open::Hash(..) => emitter.start_mapping(anchor, None)?,
        Open::Sensitive(_) => {
            emitter.start_mapping(anchor, Some(SENSITIVE))?;
            emitter.plain("value")?;
        }
    }
    Ok(Some(open))
}

fn write_scalar(emitter: &mut Emitter, leaf: Scalar<'_>) -> Result<(), Error> {
    match leaf {
        Scalar::Undef => emitter.scalar("", Some(c"tag:yaml.org,2002:null"), Style::Any, true, false),
        Scalar::Boolean(boolean) => emitter.plain(if boolean { "true" } else { "false" }),
        Scalar::Integer(integer) => emitter.plain(&integer.to_string()),
        Scalar::BigInteger(integer) => emitter.plain(&integer.to_string()),
        Scalar::Float(float) if float.is_nan() => emitter.plain(".nan"),
        Scalar::Float(float) if float.is_infinite() => emitter.plain(if float > 0.0 { ".inf" } else { "-.inf" }),
        Scalar::Float(float) => emitter.plain(&float_text(float)),
        Scalar::Symbol("") => emitter.scalar("", Some(c"!ruby/symbol"), Style::Any, false, false),
        Scalar::Symbol(name) => emitter.plain(&format!(":{name}")),
        Scalar::String(text) => write_string(emitter, text),
        Scalar::Binary(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) if text.is_ascii() => write_string(emitter, text),
            _ => {
                let text = base64::engine::general_purpose::STANDARD.encode(bytes);
                emitter.scalar(&text, Some(c"!binary"), Style::Literal, false, false)
            }
        },
    }
}

fn write_string(emitter: &mut Emitter, text: &str) -> Result<(), Error> {
    match scalar::hint(text)? {
        Hint::Plain => emitter.scalar(text, None, Style::Plain, true, true),
        Hint::SingleQuoted => emitter.scalar(text, None, Style::SingleQuoted, true, true),
        Hint::DoubleQuoted => emitter.scalar(text, None, Style::DoubleQuoted, true, true),
        Hint::Literal => emitter.scalar(text, None, Style::Literal, true, true),
        Hint::MergeKey => emitter.scalar(text, Some(c"tag:yaml.org,2002:str"), Style::SingleQuoted, false, false),
    }
}

#[cfg(test)]
mod tests;
