//! A static upper bound on the matching cost of a pattern, computed from its tokens.
//!
//! Oniguruma limits backtracks and its stack. It does not count the work between two backtracks or the work to compile
//! a pattern, and it cannot be interrupted. This module therefore computes upper bounds for both:
//!
//! - Without backtracks, each element in a loop consumes a character or ends the loop. So a pass through the pattern
//!   costs at most its length for each character of the string. A look-around starts again at the current position. In
//!   a loop, it has this cost for each character.
//! - A call of a group costs as much as the group. Groups that call others twice double the cost at each level.

use crate::Options;
use crate::token::{Charset, Group, Token, TokenKind};

/// The most work to compile a pattern, in the unit of a hundredth of a millisecond.
const MAX_COMPILE_UNITS: u64 = 10_000;

/// The most characters that are compared without regard to case: compiling takes the square of them.
const MAX_FOLDED: u64 = 4_096;

/// The most pairs of a name's group and a reference to a name.
const MAX_PAIRS: u64 = 1_000_000;

/// The most that calls may make of a pattern, in things to match.
const MAX_CALLED_COST: f64 = 100_000.0;

/// The most groups that are called.
const MAX_CALLS: usize = 200;

/// The cost of one attempt to match without backtracks, as a function of the length of the string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CostBound {
    cost: Polynomial,
    /// Whether every match begins at the start of the string.
    pub(crate) anchored: bool,
    /// Whether a loop may continue from one line into the next.
    crosses_lines: bool,
    /// A character that every match has.
    required: Option<char>,
}

impl CostBound {
    /// Returns whether a string lacks a character that every match contains.
    pub(crate) fn rules_out(&self, text: &str) -> bool {
        self.required.is_some_and(|required| !text.contains(required))
    }

    /// The most steps between two backtracks of an attempt in a string of some bytes.
    pub(crate) fn steps(&self, length: usize) -> f64 {
        self.cost.at(length as f64 + 2.0)
    }

    /// As [`CostBound::steps`] for the text itself: most loops end with the line.
    pub(crate) fn steps_in(&self, text: &str) -> f64 {
        if self.crosses_lines { self.steps(text.len()) } else { self.steps(longest_stretch(text)) }
    }
}

/// The length in bytes of the longest line or, if that is longer, the longest run of whitespace.
fn longest_stretch(text: &str) -> usize {
    let (mut longest, mut line, mut space) = (0, 0, 0);
    for byte in text.bytes() {
        line = if byte == b'\n' { 0 } else { line + 1 };
        space = if matches!(byte, b'\t'..=b'\r' | b' ') { space + 1 } else { 0 };
        longest = longest.max(line).max(space);
    }
    longest
}

/// A cost that depends on the length of the text: the factors of its powers. More than the third power is too much.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Polynomial([f64; 4]);

impl Polynomial {
    const ONE: Polynomial = Polynomial([1.0, 0.0, 0.0, 0.0]);

    fn at(self, length: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, factor| sum * length + factor)
    }

    fn plus(self, other: Polynomial) -> Polynomial {
        Polynomial(std::array::from_fn(|power| self.0[power] + other.0[power]))
    }

    fn most(self, other: Polynomial) -> Polynomial {
        Polynomial(std::array::from_fn(|power| self.0[power].max(other.0[power])))
    }

    fn times(self, count: f64) -> Polynomial {
        Polynomial(self.0.map(|factor| factor * count))
    }

    /// Once for each character.
    fn for_each_character(self) -> Polynomial {
        let [zero, one, two, three] = self.0;
        Polynomial([0.0, zero, one, if three > 0.0 { f64::INFINITY } else { two }])
    }
}

/// The cost of a part of a pattern.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// With each of its repetitions taken once.
    once: Polynomial,
    /// With all of them.
    full: Polynomial,
    /// Whether it always consumes a character.
    takes: bool,
    newlines: Newlines,
    /// Whether a loop in it may continue from one line into the next.
    crosses: bool,
}

