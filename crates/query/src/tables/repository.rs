//! The tables about a repository instead of nodes: `files` and `findings`.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use hieratic::diagnostics::Severity;
use hieratic_lint::{Finding, Reader, audit, contents};

use super::columns::Cell;
use super::make::RowSink;
use crate::fleet::FleetContext;

/// The files of data that hierarchies can reach.
pub(super) fn files(fleet: &FleetContext, out: &mut RowSink<'_>) -> io::Result<()> {
    let contents = contents(&fleet.settings).map_err(|message| {
        io::Error::other(format!("the repository cannot be read: {}", fleet.redactor.message(&message)))
    })?;
    let unread: HashSet<&Path> = contents.unread.iter().map(|path| path.as_path()).collect();
    for data in &contents.data {
        let path = fleet.shown(&data.path);
        let keys = Some(data.keys.len()).filter(|_| !unread.contains(data.path.as_path()));
        out.push(&|column| match column {
            0 => Cell::Text(&path),
            1 => Cell::text(data.module.as_deref()),
            2 => Cell::Text(format_of(data.reader)),
            3 => Cell::count(Some(data.bytes)),
            _ => Cell::count(keys),
        })?;
    }
    let read: HashSet<&Path> = contents.data.iter().map(|data| data.path.as_path()).collect();
    for file in contents.unread.iter().filter(|file| !read.contains(file.as_path())) {
        let path = fleet.shown(file);
        out.push(&|column| if column == 0 { Cell::Text(&path) } else { Cell::None })?;
    }
    Ok(())
}

fn format_of(reader: Reader) -> &'static str {
    match reader {
        Reader::Yaml => "yaml",
        Reader::Directives => "directives",
        Reader::Eyaml => "eyaml",
        Reader::Json => "json",
        Reader::Hocon => "hocon",
        Reader::Hcl => "hcl",
        Reader::Other => "other",
    }
}

/// Adds the findings of `check`.
pub(super) fn findings(fleet: &FleetContext, out: &mut RowSink<'_>) -> io::Result<()> {
    for finding in audit(&fleet.check, &()).findings {
        let diagnostic = fleet.redactor.diagnostic(&finding.diagnostic);
        let file = Some(fleet.shown(Path::new(finding.file()))).filter(|file| !file.is_empty());
        let Finding { rule, fingerprint, .. } = &finding;
        let help = Some(diagnostic.help.join("\n")).filter(|help| !help.is_empty());
        let severity = match finding.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        out.push(&|column| match column {
            0 => Cell::Text(rule.id()),
            1 => Cell::Text(diagnostic.code.id()),
            2 => Cell::Text(severity),
            3 => Cell::text(file.as_deref()),
            4 => Cell::count(finding.line()),
            5 => Cell::Text(&diagnostic.message),
            6 => Cell::text(help.as_deref()),
            _ => Cell::Text(fingerprint),
        })?;
    }
    Ok(())
}
