//! [`Suggestions`]: searches for similar names, within a budget that keeps the search cheaper than the check.

/// The number of unknown names that may still be compared with all known ones.
pub(crate) struct Suggestions {
    left: usize,
}

impl Suggestions {
    /// The most comparisons of two names in all.
    const COMPARISONS: usize = 10_000_000;
    /// For how many names of a file the nearest is looked for in every case.
    const ALWAYS: usize = 5;

    /// The number of suggestions that the budget for comparing names allows.
    pub(crate) fn among(known: usize) -> Suggestions {
        Suggestions { left: Suggestions::COMPARISONS / known.max(1) }
    }

    /// A share of them, never none. Each file gets its own, so that its findings do not depend on files that are
    /// checked at the same time.
    pub(crate) fn share(self, part: usize, whole: usize) -> Suggestions {
        let share = self.left as u128 * part as u128 / whole.max(1) as u128;
        Suggestions { left: Suggestions::ALWAYS.saturating_add(usize::try_from(share).unwrap_or(usize::MAX)) }
    }

    /// The nearest of the names that are known, while there are suggestions left.
    pub(crate) fn nearest<'a>(&mut self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        self.left = self.left.checked_sub(1)?;
        hieratic_diagnostics::nearest(name, known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_bounded_however_many_names_there_are() {
        for known in [10, 1_000, 100_000, 100_000_000] {
            let mut suggestions = Suggestions::among(known).share(1, 1);
            let compared = std::iter::from_fn(|| {
                // Each name counts as a comparison with all known names.
                suggestions.left.checked_sub(1).map(|_| suggestions.nearest("name", ["names"]).is_some())
            });
            let names = compared.take(2 * Suggestions::COMPARISONS).count();
            assert!(names.saturating_sub(Suggestions::ALWAYS) * known <= Suggestions::COMPARISONS);
            assert!(names >= Suggestions::ALWAYS);
        }
    }
}
