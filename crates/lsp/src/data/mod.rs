//! Data of Hiera: values of keys, their other definitions, and completion.

pub(crate) mod actions;
pub(crate) mod complete;
pub(crate) mod cursor;
pub(crate) mod define;
pub(crate) mod highlights;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod lens;
pub(crate) mod markdown;
pub(crate) mod mentions;
pub(crate) mod moves;
pub(crate) mod secrets;
mod visibility;
