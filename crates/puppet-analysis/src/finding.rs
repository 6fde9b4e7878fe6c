//! [`Finding`]: a mistake in code, and [`Check`]: a kind of mistake.

use hieratic_diagnostics::{Severity, Source, Span};

/// A kind of mistake. Its id is the code of its findings.
#[derive(Debug, PartialEq, Eq)]
pub struct Check {
    /// The id.
    pub id: &'static str,
    /// The severity of its findings, unless a finding has another one.
    pub severity: Severity,
}

/// A mistake in code.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The kind of mistake.
    pub check: &'static Check,
    /// The span in the analyzed file.
    pub span: Span,
    /// The severity.
    pub severity: Severity,
    /// The message.
    pub message: String,
    /// The help: what to try.
    pub help: Option<String>,
    /// Other positions that explain the finding.
    pub related: Vec<Related>,
    /// The fix.
    pub fix: Option<Fix>,
}

/// A position that explains a finding.
#[derive(Clone, Debug)]
pub struct Related {
    /// The file.
    pub source: Source,
    /// The span.
    pub span: Span,
    /// The explanation.
    pub text: String,
}

/// Edits that fix a finding. They are applied together.
#[derive(Clone, Debug)]
pub struct Fix {
    /// The title of the action in an editor.
    pub title: String,
    /// The edits of the analyzed file.
    pub edits: Vec<Edit>,
    /// Whether the fix can be applied without a decision.
    pub is_safe: bool,
}

/// The replacement of a part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The span.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

impl Finding {
    pub(crate) fn new(check: &'static Check, span: Span, message: impl Into<String>) -> Finding {
        let message = message.into();
        Finding { check, span, severity: check.severity, message, help: None, related: Vec::new(), fix: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn with_severity(mut self, severity: Severity) -> Finding {
        self.severity = severity;
        self
    }

    pub(crate) fn related(mut self, source: &Source, span: Span, text: impl Into<String>) -> Finding {
        self.related.push(Related { source: source.clone(), span, text: text.into() });
        self
    }

    /// Adds a suggestion of the nearest of some names, and the edit that applies it to the span of the name. A name that
    /// resembles another one may still be meant: the edit is not safe.
    pub(crate) fn suggest<'n>(self, word: &str, at: Option<Span>, names: impl IntoIterator<Item = &'n str>) -> Finding {
        let Some(near) = hieratic_diagnostics::nearest(word, names) else { return self };
        let near = near.to_owned();
        let finding = self.help(format!("did you mean '{near}'?"));
        match at {
            Some(span) => finding.fix(format!("Change to '{near}'"), span, near, false),
            None => finding,
        }
    }

    /// The name that an edit suggests.
    pub(crate) fn suggestion(&self) -> Option<&str> {
        self.fix.as_ref()?.edits.first().map(|edit| &*edit.text)
    }

    pub(crate) fn fix(mut self, title: String, span: Span, text: String, is_safe: bool) -> Finding {
        self.fix = Some(Fix { title, edits: vec![Edit { span, text }], is_safe });
        self
    }
}

macro_rules! checks {
    ($($name:ident = $id:literal, $severity:ident, $title:literal;)*) => {
        $(#[doc = $title] pub(crate) static $name: Check = Check { id: $id, severity: Severity::$severity };)*

        /// All kinds of mistakes.
        pub static ALL: &[&Check] = &[$(&$name),*];
    };
}

checks! {
    UNDEFINED_FUNCTION = "undefined-function", Error, "A function does not exist.";
    UNDEFINED_RESOURCE_TYPE = "undefined-resource-type", Error, "A resource type does not exist.";
    UNKNOWN_CLASS = "unknown-class", Error, "A class does not exist.";
    UNDEFINED_TYPE = "undefined-type", Error, "A data type does not exist.";
    UNSET_VARIABLE = "unset-variable", Warning, "Nothing sets a variable.";
    UNDEFINED_FACT = "undefined-fact", Warning, "A part of a fact does not exist.";
    REASSIGNED_VARIABLE = "reassigned-variable", Error, "A variable is set a second time.";
    UNKNOWN_ATTRIBUTE = "unknown-attribute", Error, "A resource has no such attribute.";
    MISSING_ATTRIBUTE = "missing-attribute", Error, "A resource lacks an attribute.";
    REPEATED_ATTRIBUTE = "repeated-attribute", Error, "An attribute is set twice.";
    ATTRIBUTE_TYPE = "attribute-type", Error, "A value does not match the type of its parameter.";
    ATTRIBUTE_VALUE = "attribute-value", Error, "A resource type does not allow a value.";
    DUPLICATE_RESOURCE = "duplicate-resource", Error, "A resource is declared twice.";
    UNDEFINED_RESOURCE = "undefined-resource", Error, "A reference names a resource that nothing declares.";
    EPP_PARAMETER = "epp-parameter", Error, "A template gets other parameters than it has.";
    MISSING_FILE = "missing-file", Error, "A file of a module does not exist.";
    ARGUMENT_TYPE = "argument-type", Error, "A function does not accept its arguments.";
    OPERAND_TYPE = "operand-type", Error, "An operator does not accept its operands.";
    MISPLACED_RETURN = "misplaced-return", Error, "`next`, `break` or `return` has nothing to leave.";
    RETURN_TYPE = "return-type", Error, "A function returns a value of another type.";
    CONSTANT_CONDITION = "constant-condition", Warning, "A condition always has the same result.";
    UNREACHABLE_CODE = "unreachable-code", Warning, "Code is never run.";
    UNUSED_RESULT = "unused-result", Warning, "A result is not used.";
    INCOMPLETE_CASE = "incomplete-case", Warning, "A value of an Enum has no branch.";
}
