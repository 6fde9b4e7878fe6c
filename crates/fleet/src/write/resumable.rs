//! [`ResumableWriter`]: writes rows so that a later run can continue.

use std::io::{self, Write};

use super::Format;
#[cfg(not(target_os = "wasi"))]
use super::group::Group;
#[cfg(not(target_os = "wasi"))]
use super::groups::write_group;
use super::lines::Lines;
use crate::options::{Options, SaveInterval};
use crate::progress::{Ledger, Progress};
use crate::rows::NodeRows;

#[cfg(not(target_os = "wasi"))]
/// The maximum number of rows in a row group of a Parquet file, if the progress is saved after each.
const GROUP: usize = 1 << 18;

/// Writes rows to a ledger.
pub(crate) enum ResumableWriter<L: Ledger> {
    /// Lines. Their state at a saved progress suffices to continue.
    Lines { lines: Lines<CountingLedger<L>>, every: SaveInterval, nodes: usize },
    /// Row groups, each a separate Parquet file: the writer of a file cannot be resumed.
    #[cfg(not(target_os = "wasi"))]
    Groups { out: L, group: Box<Group>, size: usize, metadata: Vec<(String, String)> },
}

/// A ledger, with the number of bytes written since the progress was saved.
pub(crate) struct CountingLedger<L> {
    out: L,
    bytes: u64,
}

impl<L: Write> Write for CountingLedger<L> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<L: Ledger> ResumableWriter<L> {
    pub(crate) fn new(format: Format, out: L, options: &Options<'_>, is_begin: bool) -> io::Result<ResumableWriter<L>> {
        let counted = |out: L| CountingLedger { out, bytes: 0 };
        let every = options.keep_every;
        Ok(match format {
            Format::Ndjson => ResumableWriter::Lines { lines: Lines::ndjson(counted(out)), every, nodes: 0 },
            Format::Csv => ResumableWriter::Lines { lines: Lines::csv(counted(out), is_begin)?, every, nodes: 0 },
            #[cfg(target_os = "wasi")]
            Format::Parquet => return Err(super::no_tables()),
            #[cfg(not(target_os = "wasi"))]
            Format::Parquet => ResumableWriter::Groups {
                out,
                group: Box::default(),
                size: options.group.min(GROUP),
                metadata: options.metadata.clone(),
            },
        })
    }

    /// Writes the rows of a node, the first `done` of which are already written. `progress` is the state before the
    /// node.
    pub(crate) fn write(&mut self, progress: &Progress, node: &str, rows: &NodeRows, done: usize) -> io::Result<()> {
        match self {
            ResumableWriter::Lines { lines, every, nodes } => {
                if *nodes >= every.nodes || (*nodes > 0 && lines.out().bytes >= every.bytes) {
                    let counted = lines.flushed()?;
                    counted.out.keep(progress)?;
                    (counted.bytes, *nodes) = (0, 0);
                }
                *nodes += 1;
                lines.write(node, rows, done)
            }
            #[cfg(not(target_os = "wasi"))]
            ResumableWriter::Groups { out, group, size, metadata } => {
                let mut done = done;
                while done < rows.rows.len() {
                    done = group.take(node, rows, done, *size).map_err(io::Error::other)?;
                    if group.is_full(*size) {
                        write_group(&std::mem::take(&mut **group), metadata, out)?;
                        out.keep(&Progress { rows: done, ..progress.clone() })?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Writes the buffered rows.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            ResumableWriter::Lines { lines, .. } => lines.finish(),
            #[cfg(not(target_os = "wasi"))]
            ResumableWriter::Groups { mut out, group, metadata, .. } => {
                if !group.is_empty() {
                    write_group(&group, &metadata, &mut out)?;
                }
                out.flush()
            }
        }
    }
}
