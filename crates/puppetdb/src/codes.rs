//! The code of errors of PuppetDB queries. It has a page in `docs/errors`.

hieratic::diagnostics::codes! {
    PUPPETDB = "puppetdb", "Cannot reach PuppetDB";
}
