//! [`Str`]: a string, which can change, with its encoding. => [`Str`]: a mutable string with its encoding.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::sync::Arc;

use super::{Generation, Marks};

/// The content of a string.
#[derive(Clone, Debug)]
pub(crate) enum Text {
    /// Shared with the tree, or with a value of Puppet: not copied until it changes.
    Shared(Arc<str>),
    Owned(String),
    /// Bytes that are not valid UTF-8.
    Bytes(Vec<u8>),
}

/// The encoding of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Binary,
    Ascii,
    Latin1,
}

impl Encoding {
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Binary => "ASCII-8BIT",
            Encoding::Ascii => "US-ASCII",
            Encoding::Latin1 => "ISO-8859-1",
        }
    }

    pub fn find(name: &str) -> Option<Encoding> {
        Some(match name.to_ascii_uppercase().as_str() {
            "UTF-8" | "UTF8" => Encoding::Utf8,
            "ASCII-8BIT" | "BINARY" => Encoding::Binary,
            "US-ASCII" | "ASCII" => Encoding::Ascii,
            "ISO-8859-1" | "LATIN1" | "ISO8859-1" => Encoding::Latin1,
            _ => return None,
        })
    }
}

/// A string.
#[derive(Debug)]
pub(crate) struct Str {
    text: RefCell<Text>,
    /// True while the string is watched and has not been observed.
    is_unobserved: Cell<bool>,
    pub frozen: Cell<bool>,
    pub generation: Generation,
    pub encoding: Cell<Encoding>,
    marks: RefCell<Marks>,
}

impl Str {
    pub fn new(text: Text) -> Str {
        Str {
            text: RefCell::new(text),
            is_unobserved: Cell::new(false),
            frozen: Cell::new(false),
            generation: Generation::current(),
            encoding: Cell::new(Encoding::Utf8),
            marks: RefCell::default(),
        }
    }

    /// Returns the parts that were computed from secrets.
    pub fn marks(&self) -> Marks {
        self.marks.borrow().clone()
    }

    /// Returns whether any part is marked.
    #[inline]
    pub fn is_marked(&self) -> bool {
        !self.marks.borrow().is_empty()
    }

    pub fn set_marks(&self, marks: Marks) {
        *self.marks.borrow_mut() = marks;
    }

    /// Adds the marks of a string that was appended at the offset `start`.
    pub fn add_marks(&self, marks: &Marks, start: usize) {
        self.marks.borrow_mut().add_all(marks, start);
    }

    /// Marks everything from the offset `start` on.
    pub fn mark_from(&self, start: usize) {
        let end = self.len_bytes();
        self.marks.borrow_mut().add(start..end);
    }

    pub fn shared(text: Arc<str>) -> Str {
        Str::new(Text::Shared(text))
    }

    /// Starts to record whether code reads the string.
    pub fn watch(&self) {
        self.is_unobserved.set(true);
    }

    /// Returns whether the string is watched and code has not read it.
    pub fn is_unobserved(&self) -> bool {
        self.is_unobserved.get()
    }

    /// Returns the string without recording a read. Use it only for failed matches.
    pub fn peek(&self) -> Arc<str> {
        let is_unobserved = self.is_unobserved.get();
        let text = self.to_arc();
        self.is_unobserved.set(is_unobserved);
        text
    }

    /// Returns the content, and marks the string as observed.
    #[inline]
    fn observe(&self) -> &RefCell<Text> {
        self.is_unobserved.set(false);
        &self.text
    }

