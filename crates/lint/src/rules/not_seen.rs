//! # not-seen
//!
//! Some data, modules or functions are missing here. (note)
//!
//! ## What is found
//!
//! The repository refers to something that the checkout does not contain:
//!
//! - data in a server's folder, such as `datadir: /etc/puppetlabs/code/private`, or in a `datadir` that does not exist;
//! - modules of the `Puppetfile`, `.fixtures.yml` or `metadata.json` that are not installed, or `modulepath` folders
//!   outside the repository;
//! - a level's function that comes with such a module or with a package of the server.
//!
//! Each environment has one note, after all findings. It never changes the exit status. `--quiet` omits it.
//!
//! ## Why it matters
//!
//! The missing part could define any key, class or function. Everything that depends on it is not judged: an
//! interpolation that looks up a key that no file in the checkout defines, `lookup_options` for a module that is not
//! installed, a lookup that a missing level could answer.
//!
//! ## How to fix it
//!
//! Nothing is wrong. To check more, install the modules first (`r10k puppetfile install`), or let the check read the
//! data in place with `--allow-outside`.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - name: Secrets of the site
//!     datadir: /srv/secrets
//!     path: common.yaml
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - name: Secrets of the site
//!     datadir: secrets
//!     path: common.yaml
//! ```
