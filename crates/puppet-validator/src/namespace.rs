//! The required locations of definitions in modules (<https://www.puppet.com/docs/puppet/8/lang_namespaces.html>).

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::Options;

/// The names that a file may define.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Namespace {
    /// Anything: the file is outside of modules.
    Any,
    /// Nothing: the file is in a module, but not in a folder for definitions.
    Nothing,
    /// Names with this prefix.
    Prefix(String),
}

impl Namespace {
    /// Returns the names that the file of the source may define.
    pub(crate) fn from_options(options: &Options<'_>) -> Namespace {
        let is_code = |file: &&Path| file.extension().is_some_and(|extension| extension == "pp");
        let Some(file) = options.file.filter(is_code).and_then(clean) else { return Namespace::Any };
        // A prefix of the string: as in the reference, the manifest `site` also matches the folder `sites`.
        let is_main = |main: &Path| bytes(&file).starts_with(bytes(main));
        if options.manifest.is_some_and(is_main) {
            return Namespace::Any;
        }
        let inside = options.modulepath.iter().find_map(|folder| {
            let inside = file.strip_prefix(clean(folder)?).ok()?;
            (!inside.as_os_str().is_empty()).then(|| inside.to_path_buf())
        });
        inside.map_or(Namespace::Any, |inside| in_module(&inside))
    }
}

/// Returns the names that a file in a folder of modules may define.
fn in_module(inside: &Path) -> Namespace {
    let names: Vec<String> = inside.iter().map(|name| name.to_string_lossy().to_lowercase()).collect();
    let [module, folder, folders @ .., file] = &names[..] else { return Namespace::Nothing };
    if !matches!(folder.as_str(), "manifests" | "functions" | "types" | "plans") {
        return Namespace::Nothing;
    }
    let mut parts = vec![module.as_str()];
    parts.extend(folders.iter().map(String::as_str));
    // The module's own file.
    if !(folders.is_empty() && file == "init.pp") {
        parts.push(file.strip_suffix(".pp").unwrap_or(file));
    }
    Namespace::Prefix(parts.join("::"))
}

/// Returns the path from the root, without `.` and `..`; links are not followed.
fn clean(path: &Path) -> Option<PathBuf> {
    let mut parts: Vec<OsString> = Vec::new();
    let absolute = std::path::absolute(path).ok()?;
    for part in absolute.components() {
        match part {
            Component::CurDir => {}
            // Nothing is above the root.
            Component::ParentDir if parts.len() > 1 => drop(parts.pop()),
            Component::ParentDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => parts.push(part.as_os_str().into()),
        }
    }
    Some(parts.into_iter().collect())
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn namespace_of(file: &str) -> Namespace {
        let modulepath = [PathBuf::from("/env/modules/"), PathBuf::from("/env/site/../shared")];
        let manifest = Some(Path::new("/env/modules/main/manifests"));
        Namespace::from_options(&Options {
            file: Some(Path::new(file)),
            modulepath: &modulepath,
            manifest,
            ..Options::default()
        })
    }

    #[test]
    fn files_of_modules_have_a_name() {
        let prefix = |name: &str| Namespace::Prefix(name.into());
        assert_eq!(namespace_of("/env/modules/Foo/manifests/init.pp"), prefix("foo"));
        assert_eq!(namespace_of("/env/modules/foo/manifests/bar.pp"), prefix("foo::bar"));
        assert_eq!(namespace_of("/env/modules/foo/manifests/bar/init.pp"), prefix("foo::bar::init"));
        assert_eq!(namespace_of("/env/x/../modules/./foo/types/a/b.pp.pp"), prefix("foo::a::b.pp"));
        assert_eq!(namespace_of("/env/shared/foo/plans/bar.pp"), prefix("foo::bar"));
    }

    #[test]
    fn other_files_define_nothing_or_anything() {
        assert_eq!(namespace_of("/env/modules/foo/bar.pp"), Namespace::Nothing);
        assert_eq!(namespace_of("/env/modules/foo.pp"), Namespace::Nothing);
        assert_eq!(namespace_of("/env/modules/foo/lib/manifests/bar.pp"), Namespace::Nothing);
        assert_eq!(namespace_of("/env/modules/foo/manifests/bar.epp"), Namespace::Any);
        assert_eq!(namespace_of("/env/modules2/foo/bar.pp"), Namespace::Any);
        assert_eq!(namespace_of("/env/modules/main/manifests/site.pp"), Namespace::Any);
        assert_eq!(namespace_of("/env/modules/main/manifests.d/site.pp"), Namespace::Any);
        assert_eq!(Namespace::from_options(&Options::default()), Namespace::Any);
    }
}
