//! Search for patterns in a string with several readings.
//!
//! The automaton processes all [readings](super::decoders) of the text at once. Mostly there is one; an escape adds
//! more, which soon converge. A pattern that is found from one state is also found from every state that extends it, so
//! states that another one extends are dropped. The work is therefore linear in the length of the text, independent of
//! the number of patterns.

use std::ops::Range;

use super::decoders::{self, Symbol};
use super::normalize;
use super::trie::{Pattern, ROOT, State, Trie};

/// The maximum number of simultaneous readings. A string with more must consist of prefixes of a secret.
const MAX_BRANCHES: usize = 64;

/// The maximum distance of a secret's marks from its compared characters.
const MAX_MARK_DISTANCE: usize = 64;

/// A search for the patterns of one automaton.
pub(super) struct Search<'t> {
    trie: &'t Trie,
    /// Whether all characters are compared, including whitespace and quotation marks.
    exact: bool,
}

/// The class of a byte.
#[derive(Clone, Copy, Debug)]
enum Class {
    /// As itself, in one case.
    Counts(u8),
    Nothing,
    /// A byte that may begin an escape.
    Special,
}

static LOOSE: [Class; 256] = classes(false);
static EXACT: [Class; 256] = classes(true);

const fn classes(exact: bool) -> [Class; 256] {
    let mut classes = [Class::Special; 256];
    let mut byte: u8 = 0;
    while byte < 0x80 {
        classes[byte as usize] = match byte {
            b'\\' | b'%' | b'&' | b'`' => Class::Special,
            b'\'' | b'"' | b'^' | b'$' | b'+' if exact => Class::Special,
            _ if exact || normalize::is_compared_ascii(byte) => Class::Counts(byte.to_ascii_lowercase()),
            _ => Class::Nothing,
        };
        byte += 1;
    }
    classes
}

/// One reading of the text up to a position.
#[derive(Clone, Copy, Debug)]
struct Branch {
    state: State,
    /// Its last step in [`History`].
    last: u32,
}

const START: Branch = Branch { state: ROOT, last: 0 };

impl<'t> Search<'t> {
    pub(super) fn new(trie: &'t Trie, exact: bool) -> Search<'t> {
        Search { trie, exact }
    }

    /// Returns the ranges of patterns.
    pub(super) fn find(&self, text: &[u8]) -> Vec<Range<usize>> {
        if self.trie.is_empty() {
            return Vec::new();
        }
        let run = || Run { search: self, text, history: History::default(), found: Vec::new() };
        // Mostly nothing is found, and positions are not needed.
        if run().run::<false>().is_empty() { Vec::new() } else { run().run::<true>() }
    }

    fn counts(&self, symbol: Symbol) -> bool {
        self.exact || normalize::is_compared(symbol)
    }
}

struct Run<'r, 't> {
    search: &'r Search<'t>,
    text: &'r [u8],
    history: History,
    found: Vec<Range<usize>>,
}

impl Run<'_, '_> {
    /// Processes the text and returns the matches. Without `TRACKED`, it only returns the end of the first match.
    fn run<const TRACKED: bool>(mut self) -> Vec<Range<usize>> {
        let (text, trie) = (self.text, self.search.trie);
        let classes = if self.search.exact { &EXACT } else { &LOOSE };
        if TRACKED {
            self.history.begin();
        }
        let mut branches = vec![START];
        let mut next: Vec<Branch> = Vec::new();
        // Readings after an escape, by its end.
        let mut later: Vec<(usize, Branch)> = Vec::new();
        let mut at = 0;
        while at < text.len() {
            if !later.is_empty() {
                later.retain(|(end, way)| {
                    let arrived = *end <= at;
                    if arrived {
                        branches.push(*way);
                    }
                    !arrived
                });
                self.prune(&mut branches);
            }
            if !TRACKED
                && later.is_empty()
                && let [way] = branches.as_mut_slice()
            {
                // The common case, without any bookkeeping.
                let mut state = way.state;
                while let Some(class) = text.get(at).map(|byte| classes[usize::from(*byte)]) {
                    match class {
                        Class::Special => break,
                        Class::Nothing => {}
                        Class::Counts(byte) => {
                            state = trie.next(state, byte);
                            if trie.end(state).is_some() {
                                return std::iter::once(at..at + 1).collect();
                            }
                        }
                    }
                    at += 1;
                }
                way.state = state;
                if at == text.len() {
                    break;
                }
            }
            if self.history.is_full() {
                self.history.compact(&mut branches, &mut later, trie);
            }
            match classes[usize::from(text[at])] {
                Class::Nothing => at += 1,
                Class::Counts(byte) => {
                    branches.iter_mut().for_each(|way| *way = self.step::<TRACKED>(*way, byte, at..at + 1));
                    at += 1;
                    if branches.len() > 1 {
                        self.prune(&mut branches);
                    }
                }
                Class::Special => {
                    let (_, after) = decoders::plain(text, at);
                    let mut readings = Readings::default();
                    decoders::each(text, at, self.search.exact, |reading| readings.push(reading));
                    for (symbol, end) in readings.iter() {
                        for way in &branches {
                            let way = self.read::<TRACKED>(*way, symbol, at..end);
                            if end <= after { next.push(way) } else { later.push((end, way)) }
                        }
                    }
                    std::mem::swap(&mut branches, &mut next);
                    next.clear();
                    self.prune(&mut branches);
                    at = after;
                }
            }
            if !TRACKED && !self.found.is_empty() {
                break;
            }
        }
        self.found
    }

