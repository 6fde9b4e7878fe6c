//! Path filters. Those that access files are limited to the files that the engine allows.

use std::path::{Component, Path};

use hieratic_jinja::extend::filters::arguments::{given, strict, strict_text};
use hieratic_jinja::extend::objects::{List, Markup, Tuple};
use hieratic_jinja::extend::python::kind::is_sequence;
use hieratic_jinja::extend::python::{Kind, iterate, kind};
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error, escaped};

use crate::glob::glob;

pub const TABLE: Table = &[
    define("basename", "", "Returns the last part of a path.", |_, args| {
        text(args, |path| path.rsplit('/').next().unwrap_or("").into())
    }),
    define("commonpath", "", "Returns the longest path that all paths have in common.", commonpath),
    define("dirname", "", "Returns a path without its last part.", |_, args| text(args, dirname)),
    define("expanduser", "", "Replaces `~` at the beginning of a path by the home of the user.", |host, args| {
        let callee = args.callee.clone();
        let [path] = args.bind(["path"], 1)?;
        let is_marked = path.as_ref().is_some_and(Markup::is);
        let path = strict(&path, &callee)?;
        let Some(rest) = path.strip_prefix('~') else { return Ok(Value::from(path)) };
        if let Some(user) = rest.split('/').next().filter(|user| !user.is_empty()) {
            return Err(error(format!("the home directory of the user '{user}' is unknown: write its path")));
        }
        Ok(match inserted(host, "HOME", is_marked)? {
            Some(home) => {
                let expanded = format!("{}{rest}", home.trim_end_matches('/'));
                Value::from(if expanded.is_empty() { "/".into() } else { expanded })
            }
            None => Value::from(path),
        })
    }),
    define("expandvars", "", "Replaces environment variables in a path.", |host, args| {
        let [path] = args.bind(["path"], 1)?;
        let is_marked = path.as_ref().is_some_and(Markup::is);
        expandvars(host, &strict(&path, "expandvars")?, is_marked).map(Value::from)
    }),
    define("fileglob", "", "Returns the files that a pattern such as `/etc/*.conf` matches.", |host, args| {
        let [pattern] = args.bind(["pathname"], 1)?;
        let files = host.files();
        let found = glob(&files, &strict(&pattern, "fileglob")?)?;
        Ok(List::value(
            found
                .into_iter()
                .filter(|path| files.is_file(path))
                .map(|path| Value::from(path.to_string_lossy().as_ref()))
                .collect(),
        ))
    }),
    define("normpath", "", "Removes `.`, `..` and doubled slashes from a path.", |_, args| {
        text(args, |path| normalized(&path))
    }),
    define("path_join", "", "Joins parts to a path; an absolute part replaces those before it.", |_, args| {
        let [paths] = args.bind(["paths"], 1)?;
        let paths = given(paths);
        if matches!(kind(&paths)?, Kind::Str(_)) {
            return Ok(paths);
        }
        if !is_sequence(&paths) {
            let name = hieratic_jinja::extend::python::type_name(&paths);
            return Err(error(format!("|path_join expects string or sequence, got <class '{name}'> instead.")));
        }
        let paths = iterate(&paths)?;
        if paths.is_empty() {
            return Err(error("join() missing 1 required positional argument: 'a'"));
        }
        let mut parts = paths.iter().map(|part| strict_text(part, "path_join")).collect::<Result<Vec<_>>>()?;
        // With an escaped part, the result is escaped; only the parts from the last absolute one on count.
        let start = parts.iter().rposition(|part| is_absolute(part)).unwrap_or(0);
        let is_marked = paths.iter().skip(start).any(Markup::is);
        if is_marked {
            for (part, _) in parts.iter_mut().zip(&paths).filter(|(_, path)| !Markup::is(path)) {
                *part = escaped(part);
            }
        }
        let path = parts.into_iter().reduce(|path, part| joined(&path, &part)).unwrap_or_default();
        Ok(if is_marked { Markup::value(path) } else { Value::from(path) })
    }),
    define("realpath", "", "Follows all symbolic links of a path.", |host, args| {
        let callee = args.callee.clone();
        let [path] = args.bind(["path"], 1)?;
        let path = strict(&path, &callee)?;
        let files = host.files();
        let absolute = files.absolute(Path::new(&path));
        let real = match files.allowed(&absolute) {
            Ok(real) => real.to_string_lossy().into_owned(),
            // A path that does not exist or must not be accessed is only normalized.
            Err(_) => normalized(&absolute.to_string_lossy()),
        };
        Ok(Value::from(real))
    }),
    define("relpath", "start=None", "Writes a path relative to another folder.", |host, args| {
        let [path, start] = args.bind(["path", "start"], 1)?;
        let base = host.files().absolute(Path::new(""));
        let path = strict(&path, "relpath")?;
        if path.is_empty() {
            return Err(error("no path specified"));
        }
        let absolute = |path: String| normalized(&joined(&base.to_string_lossy(), &path));
        let start = start.filter(|start| !start.is_none());
        let start = start.map_or(Ok(".".into()), |start| strict_text(&start, "relpath"))?;
        Ok(Value::from(relative(&absolute(path), &absolute(start))))
    }),
    define("splitext", "", "Splits a path into its root and its extension.", |_, args| {
        let callee = args.callee.clone();
        let [path] = args.bind(["path"], 1)?;
        let path = strict(&path, &callee)?;
        let name = path.rsplit('/').next().unwrap_or("");
        let leading = name.len() - name.trim_start_matches('.').len();
        let dot = name.rfind('.').filter(|at| *at >= leading && *at > 0);
        let split = dot.map_or(path.len(), |at| path.len() - name.len() + at);
        let (root, extension) = path.split_at(split);
        Ok(Tuple::value(vec![Value::from(root), Value::from(extension)]))
    }),
    define("win_basename", "", "Returns the last part of a path of Windows.", |_, args| {
        text(args, |path| windows(&path).2)
    }),
    define("win_dirname", "", "Returns a path of Windows without its last part.", |_, args| {
        text(args, |path| {
            let (drive, head, _) = windows(&path);
            drive + &head
        })
    }),
    define("win_splitdrive", "", "Splits a path of Windows into its drive and the rest.", |_, args| {
        let callee = args.callee.clone();
        let [path] = args.bind(["path"], 1)?;
        let path = strict(&path, &callee)?;
        let (drive, rest) = path.split_at(drive_length(&path));
        Ok(Tuple::value(vec![Value::from(drive), Value::from(rest)]))
    }),
];

