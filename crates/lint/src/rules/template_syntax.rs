//! # template-syntax
//!
//! A Jinja2 or ERB template cannot be read. (error)
//!
//! ## What is found
//!
//! A `.j2`, `.jinja` or `.jinja2` file contains an invalid expression or block. Names of filters and variables are not
//! checked: they can come from anywhere.
//!
//! Or the Ruby in a template of ERB has a syntax error. Such a template is a file `*.erb` below a folder `templates`,
//! or a file of any other name below `MODULE/templates` that has a tag: `template('ntp/ntp.conf')` reads any file. A
//! tag that is never closed is a warning: ERB prints what follows as text. Hieratic reads it with Ruby's own parser.
//! Ruby that is valid and that [Hieratic does not evaluate](../ruby.md#missing-parts) is not reported.
//!
//! ## Why it matters
//!
//! Rendering the template fails.
//!
//! ## How to fix it
//!
//! Close the open block. The message says what was expected.
//!
//! ## Example
//!
//! ```jinja
//! # site.conf.j2
//! {% if tls %}
//! listen 443;
//! ```
//!
//! becomes
//!
//! ```jinja
//! # site.conf.j2
//! {% if tls %}
//! listen 443;
//! {% endif %}
//! ```
//!
//! A comment `# hieratic: ignore template-syntax` on the same line or the line before accepts the finding.
