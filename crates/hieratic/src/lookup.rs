//! Lookups with more than a plain value: origins, keys, warnings, and suggestions for missing keys.
//!
//! A [`Query`](crate::Query) is answered by a [`Node`](crate::Node). [`Node::lookup_traced`](crate::Node::lookup_traced)
//! returns an [`Answer`], whose [`Object`] knows the [`Origin`] of each of its parts.
//!
//! ```
//! use hieratic::lookup::Origin;
//! use hieratic::{Environment, Facts, Query, Settings};
//!
//! let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
//! let environment = Environment::open(&Settings { positions: true, ..Settings::discover(root.as_ref()) })?;
//! let node = environment.node(&Facts::named("web01.example.com"))?;
//! let answer = node.lookup_traced(&Query::new("profile::web::port"))?;
//! assert!(matches!(answer.value.origin(), Some(Origin::File { .. })));
//! # Ok::<(), hieratic::Error>(())
//! ```

pub use hieratic_hiera::{
    Answer, Key, LostKnockout, Object, ObjectView, Origin, Place, Rules, Scope, Segment, SkippedLevel, SkippedLevels,
    Survey, Warning,
};

pub use crate::environment::{Everything, FailedKey, quoted as quoted_key};
pub use crate::keys::{
    KeySuggestions, MissingPart, Parts, SearchedLocation, matches_patterns, missing_part, nearest_keys, suggest_keys,
    tried_places, unset_variables,
};
pub use crate::leaves::{PathStep, visit_leaves};
pub use crate::origins::{OriginRow, origins};
