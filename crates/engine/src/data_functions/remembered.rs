//! [`Remembered`]: answers of functions in Ruby, for other calls that would come to the same.
//!
//! A function that leaves nothing behind answers by its arguments and by what it asks. So a call notes its questions with what they were
//! answered ([`Notes`]), and a later call with the same arguments is answered at once if the same questions would be answered the same: most
//! nodes see the same files. What a question cannot be compared by, as variables, leaves the call out.

use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, Hash as _, Hasher};
use std::path::{Path, PathBuf};

use hieratic_hiera::{DataAnswer, DataCall, DataContext, FunctionKind, Seen, has_expression};
use hieratic_value::{Hash, Str, Value};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// How much the answers may take that are remembered, roughly in bytes.
const MOST: usize = 32 << 20;

/// How large an answer may be, and what it depends on.
const LARGEST: usize = 64 << 10;

/// Answers of the functions of an environment.
#[derive(Default)]
pub(super) struct Remembered {
    answers: FxHashMap<u64, (Call, Answer)>,
    size: usize,
}

impl Remembered {
    /// The answer of an earlier call, if this one would come to the same.
    pub fn answer(&self, call: &DataCall<'_>, context: &mut dyn DataContext) -> Option<DataAnswer> {
        let (known, answer) = self.answers.get(&number_of(call, context.module()))?;
        (known.is(call, context.module()) && answer.holds(context)).then(|| answer.given(context))
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
        if self.size + size > MOST {
            *self = Remembered::default();
        }
        self.size += size;
        self.answers.insert(number_of(call, module), (Call::of(call, module), answer));
    }
}

/// What a function was called with.
struct Call {
    function: Str,
    kind: FunctionKind,
    module: Option<Str>,
    key: Option<Str>,
    options: Hash,
}

/// The key as far as the function sees it.
fn key_of<'c>(call: &DataCall<'c>) -> Option<&'c Str> {
    match call.kind {
        FunctionKind::DataHash => None,
        FunctionKind::LookupKey => call.key.map(|key| key.root()),
        FunctionKind::DataDig => call.key.map(|key| key.text()),
    }
}

fn number_of(call: &DataCall<'_>, module: Option<&str>) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    (call.function, call.kind, module, key_of(call).map(|key| &**key)).hash(&mut hasher);
    for (name, value) in call.options.iter() {
        (name, value).hash(&mut hasher);
    }
    hasher.finish()
}

impl Call {
    fn of(call: &DataCall<'_>, module: Option<&str>) -> Call {
        Call {
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
            && self.options.iter().eq(call.options.iter())
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

    /// Something that is not noted may have a part in the answer.
    pub fn more(&self) {
        self.has_more.set(true);
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