/// The newlines that a part can match.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Newlines {
    Never,
    /// It is `\s` alone: in a loop, it ends with the whitespace.
    Space,
    Perhaps,
}

impl Newlines {
    fn with(self, other: Newlines) -> Newlines {
        if self == Newlines::Never && other == Newlines::Never { Newlines::Never } else { Newlines::Perhaps }
    }
}

impl Cost {
    const NOTHING: Cost = Cost {
        once: Polynomial([0.0; 4]),
        full: Polynomial([0.0; 4]),
        takes: false,
        newlines: Newlines::Never,
        crosses: false,
    };
    const CHARACTER: Cost = Cost { once: Polynomial::ONE, full: Polynomial::ONE, takes: true, ..Cost::NOTHING };
    const ANCHOR: Cost = Cost { takes: false, ..Cost::CHARACTER };
    /// A literal string of any length is compared.
    const TEXT: Cost = Cost {
        once: Polynomial([1.0, 1.0, 0.0, 0.0]),
        full: Polynomial([1.0, 1.0, 0.0, 0.0]),
        newlines: Newlines::Perhaps,
        crosses: true,
        ..Cost::NOTHING
    };

    fn character(newlines: Newlines) -> Cost {
        Cost { newlines, ..Cost::CHARACTER }
    }

    fn then(self, next: Cost) -> Cost {
        Cost {
            once: self.once.plus(next.once),
            full: self.full.plus(next.full),
            takes: self.takes || next.takes,
            newlines: self.newlines.with(next.newlines),
            crosses: self.crosses || next.crosses,
        }
    }

    fn or(self, other: Cost) -> Cost {
        Cost {
            once: self.once.most(other.once),
            full: self.full.most(other.full),
            takes: self.takes && other.takes,
            newlines: self.newlines.with(other.newlines),
            crosses: self.crosses || other.crosses,
        }
    }

    /// Returns the cost of a look-around: its full cost at each attempt, because it consumes nothing.
    fn around(self) -> Cost {
        let full = self.full.plus(Polynomial::ONE);
        Cost { once: full, full, takes: false, ..self }
    }

    fn repeated(self, least: u32, most: Option<u32>) -> Cost {
        /// Up to here, the number itself is the better bound.
        const FEW: u32 = 16;
        let takes = self.takes && least > 0;
        let crosses = self.crosses || self.newlines == Newlines::Perhaps;
        match most {
            // A part that consumes nothing is repeated the full number of times.
            Some(most) if !self.takes => {
                let count = f64::from(most);
                Cost { once: self.once.times(count), full: self.full.times(count), takes, crosses, ..self }
            }
            Some(most) if most <= FEW => Cost { full: self.full.times(f64::from(most)), takes, ..self },
            // A turn that takes nothing is the last one.
            _ => {
                let turns = self.once.plus(Polynomial::ONE).for_each_character();
                Cost {
                    full: turns.plus(self.full),
                    takes,
                    crosses,
                    newlines: self.newlines.with(self.newlines),
                    ..self
                }
            }
        }
    }
}

/// Computes the bound of a pattern. The error describes why it is too expensive.
pub(crate) fn bound_cost(tokens: &[Token<'_>]) -> Result<CostBound, String> {
    compilation(tokens)?;
    let mut reader = CostReader { tokens, groups: Vec::new(), recursive: false };
    if tokens.iter().any(is_call) {
        reader.groups = groups(tokens);
    }
    let cost = reader.cost(0, tokens.len())?;
    if !reader.groups.is_empty() && cost.once.at(1.0) > MAX_CALLED_COST {
        return Err("too many calls of groups in groups that are called".into());
    }
    // Each direct recursion of a group consumes a character, or Oniguruma refuses it.
    let crosses_lines = cost.crosses || reader.recursive;
    let cost =
        if reader.recursive { cost.once.plus(Polynomial::ONE).for_each_character().plus(cost.full) } else { cost.full };
    let first = tokens.iter().find(|token| !matches!(token.kind, TokenKind::Skipped));
    let anchored = first.is_some_and(|token| matches!(token.kind, TokenKind::Anchor('A' | 'G')))
        && !tokens.iter().any(|token| token.kind == TokenKind::Alternative);
    Ok(CostBound { cost: cost.plus(Polynomial::ONE), anchored, crosses_lines, required: required(tokens) })
}

/// A literal character outside of all groups and alternatives that is not optional.
fn required(tokens: &[Token<'_>]) -> Option<char> {
    let mut depth = 0_u32;
    let mut required = None;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Alternative if depth == 0 => return None,
            TokenKind::Literal(c) if depth == 0 && !token.class && !token.modes.options.ignore_case => {
                let next = tokens[at + 1..].iter().find(|token| token.kind != TokenKind::Skipped);
                if !next.is_some_and(|next| matches!(next.kind, TokenKind::Repeat { .. })) {
                    required = Some(c);
                }
            }
            _ => {}
        }
    }
    required
}

