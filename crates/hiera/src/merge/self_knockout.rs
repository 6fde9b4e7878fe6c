//! Knockouts in an array that is merged with itself.
//!
//! The reference's deep merge walks an array with Ruby's `delete_if` and deletes from the other array on the way. If
//! both are the same array, elements disappear during the walk: the others move up, some are skipped, and Ruby's way of
//! closing the gaps decides the result. This is reproduced exactly. Instead of moving the array for every deletion, the
//! slots that are left are counted in a tree.

use hieratic_ruby_regexp::Regexp;
use hieratic_value::Str;
use hieratic_value::collections::HashMap;

use super::prefix::knockout_target;
use crate::object::{Object, work};

/// Removes the knockouts from an array, and the elements that they name.
pub(super) fn knock_out(elements: &mut Vec<Object>, pattern: &Regexp) {
    work::count(elements.len());
    if !elements.iter().any(|element| knockout_target(pattern, element).is_some()) {
        return;
    }
    let mut slots = Slots::new(std::mem::take(elements));
    let (mut read, mut kept) = (0, 0);
    while let Some(element) = slots.get(read) {
        work::count(1);
        read += 1;
        match knockout_target(pattern, &element) {
            Some((item, marked)) => {
                slots.delete(&item);
                slots.delete(&marked);
            }
            None => {
                if read - 1 != kept {
                    slots.set(kept, element);
                }
                kept += 1;
            }
        }
    }
    *elements = slots.into_elements();
    // The end of `delete_if`: the elements that were not read move after those that are left.
    if kept < elements.len() && kept < read {
        let tail = elements.split_off(read.min(elements.len()));
        elements.truncate(kept);
        elements.extend(tail);
    }
}

/// An array from which elements are deleted by their string, and which is read by position, both in logarithmic time.
struct Slots {
    elements: Vec<Object>,
    there: Vec<bool>,
    /// The number of slots that are left, as a Fenwick tree: entry `i` counts the slots that the lowest bit of `i`
    /// spans.
    counts: Vec<usize>,
    /// The slots that may contain a string.
    places: HashMap<Str, Vec<usize>>,
}

impl Slots {
    fn new(elements: Vec<Object>) -> Slots {
        let length = elements.len();
        let mut places: HashMap<Str, Vec<usize>> = HashMap::default();
        for (slot, element) in elements.iter().enumerate() {
            if let Some(text) = element.plain_text() {
                places.entry(text).or_default().push(slot);
            }
        }
        let counts = (0..=length).map(|index| index & index.wrapping_neg()).collect();
        Slots { elements, there: vec![true; length], counts, places }
    }

    /// The slot of the element at a position.
    fn slot(&self, position: usize) -> Option<usize> {
        let length = self.elements.len();
        let (mut before, mut left) = (0, position);
        let mut span = length.checked_ilog2().map_or(0, |bits| 1 << bits);
        while span > 0 {
            if before + span <= length && self.counts[before + span] <= left {
                before += span;
                left -= self.counts[before];
            }
            span /= 2;
        }
        (before < length).then_some(before)
    }

    fn get(&self, position: usize) -> Option<Object> {
        self.slot(position).map(|slot| self.elements[slot].clone())
    }

    /// Sets the element at an existing position.
    fn set(&mut self, position: usize, element: Object) {
        let Some(slot) = self.slot(position) else { return };
        if let Some(text) = element.plain_text() {
            self.places.entry(text).or_default().push(slot);
        }
        self.elements[slot] = element;
    }

    /// Deletes every element that equals a string.
    fn delete(&mut self, text: &str) {
        for slot in self.places.remove(text).unwrap_or_default() {
            work::count(1);
            let is_text = self.elements[slot].plain_text().is_some_and(|own| *own == *text);
            if !(self.there[slot] && is_text) {
                continue;
            }
            self.there[slot] = false;
            let mut index = slot + 1;
            while index < self.counts.len() {
                self.counts[index] -= 1;
                index += index & index.wrapping_neg();
            }
        }
    }

    fn into_elements(self) -> Vec<Object> {
        self.elements.into_iter().zip(self.there).filter_map(|(element, there)| there.then_some(element)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Mark;
    use hieratic_value::Value;
    use proptest::prelude::{prop_assert_eq, proptest};

    /// The reference's algorithm, step by step.
    fn as_ruby_does(mut all: Vec<String>) -> Vec<String> {
        let (mut read, mut kept) = (0, 0);
        while read < all.len() {
            let element = all[read].clone();
            read += 1;
            match element.strip_prefix("--") {
                Some(item) => {
                    all.retain(|other| other != item);
                    all.retain(|other| *other != element);
                }
                None => {
                    all[kept] = element;
                    kept += 1;
                }
            }
        }
        if kept < all.len() && kept < read {
            let tail = all.split_off(read.min(all.len()));
            all.truncate(kept);
            all.extend(tail);
        }
        all
    }

    fn knocked_out(all: &[String]) -> Vec<String> {
        let mut elements =
            all.iter().map(|text| Object::scalar(Value::from(text.as_str()), Mark::default())).collect::<Vec<_>>();
        knock_out(&mut elements, &Regexp::new("^--").unwrap());
        elements.iter().map(|element| element.plain_text().unwrap().to_string()).collect()
    }

    proptest! {
        #[test]
        fn the_remainder_equals_that_of_ruby(all in proptest::collection::vec("(--)?[a-d]", 0..12)) {
            prop_assert_eq!(knocked_out(&all), as_ruby_does(all));
        }
    }

    #[test]
    fn work_grows_with_the_array() {
        let work = |count: usize| {
            let all: Vec<String> = (0..count)
                .map(|n| if n % 2 == 0 { format!("--{n}") } else { format!("{}", n.saturating_sub(3)) })
                .collect();
            work::measure(|| knocked_out(&all)).1
        };
        let (small, large) = (work(1_000), work(10_000));
        assert!(small >= 1_000 && large <= 11 * small, "{small} and {large}");
    }
}
