//! The rules of docs/supply-chain.md for what builds and publishes: workflows and images.

use std::collections::BTreeSet;

use hieratic::Value;
use hieratic::yaml;
use regex::Regex;

use super::dependencies::root;

/// A workflow: its name, and what its file says.
struct Workflow {
    name: String,
    text: String,
    value: Value,
}

impl Workflow {
    fn new(name: &str, text: &str) -> Workflow {
        let value = yaml::parse(text.as_bytes(), &yaml::Options::new(name)).unwrap();
        Workflow { name: name.to_owned(), text: text.to_owned(), value }
    }

    /// The jobs, each with its name.
    fn jobs(&self) -> Vec<(&str, &Value)> {
        let jobs = self.value.as_hash().unwrap().get("jobs").and_then(Value::as_hash).unwrap();
        jobs.iter().map(|(name, job)| (name.as_str().unwrap(), job)).collect()
    }

    /// Whether a job may change anything, or sign in the name of the workflow.
    fn publishes(&self) -> bool {
        self.jobs().iter().any(|(_, job)| writes(job))
    }
}

fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.as_hash().and_then(|hash| hash.get(name))
}

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    field(value, name).and_then(Value::as_str)
}

fn steps(job: &Value) -> &[Value] {
    field(job, "steps").and_then(Value::as_array).unwrap_or_default()
}

fn writes(job: &Value) -> bool {
    let granted = |permissions: &Value| match permissions {
        Value::String(all) => &**all == "write-all",
        list => list.as_hash().unwrap().iter().any(|(_, right)| right.as_str() == Some("write")),
    };
    field(job, "permissions").is_some_and(granted)
}

/// What is wrong with the workflows, of which some call others.
fn faults(workflows: &[Workflow]) -> Vec<String> {
    let published: BTreeSet<&str> = workflows
        .iter()
        .filter(|workflow| workflow.publishes())
        .flat_map(|workflow| {
            let called = workflow.jobs().into_iter().filter_map(|(_, job)| text(job, "uses")?.rsplit('/').next());
            called.chain([workflow.name.as_str()]).collect::<Vec<_>>()
        })
        .collect();
    let mut faults = Vec::new();
    for workflow in workflows {
        let mut add = |error: String| faults.push(format!("{}: {error}", workflow.name));
        rights(workflow, &mut add);
        for (name, job) in workflow.jobs() {
            let uses = steps(job).iter().chain([job]).filter_map(|step| Some((step, text(step, "uses")?)));
            for (step, uses) in uses {
                action(workflow, step, uses, &mut add);
                if published.contains(workflow.name.as_str()) && (has_cache(uses) || caches(step)) {
                    add(format!("{name} uses a cache in a workflow that publishes: {uses}"));
                }
            }
            for run in steps(job).iter().filter_map(|step| text(step, "run")) {
                script(run, &mut add);
                if writes(job) && builds(run) {
                    add(format!("{name} may write, and builds or installs something: {run}"));
                }
            }
        }
    }
    faults
}

fn rights(workflow: &Workflow, add: &mut impl FnMut(String)) {
    let value = &workflow.value;
    let permissions = field(value, "permissions").and_then(Value::as_hash);
    let least = permissions.is_some_and(|list| {
        list.iter().all(|(name, right)| name.as_str() == Some("contents") && right.as_str() == Some("read"))
    });
    if !least {
        add("expected `permissions: contents: read` for all jobs that list none".to_owned());
    }
    // YAML 1.1 reads `on` as true.
    let hash = value.as_hash().unwrap();
    let events = hash.get("on").or_else(|| hash.get_value(&Value::Boolean(true))).unwrap();
    for event in ["pull_request_target", "workflow_run", "issue_comment"] {
        let is_named = match events {
            Value::String(one) => &**one == event,
            Value::Array(list) => list.iter().any(|one| one.as_str() == Some(event)),
            table => field(table, event).is_some(),
        };
        if is_named {
            add(format!("runs on {event}, with rights of the repository for what a stranger wrote"));
        }
    }
}