/// Bounds the work to compile a pattern: sets of Unicode's characters are large, and larger without regard to case.
fn compilation(tokens: &[Token<'_>]) -> Result<(), String> {
    let (mut units, mut folded, mut named, mut references) = (0, 0, 0, 0);
    let is_ascii = |at: Option<usize>| {
        at.and_then(|at| tokens.get(at))
            .is_some_and(|token| matches!(token.kind, TokenKind::Literal(c) if c.is_ascii()))
    };
    for (at, token) in tokens.iter().enumerate() {
        let ignore_case = token.modes.options.ignore_case;
        let factor = if ignore_case { 15 } else { 1 };
        units += match token.kind {
            TokenKind::Property | TokenKind::Posix { .. } => 7 * factor,
            TokenKind::Shorthand(_) if token.modes.charset == Charset::Unicode => 7 * factor,
            TokenKind::ClassAnd => 70 * factor,
            TokenKind::ClassOpen { negated: true } => factor,
            // A range without regard to case; of the few characters of ASCII, it is small.
            TokenKind::Hyphen if ignore_case && is_ascii(at.checked_sub(1)) && is_ascii(Some(at + 1)) => 8,
            TokenKind::Hyphen if ignore_case => 60,
            _ => 0,
        };
        match token.kind {
            TokenKind::Literal(_) if ignore_case => folded += 1,
            TokenKind::Open(Group::Named) => named += 1,
            TokenKind::BackReference if token.text.starts_with("\\k") => references += 1,
            _ => {}
        }
    }
    if units > MAX_COMPILE_UNITS {
        return Err("too many classes of characters".into());
    }
    if folded > MAX_FOLDED {
        return Err(format!("too many characters without regard to case ({folded})"));
    }
    if named * references > MAX_PAIRS {
        return Err("too many references to names".into());
    }
    Ok(())
}

fn is_call(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Other && token.text.starts_with("\\g")
}

/// A group that can be called: its names, the range of its tokens, and its cost once it is known.
struct CallableGroup<'p> {
    name: Option<&'p str>,
    from: usize,
    to: usize,
    state: CostState,
}

#[derive(Clone, Copy)]
enum CostState {
    Unknown,
    /// Its cost is being computed: a group that needs it now is called by it.
    Open,
    Known(Cost),
}

/// The groups that have a number, in the order of their numbers.
fn groups<'p>(tokens: &[Token<'p>]) -> Vec<CallableGroup<'p>> {
    let has_names = tokens.iter().any(|token| token.kind == TokenKind::Open(Group::Named));
    let mut groups = Vec::new();
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open(group) => {
                let counts = group == Group::Named || group == Group::Plain && !has_names;
                open.push(counts.then_some(groups.len()));
                if counts {
                    let name = token.text.trim_start_matches(['(', '?', '<', '\'']).trim_end_matches(['>', '\'']);
                    let name = (group == Group::Named).then_some(name);
                    groups.push(CallableGroup { name, from: at + 1, to: tokens.len(), state: CostState::Unknown });
                }
            }
            TokenKind::Close => {
                if let Some(Some(group)) = open.pop() {
                    groups[group].to = at;
                }
            }
            _ => {}
        }
    }
    groups
}

