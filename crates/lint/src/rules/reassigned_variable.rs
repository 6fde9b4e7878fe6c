//! # reassigned-variable
//!
//! A variable is set a second time. (error)
//!
//! ## What is found
//!
//! An assignment to a parameter, to `$facts`, `$trusted`, and in classes and defined types `$title` or `$name`, or to a
//! variable that the code before it always sets. Variables in different branches are different cases.
//!
//! A variable that is set below a condition with `defined` is not judged.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Use another name, or set the variable once with a selector, `if` or `case` as its value.
//!
//! ## Example
//!
//! ```puppet
//! $port = 80
//! if $facts['kernel'] == 'Linux' {
//!   $port = 8080
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! $port = $facts['kernel'] ? {
//!   'Linux' => 8080,
//!   default => 80,
//! }
//! ```
//!
//! A comment `# hieratic: ignore reassigned-variable` on the same line or the line before accepts the finding.
