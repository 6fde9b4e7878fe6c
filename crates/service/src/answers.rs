//! Answers that are made and not yet taken: how large they may be, one and all together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;
use serde_json::Value as Json;

use crate::problem::Problem;

/// The maximum size of one answer, in bytes.
const MOST: usize = 64 << 20;

/// The maximum size of all answers that clients have not yet received, in bytes.
const MOST_OF_ALL: usize = 256 << 20;

/// The room that an answer takes, from when it is made until its last byte is sent.
pub(crate) struct Room {
    all: Arc<AtomicUsize>,
    taken: usize,
}

impl Room {
    pub(crate) fn new(all: &Arc<AtomicUsize>) -> Room {
        Room { all: all.clone(), taken: 0 }
    }

    /// Takes room for an answer that has become larger.
    ///
    /// # Errors
    /// An answer that is too large, or too many of them.
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<(), Problem> {
        self.taken += bytes;
        let all = self.all.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if self.taken > MOST {
            let detail = format!("the answer is larger than {} MiB", MOST >> 20);
            return Err(Problem::bad_request(detail).help("request fewer keys at once"));
        }
        if all > MOST_OF_ALL {
            return Err(Problem::unavailable("too many large answers are in flight"));
        }
        Ok(())
    }

    /// The answer as it is sent. Its room is free once nothing of it is left.
    ///
    /// # Errors
    /// As [`grow`](Self::grow).
    pub(crate) fn hold(mut self, answer: Vec<u8>) -> Result<Bytes, Problem> {
        self.grow(answer.len().saturating_sub(self.taken))?;
        Ok(Bytes::from_owner(Held { answer, _room: self }))
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.all.fetch_sub(self.taken, Ordering::Relaxed);
    }
}

/// An answer with its room.
struct Held {
    answer: Vec<u8>,
    _room: Room,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}

/// Returns a lower bound for the size of a value as JSON, in bytes.
pub(crate) fn weight(value: &Json) -> usize {
    let mut bytes = 0;
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        bytes += 2;
        match value {
            Json::String(text) => bytes += text.len(),
            Json::Array(elements) => waiting.extend(elements),
            Json::Object(pairs) => {
                for (key, value) in pairs {
                    bytes += key.len() + 2;
                    waiting.push(value);
                }
            }
            _ => bytes += 2,
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_free_again_once_an_answer_is_gone() {
        let all = Arc::default();
        let mut room = Room::new(&all);
        room.grow(10).unwrap();
        let bytes = room.hold(vec![b'a'; 100]).unwrap();
        let part = bytes.slice(..3);
        drop(bytes);
        assert_eq!(all.load(Ordering::Relaxed), 100);
        drop(part);
        assert_eq!(all.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn one_answer_and_all_of_them_have_a_limit() {
        let all = Arc::default();
        assert_eq!(Room::new(&all).grow(MOST + 1).unwrap_err().status, 400);
        let rooms: Vec<Room> = (0..4)
            .map(|_| {
                let mut room = Room::new(&all);
                room.grow(MOST).unwrap();
                room
            })
            .collect();
        assert_eq!(Room::new(&all).grow(1).unwrap_err().status, 503);
        drop(rooms);
        assert_eq!(all.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_value_weighs_what_it_is_as_json() {
        let value = serde_json::json!({"key": ["text", 1, null], "other": {}});
        assert!(weight(&value).abs_diff(value.to_string().len()) < 10);
    }
}
