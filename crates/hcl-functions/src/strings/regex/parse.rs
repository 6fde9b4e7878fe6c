//! Patterns read into the form that is searched with.

use regex_syntax::hir::{Capture, Class, ClassUnicode, Dot, Hir, Look, Repetition};

use super::class;

/// The maximum nesting depth of groups and repetitions.
const MAX_NESTING: u32 = 250;

/// The maximum number of repetitions; nested repetitions are multiplied.
const MAX_REPEAT: u32 = 1000;

/// A parsed pattern, and the names of its groups by number; `None` for a group without a name.
pub(super) struct Parsed {
    pub hir: Hir,
    pub names: Vec<Option<String>>,
}

/// Parses a pattern.
///
/// # Errors
///
/// The reference's message about the pattern.
pub(super) fn parse(pattern: &str) -> Result<Parsed, String> {
    Parser { pattern, rest: pattern, flags: Flags::default(), frames: vec![Frame::default()], names: vec![None] }.run()
}

/// Formats an error.
pub(super) fn error(problem: &str, part: &str) -> String {
    format!("error parsing regexp: {problem}: `{part}`")
}

#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    pub(super) fold_case: bool,
    multi_line: bool,
    dot_all: bool,
    lazy: bool,
}

/// A part, and what bounds its repetition.
struct BoundedHir {
    hir: Hir,
    /// The maximum number of repetitions of a part within it.
    repeated: u32,
    height: u32,
}

/// An open group, or the whole pattern.
#[derive(Default)]
struct Frame {
    /// The alternatives before the last bar.
    alternatives: Vec<BoundedHir>,
    sequence: Vec<BoundedHir>,
    capture: Option<u32>,
    /// The flags to restore after the group.
    outer: Flags,
}

impl Frame {
    fn close(&mut self) {
        let sequence = std::mem::take(&mut self.sequence);
        self.alternatives.push(join_nodes(sequence, Hir::concat));
    }

    fn finish(mut self) -> BoundedHir {
        self.close();
        join_nodes(self.alternatives, Hir::alternation)
    }
}

fn join_nodes(nodes: Vec<BoundedHir>, join: fn(Vec<Hir>) -> Hir) -> BoundedHir {
    let repeated = nodes.iter().map(|node| node.repeated).max().unwrap_or(1);
    let height = nodes.iter().map(|node| node.height).max().unwrap_or(0);
    BoundedHir { hir: join(nodes.into_iter().map(|node| node.hir).collect()), repeated, height }
}

pub(super) struct Parser<'p> {
    pattern: &'p str,
    pub(super) rest: &'p str,
    pub(super) flags: Flags,
    frames: Vec<Frame>,
    names: Vec<Option<String>>,
}

/// The bounds of a repetition.
struct RepeatBounds {
    min: u32,
    max: Option<u32>,
    /// Written in braces.
    counted: bool,
}

impl<'p> Parser<'p> {
    fn run(mut self) -> Result<Parsed, String> {
        let mut last_repeat: Option<&'p str> = None;
        while let Some(letter) = self.rest.chars().next() {
            let before = self.rest;
            let mut repeat = None;
            match letter {
                '(' if before.starts_with("(?") => self.flags_or_group()?,
                '(' => {
                    self.skip(1);
                    self.open_capture(None);
                }
                '|' => {
                    self.skip(1);
                    self.frame().close();
                }
                ')' => self.close_group()?,
                '^' => self.look(1, if self.flags.multi_line { Look::StartLF } else { Look::Start })?,
                '$' => self.look(1, if self.flags.multi_line { Look::EndLF } else { Look::End })?,
                '.' => {
                    self.skip(1);
                    let dot = if self.flags.dot_all { Dot::AnyChar } else { Dot::AnyCharExceptLF };
                    self.push(Hir::dot(dot));
                }
                '[' => {
                    let class = self.bracket_class()?;
                    self.push(Hir::class(Class::Unicode(class)));
                }
                '*' | '+' | '?' => {
                    self.skip(1);
                    let (min, max) = match letter {
                        '*' => (0, None),
                        '+' => (1, None),
                        _ => (0, Some(1)),
                    };
                    self.repeat(&RepeatBounds { min, max, counted: false }, before, last_repeat)?;
                    repeat = Some(before);
                }
                '{' => match self.count()? {
                    Some(count) => {
                        self.repeat(&count, before, last_repeat)?;
                        repeat = Some(before);
                    }
                    None => {
                        self.skip(1);
                        self.literal('{');
                    }
                },
                '\\' => self.backslash()?,
                letter => {
                    self.skip(letter.len_utf8());
                    self.literal(letter);
                }
            }
            last_repeat = repeat;
        }
        match (self.frames.pop(), self.frames.is_empty()) {
            (Some(whole), true) => Ok(Parsed { hir: whole.finish().hir, names: self.names }),
            _ => Err(error("missing closing )", self.pattern)),
        }
    }

