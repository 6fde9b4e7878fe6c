//! # undefined-key
//!
//! Code looks up a key that no level has. (warning)
//!
//! ## What is found
//!
//! With `--hygiene`: a call of `lookup` or `hiera` names a key and no default, and no data file has the key. With
//! `--all-nodes`, also a key that some file has, but none that one of the nodes reads. A note names the nodes. A key
//! that some of the nodes have is not reported, because the call can be for these nodes only.
//!
//! Also (as a note): code includes a class, a parameter of the class has no default, and no data file has its key.
//! Classes that some code declares with parameters are not judged. A node classifier can still give the value.
//!
//! Nothing is reported if something that could
//! have the key is missing from the checkout:
//!
//! - a function, or a folder of data;
//! - a file that the hierarchy names by a path without variables, or one that `.gitignore` names: something else brings
//!   them, such as secrets;
//! - a hierarchy of version 5 of the environment: that of the server may be the one that counts. The same holds for a
//!   folder `hieradata` that no level reads;
//! - the module that the key is of, or its data; also if the module is in the repository, but not in the module path.
//!
//! ## Why it matters
//!
//! Every catalog that comes to the call fails.
//!
//! ## How to fix it
//!
//! Add the key to the data, fix its name, or pass a default.
//!
//! ## Example
//!
//! ```yaml
//! # modules/profile/manifests/web.pp
//! $port = lookup('web_prot')
//! ```
//!
//! becomes
//!
//! ```yaml
//! # modules/profile/manifests/web.pp
//! $port = lookup('web_port')
//! ```
//!
//! A comment `# hieratic: ignore undefined-key` on the same line or the line before accepts the finding.
