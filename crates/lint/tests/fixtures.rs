//! A folder of fixtures for each rule: small repositories that break it, and others that nearly do.
//!
//! A fixture `finds-NAME.txt` has findings of the rule, `passes-NAME.txt` has none. Its first lines may name options. A
//! line `--- FILE` begins a file of the repository, `--- LINK -> TARGET` is a link, and `--- FILE (latin-1)` a file that
//! is not UTF-8. The nodes are those of the folder `facts`. The snapshot beside the fixtures has all findings of the rule
//! in them: `INSTA_UPDATE=always cargo test -p hieratic-lint fixtures::` writes it again.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use hieratic::PuppetVersion;
use hieratic_lint::{Finding, OmissionGroup, Options, RuleSet, StyleOptions, audit, rules};

use crate::support::nodes_below;

/// A small repository.
#[derive(Default)]
struct Fixture {
    options: Vec<String>,
    files: Vec<(String, String)>,
}

impl Fixture {
    fn parse(text: &str) -> Fixture {
        let mut fixture = Fixture::default();
        for line in text.split_inclusive('\n') {
            match (line.strip_prefix("--- "), fixture.files.last_mut()) {
                (Some(name), _) => fixture.files.push((name.trim_end().to_owned(), String::new())),
                (None, Some((_, text))) => text.push_str(line),
                (None, None) => fixture.options.push(line.trim().to_owned()),
            }
        }
        fixture
    }

    fn write(&self, root: &Path) {
        for (name, text) in &self.files {
            let path = |name: &str| {
                let path = root.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                path
            };
            if let Some((link, target)) = name.split_once(" -> ") {
                std::os::unix::fs::symlink(target, path(link)).unwrap();
            } else if let Some(name) = name.strip_suffix(" (latin-1)") {
                let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
                fs::write(path(name), bytes).unwrap();
            } else {
                fs::write(path(name), text).unwrap();
            }
        }
    }

    fn options(&self, root: &Path) -> Options {
        let mut options = Options::for_paths([root]);
        options.nodes = nodes_below(root);
        for option in &self.options {
            match option.as_str() {
                "all-nodes" => options.all_nodes = true,
                "catalogs" => options.catalogs = Some(hieratic::catalog::CATALOG_LIMITS),
                "hygiene" => options.hygiene = true,
                "nomad-1.7" => options.job_values.nomad_version = "1.7".parse().unwrap(),
                "outside" => options.settings.permissions.outside = true,
                "upgrade-to-8" => upgrade(&mut options, PuppetVersion::V8),
                "upgrade-to-9" => upgrade(&mut options, PuppetVersion::V9),
                "style" => options.style = Some(style(root, RuleSet::PuppetLint)),
                "style-of-vox-pupuli" => options.style = Some(style(root, RuleSet::VoxPupuli)),
                "unused" => options.unused = true,
                other => panic!("there is no option '{other}'"),
            }
        }
        options
    }
}

/// Prepares an upgrade to a version.
fn upgrade(options: &mut Options, version: PuppetVersion) {
    options.upgrade = true;
    options.settings.puppet_version = version;
    options.strict = version.strict();
}

/// The rules of a set, with the options of the fixture.
fn style(root: &Path, set: RuleSet) -> StyleOptions {
    let file = root.join(".puppet-lint.rc");
    let text = fs::read_to_string(&file).ok();
    let name = file.display().to_string();
    StyleOptions::new(set, root.to_owned(), text.as_deref().map(|text| (name.as_str(), text)))
}

/// The findings of a rule in a fixture, with all that they say.
fn findings(rule: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().join("repo");
    let fixture = Fixture::parse(text);
    fixture.write(&root);
    let report = audit(&fixture.options(&root), &());
    let groups = OmissionGroup::group(&report.not_judged);
    let notes = groups.iter().map(OmissionGroup::note).chain(report.unseen);
    let all = report.findings.into_iter().chain(notes);
    let found: String = all.filter(|finding| finding.rule.id() == rule).map(|finding| shown(&finding)).collect();
    let outer = root.parent().unwrap().display().to_string();
    found.replace(&format!("{}/", root.display()), "").replace(&root.display().to_string(), ".").replace(&outer, "..")
}

fn shown(finding: &Finding) -> String {
    let diagnostic = &finding.diagnostic;
    let line = finding.line().map_or(String::new(), |line| format!(":{line}"));
    let mut text = format!("{}{line} {}: {}\n", finding.file(), finding.severity().name(), diagnostic.message);
    for label in diagnostic.labels.iter().filter(|label| !label.primary) {
        let place = label.source.start(label.span);
        writeln!(text, "    {}:{} {}", label.source.name(), place.line, label.text).unwrap();
    }
    for note in &diagnostic.notes {
        writeln!(text, "    note: {note}").unwrap();
    }
    for help in &diagnostic.help {
        writeln!(text, "    help: {help}").unwrap();
    }
    text
}

/// The entries of a folder, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

#[test]
fn rules_find_violations_and_nothing_else() {
    let folders = entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"));
    let names: BTreeSet<&str> = folders.iter().map(|folder| name(folder)).collect();
    let ids: BTreeSet<&str> = rules::ALL.iter().map(|rule| rule.id()).collect();
    assert_eq!(names, ids, "every rule has a folder of fixtures");
    for folder in &folders {
        let rule = name(folder);
        let (mut text, mut finds, mut passes) = (String::new(), 0, 0);
        for path in entries(folder).iter().filter(|path| path.extension().is_some_and(|end| end == "txt")) {
            let found = findings(rule, &fs::read_to_string(path).unwrap());
            if name(path).starts_with("finds-") {
                assert!(!found.is_empty(), "{} has no finding", path.display());
                writeln!(text, "{}\n{found}", name(path)).unwrap();
                finds += 1;
            } else {
                assert!(name(path).starts_with("passes-"), "{}: finds or passes?", path.display());
                assert!(found.is_empty(), "{}: {found}", path.display());
                passes += 1;
            }
        }
        assert!(finds > 0 && passes > 0, "{rule}: {finds} fixtures with findings, {passes} without");
        insta::with_settings!(
            { snapshot_path => folder, prepend_module_to_snapshot => false, omit_expression => true },
            { insta::assert_snapshot!("findings", text.trim_end()) }
        );
    }
}
