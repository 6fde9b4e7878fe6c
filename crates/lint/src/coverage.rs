//! [`Omission`]: a file or key that a check found but did not check, and the reason.
//!
//! A check without findings is only valid for the files that it checked. Everything below the given paths is either
//! checked or an omission, and every output format reports the omissions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic_diagnostics::Severity;

use crate::finding::Finding;
use crate::kind::Kind;
use crate::rules::not_judged;

/// A file, a folder or a key that was not checked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Omission {
    /// The path.
    pub path: PathBuf,
    /// The kind of the omission.
    pub subject: Subject,
    /// The reason of the omission.
    pub reason: Reason,
}

impl Omission {
    /// An environment whose data no hierarchy reads, and what it has instead of a `hiera.yaml`.
    pub(crate) fn without_hierarchy(root: &Path, found: String) -> Omission {
        Omission { path: root.to_owned(), subject: Subject::Environment, reason: Reason::NoHierarchy(found) }
    }
}

/// The kind of an omission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// An environment as a whole. Its files were checked one by one.
    Environment,
    /// A folder with everything in it.
    Folder,
    /// A manifest of the Puppet language.
    Manifest,
    /// A template.
    Template,
    /// A file of YAML or JSON.
    DataFile,
    /// A job of Nomad.
    Job,
    /// A variable file of jobs.
    VariableFile,
    /// An HCL file whose content was not examined, so that it may be a job.
    Hcl,
    /// A level of a hierarchy.
    Level,
    /// A key of data. The path is that of its file.
    Key,
    /// A link.
    Link,
    /// Any other file.
    File,
}

impl Subject {
    /// Returns the subject for the kind that a file is checked as.
    pub(crate) fn from_kind(kind: Option<Kind>) -> Subject {
        match kind {
            Some(Kind::Manifest) => Subject::Manifest,
            Some(Kind::Epp | Kind::Erb | Kind::Jinja) => Subject::Template,
            Some(Kind::Yaml | Kind::Json) => Subject::DataFile,
            Some(Kind::Hcl) => Subject::Job,
            Some(Kind::Puppetfile) | None => Subject::File,
        }
    }

    /// Returns the subject of a file that was not read, by its name.
    pub(crate) fn from_name(path: &Path, kind: Option<Kind>) -> Subject {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        match kind {
            Some(Kind::Hcl) if ends(&[".vars", ".tfvars", ".nomadvars"]) => Subject::VariableFile,
            Some(Kind::Hcl) if ends(&[".hcl"]) && !ends(&[".nomad.hcl"]) => Subject::Hcl,
            kind => Subject::from_kind(kind),
        }
    }

    /// Returns the noun in the singular.
    pub fn noun(self) -> &'static str {
        match self {
            Subject::Environment => "environment",
            Subject::Folder => "folder",
            Subject::Manifest => "manifest",
            Subject::Template => "template",
            Subject::DataFile => "data file",
            Subject::Job => "job",
            Subject::VariableFile => "variable file",
            Subject::Hcl => "HCL file",
            Subject::Level => "level",
            Subject::Key => "key",
            Subject::Link => "link",
            Subject::File => "file",
        }
    }
}

/// The reason of an omission.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// No hierarchy reads the data, because there is no `hiera.yaml`. The string describes what exists instead.
    NoHierarchy(String),
    /// Modules in this `Puppetfile` are not installed.
    MissingModules(String),
    /// Modules that the code names are not installed, and no file lists them.
    UnlistedModules,
    /// Folders of modules are not in the checkout.
    ModulesElsewhere,
    /// Data of a level is not in the checkout.
    DataElsewhere,
    /// The function of a level is not in the checkout.
    MissingFunction,
    /// The user excluded the level.
    LevelLeftOut,
    /// A value that the rest depends on is unknown.
    UnknownValue(String),
    /// The merge or conversion of values depends on facts, and no given node reads the file.
    UnknownFacts,
    /// puppet-lint cannot parse the manifest, with the reason. Only its style was not checked.
    StyleUnknown(String),
    /// Another program renders the template.
    TemplateOf(&'static str),
    /// It is HCL, but neither a job nor a known kind of file of Nomad, Consul or Vault.
    UnknownHcl,
    /// It is encrypted by Ansible Vault as a whole.
    Encrypted,
    /// It is a test of a module. Tests contain intentional mistakes.
    Tests,
    /// Folders are nested too deeply.
    TooDeep,
    /// A link to a target that is not below the given paths.
    Link,
    /// A dangling link.
    BrokenLink,
    /// A device, a pipe or a socket.
    Special,
    /// Its name is not Unicode.
    NoUnicode,
    /// An ERB template outside of a folder `templates`: Puppet does not render it.
    ForeignTemplate,
    /// A module copies it to nodes: it is not code of the module, regardless of its name.
    ContentOfModule,
    /// The settings exclude it.
    Excluded,
    /// Git ignores it.
    IgnoredByGit,
    /// Its name begins with a dot.
    Hidden,
    /// Its language is not checked.
    NoLanguage,
}

