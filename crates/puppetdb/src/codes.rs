//! The code of errors of asking PuppetDB. It has a page in `docs/errors`.

hieratic::diagnostics::codes! {
    PUPPETDB = "puppetdb", "PuppetDB cannot be asked";
}
