//! Placement of allocations: constraints, affinities, spreads.
//!
//! The fields are documented below <https://developer.hashicorp.com/nomad/docs/job-specification/constraint>.

use super::Kind::{Many, Maybe, Plain};
use super::Scalar::{Int, Text, Uint};
use super::{BodyRule, Struct, block, label, optional};

/// A `constraint` block.
pub static CONSTRAINT: Struct = Struct::new(
    "Constraint",
    &[
        optional("LTarget", "attribute", Plain(Text)),
        optional("RTarget", "value", Plain(Text)),
        optional("Operand", "operator", Plain(Text)),
    ],
)
.read_as(BodyRule::Constraint);

/// An `affinity` block.
pub static AFFINITY: Struct = Struct::new(
    "Affinity",
    &[
        optional("LTarget", "attribute", Plain(Text)),
        optional("RTarget", "value", Plain(Text)),
        optional("Operand", "operator", Plain(Text)),
        optional("Weight", "weight", Maybe(Int(8))),
    ],
)
.read_as(BodyRule::Affinity);

/// A `spread` block.
pub static SPREAD: Struct = Struct::new(
    "Spread",
    &[
        optional("Attribute", "attribute", Plain(Text)),
        optional("Weight", "weight", Maybe(Int(8))),
        block("SpreadTarget", "target", Many(&SPREAD_TARGET)),
    ],
);

/// A `target` block.
pub static SPREAD_TARGET: Struct =
    Struct::new("SpreadTarget", &[label("Value", "", Plain(Text)), optional("Percent", "percent", Plain(Uint(8)))]);
