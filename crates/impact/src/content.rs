//! [`Contents`]: 'puppet:///...'`. => the content of the files in `source => 'puppet:///...'`. => 'puppet:///...'`.
//!
//! A catalog only names the source of a file. The content can change while the catalog stays the same.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use hieratic::lookup::Origin;
use hieratic::puppet_eval::CompiledResource;
use hieratic::sandbox::{FileKind, Files};
use hieratic::value::Value;
use hieratic::value::collections::HashMap;
use hieratic::{Environment, Redactor};
use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};

use crate::diff::Diff;
use crate::parts::{Indexes, Leaf, Part, PartValue};
use hieratic::sandbox::SlashPath as _;

/// The name under which the content of a file is shown: that of the parameter that would have it.
pub(crate) const CONTENT: &str = "content";

/// The parameters that decide which files a resource gets.
const DECIDING: [&str; 5] = ["source", "sourceselect", "recurse", "recurselimit", "ignore"];
/// The size of the largest file that is compared line by line, in bytes.
const LARGEST_TEXT: u64 = 1 << 20;
/// The size of the largest file that is read, in bytes.
const LARGEST_FILE: u64 = 1 << 26;
/// The most bytes that are read altogether.
const MOST_BYTES: u64 = 1 << 28;
/// The most files of a folder that are compared.
const MOST_FILES: usize = 20_000;
/// The deepest nesting of the folders of a source.
const DEEPEST: usize = 32;

/// The contents of files, as far as the bytes that may be read last.
#[derive(Debug)]
pub(crate) struct Contents {
    left: AtomicU64,
    /// A cache of results by the parameters that decide about files: thousands of nodes have the same resource.
    known: Mutex<HashMap<String, CachedParts>>,
}

/// The differences in the files of a resource, and the files that were not read.
type CachedParts = (Vec<Part>, UnreadFiles);

/// The files that were not compared, by their sources or with the reason.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnreadFiles {
    /// The sources outside of modules: those of other servers and of mounts.
    pub(crate) elsewhere: BTreeSet<String>,
    /// The files that are too large, or too many, or cannot be read.
    pub(crate) unread: BTreeSet<String>,
}

impl UnreadFiles {
    pub(crate) fn add(&mut self, other: UnreadFiles) {
        self.elsewhere.extend(other.elsewhere);
        self.unread.extend(other.unread);
    }
}

impl Default for Contents {
    fn default() -> Contents {
        Contents { left: AtomicU64::new(MOST_BYTES), known: Mutex::default() }
    }
}

impl Contents {
    /// The differences in the files of a resource that both sides have.
    pub(crate) fn parts(
        &self,
        resources: Diff<&CompiledResource>,
        environments: Diff<&Environment>,
        redactor: &Redactor,
        unseen: &mut UnreadFiles,
    ) -> Vec<Part> {
        if resources.into_iter().all(|resource| resource.parameter("source").is_none()) {
            return Vec::new();
        }
        let deciding =
            |resource: &CompiledResource| DECIDING.map(|name| resource.parameter(name).map(|own| own.value.inspect()));
        let key = format!("{:?}", resources.map(deciding));
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((parts, own)) = known().get(&key) {
            unseen.add(own.clone());
            return parts.clone();
        }
        let mut own = UnreadFiles::default();
        let parts = self.differing(resources, environments, redactor, &mut own);
        unseen.add(own.clone());
        known().insert(key, (parts.clone(), own));
        parts
    }

    /// Computes [`parts`](Self::parts) without the cache.
    fn differing(
        &self,
        resources: Diff<&CompiledResource>,
        environments: Diff<&Environment>,
        redactor: &Redactor,
        unseen: &mut UnreadFiles,
    ) -> Vec<Part> {
        let sides = resources.zip(environments);
        let Diff { base: old, head: new } =
            sides.map(|(resource, environment)| files_of(resource, environment, unseen).unwrap_or_default());
        let is_other =
            |path: &Path| environments.into_iter().any(|side| side.capabilities().files_of(path).is_patched(path));
        let is_same = |name: &String| match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) => {
                let files = &environments.head.capabilities().code;
                // A link may be the same while its target is another file.
                old == new && !is_other(old) && files.real(new).is_ok_and(|real| !is_other(&real))
            }
            _ => false,
        };
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).filter(|name| !is_same(name)).collect();
        let mut parts = Vec::new();
        for name in names {
            let paths = Diff { base: old.get(name), head: new.get(name) };
            let leaves = paths
                .zip(environments)
                .map(|(path, environment)| self.leaf(name, path?, environment, redactor, unseen));
            if let Diff { base: Some(old), head: Some(new) } = &leaves
                && old.plain == new.plain
            {
                continue;
            }
            let found = |leaf: Leaf| PartValue {
                value: leaf.value,
                origin: leaf.origin,
                is_error: false,
                is_redacted: leaf.is_redacted,
            };
            let path = path_of(name);
            let values = leaves.map(|leaf| leaf.map(found));
            if values.as_ref().into_iter().any(Option::is_some) {
                parts.push(Part::new(path, values));
            }
        }
        parts
    }

    /// The content of a file; none, with a word, if it cannot be read.
    fn leaf(
        &self,
        name: &str,
        path: &Path,
        environment: &Environment,
        redactor: &Redactor,
        unseen: &mut UnreadFiles,
    ) -> Option<Leaf> {
        let mut refuse = |reason: String| {
            unseen.unread.insert(format!("{}: {reason}", path.display()));
            None
        };
        let files = &environment.capabilities().code;
        let stat = match files.try_stat(path) {
            Ok(stat) => stat,
            Err(error) => return refuse(error.to_string()),
        };
        if stat.len > LARGEST_FILE {
            return refuse(format!("it has more than {} MiB", LARGEST_FILE >> 20));
        }
        let take = |left: u64| left.checked_sub(stat.len);
        if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() {
            return refuse(format!("the files of sources have more than {} MiB altogether", MOST_BYTES >> 20));
        }
        let plain = match content(files, path, stat.len) {
            Ok(plain) => Value::from(plain),
            Err(error) => return refuse(error.to_string()),
        };
        let value = redactor.value(&plain);
        let is_redacted = !redactor.reveals() && value != plain;
        let origin = Some(Origin::Named(path.to_slashes().into()));
        Some(Leaf { path: path_of(name), value, plain, origin, is_redacted, indexes: Indexes::default() })
    }
}

