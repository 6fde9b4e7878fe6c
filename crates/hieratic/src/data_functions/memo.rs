//! [`FunctionCache`]: a memo table of Ruby functions.
//!
//! A function without side effects is determined by its arguments and its reads. So a call records its reads with their
//! results ([`DependencyRecorder`]), and a later call with the same arguments reuses the answer if the reads would have the same
//! results: most nodes see the same files. A call that reads something that cannot be compared, such as variables, is
//! not cached.
//!
//! An option may differ if the function only matched patterns against it, and none matched: for example the name of the
//! node, if a file lists only a few nodes.

use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, Hash as _, Hasher};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use hieratic_budget::Budget;
use hieratic_hiera::{DataAnswer, DataCall, DataContext, FileState, FunctionKind, has_expression};
use hieratic_ruby_regexp::Regexp;
use hieratic_value::collections::{FixedState, HashMap};
use hieratic_value::{Hash, Str, Value};

/// The maximum size of the cached answers, in bytes, roughly.
const MAX_SIZE: usize = 32 << 20;

/// The maximum size of an answer with its dependencies, in bytes.
const MAX_ANSWER_SIZE: usize = 64 << 10;

/// The maximum number of answers that differ only in options or dependencies.
const MAX_VARIANTS: usize = 16;

/// The maximum number of strings with cached match results.
const MAX_STRINGS: usize = 4_096;

/// The maximum number of patterns that are recorded for an option.
const MAX_PATTERNS: usize = 1_024;

/// Answers of the functions of an environment.
#[derive(Default)]
pub(super) struct FunctionCache {
    answers: HashMap<u64, Vec<(CallKey, CachedAnswer)>>,
    size: usize,
    /// The patterns that were tried in one call, each list only once.
    patterns: Vec<Rc<[Regexp]>>,
    /// For a list of patterns, by index, whether none matches a string: many keys share the result.
    unmatched: RefCell<HashMap<(usize, Str), bool>>,
}

impl FunctionCache {
    /// Returns the cached answer of an earlier call whose reads have the same results now.
    pub fn answer(&self, call: &DataCall<'_>, context: &mut dyn DataContext) -> Option<DataAnswer> {
        let candidates = self.answers.get(&call_hash(call, context.module()))?;
        let (_, answer) = candidates.iter().find(|(known, answer)| {
            known.is(call, context.module())
                && self.are_still_unmatched(known, call, context.budget())
                && answer.holds(context)
        })?;
        Some(answer.replay(context))
    }

    /// Caches the answer of a call, unless it may depend on something that is not recorded.
    pub fn keep(&mut self, call: &DataCall<'_>, module: Option<&str>, notes: DependencyRecorder, answer: &DataAnswer) {
        let value = match answer {
            DataAnswer::Found(value) => Some(value.clone()),
            DataAnswer::NotFound => None,
            DataAnswer::NoFunction(_) => return,
        };
        let (Some(questions), kept) = (notes.dependencies(), notes.kept.into_inner()) else { return };
        let answer = CachedAnswer { questions, kept, value };
        let Some(size) = answer.size() else { return };
        if self.size + size > MAX_SIZE || self.patterns.len() > MAX_DEPENDENCIES {
            *self = FunctionCache::default();
        }
        self.size += size;
        let unseen = notes.unseen.into_inner().into_iter();
        let unseen = unseen.map(|(option, patterns)| (option, self.pattern_list_index(patterns))).collect();
        let candidates = self.answers.entry(call_hash(call, module)).or_default();
        if candidates.len() >= MAX_VARIANTS {
            candidates.remove(0);
        }
        candidates.push((CallKey::new(call, module, unseen), answer));
    }

    /// Returns the index of a list of patterns. Those of a file are the same for all of its keys.
    fn pattern_list_index(&mut self, patterns: Vec<Regexp>) -> usize {
        let known = self.patterns.iter().rposition(|known| **known == *patterns);
        known.unwrap_or_else(|| {
            self.patterns.push(patterns.into());
            self.patterns.len() - 1
        })
    }

    /// Returns whether the patterns that were matched against options do not match those of a call either.
    fn are_still_unmatched(&self, known: &CallKey, call: &DataCall<'_>, budget: &Budget) -> bool {
        known.unseen.iter().all(|(option, number)| {
            let Some(Value::String(text)) = call.options.get(option) else { return false };
            if known.options.get(option).and_then(Value::as_str) == Some(&**text) {
                return true;
            }
            let mut unmatched = self.unmatched.borrow_mut();
            if unmatched.len() > MAX_STRINGS {
                unmatched.clear();
            }
            *unmatched.entry((*number, text.clone())).or_insert_with(|| {
                let patterns = self.patterns.get(*number).map_or(&[][..], |patterns| &**patterns);
                patterns.iter().all(|pattern| pattern.is_match_within(text, budget).is_ok_and(|found| !found))
            })
        })
    }
}

