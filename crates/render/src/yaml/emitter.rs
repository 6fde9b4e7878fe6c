//! libyaml's emitter, behind a safe face.
#![allow(unsafe_code)]
// unsafe-libyaml is a translation of the C library, called through raw pointers as C calls it. All such calls of this
// crate are in this file; they rest on four facts. The emitter is initialised before anything else touches it and deleted
// once. An event is initialised, then given to `yaml_emitter_emit`, which frees it whether it succeeds or not. Texts are
// copied when the event is made, so no pointer to them is kept. The output lives as long as the emitter that writes to it.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr;

use unsafe_libyaml::*;

use crate::Error;

/// The style that a scalar should have, if it can.
#[derive(Clone, Copy, Debug)]
pub(super) enum Style {
    /// The emitter's choice: plain where that is possible.
    Any,
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

/// Writes one document, event by event.
pub(super) struct Emitter {
    /// Allocated by [`Emitter::new`], freed by `drop`.
    emitter: *mut yaml_emitter_t,
    /// What was written; allocated and freed likewise. Only the write handler and [`Emitter::finish`] use it.
    output: *mut Vec<u8>,
}

impl Emitter {
    /// An emitter set up as Psych sets it up: UTF-8, two columns of indentation, lines of 80 columns.
    pub(super) fn new() -> Result<Emitter, Error> {
        let mut raw = Box::new(MaybeUninit::<yaml_emitter_t>::uninit());
        // Safety: the memory is valid for writing; initialising fails before it allocates, or not at all.
        if !unsafe { yaml_emitter_initialize(raw.as_mut_ptr()) }.ok {
            return Err(Error::Emitter);
        }
        let emitter = Box::into_raw(raw).cast::<yaml_emitter_t>();
        let mut this = Emitter { emitter, output: Box::into_raw(Box::default()) };
        // Safety: the emitter was just initialised, and `write` gets the pointer that it expects.
        unsafe {
            yaml_emitter_set_output(this.emitter, write, this.output.cast());
            yaml_emitter_set_unicode(this.emitter, true);
            yaml_emitter_set_indent(this.emitter, 2);
        }
        // Safety: see `emit`.
        unsafe {
            this.emit(|event| yaml_stream_start_event_initialize(event, YAML_UTF8_ENCODING).ok)?;
            this.emit(|event| {
                yaml_document_start_event_initialize(event, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), false).ok
            })?;
        }
        Ok(this)
    }

    /// Ends the document and gives its text.
    pub(super) fn finish(mut self) -> Result<String, Error> {
        // Safety: see `emit`.
        unsafe {
            self.emit(|event| yaml_document_end_event_initialize(event, true).ok)?;
            self.emit(|event| yaml_stream_end_event_initialize(event).ok)?;
        }
        // Safety: the emitter writes only within `emit`, so nothing else refers to the output now.
        let output = std::mem::take(unsafe { &mut *self.output });
        // The emitter writes nothing but what it was given as text, so this does not fail.
        String::from_utf8(output).map_err(|_| Error::Emitter)
    }

    /// A scalar that is plain by itself: a number, a boolean, a symbol. Where it cannot be plain it is quoted and gets
    /// the tag `!`.
    pub(super) fn plain(&mut self, text: &str) -> Result<(), Error> {
        self.scalar(text, None, Style::Any, true, false)
    }

    /// A scalar. `plain` and `quoted` say whether the tag may be left out in plain style and in the other styles.
    pub(super) fn scalar(
        &mut self,
        text: &str,
        tag: Option<&CStr>,
        style: Style,
        plain: bool,
        quoted: bool,
    ) -> Result<(), Error> {
        let length = i32::try_from(text.len()).map_err(|_| Error::TooLong)?;
        let style = match style {
            Style::Any => YAML_ANY_SCALAR_STYLE,
            Style::Plain => YAML_PLAIN_SCALAR_STYLE,
            Style::SingleQuoted => YAML_SINGLE_QUOTED_SCALAR_STYLE,
            Style::DoubleQuoted => YAML_DOUBLE_QUOTED_SCALAR_STYLE,
            Style::Literal => YAML_LITERAL_SCALAR_STYLE,
        };
        // Safety: see `emit`; the text has `length` bytes.
        unsafe {
            self.emit(|event| {
                let (text, tag) = (text.as_ptr(), pointer(tag));
                yaml_scalar_event_initialize(event, ptr::null(), tag, text, length, plain, quoted, style).ok
            })
        }
    }

