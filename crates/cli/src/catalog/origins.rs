//! `--origins`: every parameter with its origin.

use hieratic::catalog::{ParameterOrigin, origin_text};
use hieratic::{Catalog, Value};

use crate::output::{OriginLine, relative_file};
use crate::report::Reporter;

/// A line for each parameter: resource and name, value, and origin.
pub(super) fn text(catalog: &Catalog, reporter: &Reporter) -> String {
    let redacted = hieratic::catalog::redact_catalog(catalog, reporter.redactor());
    let mut lines = Vec::new();
    for resource in &redacted.resources {
        let reference = resource.reference().replace('\n', "\\n");
        if resource.parameters.is_empty() {
            let site = match (&resource.file, resource.line) {
                (Some(file), Some(line)) => format!("{}:{line}", relative_file(file.as_ref().as_ref())),
                _ => String::new(),
            };
            lines.push(OriginLine::note(&reference, &site));
        }
        for parameter in &resource.parameters {
            let value = hieratic::puppet_eval::plain_data(&parameter.value, String::new, &mut |_| {});
            lines.push(OriginLine::new(
                &format!("{reference}.{}", parameter.name),
                &shown(&value),
                &origin(&parameter.origin),
            ));
        }
    }
    reporter.layout().in_columns(&lines)
}

fn shown(value: &Value) -> String {
    hieratic_output::json(value).unwrap_or_else(|_| value.to_text())
}

/// The origin of a parameter. If several sources contributed to the value, its key leads on: `hieratic lookup KEY
/// --origins`.
fn origin(origin: &ParameterOrigin) -> String {
    let mut origin = origin.clone();
    if let Some(file) = &origin.site.file {
        origin.site.file = Some(relative_file(file.as_ref().as_ref()).into());
    }
    origin_text(&origin)
}
