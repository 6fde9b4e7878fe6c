//! Adds positions to errors: the expression and its line.

use hieratic_puppet_functions::{EvalError, EvalErrorKind, Flow, Site};
use hieratic_puppet_syntax::ast::Expr;
use hieratic_puppet_syntax::label;

use super::calls::Calls;

/// The reference's prefix of error messages of evaluation.
pub(crate) const EVALUATION: &str = "Evaluation Error: ";

/// Makes an error that is reported at the place of use ([`EvalErrorKind::Outer`]) an error of the current call.
pub(crate) fn at_call_site(flow: Flow) -> Flow {
    match flow {
        Flow::Error(mut error) if error.kind == EvalErrorKind::Outer => {
            error.kind = EvalErrorKind::Call;
            Flow::Error(error)
        }
        other => other,
    }
}

impl Calls {
    /// Returns the position of a byte in the running code.
    pub(crate) fn site_at(&self, at: u32) -> Site {
        Site::at(self.source(), at as usize)
    }

    /// Returns the position of an expression for messages.
    pub(crate) fn site_of(&self, expr: &Expr) -> Site {
        self.site_at(expr.at)
    }

    /// Creates an error about an expression that violates a rule of the language.
    pub(crate) fn fail(&self, expr: &Expr, message: impl Into<String>) -> Flow {
        self.fail_with_help(expr, message, None)
    }

    /// Like [`Calls::fail`], with a help line.
    pub(crate) fn fail_with_help(&self, expr: &Expr, message: impl Into<String>, help: Option<String>) -> Flow {
        let mut error = EvalError::rule(format!("{EVALUATION}{}", message.into()));
        error.site = Some(self.site_of(expr));
        error.help = help.map(Into::into);
        error.into()
    }

    /// Sets the position of an error without one to that of its expression.
    #[cold]
    pub(crate) fn locate(&self, mut error: EvalError, expr: &Expr) -> Flow {
        match error.kind {
            EvalErrorKind::Outer => {}
            EvalErrorKind::Raw => error.site = Some(Site::default()),
            EvalErrorKind::Rule => {
                error.message = format!("{EVALUATION}{}", error.message);
                error.site = Some(self.site_of(expr));
            }
            EvalErrorKind::Call => {
                let label = label::with_article(expr);
                error.message = format!("{EVALUATION}Error while evaluating {label}, {}", error.message);
                error.site = Some(self.site_of(expr));
            }
        }
        error.into()
    }
}