fn text(args: Args, change: impl FnOnce(String) -> String) -> Result<Value> {
    let callee = args.callee.clone();
    let [path] = args.bind(["path"], 1)?;
    strict(&path, &callee).map(change).map(Value::from)
}

/// Returns the folder of a path, as `os.path.dirname` does.
pub fn dirname(path: String) -> String {
    let head = path.get(..path.rfind('/').map_or(0, |at| at + 1)).unwrap_or("");
    let trimmed = head.trim_end_matches('/');
    if trimmed.is_empty() { head.into() } else { trimmed.into() }
}

/// `os.path.join`
fn joined(path: &str, part: &str) -> String {
    if part.starts_with('/') || path.is_empty() {
        part.into()
    } else if path.ends_with('/') {
        format!("{path}{part}")
    } else {
        format!("{path}/{part}")
    }
}

/// Normalizes a path, as `os.path.normpath` does.
pub fn normalized(path: &str) -> String {
    let root = match path.len() - path.trim_start_matches('/').len() {
        0 => "",
        2 => "//",
        _ => "/",
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if !root.is_empty() => {}
            part => parts.push(part),
        }
    }
    let path = format!("{root}{}", parts.join("/"));
    if path.is_empty() { ".".into() } else { path }
}

/// The way from one absolute path to another one.
fn relative(path: &str, start: &str) -> String {
    fn parts(path: &str) -> Vec<&str> {
        path.split('/').filter(|part| !part.is_empty()).collect()
    }
    let (path, start) = (parts(path), parts(start));
    let common = path.iter().zip(&start).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..", start.len() - common);
    let way: Vec<&str> = up.chain(path.into_iter().skip(common)).collect();
    if way.is_empty() { ".".into() } else { way.join("/") }
}

