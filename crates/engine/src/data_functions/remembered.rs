//! [`Remembered`]: answers of functions in Ruby, for other calls that would come to the same.
//!
//! A function that leaves nothing behind answers by its arguments and by what it asks. So a call notes its questions with what they were
//! answered ([`Notes`]), and a later call with the same arguments is answered at once if the same questions would be answered the same: most
//! nodes see the same files. What a question cannot be compared by, as variables, leaves the call out.
//!
//! An option need not be the same if the function only tried patterns on it, and none matched: the name of the node, say, of which only a
//! few are listed in a file.

use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, Hash as _, Hasher};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use hieratic_hash::{FixedState, HashMap};
use hieratic_hiera::{DataAnswer, DataCall, DataContext, FunctionKind, Seen, has_expression};
use hieratic_powers::Budget;
use hieratic_regexp::Regexp;
use hieratic_value::{Hash, Str, Value};

/// How much the answers may take that are remembered, roughly in bytes.
const MOST: usize = 32 << 20;

/// How large an answer may be, and what it depends on.
const LARGEST: usize = 64 << 10;

/// How many answers are remembered that differ only in options or in what they depend on.
const MOST_ALIKE: usize = 16;

/// For how many texts it is known at most whether patterns match them.
const MOST_TEXTS: usize = 4_096;

/// How many patterns an option may be tried with.
const MOST_PATTERNS: usize = 1_024;

/// Answers of the functions of an environment.
#[derive(Default)]
pub(super) struct Remembered {
    answers: HashMap<u64, Vec<(Call, Answer)>>,
    size: usize,
    /// The patterns that were tried in one call, each list only once.
    patterns: Vec<Rc<[Regexp]>>,
    /// Whether none of the patterns of a list, by its number, matches a text: many keys depend on the same.
    unmatched: RefCell<HashMap<(usize, Str), bool>>,
}

impl Remembered {
    /// The answer of an earlier call, if this one would come to the same.
    pub fn answer(&self, call: &DataCall<'_>, context: &mut dyn DataContext) -> Option<DataAnswer> {
        let alike = self.answers.get(&number_of(call, context.module()))?;
        let (_, answer) = alike.iter().find(|(known, answer)| {
            known.is(call, context.module())
                && self.match_nothing(known, call, context.budget())
                && answer.holds(context)
        })?;
        Some(answer.given(context))
    }

    /// Remembers the answer of a call, unless something else may have had a part in it.
    pub fn keep(&mut self, call: &DataCall<'_>, module: Option<&str>, notes: Notes, answer: &DataAnswer) {
        let value = match answer {
            DataAnswer::Found(value) => Some(value.clone()),
            DataAnswer::NotFound => None,
            DataAnswer::NoFunction(_) => return,
        };
        let (Some(questions), kept) = (notes.questions(), notes.kept.into_inner()) else { return };
        let answer = Answer { questions, kept, value };
        let Some(size) = answer.size() else { return };
        if self.size + size > MOST || self.patterns.len() > MANY {
            *self = Remembered::default();
        }
        self.size += size;
        let unseen = notes.unseen.into_inner().into_iter();
        let unseen = unseen.map(|(option, patterns)| (option, self.number_of_patterns(patterns))).collect();
        let alike = self.answers.entry(number_of(call, module)).or_default();
        if alike.len() >= MOST_ALIKE {
            alike.remove(0);
        }
        alike.push((Call::of(call, module, unseen), answer));
    }

    /// The number of a list of patterns. Those of a file are the same for all of its keys.
    fn number_of_patterns(&mut self, patterns: Vec<Regexp>) -> usize {
        let known = self.patterns.iter().rposition(|known| **known == *patterns);
        known.unwrap_or_else(|| {
            self.patterns.push(patterns.into());
            self.patterns.len() - 1
        })
    }

