//! Finds the files to check, and their kinds.

use std::path::{Path, PathBuf};

use hieratic::Settings;
use hieratic::sandbox::{Files, is_absence_or_refused};
use hieratic::value::ErasedSort as _;

use crate::coverage::{Omission, Reason, Subject};
use crate::excluded::Excluded;
use crate::finding::Finding;
use crate::kind::Kind;
use crate::kind_by_content::{kind_of, kind_of_named, kind_of_template};
use crate::paths::absolute;
use crate::tests_of_modules::TestFolders;
use crate::tree::{Ignored, Skip, Skipped, WalkedFile, files_below};

/// The files and folders below the paths to check.
#[derive(Debug, Default)]
pub(crate) struct FilesToCheck {
    /// The files, absolute, with their kinds.
    pub(crate) files: Vec<(PathBuf, Kind)>,
    /// The folders that have a `hiera.yaml` or an `environment.conf`, or are named themselves.
    pub(crate) folders: Vec<PathBuf>,
    /// The files and folders that are not checked.
    pub(crate) omissions: Vec<Omission>,
    /// Files and folders that cannot be read, and why.
    pub(crate) unreadable: Vec<(PathBuf, String)>,
    /// The patterns of files that the settings leave out.
    pub(crate) excluded: Excluded,
    /// Links that lead out of the repository.
    pub(crate) outside: Vec<PathBuf>,
    /// The paths that do not exist.
    pub(crate) missing: Vec<PathBuf>,
}

/// The folders of a module whose files are copied to nodes or rendered for them: they are not code, regardless of their
/// names.
const CARGO: [&str; 2] = ["files", "templates"];

/// Returns whether a path below a folder leads through a folder of one of these names.
fn leads_through(path: &Path, folder: &Path, names: &[&str]) -> bool {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let mut folders = below.parent().into_iter().flat_map(Path::components);
    folders.any(|component| names.iter().any(|name| component.as_os_str() == *name))
}

/// Walks through folders without following links. Hidden files are left out and, unless `no_ignore` is set, those that
/// git ignores. A named file is always checked.
pub(crate) fn walk(paths: &[PathBuf], no_ignore: bool, settings: &Settings) -> FilesToCheck {
    let permissions = &settings.permissions;
    let mut walked = FilesToCheck::default();
    for path in paths {
        let files = settings.mounted(permissions.files_named(path));
        if files.leads_out(path) {
            walked.outside.push(path.clone());
            continue;
        }
        let Some(about) = files.stat(path) else {
            walked.missing.push(path.clone());
            continue;
        };
        let absolute = absolute(path);
        if about.is_folder() {
            walked.folders.push(absolute.clone());
            below(&settings.mounted(permissions.files_below(&absolute)), &absolute, no_ignore, &mut walked);
        } else {
            walked.folders.extend(absolute.parent().map(Path::to_owned));
            let kind = kind_of_named(&absolute, &files);
            walked.files.push((absolute, kind));
        }
    }
    walked.files.sort_erased_by(|(left, _), (right, _)| left.cmp(right));
    walked.files.dedup_by(|(left, _), (right, _)| left == right);
    walked.folders.sort_erased();
    walked.folders.dedup();
    walked
}

fn below(files: &Files, folder: &Path, no_ignore: bool, walked: &mut FilesToCheck) {
    // The global ignore file of the user is not read: it does not belong to the repository.
    let ignored = if no_ignore { Ignored::Nothing } else { Ignored::ByGit };
    let below = files_below(files, folder, ignored);
    for path in files.unnamed() {
        walked.omit(path, Subject::File, Reason::NoUnicode);
    }
    for Skipped { path, is_folder, skip } in below.skipped {
        let subject = if is_folder { Subject::Folder } else { Subject::from_name(&path, Kind::from_path(&path)) };
        match skip {
            Skip::Unreadable(reason) => walked.unreadable.push((path, reason)),
            Skip::Hidden if is_read_by_name(&path) => {}
            Skip::Hidden if subject == Subject::File => walked.omit(path, subject, Reason::NoLanguage),
            Skip::Hidden => walked.omit(path, subject, Reason::Hidden),
            Skip::IgnoredByGit => walked.omit(path, subject, Reason::IgnoredByGit),
            Skip::TooDeep => walked.omit(path, subject, Reason::TooDeep),
            Skip::Special => walked.omit(path, Subject::File, Reason::Special),
        }
    }
    let mut tests = TestFolders::new(files, folder);
    for WalkedFile { path, is_link } in below.found {
        if is_link {
            walked.link(files, folder, path);
            continue;
        }
        let kind = kind_of(&path, files);
        if tests.hold(&path) {
            let subject = Subject::from_name(&path, kind);
            walked.omit(path, subject, if kind.is_some() { Reason::Tests } else { Reason::NoLanguage });
            continue;
        }
        if path.file_name().is_some_and(|name| name == "hiera.yaml" || name == "environment.conf") {
            walked.folders.extend(path.parent().map(Path::to_owned));
        }
        if kind == Some(Kind::Yaml) && is_of_helm(files, &path) {
            walked.omit(path, Subject::Template, Reason::TemplateOf("Helm"));
            continue;
        }
        if matches!(kind, None | Some(Kind::Yaml | Kind::Json))
            && let Some(kind) = template_of_module(files, folder, &path)
        {
            walked.files.push((path, kind));
            continue;
        }
        match kind {
            // A policy of SELinux ends in `.pp`, too.
            Some(Kind::Manifest) if leads_through(&path, folder, &CARGO) => {
                walked.omit(path, Subject::File, Reason::ContentOfModule);
            }
            // Others render templates that are somewhere else, and perhaps in another way.
            Some(Kind::Erb) if !leads_through(&path, folder, &["templates"]) => {
                walked.omit(path, Subject::Template, Reason::ForeignTemplate);
            }
            Some(kind) => walked.files.push((path, kind)),
            None if is_read_by_name(&path) => {}
            None => walked.omit(path, Subject::File, Reason::NoLanguage),
        }
    }
}