struct CostReader<'t, 'p> {
    tokens: &'t [Token<'p>],
    groups: Vec<CallableGroup<'p>>,
    recursive: bool,
}

/// A group that is not closed yet, or the pattern itself.
struct OpenPart {
    group: Option<Group>,
    /// The alternatives before this one.
    others: Option<Cost>,
    /// This alternative without its last element.
    sequence: Cost,
    last: Cost,
}

impl OpenPart {
    fn new(group: Option<Group>) -> OpenPart {
        OpenPart { group, others: None, sequence: Cost::NOTHING, last: Cost::NOTHING }
    }

    fn push(&mut self, next: Cost) {
        self.sequence = self.sequence.then(self.last);
        self.last = next;
    }

    /// The cost so far.
    fn cost(&self) -> Cost {
        let sequence = self.sequence.then(self.last);
        self.others.map_or(sequence, |others| others.or(sequence))
    }

    fn closed(&self) -> Cost {
        let cost = self.cost();
        match self.group {
            Some(Group::LookAhead | Group::LookBehind) => cost.around(),
            // At each character, the absent expression is tried.
            Some(Group::Absent) => {
                Cost { full: cost.full.for_each_character(), newlines: Newlines::Perhaps, crosses: true, ..cost }
                    .around()
            }
            _ => cost.then(Cost::ANCHOR),
        }
    }
}

impl CostReader<'_, '_> {
    /// The cost of a range of tokens.
    fn cost(&mut self, from: usize, to: usize) -> Result<Cost, String> {
        let mut outer = Vec::new();
        let mut frame = OpenPart::new(None);
        for at in from..to {
            let token = self.tokens[at];
            match token.kind {
                TokenKind::Open(group) => outer.push(std::mem::replace(&mut frame, OpenPart::new(Some(group)))),
                TokenKind::Close => {
                    let cost = frame.closed();
                    // A surplus parenthesis closes nothing: Oniguruma reports it.
                    if let Some(open) = outer.pop() {
                        frame = open;
                    }
                    frame.push(cost);
                }
                TokenKind::Alternative => {
                    frame.others = Some(frame.cost());
                    (frame.sequence, frame.last) = (Cost::NOTHING, Cost::NOTHING);
                }
                TokenKind::Repeat { least, most, .. } => frame.last = frame.last.repeated(least, most),
                TokenKind::Anchor(_) => frame.push(Cost::ANCHOR),
                TokenKind::BackReference => frame.push(Cost::TEXT),
                TokenKind::Other if token.text == "\\X" => frame.push(Cost::TEXT),
                TokenKind::Other if is_call(&token) => {
                    let cost = self.call(token.text)?;
                    frame.push(cost);
                }
                TokenKind::ClassOpen { negated } if !token.class => {
                    let newlines = class_newlines(negated, &self.tokens[at + 1..to]);
                    frame.push(Cost::character(newlines));
                }
                kind if !token.class => {
                    if let Some(newlines) = newlines(kind, token.modes.options) {
                        frame.push(Cost::character(newlines));
                    }
                }
                _ => {}
            }
        }
        while let Some(open) = outer.pop() {
            let cost = frame.closed();
            frame = open;
            frame.push(cost);
        }
        Ok(frame.cost())
    }

    /// The cost of a call: that of the groups that it may refer to.
    fn call(&mut self, text: &str) -> Result<Cost, String> {
        let name = text[2..].trim_matches(['<', '>', '\'']);
        let mut cost = Cost::NOTHING;
        let mut known = self.groups.iter().filter(|group| !matches!(group.state, CostState::Unknown)).count();
        // A number may be relative, and `0` is the whole: any group will do.
        let by_number = name.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-'));
        if by_number && name.trim_start_matches('0').is_empty() {
            self.recursive = true;
            return Ok(Cost::ANCHOR);
        }
        for at in 0..self.groups.len() {
            let group = &self.groups[at];
            if !by_number && group.name != Some(name) {
                continue;
            }
            match group.state {
                CostState::Known(found) => cost = cost.or(found),
                CostState::Open => self.recursive = true,
                CostState::Unknown if known >= MAX_CALLS => return Err("too many groups that are called".into()),
                CostState::Unknown => {
                    known += 1;
                    let (from, to) = (group.from, group.to);
                    self.groups[at].state = CostState::Open;
                    let found = self.cost(from, to)?;
                    self.groups[at].state = CostState::Known(found);
                    cost = cost.or(found);
                }
            }
        }
        Ok(Cost { takes: false, ..cost.then(Cost::ANCHOR) })
    }
}

