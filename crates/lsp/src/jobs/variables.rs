//! Variables and locals of a job: their declarations and uses.

use hieratic::hcl_eval::references_in_body;
use hieratic_hcl_syntax::Span;
use hieratic_hcl_syntax::ast::Step;

use super::structure::within_quotes;
use crate::document::Document;

/// A variable or a local.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JobValue {
    pub(super) kind: JobValueKind,
    pub(super) name: String,
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobValueKind {
    Variable,
    Local,
}

impl JobValueKind {
    fn from_root(root: &str) -> Option<JobValueKind> {
        match root {
            "var" => Some(JobValueKind::Variable),
            "local" => Some(JobValueKind::Local),
            _ => None,
        }
    }

    /// The kind in words.
    pub(super) fn word(self) -> &'static str {
        match self {
            JobValueKind::Variable => "variable",
            JobValueKind::Local => "local",
        }
    }
}

/// A reference: `var.name`, `local["name"]`.
#[derive(Debug)]
pub(super) struct ValueReference {
    pub(super) value: JobValue,
    /// The root and the first step.
    pub(super) span: Span,
    /// The name.
    pub(super) name_span: Span,
}

/// The declaration of a variable or a local.
#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) value: JobValue,
    /// All of it.
    pub(super) span: Span,
    /// The label of a block, with its quotes, or the name of an attribute.
    pub(super) label: Span,
}

impl Declaration {
    /// The name, without quotes.
    pub(super) fn name_span(&self, document: &Document) -> Span {
        within_quotes(document, self.label)
    }
}

/// All references in a document, in its order.
pub(super) fn references(document: &Document) -> Vec<ValueReference> {
    let parsed = document.hcl();
    let references = references_in_body(&parsed.source, &parsed.tree);
    let found = references.iter().filter_map(|one| {
        let kind = JobValueKind::from_root(&one.root)?;
        let first = one.steps.first()?;
        let (name, name_span) = match first {
            Step::Attribute { name, span } => (name.to_string(), Span::new(span.first() + 1, span.behind())),
            Step::Index { key, span } => {
                let inside = Span::new(span.first() + 1, span.behind().saturating_sub(1).max(span.first() + 1));
                (key.as_str()?.to_owned(), within_quotes(document, inside))
            }
        };
        // The root is in front of the first step, on the same line or not.
        let before = document.text.get(..first.span().first())?;
        let start = before.trim_end().strip_suffix(&*one.root)?.len();
        let span = Span::new(start, first.span().behind());
        Some(ValueReference { value: JobValue { kind, name }, span, name_span })
    });
    found.collect()
}

/// All declarations in a document.
pub(super) fn declarations(document: &Document) -> Vec<Declaration> {
    let mut found = Vec::new();
    for block in &document.hcl().tree.blocks {
        let kind = match &*block.kind {
            "variable" => {
                let declaration = block.labels.first().map(|label| Declaration {
                    value: JobValue { kind: JobValueKind::Variable, name: label.text.to_string() },
                    span: block.span(),
                    label: label.span,
                });
                found.extend(declaration);
                continue;
            }
            "variables" => JobValueKind::Variable,
            "locals" => JobValueKind::Local,
            _ => continue,
        };
        found.extend(block.body.attributes().iter().map(|one| Declaration {
            value: JobValue { kind, name: one.name.to_string() },
            span: one.span,
            label: one.name_span,
        }));
    }
    found
}

/// The variable or local that is named or declared at an offset, and the span of its name.
pub(super) fn at(document: &Document, offset: usize) -> Option<(JobValue, Span)> {
    let reference = references(document).into_iter().find(|one| one.span.touches(offset));
    if let Some(one) = reference {
        return Some((one.value, one.name_span));
    }
    let declared = declarations(document).into_iter().find(|one| one.label.touches(offset))?;
    let span = declared.name_span(document);
    Some((declared.value, span))
}

/// The declaration of the variable or local that is named at an offset.
pub(super) fn hover(document: &Document, offset: usize) -> Option<(String, Span)> {
    let reference = references(document).into_iter().find(|one| one.span.touches(offset))?;
    let declared = declarations(document).into_iter().find(|one| one.value == reference.value)?;
    let text = document.slice(declared.span).replace("```", "'''");
    Some((format!("```hcl\n{text}\n```"), reference.span))
}

/// The span of the name in the declaration of the variable or local that is named at an offset.
pub(super) fn definition(document: &Document, offset: usize) -> Option<Span> {
    let reference = references(document).into_iter().find(|one| one.span.touches(offset))?;
    let declared = declarations(document).into_iter().find(|one| one.value == reference.value)?;
    Some(declared.label)
}
