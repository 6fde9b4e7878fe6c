//! Explanations of answers: all steps ([`Explanation`]), or only the relevant ones ([`Why`]), in words ([`WhyReport`])
//! and as data ([`reasons`]).
//!
//! ```
//! use hieratic::{Environment, Facts, Query, Settings};
//!
//! let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
//! let environment = Environment::open(&Settings { positions: true, ..Settings::discover(root.as_ref()) })?;
//! let why = environment.node(&Facts::named("web01.example.com"))?.why(&Query::new("profile::web::port"));
//! assert_eq!(why.layers[0].value.to_value().inspect(), "8080");
//! # Ok::<(), hieratic::Error>(())
//! ```

pub use hieratic_hiera::{
    ChosenBy, EmptyInterpolation, Explain, ExplainTree, Explanation, MergeRule, OptionsRule, Part, PartStatus,
    Redaction, Rest, Why, WhyLayer,
};

pub use crate::links::Links;
pub use crate::reasons::{reasons, redacted_object};
pub use crate::why_report::{
    Change, ContributingLevel, Emphasis, NO_SUCH_KEY, NOT_THERE, Places, WhyReport, path_text, segment_text, yaml_text,
};
