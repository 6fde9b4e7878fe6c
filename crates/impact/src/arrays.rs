//! [`match_elements`]: pairs the elements of two arrays.
//!
//! Equal elements are paired, regardless of their indexes. As many of them as possible keep their order; the others
//! have moved. Unequal hashes are paired if they have the same name or id; they may have moved, too. Remaining elements
//! between the same two neighbors have changed in place; all others are added or removed. The elements of sets do not
//! move or change in place.

use std::collections::VecDeque;

use hieratic::Value;
use hieratic::value::collections::HashMap;

use crate::diff::Diff;
use crate::parts::Arrays;

/// An element of an array.
pub(crate) struct Element {
    /// Its value, to be compared.
    pub(crate) value: Value,
    /// The name of the field that identifies it, and its value.
    pub(crate) identity: Option<(Value, Value)>,
}

/// Elements that belong together, or an element without another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatchedElements {
    /// The indexes.
    pub(crate) index: Diff<Option<usize>>,
    /// Whether they are in another order among the others.
    pub(crate) is_moved: bool,
}

/// Returns the elements that are not equal or have moved, in the order of the arrays.
pub(crate) fn match_elements(elements: Diff<&[Element]>, arrays: Arrays) -> Vec<MatchedElements> {
    let partners = partners_by_value(elements);
    let (stays, gaps) = match arrays {
        Arrays::Sequences => {
            let stays = unmoved(&partners);
            let gaps = gaps(&stays, elements.head.len());
            (Some(stays), gaps)
        }
        Arrays::Sets => (None, Diff { base: vec![0; elements.base.len()], head: vec![0; elements.head.len()] }),
    };
    let mut is_matched = vec![false; elements.head.len()];
    partners.iter().flatten().for_each(|head| mark(&mut is_matched, *head));
    // The key of the order: the gap, then the removed element, then the index.
    let mut found: Vec<((usize, bool, usize), MatchedElements)> = Vec::new();
    let gap = |gaps: &[usize], index: usize| gaps.get(index).copied().unwrap_or_default();
    for (base, partner) in partners.iter().enumerate() {
        let Some(head) = *partner else { continue };
        let is_moved = stays.as_ref().is_some_and(|stays| stays.get(base).copied().flatten().is_none());
        if is_moved {
            let index = Diff { base: Some(base), head: Some(head) };
            found.push(((gap(&gaps.head, head), true, head), MatchedElements { index, is_moved }));
        }
    }
    let by_identity = partners_by_identity(elements, &partners, &is_matched);
    by_identity.iter().for_each(|(_, head)| mark(&mut is_matched, *head));
    // Those with an identity keep their order among the equal ones, and among each other.
    let stays_by_identity = stays.as_ref().map(|_| {
        let mut partners = partners.clone();
        for (base, head) in &by_identity {
            if let Some(partner) = partners.get_mut(*base) {
                *partner = Some(*head);
            }
        }
        unmoved(&partners)
    });
    let mut is_gone: Vec<bool> = partners.iter().map(Option::is_none).collect();
    for (base, head) in by_identity {
        if let Some(is_gone) = is_gone.get_mut(base) {
            *is_gone = false;
        }
        let index = Diff { base: Some(base), head: Some(head) };
        let has_left = |stays: &Vec<Option<usize>>| stays.get(base).copied().flatten().is_none();
        let is_moved =
            gap(&gaps.base, base) != gap(&gaps.head, head) || stays_by_identity.as_ref().is_some_and(has_left);
        found.push(((gap(&gaps.head, head), true, head), MatchedElements { index, is_moved }));
    }
    let mut new: HashMap<usize, VecDeque<usize>> = HashMap::default();
    for (head, _) in is_matched.iter().enumerate().filter(|(_, is_matched)| !**is_matched) {
        new.entry(gap(&gaps.head, head)).or_default().push_back(head);
    }
    for (base, _) in is_gone.iter().enumerate().filter(|(_, is_gone)| **is_gone) {
        let at = gap(&gaps.base, base);
        let head = stays.as_ref().and_then(|_| new.get_mut(&at)?.pop_front());
        let order = (at, head.is_some(), head.unwrap_or(base));
        found.push((order, MatchedElements { index: Diff { base: Some(base), head }, is_moved: false }));
    }
    for (at, heads) in new {
        for head in heads {
            let index = Diff { base: None, head: Some(head) };
            found.push(((at, true, head), MatchedElements { index, is_moved: false }));
        }
    }
    found.sort_unstable_by_key(|(order, _)| *order);
    found.into_iter().map(|(_, found)| found).collect()
}

