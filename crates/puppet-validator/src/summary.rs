//! Selects the problems that are logged, and the error with which parsing fails.

use hieratic_diagnostics::Severity;
use hieratic_puppet_syntax::codes::HEREDOC_CODE;
use hieratic_puppet_syntax::{Problem, ProgramError};

use crate::codes;

/// The maximum number of logged problems of each kind; see the settings
/// [`max_errors`](https://www.puppet.com/docs/puppet/8/configuration.html#max-errors), `max_warnings` and
/// `max_deprecations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of errors.
    pub errors: usize,
    /// The maximum number of warnings.
    pub warnings: usize,
    /// The maximum number of deprecation warnings. It is 0 if they are disabled.
    pub deprecations: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { errors: 10, warnings: 10, deprecations: 10 }
    }
}

/// The reported problems of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary<'p> {
    /// The logged problems, in this order: warnings, then errors if there are several.
    pub logged: Vec<&'p Problem>,
    /// The error of the source. `None` if there are only warnings.
    pub failure: Option<ProgramError>,
}

/// Selects the problems of [`validate`](crate::validate) that the reference logs. (Problems of the parser are excluded:
/// it logs warnings at once, and stops at the first error.)
///
/// ```
/// use hieratic_puppet_validator::{Limits, Options, summary, validate};
/// use hieratic_diagnostics::Source;
/// use hieratic_puppet_syntax::parse;
///
/// let program = parse(&Source::new("", "$a += 1\n2 = 3"), &Default::default()).program.unwrap();
/// let problems = validate(&program, &Options::default());
/// let summary = summary(&problems, &Limits::default());
/// assert_eq!(summary.logged.len(), 2);
/// assert_eq!(summary.failure.unwrap().message(), "Language validation logged 2 errors. Giving up");
/// ```
pub fn summary<'p>(problems: &'p [Problem], limits: &Limits) -> Summary<'p> {
    let (errors, warnings): (Vec<_>, Vec<_>) = problems.iter().partition(|problem| problem.severity == Severity::Error);
    let mut logged = logged_warnings(&warnings, limits);
    let failure = match errors[..] {
        [] => None,
        [first, ..] if errors.len() == 1 || limits.errors <= 1 => Some(ProgramError::One((*first).clone())),
        _ => {
            let reported = &errors[..errors.len().min(limits.errors)];
            logged.extend(reported);
            let errors = errors.len();
            // Warnings within heredocs were counted there.
            let warnings = warnings.iter().filter(|problem| problem.issue != HEREDOC_CODE).count();
            let message = match warnings {
                0 => format!("Language validation logged {errors} errors. Giving up"),
                warnings => {
                    format!("Language validation logged {errors} errors, and {warnings} warnings. Giving up")
                }
            };
            Some(ProgramError::Several { message, logged: reported.iter().map(|problem| (*problem).clone()).collect() })
        }
    };
    Summary { logged, failure }
}

fn logged_warnings<'p>(warnings: &[&'p Problem], limits: &Limits) -> Vec<&'p Problem> {
    let (mut plain, mut deprecations) = (0, 0);
    let mut logged = Vec::new();
    for problem in warnings {
        let (seen, limit) = match problem.issue {
            codes::FUTURE_RESERVED_WORD => (&mut deprecations, limits.deprecations),
            _ => (&mut plain, limits.warnings),
        };
        if *seen < limit {
            logged.push(*problem);
        }
        *seen += 1;
    }
    logged
}

#[cfg(test)]
mod tests {
    use hieratic_diagnostics::{Code, Span};

    use super::*;

    fn some(issue: &'static str, count: usize) -> Vec<Problem> {
        let code = Code::new(issue, "");
        let make = |number| match issue {
            "error" => Problem::error(code, format!("{issue} {number}"), Span::default()),
            _ => Problem::warning(code, format!("{issue} {number}"), Span::default()),
        };
        (1..=count).map(make).collect()
    }

    fn messages(problems: &[Problem], limits: &Limits) -> (Vec<String>, Option<String>) {
        let summary = summary(problems, limits);
        let logged = summary.logged.iter().map(|problem| problem.message.clone()).collect();
        (logged, summary.failure.map(|failure| failure.message().to_owned()))
    }

    #[test]
    fn a_single_error_is_not_logged() {
        let problems = [some("duplicate-key", 1), some("error", 1)].concat();
        let expected = (vec!["duplicate-key 1".to_owned()], Some("error 1".to_owned()));
        assert_eq!(messages(&problems, &Limits::default()), expected);
        assert_eq!(messages(&[], &Limits::default()), (vec![], None));
    }

    #[test]
    fn several_are_counted_and_only_some_logged() {
        let problems = [some("error", 12), some("duplicate-key", 3), some("future-reserved-word", 2)].concat();
        let limits = Limits { errors: 2, warnings: 1, deprecations: 0 };
        let (logged, failure) = messages(&problems, &limits);
        assert_eq!(logged, ["duplicate-key 1", "error 1", "error 2"]);
        let message = "Language validation logged 12 errors, and 5 warnings. Giving up";
        assert_eq!(failure.as_deref(), Some(message));
        let (logged, failure) = messages(&some("error", 11), &Limits::default());
        assert_eq!((logged.len(), failure.as_deref()), (10, Some("Language validation logged 11 errors. Giving up")));
        let (logged, failure) = messages(&some("error", 3), &Limits { errors: 1, ..Limits::default() });
        assert_eq!((logged.len(), failure.as_deref()), (0, Some("error 1")));
    }
}
