//! Evaluation of expressions.
//!
//! Evaluation continues after errors: the value of a failed expression is unknown, and an expression that depends on it
//! is unknown without another message, so that one run reports all errors. Each rule is next to its kind of expression.
//!
//! Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md>.

mod access;
mod call;
mod collections;
mod conditional;
mod expression_functions;
mod operators;
mod splat;
mod template;

use std::sync::Arc;

use hieratic_budget::{Budget, Exhausted};
use hieratic_hcl_syntax::ast::Expression;
use hieratic_hcl_syntax::{Problem, Problems, Severity, Source, Span};
use hieratic_hcl_types::Value;

use crate::{Context, TaintObserver};

/// Evaluates the expressions of one source and collects their problems.
pub(crate) struct Evaluator<'s> {
    pub(crate) source: &'s Arc<Source>,
    pub(crate) problems: Vec<Problem>,
    /// The number of problems that are errors.
    errors: usize,
    /// The elements of the splats that are being evaluated, the innermost last.
    elements: Vec<Value>,
    budget: Budget,
    observer: Option<TaintObserver>,
    /// The steps that are not yet charged to the budget.
    steps: u64,
    /// The exceeded limit, with the position. Once it is set, evaluation stops, and every value is unknown.
    exhausted: Option<(Exhausted, Span)>,
}

/// The number of steps that are charged to the budget at once.
const STEPS_PER_CHARGE: u64 = 64;

/// The bytes of a value that cost one step to traverse.
const BYTES_PER_STEP: u64 = 256;

/// Returns the value of an expression, and its problems.
pub(crate) fn value(source: &Arc<Source>, expression: &Expression, context: &Context<'_>) -> (Value, Problems) {
    let mut evaluator = Evaluator::new(source, context);
    let value = evaluator.value(expression, context);
    let at = expression.span();
    evaluator.charge_with(at, |budget, steps| budget.steps(steps));
    // The caller traverses the result.
    evaluator.charge_traversal(&value, at);
    let Some((limit, at)) = evaluator.exhausted else { return (value, evaluator.problems.into()) };
    let help = limit.help().map_or(String::new(), |help| format!(" To continue, {help}."));
    let detail = format!("This expression, with those before it, does too much: {limit}.{help}");
    evaluator.report_error("Limit reached", detail, at, None);
    (Value::DYNAMIC, evaluator.problems.into())
}

impl<'s> Evaluator<'s> {
    fn new(source: &'s Arc<Source>, context: &Context<'_>) -> Self {
        Self {
            source,
            problems: Vec::new(),
            errors: 0,
            elements: Vec::new(),
            budget: context.budget(),
            observer: context.observer(),
            steps: 0,
            exhausted: None,
        }
    }

    /// Reports a computed value and its operands to the observer.
    fn observe<'v>(&self, of: impl IntoIterator<Item = &'v Value>, result: &Value) {
        if let Some(observer) = &self.observer {
            observer.learns(&of.into_iter().collect::<Vec<_>>(), result);
        }
    }

    /// Charges the budget together with the pending steps, and returns whether it suffices.
    fn charge_with(&mut self, at: Span, action: impl FnOnce(&Budget, u64) -> Result<(), Exhausted>) -> bool {
        let steps = std::mem::take(&mut self.steps);
        if let Err(limit) = action(&self.budget, steps) {
            self.exhausted.get_or_insert((limit, at));
        }
        self.exhausted.is_none()
    }

    /// Charges steps and bytes before they are used, and returns whether the budget suffices.
    fn charge(&mut self, steps: usize, bytes: usize, at: Span) -> bool {
        self.charge_with(at, |budget, more| {
            budget.steps(more.saturating_add(steps as u64))?;
            budget.bytes(bytes)
        })
    }

    /// Charges the traversal of a value, counting shared parts each time that they occur. Returns whether the budget
    /// suffices.
    fn charge_traversal(&mut self, value: &Value, at: Span) -> bool {
        if value.length().is_none() {
            return self.exhausted.is_none();
        }
        let weight = value.expanded_size();
        self.charge_with(at, |budget, steps| {
            let most = budget.limits().bytes;
            if weight > most {
                return Err(Exhausted::Bytes(most));
            }
            budget.steps(steps.saturating_add(weight / BYTES_PER_STEP))
        })
    }

    fn value(&mut self, expression: &Expression, context: &Context<'_>) -> Value {
        self.steps += 1;
        if self.steps >= STEPS_PER_CHARGE {
            self.charge_with(expression.span(), |budget, steps| budget.steps(steps));
        }
        if self.exhausted.is_some() {
            return Value::DYNAMIC;
        }
        match expression {
            Expression::Literal(literal) => literal.value.clone(),
            Expression::Template(template) => self.template(template, context),
            Expression::TemplateWrap(wrap) => self.value(&wrap.wrapped, context),
            Expression::TemplateJoin(join) => self.template_join(join, context),
            Expression::ScopeTraversal(traversal) => self.scope_traversal(traversal, context),
            Expression::RelativeTraversal(traversal) => self.relative_traversal(traversal, context),
            Expression::FunctionCall(call) => self.call(call, context),
            Expression::Conditional(conditional) => self.conditional(conditional, context),
            Expression::Binary(operation) => self.binary(operation, context),
            Expression::Unary(operation) => self.unary(operation, context),
            Expression::Parentheses(parentheses) => self.value(&parentheses.expression, context),
            Expression::Tuple(tuple) => self.tuple(tuple, context),
            Expression::Object(object) => self.object(object, context),
            Expression::For(for_expression) => self.for_expression(for_expression, context),
            Expression::Index(index) => self.index(index, context),
            Expression::Splat(splat) => self.splat(splat, context),
            Expression::Anonymous(_) => self.elements.last().cloned().unwrap_or(Value::DYNAMIC),
            // The parser has reported the error already.
            Expression::Error(_) => Value::DYNAMIC,
        }
    }

    fn report(&mut self, problem: Problem) {
        self.errors += usize::from(problem.severity == Severity::Error);
        self.problems.push(problem);
    }

    fn report_all(&mut self, problems: Problems) {
        for problem in problems.iter() {
            self.report(problem.clone());
        }
    }

    /// Reports an error at a span, with the surrounding span for the excerpt.
    fn report_error(&mut self, summary: &'static str, detail: impl Into<String>, at: Span, within: Option<Span>) {
        let mut problem = Problem::error(summary, detail.into()).at(self.source, at);
        if let Some(span) = within {
            problem = problem.with_context(self.source, span);
        }
        self.report(problem);
    }

    /// Evaluates an expression, and returns its problems instead of reporting them.
    fn capture_problems(&mut self, expression: &Expression, context: &Context<'_>) -> (Value, Vec<Problem>) {
        let (before, errors) = (self.problems.len(), self.errors);
        let value = self.value(expression, context);
        self.errors = errors;
        (value, self.problems.split_off(before))
    }

    fn report_list(&mut self, problems: Vec<Problem>) {
        for problem in problems {
            self.report(problem);
        }
    }
}
