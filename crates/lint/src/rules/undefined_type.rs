//! # undefined-type
//!
//! A data type does not exist. (error)
//!
//! ## What is found
//!
//! A name with capital letters that is neither a type of the language, nor an alias, a resource type or a defined type.
//! The name of a module that is present is enough to be certain. Parameters that a type of the language does not
//! accept, such as `Integer[5, 1]`, are found, too, and so are parameters of a type alias, which has none.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails: `Resource type not found`.
//!
//! ## How to fix it
//!
//! Correct the name, or install the module that has the type.
//!
//! ## Example
//!
//! ```puppet
//! class profile::web (Strng $user = 'www') {
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! class profile::web (String $user = 'www') {
//! }
//! ```
//!
//! A comment `# hieratic: ignore undefined-type` on the same line or the line before accepts the finding.
