//! The code of errors of packs. It has a page in `docs/errors`.

hieratic_diagnostics::codes! {
    PACK = "pack", "A pack cannot be rendered";
}
