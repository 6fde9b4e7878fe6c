//! [`Keys`]: an interner, so that a repeated key is one string in memory.

use std::hash::Hasher;

use hieratic_value::Str;
use hieratic_value::collections::FixedHasher;

const SLOTS: usize = 1024;
const LONGEST: usize = 64;

/// A cache of recent strings, each in the one slot of its hash.
///
/// It has a fixed size: a file with a million different keys costs no more than one with ten.
pub(super) struct Keys {
    slots: Vec<Option<Str>>,
}

impl Keys {
    pub fn new() -> Self {
        Keys { slots: vec![None; SLOTS] }
    }

    /// Returns the string, shared with an earlier one if possible.
    pub fn share(&mut self, text: &str) -> Str {
        if text.len() > LONGEST {
            return text.into();
        }
        let mut hasher = FixedHasher::default();
        hasher.write(text.as_bytes());
        // There are as many slots as the modulus.
        let slot = &mut self.slots[(hasher.finish() >> 20) as usize % SLOTS];
        match slot {
            Some(seen) if **seen == *text => seen.clone(),
            _ => slot.insert(text.into()).clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_one_string() {
        let mut keys = Keys::new();
        let (first, second) = (keys.share("ensure"), keys.share("ensure"));
        assert!(Str::ptr_eq(&first, &second));
        assert_eq!(&*keys.share("other"), "other");
    }
}
