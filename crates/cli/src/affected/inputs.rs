//! [`Named`]: the files and folders in the arguments.

use std::io;
use std::path::{Path, PathBuf};

use hieratic::sandbox::{FileKind, Files};
use hieratic::{Environment, Error};
use hieratic_diagnostics::{did_you_mean, nearest_many};

use crate::files::names_beside;
use crate::usage::usage;
use crate::{files, output};
use hieratic::sandbox::SlashPath as _;

/// The deepest level at which folders are listed.
const MAX_DEPTH: usize = 200;

/// The limit of files below folders.
const MAX_FILES: usize = 200_000;

/// A file, a line of one, or a folder.
pub(super) struct InputPath {
    /// The names that hierarchies may know it by. The first is the one without links.
    pub(super) paths: Vec<PathBuf>,
    pub(super) line: Option<u32>,
    /// The file, or those in the folder.
    pub(super) files: Vec<PathBuf>,
    /// Whether the folder has more files than were listed.
    is_cut_off: bool,
}

impl InputPath {
    /// The files and folders that the arguments name.
    ///
    /// # Errors
    /// A file, or a folder at any depth, cannot be read, or a file does not have the line. Its content is then unknown,
    /// and must not count as unused.
    pub(super) fn all(arguments: &[String], environment: &Environment) -> Result<Vec<InputPath>, Error> {
        arguments.iter().map(|text| InputPath::parse(text, environment)).collect()
    }

    fn parse(text: &str, environment: &Environment) -> Result<InputPath, Error> {
        let (path, line) = match (Path::new(text).exists(), text.rsplit_once(':')) {
            (false, Some((path, line))) => match line.parse::<u32>() {
                Ok(line) if line > 0 => (path, Some(line)),
                _ => (text, None),
            },
            _ => (text, None),
        };
        let unreadable = |error: &io::Error| {
            let near = if error.kind() == io::ErrorKind::NotFound { near_names(Path::new(path)) } else { Vec::new() };
            let help = did_you_mean(&near)
                .unwrap_or_else(|| "name a file or a folder of the control repository, or --level NAME".to_owned());
            usage(format!("{path} cannot be read: {error}")).help(help)
        };
        let found = hieratic::sandbox::real_path(Path::new(path)).map_err(|error| unreadable(&error))?;
        // In a removed working folder, a path has no other name.
        let absolute = std::path::absolute(path).unwrap_or_else(|_| found.clone());
        let absolute = hieratic::sandbox::plain(&absolute);
        let below = FolderFiles::open(path, &absolute, line, environment)?;
        let files =
            below.files.iter().map(|file| if file.as_os_str().is_empty() { found.clone() } else { found.join(file) });
        let files = files.collect();
        let paths = if found == absolute { vec![found] } else { vec![found, absolute] };
        Ok(InputPath { paths, line, files, is_cut_off: below.is_cut_off })
    }

    /// A sentence that reports that the folder was read in part, or `None`.
    pub(super) fn cut_off_message(&self) -> Option<String> {
        let folder = self.paths.first().filter(|_| self.is_cut_off)?;
        Some(format!("only {MAX_FILES} of the files in {} were read", folder.display()))
    }
}

/// The files and folders next to a path that does not exist whose names are similar.
fn near_names(path: &Path) -> Vec<String> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let names = names_beside(path);
    let near = nearest_many(name, names.iter().map(String::as_str));
    near.into_iter().map(|near| path.with_file_name(near).to_slashes()).collect()
}

/// The files of a folder as relative paths; for a file, a single empty path.
#[derive(Default)]
struct FolderFiles {
    files: Vec<PathBuf>,
    is_cut_off: bool,
}

impl FolderFiles {
    fn open(shown: &str, path: &Path, line: Option<u32>, environment: &Environment) -> Result<FolderFiles, Error> {
        // Naming a file permits to read it anywhere, but not to follow a link in its place.
        let readable = Files::below([path.parent().unwrap_or(path)]);
        let refused = |shown: &str, path: &Path, error: &io::Error| {
            usage(format!("{shown} cannot be read: {error}")).help(files::advice(path, error))
        };
        let stat = readable.try_stat(path).map_err(|error| refused(shown, path, &error))?;
        if stat.is_folder() {
            let below = FolderFiles::list(&readable, path).map_err(|(folder, error)| {
                let inside = folder.strip_prefix(path).unwrap_or(&folder);
                let shown = if inside.as_os_str().is_empty() {
                    shown.to_owned()
                } else {
                    Path::new(shown).join(inside).to_slashes()
                };
                refused(&shown, &folder, &error)
            })?;
            return match line {
                None => Ok(below),
                Some(line) => Err(usage(format!("{shown} is a folder, which has no line {line}"))
                    .help("name a file with a line, or the folder alone")),
            };
        }
        let itself = FolderFiles { files: vec![PathBuf::new()], is_cut_off: false };
        let Some(line) = line else {
            // The size limit of files applies only if lines are counted.
            readable.reader(path).map_err(|error| refused(shown, path, &error))?;
            return Ok(itself);
        };
        let limited = readable.with_largest(environment.capabilities().data.largest());
        let lines = lines_in(&limited.read(path).map_err(|error| refused(shown, path, &error))?);
        if line as usize <= lines {
            return Ok(itself);
        }
        let (has, help) = match lines {
            0 => ("it is empty".to_owned(), format!("name the file alone: {shown}")),
            lines => {
                (format!("it has {}", output::counted(lines, "line")), format!("its last line is {shown}:{lines}"))
            }
        };
        Err(usage(format!("{shown} has no line {line}: {has}")).help(help))
    }

    /// Lists a folder recursively. An unreadable folder is reported, because its files may reach further keys.
    fn list(readable: &Files, root: &Path) -> Result<FolderFiles, (PathBuf, io::Error)> {
        let mut below = FolderFiles::default();
        let mut open = vec![(root.to_path_buf(), 0)];
        while let Some((folder, depth)) = open.pop() {
            for entry in readable.list(&folder).map_err(|error| (folder.clone(), error))? {
                let path = folder.join(&entry.name);
                let inside = path.strip_prefix(root).unwrap_or(&path);
                match entry.kind {
                    // Links are not followed. Files at this depth are not data.
                    FileKind::Folder if depth < MAX_DEPTH => open.push((path, depth + 1)),
                    FileKind::File if inside.iter().any(|name| name == ".git") => {}
                    FileKind::File if below.files.len() < MAX_FILES => below.files.push(inside.to_path_buf()),
                    FileKind::File => below.is_cut_off = true,
                    FileKind::Folder | FileKind::Link | FileKind::Other => {}
                }
            }
        }
        Ok(below)
    }
}

fn lines_in(bytes: &[u8]) -> usize {
    let breaks = bytes.iter().filter(|byte| **byte == b'\n').count();
    breaks + usize::from(bytes.last().is_some_and(|last| *last != b'\n'))
}
