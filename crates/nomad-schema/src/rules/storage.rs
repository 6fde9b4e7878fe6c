//! Rules of volumes, as a server has them.

use hieratic_hcl1::{File, Item, Token};
use hieratic_source::Span;

use super::arguments::{argument, blocks, inner, known_text, refused};
use crate::finding::Finding;
use crate::operator::Operator;
use crate::types::parse_size;

pub(super) fn csi_volume(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let text = |name: &str| argument(file, &file.items, name).filter(|token| is_written(file, token));
    match argument(file, &file.items, "id") {
        Some(token) if !is_written(file, token) => {
            findings.push(refused(file.span(token), "the volume has no id".to_owned(), "write one"));
        }
        Some(_) => {}
        None if blocks(file, &file.items, "id").next().is_none() => {
            findings.push(refused(Span::at(0), "a CSI volume needs \"id\"".to_owned(), "write id = \"...\""));
        }
        None => {}
    }
    if let (Some(_), Some(token)) = (text("snapshot_id"), text("clone_id")) {
        let message = "the volume has both \"snapshot_id\" and \"clone_id\"".to_owned();
        findings.push(refused(file.span(token), message, "leave one of them"));
    }
    findings
}

pub(super) fn host_volume(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let size = |name: &str| {
        let token = argument(file, &file.items, name)?;
        let size = parse_size(file.text(token).trim_matches('"'))?;
        Some((token, size))
    };
    let max = size("capacity_max");
    if let Some((token, min)) = size("capacity_min")
        && min > max.map_or(0.0, |(_, max)| max)
        // A size that cannot be read is reported elsewhere.
        && (max.is_some() || blocks(file, &file.items, "capacity_max").next().is_none())
    {
        let help = match max {
            Some(_) => "write a larger capacity_max",
            None => "write capacity_max, too",
        };
        let message = "\"capacity_min\" is larger than \"capacity_max\"".to_owned();
        findings.push(refused(file.span(token), message, help));
    }
    for constraint in blocks(file, &file.items, "constraint") {
        findings.extend(constraint_of_host(file, inner(constraint)));
    }
    findings
}

fn constraint_of_host(file: &File, items: &[Item]) -> Option<Finding> {
    let distinct = ["distinct_hosts", "distinct_property"];
    let written = distinct.iter().find_map(|name| argument(file, items, name).map(|token| (*name, token)));
    let operator = argument(file, items, "operator").and_then(|token| Some((known_text(file, token)?, token)));
    let help = "host volumes of the same name are always on different nodes";
    match (written, operator) {
        (Some(("distinct_hosts", token)), _) if file.text(token) == "false" => None,
        (Some((name, token)), _) => {
            Some(refused(file.span(token), format!("a host volume cannot have a constraint \"{name}\""), help))
        }
        (None, Some((operator, token)))
            if Operator::from_name(&operator).is_some_and(Operator::is_about_allocations) =>
        {
            Some(refused(file.span(token), format!("a host volume cannot have a constraint \"{operator}\""), help))
        }
        (None, Some((operator, token))) if !operator.is_empty() && Operator::from_name(&operator).is_none() => {
            let message = format!("operator cannot have the value \"{operator}\"");
            Some(refused(file.span(token), message, "see the operators of constraints in jobs"))
        }
        _ => None,
    }
}

fn is_written(file: &File, token: &Token) -> bool {
    // A string that cannot be read is reported elsewhere.
    file.name(token).is_ok_and(|text| !text.is_empty())
}
