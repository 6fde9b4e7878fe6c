//! The language of a file whose name is ambiguous, by its content.

use std::path::Path;
use std::sync::LazyLock;

use hieratic::hcl_eval::syntax::{Source as HclSource, parse_config};
use hieratic::sandbox::Files;
use hieratic_diagnostics::Source;
use regex::Regex;

use crate::kind::Kind;
use crate::texts::hcl::is_job_in_json;

/// The begin of a `job` block with any label.
static JOB: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?m)^\s*job\s+(\x22|\[\[|\{\{|\w+\s*\{)").ok());

/// The extensions of files that can be jobs, variables of jobs, templates of jobs, or something else.
const ENDINGS: [&str; 8] = ["job", "vars", "tpl", "tftpl", "tmpl", "ctmpl", "template", "json"];

/// Returns the kind of a file by its name or, if that is ambiguous, by its content; `None` for files that are not
/// checked.
pub(crate) fn kind_of(path: &Path, files: &Files) -> Option<Kind> {
    let by_name = Kind::from_path(path);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if by_name.is_some() || !ENDINGS.contains(&extension) {
        return by_name;
    }
    by_content(path, files)
}

/// A tag that begins as only one in Ruby does.
static INSTANCE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"<%[-=]?\s*@").ok());

/// A tag that begins as hardly any in Ruby does: with a variable of the Puppet language, or with parameters.
static DOLLAR: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"<%[-=]?\s*[$|]").ok());

/// Returns the language of a template, by its tags; `None` without tags.
pub(crate) fn kind_of_template(text: &str) -> Option<Kind> {
    if !text.contains("<%") {
        return None;
    }
    let is_of_ruby = INSTANCE.as_ref().is_some_and(|instance| instance.is_match(text));
    let is_of_puppet = !is_of_ruby && DOLLAR.as_ref().is_some_and(|dollar| dollar.is_match(text));
    Some(if is_of_puppet { Kind::Epp } else { Kind::Erb })
}

/// Returns the kind of a file named like data. In a folder of templates, a file with tags is a template.
pub(crate) fn kind_of_text(path: &Path, kind: Kind, text: &str) -> Kind {
    let is_among_templates = path.components().any(|part| part.as_os_str() == "templates");
    match kind {
        Kind::Yaml | Kind::Json if is_among_templates => kind_of_template(text).unwrap_or(kind),
        kind => kind,
    }
}

/// Returns the kind of a file that the user names.
pub(crate) fn kind_of_named(path: &Path, files: &Files) -> Kind {
    Kind::from_path(path).or_else(|| by_content(path, files)).unwrap_or(Kind::Manifest)
}

/// The endings of names that only files about jobs have.
const JOB_ENDINGS: [&str; 5] = ["nomad", "nomad2", "nomadjob", "jobspec", "nomadvars"];

/// Returns whether a file is a Nomad job or a variable file, by its name or by its content.
pub fn is_job(path: &Path, files: &Files) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    // HCL has many uses.
    let is_open = extension == "hcl" || ENDINGS.contains(&extension);
    JOB_ENDINGS.contains(&extension) || is_open && by_content(path, files).is_some()
}

fn by_content(path: &Path, files: &Files) -> Option<Kind> {
    match files.read_text(path) {
        Ok(text) => is_hcl(path, &text).then_some(Kind::Hcl),
        // A binary file is not a job.
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => None,
        // The check of the file reports why it cannot be read.
        Err(_) => Some(Kind::Hcl),
    }
}

/// Returns whether a document is a job, or variables of jobs.
fn is_hcl(path: &Path, text: &str) -> bool {
    if JOB.as_ref().is_some_and(|job| job.is_match(text)) || is_job_in_json(text) {
        return true;
    }
    if path.extension().is_none_or(|extension| extension != "vars") {
        return false;
    }
    let parsed = parse_config(HclSource::from(Source::new("", text)));
    !parsed.problems.has_errors() && parsed.tree.blocks.is_empty() && !parsed.tree.attributes().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_block_makes_a_file_a_job() {
        for (path, text, expected) in [
            ("a.job", "job \"a\" {\n}\n", true),
            ("a.job", "job a {\n}\n", true),
            ("a.job", "{\"job\": {\"a\": {\"group\": {}}}}", true),
            ("a.job", "#!/bin/sh\n# job \"a\"\nrun job\n", false),
            ("a.tpl", "job \"[[ .x ]]\" {\n", true),
            ("a.tpl", "server = <%= @x %>\n", false),
            ("a.vars", "a = 1\n", true),
            ("a.vars", "a: 1\n", false),
            ("a.vars", "", false),
        ] {
            assert_eq!(is_hcl(Path::new(path), text), expected, "{path}: {text}");
        }
    }
}