    pub(super) fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// The part of the pattern that was consumed since `before`.
    pub(super) fn consumed_since(&self, before: &'p str) -> &'p str {
        before.get(..before.len().saturating_sub(self.rest.len())).unwrap_or(before)
    }

    fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn push(&mut self, hir: Hir) {
        self.frame().sequence.push(BoundedHir { hir, repeated: 1, height: 1 });
    }

    fn literal(&mut self, letter: char) {
        let mut class = class::range(letter, letter);
        if self.flags.fold_case {
            class.case_fold_simple();
        }
        self.push(Hir::class(Class::Unicode(class)));
    }

    fn look(&mut self, bytes: usize, look: Look) -> Result<(), String> {
        self.skip(bytes);
        self.push(Hir::look(look));
        Ok(())
    }

    fn open_capture(&mut self, name: Option<String>) {
        // A pattern is never so long.
        let index = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name);
        self.open_group(Some(index));
    }

    fn open_group(&mut self, capture: Option<u32>) {
        let outer = self.flags;
        self.frames.push(Frame { capture, outer, ..Frame::default() });
    }

    fn close_group(&mut self) -> Result<(), String> {
        if self.frames.len() < 2 {
            return Err(error("unexpected )", self.pattern));
        }
        self.skip(1);
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        self.flags = frame.outer;
        let capture = frame.capture;
        let mut node = frame.finish();
        if let Some(index) = capture {
            node.hir = Hir::capture(Capture { index, name: None, sub: Box::new(node.hir) });
        }
        self.add(node)
    }

    /// Adds a node with children, and checks its height.
    fn add(&mut self, node: BoundedHir) -> Result<(), String> {
        let height = node.height + 1;
        if height > MAX_NESTING {
            return Err(error("expression nests too deeply", self.pattern));
        }
        self.frame().sequence.push(BoundedHir { height, ..node });
        Ok(())
    }

