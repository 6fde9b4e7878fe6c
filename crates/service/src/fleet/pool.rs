//! [`Pool`]: interns the keys, values and files of all nodes. Each is stored once and has an id.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use hieratic::value::ids::{IndexVec, Interner, TooManyIds};

use super::ids::{AnswerId, AnswerPieceId, FilePieceId, KeyId, PathId, ValueId, VariableId};
use super::lists::Lists;
use super::template::{Extractor, Template};

/// The answer to one key on some nodes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct PooledAnswer {
    pub(super) key: KeyId,
    /// JSON on one line, with redacted secrets; or the message of an error.
    pub(super) template: Template,
    pub(super) is_error: bool,
    /// The position of its first part: the file and the line.
    pub(super) position: Option<(PathId, u32)>,
}

/// The interned strings and lists of all nodes. It only grows, so that ids stay valid from one index to the next.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) keys: Interner<KeyId, Arc<str>>,
    /// The variables of placeholders, and their values.
    pub(super) variables: Interner<VariableId, Arc<str>>,
    values: Interner<ValueId, Arc<str>>,
    pub(super) paths: Interner<PathId, Arc<Path>>,
    strings: HashSet<Arc<str>>,
    pub(super) answers: Interner<AnswerId, PooledAnswer>,
    /// The answers of nodes.
    pub(super) answer_lists: Lists<AnswerPieceId, AnswerId>,
    /// The files that nodes read.
    pub(super) file_lists: Lists<FilePieceId, PathId>,
    bytes: usize,
}

/// The approximate overhead of an entry of a table, in bytes.
const ENTRY_BYTES: usize = 48;

impl Pool {
    /// Returns the approximate size of the pool, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.answer_lists.bytes() + self.file_lists.bytes()
    }

    pub(super) fn key_id(&mut self, key: &str) -> Result<KeyId, TooManyIds> {
        let interned = self.keys.intern(key, Arc::from)?;
        Ok(self.count(interned, key.len()))
    }

    pub(super) fn variable_id(&mut self, name: &str) -> Result<VariableId, TooManyIds> {
        let interned = self.variables.intern(name, Arc::from)?;
        Ok(self.count(interned, name.len()))
    }

    /// Returns the id of a value of a placeholder.
    pub(super) fn value_id(&mut self, value: &str) -> Result<ValueId, TooManyIds> {
        let interned = self.values.intern(value, Arc::from)?;
        Ok(self.count(interned, value.len()))
    }

    /// Returns the values of placeholders.
    pub(super) fn values(&self) -> IndexVec<ValueId, Arc<str>> {
        self.values.map(Arc::clone)
    }

    pub(super) fn path_id(&mut self, path: &Path) -> Result<PathId, TooManyIds> {
        let interned = self.paths.intern(path, Arc::from)?;
        Ok(self.count(interned, path.as_os_str().len()))
    }

    /// Counts the memory of a new value, which has a length in bytes, and returns its id.
    fn count<I>(&mut self, (id, is_new): (I, bool), length: usize) -> I {
        if is_new {
            self.bytes += length + ENTRY_BYTES;
        }
        id
    }

    /// Interns a string.
    pub(super) fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.strings.get(text) {
            return known.clone();
        }
        let result: Arc<str> = text.into();
        self.bytes += text.len() + ENTRY_BYTES;
        self.strings.insert(result.clone());
        result
    }

    /// Returns the id of an answer. `extractor` replaces values in its text by placeholders.
    pub(super) fn answer_id(
        &mut self,
        key: KeyId,
        text: &str,
        extractor: Option<&Extractor>,
        is_error: bool,
        position: Option<(&Path, u32)>,
    ) -> Result<AnswerId, TooManyIds> {
        let template = match extractor.and_then(|extractor| extractor.extract(text)) {
            Some((literal, placeholders)) => Template::with_placeholders(self.intern(&literal), &placeholders),
            None => Template::from_literal(self.intern(text)),
        };
        self.pooled(key, template, is_error, position)
    }

    /// Returns the id of an answer with placeholders: pairs of offset and variable.
    pub(super) fn template_id(
        &mut self,
        key: KeyId,
        literal: &str,
        placeholders: &[(u32, VariableId)],
        position: Option<(&Path, u32)>,
    ) -> Result<AnswerId, TooManyIds> {
        let template = Template::with_placeholders(self.intern(literal), placeholders);
        self.pooled(key, template, false, position)
    }

    fn pooled(
        &mut self,
        key: KeyId,
        template: Template,
        is_error: bool,
        position: Option<(&Path, u32)>,
    ) -> Result<AnswerId, TooManyIds> {
        let position = match position {
            Some((path, line)) => Some((self.path_id(path)?, line)),
            None => None,
        };
        let answer = PooledAnswer { key, template, is_error, position };
        let (id, is_new) = self.answers.intern(&answer, PooledAnswer::clone)?;
        if is_new {
            self.bytes += size_of::<PooledAnswer>() + answer.template.placeholder_bytes() + ENTRY_BYTES;
        }
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_have_one_id() {
        let mut pool = Pool::default();
        let (one, other) = (pool.key_id("a").unwrap(), pool.key_id("b").unwrap());
        assert_eq!((pool.key_id("a").unwrap(), pool.keys.len()), (one, 2));
        let place = Some((Path::new("a.yaml"), 1));
        let answer = pool.answer_id(one, "1", None, false, place).unwrap();
        let bytes = pool.bytes();
        assert_eq!(pool.answer_id(one, "1", None, false, place).unwrap(), answer);
        assert_eq!(pool.bytes(), bytes);
        assert_ne!(pool.answer_id(other, "1", None, false, place).unwrap(), answer);
        assert_ne!(pool.answer_id(one, "1", None, false, None).unwrap(), answer);
        assert_ne!(pool.answer_id(one, "1", None, true, place).unwrap(), answer);
    }

    #[test]
    fn answers_that_differ_in_a_variable_share_a_template() {
        let mut pool = Pool::default();
        let (key, variable) = (pool.key_id("a").unwrap(), pool.variable_id("fqdn").unwrap());
        let mut answer = |host: &str| {
            let extractor = Extractor::new(vec![(variable, host.to_string())]);
            pool.answer_id(key, &format!("at {host}"), extractor.as_ref(), false, None).unwrap()
        };
        assert_eq!(answer("web1"), answer("db01"));
    }
}
