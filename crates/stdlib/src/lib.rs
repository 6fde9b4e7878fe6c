//! The functions and type aliases of the stdlib module of Puppet, natively.