/// Returns the content of the files that a resource copies from modules, with secrets redacted.
pub fn content_leaves(resource: &CompiledResource, environment: &Environment, redactor: &Redactor) -> Vec<Leaf> {
    let (contents, mut unseen) = (Contents::default(), UnreadFiles::default());
    let files = files_of(resource, environment, &mut unseen).unwrap_or_default();
    files.iter().filter_map(|(name, path)| contents.leaf(name, path, environment, redactor, &mut unseen)).collect()
}

/// The path of the content of a file in a resource: `content`, followed by the name of the file if it is one of a
/// folder.
fn path_of(name: &str) -> Vec<Value> {
    let name = (!name.is_empty()).then(|| Value::from(name));
    std::iter::once(Value::from(CONTENT)).chain(name).collect()
}

/// Returns the content of a file; of a binary file its size and digest.
fn content(files: &Files, path: &Path, size: u64) -> std::io::Result<String> {
    if size <= LARGEST_TEXT {
        return Ok(match String::from_utf8(files.read(path)?) {
            Ok(text) if !text.contains('\0') => text,
            Ok(text) => digest_of(&Sha256::digest(text.as_bytes()), text.len()),
            Err(error) => digest_of(&Sha256::digest(error.as_bytes()), error.as_bytes().len()),
        });
    }
    let (mut digest, mut buffer, mut length) = (Sha256::new(), vec![0; 1 << 16], 0);
    // A file may grow while it is read.
    let mut reader = files.reader(path)?.take(LARGEST_FILE);
    loop {
        match reader.read(&mut buffer)? {
            0 => return Ok(digest_of(&digest.finalize(), length)),
            count => {
                length += count;
                digest.update(&buffer[..count]);
            }
        }
    }
}

fn digest_of(digest: &[u8], length: usize) -> String {
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("(binary: {length} bytes, SHA-256 {hex})")
}

/// The files that a resource gets, by their names below its source. The name is empty if the source is a single file.
/// `None` if the resource has no source on the server.
fn files_of(
    resource: &CompiledResource,
    environment: &Environment,
    unseen: &mut UnreadFiles,
) -> Option<BTreeMap<String, PathBuf>> {
    let parameter = |name: &str| resource.parameter(name).map(|parameter| &parameter.value);
    let sources: Vec<String> = match parameter("source")? {
        Value::Array(all) => all.iter().map(Value::to_text).collect(),
        one => vec![one.to_text()],
    };
    let takes_all = parameter("sourceselect").is_some_and(|value| value.to_text() == "all");
    let is_deep =
        parameter("recurse").is_some_and(|value| matches!(value.to_text().as_str(), "true" | "remote" | "inf"));
    let deepest = parameter("recurselimit").and_then(|value| value.to_text().parse().ok()).unwrap_or(DEEPEST);
    let ignored: Vec<String> = match parameter("ignore") {
        Some(Value::Array(all)) => all.iter().map(Value::to_text).collect(),
        Some(one) if !matches!(one, Value::Undef) => vec![one.to_text()],
        _ => Vec::new(),
    };
    let files = &environment.capabilities().code;
    let mut found = BTreeMap::new();
    for source in &sources {
        // A file on the node, or on the web, does not come from the server.
        if !source.starts_with("puppet:") {
            continue;
        }
        let Some(path) = served(source, environment) else {
            unseen.elsewhere.insert(source.clone());
            // The first source that exists is unknown from here on.
            if takes_all {
                continue;
            }
            break;
        };
        if files.is_file(&path) {
            found.entry(String::new()).or_insert(path);
        } else if files.is_folder(&path) {
            if is_deep {
                let folder = Folder { files, ignored: &ignored, deepest: deepest.min(DEEPEST) };
                folder.collect(&path, &mut found, unseen);
            }
        } else {
            continue;
        }
        if !takes_all {
            break;
        }
    }
    Some(found)
}

