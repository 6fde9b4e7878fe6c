//! Resources, their defaults and their attributes
//! (<https://www.puppet.com/docs/puppet/8/lang_resources_advanced.html>).

use hieratic_puppet_syntax::ast::{Expr, Form, Node, Operation, Resource, ResourceBody};

use crate::codes;
use crate::walk::{Checker, ParentKind};

impl Checker<'_> {
    /// Classes cannot be virtual; other types are only known after evaluation.
    pub(super) fn resource_form(&mut self, expr: &Expr, resource: &Resource) {
        let is_class = matches!(&resource.kind.node, Node::Name(name) if &**name == "class");
        if is_class && resource.form != Form::Regular {
            self.error(codes::CLASS_NOT_VIRTUALIZABLE, expr, "Classes are not virtualizable");
        }
    }

    /// Rejects virtual defaults and overrides.
    pub(super) fn regular(&mut self, expr: &Expr, form: Form) {
        if form != Form::Regular {
            self.error(codes::NOT_VIRTUALIZEABLE, expr, "Resource Defaults are not virtualizable");
        }
    }

    /// Checks that a hash of attributes is given at most once.
    pub(crate) fn resource_body_rule(&mut self, body: &ResourceBody) {
        let splats = body.operations.iter().filter(|operation| matches!(operation, Operation::Splat { .. }));
        for again in splats.skip(1) {
            let (Operation::Splat { span, .. } | Operation::Attribute { span, .. }) = again;
            let message = "Unfolding of attributes from Hash can only be used once per resource body";
            self.error_at(codes::MULTIPLE_ATTRIBUTES_UNFOLD, *span, span.start, message);
        }
    }

    /// `+>` adds to an existing value, so there must be one.
    pub(crate) fn operation_rule(&mut self, operation: &Operation) {
        let (Operation::Attribute { value, .. } | Operation::Splat { value, .. }) = operation;
        if let Operation::Attribute { name, append: true, span, .. } = operation {
            let place = match self.path.last() {
                Some(ParentKind::Amendment) => None,
                Some(ParentKind::ResourceDefaults) => Some("a Resource Defaults Expression"),
                _ => Some("a Resource Instance Definition"),
            };
            if let Some(place) = place {
                let message =
                    format!("Illegal +> operation on attribute {name}. This operator can not be used in {place}");
                self.error_at(codes::ILLEGAL_ATTRIBUTE_APPEND, *span, span.start, message);
            }
        }
        self.value_required_rule(value);
    }
}