    /// Whether the patterns that options were tried with do not match those of a call either.
    fn match_nothing(&self, known: &Call, call: &DataCall<'_>, budget: &Budget) -> bool {
        known.unseen.iter().all(|(option, number)| {
            let Some(Value::String(text)) = call.options.get(option) else { return false };
            if known.options.get(option).and_then(Value::as_str) == Some(&**text) {
                return true;
            }
            let mut unmatched = self.unmatched.borrow_mut();
            if unmatched.len() > MOST_TEXTS {
                unmatched.clear();
            }
            *unmatched.entry((*number, text.clone())).or_insert_with(|| {
                let patterns = self.patterns.get(*number).map_or(&[][..], |patterns| &**patterns);
                patterns.iter().all(|pattern| pattern.is_match_within(text, budget).is_ok_and(|found| !found))
            })
        })
    }
}

/// What a function was called with.
struct Call {
    function: Str,
    kind: FunctionKind,
    module: Option<Str>,
    key: Option<Str>,
    options: Hash,
    /// Options that nobody looked at, with the number of the patterns that did not match them.
    unseen: Vec<(Str, usize)>,
}

/// The key as far as the function sees it.
fn key_of<'c>(call: &DataCall<'c>) -> Option<&'c Str> {
    match call.kind {
        FunctionKind::DataHash => None,
        FunctionKind::LookupKey => call.key.map(|key| key.root()),
        FunctionKind::DataDig => call.key.map(|key| key.text()),
    }
}

/// What all answers have in common that may be the answer of a call.
fn number_of(call: &DataCall<'_>, module: Option<&str>) -> u64 {
    let mut hasher = FixedState.build_hasher();
    (call.function, call.kind, module, key_of(call).map(|key| &**key)).hash(&mut hasher);
    // The location.
    call.options.get("path").hash(&mut hasher);
    hasher.finish()
}

impl Call {
    fn of(call: &DataCall<'_>, module: Option<&str>, unseen: Vec<(Str, usize)>) -> Call {
        Call {
            unseen,
            function: call.function.into(),
            kind: call.kind,
            module: module.map(Str::from),
            key: key_of(call).cloned(),
            options: call.options.clone(),
        }
    }

    fn is(&self, call: &DataCall<'_>, module: Option<&str>) -> bool {
        *self.function == *call.function
            && self.kind == call.kind
            && self.module.as_deref() == module
            && self.key.as_ref() == key_of(call)
            && self.options.len() == call.options.len()
            && self.options.iter().zip(call.options.iter()).all(|((name, value), (other, given))| {
                name == other
                    && (value == given || self.unseen.iter().any(|(unseen, _)| name.as_str() == Some(&**unseen)))
            })
    }
}

/// What a call came to.
struct Answer {
    questions: Vec<Question>,
    /// What it kept for the next call for the same location.
    kept: Vec<(Value, Value)>,
    /// None if it did not find the key.
    value: Option<Value>,
}

/// What a function asked, with the answer.
enum Question {
    /// What a file is like.
    File(PathBuf, Seen),
    /// Whether an earlier call for the location has kept something: none had.
    Kept(Value),
    /// A value with its `%{...}` resolved.
    Interpolated(Value, Value),
}

impl Answer {
    /// Whether all that was asked would be answered the same now.
    fn holds(&self, context: &mut dyn DataContext) -> bool {
        self.questions.iter().all(|question| match question {
            Question::File(path, then) => then.holds(&context.see(path)),
            Question::Kept(key) => context.cache().get(key).is_none(),
            Question::Interpolated(value, then) => context.interpolate(value).is_ok_and(|now| now == *then),
            // An answer that is remembered has met no secret, and would not be taken for one.
        }) && !context.met_secret()
    }

    fn given(&self, context: &dyn DataContext) -> DataAnswer {
        for (key, value) in &self.kept {
            context.cache().put(key.clone(), value.clone());
        }
        self.value.clone().map_or(DataAnswer::NotFound, DataAnswer::Found)
    }

