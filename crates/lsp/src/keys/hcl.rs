//! Keys and values of HCL as data of Hiera: attributes are keys, blocks are maps below their types and labels.

use hieratic_hcl_syntax::Body;
use hieratic_hcl_syntax::Span;
use hieratic_hcl_syntax::ast::Expression;

use super::{KeyNode, Keys, Name, Value};

/// The maximum nesting depth of blocks and objects.
const MAX_DEPTH: usize = 60;

/// The keys and values of a body.
pub(super) fn read(body: &Body, text: &str, is_whole: bool) -> Keys {
    let mut reader = Reader { text, keys: Keys { nodes: Vec::new(), is_whole } };
    let root = reader.add(None, Name::Root, Value::Map(true), Span::new(0, text.len()));
    reader.body(body, root, 1);
    reader.keys
}

struct Reader<'t> {
    text: &'t str,
    keys: Keys,
}

impl Reader<'_> {
    fn add(&mut self, parent: Option<usize>, name: Name, value: Value, span: Span) -> usize {
        self.keys.nodes.push(KeyNode { parent, name, value, span, anchor: None });
        self.keys.nodes.len() - 1
    }

    fn body(&mut self, body: &Body, parent: usize, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for attribute in body.attributes() {
            let name = Name::Key(attribute.name.to_string(), attribute.name_span);
            self.expression(&attribute.expression, parent, name, depth);
        }
        for block in &body.blocks {
            let whole = block.span();
            let mut outer = parent;
            let names = std::iter::once((block.kind.to_string(), block.kind_span))
                .chain(block.labels.iter().map(|label| (label.text.to_string(), label.span)));
            for (name, at) in names {
                let span = Span { start: at.end, end: whole.end.max(at.end) };
                outer = self.add(Some(outer), Name::Key(name, at), Value::Map(true), span);
            }
            self.body(&block.body, outer, depth + 1);
        }
    }

    fn expression(&mut self, expression: &Expression, parent: usize, name: Name, depth: usize) {
        let span = expression.span();
        let written = self.text.get(span.range()).unwrap_or_default();
        match expression {
            _ if depth > MAX_DEPTH => {}
            Expression::Object(object) => {
                let node = self.add(Some(parent), name, Value::Map(true), span);
                for item in &object.items {
                    let at = item.key.expression.span();
                    let key = self.text.get(at.range()).unwrap_or_default().trim_matches('"').to_owned();
                    self.expression(&item.value, node, Name::Key(key, at), depth + 1);
                }
            }
            Expression::Tuple(tuple) => {
                let node = self.add(Some(parent), name, Value::List(true), span);
                for (number, item) in tuple.items.iter().enumerate() {
                    self.expression(item, node, Name::Element(number), depth + 1);
                }
            }
            Expression::Template(_) => {
                let text = written.trim_matches('"').to_owned();
                self.add(Some(parent), name, Value::Scalar(text, true), span);
            }
            _ => {
                let text = written.to_owned();
                self.add(Some(parent), name, Value::Scalar(text, false), span);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_blocks_are_keys() {
        let text = "port = 80\nweb \"a\" {\n  names = [\"x\", { y = 1 }]\n}\n";
        let source = hieratic_hcl_syntax::Source::new("a.hcl", text.as_bytes());
        let keys = read(&hieratic_hcl_syntax::parse_config(source).tree, text, true);
        let leaves: Vec<(String, &str)> = keys
            .nodes()
            .iter()
            .enumerate()
            .filter(|(_, node)| matches!(node.value, Value::Scalar(..)))
            .map(|(index, node)| (keys.path(index).join("/"), &text[node.span.range()]))
            .collect();
        let expected = [("port", "80"), ("web/a/names/0", "\"x\""), ("web/a/names/1/y", "1")];
        assert_eq!(leaves, expected.map(|(path, text)| (path.to_owned(), text)));
        assert_eq!(keys.top().map(|(_, key, ..)| key).collect::<Vec<_>>(), ["port", "web"]);
    }
}