/// The file that the server of an environment gives for `puppet:///modules/MODULE/PATH`, or for a mount whose folder is
/// in the repository.
fn served(source: &str, environment: &Environment) -> Option<PathBuf> {
    let decoded = decoded(source.strip_prefix("puppet:///")?)?;
    let (mount, path) = decoded.split_once('/')?;
    // The server refuses what leads out of the folder.
    if path.split('/').any(|part| part == "..") {
        return None;
    }
    let of_module = |folder: &str| {
        let (module, rest) = path.split_once('/').unwrap_or((path, ""));
        let root = &environment.layers().modules.get(module)?.root;
        Some(root.join(folder).join(rest.trim_matches('/')))
    };
    match mount {
        "modules" => of_module("files"),
        "scripts" => of_module("scripts"),
        "tasks" => of_module("tasks"),
        "plugins" | "pluginfacts" | "locales" => None,
        _ => Some(mounted(mount, environment)?.join(path.trim_matches('/'))),
    }
}

/// The folders in which servers keep the root of a repository.
const ROOTS: [&str; 3] = ["/etc/puppetlabs/code", "/etc/puppetlabs/puppet", "/etc/puppet"];

/// The folder of a mount in `fileserver.conf`, if that is in the repository and names a folder that is.
fn mounted(mount: &str, environment: &Environment) -> Option<PathBuf> {
    let (files, own) = (&environment.capabilities().code, &environment.layers().environment.root);
    let outer = own.parent().filter(|parent| parent.ends_with("environments")).and_then(Path::parent);
    [Some(own.as_path()), outer].into_iter().flatten().find_map(|root| {
        // Without the file, or the right to read it, the mount is not known: the source is counted as one of elsewhere.
        let text = files.read_text(&root.join("fileserver.conf")).ok()?;
        let path = Path::new(path_of_mount(&text, mount)?);
        let here = ROOTS.iter().filter_map(|there| Some(root.join(path.strip_prefix(there).ok()?)));
        std::iter::once(path.to_owned()).chain(here).find(|path| files.holds(path) && files.is_folder(path))
    })
}

/// The path that a section of `fileserver.conf` has. One with `%h` differs for each node.
fn path_of_mount<'t>(text: &'t str, mount: &str) -> Option<&'t str> {
    let mut section = "";
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.trim();
        } else if section == mount
            && let Some(path) = line.strip_prefix("path").filter(|rest| rest.starts_with(char::is_whitespace))
        {
            return Some(path.trim()).filter(|path| path.starts_with('/') && !path.contains('%'));
        }
    }
    None
}

/// A path with `%20` for a space and the like, as text.
fn decoded(text: &str) -> Option<String> {
    // A name that is not UTF-8 cannot be in git or in a catalog.
    percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned)
}

/// A folder that is served with everything below it.
struct Folder<'f> {
    files: &'f Files,
    ignored: &'f [String],
    deepest: usize,
}

impl Folder<'_> {
    fn collect(&self, root: &Path, found: &mut BTreeMap<String, PathBuf>, unseen: &mut UnreadFiles) {
        let mut open = vec![(root.to_owned(), String::new(), 1)];
        while let Some((folder, below, depth)) = open.pop() {
            let entries = match self.files.list(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    unseen.unread.insert(format!("{}: {error}", folder.display()));
                    continue;
                }
            };
            for entry in entries {
                if self.ignored.iter().any(|pattern| matches_glob(&entry.name, pattern)) {
                    continue;
                }
                let (path, name) = (folder.join(&entry.name), format!("{below}{}", entry.name));
                match entry.kind {
                    FileKind::Folder if depth < self.deepest => open.push((path, format!("{name}/"), depth + 1)),
                    FileKind::Folder => {}
                    _ if found.len() >= MOST_FILES => {
                        unseen.unread.insert(format!("{}: it has more than {MOST_FILES} files", root.display()));
                        return;
                    }
                    // The first source with a file wins.
                    _ => _ = found.entry(name).or_insert(path),
                }
            }
        }
    }
}

/// Returns whether a name matches a glob pattern of the shell.
fn matches_glob(name: &str, pattern: &str) -> bool {
    name == pattern || hieratic::lookup::matches_patterns(name, std::slice::from_ref(&pattern.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_mounts_are_read() {
        let text = "# mounts\n[files]\n  path /etc/puppet/files\n  allow *\n\n[ private ]\npath /srv/%h\n";
        assert_eq!(path_of_mount(text, "files"), Some("/etc/puppet/files"));
        assert_eq!((path_of_mount(text, "private"), path_of_mount(text, "x")), (None, None));
    }

    #[test]
    fn paths_are_decoded() {
        for (text, path) in [("a%20b", "a b"), ("100%", "100%"), ("%zz", "%zz"), ("ä%C3%A4", "ää")] {
            assert_eq!(decoded(text).as_deref(), Some(path), "{text}");
        }
        assert_eq!(decoded("%ff"), None);
    }
}
