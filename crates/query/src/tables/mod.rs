//! The tables for queries.

pub(crate) mod columns;
mod facts;
mod lookup_rows;
mod make;
mod predicate;
mod repository;
pub(crate) mod scan;
