//! Functions without an effect: discontinued ones and those without a use here.

use crate::{Dispatch, EvalError, Function};

pub(super) static FUNCTIONS: [Function; 2] = [
    Function::new(
        "import",
        &[Dispatch {
            parameters: &["Any *args"],
            run: |_| {
                Err(EvalError::rule(
                    "Use of 'import' has been discontinued in favor of a manifest directory. \
                     See http://links.puppet.com/puppet-import-deprecation",
                )
                .into())
            },
        }],
    ),
    Function::new(
        "annotate",
        &[
            Dispatch {
                parameters: &["Type[Annotation] type", "Any value", "&?Callable[0, 0] block"],
                run: no_annotations,
            },
            Dispatch {
                parameters: &[
                    "Type[Annotation] type",
                    "Any value",
                    "Variant[Enum[clear],Hash[Pcore::MemberName,Any]] annotation_hash",
                ],
                run: no_annotations,
            },
            Dispatch {
                parameters: &[
                    "Type[Pcore] type",
                    "Any value",
                    "Hash[Type[Annotation], Hash[Pcore::MemberName,Any]] annotations",
                ],
                run: no_annotations,
            },
        ],
    ),
];

/// Annotation types cannot be defined, so no call reaches this.
fn no_annotations(_call: &mut crate::Call<'_>) -> crate::Outcome {
    Err(EvalError::new("annotate(): annotations are not supported").into())
}
