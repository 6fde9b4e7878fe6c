//! The output of `--version`: the version, its commit, and the features of the build.

/// The version and the commit.
pub(crate) const SHORT: &str = concat!(env!("CARGO_PKG_VERSION"), env!("HIERATIC_COMMIT"));

/// The long version, with the versions of the reference programs that it is compatible with, and the target of the
/// build.
pub(crate) const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    env!("HIERATIC_COMMIT"),
    "\ncompatible with: Puppet 7.23, OpenVox 8.28, Unfurl 1.2, Jinja2 3.1, HCL 2.24, Nomad 2.0\n",
    "features: eyaml, HOCON, Oniguruma, HTTP/2, TLS, PuppetDB\n",
    "built for: ",
    env!("HIERATIC_TARGET"),
);
