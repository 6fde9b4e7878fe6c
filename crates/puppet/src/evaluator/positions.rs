//! Adds positions to errors: the expression and its line.

use hieratic_functions::{Fault, FaultKind, Flow, Site};
use hieratic_syntax::ast::Expr;
use hieratic_syntax::label;

use super::Evaluator;

/// The reference's prefix of error messages of evaluation.
pub(crate) const EVALUATION: &str = "Evaluation Error: ";

/// Makes an error that is reported at the place of use ([`FaultKind::Outer`]) an error of the current call.
pub(crate) fn at_call_site(flow: Flow) -> Flow {
    match flow {
        Flow::Fault(mut fault) if fault.kind == FaultKind::Outer => {
            fault.kind = FaultKind::Call;
            Flow::Fault(fault)
        }
        other => other,
    }
}

impl Evaluator<'_> {
    /// Returns the position of a byte in the running code.
    pub(crate) fn site_at(&self, at: u32) -> Site {
        Site::of(&self.source, at as usize)
    }

    /// Returns the position of an expression for messages.
    pub(crate) fn site_of(&self, expr: &Expr) -> Site {
        self.site_at(expr.at)
    }

    /// Creates an error about an expression that violates a rule of the language.
    pub(crate) fn fail(&self, expr: &Expr, message: impl Into<String>) -> Flow {
        self.fail_with_help(expr, message, None)
    }

    /// Like [`Evaluator::fail`], with a help line.
    pub(crate) fn fail_with_help(&self, expr: &Expr, message: impl Into<String>, help: Option<String>) -> Flow {
        let mut fault = Fault::rule(format!("{EVALUATION}{}", message.into()));
        fault.site = Some(self.site_of(expr));
        fault.help = help.map(Into::into);
        fault.into()
    }

    /// Sets the position of an error without one to that of its expression.
    #[cold]
    pub(crate) fn locate(&self, mut fault: Fault, expr: &Expr) -> Flow {
        match fault.kind {
            FaultKind::Outer => {}
            FaultKind::Raw => fault.site = Some(Site::default()),
            FaultKind::Rule => {
                fault.message = format!("{EVALUATION}{}", fault.message);
                fault.site = Some(self.site_of(expr));
            }
            FaultKind::Call => {
                let label = label::with_article(expr);
                fault.message = format!("{EVALUATION}Error while evaluating {label}, {}", fault.message);
                fault.site = Some(self.site_of(expr));
            }
        }
        fault.into()
    }
}
