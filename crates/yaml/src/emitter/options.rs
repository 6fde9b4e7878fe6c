//! The differences between writers of YAML.

/// The layout of a document, and the writer to reproduce where writers differ.
///
/// The default is libyaml 0.2.5 with its default settings, writing all characters that it can.
///
/// ```
/// use hieratic_yaml::emitter::{Emitter, Options, Scalar};
///
/// let mut emitter = Emitter::new(Options { explicit_start: true, ..Options::default() });
/// emitter.scalar(&Scalar::implicit("8080"));
/// assert_eq!(emitter.finish(), "--- 8080\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The indentation of a level in columns, from 2 to 9. Any other number means 2.
    pub indent: usize,
    /// The column after which a line is folded at the first space. A number that is not more than twice the indentation
    /// means 80.
    pub width: usize,
    /// The characters that are written unescaped.
    pub characters: Characters,
    /// Whether `---` is written before the document.
    pub explicit_start: bool,
    /// Whether `...` is written after the document.
    pub explicit_end: bool,
    /// The documents that end with `...` even without [`explicit_end`](Self::explicit_end).
    pub end_mark: EndMark,
    /// Whether the document is written in the canonical form: everything in brackets, each element in a separate line,
    /// and every scalar in double quotes. The caller must set the tag of each node.
    pub canonical: bool,
    /// Whether a byte order mark at the beginning of a double-quoted string escapes all its characters, as in the ports
    /// of libyaml to Go, which test the beginning of the string instead of the character.
    pub mark_escapes_all: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            indent: 2,
            width: 80,
            characters: Characters::BasicPlane,
            explicit_start: false,
            explicit_end: false,
            end_mark: EndMark::KeptLines,
            canonical: false,
            mark_escapes_all: false,
        }
    }
}

/// The characters that are written unescaped. All others need double quotes and an escape. Tabs and control characters
/// are always escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Characters {
    /// Those of ASCII.
    Ascii,
    /// Those below U+10000. YAML allows the others too, but libyaml escapes them.
    BasicPlane,
    /// All that YAML allows.
    All,
}

impl Characters {
    /// Returns whether a character is written unescaped. Line breaks are, if the style can contain them.
    ///
    /// ```
    /// use hieratic_yaml::emitter::Characters;
    ///
    /// assert!(Characters::BasicPlane.contain('\u{e9}') && !Characters::Ascii.contain('\u{e9}'));
    /// assert!(Characters::All.contain('\u{1f600}') && !Characters::BasicPlane.contain('\u{1f600}'));
    /// ```
    #[must_use]
    pub fn contain(self, c: char) -> bool {
        match c {
            '\n' | ' '..='~' => true,
            '\u{feff}' => false,
            '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' => self != Characters::Ascii,
            '\u{10000}'.. => self == Characters::All,
            _ => false,
        }
    }
}

/// The documents that end with `...` even without an explicit end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndMark {
    /// Documents whose last block scalar keeps its empty lines (`|+`), as in libyaml since 0.2.
    KeptLines,
    /// Documents that are a plain scalar, as in libyaml before 0.2 and its ports to Go.
    PlainRoot,
}
