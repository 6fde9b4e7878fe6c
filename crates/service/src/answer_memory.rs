//! Limits the memory for answers that are computed but not yet sent: for each answer, and for all together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;
use serde_json::Value as Json;

use crate::problem::Problem;

/// The maximum size of one answer, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// The maximum size of all answers that clients have not yet received, in bytes.
const MAX_TOTAL_BYTES: usize = 256 << 20;

/// The room that an answer takes, from when it is made until its last byte is sent.
pub(crate) struct MemoryReservation {
    all: Arc<AtomicUsize>,
    reserved: usize,
}

impl MemoryReservation {
    pub(crate) fn new(all: &Arc<AtomicUsize>) -> MemoryReservation {
        MemoryReservation { all: all.clone(), reserved: 0 }
    }

    /// Takes room for an answer that has become larger.
    ///
    /// # Errors
    /// An answer that is too large, or too many of them.
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<(), Problem> {
        self.reserved += bytes;
        let all = self.all.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if self.reserved > MAX_BYTES {
            let detail = format!("the answer is larger than {} MiB", MAX_BYTES >> 20);
            return Err(Problem::bad_request(detail).help("request fewer keys at once"));
        }
        if all > MAX_TOTAL_BYTES {
            return Err(Problem::unavailable("too many large answers are in flight"));
        }
        Ok(())
    }

    /// The answer as it is sent. Its room is free once nothing of it is left.
    ///
    /// # Errors
    /// As [`grow`](Self::grow).
    pub(crate) fn into_bytes(mut self, answer: Vec<u8>) -> Result<Bytes, Problem> {
        self.grow(answer.len().saturating_sub(self.reserved))?;
        Ok(Bytes::from_owner(ReservedAnswer { answer, _room: self }))
    }
}

impl Drop for MemoryReservation {
    fn drop(&mut self) {
        self.all.fetch_sub(self.reserved, Ordering::Relaxed);
    }
}

/// An answer with its room.
struct ReservedAnswer {
    answer: Vec<u8>,
    _room: MemoryReservation,
}

impl AsRef<[u8]> for ReservedAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}

/// Returns a lower bound for the size of a value as JSON, in bytes.
pub(crate) fn min_json_bytes(value: &Json) -> usize {
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
    fn memory_is_released_with_the_last_part_of_an_answer() {
        let all = Arc::default();
        let mut room = MemoryReservation::new(&all);
        room.grow(10).unwrap();
        let bytes = room.into_bytes(vec![b'a'; 100]).unwrap();
        let part = bytes.slice(..3);
        drop(bytes);
        assert_eq!(all.load(Ordering::Relaxed), 100);
        drop(part);
        assert_eq!(all.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn single_and_total_answer_sizes_are_limited() {
        let all = Arc::default();
        assert_eq!(MemoryReservation::new(&all).grow(MAX_BYTES + 1).unwrap_err().status, 400);
        let rooms: Vec<MemoryReservation> = (0..4)
            .map(|_| {
                let mut room = MemoryReservation::new(&all);
                room.grow(MAX_BYTES).unwrap();
                room
            })
            .collect();
        assert_eq!(MemoryReservation::new(&all).grow(1).unwrap_err().status, 503);
        drop(rooms);
        assert_eq!(all.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn the_json_size_is_a_lower_bound() {
        let value = serde_json::json!({"key": ["text", 1, null], "other": {}});
        assert!(min_json_bytes(&value).abs_diff(value.to_string().len()) < 10);
    }
}
