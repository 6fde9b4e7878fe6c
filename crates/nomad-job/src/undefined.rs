//! Undefined names: they are left for the node that runs the job.
//!
//! `attr.kernel.name` evaluates to the text `${attr.kernel.name}`, both bare and in a template. The text is copied from
//! the source, delimited by braces as in the reference.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/reference/runtime-variable-interpolation>.

use std::borrow::Cow;

/// The length at which braces stop to repeat the text; real ones are as long as a name.
const MAX_LENGTH: usize = 1 << 16;

/// The text that the reference at `start..end` of the source evaluates to.
pub(crate) fn text(source: &[u8], start: usize, end: usize) -> Cow<'_, str> {
    let end = end.min(source.len());
    let start = start.min(end);
    let Some(open) = opening(source, start) else {
        let name = String::from_utf8_lossy(&source[start..end]);
        return Cow::Owned(format!("${{{name}}}"));
    };
    let mut text = source[open..end].to_vec();
    // The first byte after the name is skipped: usually it is the closing brace, and the next byte ends the search.
    // Every further brace repeats everything before it.
    for at in end + 1..source.len() {
        match source[at] {
            b'}' if text.len() > MAX_LENGTH => break,
            b'}' => text.extend_from_slice(&source[end..at]),
            b' ' => {}
            _ => {
                text.push(b'}');
                break;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&text).into_owned())
}

/// The offset of `${`, if only blanks separate it from `start`.
fn opening(source: &[u8], start: usize) -> Option<usize> {
    let mut at = start.checked_sub(1)?;
    // The first byte of a source is not checked.
    while at >= 1 {
        match source[at] {
            b'{' if source[at - 1] == b'$' => return Some(at - 1),
            b' ' => at -= 1,
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str, name: &str) -> String {
        let start = source.find(name).unwrap();
        text(source.as_bytes(), start, start + name.len()).into_owned()
    }

    #[test]
    fn references_include_their_braces() {
        assert_eq!(of("a = attr.x\n", "attr.x"), "${attr.x}");
        assert_eq!(of("a = \"${attr.x}\"\n", "attr.x"), "${attr.x}");
        assert_eq!(of("a = \"${ attr.x }\"\n", "attr.x"), "${ attr.x }");
        assert_eq!(of("a = \"${attr.x", "attr.x"), "${attr.x");
    }

    #[test]
    fn further_braces_repeat_the_text_before_them() {
        assert_eq!(of("\"${ attr.x } } \"", "attr.x"), "${ attr.x  } }");
    }
}
