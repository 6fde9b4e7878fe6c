//! Functions on files and paths: `abspath`, `basename`, `dirname`, `file`, `filebase64`, `fileexists`, `fileset`,
//! `pathexpand`.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#filesystem-functions>.

mod guard;
mod mode;
mod set;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_hcl_types::go::path;
use hieratic_hcl_types::{CallError, Parameter, Type, Value, quoted};

use crate::FunctionTable;
use crate::arguments::{CallResult, call_error, string, text};
use crate::encoding::to_base64;
use guard::{AccessError, Guard};
use hieratic_budget::Budget;
use hieratic_sandbox::{Denied, Outside};

/// The files that functions may read, and the base folder of relative paths.
///
/// ```
/// use hieratic_hcl_functions::{Files, functions};
///
/// let table = functions(Some(Files::new("/etc/jobs")));
/// let error = table.get("file").unwrap().call(&["../passwd".into()].map(|path: &str| hieratic_hcl_types::Value::string(path)));
/// assert!(error.unwrap_err().message().contains("outside of the folder /etc/jobs"));
/// ```
#[derive(Clone, Debug)]
pub struct Files {
    base: String,
    beside: Option<String>,
    reach: hieratic_sandbox::Files,
    home: Option<String>,
    current: Option<PathBuf>,
}

impl Files {
    /// Allows files below a folder, which is also the base of relative paths. Messages contain the folder as written
    /// here.
    ///
    /// The home folder of the user is unknown, and the working folder is the current one of the process.
    pub fn new(base: impl Into<String>) -> Self {
        let base = base.into();
        let folder = if base.is_empty() { "." } else { base.as_str() };
        let reach = hieratic_sandbox::Files::below([folder]);
        Self { reach, home: None, current: std::path::absolute(".").ok(), base, beside: None }
    }

    /// Sets a second base folder of relative paths, for entries that the first one lacks.
    pub fn beside(self, folder: impl Into<String>) -> Self {
        Self { beside: Some(folder.into()), ..self }
    }

    /// Allows these files instead of those below the folder.
    pub fn reading(self, reach: hieratic_sandbox::Files) -> Self {
        Self { reach, ..self }
    }

    /// The folder below which files may be read, as messages show it.
    fn display_folder(&self) -> String {
        match self.reach.trees() {
            [tree] if !self.is_own(tree) => tree.display().to_string(),
            _ => self.base.clone(),
        }
    }

    /// Returns whether a folder is the one that relative paths are resolved against.
    fn is_own(&self, tree: &Path) -> bool {
        tree == hieratic_sandbox::plain(Path::new(if self.base.is_empty() { "." } else { &self.base }))
    }

    /// Sets whether files outside of the folder can be read as well, as in the reference: by `..`, absolute paths and
    /// symbolic links.
    pub fn outside(self, allowed: bool) -> Self {
        let outside = if allowed { Outside::Always } else { Outside::Never };
        Self { reach: self.reach.with_outside(outside), ..self }
    }

    /// Sets the folder that replaces `~`.
    pub fn home(self, home: Option<String>) -> Self {
        Self { home, ..self }
    }

    /// Sets the working folder, which is the base of `abspath`.
    pub fn current(self, current: impl Into<PathBuf>) -> Self {
        Self { current: Some(current.into()), ..self }
    }

    /// A path with `~` at its beginning replaced.
    fn expand_home(&self, path: &str) -> Result<String, String> {
        let Some(rest) = path.strip_prefix('~') else { return Ok(path.to_owned()) };
        if !rest.is_empty() && !rest.starts_with(['/', '\\']) {
            return Err("cannot expand user-specific home dir".into());
        }
        match &self.home {
            Some(home) => Ok(path::join(home, rest)),
            None => Err("the home directory is not known".into()),
        }
    }

    /// Resolves a path for opening: absolute and clean.
    fn resolve(&self, guard: &Guard, path: &str) -> Result<String, String> {
        let path = self.expand_home(path).map_err(|message| format!("failed to expand ~: {message}"))?;
        Ok(if path.starts_with('/') { path::clean(&path) } else { path::join(self.base_of(guard, &path), &path) })
    }

    /// The folder that a relative path is resolved against. It is the second one if only that has an entry there,
    /// including a link that leads outside.
    fn base_of(&self, guard: &Guard, path: &str) -> &str {
        let Some(beside) = &self.beside else { return &self.base };
        let Err(refusal) = guard.stat(&path::join(&self.base, path)) else { return &self.base };
        match (refusal, guard.stat(&path::join(beside, path))) {
            (_, Ok(_)) | (AccessError::Io(_), Err(AccessError::Outside(_))) => beside,
            _ => &self.base,
        }
    }
}