    /// `(?flags)`, `(?flags:`, `(?P<name>` and `(?<name>`.
    fn flags_or_group(&mut self) -> Result<(), String> {
        let start = self.rest;
        let named = (start.len() > 4).then(|| start.strip_prefix("(?P<")).flatten();
        if let Some(inner) = named.or_else(|| (start.len() > 3).then(|| start.strip_prefix("(?<")).flatten()) {
            let Some((name, after)) = inner.split_once('>') else {
                return Err(error("invalid named capture", start));
            };
            self.rest = after;
            if name.is_empty() || !name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric()) {
                return Err(error("invalid named capture", self.consumed_since(start)));
            }
            self.open_capture(Some(name.to_owned()));
            return Ok(());
        }
        self.skip(2);
        let mut flags = self.flags;
        let (mut on, mut any) = (true, false);
        while let Some(letter) = self.rest.chars().next() {
            self.skip(letter.len_utf8());
            match letter {
                'i' => flags.fold_case = on,
                'm' => flags.multi_line = on,
                's' => flags.dot_all = on,
                'U' => flags.lazy = on,
                '-' if on => {
                    on = false;
                    any = false;
                    continue;
                }
                ':' | ')' if on || any => {
                    if letter == ':' {
                        self.open_group(None);
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => return Err(error("invalid or unsupported Perl syntax", self.consumed_since(start))),
            }
            any = true;
        }
        Err(error("invalid or unsupported Perl syntax", start))
    }

    /// Parses `{2}`, `{2,}` or `{2,3}`; `None` if the brace is a literal.
    fn count(&mut self) -> Result<Option<RepeatBounds>, String> {
        let start = self.rest;
        let Some((min, rest)) = start.strip_prefix('{').and_then(whole) else { return Ok(None) };
        let (max, rest) = match rest.strip_prefix(',') {
            None => (Some(min), rest),
            Some(rest) if rest.starts_with('}') => (None, rest),
            Some(rest) => match whole(rest) {
                Some((max, rest)) => (Some(max), rest),
                None => return Ok(None),
            },
        };
        let Some(rest) = rest.strip_prefix('}') else { return Ok(None) };
        self.rest = rest;
        if min > MAX_REPEAT || max.is_some_and(|max| max > MAX_REPEAT || min > max) {
            return Err(error("invalid repeat count", self.consumed_since(start)));
        }
        Ok(Some(RepeatBounds { min, max, counted: true }))
    }

    fn repeat(&mut self, count: &RepeatBounds, before: &'p str, last_repeat: Option<&'p str>) -> Result<(), String> {
        let mut greedy = !self.flags.lazy;
        if self.rest.starts_with('?') {
            self.skip(1);
            greedy = !greedy;
        }
        if let Some(last) = last_repeat {
            return Err(error("invalid nested repetition operator", self.consumed_since(last)));
        }
        let Some(node) = self.frame().sequence.pop() else {
            return Err(error("missing argument to repetition operator", self.consumed_since(before)));
        };
        let mut repeated = node.repeated;
        if count.counted {
            match count.max.unwrap_or(count.min) {
                0 if count.max.is_some() => repeated = 1,
                times => repeated = repeated.saturating_mul(times.max(1)),
            }
            let times = count.max.unwrap_or(0).max(count.min);
            if times >= 2 && repeated > MAX_REPEAT {
                return Err(error("invalid repeat count", self.consumed_since(before)));
            }
        }
        let repetition = Repetition { min: count.min, max: count.max, greedy, sub: Box::new(node.hir) };
        self.add(BoundedHir { hir: Hir::repetition(repetition), repeated, height: node.height })
    }

    fn backslash(&mut self) -> Result<(), String> {
        match self.rest.as_bytes().get(1) {
            Some(b'A') => return self.look(2, Look::Start),
            Some(b'z') => return self.look(2, Look::End),
            Some(b'b') => return self.look(2, Look::WordAscii),
            Some(b'B') => return self.look(2, Look::WordAsciiNegate),
            Some(b'C') => return Err(error("invalid escape sequence", "\\C")),
            Some(b'Q') => {
                self.skip(2);
                let (quoted, rest) = self.rest.split_once("\\E").unwrap_or((self.rest, ""));
                self.rest = rest;
                quoted.chars().for_each(|letter| self.literal(letter));
                return Ok(());
            }
            _ => {}
        }
        let mut class = ClassUnicode::empty();
        if self.unicode_class(&mut class)? || self.perl_class(&mut class) {
            self.push(Hir::class(Class::Unicode(class)));
            return Ok(());
        }
        match self.escape()? {
            Some(letter) => self.literal(letter),
            // A string never contains a surrogate.
            None => self.push(Hir::fail()),
        }
        Ok(())
    }
}

/// Parses a number without leading zeros, and returns the rest. A number that does not fit is returned as the maximum.
fn whole(text: &str) -> Option<(u32, &str)> {
    let length = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(length);
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    Some((digits.parse().unwrap_or(u32::MAX), rest))
}
