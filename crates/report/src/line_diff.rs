//! [`LineDiff`]: two strings, compared line by line.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;
use std::time::Instant;

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers};

use crate::Sign;

/// The lines around a change in a unified diff.
const CONTEXT: usize = 3;

/// The differences between two strings, line by line.
///
/// Lines are numbered before they are compared. `similar::TextDiff` returns the same, but holds each of its six
/// algorithms several times: a fiftieth of the command.
pub struct LineDiff<'t> {
    base: Vec<&'t str>,
    head: Vec<&'t str>,
    operations: Vec<DiffOp>,
}

impl<'t> LineDiff<'t> {
    /// Compares strings. A line includes its end, which is `\n`, `\r\n` or `\r`.
    pub fn new(base: &'t str, head: &'t str) -> Self {
        LineDiff::of_lines(split_lines(base), split_lines(head), None)
    }

    /// Compares lines. After the deadline, the rest is compared less accurately.
    pub fn of_lines(base: Vec<&'t str>, head: Vec<&'t str>, deadline: Option<Instant>) -> Self {
        let mut known = HashMap::new();
        let mut number = |lines: &[&'t str]| -> Vec<usize> {
            lines
                .iter()
                .map(|line| {
                    let next = known.len();
                    *known.entry(*line).or_insert(next)
                })
                .collect()
        };
        let (old, new) = (number(&base), number(&head));
        let mut operations = Compact::new(Replace::new(Capture::new()), &old[..], &new[..]);
        let Ok(()) = myers::diff_deadline(&mut operations, &old[..], 0..old.len(), &new[..], 0..new.len(), deadline);
        LineDiff { base, head, operations: operations.into_inner().into_inner().into_ops() }
    }

    /// Returns pairs of lines that are on both sides: their indexes in the base and in the head.
    pub fn unchanged_lines(&self) -> impl Iterator<Item = (usize, usize)> {
        self.operations
            .iter()
            .filter(|operation| matches!(operation, DiffOp::Equal { .. }))
            .flat_map(|operation| operation.old_range().zip(operation.new_range()))
    }

    /// Returns groups of changed lines with up to `around` lines before and after them.
    pub fn groups(&self, around: usize) -> Vec<Vec<(Sign, &'t str)>> {
        self.group_operations(around).iter().map(|group| self.rows(group)).collect()
    }

    /// Returns the differences in the format of `diff -u`; empty if there are none.
    pub fn unified(&self, base_name: &str, head_name: &str) -> String {
        let mut out = String::new();
        for group in self.group_operations(CONTEXT) {
            if out.is_empty() {
                // Writing to a string cannot fail.
                let _ = write!(out, "--- {base_name}\n+++ {head_name}\n");
            }
            let (first, last) = (group[0], group[group.len() - 1]);
            let base = first.old_range().start..last.old_range().end;
            let head = first.new_range().start..last.new_range().end;
            let _ = writeln!(out, "@@ -{} +{} @@", line_numbers(base), line_numbers(head));
            for (sign, line) in self.rows(&group) {
                out.push(match sign {
                    Sign::Removed => '-',
                    Sign::Added => '+',
                    Sign::Context => ' ',
                });
                out.push_str(line);
                if !line.ends_with(['\n', '\r']) {
                    out.push_str("\n\\ No newline at end of file\n");
                }
            }
        }
        out
    }

    fn group_operations(&self, around: usize) -> Vec<Vec<DiffOp>> {
        let mut groups = similar::group_diff_ops(self.operations.clone(), around);
        groups.retain(|group| !group.is_empty());
        groups
    }

    fn rows(&self, group: &[DiffOp]) -> Vec<(Sign, &'t str)> {
        let mut rows = Vec::new();
        for operation in group {
            let (removed, added) = (&self.base[operation.old_range()], &self.head[operation.new_range()]);
            if let DiffOp::Equal { .. } = operation {
                rows.extend(removed.iter().map(|line| (Sign::Context, *line)));
            } else {
                rows.extend(removed.iter().map(|line| (Sign::Removed, *line)));
                rows.extend(added.iter().map(|line| (Sign::Added, *line)));
            }
        }
        rows
    }
}

/// Divides a string after each end of a line.
fn split_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        let ends = byte == b'\n' || byte == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n');
        if ends {
            lines.push(&text[start..=at]);
            start = at + 1;
        }
    }
    if start < text.len() {
        lines.push(&text[start..]);
    }
    lines
}

/// Returns the numbers of lines in the header of a hunk: the first one, and how many unless it is one.
fn line_numbers(range: Range<usize>) -> String {
    match range.len() {
        1 => format!("{}", range.start + 1),
        // Nothing is after the line before it.
        0 => format!("{},0", range.start),
        count => format!("{},{count}", range.start + 1),
    }
}
