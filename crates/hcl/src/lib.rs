//! HCL2: expressions evaluated, bodies read by schema.