fn commonpath(_: &dyn Host, args: Args) -> Result<Value> {
    let [paths] = args.bind(["paths"], 1)?;
    let paths = given(paths);
    if !is_sequence(&paths) {
        let name = hieratic_jinja::extend::python::type_name(&paths);
        return Err(error(format!("|commonpath expects sequence, got <class '{name}'> instead.")));
    }
    let paths = iterate(&paths)?.iter().map(|path| strict_text(path, "commonpath")).collect::<Result<Vec<_>>>()?;
    let absolute = paths.iter().filter(|path| path.starts_with('/')).count();
    if paths.is_empty() {
        return Err(error("commonpath() arg is an empty sequence"));
    }
    if absolute != 0 && absolute != paths.len() {
        return Err(error("Can't mix absolute and relative paths"));
    }
    let split = |path: &String| -> Vec<String> {
        path.split('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_string).collect()
    };
    let common = paths.iter().map(split).reduce(|one, other| {
        one.into_iter().zip(other).take_while(|(one, other)| one == other).map(|(one, _)| one).collect()
    });
    let root = if absolute > 0 { "/" } else { "" };
    Ok(Value::from(format!("{root}{}", common.unwrap_or_default().join("/"))))
}

/// Returns an environment variable, escaped if the string that it is inserted into is.
fn inserted(host: &dyn Host, name: &str, is_marked: bool) -> Result<Option<String>> {
    let value = host.env(name)?;
    Ok(if is_marked { value.as_deref().map(escaped) } else { value })
}

/// `os.path.expandvars`: expands `$name` and `${name}`; unset variables stay.
fn expandvars(host: &dyn Host, path: &str, is_marked: bool) -> Result<String> {
    let mut out = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let braced = after.strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let length =
            after.find(|letter: char| !(letter == '_' || letter.is_ascii_alphanumeric())).unwrap_or(after.len());
        let (name, after, written) = match braced {
            Some((name, after)) => (name, after, format!("${{{name}}}")),
            None => {
                let (name, after) = after.split_at(length);
                (name, after, format!("${name}"))
            }
        };
        // A dollar sign without a name stays.
        let value = if name.is_empty() { None } else { inserted(host, name, is_marked)? };
        out.push_str(&value.unwrap_or(written));
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// The length of a drive or of a share at the start of a path of Windows.
fn drive_length(path: &str) -> usize {
    let slashed = path.replace('/', "\\");
    if let Some(share) = slashed.strip_prefix("\\\\").filter(|share| !share.starts_with('\\')) {
        let host = share.find('\\');
        let Some(host) = host else { return path.len() };
        let name = share.get(host + 1..).unwrap_or("");
        let end = name.find('\\').unwrap_or(name.len());
        return if end == 0 { 0 } else { 2 + host + 1 + end };
    }
    if path.get(1..2) == Some(":") { 2 } else { 0 }
}

/// Drive, folder and name of a path of Windows.
fn windows(path: &str) -> (String, String, String) {
    let (drive, rest) = path.split_at(drive_length(path));
    let split = rest.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let (head, tail) = rest.split_at(split);
    let trimmed = head.trim_end_matches(['/', '\\']);
    let head = if trimmed.is_empty() { head } else { trimmed };
    (drive.into(), head.into(), tail.into())
}

/// Returns whether a path is absolute.
pub fn is_absolute(path: &str) -> bool {
    Path::new(path).components().next() == Some(Component::RootDir)
}
