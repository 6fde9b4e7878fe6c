//! [`Kind`]: the language of a file, by its name.

use std::path::Path;

/// The language of a file, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Code of the Puppet language.
    Manifest,
    /// A template of embedded Puppet.
    Epp,
    /// YAML, encrypted values included.
    Yaml,
    /// JSON.
    Json,
    /// A job, variables, or another file of HCL.
    Hcl,
    /// A Jinja2 template.
    Jinja,
    /// A template of embedded Ruby.
    Erb,
    /// The list of modules that r10k installs.
    Puppetfile,
}

impl Kind {
    /// Returns the kind of a file, or `None` for files that are not checked.
    pub fn from_path(path: &Path) -> Option<Kind> {
        if path.file_name().is_some_and(|name| name == "Puppetfile") {
            return Some(Kind::Puppetfile);
        }
        let extension = path.extension()?.to_str()?;
        Some(match extension {
            "pp" => Kind::Manifest,
            "epp" => Kind::Epp,
            "yaml" | "yml" | "eyaml" => Kind::Yaml,
            "json" => Kind::Json,
            "hcl" | "nomad" | "nomad2" | "nomadjob" | "jobspec" | "tfvars" | "nomadvars" => Kind::Hcl,
            "j2" | "jinja" | "jinja2" => Kind::Jinja,
            "erb" => Kind::Erb,
            _ => return None,
        })
    }
}