fn mark(marks: &mut [bool], index: usize) {
    marks.get_mut(index).into_iter().for_each(|mark| *mark = true);
}

/// For each element of the base the index of an equal one of the head. Elements at the beginning and at the end are
/// matched first, so that of several equal ones those in the middle are new.
fn partners_by_value(elements: Diff<&[Element]>) -> Vec<Option<usize>> {
    let Diff { base, head } = elements;
    let is_same = |(one, other): &(&Element, &Element)| one.value == other.value;
    let prefix = base.iter().zip(head).take_while(is_same).count();
    let most = base.len().min(head.len()) - prefix;
    let suffix = base.iter().rev().zip(head.iter().rev()).take_while(is_same).count().min(most);
    let mut partners = vec![None; base.len()];
    for (index, partner) in partners.iter_mut().enumerate() {
        if index < prefix {
            *partner = Some(index);
        } else if index >= base.len() - suffix {
            *partner = Some(index + head.len() - base.len());
        }
    }
    let mut others: HashMap<&Value, VecDeque<usize>> = HashMap::default();
    for (index, element) in head.iter().enumerate().take(head.len() - suffix).skip(prefix) {
        others.entry(&element.value).or_default().push_back(index);
    }
    for (element, partner) in base.iter().zip(&mut partners).take(base.len() - suffix).skip(prefix) {
        *partner = others.get_mut(&element.value).and_then(VecDeque::pop_front);
    }
    partners
}

/// Of the elements without an equal one, those with the same name or id, each of which only one element has.
fn partners_by_identity(
    elements: Diff<&[Element]>,
    partners: &[Option<usize>],
    is_matched: &[bool],
) -> Vec<(usize, usize)> {
    type IndexesByIdentity<'e> = HashMap<&'e (Value, Value), Option<usize>>;
    fn known<'e>(elements: &'e [Element]) -> IndexesByIdentity<'e> {
        let mut known: IndexesByIdentity<'e> = HashMap::default();
        for (index, element) in elements.iter().enumerate() {
            if let Some(identity) = &element.identity {
                known.entry(identity).and_modify(|only| *only = None).or_insert(Some(index));
            }
        }
        known
    }
    let others = known(elements.head);
    let mut found: Vec<(usize, usize)> = known(elements.base)
        .into_iter()
        .filter_map(|(identity, base)| Some((base?, (*others.get(identity)?)?)))
        .filter(|(base, head)| {
            partners.get(*base).is_some_and(Option::is_none) && is_matched.get(*head).is_some_and(|known| !known)
        })
        .collect();
    found.sort_unstable();
    found
}

/// The partners that stay in their order: a longest increasing sequence of them.
fn unmoved(partners: &[Option<usize>]) -> Vec<Option<usize>> {
    let pairs: Vec<(usize, usize)> =
        partners.iter().enumerate().filter_map(|(base, head)| Some((base, (*head)?))).collect();
    // For each length the pair with the smallest index at which such a sequence ends.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = vec![None; pairs.len()];
    let head = |pair: usize| pairs.get(pair).map(|(_, head)| *head);
    for (pair, (_, index)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| head(*end) < Some(*index));
        if let Some(previous) = previous.get_mut(pair) {
            *previous = length.checked_sub(1).and_then(|before| ends.get(before).copied());
        }
        match ends.get_mut(length) {
            Some(end) => *end = pair,
            None => ends.push(pair),
        }
    }
    let mut stays = vec![None; partners.len()];
    let mut next = ends.last().copied();
    while let Some(pair) = next {
        if let Some((base, head)) = pairs.get(pair)
            && let Some(stay) = stays.get_mut(*base)
        {
            *stay = Some(*head);
        }
        next = previous.get(pair).copied().flatten();
    }
    stays
}

