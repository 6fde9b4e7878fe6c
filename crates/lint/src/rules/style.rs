//! # style
//!
//! Code breaks a rule of puppet-lint. (warning)
//!
//! ## What is found
//!
//! With `hieratic check --style`, or the setting `check.style`, manifests are checked with the rules of puppet-lint 4.
//! `--style=vox-pupuli` adds those of the plugins that `voxpupuli-puppet-lint-plugins` installs. Each finding has the
//! name that puppet-lint gives to its rule, such as `double_quoted_strings`; [style rules](../style-rules.md) lists all
//! of them. Some are errors, as with puppet-lint.
//!
//! The options of `.puppet-lint.rc` and comments such as `# lint:ignore:140chars` are respected. A comment without its
//! `lint:endignore`, and an option that is not known, are findings, too.
//!
//! ## Why it matters
//!
//! With a uniform layout, differences are easy to see. Some rules find mistakes: a variable in single quotes, an
//! attribute twice, a relationship that is hard to follow.
//!
//! ## How to fix it
//!
//! `hieratic check --style --fix` does what `puppet-lint --fix` does, byte by byte, and then parses the result. To accept
//! a finding, write `# lint:ignore:RULE` after the code, or put it between `# lint:ignore:RULE` and
//! `# lint:endignore`. To switch a rule off, write `--no-RULE-check` into `.puppet-lint.rc`.
//!
//! ## Example
//!
//! ```puppet
//! file { "/etc/motd":
//!   mode => '644',
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! file { '/etc/motd':
//!   mode => '0644',
//! }
//! ```
