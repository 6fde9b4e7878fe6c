//! Output formats of catalogs.

use hieratic::Catalog;
use hieratic::Value;
use hieratic::catalog::CatalogResource;
use hieratic::puppet_eval::LossyConversion;
use hieratic_output::RenderAs;

use super::Format;
use crate::output;

/// Renders a catalog, and returns the values that were converted to strings.
pub(super) fn render(catalog: &Catalog, format: Format, rich: bool) -> Result<(Vec<u8>, Vec<LossyConversion>), String> {
    match format {
        Format::Json | Format::Yaml => {
            let (document, lossy) = catalog.document(rich);
            let format = if matches!(format, Format::Json) { RenderAs::Json } else { RenderAs::Yaml };
            Ok((output::rendered(document.tree(), format)?, lossy))
        }
        Format::S => Ok((lines(catalog).into_bytes(), Vec::new())),
        Format::Dot => Ok((dot(catalog).into_bytes(), Vec::new())),
    }
}

/// The line of JSON of a catalog, before and after the name of its node.
pub(super) fn line_around_name(catalog: &Catalog, rich: bool) -> Result<(Vec<u8>, Vec<u8>), String> {
    let (text, _) = render(catalog, Format::Json, rich)?;
    // Only tags precede the name, and they have no quotes.
    let field = [&b"\"name\":"[..], &name(&catalog.name)?].concat();
    let at = text.windows(field.len()).position(|part| part == field);
    let at = at.ok_or("the line of the catalog has no name")?;
    let (end, start) = (at + field.len(), at + b"\"name\":".len());
    Ok((text[..start].to_vec(), text[end..].to_vec()))
}

/// The name of a node as JSON.
pub(super) fn name(node: &str) -> Result<Vec<u8>, String> {
    output::rendered(&Value::from(node), RenderAs::Json).map(|text| text.trim_ascii_end().to_vec())
}

/// A line for each resource: its reference, and where it is declared.
fn lines(catalog: &Catalog) -> String {
    let mut text = String::new();
    for resource in &catalog.resources {
        text.push_str(&resource.reference().replace('\n', "\\n"));
        if let (Some(file), Some(line)) = (&resource.file, resource.line) {
            text.push_str(&format!("  {}:{line}", output::relative_file(file.as_ref().as_ref())));
        }
        text.push('\n');
    }
    text
}

/// The graph of what contains what, as the reference draws it.
fn dot(catalog: &Catalog) -> String {
    let name = |text: &str| format!("\"{}\"", text.replace('"', "\\\""));
    let mut text = "digraph Puppet__Resource__Catalog {\n    label = \"Puppet__Resource__Catalog\"\n".to_owned();
    let references: Vec<String> =
        catalog.resources.iter().map(CatalogResource::reference).map(|one| name(&one)).collect();
    for reference in &references {
        text.push_str(&format!("    {reference} [\n        fontsize = 8,\n        label = {reference}\n    ]\n\n"));
    }
    for (source, target) in &catalog.edges {
        if let (Some(source), Some(target)) = (references.get(*source), references.get(*target)) {
            text.push_str(&format!("    {source} -> {target} [\n        fontsize = 8\n    ]\n\n"));
        }
    }
    text.push_str("}\n");
    text
}
