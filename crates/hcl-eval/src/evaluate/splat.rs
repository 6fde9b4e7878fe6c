//! Splats: an expression evaluated for each element.
//!
//! Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#splat-operators>.

use hieratic_hcl_syntax::ast::Splat;
use hieratic_hcl_types::{Type, Value};

use super::Evaluator;
use crate::Context;

impl Evaluator<'_> {
    pub(super) fn splat(&mut self, splat: &Splat, context: &Context<'_>) -> Value {
        let errors = self.errors;
        let source = self.value(&splat.source, context);
        if self.errors > errors {
            return Value::DYNAMIC;
        }
        if let Value::Null(ty) = &source {
            if !matches!(ty, Type::Tuple(_) | Type::List(_) | Type::Set(_)) {
                return Value::tuple(Vec::new());
            }
            let detail = "Splat expressions (with the * symbol) cannot be applied to null sequences.";
            let whole = splat.source.span().to(splat.marker_span);
            self.report_error("Splat of null value", detail, splat.source.span(), Some(whole));
            return Value::DYNAMIC;
        }
        let single;
        let items: &[Value] = match &source {
            Value::Unknown(Type::Dynamic) => return Value::DYNAMIC,
            Value::Unknown(ty @ (Type::Tuple(_) | Type::List(_) | Type::Set(_))) => {
                let ty = self.result_type(splat, ty, context);
                return Value::Unknown(ty);
            }
            // One value that is not known could be null, and so make no element.
            Value::Unknown(ty) => {
                let ty = Type::tuple(vec![ty.clone()]);
                self.result_type(splat, &ty, context);
                return Value::DYNAMIC;
            }
            value => match value.as_slice() {
                Some(items) => items,
                None => {
                    single = [value.clone()];
                    &single
                }
            },
        };
        if !self.charge(items.len(), size_of_val(items), splat.marker_span) {
            return Value::DYNAMIC;
        }
        let errors = self.errors;
        let results: Vec<Value> = items.iter().map(|item| self.each(splat, item.clone(), context)).collect();
        if self.errors > errors {
            let ty = match &source {
                Value::List(_) | Value::Set(_) => source.ty(),
                _ => Type::tuple(items.iter().map(Value::ty).collect()),
            };
            return Value::Unknown(self.quietly(|evaluator| evaluator.result_type(splat, &ty, context)));
        }
        match &source {
            Value::List(_) | Value::Set(_) => {
                let element = match results.first() {
                    Some(first) => first.ty(),
                    None => match self.result_type(splat, &source.ty(), context) {
                        Type::List(element) => (*element).clone(),
                        _ => Type::Dynamic,
                    },
                };
                let element = results.iter().map(Value::ty).find(|ty| *ty != Type::Dynamic).unwrap_or(element);
                if results.iter().map(Value::ty).any(|ty| ty != Type::Dynamic && ty != element) {
                    // Nomad's version of HCL panics here; this is the message of later versions.
                    let detail = "The second level of splat expression produced elements of different types, so it isn't \
                                  possible to construct a valid list to represent the top-level result.\n\nConsider using \
                                  a for expression instead, to produce a tuple-typed result which can therefore have \
                                  non-homogenous element types.";
                    self.report_error("Invalid nested splat expressions", detail, splat.each.span(), Some(splat.span));
                    return Value::DYNAMIC;
                }
                Value::list(element, results)
            }
            _ => Value::tuple(results),
        }
    }

    fn each(&mut self, splat: &Splat, element: Value, context: &Context<'_>) -> Value {
        self.elements.push(element);
        let value = self.value(&splat.each, context);
        self.elements.pop();
        value
    }

    /// The type of the result, given only the type of the elements.
    fn result_type(&mut self, splat: &Splat, source: &Type, context: &Context<'_>) -> Type {
        match source {
            Type::List(element) | Type::Set(element) => {
                Type::list(self.each(splat, Value::Unknown((**element).clone()), context).ty())
            }
            Type::Tuple(elements) => Type::tuple(
                elements
                    .iter()
                    .map(|element| self.each(splat, Value::Unknown(element.clone()), context).ty())
                    .collect(),
            ),
            _ => Type::Dynamic,
        }
    }

    fn quietly<T>(&mut self, action: impl FnOnce(&mut Self) -> T) -> T {
        let (before, errors) = (self.problems.len(), self.errors);
        let result = action(self);
        self.problems.truncate(before);
        self.errors = errors;
        result
    }
}
