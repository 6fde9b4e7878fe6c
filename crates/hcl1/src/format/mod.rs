//! The layout of `hclfmt`, byte for byte.

mod comments;
mod printer;
mod unindent;

use hieratic_budget::{Budget, Exhausted};

use crate::tree::File;
use printer::Printer;

/// Lays a file out as `hclfmt` of HCL1 does, and with it `vault policy fmt`. A file in JSON has no layout.
///
/// # Errors
/// The budget is used up.
pub fn format(file: &File, budget: &Budget) -> Result<String, Exhausted> {
    if file.is_json {
        return Ok(file.text.to_string());
    }
    let mut printer = Printer::new(file, budget);
    let mut text = unindent::unindent(&printer.file()?);
    text.push('\n');
    Ok(text)
}
