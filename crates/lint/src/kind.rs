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
            "json" if is_json_with_comments(path) => return None,
            "json" => Kind::Json,
            "hcl" | "nomad" | "nomad2" | "nomadjob" | "jobspec" | "tfvars" | "nomadvars" => Kind::Hcl,
            "j2" | "jinja" | "jinja2" => Kind::Jinja,
            "erb" => Kind::Erb,
            _ => return None,
        })
    }
}

/// Returns whether the programs that read a file accept more than JSON: TypeScript's compiler and development containers
/// accept comments and a comma after the last element
/// (<https://www.typescriptlang.org/docs/handbook/tsconfig-json.html>, <https://containers.dev/implementors/json_reference/>).
fn is_json_with_comments(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_of = |program: &str| name.strip_prefix(program).is_some_and(|rest| rest.starts_with('.'));
    is_of("tsconfig") || is_of("jsconfig") || matches!(name, "devcontainer.json" | ".devcontainer.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_with_comments_is_not_json() {
        let kind = |name: &str| Kind::from_path(Path::new(name));
        for name in ["tsconfig.json", "ui/tsconfig.build.json", "jsconfig.json", "devcontainer.json"] {
            assert_eq!(kind(name), None, "{name}");
        }
        for name in ["data/common.json", "tsconfigs.json", "metadata.json"] {
            assert_eq!(kind(name), Some(Kind::Json), "{name}");
        }
    }
}
