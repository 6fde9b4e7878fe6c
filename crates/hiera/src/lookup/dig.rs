//! Follows the path of a key into the value of its root.

use hieratic_value::Str;

use super::evaluator::Evaluator;
use super::mode::Mode;
use crate::Error;
use crate::codes;
use crate::datum::{Datum, Step};
use crate::explain::{Event, StepKind};
use crate::key::{Key, Segment};

impl<M: Mode> Evaluator<'_, M> {
    /// Follows the key's path into a value.
    pub(super) fn dig(&mut self, key: &Key, found: M::V) -> Result<Option<M::V>, Error> {
        if key.segments().is_empty() {
            return Ok(Some(found));
        }
        self.sub_lookup(key.text(), key.segments(), found)
    }

    /// Follows a path into a value; `key` is what messages name.
    pub(super) fn sub_lookup(
        &mut self,
        key: &str,
        segments: &[Segment],
        mut value: M::V,
    ) -> Result<Option<M::V>, Error> {
        self.explained(
            || StepKind::SubLookup { segments: segments.into() },
            |this| {
                for segment in segments {
                    this.budget().step()?;
                    if this.is_oblivious() && value.is_hidden() {
                        // Which parts a secret has is part of it.
                        return Ok(Some(value.marked_secret()));
                    }
                    let name = || Str::from(segment.to_string());
                    let next = this.explained(
                        || StepKind::Segment,
                        |this| match value.step(segment) {
                            Step::Found(found) => {
                                this.mode.found(Event::Found, name, &found);
                                Ok(Some(found))
                            }
                            Step::Missing => {
                                this.mode.not_found(name);
                                Ok(None)
                            }
                            Step::NoKeys(class) => Err(Error::lookup(
                                codes::KEY_PATH,
                                format!(
                                    "Data Provider type mismatch: Got {class} when a hash-like object was expected \
                                     to access value using '{segment}' from key '{key}'"
                                ),
                            )
                            .help(format!("the value has no such element; {}", quote_the_dot(key)))),
                            Step::Error(message) => Err(Error::fatal(codes::KEY_PATH, message).help(format!(
                                "'{segment}' selects an element of a number, which has none; {}",
                                quote_the_dot(key)
                            ))),
                        },
                    )?;
                    match next {
                        Some(found) => value = found,
                        None => return Ok(None),
                    }
                }
                Ok(Some(value))
            },
        )
    }
}

/// Returns the advice for a dot that belongs to the key's name.
fn quote_the_dot(key: &str) -> String {
    let example = if key.contains(['\'', '"']) { "a.b" } else { key };
    format!("if the dot belongs to the name, quote it: `'{example}'`")
}
