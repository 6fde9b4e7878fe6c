//! Changes of tokens by the fixes of rules, and the resulting manifest.

use std::borrow::Cow;

use super::Manifest;
use crate::kind::Kind;
use crate::token::{Id, Token, written};

impl<'s> Manifest<'s> {
    /// The place of a token in the file.
    pub(crate) fn place(&self, id: Id) -> Option<usize> {
        // Most tokens have moved little: the search begins where the token was, and goes both ways.
        let at = id.min(self.order.len());
        let (before, after) = self.order.split_at(at);
        let (mut before, mut after) = (before.iter().rev(), after.iter());
        for distance in 0.. {
            match (after.next(), before.next()) {
                (Some(other), _) if *other == id => return Some(at + distance),
                (_, Some(other)) if *other == id => return Some(at - distance - 1),
                (None, None) => return None,
                _ => {}
            }
        }
        None
    }

    /// The token at a place.
    pub(crate) fn at(&self, place: usize) -> Option<Id> {
        self.order.get(place).copied()
    }

    /// The last token.
    pub(crate) fn last(&self) -> Option<Id> {
        self.order.last().copied()
    }

    /// A token, to be changed.
    pub(crate) fn token_mut(&mut self, id: Id) -> &mut Token<'s> {
        &mut self.tokens[id]
    }

    /// Sets the kind of a token.
    pub(crate) fn set_kind(&mut self, id: Id, kind: Kind) {
        self.tokens[id].kind = kind;
    }

    /// Sets the text of a token.
    pub(crate) fn set_value(&mut self, id: Id, value: impl Into<Cow<'s, str>>) {
        self.tokens[id].value = value.into();
    }

    /// A new token, which is at no place yet.
    pub(crate) fn create(&mut self, kind: Kind, value: impl Into<Cow<'s, str>>) -> Id {
        self.tokens.push(Token::new(kind, value));
        self.tokens.len() - 1
    }

    /// Puts a token at a place, without neighbors.
    pub(crate) fn insert_plain(&mut self, place: usize, id: Id) {
        self.order.insert(place.min(self.order.len()), id);
    }

    /// Removes a token from its place, but not from its neighbors.
    pub(crate) fn remove_plain(&mut self, id: Id) {
        if let Some(place) = self.place(id) {
            self.order.remove(place);
        }
    }

    /// Moves tokens from a range of places to another place.
    pub(crate) fn take(&mut self, places: std::ops::Range<usize>) -> Vec<Id> {
        let end = places.end.min(self.order.len());
        self.order.drain(places.start.min(end)..end).collect()
    }

    /// Inserts a token, and links it with its neighbors.
    pub(crate) fn insert(&mut self, place: usize, id: Id) {
        let current = match place.checked_sub(1) {
            Some(before) => self.at(before),
            // Puppet-lint counts from the end then.
            None => self.last(),
        };
        let Some(current) = current else { return self.insert_plain(place, id) };
        let after = self.tokens[current].next;
        self.tokens[id].next = after;
        self.tokens[id].prev = Some(current);
        if let Some(after) = after {
            self.tokens[after].prev = Some(id);
        }
        let is_code = |manifest: &Self, other: &Id| !manifest.tokens[*other].kind.is_formatting();
        if is_code(self, &id) {
            if let Some(after) = after {
                self.tokens[after].prev_code = Some(id);
            }
            let next_code =
                self.order[place.min(self.order.len())..].iter().copied().find(|other| is_code(self, other));
            if let Some(next_code) = next_code {
                self.tokens[id].next_code = Some(next_code);
                self.tokens[next_code].prev_code = Some(id);
            }
        }
        if is_code(self, &current) {
            self.tokens[id].prev_code = Some(current);
        } else {
            let before =
                self.order[..place.min(self.order.len())].iter().rev().copied().find(|other| is_code(self, other));
            if let Some(before) = before {
                self.tokens[id].prev_code = Some(before);
                self.tokens[before].next_code = Some(id);
            }
        }
        self.tokens[current].next = Some(id);
        if is_code(self, &id) {
            self.tokens[current].next_code = Some(id);
        }
        self.insert_plain(place, id);
    }

    /// Removes a token, and links its neighbors.
    pub(crate) fn remove(&mut self, id: Id) {
        let Token { kind, next, prev, next_code, prev_code, .. } = self.tokens[id];
        if let Some(next) = next {
            self.tokens[next].prev = prev;
        }
        if let Some(prev) = prev {
            self.tokens[prev].next = next;
        }
        if !kind.is_formatting() {
            if let Some(prev_code) = prev_code {
                self.tokens[prev_code].next_code = next_code;
            }
            if let Some(next_code) = next_code {
                self.tokens[next_code].prev_code = prev_code;
            }
        }
        self.remove_plain(id);
    }

    /// The text of the manifest.
    pub(crate) fn text(&self) -> String {
        let mut out = String::with_capacity(self.source.len());
        for id in &self.order {
            out.extend(written(&self.tokens, *id));
        }
        out
    }

    /// The number of characters of a token as written.
    pub(crate) fn written_length(&self, id: Id) -> i64 {
        let length = |part: &str| i64::try_from(part.chars().count()).unwrap_or(0);
        written(&self.tokens, id).into_iter().map(length).sum()
    }
}
