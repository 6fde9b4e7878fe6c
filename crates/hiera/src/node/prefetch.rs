//! Reads the files of a hierarchy on all cores in advance, instead of in sequence.
//!
//! The first lookup of a node reads every file of its hierarchy, because any of them may contain `lookup_options`. If
//! files are never rechecked, the store keeps the files that were read, so the order of reads does not matter: errors and warnings
//! still appear where the lookup reaches them.

use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic_sandbox::Files;

use super::Node;
use super::level::{Backend, Levels};
use super::location::LocationKind;
use crate::source::Format;

/// The number of files that justifies another thread: starting one takes as long as reading a small file or two.
const FILES_PER_THREAD: usize = 8;

impl Node {
    /// Reads the files of levels that are not read yet.
    pub(super) fn prefetch(&self, levels: &Levels) {
        if !self.shared.is_once() {
            return;
        }
        let shared = &self.shared;
        let mut files: Vec<(&Arc<Path>, bool, Format, &Files)> = Vec::new();
        for level in levels.hierarchy.iter().chain(&levels.default_hierarchy) {
            let format = match level.backend {
                Backend::File(format @ (Format::Yaml | Format::Json | Format::Hocon)) => format,
                Backend::Eyaml => Format::Yaml,
                _ => continue,
            };
            let paths = level.locations.iter().filter_map(|location| match &location.kind {
                LocationKind::Path { path, exists: true, is_file, .. } => Some((path, *is_file)),
                _ => None,
            });
            files.extend(
                paths
                    .filter(|(path, _)| !shared.has_file(path, format, &level.files))
                    .map(|(path, is_file)| (path, is_file, format, &level.files)),
            );
        }
        // Reading the number of cores opens system files, and most nodes have nothing to prefetch.
        if files.len() < 2 * FILES_PER_THREAD {
            return;
        }
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = cores.min(files.len() / FILES_PER_THREAD);
        if threads < 2 {
            return;
        }
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some((path, is_file, format, files)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                shared.file(path, *is_file, *format, files);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
    }
}