/// Returns whether a token of one character can match a newline. `None` for other tokens.
fn newlines(kind: TokenKind, options: Options) -> Option<Newlines> {
    let perhaps = |is: bool| if is { Newlines::Perhaps } else { Newlines::Never };
    Some(match kind {
        TokenKind::Literal(c) => perhaps(c == '\n'),
        TokenKind::Dot => perhaps(options.multiline),
        TokenKind::Shorthand('s') => Newlines::Space,
        TokenKind::Shorthand(letter) => perhaps(matches!(letter, 'W' | 'D' | 'H')),
        TokenKind::Property | TokenKind::Other => Newlines::Perhaps,
        _ => return None,
    })
}

/// Like [`newlines`], for a class, from the tokens after its beginning.
fn class_newlines(negated: bool, tokens: &[Token<'_>]) -> Newlines {
    let mut has_newline = false;
    let mut before = None;
    for token in tokens {
        match token.kind {
            TokenKind::ClassClose => break,
            TokenKind::Literal(c) => {
                has_newline |= c == '\n';
                before = Some(c);
            }
            // A range that begins before the newline may have it.
            TokenKind::Hyphen if before.is_none_or(|first| first > '\n') => {}
            TokenKind::Shorthand('w' | 'd' | 'h' | 'S') => {}
            _ => return Newlines::Perhaps,
        }
    }
    if negated == has_newline { Newlines::Never } else { Newlines::Perhaps }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, token};

    fn bound_of(pattern: &str, options: Options) -> Result<CostBound, String> {
        bound_cost(&token::tokens(pattern, options).unwrap())
    }

    fn steps(pattern: &str, length: usize) -> f64 {
        bound_of(pattern, Options::default()).unwrap().steps(length)
    }

    #[test]
    fn work_grows_with_the_text_as_loops_look_around() {
        // The cost is independent of the string.
        for pattern in ["abc", "a|b", "(a)(b)", "[a-z]{3}", "(?=abc)", "^a\\b"] {
            assert_eq!(steps(pattern, 100), steps(pattern, 1_000), "{pattern}");
        }
        let grows = |pattern: &str| (steps(pattern, 100_000) / steps(pattern, 10_000)).log10().round();
        for (pattern, power) in [
            ("a*b", 1.0),
            ("(a*)*", 1.0),
            ("((a+)+|b)*c", 1.0),
            ("(?=.*a)b", 1.0),
            ("(?=a)(ab)*", 1.0),
            ("((?=.*b)a)*", 2.0),
            ("(?:(?=a*b)a)*", 2.0),
            ("((?=((?=.*c)b)*)a)*", 3.0),
            ("(?<p>\\((?:[^()]|\\g<p>)*\\))", 1.0),
            ("(?~ab)", 1.0),
        ] {
            assert_eq!(grows(pattern), power, "{pattern}");
        }
        assert!(steps("((?=((?=((?=.*c)b)*)b)*)a)*", 10).is_infinite());
        assert!(steps("(?:(?:(?:\\b){1000}){1000}){1000}", 1) >= 1e9);
        assert!(steps("(?:(?:\\b){1000}a)*", 100) > 1e5);
        assert!(steps("(?:(?:a{1000}){1000}){1000}", 10) < 1e3);
    }

    #[test]
    fn loops_end_with_their_lines() {
        let text = "abc = def\n\n   ".repeat(1_000);
        let in_lines = |pattern: &str| {
            let work = bound_of(pattern, Options::default()).unwrap();
            work.steps_in(&text) < work.steps(100)
        };
        for pattern in
            ["^(\\w+)\\s*=.*$", "[a-z]*", "[^\\n]*", "(?:\\w\\d?)+\\n", "\\S+", "(?!a)\\s+b", "[^\\n;\\d]+", "(?=.*b)a"]
        {
            assert!(in_lines(pattern), "{pattern}");
        }
        let multiline = "(?m:.*)b";
        for pattern in [
            "[^;]*",
            "(?:\\w+\\n)*",
            "(\\s)*",
            "(?:\\s*;)*",
            "[\\s;]*",
            "\\W+",
            "\\p{L}*",
            "[\\t-a]*",
            "[[^a]]*",
            "(a)\\1*",
            "(?~a)",
            multiline,
        ] {
            assert!(!in_lines(pattern), "{pattern}");
        }
    }

    #[test]
    fn ranges_of_ascii_may_be_many_without_regard_to_case() {
        let of_urls = format!("(?i:{})", "[-a-z0-9._~!$&'()*+,;=:]".repeat(100));
        assert!(bound_of(&of_urls, Options::default()).is_ok());
        assert!(bound_of(&format!("(?i:{})", "[é-\u{ffff}]".repeat(300)), Options::default()).is_err());
    }

    #[test]
    fn doubling_calls_are_refused() {
        let doubling = |levels: usize, least: &str| {
            let groups = (1..=levels).map(|at| format!("(?<a{at}>\\g<a{0}>\\g<a{0}>){{0}}", at - 1));
            format!("(?<a0>{least}){{0}}{}\\g<a{levels}>", groups.collect::<String>())
        };
        for least in ["", "x", "x?"] {
            assert!(bound_of(&doubling(8, least), Options::default()).is_ok());
            assert!(bound_of(&doubling(20, least), Options::default()).is_err());
            assert!(bound_of(&doubling(150, least), Options::default()).is_err());
        }
        let chain: String = (1..5_000).map(|at| format!("(?<a{at}>\\g<a{}>)", at + 1)).collect();
        assert!(bound_of(&chain, Options::default()).is_err());
    }

    #[test]
    fn patterns_that_compile_slowly_are_refused() {
        let ignore_case = Options { ignore_case: true, ..Options::default() };
        for (pattern, options, count) in [
            ("\\p{L}", Options::default(), 1_400),
            ("[^\\p{L}\\p{N}]", ignore_case, 40),
            ("[[:alpha:]]", ignore_case, 90),
            ("[a-\u{10ffff}]", ignore_case, 150),
            ("ss\u{df}", ignore_case, 1_300),
            ("(?<n>a)?\\k<n>", Options::default(), 900),
        ] {
            assert!(bound_of(&pattern.repeat(count), options).is_ok(), "{pattern}");
            assert!(bound_of(&pattern.repeat(count * 2), options).is_err(), "{pattern}");
        }
        assert!(bound_of(&format!("[{}a]", "\\p{L}&&".repeat(300)), Options::default()).is_err());
    }

    #[test]
    fn a_match_has_the_characters_outside_of_groups() {
        for (pattern, required) in [
            ("a*bc*", Some('b')),
            ("(?>[ab]*)c", Some('c')),
            ("a{0,2}", None),
            ("a|b", None),
            ("(a|b)c(d)", Some('c')),
            ("(a)[b]", None),
            ("(?i:a)", None),
            ("(?i)a", None),
            ("a(?#c)*", None),
        ] {
            assert_eq!(bound_of(pattern, Options::default()).unwrap().required, required, "{pattern}");
        }
    }

    #[test]
    fn only_the_beginning_of_the_whole_anchors() {
        for (pattern, anchored) in [("\\Aa", true), ("\\Gab*", true), ("\\Aa|b", false), ("^a", false), ("a\\A", false)]
        {
            assert_eq!(bound_of(pattern, Options::default()).unwrap().anchored, anchored, "{pattern}");
        }
    }
}
