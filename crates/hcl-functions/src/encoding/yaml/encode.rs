//! Encodes values as YAML in the style of go-cty-yaml: in blocks, strings in double quotes or, if they have several
//! lines, as literal blocks.

use hieratic_hcl_types::Value;
use hieratic_yaml::emitter::{Collection, Emitter, EndMark, Kind, Options, Scalar, Style};

/// A value as a document.
pub(super) fn encode(value: &Value) -> String {
    // The reference is a port of libyaml 0.1 to Go.
    let options = Options { end_mark: EndMark::PlainRoot, mark_escapes_all: true, ..Options::default() };
    let mut emitter = Emitter::new(options);
    node(&mut emitter, value);
    emitter.finish()
}

fn node(emitter: &mut Emitter, value: &Value) {
    match value {
        Value::Null(_) | Value::Unknown(_) => emitter.scalar(&Scalar::implicit("null")),
        Value::Bool(true) => emitter.scalar(&Scalar::implicit("true")),
        Value::Bool(false) => emitter.scalar(&Scalar::implicit("false")),
        Value::Number(number) => emitter.scalar(&Scalar::implicit(&number.to_string())),
        Value::String(text) => string(emitter, text),
        Value::Map(_) | Value::Object(_) => {
            let entries = value.as_entries().unwrap_or_default();
            emitter.start(&Collection { is_empty: entries.is_empty(), ..Collection::block(Kind::Mapping) });
            for (key, value) in entries {
                string(emitter, key);
                node(emitter, value);
            }
            emitter.end();
        }
        Value::List(_) | Value::Set(_) | Value::Tuple(_) => {
            let items = value.as_slice().unwrap_or_default();
            emitter.start(&Collection { is_empty: items.is_empty(), ..Collection::block(Kind::Sequence) });
            for item in items {
                node(emitter, item);
            }
            emitter.end();
        }
    }
}

fn string(emitter: &mut Emitter, text: &str) {
    let style = if text.contains('\n') { Style::Literal } else { Style::DoubleQuoted };
    emitter.scalar(&Scalar::string(text, style));
}
