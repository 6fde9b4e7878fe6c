//! Definitions of nodes
//! (<https://www.puppet.com/docs/puppet/8/lang_node_definitions.html>).

use hieratic_puppet_syntax::ast::{Expr, Node, NodeDefinition};
use hieratic_puppet_syntax::label;
use hieratic_value::Value;

use crate::codes;
use crate::walk::Checker;

impl Checker<'_> {
    pub(super) fn node_definition(&mut self, expr: &Expr, definition: &NodeDefinition) {
        definition.matches.iter().for_each(|host| self.host_name(expr, host));
        self.top_level_rule(expr);
        self.reject_unused_end(expr, &definition.body);
        if let Some(parent) = &definition.parent {
            let message = "Node inheritance is not supported in Puppet >= 4.0.0. See http://links.puppet.com/puppet-node-inheritance-deprecation";
            self.error(codes::ILLEGAL_NODE_INHERITANCE, parent, message);
        }
    }

    /// Checks a matcher of a node definition: a name, `default` or a regular expression.
    fn host_name(&mut self, definition: &Expr, host: &Expr) {
        match &host.node {
            Node::Literal(Value::String(name)) | Node::Name(name) | Node::Reference(name) => {
                if !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')) {
                    let message = format!(
                        "The hostname '{name}' contains illegal characters (only letters, digits, '_', '-', and '.' are allowed)"
                    );
                    self.error(codes::ILLEGAL_HOSTNAME_CHARS, host, message);
                }
            }
            Node::Literal(_) | Node::Integer { .. } | Node::Regexp(_) => {}
            Node::Concatenated(segments) => {
                let interpolated = segments.iter().find_map(|segment| match &segment.node {
                    Node::Text(inner) => Some(&**inner),
                    _ => None,
                });
                let message = "An interpolated expression is not allowed in a hostname of a node";
                self.error(codes::ILLEGAL_HOSTNAME_INTERPOLATION, interpolated.unwrap_or(host), message);
            }
            _ => self.illegal(host, "hostname", &label::with_article(definition)),
        }
    }
}