    /// Returns a copy of the string, with replacement characters for invalid bytes.
    pub fn text(&self) -> Cow<'_, str> {
        // A `Cow` cannot borrow through a `Ref`, so the string is copied: callers that only read it use `with`.
        Cow::Owned(self.with(str::to_owned))
    }

    /// Passes the string to a function, with replacement characters for invalid bytes.
    pub fn with<T>(&self, look: impl FnOnce(&str) -> T) -> T {
        match &*self.observe().borrow() {
            Text::Shared(text) => look(text),
            Text::Owned(text) => look(text),
            Text::Bytes(bytes) => look(&String::from_utf8_lossy(bytes)),
        }
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> Ref<'_, [u8]> {
        Ref::map(self.observe().borrow(), |text| match text {
            Text::Shared(text) => text.as_bytes(),
            Text::Owned(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        })
    }

    /// Returns whether the bytes are valid in the encoding.
    pub fn is_valid(&self) -> bool {
        match self.encoding.get() {
            Encoding::Binary | Encoding::Latin1 => true,
            Encoding::Ascii => self.bytes().is_ascii(),
            Encoding::Utf8 => !matches!(&*self.observe().borrow(), Text::Bytes(_)),
        }
    }

    /// Returns whether each character is one byte.
    pub fn is_bytewise(&self) -> bool {
        self.encoding.get() != Encoding::Utf8
    }

    pub fn len_bytes(&self) -> usize {
        self.bytes().len()
    }

    /// Returns the string in shared storage, without a copy if it is shared already.
    pub fn to_arc(&self) -> Arc<str> {
        match &*self.observe().borrow() {
            Text::Shared(text) => text.clone(),
            Text::Owned(text) => text.as_str().into(),
            Text::Bytes(bytes) => String::from_utf8_lossy(bytes).into(),
        }
    }

    /// Replaces the content, and removes all marks.
    pub fn set(&self, text: String) {
        *self.marks.borrow_mut() = Marks::default();
        *self.observe().borrow_mut() = Text::Owned(text);
    }

    /// Replaces the content by bytes.
    pub fn set_bytes(&self, bytes: Vec<u8>) {
        *self.marks.borrow_mut() = Marks::default();
        *self.observe().borrow_mut() = match String::from_utf8(bytes) {
            Ok(text) => Text::Owned(text),
            Err(error) => Text::Bytes(error.into_bytes()),
        };
    }

    /// Appends a string.
    pub fn push(&self, added: &str) {
        let mut text = self.observe().borrow_mut();
        match &mut *text {
            Text::Owned(text) => text.push_str(added),
            Text::Bytes(bytes) => bytes.extend_from_slice(added.as_bytes()),
            Text::Shared(before) => {
                let mut grown = String::with_capacity(before.len() + added.len());
                grown.push_str(before);
                grown.push_str(added);
                *text = Text::Owned(grown);
            }
        }
    }

    /// Appends a string with marks.
    pub fn push_marked(&self, added: &str, marks: &Marks) {
        if !marks.is_empty() {
            let by = self.len_bytes();
            self.marks.borrow_mut().add_all(marks, by);
        }
        self.push(added);
    }

    /// Appends another string, which may be this one.
    pub fn push_str(&self, other: &Str) {
        if other.is_marked() {
            let (added, by) = (other.marks(), self.len_bytes());
            self.marks.borrow_mut().add_all(&added, by);
        }
        let added = match &*other.observe().borrow() {
            Text::Bytes(bytes) => Err(bytes.clone()),
            Text::Shared(text) => Ok(text.clone()),
            Text::Owned(text) if !std::ptr::eq(self, other) => {
                self.push(text);
                return;
            }
            Text::Owned(text) => Ok(text.as_str().into()),
        };
        match added {
            Ok(text) => self.push(&text),
            Err(bytes) => {
                let mut all = self.bytes().to_vec();
                all.extend(bytes);
                let marks = self.marks();
                self.set_bytes(all);
                self.set_marks(marks);
            }
        }
    }
}

impl Clone for Str {
    fn clone(&self) -> Str {
        Str {
            text: RefCell::new(self.observe().borrow().clone()),
            is_unobserved: Cell::new(false),
            frozen: Cell::new(false),
            generation: Generation::current(),
            encoding: Cell::new(self.encoding.get()),
            marks: RefCell::new(self.marks()),
        }
    }
}
