//! Unsupported functions of the reference, each with the reason.

use crate::ExpressionError;
use crate::datum::Datum;
use crate::host::Host;
use crate::scope::Scope;

/// Declares unsupported functions, each with the reason for its error.
macro_rules! missing {
    ($($name:ident: $why:literal, $help:literal;)*) => {$(
        pub(super) fn $name(_: &dyn Host, _: &Datum, _: &mut Scope) -> Result<Datum, ExpressionError> {
            let name = stringify!($name);
            Err(ExpressionError::new(format!("the function '{name}' is not available: {}", $why)).help($help))
        }
    )*};
}

missing! {
    generate_string: "it creates random strings, but evaluation is deterministic", "pass the string in a variable";
    tempfile: "it writes a file, but evaluation cannot write files", "use the string itself";
    python: "it runs Python code", "use expressions or a template instead";
    get_artifact: "artifacts are part of a deployment", "pass its result in a variable";
    container_image: "images are part of a deployment", "write the name of the image as a string";
    get_ensemble_metadata: "an ensemble is part of a deployment", "pass its result in a variable";
    external: "imports are part of a deployment", "pass its result in a variable";
    local: "local values are part of a deployment's context", "pass the value in a variable";
    secret: "secrets are part of a deployment's context", "pass the value in a variable and mark it with 'sensitive'";
}