    /// Roughly how much it takes; none if that is too much.
    fn size(&self) -> Option<usize> {
        let mut left = LARGEST;
        for question in &self.questions {
            left = left.checked_sub(64)?;
            match question {
                Question::File(path, _) => left = left.checked_sub(path.as_os_str().len())?,
                Question::Kept(key) => take(key, &mut left)?,
                Question::Interpolated(value, then) => {
                    [value, then].into_iter().try_for_each(|one| take(one, &mut left))?
                }
            }
        }
        let kept = self.kept.iter().flat_map(|(key, value)| [key, value]);
        kept.chain(&self.value).try_for_each(|value| take(value, &mut left))?;
        Some(size_of::<(Call, Answer)>() + LARGEST - left)
    }
}

/// Takes the size of a value from what is left; none if less is.
fn take(value: &Value, left: &mut usize) -> Option<()> {
    let own = match value {
        Value::String(text) => text.len(),
        Value::Array(elements) => {
            elements.iter().try_for_each(|element| take(element, left))?;
            0
        }
        Value::Hash(pairs) => {
            pairs.iter().flat_map(|(key, value)| [key, value]).try_for_each(|one| take(one, left))?;
            0
        }
        _ => 0,
    };
    *left = left.checked_sub(size_of::<Value>() + own)?;
    Some(())
}

/// What a call asks, while it runs.
#[derive(Default)]
pub(super) struct Notes {
    questions: RefCell<Vec<Question>>,
    kept: RefCell<Vec<(Value, Value)>>,
    /// Options that it did not look at, with patterns that do not match them.
    unseen: RefCell<Vec<(Str, Vec<Regexp>)>>,
    /// Whether something that is not noted may have a part in the answer.
    has_more: Cell<bool>,
}

impl Notes {
    /// A file was looked at.
    pub fn file(&self, path: &Path, seen: Seen) {
        let is_it = |question: &Question| matches!(question, Question::File(other, _) if other == path);
        if !self.questions.borrow().iter().any(is_it) {
            self.note(&self.questions, || Question::File(path.to_owned(), seen));
        }
    }

    /// A value was interpolated.
    pub fn interpolated(&self, value: &Value, result: &Value) {
        if has_expression(value) {
            self.note(&self.questions, || Question::Interpolated(value.clone(), result.clone()));
        }
    }

    /// It was asked what is kept under a key.
    pub fn kept(&self, key: &Value, kept: Option<&Value>) {
        match kept {
            // Few do so, and it may be large.
            Some(_) => self.more(),
            None => self.note(&self.questions, || Question::Kept(key.clone())),
        }
    }

    /// Something is kept.
    pub fn keep(&self, key: &Value, value: &Value) {
        self.note(&self.kept, || (key.clone(), value.clone()));
    }

    /// An option had no part in the answer but that patterns do not match it.
    pub fn unseen(&self, option: &str, patterns: Vec<Regexp>) {
        match patterns.len() {
            ..=MOST_PATTERNS => self.unseen.borrow_mut().push((option.into(), patterns)),
            _ => self.more(),
        }
    }

    /// Something that is not noted may have a part in the answer.
    pub fn more(&self) {
        self.has_more.set(true);
    }

    /// How much is noted; none if something that is not noted may have a part in the answer.
    pub fn count(&self) -> Option<usize> {
        let all = [self.questions.borrow().len(), self.kept.borrow().len(), self.unseen.borrow().len()];
        (!self.has_more.get()).then(|| all.iter().sum())
    }

    fn note<T>(&self, list: &RefCell<Vec<T>>, what: impl FnOnce() -> T) {
        let mut list = list.borrow_mut();
        match list.len() {
            _ if self.has_more.get() => {}
            MANY.. => self.more(),
            _ => list.push(what()),
        }
    }

    fn questions(&self) -> Option<Vec<Question>> {
        (!self.has_more.get()).then(|| self.questions.take())
    }
}

/// Of so many questions, asking them again would take as long as the call.
const MANY: usize = 32;