    /// Advances a reading by a symbol.
    fn read<const TRACKED: bool>(&mut self, mut way: Branch, symbol: Symbol, place: Range<usize>) -> Branch {
        let symbol = if self.search.exact { normalize::without_picture(symbol) } else { symbol };
        if self.search.counts(symbol) {
            let mut bytes = Bytes::default();
            normalize::each_byte(symbol, |byte| bytes.push(byte));
            for byte in bytes.iter() {
                way = self.step::<TRACKED>(way, byte, place.clone());
            }
        }
        way
    }

    fn step<const TRACKED: bool>(&mut self, way: Branch, byte: u8, place: Range<usize>) -> Branch {
        let state = self.search.trie.next(way.state, byte);
        if state == ROOT {
            return START;
        }
        let trie = self.search.trie;
        if !TRACKED {
            if trie.end(state).is_some() {
                self.found.push(place);
            }
            return Branch { state, last: 0 };
        }
        let last = self.history.push(way.last, place);
        if let Some(pattern) = trie.end(state) {
            self.matched(pattern, last);
        }
        Branch { state, last }
    }

    fn matched(&mut self, pattern: &Pattern, last: u32) {
        let first = self.history.back(last, pattern.bytes.len() - 1);
        let (mut start, mut end) = (self.history.steps[first as usize].start, self.history.steps[last as usize].end);
        // Overlapping matches are merged at once, so strings with many overlaps cost no more work.
        if let Some(known) = self.found.last().filter(|known| start <= known.end && known.start <= end).cloned() {
            if !pattern.trail.is_empty() && end > known.end {
                end = self.forwards(end, &pattern.trail);
            }
            self.found.pop();
            self.found.push(start.min(known.start)..end.max(known.end));
            return;
        }
        if !pattern.lead.is_empty() {
            start = self.backwards(start, &pattern.lead);
        }
        if !pattern.trail.is_empty() {
            end = self.forwards(end, &pattern.trail);
        }
        self.found.push(start..end);
    }

    /// Returns the start of the marks before a position, if they exist.
    fn backwards(&self, place: usize, marks: &str) -> usize {
        // An escaped backslash at the end and the first letter behind it can look like one more escape.
        let text = self.text.get(..place).unwrap_or_default();
        let begins = |start: &usize| {
            let mut expected = marks.chars().peekable();
            let mut at = *start;
            while at < place {
                let (symbol, end) = decoders::deepest(text, at);
                if normalize::is_compared(symbol) {
                    return false;
                }
                expected.next_if(|mark| Symbol::from(*mark) == symbol);
                at = end;
            }
            expected.peek().is_none()
        };
        (place.saturating_sub(MAX_MARK_DISTANCE)..place).rev().find(begins).unwrap_or(place)
    }

    /// Returns the end of the existing marks after a position.
    fn forwards(&self, place: usize, marks: &str) -> usize {
        let mut expected = marks.chars().peekable();
        let (mut at, mut covered_to) = (place, place);
        while at < self.text.len().min(place + MAX_MARK_DISTANCE) && expected.peek().is_some() {
            let (symbol, end) = decoders::deepest(self.text, at);
            if normalize::is_compared(symbol) {
                break;
            }
            at = end;
            if expected.next_if(|mark| Symbol::from(*mark) == symbol).is_some() {
                covered_to = end;
            }
        }
        covered_to
    }

    /// Returns the start of the pattern prefix that a way has read; 0 without tracked steps.
    fn start(&self, way: &Branch) -> usize {
        self.start_of(way, way.state)
    }

