//! Static validation of Puppet syntax trees.