pub(crate) fn add(table: &mut FunctionTable, files: Option<Files>) {
    let Some(files) = files else { return add_disabled(table) };
    let files = Arc::new(files);
    let guard = Arc::new(Guard::new(&files.display_folder(), files.reach.clone()));
    let mut with = |name, result, body: fn(&Files, &Guard, &Budget, &str) -> CallResult| {
        let (files, guard) = (Arc::clone(&files), Arc::clone(&guard));
        table.add_with_budget(name, documentation(name), [string("path")], result, move |budget, arguments| {
            budget.steps(CALL_COST)?;
            body(&files, &guard, budget, text(arguments, 0))
        });
    };
    with("abspath", Type::String, |files, _, _, path| {
        let Some(current) = files.current.as_deref().and_then(Path::to_str) else {
            return call_error("the working folder is not known");
        };
        let path = if path.starts_with('/') { path::clean(path) } else { path::join(current, path) };
        Ok(Value::string(path))
    });
    with("basename", Type::String, |_, _, _, path| Ok(Value::string(path::base(path))));
    with("dirname", Type::String, |_, _, _, path| Ok(Value::string(path::directory(path))));
    with("pathexpand", Type::String, |files, _, _, path| {
        files.expand_home(path).map(Value::string).map_err(CallError::call)
    });
    with("file", Type::String, |files, guard, budget, path| {
        match String::from_utf8(read(files, guard, budget, path)?) {
            Ok(content) => Ok(Value::string(content)),
            Err(_) => call_error(format!(
                "contents of {path} are not valid UTF-8; use the filebase64 function to obtain the Base64 encoded contents or \
             the other file functions (e.g. filemd5, filesha256) to obtain file hashing results instead"
            )),
        }
    });
    with("filebase64", Type::String, |files, guard, budget, path| {
        Ok(Value::string(to_base64(&read(files, guard, budget, path)?)))
    });
    with("fileexists", Type::Bool, exists);
    let parameters = [string("path"), string("pattern")];
    table.add_with_budget(
        "fileset",
        documentation("fileset"),
        parameters,
        Type::set(Type::String),
        move |budget, arguments| {
            let path = text(arguments, 0);
            set::find_files(budget, files.base_of(&guard, path), &guard, path, text(arguments, 1))
        },
    );
}

/// Adds functions with the same names, for runs that may not read files: those that would read fail.
fn add_disabled(table: &mut FunctionTable) {
    let mut disabled = |name, parameters: Vec<Parameter>| {
        let body = |_: &[Value]| call_error("filesystem function disabled");
        table.add(name, documentation(name), hieratic_hcl_types::Function::new(parameters, Type::Dynamic, body));
    };
    for name in ["abspath", "file", "filebase64", "fileexists"] {
        disabled(name, vec![string("path")]);
    }
    disabled("fileset", vec![string("path"), string("pattern")]);
    // These read nothing.
    let mut with = |name, body: fn(&str) -> CallResult| {
        table.add_with_budget(name, documentation(name), [string("path")], Type::String, move |_, arguments| {
            body(text(arguments, 0))
        });
    };
    with("basename", |path| Ok(Value::string(path::base(path))));
    with("dirname", |path| Ok(Value::string(path::directory(path))));
    with("pathexpand", |path| {
        if path.starts_with('~') {
            return call_error("the home directory is not known");
        }
        Ok(Value::string(path))
    });
}

/// The documentation of a function, whether it may read files or not.
fn documentation(name: &str) -> &'static str {
    match name {
        "abspath" => "Completes a path with the working folder.",
        "basename" => "Returns the last part of a path.",
        "dirname" => "Returns a path without its last part.",
        "pathexpand" => "Replaces `~` at the beginning of a path by the home of the user.",
        "file" => "Returns the content of a file as text.",
        "filebase64" => "Returns the content of a file in base64.",
        "fileexists" => "Tests whether a file exists.",
        "fileset" => "Returns the files below a folder that a pattern such as `**/*.tpl` matches.",
        _ => "",
    }
}

/// The cost of a file system call, in steps.
const CALL_COST: u64 = 20;

fn read(files: &Files, guard: &Guard, budget: &Budget, path: &str) -> Result<Vec<u8>, CallError> {
    let path = files.resolve(guard, path).map_err(CallError::call)?;
    let bytes = guard.read(&path).map_err(|refusal| {
        CallError::call(match refusal {
            AccessError::Outside(message) => message,
            AccessError::Io(error) if error.kind() == ErrorKind::NotFound => format!("no file exists at {path}"),
            AccessError::Io(error) => match Denied::from_error(&error) {
                Some(denied) => format!("failed to read {path}: {denied}"),
                None => format!("failed to read {path}"),
            },
        })
    })?;
    budget.bytes(bytes.len())?;
    Ok(bytes)
}

fn exists(files: &Files, guard: &Guard, _: &Budget, path: &str) -> CallResult {
    let path = files.resolve(guard, path).map_err(CallError::call)?;
    match guard.stat(&path) {
        Ok(stat) if stat.is_file() => Ok(Value::TRUE),
        Ok(stat) => call_error(format!("{path} is not a regular file, but {}", quoted(&mode::text(stat.mode)))),
        Err(AccessError::Outside(message)) => call_error(message),
        Err(AccessError::Io(error)) if error.kind() == ErrorKind::NotFound => Ok(Value::FALSE),
        Err(AccessError::Io(_)) => call_error(format!("failed to stat {path}")),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
