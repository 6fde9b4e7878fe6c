//! The maximum size of types. Without it, types with shared parts could become exponentially large with little input.

use crate::types::Type;

/// The maximum nesting depth of a type.
const MAX_DEPTH: usize = 250;

/// The maximum number of parts of a type. Shared parts count once for each occurrence.
const MAX_PARTS: usize = 100_000;

/// Rejects a type that could not be compared or written in bounded time and stack.
pub(crate) fn check(kind: &Type) -> Result<(), String> {
    fn fits(kind: &Type, depth: usize, left: &mut usize) -> bool {
        if depth == 0 || *left == 0 {
            return false;
        }
        *left -= 1;
        let mut all = true;
        match kind {
            Type::Alias(alias) if alias.is_recursive() => {}
            Type::Alias(alias) => all = fits(alias.resolved(), depth - 1, left),
            other => other.for_each_part(&mut |part| all = all && fits(part, depth - 1, left)),
        }
        all
    }
    if fits(kind, MAX_DEPTH, &mut MAX_PARTS.clone()) {
        Ok(())
    } else {
        Err("The type is too large or nested too deep".into())
    }
}
