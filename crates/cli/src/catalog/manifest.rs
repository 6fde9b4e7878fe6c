//! The main manifest in the flags: any file or folder, standard input, or code.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::sandbox::{Disk, Memory, Mounted, Patched, plain};
use hieratic::{Error, Settings};

use crate::files;
use crate::usage::usage;

/// The file name in messages for code of a flag.
const OF_FLAG: &str = "/command-line";
/// The file name in messages for standard input.
const OF_INPUT: &str = "/standard-input";
/// The name of the file that represents it.
const NO_FILE: &str = "manifest.pp";

/// Replaces the manifest of an environment by the one of the flags. Files below `readable` need no further permission.
///
/// # Errors
/// The manifest is missing or cannot be read, or standard input cannot be read.
pub(crate) fn set(
    settings: &mut Settings,
    manifest: Option<&Path>,
    code: Option<&str>,
    readable: &[PathBuf],
) -> Result<(), Error> {
    let is_input = |path: &Path| path == Path::new("-") || path == Path::new("/dev/stdin");
    match (code, manifest) {
        (Some(code), _) => set_code(settings, OF_FLAG, code.as_bytes().to_vec()),
        (None, Some(path)) if is_input(path) => {
            let mut bytes = Vec::new();
            let read = std::io::stdin().lock().take(settings.limits.file.saturating_add(1)).read_to_end(&mut bytes);
            read.map_err(|error| usage(format!("standard input cannot be read: {error}")))?;
            set_code(settings, OF_INPUT, bytes)
        }
        (None, Some(path)) => set_path(settings, path, readable),
        (None, None) => Ok(()),
    }
}

/// A file outside is read here, and becomes the only file of its folder: naming it does not permit to read others.
fn set_path(settings: &mut Settings, path: &Path, readable: &[PathBuf]) -> Result<(), Error> {
    let whole = plain(path);
    settings.manifest = Some(whole.clone());
    let is_inside = readable.iter().any(|folder| whole.starts_with(plain(folder)));
    let files = settings.mounted(settings.permissions.files_named(path));
    if files.is_folder(&whole) || files.is_file(&whole) && (is_inside || settings.tree.is_some()) {
        return Ok(());
    }
    let bytes = files.read(&whole).map_err(|error| files::unreadable(path, &error))?;
    let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else {
        return Err(
            usage(format!("{} is not a manifest", path.display())).help("name a file, or a folder of manifests")
        );
    };
    let mut memory = Memory::default();
    memory.insert(name, bytes);
    let over = Patched::new(Arc::new(Disk::new(folder)), Arc::new(memory), [PathBuf::from(name)]);
    settings.tree = Some(Mounted::new(folder, over));
    Ok(())
}

fn set_code(settings: &mut Settings, folder: &str, code: Vec<u8>) -> Result<(), Error> {
    if settings.tree.is_some() {
        return Err(usage("code for the files of a revision must be in a file of it")
            .help("name the file with --manifest, or omit --revision"));
    }
    let mut memory = Memory::default();
    memory.insert(NO_FILE, code);
    settings.tree = Some(Mounted::new(folder, memory));
    settings.manifest = Some(Path::new(folder).join(NO_FILE));
    Ok(())
}
