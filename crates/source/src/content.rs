//! [`Content`]: the bytes of a source.

use std::sync::Arc;

/// The bytes of a source, which need not be UTF-8. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Content(ContentKind);

#[derive(Clone, Debug)]
enum ContentKind {
    Text(Arc<str>),
    /// Bytes that are not UTF-8, and the string that is shown for them.
    Bytes(Arc<(Vec<u8>, String)>),
}

impl Content {
    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            ContentKind::Text(text) => text.as_bytes(),
            ContentKind::Bytes(both) => &both.0,
        }
    }

    /// Returns the content as a string. Each byte that is not UTF-8 becomes a question mark, so that all offsets stay
    /// valid.
    ///
    /// ```
    /// # use hieratic_source::Content;
    /// assert_eq!(Content::from(b"a\xffb".to_vec()).text(), "a?b");
    /// ```
    pub fn text(&self) -> &str {
        match &self.0 {
            ContentKind::Text(text) => text,
            ContentKind::Bytes(both) => &both.1,
        }
    }

    /// Returns whether the content is valid UTF-8.
    pub fn is_text(&self) -> bool {
        matches!(self.0, ContentKind::Text(_))
    }
}

impl From<Arc<str>> for Content {
    fn from(text: Arc<str>) -> Content {
        Content(ContentKind::Text(text))
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Content {
        Content(ContentKind::Text(text.into()))
    }
}

impl From<String> for Content {
    fn from(text: String) -> Content {
        Content(ContentKind::Text(text.into()))
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Content {
        match String::from_utf8(bytes) {
            Ok(text) => Content::from(text),
            Err(error) => {
                let bytes = error.into_bytes();
                let shown = replace_invalid(&bytes);
                Content(ContentKind::Bytes(Arc::new((bytes, shown))))
            }
        }
    }
}

impl From<&[u8]> for Content {
    fn from(bytes: &[u8]) -> Content {
        match std::str::from_utf8(bytes) {
            Ok(text) => Content::from(text),
            Err(_) => Content::from(bytes.to_vec()),
        }
    }
}

fn replace_invalid(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        shown.push_str(chunk.valid());
        shown.extend(chunk.invalid().iter().map(|_| '?'));
    }
    shown
}
