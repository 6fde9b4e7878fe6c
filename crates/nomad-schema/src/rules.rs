//! Rules that types cannot express: names, paths, and required content.

mod arguments;
pub(crate) mod config_entry;
mod storage;
mod vault_server;

use hieratic_hcl1::File;

use arguments::{argument, blocks, inner, known_text, label, refused};

use crate::finding::Finding;
use crate::kind::Kind;

/// The rules of a kind.
pub(crate) fn check(kind: Kind, file: &File) -> Vec<Finding> {
    match kind {
        Kind::NomadPolicy => nomad_policy(file),
        Kind::VaultPolicy => vault_policy(file),
        Kind::VaultServer => vault_server::check(file),
        Kind::CsiVolume => storage::csi_volume(file),
        Kind::HostVolume => storage::host_volume(file),
        Kind::NomadNamespace => nomad_namespace(file),
        Kind::NomadVariable => nomad_variable(file),
        Kind::ConsulConfigEntry => config_entry::check(file),
        Kind::NomadAgent | Kind::NomadQuota | Kind::ConsulAgent | Kind::ConsulPolicy => Vec::new(),
    }
}

fn nomad_policy(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, extra) in [("namespace", "-*"), ("node_pool", "-_*"), ("host_volume", "-*")] {
        for item in blocks(file, &file.items, name) {
            let Some((token, label)) = label(file, item) else { continue };
            let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || extra.contains(letter);
            if !(1..=128).contains(&label.len()) || !label.chars().all(is_allowed) {
                let message = format!("\"{label}\" cannot be the name of a {}", name.replace('_', " "));
                let help = if extra.contains('_') {
                    "names have letters, digits, - and _, and * for any; 128 at most"
                } else {
                    "names have letters, digits and -, and * for any; 128 at most"
                };
                findings.push(refused(file.span(token), message, help));
            }
        }
    }
    for namespace in blocks(file, &file.items, "namespace") {
        for variables in blocks(file, inner(namespace), "variables") {
            for path in blocks(file, inner(variables), "path") {
                let Some((token, label)) = label(file, path) else { continue };
                if label.is_empty() || label.starts_with('/') {
                    let message = format!("\"{label}\" cannot be the path of variables");
                    findings.push(refused(file.span(token), message, "write it without a leading /"));
                }
            }
        }
    }
    findings
}

fn nomad_namespace(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(token) = argument(file, &file.items, "name")
        && let Some(name) = known_text(file, token)
    {
        let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        if !(1..=128).contains(&name.len()) || !name.chars().all(is_allowed) {
            let message = format!("\"{name}\" cannot be the name of a namespace");
            findings.push(refused(file.span(token), message, "names have letters, digits and -; 128 at most"));
        }
    }
    if let Some(token) = argument(file, &file.items, "description")
        && known_text(file, token).is_some_and(|text| text.len() > 256)
    {
        findings.push(refused(file.span(token), "the description is too long".to_owned(), "write 256 bytes at most"));
    }
    findings
}

fn nomad_variable(file: &File) -> Vec<Finding> {
    let Some(token) = argument(file, &file.items, "path") else { return Vec::new() };
    let Some(path) = known_text(file, token).filter(|path| !path.is_empty()) else { return Vec::new() };
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_~/".contains(letter);
    let help = match path.split('/').collect::<Vec<&str>>().as_slice() {
        _ if path.len() > 128 || !path.chars().all(is_allowed) => {
            "paths have letters, digits, -, _, ~ and /; 128 at most"
        }
        ["nomad", "jobs" | "sentinel", ..] | ["nomad", "job-templates", _] => return Vec::new(),
        ["nomad", ..] => "below nomad/, only nomad/jobs, nomad/job-templates/NAME and nomad/sentinel exist",
        _ => return Vec::new(),
    };
    vec![refused(file.span(token), format!("\"{path}\" cannot be the path of a variable"), help)]
}

fn vault_policy(file: &File) -> Vec<Finding> {
    let labelled = blocks(file, &file.items, "path").filter_map(|item| label(file, item));
    let wrong = labelled.filter(|(_, path)| path.contains("+*"));
    wrong
        .map(|(token, path)| {
            let message = format!("the path \"{path}\" has a wildcard that Vault refuses");
            refused(file.span(token), message, "+ stands for one segment, and * for the rest at the end: not +*")
        })
        .collect()
}