fn action(workflow: &Workflow, step: &Value, uses: &str, add: &mut impl FnMut(String)) {
    let commit = Regex::new("^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)+@[0-9a-f]{40}$").unwrap();
    let image = Regex::new("^docker://.+@sha256:[0-9a-f]{64}$").unwrap();
    if uses.starts_with("./") {
        return;
    }
    if !commit.is_match(uses) && !image.is_match(uses) {
        add(format!("{uses} is not pinned to a commit"));
    } else {
        let named = format!("uses: {} # v[0-9]+[.][0-9]+[.][0-9]+\n", regex::escape(uses));
        let (all, with_version) =
            (workflow.text.matches(uses).count(), Regex::new(&named).unwrap().find_iter(&workflow.text).count());
        if all != with_version {
            add(format!("{uses} names no version in a comment beside it"));
        }
    }
    if uses.starts_with("actions/checkout@")
        && !matches!(
            field(step, "with").and_then(|with| field(with, "persist-credentials")),
            Some(Value::Boolean(false))
        )
    {
        add("a checkout keeps the token: expected `persist-credentials: false`".to_owned());
    }
}

/// Whether an action keeps files from one run to the next: some do so unless they are told not to.
fn has_cache(uses: &str) -> bool {
    uses.contains("cache") || uses.contains("/setup-")
}

fn caches(step: &Value) -> bool {
    let with = field(step, "with").and_then(Value::as_hash);
    with.is_some_and(|with| with.keys().any(|key| key.as_str().is_some_and(|key| key.contains("cache"))))
}

fn script(run: &str, add: &mut impl FnMut(String)) {
    if run.contains("${{") {
        add(format!("a script contains an expression, so that a name may become code; use `env`: {run}"));
    }
    let version = "[0-9]+[.][0-9]+[.][0-9]+";
    for (install, exact) in [
        ("cargo install", format!("--version {version}( .*)? --locked|--locked( .*)? --version {version}")),
        ("go (run|install)", format!("@v{version}")),
    ] {
        let install = Regex::new(&format!("(^|[\\s;&|(]){install} ")).unwrap();
        let exact = Regex::new(&format!("({exact})(\\s|$)")).unwrap();
        for line in run.lines().filter(|line| install.is_match(line) && !exact.is_match(line)) {
            add(format!("expected an exact version: {line}"));
        }
    }
    for loose in ["pip install", "pipx ", "npm install", "npx ", "curl ", "wget "] {
        if run.contains(loose) {
            add(format!("loads a program whose content nothing fixes: {run}"));
        }
    }
}

fn builds(run: &str) -> bool {
    let words: BTreeSet<&str> = run.split_whitespace().collect();
    ["cargo", "rustup", "apt-get", "go", "npm", "pip", "make", "docker"].iter().any(|tool| words.contains(tool))
        || words.iter().any(|word| word.contains("packaging/") || word.contains(".ci/"))
}

fn workflows() -> Vec<Workflow> {
    let folder = root().join(".github/workflows");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        Workflow::new(path.file_name().unwrap().to_str().unwrap(), &std::fs::read_to_string(path).unwrap())
    };
    paths.iter().map(read).collect()
}

#[test]
fn workflows_follow_the_rules() {
    let workflows = workflows();
    assert!(workflows.iter().any(|workflow| workflow.name == "release.yml" && workflow.publishes()));
    assert_eq!(faults(&workflows), Vec::<String>::new());
}

#[test]
fn violations_of_a_rule_are_found() {
    let commit = "1234567890123456789012345678901234567890";
    let begin = "on: push\npermissions:\n  contents: read\njobs:\n  job:\n    steps:\n";
    let good =
        format!("{begin}      - uses: a/b@{commit} # v1.2.3\n      - run: cargo install x --version 1.2.3 --locked\n");
    assert_eq!(faults(&[Workflow::new("good.yml", &good)]), Vec::<String>::new());
    let publishing = format!(
        "on: push\npermissions:\n  contents: read\njobs:\n  job:\n    permissions:\n      contents: write\n    steps:\n      - uses: a/b@{commit} # v1.2.3\n"
    );
    let called = format!("{publishing}  other:\n    uses: ./.github/workflows/good.yml\n");
    let bad: &[(String, &str)] = &[
        (good.replace(&format!("a/b@{commit} # v1.2.3"), "a/b@v1"), "a/b@v1 is not pinned"),
        (good.replace(&format!("{commit} "), "1234567 "), "is not pinned"),
        (good.replace(&format!("a/b@{commit}"), "docker://alpine:3"), "is not pinned"),
        (good.replace(" # v1.2.3", " # v1"), "names no version"),
        (good.replace(" # v1.2.3", ""), "names no version"),
        (good.replace("a/b@", "actions/checkout@"), "keeps the token"),
        (good.replace("permissions:\n  contents: read\n", ""), "expected `permissions"),
        (good.replace("contents: read", "contents: write"), "expected `permissions"),
        (good.replace("on: push", "on: pull_request_target"), "runs on pull_request_target"),
        (good.replace("on: push", "on: [push, workflow_run]"), "runs on workflow_run"),
        (good.replace("on: push", "on:\n  issue_comment:"), "runs on issue_comment"),
        (good.replace(" --version 1.2.3", ""), "exact version"),
        (good.replace("1.2.3 --locked", "1.2 --locked"), "exact version"),
        (good.replace("cargo install x --version 1.2.3 --locked", "go run a@latest"), "exact version"),
        (good.replace("cargo install x", "echo ${{ github.head_ref }}; cargo install x"), "contains an expression"),
        (good.replace("cargo install", "curl x | sh; cargo install"), "nothing fixes"),
        (publishing.replace("a/b@", "Swatinem/rust-cache@"), "uses a cache"),
        (publishing.replace("a/b@", "actions/setup-go@"), "uses a cache"),
        (publishing.replace("v1.2.3\n", "v1.2.3\n        with:\n          cache: npm\n"), "uses a cache"),
        (format!("{publishing}      - run: cargo build\n"), "builds or installs"),
    ];
    for (text, expected) in bad {
        let found = faults(&[Workflow::new("bad.yml", text)]);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{expected} in {found:?} of\n{text}");
    }
    let cache = good.replace("a/b@", "actions/cache@");
    let found = faults(&[Workflow::new("bad.yml", &called), Workflow::new("good.yml", &cache)]);
    assert!(found.iter().any(|fault| fault.starts_with("good.yml: job uses a cache")), "{found:?}");
}