/// Returns whether a file is a template of a Helm chart, which is not YAML before it is rendered. See
/// <https://helm.sh/docs/topics/charts/>.
fn is_of_helm(files: &Files, path: &Path) -> bool {
    let templates = path.ancestors().skip(1).find(|folder| folder.ends_with("templates"));
    templates.and_then(Path::parent).is_some_and(|chart| files.exists(&chart.join("Chart.yaml")))
}

/// Returns the language of a template of a module, regardless of its name: `template('ntp/ntp.conf')` reads any file.
/// Tags distinguish templates from other files in the folder.
fn template_of_module(files: &Files, folder: &Path, path: &Path) -> Option<Kind> {
    let inside = path.ancestors().skip(1).take_while(|outer| outer.starts_with(folder));
    let mut modules = inside.filter(|outer| outer.ends_with("templates")).filter_map(Path::parent);
    if !modules.any(|module| files.exists(&module.join("manifests"))) {
        return None;
    }
    // A file that is unreadable or binary is judged by its name. Reading it later reports the error.
    kind_of_template(&files.read_text(path).ok()?)
}

/// The files of these names are read for their settings and not checked.
const READ_BY_NAME: [&str; 7] =
    ["environment.conf", "puppet.conf", "hieratic.toml", ".gitignore", ".gitattributes", ".gitmodules", ".ignore"];

fn is_read_by_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| READ_BY_NAME.iter().any(|known| name == *known))
}

impl FilesToCheck {
    /// Leaves out the files that match patterns. If they are data of an environment, they are still read, but their
    /// findings are left out.
    pub(crate) fn exclude(&mut self, patterns: &[(PathBuf, String)]) -> Vec<Finding> {
        let (excluded, faults) = Excluded::new(patterns);
        if excluded.is_empty() {
            return faults;
        }
        let (out, files): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.files).into_iter().partition(|(path, _)| excluded.has(path));
        self.files = files;
        for (path, kind) in out {
            let subject = Subject::from_name(&path, Some(kind));
            self.omit(path, subject, Reason::Excluded);
        }
        for omission in self.omissions.iter_mut().filter(|omission| omission.reason.is_gap()) {
            if excluded.has(&omission.path) {
                omission.reason = Reason::Excluded;
            }
        }
        self.excluded = excluded;
        faults
    }

    fn omit(&mut self, path: PathBuf, subject: Subject, reason: Reason) {
        self.omissions.push(Omission { path, subject, reason });
    }

    /// Adds a link below a folder. Its target is checked in its own place if that is below the folder as well.
    fn link(&mut self, files: &Files, folder: &Path, path: PathBuf) {
        if files.leads_out(&path) {
            self.outside.push(path);
            return;
        }
        match files.real(&path) {
            Ok(real) if real.starts_with(folder) => {}
            Ok(_) => self.omit(path, Subject::Link, Reason::Link),
            Err(error) if is_absence_or_refused(&error) => self.omit(path, Subject::Link, Reason::BrokenLink),
            Err(error) => self.unreadable.push((path, error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_of_charts_are_not_yaml() {
        let root = tempfile::tempdir().unwrap();
        for file in ["web/Chart.yaml", "web/values.yaml", "web/templates/a.yaml", "templates/b.yaml"] {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "a: 1\n").unwrap();
        }
        let walked = walk(&[root.path().to_owned()], false, &Settings::default());
        let omitted: Vec<_> = walked.omissions.iter().map(|one| (one.path.clone(), one.reason.clone())).collect();
        assert_eq!(omitted, [(root.path().join("web/templates/a.yaml"), Reason::TemplateOf("Helm"))]);
        assert_eq!(walked.files.len(), 3);
    }

    #[test]
    fn tags_make_files_of_modules_templates() {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("m/manifests/init.pp", ""),
            ("m/templates/a.yaml", "<% if @a -%>\na: 1\n<% end -%>\n"),
            ("m/templates/b.conf", "b = <%= @b %>\n"),
            ("m/templates/c.yaml", "c: 1\n"),
            ("m/templates/d.conf", "d = 1\n"),
            ("m/templates/e.yaml", "<%- | $e | -%>\ne: <%= $e %>\n"),
            ("other/templates/f.html", "<%= name %>\n"),
        ] {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let walked = walk(&[root.path().to_owned()], false, &Settings::default());
        let below = |path: &Path| path.strip_prefix(root.path()).unwrap().to_string_lossy().into_owned();
        let kinds: Vec<_> = walked.files.iter().map(|(path, kind)| (below(path), *kind)).collect();
        let expected = [
            ("m/manifests/init.pp", Kind::Manifest),
            ("m/templates/a.yaml", Kind::Erb),
            ("m/templates/b.conf", Kind::Erb),
            ("m/templates/c.yaml", Kind::Yaml),
            ("m/templates/e.yaml", Kind::Epp),
        ];
        assert_eq!(kinds, expected.map(|(path, kind)| (path.to_owned(), kind)));
    }
}
