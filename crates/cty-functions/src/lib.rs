//! The functions of Nomad's job specifications.
