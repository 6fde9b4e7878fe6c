//! What `--version` prints: the version, the commit that it was built from, and what this build can do.

/// The version and the commit.
pub(crate) const SHORT: &str = concat!(env!("CARGO_PKG_VERSION"), env!("HIERATIC_COMMIT"));

/// The same, with what it reads as the real programs of these versions do, and what it was built for.
pub(crate) const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    env!("HIERATIC_COMMIT"),
    "\ncompatible with: Puppet 7.23, OpenVox 8.28, Unfurl 1.2, Jinja2 3.1, HCL 2.24, Nomad 2.0\n",
    "features: eyaml, HOCON, Oniguruma, HTTP/2, TLS, PuppetDB\n",
    "built for: ",
    env!("HIERATIC_TARGET"),
);
