//! Times, versions and addresses, as the Puppet language has them.
