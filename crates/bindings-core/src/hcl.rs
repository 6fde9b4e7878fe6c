//! Converts HCL to data: attributes and blocks, with expressions as templates.

use hieratic::diagnostics::Diagnose;
use hieratic::hcl::from_cty;
use hieratic::hcl_eval::syntax::ast::{Expression, ObjectConstructor, Template, UnaryOperator};
use hieratic::hcl_eval::syntax::{Body, Parsed, Source, parse_config};
use hieratic::{Hash, Value};

use crate::error::BindingError;

/// Converts an HCL document to data. Constants become values, an expression becomes `${...}` with its source, and a
/// template keeps its sequences. A block becomes a list, because it can be repeated, below its labels.
///
/// # Errors
/// The document is not HCL.
///
/// ```
/// let data = hieratic_bindings_core::data_of_hcl("service \"web\" { port = var.port }", "web.hcl").unwrap();
/// assert_eq!(data.inspect(), r#"{"service"=>[{"web"=>{"port"=>"${var.port}"}}]}"#);
/// ```
pub fn data_of_hcl(text: &str, name: &str) -> Result<Value, BindingError> {
    let parsed = parse_config(Source::new(name.to_owned(), text.as_bytes().to_vec()));
    if parsed.problems.has_errors() {
        Err(BindingError::from_diagnostics(&parsed.problems.diagnose(), None))
    } else {
        Ok(HclConverter { parsed: &parsed }.body(&parsed.tree))
    }
}

struct HclConverter<'p> {
    parsed: &'p Parsed<Body>,
}

impl HclConverter<'_> {
    fn body(&self, body: &Body) -> Value {
        let mut pairs: Vec<(Value, Value)> = Vec::new();
        let attributes = body.attributes().iter();
        pairs.extend(attributes.map(|one| (Value::from(&*one.name), self.value(&one.expression))));
        let mut blocks: indexmap::IndexMap<&str, Vec<Value>> = indexmap::IndexMap::new();
        for block in &body.blocks {
            let labels = block.labels.iter().rev();
            let value = labels.fold(self.body(&block.body), |inner, label| {
                [(&*label.text, inner)].into_iter().collect::<Hash>().into()
            });
            blocks.entry(&block.kind).or_default().push(value);
        }
        pairs.extend(blocks.into_iter().map(|(kind, values)| (Value::from(kind), Value::from(values))));
        pairs.into_iter().collect::<Hash>().into()
    }

    fn value(&self, expression: &Expression) -> Value {
        match expression {
            Expression::Literal(literal) => from_cty(&literal.value),
            Expression::Template(template) => self.template(template),
            Expression::Tuple(tuple) => tuple.items.iter().map(|item| self.value(item)).collect(),
            Expression::Object(object) => self.object(object),
            Expression::Parentheses(inner) if matches!(inner.expression, Expression::Literal(_)) => {
                self.value(&inner.expression)
            }
            Expression::Unary(operation) if operation.operator == UnaryOperator::Negate => {
                match self.value(&operation.operand) {
                    Value::Integer(number) if is_number(&operation.operand) && number != i64::MIN => (-number).into(),
                    Value::Float(number) if is_number(&operation.operand) => Value::Float(-number),
                    _ => self.sequence(expression),
                }
            }
            // A template that is one sequence is written as such already.
            Expression::TemplateWrap(wrap) => self.sequence(&wrap.wrapped),
            other => self.sequence(other),
        }
    }

    fn template(&self, template: &Template) -> Value {
        let mut text = String::new();
        for part in &template.parts {
            match part {
                Expression::Literal(literal) if literal.value.as_str().is_some() => {
                    text.push_str(&escaped(literal.value.as_str().unwrap_or_default()));
                }
                other => match self.source_text(other) {
                    // The span of a directive includes its signs, that of a sequence only its content.
                    directive if directive.starts_with("%{") => text.push_str(&directive),
                    sequence => text.push_str(&format!("${{{sequence}}}")),
                },
            }
        }
        text.into()
    }

    fn object(&self, object: &ObjectConstructor) -> Value {
        let pairs = object.items.iter().map(|item| {
            let key = match (item.key.literal_name(), &item.key.expression) {
                (Some(name), _) => name.into(),
                (None, Expression::Template(template)) => self.template(template),
                (None, Expression::Literal(literal)) => from_cty(&literal.value).to_text().into(),
                (None, other) => self.sequence(other),
            };
            (key, self.value(&item.value))
        });
        pairs.collect::<Hash>().into()
    }

    /// An expression as a sequence of a template.
    fn sequence(&self, expression: &Expression) -> Value {
        format!("${{{}}}", self.source_text(expression)).into()
    }

    fn source_text(&self, expression: &Expression) -> String {
        self.parsed.source.text(expression.span()).trim().to_owned()
    }
}

fn is_number(expression: &Expression) -> bool {
    matches!(expression, Expression::Literal(literal) if from_cty(&literal.value).as_str().is_none())
}

/// A literal part of a template, written so that no sequence begins in it.
fn escaped(plain: &str) -> String {
    plain.replace("${", "$${").replace("%{", "%%{")
}