    /// The first of the elements that follow until [`Emitter::end_sequence`] begins here.
    pub(super) fn start_sequence(&mut self, anchor: Option<usize>) -> Result<(), Error> {
        let anchor = anchor.map(Anchor::new);
        // Safety: see `emit`.
        unsafe {
            self.emit(|event| {
                let anchor = Anchor::pointer(&anchor);
                yaml_sequence_start_event_initialize(event, anchor, ptr::null(), true, YAML_BLOCK_SEQUENCE_STYLE).ok
            })
        }
    }

    pub(super) fn end_sequence(&mut self) -> Result<(), Error> {
        // Safety: see `emit`.
        unsafe { self.emit(|event| yaml_sequence_end_event_initialize(event).ok) }
    }

    /// The first of the keys and values that follow until [`Emitter::end_mapping`] begins here.
    pub(super) fn start_mapping(&mut self, anchor: Option<usize>, tag: Option<&CStr>) -> Result<(), Error> {
        let anchor = anchor.map(Anchor::new);
        // Safety: see `emit`.
        unsafe {
            self.emit(|event| {
                let (anchor, implicit) = (Anchor::pointer(&anchor), tag.is_none());
                yaml_mapping_start_event_initialize(event, anchor, pointer(tag), implicit, YAML_BLOCK_MAPPING_STYLE).ok
            })
        }
    }

    pub(super) fn end_mapping(&mut self) -> Result<(), Error> {
        // Safety: see `emit`.
        unsafe { self.emit(|event| yaml_mapping_end_event_initialize(event).ok) }
    }

    /// A reference to the collection with this anchor.
    pub(super) fn alias(&mut self, number: usize) -> Result<(), Error> {
        let anchor = Some(Anchor::new(number));
        // Safety: see `emit`.
        unsafe { self.emit(|event| yaml_alias_event_initialize(event, Anchor::pointer(&anchor)).ok) }
    }

    /// Emits the event that `make` initialises.
    ///
    /// # Safety
    ///
    /// `make` must initialise the event with one of libyaml's functions, with pointers that are null or valid during
    /// the call, and return whether that succeeded.
    unsafe fn emit(&mut self, make: impl FnOnce(*mut yaml_event_t) -> bool) -> Result<(), Error> {
        let mut event = MaybeUninit::uninit();
        if !make(event.as_mut_ptr()) {
            return Err(Error::Emitter);
        }
        // Safety: the emitter is initialised, and so is the event, which the emitter takes over.
        if unsafe { yaml_emitter_emit(self.emitter, event.as_mut_ptr()) }.ok { Ok(()) } else { Err(Error::Emitter) }
    }
}

impl Drop for Emitter {
    fn drop(&mut self) {
        // Safety: both pointers come from `Box::into_raw`, and the emitter was initialised.
        unsafe {
            yaml_emitter_delete(self.emitter);
            drop(Box::from_raw(self.emitter.cast::<MaybeUninit<yaml_emitter_t>>()));
            drop(Box::from_raw(self.output));
        }
    }
}

/// Takes what the emitter has written so far.
///
/// # Safety
///
/// `output` must be [`Emitter::output`], and `text` must point to `size` bytes.
unsafe fn write(output: *mut std::ffi::c_void, text: *mut u8, size: u64) -> i32 {
    let Ok(size) = usize::try_from(size) else { return 0 };
    // Safety: the caller's duty, above.
    unsafe {
        let output = &mut *output.cast::<Vec<u8>>();
        output.extend_from_slice(std::slice::from_raw_parts(text, size));
    }
    1
}

/// An anchor's name, as C wants it.
struct Anchor(String);

impl Anchor {
    fn new(number: usize) -> Anchor {
        Anchor(format!("{number}\0"))
    }

    fn pointer(anchor: &Option<Anchor>) -> *const u8 {
        anchor.as_ref().map_or(ptr::null(), |anchor| anchor.0.as_ptr())
    }
}

fn pointer(text: Option<&CStr>) -> *const u8 {
    text.map_or(ptr::null(), |text| text.as_ptr().cast())
}
