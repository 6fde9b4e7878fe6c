//! [`RenderAs`]: the formats of `puppet lookup --render-as`.

use std::str::FromStr;

use crate::{Error, Tree, View, json, text, yaml};

/// A rendering format, as `--render-as` names it. Parsing ignores case.
///
/// Puppet documents `s`, `json`, `yaml`, `binary` and `msgpack`. It accepts every format of its network layer, and
/// fails later if a value cannot be written in it. Hieratic does the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RenderAs {
    /// YAML: the default for values.
    Yaml,
    /// Compact JSON.
    Json,
    /// Plain text, Ruby's `to_s`: the default for explanations.
    S,
    /// Puppet's older JSON: writes `NaN` and invalid UTF-8 unchanged.
    Pson,
    /// For people: an array has one line per element, a hash is a table.
    Console,
    /// A line for each leaf: `a.b.0=value`.
    Flat,
    /// Equal to JSON, because plain values have no rich form.
    RichDataJson,
    /// Accepted, but no value can be written in it.
    Binary,
    /// Accepted, but no value can be written in it without the `msgpack` library, which Puppet does not include.
    Msgpack,
    /// Accepted, but no value can be written in it, as with [`RenderAs::Msgpack`].
    RichDataMsgpack,
    /// Accepted, but no value can be written in it: it is for catalogs.
    Dot,
}

impl FromStr for RenderAs {
    type Err = Error;

    /// Reads the flag's text; the error is `Unknown rendering format 'x'`.
    fn from_str(name: &str) -> Result<Self, Error> {
        let name = name.to_lowercase();
        Ok(match &*name {
            "yaml" => RenderAs::Yaml,
            "json" => RenderAs::Json,
            "s" => RenderAs::S,
            "pson" => RenderAs::Pson,
            "console" => RenderAs::Console,
            "flat" => RenderAs::Flat,
            "rich_data_json" => RenderAs::RichDataJson,
            "binary" => RenderAs::Binary,
            "msgpack" => RenderAs::Msgpack,
            "rich_data_msgpack" => RenderAs::RichDataMsgpack,
            "dot" => RenderAs::Dot,
            _ => return Err(Error::UnknownFormat(name)),
        })
    }
}

impl RenderAs {
    /// Renders a tree for printing, with a newline at the end.
    ///
    /// The result is bytes, because binary strings are written unchanged in all formats except YAML and JSON.
    pub fn render<T: Tree>(self, tree: T) -> Result<Vec<u8>, Error> {
        let unsupported = |method, media_type| Err(Error::Unsupported { class: ruby_class(&tree), method, media_type });
        let mut out = match self {
            RenderAs::Yaml => yaml(tree)?.into_bytes(),
            RenderAs::Json | RenderAs::RichDataJson => json::json(tree)?.into_bytes(),
            RenderAs::S => text::s(tree),
            RenderAs::Pson => json::pson(tree),
            RenderAs::Console => text::console(tree)?,
            RenderAs::Flat => text::flat(tree)?,
            RenderAs::Binary => return unsupported("to_binary", "application/octet-stream"),
            RenderAs::Msgpack => return unsupported("to_msgpack", "application/x-msgpack"),
            RenderAs::RichDataMsgpack => return unsupported("to_msgpack", "application/vnd.puppet.rich+msgpack"),
            RenderAs::Dot => return unsupported("to_dot", "text/dot"),
        };
        if out.last() != Some(&b'\n') {
            out.push(b'\n');
        }
        Ok(out)
    }
}

fn ruby_class<T: Tree>(tree: &T) -> &'static str {
    match tree.view() {
        View::Scalar(scalar) => scalar.ruby_class(),
        View::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
        View::Array(_) => "Array",
        View::Hash(_) => "Hash",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic_value::Value;

    fn message(format: &str, value: Value) -> String {
        match format.parse::<RenderAs>().and_then(|format| format.render(&value)) {
            Ok(out) => format!("{:?}", String::from_utf8_lossy(&out)),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_flag_ignores_case() {
        assert_eq!("YaML".parse(), Ok(RenderAs::Yaml));
        assert_eq!(message("X", Value::Undef), "Unknown rendering format 'x'");
        assert_eq!(message("", Value::Undef), "Unknown rendering format ''");
    }

    #[test]
    fn formats_that_values_do_not_support() {
        for (format, value, text) in [
            (
                "binary",
                Value::from("x"),
                "String does not respond to to_binary; can not render instances to application/octet-stream",
            ),
            (
                "msgpack",
                Value::Undef,
                "NilClass does not respond to to_msgpack; can not render instances to application/x-msgpack",
            ),
            ("dot", Value::from(vec![]), "Array does not respond to to_dot; can not render instances to text/dot"),
            (
                "dot",
                Value::sensitive(Value::from("pw")),
                "Puppet::Pops::Types::PSensitiveType::Sensitive does not respond to to_dot; can not render instances to text/dot",
            ),
        ] {
            assert_eq!(message(format, value), text);
        }
    }

    #[test]
    fn a_newline_is_added_where_it_is_missing() {
        assert_eq!(message("s", Value::from("a")), r#""a\n""#);
        assert_eq!(message("s", Value::from("a\n")), r#""a\n""#);
        assert_eq!(message("s", Value::Undef), r#""\n""#);
        assert_eq!(message("console", Value::from(vec![])), r#""\n""#);
        assert_eq!(message("yaml", Value::from("a")), r#""--- a\n""#);
    }
}