/// The arguments of a call.
struct CallKey {
    function: Str,
    kind: FunctionKind,
    module: Option<Str>,
    key: Option<Str>,
    options: Hash,
    /// Options that were only matched, with the index of the patterns that did not match them.
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

/// Returns the hash that is common to all answers that may fit a call.
fn call_hash(call: &DataCall<'_>, module: Option<&str>) -> u64 {
    let mut hasher = FixedState.build_hasher();
    (call.function, call.kind, module, key_of(call).map(|key| &**key)).hash(&mut hasher);
    // The location.
    call.options.get("path").hash(&mut hasher);
    hasher.finish()
}

impl CallKey {
    fn new(call: &DataCall<'_>, module: Option<&str>, unseen: Vec<(Str, usize)>) -> CallKey {
        CallKey {
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

/// The result of a call.
struct CachedAnswer {
    questions: Vec<Dependency>,
    /// The values that it cached for the next call at the same location.
    kept: Vec<(Value, Value)>,
    /// The value, or `None` if the key was not found.
    value: Option<Value>,
}

/// A read of a function, with its result.
enum Dependency {
    /// The state of a file.
    File(PathBuf, FileState),
    /// A read of the location's cache, which had no such key.
    Kept(Value),
    /// A value with its `%{...}` resolved.
    Interpolated(Value, Value),
}

impl CachedAnswer {
    /// Returns whether all reads would have the same result now.
    fn holds(&self, context: &mut dyn DataContext) -> bool {
        self.questions.iter().all(|question| match question {
            Dependency::File(path, then) => then.holds(&context.see(path)),
            Dependency::Kept(key) => context.cache().get(key).is_none(),
            Dependency::Interpolated(value, then) => context.interpolate(value).is_ok_and(|now| now == *then),
            // A cached answer depends on no secret, and would not be marked as one.
        }) && !context.has_read_secret()
    }

    fn replay(&self, context: &dyn DataContext) -> DataAnswer {
        for (key, value) in &self.kept {
            context.cache().put(key.clone(), value.clone());
        }
        self.value.clone().map_or(DataAnswer::NotFound, DataAnswer::Found)
    }

    /// Returns the approximate size in bytes, or `None` if it exceeds the limit.
    fn size(&self) -> Option<usize> {
        let mut left = MAX_ANSWER_SIZE;
        for question in &self.questions {
            left = left.checked_sub(64)?;
            match question {
                Dependency::File(path, _) => left = left.checked_sub(path.as_os_str().len())?,
                Dependency::Kept(key) => subtract_size(key, &mut left)?,
                Dependency::Interpolated(value, then) => {
                    [value, then].into_iter().try_for_each(|one| subtract_size(one, &mut left))?
                }
            }
        }
        let kept = self.kept.iter().flat_map(|(key, value)| [key, value]);
        kept.chain(&self.value).try_for_each(|value| subtract_size(value, &mut left))?;
        Some(size_of::<(CallKey, CachedAnswer)>() + MAX_ANSWER_SIZE - left)
    }
}

/// Subtracts the size of a value from the budget, or returns `None` if it is exceeded.
fn subtract_size(value: &Value, left: &mut usize) -> Option<()> {
    let own = match value {
        Value::String(text) => text.len(),
        Value::Array(elements) => {
            elements.iter().try_for_each(|element| subtract_size(element, left))?;
            0
        }
        Value::Hash(pairs) => {
            pairs.iter().flat_map(|(key, value)| [key, value]).try_for_each(|one| subtract_size(one, left))?;
            0
        }
        _ => 0,
    };
    *left = left.checked_sub(size_of::<Value>() + own)?;
    Some(())
}

/// A recorder of the dependencies of a running call.
#[derive(Default)]
pub(super) struct DependencyRecorder {
    questions: RefCell<Vec<Dependency>>,
    kept: RefCell<Vec<(Value, Value)>>,
    /// Options that it did not look at, with patterns that do not match them.
    unseen: RefCell<Vec<(Str, Vec<Regexp>)>>,
    /// Whether the answer may depend on something that is not recorded.
    is_untracked: Cell<bool>,
}

impl DependencyRecorder {
    /// Records the state of a file.
    pub fn file(&self, path: &Path, seen: FileState) {
        let is_it = |question: &Dependency| matches!(question, Dependency::File(other, _) if other == path);
        if !self.questions.borrow().iter().any(is_it) {
            self.record(&self.questions, || Dependency::File(path.to_owned(), seen));
        }
    }

    /// Records an interpolated value.
    pub fn interpolated(&self, value: &Value, result: &Value) {
        if has_expression(value) {
            self.record(&self.questions, || Dependency::Interpolated(value.clone(), result.clone()));
        }
    }

    /// Records a read of the cache under a key.
    pub fn kept(&self, key: &Value, kept: Option<&Value>) {
        match kept {
            // Few do so, and it may be large.
            Some(_) => self.mark_untracked(),
            None => self.record(&self.questions, || Dependency::Kept(key.clone())),
        }
    }

    /// Records a write to the cache.
    pub fn keep(&self, key: &Value, value: &Value) {
        self.record(&self.kept, || (key.clone(), value.clone()));
    }

    /// Records an option that influenced the answer only because patterns do not match it.
    pub fn unseen(&self, option: &str, patterns: Vec<Regexp>) {
        match patterns.len() {
            ..=MAX_PATTERNS => self.unseen.borrow_mut().push((option.into(), patterns)),
            _ => self.mark_untracked(),
        }
    }

    /// Records a dependency that cannot be compared.
    pub fn mark_untracked(&self) {
        self.is_untracked.set(true);
    }

    /// Returns the number of recorded dependencies, or `None` if the answer may depend on something that is not
    /// recorded.
    pub fn count(&self) -> Option<usize> {
        let all = [self.questions.borrow().len(), self.kept.borrow().len(), self.unseen.borrow().len()];
        (!self.is_untracked.get()).then(|| all.iter().sum())
    }

    fn record<T>(&self, list: &RefCell<Vec<T>>, action: impl FnOnce() -> T) {
        let mut list = list.borrow_mut();
        match list.len() {
            _ if self.is_untracked.get() => {}
            MAX_DEPENDENCIES.. => self.mark_untracked(),
            _ => list.push(action()),
        }
    }

    fn dependencies(&self) -> Option<Vec<Dependency>> {
        (!self.is_untracked.get()).then(|| self.questions.take())
    }
}

/// The number of dependencies from which comparing them would take as long as the call.
const MAX_DEPENDENCIES: usize = 32;