    /// Returns the start of a prefix that a way has read, for a state that the way's own state extends.
    fn start_of(&self, way: &Branch, state: State) -> usize {
        match self.search.trie.depth(state).checked_sub(1) {
            Some(read) if way.last > 0 => {
                let first = self.history.back(way.last, usize::try_from(read).unwrap_or(usize::MAX));
                self.history.steps[first as usize].start
            }
            _ => 0,
        }
    }

    /// Drops the readings that another one extends.
    fn prune(&self, ways: &mut Vec<Branch>) {
        if ways.len() < 2 {
            return;
        }
        let trie = self.search.trie;
        ways.sort_unstable_by_key(|way| (std::cmp::Reverse(trie.depth(way.state)), way.state));
        ways.dedup_by(|way, kept| {
            let same = way.state == kept.state;
            // The common prefix may begin at an escape, or at the last character of it.
            if same && self.start(way) < self.start(kept) {
                *kept = *way;
            }
            same
        });
        let mut kept: usize = 0;
        for index in 0..ways.len() {
            let way = ways[index];
            // A prefix that began with an escape is kept next to a longer one that only contains it from the last
            // character of the escape on.
            let is_prefix = |longer: &Branch| {
                trie.extends(longer.state, way.state) && self.start_of(longer, way.state) <= self.start(&way)
            };
            if !ways[..kept].iter().any(is_prefix) {
                ways[kept] = way;
                kept += 1;
            }
        }
        ways.truncate(kept.min(MAX_BRANCHES));
    }
}

/// A short list without allocation.
struct InlineList<T, const MOST: usize> {
    items: [T; MOST],
    length: usize,
}

type Readings = InlineList<decoders::Reading, 16>;
type Bytes = InlineList<u8, 16>;

impl<T: Copy + Default, const MOST: usize> Default for InlineList<T, MOST> {
    fn default() -> Self {
        InlineList { items: [T::default(); MOST], length: 0 }
    }
}

impl<T: Copy, const MOST: usize> InlineList<T, MOST> {
    fn push(&mut self, item: T) {
        if let Some(free) = self.items.get_mut(self.length) {
            *free = item;
            self.length += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = T> + use<'_, T, MOST> {
        self.items[..self.length].iter().copied()
    }
}

/// The positions of all compared bytes, along all ways.
struct History {
    steps: Vec<Step>,
    /// The number of steps at which unreachable ones are dropped.
    limit: usize,
}

/// One byte that counts.
#[derive(Clone, Copy)]
struct Step {
    start: usize,
    end: usize,
    /// The step before it.
    before: u32,
    /// A step far before it, so that going back takes few steps.
    far: u32,
    /// The number of steps up to this one.
    count: u32,
}

const MIN_STEPS: usize = 1 << 16;

impl Default for History {
    fn default() -> History {
        History { steps: Vec::new(), limit: MIN_STEPS }
    }
}

impl History {
    /// Adds the step before all others.
    fn begin(&mut self) {
        self.steps.push(Step { start: 0, end: 0, before: 0, far: 0, count: 0 });
    }

    fn push(&mut self, before: u32, place: Range<usize>) -> u32 {
        let previous = self.steps[before as usize];
        let far = self.steps[previous.far as usize];
        let is_even = previous.count - far.count == far.count - self.steps[far.far as usize].count;
        let far = if is_even { far.far } else { before };
        let index = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        self.steps.push(Step { start: place.start, end: place.end, before, far, count: previous.count + 1 });
        index
    }

    /// Returns the step that was `by` steps earlier.
    fn back(&self, mut step: u32, by: usize) -> u32 {
        let expected = self.steps[step as usize].count.saturating_sub(u32::try_from(by).unwrap_or(u32::MAX)).max(1);
        while self.steps[step as usize].count > expected {
            let Step { before, far, .. } = self.steps[step as usize];
            step = if self.steps[far as usize].count >= expected { far } else { before };
        }
        step
    }

    fn is_full(&self) -> bool {
        self.steps.len() >= self.limit
    }

    /// Forgets all but what patterns that are being read may need.
    fn compact(&mut self, ways: &mut [Branch], later: &mut [(usize, Branch)], trie: &Trie) {
        let mut kept = History::default();
        kept.begin();
        for way in ways.iter_mut().chain(later.iter_mut().map(|(_, way)| way)) {
            let mut places = Vec::new();
            let mut step = way.last;
            for _ in 0..trie.depth(way.state) {
                let Step { start, end, before, .. } = self.steps[step as usize];
                places.push(start..end);
                step = before;
            }
            way.last = places.into_iter().rev().fold(0, |last, place| kept.push(last, place));
        }
        kept.limit = MIN_STEPS.max(kept.steps.len() * 4);
        *self = kept;
    }
}
