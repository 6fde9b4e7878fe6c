//! Type names of ruamel, the reference's YAML parser.

use hieratic_value::{Rich, Value};
use hieratic_yaml_edit::tree::{Content, Node};

/// The name of the type of a value.
pub(crate) fn type_name(node: &Node) -> &'static str {
    match node.content() {
        Content::List(_) => "ruamel.yaml.comments.CommentedSeq",
        Content::Map(_) => "ruamel.yaml.comments.CommentedMap",
        Content::Scalar(Value::Undef) => "NoneType",
        Content::Scalar(Value::Boolean(_)) => "bool",
        Content::Scalar(Value::Float(_)) => "float",
        Content::Scalar(Value::Integer(_)) => "int",
        Content::Scalar(Value::Rich(rich)) => match **rich {
            Rich::BigInteger(_) => "int",
            Rich::Binary(_) => "bytes",
            _ => "str",
        },
        Content::Scalar(_) => "str",
    }
}
