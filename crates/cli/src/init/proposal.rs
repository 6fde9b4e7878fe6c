//! [`proposals`]: the files that `init` proposes for a repository.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hieratic::Error;
use hieratic::value::ErasedSort as _;
use hieratic_lint::Baseline;
use hieratic_report::Forge;

use super::from_root;
use crate::found_facts::FoundFacts;
use crate::output::counted;
use crate::report::Reporter;
use crate::survey::Survey;

/// A file to write.
pub(super) struct Proposal {
    /// The path from the root of the repository.
    pub(super) file: PathBuf,
    pub(super) text: String,
    /// The purpose of the file, in a sentence.
    pub(super) why: String,
}

/// The file of accepted findings.
const BASELINE: &str = "hieratic-baseline.json";
/// The maximum depth of folders that are searched for jobs.
const DEEPEST: usize = 6;
/// The maximum number of folder entries that are read.
const MOST_ENTRIES: usize = 20_000;

/// The files for a repository.
pub(super) fn proposals(survey: &Survey, settings_only: bool, reporter: &Reporter) -> Result<Vec<Proposal>, Error> {
    let mut found = Vec::new();
    let accepted = survey.report.as_ref().map_or(0, |report| report.findings.len());
    let mut lines = vec!["# The settings of hieratic: docs/reference/settings.md lists all of them.".to_owned()];
    lines.extend(facts(survey));
    lines.push(String::new());
    lines.push("[check]".to_owned());
    lines.push("fail-on = \"warning\"".to_owned());
    if accepted > 0 {
        lines.push(format!(
            "# Only new findings are reported. {accepted} are accepted: hieratic check --write-baseline {BASELINE}"
        ));
        lines.push(format!("baseline = \"{BASELINE}\""));
    }
    lines.extend(private_levels(survey));
    lines.extend(jobs(&survey.root));
    let reason = format!("settings for everyone: {}", environments(survey));
    found.push(Proposal { file: "hieratic.toml".into(), text: lines.join("\n") + "\n", why: reason });
    if let Some(report) = survey.report.as_ref().filter(|report| !report.findings.is_empty()) {
        let findings: Vec<_> = report.findings.clone();
        let text = reporter.redactor().text(&Baseline::write(&findings, Some(&survey.root))).into_owned();
        let reason = format!("the {accepted} findings of today, so that only new ones fail");
        found.push(Proposal { file: BASELINE.into(), text, why: reason });
    }
    if !settings_only {
        found.extend(workflow(survey));
        found.push(Proposal {
            file: ".pre-commit-config.yaml".into(),
            text: format!(
                "repos:\n  - repo: https://github.com/hieratic/hieratic\n    rev: v{}\n    hooks:\n      - id: hieratic-check\n",
                env!("CARGO_PKG_VERSION")
            ),
            why: "a hook that checks before each commit".to_owned(),
        });
    }
    Ok(found)
}

fn environments(survey: &Survey) -> String {
    let names = survey.environments.iter().filter_map(|environment| environment.as_ref().ok());
    names.map(|environment| environment.name.clone()).collect::<Vec<_>>().join(", ")
}

/// The line about facts.
fn facts(survey: &Survey) -> Vec<String> {
    if !survey.facts.is_empty() {
        let paths: Vec<String> = survey.facts.iter().filter_map(|path| from_root(survey, path)).collect();
        return vec![format!("facts = {}", toml_list(&paths))];
    }
    if let Some(found) = FoundFacts::below(&survey.root) {
        return vec![
            format!("# The facts of {}.", counted(found.nodes, "node")),
            format!("facts = {}", toml_text(found.name)),
        ];
    }
    vec![
        "# The facts of nodes, one file each: puppet facts show > facts/NAME.json".to_owned(),
        "# facts = \"facts\"".to_owned(),
    ]
}

