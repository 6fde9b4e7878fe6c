//! [`UniqueNames`]: the display names of one hash's keys.
//!
//! Redacted keys would be equal. They are numbered, so that a hash keeps its number of entries.

use hieratic_value::collections::HashMap;
use hieratic_value::text::REDACTED;

/// The display names so far that could collide.
#[derive(Default)]
pub(super) struct UniqueNames(HashMap<String, usize>);

impl UniqueNames {
    /// Returns the display name of a key: the key itself, or with a number if another key of the hash has the same
    /// display name.
    pub(super) fn unique(&mut self, key: String) -> String {
        // Only a redacted key, or one that looks redacted, can equal another redacted one.
        if !key.contains(REDACTED) {
            return key;
        }
        let mut name = key.clone();
        loop {
            if !self.0.contains_key(&name) {
                self.0.insert(name.clone(), 1);
                return name;
            }
            let number = self.0.entry(key.clone()).or_insert(1);
            *number += 1;
            name = format!("{key} ({number})");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_apart() {
        let mut names = UniqueNames::default();
        let second = format!("{REDACTED} (2)");
        let shown = ["a", REDACTED, &second, REDACTED, "a", REDACTED].map(|key| names.unique(key.to_owned()));
        let third = format!("{second} (2)");
        assert_eq!(shown[0], "a");
        assert_eq!(shown[1..4], [REDACTED.to_owned(), second, format!("{REDACTED} (3)")]);
        assert_eq!(shown[5], format!("{REDACTED} (4)"));
        assert_ne!(shown[2], third);
    }

    #[test]
    fn many_equal_keys_cost_linear_work() {
        let mut names = UniqueNames::default();
        let shown: std::collections::BTreeSet<String> = (0..100_000).map(|_| names.unique(REDACTED.into())).collect();
        assert_eq!(shown.len(), 100_000);
    }
}