impl Reason {
    /// Returns the reason in words.
    pub fn words(&self) -> String {
        match self {
            Reason::NoHierarchy(found) => found.clone(),
            Reason::MissingModules(file) => format!("modules of {file} are missing"),
            Reason::UnlistedModules => "modules that it names are missing".to_owned(),
            Reason::ModulesElsewhere => "folders of the modulepath are missing".to_owned(),
            Reason::DataElsewhere => "its data is not here".to_owned(),
            Reason::MissingFunction => "its function is not here".to_owned(),
            Reason::LevelLeftOut => "left out by --without-level".to_owned(),
            Reason::UnknownValue(name) => format!("no value for {name}"),
            Reason::UnknownFacts => "merged or converted by unknown facts".to_owned(),
            Reason::StyleUnknown(reason) => format!("its style: {reason}"),
            Reason::TemplateOf(program) => format!("template of {program}"),
            Reason::UnknownHcl => "no kind of file of Nomad, Consul or Vault; its syntax is valid".to_owned(),
            Reason::Encrypted => "encrypted by Ansible Vault".to_owned(),
            Reason::Tests => "tests of a module".to_owned(),
            Reason::TooDeep => "too deep".to_owned(),
            Reason::Link => "link out of the paths".to_owned(),
            Reason::BrokenLink => "link to nothing".to_owned(),
            Reason::Special => "not a regular file".to_owned(),
            Reason::NoUnicode => "a name that is not valid Unicode".to_owned(),
            Reason::ForeignTemplate => "ERB outside of templates/".to_owned(),
            Reason::ContentOfModule => "content of a module".to_owned(),
            Reason::Excluded => "excluded by hieratic.toml".to_owned(),
            Reason::IgnoredByGit => "ignored by git".to_owned(),
            Reason::Hidden => "hidden".to_owned(),
            Reason::NoLanguage => "no language that is checked".to_owned(),
        }
    }

    /// Returns the flag or the step that removes the omission, if there is one.
    pub fn remedy(&self) -> Option<&'static str> {
        Some(match self {
            Reason::NoHierarchy(_) => "add one, or --hiera_config",
            Reason::MissingModules(_) | Reason::UnlistedModules => "install them",
            Reason::ModulesElsewhere => "--modulepath",
            Reason::DataElsewhere => "--datadir",
            Reason::UnknownFacts => "--facts",
            Reason::UnknownValue(name) if name.starts_with("var.") => "--var-file",
            Reason::Tests | Reason::Hidden | Reason::ForeignTemplate | Reason::ContentOfModule | Reason::Link => {
                "name it to check it"
            }
            Reason::IgnoredByGit => "--no-ignore",
            Reason::UnknownValue(_)
            | Reason::MissingFunction
            | Reason::LevelLeftOut
            | Reason::StyleUnknown(_)
            | Reason::TemplateOf(_)
            | Reason::UnknownHcl
            | Reason::Encrypted
            | Reason::TooDeep
            | Reason::BrokenLink
            | Reason::Special
            | Reason::NoUnicode
            | Reason::Excluded
            | Reason::NoLanguage => return None,
        })
    }

    /// Returns whether the reason concerns the whole file, not a part of it.
    pub(crate) fn is_of_whole_file(&self) -> bool {
        matches!(self, Reason::TemplateOf(_) | Reason::Encrypted)
    }

    /// Returns whether `--strict-coverage` fails for this reason: possible errors were not checked, and not because the
    /// user chose so.
    pub fn is_gap(&self) -> bool {
        !matches!(
            self,
            Reason::ContentOfModule
                | Reason::LevelLeftOut
                | Reason::Excluded
                | Reason::IgnoredByGit
                | Reason::Hidden
                | Reason::NoLanguage
                | Reason::UnknownHcl
        )
    }
}

/// Omissions of one kind with one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OmissionGroup<'o> {
    /// The kind.
    pub subject: Subject,
    /// The reason.
    pub reason: &'o Reason,
    /// The unknown values, if they are the reason. A job may have several.
    pub unknown: Vec<&'o str>,
    /// The paths, sorted.
    pub paths: Vec<&'o Path>,
}

/// The most unknown values that are listed by name.
const SHOWN: usize = 3;