/// The levels whose data is kept elsewhere: their names say so, and they have no file here.
fn private_levels(survey: &Survey) -> Vec<String> {
    const WORDS: [&str; 4] = ["secret", "private", "vault", "eyaml"];
    let unread =
        survey.report.iter().flat_map(|report| &report.findings).filter(|finding| finding.rule.id() == "unread-level");
    let mut levels: BTreeSet<String> = BTreeSet::new();
    for finding in unread {
        let name = finding.diagnostic.message.split('\'').nth(1).unwrap_or_default();
        if WORDS.iter().any(|word| name.to_lowercase().contains(word)) {
            levels.insert(name.to_owned());
        }
    }
    if levels.is_empty() {
        return Vec::new();
    }
    let levels: Vec<String> = levels.into_iter().collect();
    vec![
        "# Their data is kept elsewhere, so any key may be in them.".to_owned(),
        format!("private-levels = {}", toml_list(&levels)),
    ]
}

/// An entry for each variable file next to a job.
fn jobs(root: &Path) -> Vec<String> {
    let mut jobs: BTreeMap<PathBuf, BTreeSet<&'static str>> = BTreeMap::new();
    let mut variables: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    let mut open = vec![(root.to_owned(), 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = open.pop() {
        // A folder that cannot be read has no jobs to propose; `check` reports it.
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let below = folder.strip_prefix(root).unwrap_or(&folder).to_owned();
            if is_folder && !name.starts_with('.') && depth < DEEPEST && seen < MOST_ENTRIES {
                open.push((path, depth + 1));
            } else if name.ends_with(".nomad.hcl") {
                jobs.entry(below).or_default().insert("*.nomad.hcl");
            } else if name.ends_with(".nomad") {
                jobs.entry(below).or_default().insert("*.nomad");
            } else if [".vars", ".vars.hcl", ".hclvars", ".tfvars"].iter().any(|end| name.ends_with(end)) {
                variables.entry(below.clone()).or_default().push(below.join(&name));
            }
        }
    }
    let mut lines = Vec::new();
    for (folder, patterns) in jobs {
        let patterns: Vec<String> =
            patterns.iter().filter_map(|pattern| folder.join(pattern).to_str().map(str::to_owned)).collect();
        let mut files = variables.get(&folder).cloned().unwrap_or_default();
        files.sort_erased();
        for file in files {
            let Some(path) = file.to_str() else { continue };
            let name = file
                .file_name()
                .and_then(|name| name.to_str())
                .and_then(|name| name.split('.').next())
                .unwrap_or_default();
            lines.push(String::new());
            lines.push("[[jobs]]".to_owned());
            lines.push(format!("name = {}", toml_text(name)));
            lines.push(format!("files = {}", toml_list(&patterns)));
            lines.push(format!("var-files = {}", toml_list(&[path.to_owned()])));
        }
    }
    lines
}

/// A workflow for the forge of the first remote whose host names one.
fn workflow(survey: &Survey) -> Option<Proposal> {
    let git = survey.git.as_ref()?.as_ref().ok()?;
    let version = env!("CARGO_PKG_VERSION");
    match git.remotes.iter().find_map(|remote| Forge::from_remote(remote))? {
        Forge::GitLab => Some(Proposal {
            file: ".gitlab-ci.yml".into(),
            text: format!(
                "include:\n  - component: $CI_SERVER_FQDN/hieratic/hieratic/hieratic@{version}\n    inputs:\n      version: {version}\n"
            ),
            why: "checks merge requests, and reports what they change".to_owned(),
        }),
        Forge::GitHub => Some(Proposal {
            file: ".github/workflows/hieratic.yml".into(),
            text: format!(
                "name: hieratic\non: pull_request\npermissions:\n  contents: read\njobs:\n  changes:\n    runs-on: ubuntu-latest\n    \
                 permissions:\n      contents: read\n      pull-requests: write\n    steps:\n      - uses: actions/checkout@v4\n        \
                 with:\n          # The merge base has to be there.\n          fetch-depth: 0\n          persist-credentials: false\n      \
                 - uses: hieratic/hieratic/integrations/github@v{version}\n        with:\n          version: {version}\n"
            ),
            why: "checks pull requests, and reports what they change".to_owned(),
        }),
        // `docs/ci.md` has examples for other services.
        Forge::Gitea | Forge::Bitbucket => None,
    }
}

/// A string of TOML.
fn toml_text(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

fn toml_list(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| toml_text(text)).collect::<Vec<_>>().join(", "))
}