/// For each index of both sides the number of elements before it that stay.
fn gaps(stays: &[Option<usize>], heads: usize) -> Diff<Vec<usize>> {
    let mut is_in_head = vec![false; heads];
    stays.iter().flatten().for_each(|head| mark(&mut is_in_head, *head));
    let count = |marks: &mut dyn Iterator<Item = bool>| {
        let mut before = 0;
        marks
            .map(|stays| {
                let own = before;
                before += usize::from(stays);
                own
            })
            .collect::<Vec<usize>>()
    };
    Diff { base: count(&mut stays.iter().map(Option::is_some)), head: count(&mut is_in_head.iter().copied()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(base: &str, head: &str, arrays: Arrays) -> Vec<String> {
        let elements = |text: &str| -> Vec<Element> {
            let element = |word: &str| {
                let identity = word.split_once('=').map(|(name, _)| ("name".into(), name.into()));
                Element { value: word.into(), identity }
            };
            text.split_whitespace().map(element).collect()
        };
        let (base, head) = (elements(base), elements(head));
        let shown = |MatchedElements { index, is_moved }: MatchedElements| match (index.base, index.head) {
            (Some(base), Some(head)) => format!("{base}{}{head}", if is_moved { ">" } else { "=" }),
            (Some(base), None) => format!("-{base}"),
            (None, Some(head)) => format!("+{head}"),
            (None, None) => String::new(),
        };
        let found = match_elements(Diff { base: &base, head: &head }, arrays);
        found.into_iter().map(shown).collect()
    }

    #[test]
    fn an_insertion_shifts_nothing() {
        assert_eq!(matched("a b c", "a x b c", Arrays::Sequences), ["+1"]);
        assert_eq!(matched("a x b c", "a b c", Arrays::Sequences), ["-1"]);
        assert_eq!(matched("x a x", "x x a x", Arrays::Sequences), ["+1"]);
        assert_eq!(matched("", "a b", Arrays::Sequences), ["+0", "+1"]);
        assert_eq!(matched("a b", "", Arrays::Sequences), ["-0", "-1"]);
    }

    #[test]
    fn edits_in_place_form_one_change() {
        assert_eq!(matched("a b c", "a x c", Arrays::Sequences), ["1=1"]);
        assert_eq!(matched("a b c", "a x y c", Arrays::Sequences), ["1=1", "+2"]);
        assert_eq!(matched("a b c d", "a x d", Arrays::Sequences), ["-2", "1=1"]);
    }

    #[test]
    fn as_few_elements_as_possible_move() {
        assert_eq!(matched("a b c d", "b c d a", Arrays::Sequences), ["0>3"]);
        assert_eq!(matched("a b c d", "d a b c", Arrays::Sequences), ["3>0"]);
        assert_eq!(matched("a b", "b a", Arrays::Sequences).len(), 1);
    }

    #[test]
    fn names_identify_elements() {
        assert_eq!(matched("a=1 b=1", "b=2 a=1", Arrays::Sequences), ["1>0"]);
        assert_eq!(matched("a=1 b=1 c=1", "a=1 x=1 b=2 c=1", Arrays::Sequences), ["+1", "1=2"]);
        assert_eq!(matched("a=1 b=1", "b=2 a=2", Arrays::Sequences).iter().filter(|one| one.contains('>')).count(), 1);
        assert_eq!(matched("a=1 b=1", "c=1 b=2", Arrays::Sets), ["-0", "+0", "1=1"]);
        // Two elements of one name do not identify anything.
        assert_eq!(matched("a=1 a=2", "a=3", Arrays::Sets), ["-0", "-1", "+0"]);
    }

    #[test]
    fn sets_have_no_order() {
        assert!(matched("a b c", "c a b", Arrays::Sets).is_empty());
        assert_eq!(matched("a b c", "c x a", Arrays::Sets), ["-1", "+1"]);
        assert_eq!(matched("a a", "a", Arrays::Sets), ["-1"]);
    }

    #[test]
    fn work_grows_with_the_number_of_elements() {
        let many = |add: usize| -> Vec<Element> {
            let value = |index: usize| Element { value: Value::from((index * 7919 + add) % 60_000), identity: None };
            (0..60_000).map(value).collect()
        };
        let (base, head) = (many(0), many(1));
        assert!(!match_elements(Diff { base: &base, head: &head }, Arrays::Sequences).is_empty());
    }
}
