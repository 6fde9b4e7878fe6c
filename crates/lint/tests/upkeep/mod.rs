//! Hygiene and promises: what keeps data healthy.

mod hygiene;
mod oracle;
mod promises;
mod recorded;
