//! Replays the recorded answers of `puppet lookup` through the command.
//!
//! One test for each version and each line of `conformance/hiera/*/cases.jsonl`; the exit status and standard output must be equal.
//! What versions 8 and 9 answer otherwise is in `on-8.jsonl` and `on-9.jsonl` beside them.
//! Explanations are asked for with `--reveal`, because the reference shows secrets and this command hides them. The few
//! cases that differ on purpose are named in `DIFFERENT`, with the reason.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

/// Cases that are answered otherwise on purpose: the id, and why. See `docs/differences.md`.
const DIFFERENT: &[(&str, &str)] = &[
    ("cli-type/29", "the reference crashes for `--type Data`; here it is the type that it names"),
    ("function-context/8", "the reference writes the character of a number; here it is the number"),
    (
        "function-faults/13-explain",
        "the reference crashes for a module that is not there; here it is a function not found",
    ),
    ("function-faults/23", "the reference writes the Ruby object of a type; here it is the type"),
    ("8/interpolate-variables/13", SERVER),
    ("8/interpolate-variables/14", SERVER),
    ("9/interpolate-variables/13", SERVER),
    ("9/interpolate-variables/14", SERVER),
    ("function-lookup-key/17", "the certificate's name is that of --node where the facts have none"),
];

const SERVER: &str = "the name and the addresses of the server are those of a server, not of the machine that asks";

/// One test for each version and case.
pub fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/hiera").canonicalize();
    let root = root.expect("the recorded cases are part of the project");
    let mut trials = Vec::new();
    let mut scenarios: Vec<PathBuf> =
        std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    scenarios.sort();
    for scenario in scenarios {
        let file = scenario.join("cases.jsonl");
        if !file.exists() {
            continue;
        }
        let cases = cases(&file);
        for version in ["7", "8", "9"] {
            let mut later = match scenario.join(format!("on-{version}.jsonl")) {
                file if file.exists() => self::cases(&file),
                _ => Vec::new(),
            };
            for case in &cases {
                let mut case = case.clone();
                if let Some(at) = later.iter().position(|other| other["id"] == case["id"]) {
                    case.as_object_mut().unwrap().extend(later.swap_remove(at).as_object().unwrap().clone());
                }
                let id = format!("{version}/{}", case["id"].as_str().unwrap());
                let scenario = scenario.clone();
                let different = DIFFERENT.iter().any(|(other, _)| id == *other || id[2..] == **other);
                trials.push(Trial::test(id, move || replay(&scenario, &case, version, different)));
            }
            assert!(later.is_empty(), "answers to no case: {later:?}");
        }
    }
    trials.extend(corpus());
    trials
}

/// The recorded cases of a file.
fn cases(file: &Path) -> Vec<Value> {
    std::fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// One test for each host of the corpus of real data, where that is at hand: everything that the node sees must equal
/// what the reference answered.
fn corpus() -> Vec<Trial> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/wikimedia");
    let Ok(entries) = std::fs::read_dir(corpus.join("expected")) else { return Vec::new() };
    let mut hosts: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok()?.strip_suffix(".jsonl.gz").map(String::from))
        .collect();
    hosts.sort();
    hosts
        .into_iter()
        .map(|host| {
            let corpus = corpus.clone();
            Trial::test(format!("wikimedia/{host}"), move || replay_host(&corpus, &host))
        })
        .collect()
}

fn replay_host(corpus: &Path, host: &str) -> Result<(), Failed> {
    let recorded = std::fs::File::open(corpus.join(format!("expected/{host}.jsonl.gz")))?;
    let mut lines = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(recorded), &mut lines)?;
    let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["lookup", "--puppet-version", "7", "--all", "--render-as", "json", "--node", host, "--environmentpath"])
        .arg(corpus.join("environments"))
        .arg("--facts")
        .arg(corpus.join(format!("facts/{host}.json")))
        .args(["--hiera_config", "/no-such-folder/hiera.yaml"])
        .output()?;
    let answers: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let mut count = 0;
    for line in lines.lines() {
        let expected: Value = serde_json::from_str(line)?;
        let key = expected["key"].as_str().unwrap();
        if answers[key] != expected["value"] {
            return Err(format!("{key}\nexpected {}\ngot      {}", expected["value"], answers[key]).into());
        }
        count += 1;
    }
    match answers.as_object().map(serde_json::Map::len) {
        Some(answered) if answered == count => Ok(()),
        answered => Err(format!("{count} keys were recorded, {answered:?} are answered").into()),
    }
}

fn replay(scenario: &Path, case: &Value, version: &str, different: bool) -> Result<(), Failed> {
    let root = scenario.display().to_string();
    let own: Vec<String> = case["args"]
        .as_array()
        .unwrap()
        .iter()
        .map(|argument| argument.as_str().unwrap().replace("{root}", &root))
        .collect();
    let nowhere = scenario.join("no-such-folder");
    let fixed = [
        ("--environmentpath", format!("{root}/environments")),
        ("--environment", "production".into()),
        ("--node", "web01.example.com".into()),
        ("--facts", format!("{root}/facts.json")),
        ("--hiera_config", format!("{root}/hiera.yaml")),
        ("--confdir", nowhere.display().to_string()),
        ("--codedir", nowhere.display().to_string()),
    ];
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command
        .args(["lookup", "--puppet-version", version])
        .current_dir(scenario)
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8");
    for (flag, value) in fixed {
        // A flag of the case takes the place of a fixed one.
        if !own.iter().any(|argument| argument == flag) {
            command.args([flag, &value]);
        }
    }
    if own.iter().any(|argument| argument.starts_with("--explain")) {
        command.arg("--reveal");
    }
    command.args(&own);
    let output = command.output()?;
    let stdout = String::from_utf8_lossy(&output.stdout).replace(&root, "{root}");
    let stderr = String::from_utf8_lossy(&output.stderr).replace(&root, "{root}");
    let expected = (case["exit"].as_i64(), case["stdout"].as_str().unwrap());
    let got = (output.status.code().map(i64::from), stdout.as_str());
    if different {
        return if got == expected {
            Err("the case is listed as different, but is answered alike".into())
        } else {
            Ok(())
        };
    }
    if got != expected {
        let command = format!("{:?}", own);
        return Err(format!(
            "{command}\nabout: {}\n--- expected ({:?})\n{}\n--- got ({:?})\n{}\n--- errors\n{stderr}\n--- recorded error: {}",
            case["about"], expected.0, expected.1, got.0, got.1, case["error"]
        )
        .into());
    }
    for warning in case["warnings"].as_array().unwrap() {
        let warning = warning.as_str().unwrap();
        if !stderr.contains(warning.lines().next().unwrap_or("")) {
            return Err(format!("the warning is missing: {warning}\n--- errors\n{stderr}").into());
        }
    }
    Ok(())
}
