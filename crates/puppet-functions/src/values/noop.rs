//! Functions without an effect: discontinued ones and those without a use here.

use crate::{Dispatch, Doc, EvalError, Function};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "import",
        Doc::new("Always an error: a manifest directory has replaced it."),
        &[Dispatch::new(&["Any *args"], |_| {
            Err(EvalError::rule(
                "Use of 'import' has been discontinued in favor of a manifest directory. \
                     See http://links.puppet.com/puppet-import-deprecation",
            )
            .into())
        })],
    ),
    Function::new(
        "annotate",
        Doc::new("Returns or sets the annotations of a value, of which there are none here."),
        &[
            Dispatch::new(&["Type[Annotation] type", "Any value", "&?Callable[0, 0] block"], no_annotations),
            Dispatch::new(
                &[
                    "Type[Annotation] type",
                    "Any value",
                    "Variant[Enum[clear],Hash[Pcore::MemberName,Any]] annotation_hash",
                ],
                no_annotations,
            ),
            Dispatch::new(
                &["Type[Pcore] type", "Any value", "Hash[Type[Annotation], Hash[Pcore::MemberName,Any]] annotations"],
                no_annotations,
            ),
        ],
    ),
];

/// Annotation types cannot be defined, so no call reaches this.
fn no_annotations(_call: &mut crate::Call<'_>) -> crate::Outcome {
    Err(EvalError::new("annotate(): annotations are not supported").into())
}