/// The images of a Dockerfile that their digests do not fix.
fn loose_images(text: &str) -> Vec<String> {
    let digest = Regex::new("@sha256:[0-9a-f]{64}$").unwrap();
    let mut stages = BTreeSet::new();
    let mut loose = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().filter(|word| !word.starts_with("--platform")).collect();
        let images: Vec<&str> = match words.as_slice() {
            [from, image, ..] if from.eq_ignore_ascii_case("from") => vec![image],
            ["#", parser, ..] if parser.starts_with("syntax=") => vec![&parser["syntax=".len()..]],
            words => words
                .iter()
                .filter_map(|word| word.strip_prefix("--from="))
                .chain(
                    words
                        .iter()
                        .filter_map(|word| word.strip_prefix("--mount=")?.split_once("from=").map(|(_, image)| image)),
                )
                .collect(),
        };
        let is_fixed = |image: &&str| *image == "scratch" || stages.contains(*image) || digest.is_match(image);
        loose.extend(images.iter().filter(|image| !is_fixed(image)).map(|image| (*image).to_owned()));
        if let [from, _, word, name] = words.as_slice()
            && from.eq_ignore_ascii_case("from")
            && word.eq_ignore_ascii_case("as")
        {
            stages.insert((*name).to_owned());
        }
    }
    loose
}

#[test]
fn images_are_pinned_to_digests() {
    let text = std::fs::read_to_string(root().join("Dockerfile")).unwrap();
    assert!(text.contains("\nFROM "));
    assert_eq!(loose_images(&text), Vec::<String>::new());
    // The image that runs has nothing but the command.
    let last = text.rsplit("\nFROM ").next().unwrap();
    assert!(last.starts_with("scratch\n"), "{last}");
}

#[test]
fn images_without_a_digest_are_found() {
    let digest = "1".repeat(64);
    let good = format!(
        "# syntax=docker/dockerfile:1@sha256:{digest}\nFROM --platform=x rust:1@sha256:{digest} AS build\nFROM scratch\nCOPY --from=build a b\n"
    );
    assert_eq!(loose_images(&good), Vec::<String>::new());
    for (from, to, image) in [
        (format!("rust:1@sha256:{digest}"), "rust:1", "rust:1"),
        (format!("rust:1@sha256:{digest}"), "${RUST}", "${RUST}"),
        (digest.clone(), "11", "docker/dockerfile:1@sha256:11"),
        ("FROM scratch".to_owned(), "from debian", "debian"),
        ("--from=build".to_owned(), "--from=busybox", "busybox"),
        (" AS build".to_owned(), "", "build"),
    ] {
        let loose = loose_images(&good.replace(&from, to));
        assert!(loose.iter().any(|one| one == image), "{image} in {loose:?}");
    }
}

#[test]
fn releases_and_the_image_are_built_with_one_compiler() {
    let release = std::fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
    let version = Regex::new("RUSTUP_TOOLCHAIN: ([0-9.]+)\n").unwrap().captures(&release).unwrap()[1].to_owned();
    let image = std::fs::read_to_string(root().join("Dockerfile")).unwrap();
    assert!(image.contains(&format!("FROM rust:{version}-")), "the Dockerfile has another version than {version}");
}
