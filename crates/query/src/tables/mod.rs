//! The tables that queries are about.

pub(crate) mod columns;
mod facts;
mod make;
mod predicate;
mod repository;
pub(crate) mod scan;
