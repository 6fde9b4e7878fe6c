//! The engine as WebAssembly, for browsers and Node.
//!
//! `packaging/web/build` builds two modules from this crate. The larger one is the command over files in memory: its
//! exports take their arguments, files and streams from WASI, which `package/lib/wasi.mjs` provides, so that every
//! answer equals the command's. The other one, without the feature `command`, has only [lookups]. `exports.rs` has the
//! functions that JavaScript calls.

#[cfg(feature = "command")]
pub mod editor;
#[cfg(target_os = "wasi")]
mod exports;
pub mod lookups;
