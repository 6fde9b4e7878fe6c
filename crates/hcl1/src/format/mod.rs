//! The layout of `hclfmt`, byte for byte.

mod comments;
mod printer;
mod unindent;

use hieratic_budget::{Budget, Exhausted};

use crate::tree::File;
use printer::Printer;

/// Formats a file as `hclfmt` of HCL1 and `vault policy fmt` do. JSON files cannot be formatted.
///
/// # Errors
/// The budget is exhausted.
pub fn format(file: &File, budget: &Budget) -> Result<String, Exhausted> {
    if file.is_json {
        return Ok(file.text.to_string());
    }
    let mut printer = Printer::new(file, budget);
    let mut text = unindent::unindent(&printer.file()?);
    text.push('\n');
    Ok(text)
}
