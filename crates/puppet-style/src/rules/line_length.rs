//! Long lines.

use super::Context;
use crate::failure::Failure;
use crate::problem::{Data, Problem, Severity};

pub(super) fn of_140(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    check(cx, 140);
    Ok(())
}

pub(super) fn of_80(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    check(cx, 80);
    Ok(())
}

fn check(cx: &mut Context<'_, '_>, most: usize) {
    let mut start = 0;
    for (number, line) in (1..).zip(cx.manifest.source.split('\n')) {
        let (first, end) = (start, start + line.len());
        start = end + 1;
        // Addresses and templates cannot be split.
        let is_long = line.len() > most && line.chars().count() > most;
        if !is_long || line.contains("://") || line.contains("template(") {
            continue;
        }
        // The column is that of the last character that fits.
        let after = line.char_indices().nth(most - 1).map_or(end, |(at, _)| first + at);
        cx.found.push(Problem {
            rule: cx.rule.name,
            severity: Severity::Warning,
            message: format!("line has more than {most} characters"),
            line: number,
            column: i64::try_from(most).unwrap_or(0),
            span: after..end,
            ignored: None,
            is_fixed: false,
            data: Data::None,
        });
    }
}
