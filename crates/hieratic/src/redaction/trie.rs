//! [`Trie`]: an Aho-Corasick automaton of all search patterns.
//!
//! It is implemented here because a search follows several states at once, where a string has several readings, and needs
//! to know which states extend others.

/// A state: the longest prefix of any pattern that ends at the current position.
pub(super) type State = u32;

/// The start state.
pub(super) const ROOT: State = 0;

const NO_PATTERN: u32 = u32::MAX;

/// A pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pattern {
    /// The bytes that count.
    pub(super) bytes: Vec<u8>,
    /// The ignored marks before and after them.
    pub(super) lead: String,
    pub(super) trail: String,
}

#[derive(Debug)]
pub(super) struct Trie {
    /// The label of each state, beginning with those of one byte. The children of a state are adjacent, and follow
    /// those of the state before it.
    labels: Vec<u8>,
    children: Vec<u32>,
    fails: Vec<State>,
    depths: Vec<u32>,
    /// The longest pattern that ends in a state.
    ends: Vec<u32>,
    /// The children of the root.
    first: Box<[State; 256]>,
    patterns: Vec<Pattern>,
}

impl Trie {
    /// Builds the automaton, or returns `None` if the patterns exceed its capacity (some gigabytes).
    pub(super) fn new(mut patterns: Vec<Pattern>) -> Option<Trie> {
        patterns.retain(|pattern| !pattern.bytes.is_empty());
        // Of patterns with equal bytes, the one with the most marks is kept.
        patterns.sort_unstable_by(|one, other| {
            let marks = |pattern: &Pattern| pattern.lead.len() + pattern.trail.len();
            one.bytes.cmp(&other.bytes).then(marks(other).cmp(&marks(one)))
        });
        patterns.dedup_by(|later, earlier| later.bytes == earlier.bytes);
        patterns.shrink_to_fit();
        if patterns.iter().map(|pattern| pattern.bytes.len()).sum::<usize>() >= u32::MAX as usize {
            return None;
        }
        let mut trie = Trie {
            labels: vec![0],
            children: Vec::new(),
            fails: vec![ROOT],
            depths: vec![0],
            ends: vec![NO_PATTERN],
            first: Box::new([ROOT; 256]),
            patterns,
        };
        trie.grow();
        Some(trie)
    }

    fn grow(&mut self) {
        // The patterns of every state, which are adjacent when sorted, until its children are built.
        let mut ranges = std::collections::VecDeque::new();
        ranges.push_back(0..self.patterns.len());
        let mut parents: std::collections::VecDeque<State> = [ROOT].into();
        let mut state: usize = 0;
        while let (Some(mut range), Some(parent)) = (ranges.pop_front(), parents.pop_front()) {
            self.children.push(to_state(self.labels.len()));
            let depth = self.depths[state] as usize;
            if state > 0 {
                self.fails[state] = match parent {
                    ROOT => ROOT,
                    parent => self.next(self.fails[parent as usize], self.labels[state]),
                };
                self.ends[state] = self.ends[self.fails[state] as usize];
            }
            if range.start < range.end && self.patterns[range.start].bytes.len() == depth {
                self.ends[state] = to_state(range.start);
                range.start += 1;
            }
            while range.start < range.end {
                let label = self.patterns[range.start].bytes[depth];
                let same = |pattern: &Pattern| pattern.bytes[depth] == label;
                let end = range.start + self.patterns[range.clone()].partition_point(same);
                if state == 0 {
                    self.first[usize::from(label)] = to_state(self.labels.len());
                }
                self.labels.push(label);
                self.fails.push(ROOT);
                self.depths.push(to_state(depth + 1));
                self.ends.push(NO_PATTERN);
                ranges.push_back(range.start..end);
                parents.push_back(to_state(state));
                range.start = end;
            }
            state += 1;
        }
        self.children.push(to_state(self.labels.len()));
        // Missing transitions follow the failure links, which lead to shorter prefixes, whose states come first.
    }

    pub(super) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Returns the state after a byte.
    pub(super) fn next(&self, mut state: State, byte: u8) -> State {
        loop {
            if state == ROOT {
                return self.first[usize::from(byte)];
            }
            let (from, to) = (self.children[state as usize] as usize, self.children[state as usize + 1] as usize);
            let labels = &self.labels[from..to];
            let found = if labels.len() <= 8 {
                labels.iter().position(|label| *label == byte)
            } else {
                labels.binary_search(&byte).ok()
            };
            match found {
                Some(index) => return to_state(from + index),
                None => state = self.fails[state as usize],
            }
        }
    }

    /// Returns the number of pattern bytes read.
    pub(super) fn depth(&self, state: State) -> u32 {
        self.depths[state as usize]
    }

    /// The longest pattern that ends here.
    pub(super) fn end(&self, state: State) -> Option<&Pattern> {
        self.patterns.get(self.ends[state as usize] as usize)
    }

    /// Returns whether everything that can be found from one state can be found from the other, which has read more.
    pub(super) fn extends(&self, longer: State, shorter: State) -> bool {
        let mut state = longer;
        while self.depth(state) > self.depth(shorter) {
            state = self.fails[state as usize];
        }
        state == shorter
    }
}

/// Converts an index to a state. The number of states was checked before.
fn to_state(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
