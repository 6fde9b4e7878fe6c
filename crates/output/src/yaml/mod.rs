//! YAML as Ruby writes it: Psych 4 on libyaml 0.2.5.
//!
//! Psych decides which style each scalar should have ([`scalar`]) and which objects get an anchor ([`anchors`]);
//! libyaml ([`hieratic_yaml::emitter`]) lays that out.

mod anchors;
mod scalar;
mod time;
mod walk;

use std::borrow::Cow;

use base64::Engine as _;
use hieratic_value::text::float as float_text;
use hieratic_yaml::emitter::{Collection, Emitter, Kind, Options, Scalar as Written, Style};

use crate::{Error, Scalar, Tree};
use anchors::{AnchorMark, Anchors};
use scalar::StyleHint;
use walk::OpenCollection;

/// Returns the YAML that `--render-as yaml` prints: Ruby's `to_yaml`.
///
/// Fails on the few strings on which Ruby fails: see [`Error::NoInteger`] and [`Error::NoTime`].
///
/// ```
/// use hieratic_value::Value;
/// let list = Value::from(vec![Value::from("yes"), Value::from("a\nb\n"), Value::Undef]);
/// assert_eq!(hieratic_output::yaml(&list)?, "---\n- 'yes'\n- |\n  a\n  b\n-\n");
/// # Ok::<(), hieratic_output::Error>(())
/// ```
pub fn yaml<T: Tree>(tree: T) -> Result<String, Error> {
    let mut anchors = Anchors::from_tree(tree.clone());
    let mut emitter = Emitter::new(Options { explicit_start: true, ..Options::default() });
    let mut open: Vec<OpenCollection<T>> = Vec::new();
    let mut next = Some(tree);
    loop {
        if let Some(tree) = next.take() {
            open.extend(write(&tree, &mut anchors, &mut emitter)?);
        }
        let Some(top) = open.last_mut() else { return Ok(emitter.finish()) };
        next = top.next();
        if next.is_none() {
            emitter.end();
            open.pop();
        }
    }
}

/// The tag of Puppet's class for secrets. Ruby writes any object that it does not know with its class and its fields.
const SENSITIVE: &str = "!ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive";

/// Writes a leaf or an alias, or the beginning of a collection that is then to be gone through.
fn write<T: Tree>(tree: &T, anchors: &mut Anchors, emitter: &mut Emitter) -> Result<Option<OpenCollection<T>>, Error> {
    let mut open = match OpenCollection::from_view(tree.view()) {
        Ok(open) => open,
        Err(leaf) => {
            styled_scalar(leaf)?.write(emitter);
            return Ok(None);
        }
    };
    let anchor = match anchors.mark(tree) {
        AnchorMark::Alias(number) => {
            emitter.alias(&number.to_string());
            return Ok(None);
        }
        AnchorMark::Anchor(number) => Some(number.to_string()),
        AnchorMark::None => None,
    };
    let kind = if matches!(open, OpenCollection::Array(_)) { Kind::Sequence } else { Kind::Mapping };
    let tag = matches!(open, OpenCollection::Sensitive(_)).then_some(SENSITIVE);
    emitter.start(&Collection { kind, is_empty: open.is_empty(), flow: false, anchor: anchor.as_deref(), tag });
    if tag.is_some() {
        // The field that holds the secret.
        emitter.scalar(&Written::string("value", Style::Plain));
    }
    Ok(Some(open))
}

/// A leaf with the style and the tag that Psych gives it.
struct StyledScalar<'t> {
    text: Cow<'t, str>,
    tag: Option<&'static str>,
    style: Style,
    /// Its type shows even if it must be quoted: it is a string. A number, a boolean or a symbol then gets the tag `!`.
    is_string: bool,
}

impl<'t> StyledScalar<'t> {
    fn plain(text: impl Into<Cow<'t, str>>) -> Self {
        StyledScalar { text: text.into(), tag: None, style: Style::Plain, is_string: false }
    }

    fn string(text: impl Into<Cow<'t, str>>, style: Style) -> Self {
        StyledScalar { text: text.into(), tag: None, style, is_string: true }
    }

    fn tagged(tag: &'static str, text: impl Into<Cow<'t, str>>, style: Style) -> Self {
        StyledScalar { text: text.into(), tag: Some(tag), style, is_string: true }
    }

    fn write(&self, emitter: &mut Emitter) {
        let StyledScalar { text, tag, style, is_string } = self;
        emitter.scalar(&Written { tag: *tag, quoted_implicit: *is_string, ..Written::string(text, *style) });
    }
}

/// A leaf with the style and the tag that Psych gives it.
fn styled_scalar(leaf: Scalar<'_>) -> Result<StyledScalar<'_>, Error> {
    Ok(match leaf {
        Scalar::Undef => StyledScalar::plain(""),
        Scalar::Boolean(boolean) => StyledScalar::plain(if boolean { "true" } else { "false" }),
        Scalar::Integer(integer) => StyledScalar::plain(integer.to_string()),
        Scalar::BigInteger(integer) => StyledScalar::plain(integer.to_string()),
        Scalar::Float(float) if float.is_nan() => StyledScalar::plain(".nan"),
        Scalar::Float(float) if float.is_infinite() => StyledScalar::plain(if float > 0.0 { ".inf" } else { "-.inf" }),
        Scalar::Float(float) => StyledScalar::plain(float_text(float)),
        Scalar::Symbol("") => StyledScalar::tagged("!ruby/symbol", "", Style::Plain),
        Scalar::Symbol(name) => StyledScalar::plain(format!(":{name}")),
        Scalar::String(text) => string(text)?,
        Scalar::Extended(other) => {
            let text = other.to_text();
            let StyledScalar { tag, style, is_string, .. } = string(&text)?;
            StyledScalar { text: Cow::Owned(text), tag, style, is_string }
        }
        Scalar::Binary(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) if text.is_ascii() => string(text)?,
            _ => {
                let text = base64::engine::general_purpose::STANDARD.encode(bytes);
                StyledScalar::tagged("!binary", text, Style::Literal)
            }
        },
    })
}

fn string(text: &str) -> Result<StyledScalar<'_>, Error> {
    Ok(match scalar::hint(text)? {
        StyleHint::Plain => StyledScalar::string(text, Style::Plain),
        StyleHint::SingleQuoted => StyledScalar::string(text, Style::SingleQuoted),
        StyleHint::DoubleQuoted => StyledScalar::string(text, Style::DoubleQuoted),
        StyleHint::Literal => StyledScalar::string(text, Style::Literal),
        StyleHint::MergeKey => StyledScalar::tagged("!!str", text, Style::SingleQuoted),
    })
}

#[cfg(test)]
mod tests;
