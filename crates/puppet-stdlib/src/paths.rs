//! Functions for file names. They use only the string, not the file.

use hieratic_puppet_functions::{Call, Dispatch, Doc, Function, Outcome};
use hieratic_value::Value;

use crate::untyped::{arguments, ensure, fail};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new(
        "basename",
        Doc::new("Returns the last component of a path, optionally without its extension."),
        &[Dispatch::untyped(basename_of)],
    ),
    Function::new("dirname", Doc::new("Returns a path without its last component."), &[Dispatch::untyped(dirname_of)]),
    Function::new(
        "stdlib::extname",
        Doc::new("Returns the extension of a file name.").example("stdlib::extname('a.txt') # '.txt'"),
        &[Dispatch::new(&["String filename"], |call| {
            Ok(Value::from(extname(call.arguments[0].as_str().unwrap_or_default())))
        })],
    ),
];

fn basename_of(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "basename")?;
    let many = given.len();
    ensure(many > 0, || "basename(): No arguments given".into())?;
    ensure(many <= 2, || format!("basename(): Too many arguments given ({many})"))?;
    let Value::String(path) = &given[0] else { return fail("basename(): Requires string as first argument") };
    let suffix = match given.get(1) {
        None => "",
        Some(Value::String(suffix)) => suffix,
        Some(_) => return fail("basename(): Requires string as second argument"),
    };
    Ok(Value::from(basename(path, suffix)))
}

/// Ruby's `File.basename`.
fn basename<'a>(path: &'a str, suffix: &str) -> &'a str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "" } else { "/" };
    }
    let name = trimmed.rsplit('/').next().unwrap_or(trimmed);
    if suffix == ".*" {
        return &name[..name.len() - extname(name).len()];
    }
    // A suffix that is the whole name is kept.
    name.strip_suffix(suffix).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

fn dirname_of(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "dirname")?;
    let many = given.len();
    ensure(many > 0, || "dirname(): No arguments given".into())?;
    ensure(many == 1, || format!("dirname(): Too many arguments given ({many})"))?;
    let Value::String(path) = &given[0] else { return fail("dirname(): Requires string as argument") };
    ensure(!path.is_empty(), || "dirname(): Requires a non-empty string as argument".into())?;
    Ok(Value::from(dirname(path)))
}

/// Ruby's `File.dirname`.
fn dirname(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return "/";
    }
    match trimmed.rfind('/') {
        None => ".",
        Some(at) => {
            let folder = trimmed[..at].trim_end_matches('/');
            if folder.is_empty() { "/" } else { folder }
        }
    }
}

/// Ruby's `File.extname`.
fn extname(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    let name = path.rsplit('/').next().unwrap_or(path);
    let start = name.len() - name.trim_start_matches('.').len();
    match name.rfind('.') {
        Some(at) if at > 0 && at >= start && start < name.len() => &name[at..],
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_folders_and_endings() {
        for (path, name, folder, ending) in [
            ("/a/b.c", "b.c", "/a", ".c"),
            ("/a/b.c/", "b.c", "/a", ".c"),
            ("/", "/", "/", ""),
            ("a", "a", ".", ""),
            ("//a//b", "b", "//a", ""),
            (".bashrc", ".bashrc", ".", ""),
            (".a.b", ".a.b", ".", ".b"),
            ("a.", "a.", ".", "."),
        ] {
            assert_eq!((basename(path, ""), dirname(path), extname(path)), (name, folder, ending), "{path}");
        }
        assert_eq!(basename("/a/b.rb", ".rb"), "b");
        assert_eq!(basename("/a/b.rb", ".*"), "b");
        assert_eq!(basename(".rb", ".rb"), ".rb");
    }
}