impl<'o> OmissionGroup<'o> {
    /// Groups omissions by kind and reason. Those for which `--strict-coverage` fails are first.
    pub fn group(omissions: &'o [Omission]) -> Vec<OmissionGroup<'o>> {
        let mut groups: BTreeMap<(bool, &Reason, Subject), Vec<&Path>> = BTreeMap::new();
        for Omission { path, subject, reason } in omissions {
            groups.entry((!reason.is_gap(), reason, *subject)).or_default().push(path);
        }
        let group = |((_, reason, subject), mut paths): ((bool, &'o Reason, Subject), Vec<&'o Path>)| {
            paths.sort_unstable();
            let unknown = if let Reason::UnknownValue(name) = reason { vec![name.as_str()] } else { Vec::new() };
            OmissionGroup { subject, reason, unknown, paths }
        };
        let mut all: Vec<OmissionGroup<'o>> = Vec::new();
        for group in groups.into_iter().map(group) {
            match all.last_mut().filter(|last| last.lacks_values_as(&group)) {
                Some(last) => last.add(group),
                None => all.push(group),
            }
        }
        all
    }

    /// Returns whether both groups lack values that can be given in the same way.
    fn lacks_values_as(&self, other: &OmissionGroup<'_>) -> bool {
        let both = !self.unknown.is_empty() && !other.unknown.is_empty();
        both && self.subject == other.subject && self.reason.remedy() == other.reason.remedy()
    }

    fn add(&mut self, other: OmissionGroup<'o>) {
        self.unknown.extend(other.unknown);
        self.paths.extend(other.paths);
        self.paths.sort_unstable();
        self.paths.dedup();
    }

    /// Returns the reason in words, for the whole group.
    pub fn reason_words(&self) -> String {
        match self.unknown.as_slice() {
            [] | [_] => self.reason.words(),
            names => {
                let (shown, more) = names.split_at(names.len().min(SHOWN));
                let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
                format!("no value for {}{more}", shown.join(", "))
            }
        }
    }

    /// Returns the group as a note. It names the file if there is only one.
    pub fn note(&self) -> Finding {
        let only = self.paths.first().filter(|_| self.paths.len() == 1);
        not_judged::of_group(self, only.copied())
    }

    /// Returns the group as an error of `--strict-coverage`, in its first file.
    pub fn error(&self) -> Finding {
        let mut finding = not_judged::of_group(self, self.paths.first().copied()).with_severity(Severity::Error);
        finding.fingerprint = format!("not-judged {} {}", self.subject.noun(), self.reason.words());
        finding
    }

    /// Describes the group: `12 manifests (modules of Puppetfile are missing: install them)`.
    pub fn words(&self) -> String {
        let remedy = self.reason.remedy().map(|remedy| format!(": {remedy}")).unwrap_or_default();
        format!("{} ({}{remedy})", self.counted_subject(), self.reason_words())
    }

    /// Describes the group without its remedy: `12 manifests (modules of Puppetfile are missing)`.
    pub fn words_without_remedy(&self) -> String {
        format!("{} ({})", self.counted_subject(), self.reason_words())
    }

    fn counted_subject(&self) -> String {
        let plural = if self.paths.len() == 1 { "" } else { "s" };
        format!("{} {}{plural}", self.paths.len(), self.subject.noun())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn omissions_are_grouped_by_kind_and_reason() {
        let of = |path: &str, subject, reason| Omission { path: path.into(), subject, reason };
        let all = [
            of("README.md", Subject::File, Reason::NoLanguage),
            of("b.nomad", Subject::Job, Reason::UnknownValue("var.token".into())),
            of("m/spec/a.pp", Subject::Manifest, Reason::Tests),
            of("a.nomad", Subject::Job, Reason::UnknownValue("var.token".into())),
        ];
        let groups = OmissionGroup::group(&all);
        let words: Vec<String> = groups.iter().map(OmissionGroup::words).collect();
        assert_eq!(
            words,
            [
                "2 jobs (no value for var.token: --var-file)",
                "1 manifest (tests of a module: name it to check it)",
                "1 file (no language that is checked)"
            ]
        );
        assert_eq!(groups[0].paths, [Path::new("a.nomad"), Path::new("b.nomad")]);
    }

    #[test]
    fn hcl_files_are_classified_by_name() {
        let noun = |name: &str| Subject::from_name(Path::new(name), Kind::from_path(Path::new(name))).noun();
        assert_eq!(["a.nomad", "a.nomad.hcl", "b.nomadvars"].map(noun), ["job", "job", "variable file"]);
        assert_eq!([".terraform.lock.hcl", "c.tfvars"].map(noun), ["HCL file", "variable file"]);
        assert_eq!(Subject::from_name(Path::new("d.vars"), Some(Kind::Hcl)).noun(), "variable file");
    }

    #[test]
    fn a_job_that_lacks_several_values_is_one_omission() {
        let of = |path: &str, name: &str| Omission {
            path: path.into(),
            subject: Subject::Job,
            reason: Reason::UnknownValue(name.into()),
        };
        let all = [
            of("a.nomad", "var.a"),
            of("a.nomad", "var.b"),
            of("b.nomad", "var.b"),
            of("b.nomad", "var.c"),
            of("b.nomad", "var.d"),
            of("a.nomad", "hiera()"),
        ];
        let words: Vec<String> = OmissionGroup::group(&all).iter().map(OmissionGroup::words).collect();
        assert_eq!(
            words,
            ["1 job (no value for hiera())", "2 jobs (no value for var.a, var.b, var.c and 1 more: --var-file)"]
        );
    }
}
