//! [`ResumableFile`]: a resumable output file. Its rows are stored next to it until it is complete, so that an interrupted
//! run can continue.
//!
//! The folder `FILE.part` contains the rows, the progress (`progress.json`), copies of inputs that could change, and a
//! lock that the operating system releases when the process dies.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::{WriteError, whole};

/// The parameters of a run, by their names in messages.
pub(crate) type RunParameters = Vec<(&'static str, String)>;

/// Joins the rows in a file into the output file.
type JoinFiles<'j> = dyn Fn(&File, File) -> io::Result<()> + 'j;

/// A file that is not complete.
#[derive(Debug)]
pub(crate) struct ResumableFile {
    output: PathBuf,
    folder: PathBuf,
    rows: File,
    length: u64,
    parameters: RunParameters,
    /// Whether an earlier run has stored its progress.
    is_continued: bool,
    /// The lock of the run.
    _lock: File,
}

impl ResumableFile {
    /// Creates a file, or resumes an interrupted run with the same parameters and returns its last stored progress.
    ///
    /// # Errors
    /// The folder belongs to a run with other parameters or to a live process, or cannot be read or written.
    pub(crate) fn open(output: &Path, parameters: RunParameters) -> Result<(ResumableFile, Option<Json>), WriteError> {
        let folder = folder_of(output);
        let failed = |error: io::Error| WriteError::unwritable(&folder, &error);
        if let Err(error) = fs::create_dir(&folder)
            && error.kind() != ErrorKind::AlreadyExists
        {
            return Err(failed(error));
        }
        if !folder.symlink_metadata().is_ok_and(|about| about.is_dir()) {
            return Err(failed(io::Error::from(ErrorKind::NotADirectory)));
        }
        let lock = own(&folder.join("lock")).map_err(failed)?;
        if !cfg!(target_os = "wasi") && lock.try_lock().is_err() {
            let message = format!("{} is being written by another run", output.display());
            return Err(WriteError::new(message, "wait for its end, or name another file"));
        }
        let stored = match fs::read(folder.join("progress.json")) {
            Ok(bytes) => Some(parse_progress(&bytes, &parameters).map_err(|reason| cannot_continue(output, &reason))?),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        let path = folder.join("rows");
        let (length, progress) = match stored {
            Some((length, progress)) => (length, Some(progress)),
            None => (0, None),
        };
        let mut rows = own(&path).map_err(failed)?;
        if rows.metadata().map_err(failed)?.len() < length {
            return Err(cannot_continue(output, &format!("rows are missing in {}", path.display())));
        }
        rows.set_len(length).and_then(|()| rows.seek(SeekFrom::Start(length))).map_err(failed)?;
        let (output, is_continued) = (output.to_owned(), progress.is_some());
        Ok((ResumableFile { output, folder, rows, length, parameters, is_continued, _lock: lock }, progress))
    }

    /// An input of the run that is stored in the folder. It is written by the first run, and reused by continued ones.
    ///
    /// # Errors
    /// It cannot be written, or it is missing although there are rows.
    pub(crate) fn beside(&self, name: &str, write: impl FnOnce(File) -> io::Result<()>) -> Result<PathBuf, WriteError> {
        let path = self.folder.join(name);
        if !self.is_continued {
            return whole(&path, write).map(|()| path.clone()).map_err(|error| WriteError::unwritable(&path, &error));
        }
        match path.symlink_metadata() {
            Ok(about) if about.is_file() => Ok(path),
            Ok(_) => Err(WriteError::unwritable(&path, &not_a_file(&path))),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(cannot_continue(&self.output, &format!("{} is missing", path.display())))
            }
            Err(error) => Err(WriteError::unwritable(&path, &error)),
        }
    }

    /// Stores the progress. The rows are flushed to the disk before the record that they are complete.
    pub(crate) fn keep(&mut self, progress: &Json) -> io::Result<()> {
        self.rows.sync_data()?;
        let parameters: serde_json::Map<String, Json> =
            self.parameters.iter().map(|(name, text)| ((*name).to_owned(), text.as_str().into())).collect();
        let stored = json!({"question": parameters, "length": self.length, "progress": progress});
        whole(&self.folder.join("progress.json"), |mut file| file.write_all(stored.to_string().as_bytes()))
    }

    /// Moves the rows to the output file, or joins them into it, and removes the folder.
    pub(crate) fn complete(mut self, join: Option<&JoinFiles<'_>>) -> io::Result<()> {
        self.rows.sync_all()?;
        match join {
            None => fs::rename(self.folder.join("rows"), &self.output)?,
            Some(join) => {
                self.rows.seek(SeekFrom::Start(0))?;
                let rows = &self.rows;
                whole(&self.output, |file| join(rows, file))?;
            }
        }
        // The file is complete, so a leftover of the folder does no harm.
        let _ = fs::remove_dir_all(&self.folder);
        Ok(())
    }
}

impl Write for ResumableFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.rows.write(bytes)?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The folder with the rows of a file that is not complete.
pub(crate) fn folder_of(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    output.with_file_name(name)
}

/// Opens or creates a file in the folder. A link there was not created by us, and its target must not be truncated.
fn own(path: &Path) -> io::Result<File> {
    match path.symlink_metadata() {
        Ok(about) if about.is_file() => OpenOptions::new().read(true).write(true).open(path),
        Ok(_) => Err(not_a_file(path)),
        // The file does not exist, or it cannot be accessed, and then creating it fails, too.
        Err(_) => OpenOptions::new().read(true).write(true).create_new(true).open(path),
    }
}

fn cannot_continue(output: &Path, reason: &str) -> WriteError {
    let message = format!("{} cannot be continued: {reason}", output.display());
    WriteError::new(message, &format!("remove {} to start again", folder_of(output).display()))
}

fn not_a_file(path: &Path) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, format!("{} is not a file", path.display()))
}

/// The length of the rows and the progress, if they are about the same question.
fn parse_progress(bytes: &[u8], parameters: &RunParameters) -> Result<(u64, Json), String> {
    let damaged = || "its progress cannot be read".to_owned();
    let stored: Json = serde_json::from_slice(bytes).map_err(|_| damaged())?;
    let other: Vec<&str> = parameters
        .iter()
        .filter(|(name, text)| stored["question"][*name].as_str() != Some(text))
        .map(|(name, _)| *name)
        .collect();
    if !other.is_empty() {
        return Err(format!("{} changed since it began", other.join(" and ")));
    }
    let length = stored["length"].as_u64().ok_or_else(damaged)?;
    Ok((length, stored["progress"].clone()))
}
