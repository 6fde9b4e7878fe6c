//! Handlers of messages: one function for each type.

pub(crate) mod command;
mod language;
pub(crate) mod notification;
pub(crate) mod request;
