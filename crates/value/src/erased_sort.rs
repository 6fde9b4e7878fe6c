//! [`ErasedSort`]: stable sorts that are compiled once.

use std::cmp::Ordering;

/// Stable sorts for lists of moderate length.
///
/// The sorts of the standard library are compiled again for every type and every comparison, with 5 KB each: two
/// hundred of them were a twentieth of the command. These sort the indexes, by calls of a function, and then move the
/// items. They take about twice as long, and have the same result.
///
/// ```
/// use hieratic_value::ErasedSort as _;
///
/// let mut words = ["pear", "fig", "apple", "kiwi"];
/// words.sort_erased_by_key(|word| word.len());
/// assert_eq!(words, ["fig", "pear", "kiwi", "apple"]);
/// ```
pub trait ErasedSort<T> {
    /// Sorts the items.
    fn sort_erased(&mut self)
    where
        T: Ord;

    /// Sorts the items by a comparison.
    fn sort_erased_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts the items by keys.
    fn sort_erased_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> ErasedSort<T> for [T] {
    fn sort_erased(&mut self)
    where
        T: Ord,
    {
        self.sort_erased_by(T::cmp);
    }

    fn sort_erased_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let order = sort_indexes(self.len(), &mut |one, other| compare(&self[one], &self[other]));
        permute(order, &mut |one, other| self.swap(one, other));
    }

    fn sort_erased_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.sort_erased_by(|one, other| key(one).cmp(&key(other)));
    }
}

/// Returns the indexes of the items in their order.
#[inline(never)]
fn sort_indexes(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indexes: Vec<usize> = (0..count).collect();
    indexes.sort_by(|one, other| compare(*one, *other));
    indexes
}

/// Moves items so that each place gets the item of its index, by one swap for each item at most.
#[inline(never)]
fn permute(mut indexes: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..indexes.len() {
        // Follows the circle of the places that take each other's items.
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut indexes[place], place);
            if from == start || from == place {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_the_standard_library(mut items in proptest::collection::vec((0..20_u8, any::<u16>()), 0..200)) {
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            items.sort_erased_by_key(|(key, _)| *key);
            prop_assert_eq!(&items, &expected);
            expected.sort_by(|one, other| other.cmp(one));
            items.sort_erased_by(|one, other| other.cmp(one));
            prop_assert_eq!(&items, &expected);
            expected.sort();
            items.sort_erased();
            prop_assert_eq!(&items, &expected);
        }
    }

    #[test]
    fn items_without_copies_are_moved() {
        let mut items: Vec<String> = ["c", "a", "", "b"].map(String::from).to_vec();
        items.sort_erased();
        assert_eq!(items, ["", "a", "b", "c"]);
    }
}
