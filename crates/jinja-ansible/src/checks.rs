//! Ansible's tests:
//! <https://docs.ansible.com/ansible/latest/collections/ansible/builtin/index.html#test-plugins>.

use std::path::Path;

use hieratic_jinja::extend::python::compare::{contains, contains_item, equal};
use hieratic_jinja::extend::python::kind::{element, hashable, is_sequence, iterate, truth};
use hieratic_jinja::extend::python::number::number;
use hieratic_jinja::extend::python::{Kind, kind, str, type_name};
use hieratic_jinja::extend::{Args, Function, Host, Result, Table, Value, define, error, undefined};
use hieratic_sandbox::Stat;

use crate::pattern::{compile, pattern_text, too_expensive};
use crate::truth_of_word;
use crate::versions;

/// Returns the first argument of a test.
fn one(args: Args) -> Result<Value> {
    let [value] = args.bind(["value"], 1)?;
    Ok(value.unwrap_or_default())
}

fn two(args: Args) -> Result<[Value; 2]> {
    let [value, other] = args.bind(["value", "other"], 2)?;
    Ok([value.unwrap_or_default(), other.unwrap_or_default()])
}

fn answer(answer: bool) -> Result<Value> {
    Ok(Value::from(answer))
}

const KINDS: Table = &[
    define("vault_encrypted", "", "Tests whether the value is encrypted by Ansible Vault.", |_, args| {
        // Values have been decrypted here. An undefined one is asked for its truth.
        truth(&one(args)?)?;
        answer(false)
    }),
    define("isnan", "", "Tests whether the number is NaN.", is_nan),
    define("nan", "", "Tests whether the number is NaN.", is_nan),
    define(
        "truthy",
        "convert_bool=False",
        "Tests whether the value counts as true; `convert_bool` reads words such as `yes` and `off`.",
        |_, args| truthy(args).map(Value::from),
    ),
    define(
        "falsy",
        "convert_bool=False",
        "Tests whether the value counts as false; `convert_bool` reads words such as `yes` and `off`.",
        |_, args| truthy(args).map(|truth| Value::from(!truth)),
    ),
];

fn is_nan(_: &dyn Host, args: Args) -> Result<Value> {
    let value = one(args)?;
    answer(number(&value)?.is_some_and(|number| number.to_f64().is_nan()))
}

/// The test `truthy`: the truth of a value, for strings also by Ansible's rules.
fn truthy(args: Args) -> Result<bool> {
    let [value, convert] = args.bind(["value", "convert_bool"], 1)?;
    let value = value.unwrap_or_default();
    if convert.map_or(Ok(false), |convert| truth(&convert))?
        && let Some(truth) = truth_of_word(&str(&value)?)
    {
        return Ok(truth);
    }
    truth(&value)
}

const COMPARISONS: Table = &[
    define(
        "version",
        "version, operator='eq', strict=None, version_type=None",
        "Compares versions by an operator such as `>=`, as `loose`, `strict`, `semver` or `pep440` ones.",
        version,
    ),
    define(
        "version_compare",
        "version, operator='eq', strict=None, version_type=None",
        "Compares versions by an operator such as `>=`, as `loose`, `strict`, `semver` or `pep440` ones.",
        version,
    ),
];

/// Compares versions as Python's `distutils` or as semantic ones.
fn version(_: &dyn Host, args: Args) -> Result<Value> {
    let names = ["value", "version", "operator", "strict", "version_type"];
    let [value, other, operator, strict, scheme] = args.bind(names, 2)?;
    for (version, role) in [(&value, "Input version value"), (&other, "Version parameter to compare against")] {
        if !version.as_ref().map_or(Ok(false), truth)? {
            return Err(error(format!("{role} cannot be empty")));
        }
    }
    let text = |value: Option<Value>, default: &str| match value.filter(|value| !value.is_none()) {
        Some(value) => str(&value),
        None => Ok(default.to_string()),
    };
    let (value, other) = (text(value, "")?, text(other, "")?);
    let strict = strict.filter(|strict| !strict.is_none()).map_or(Ok(false), |strict| truth(&strict))?;
    let scheme = text(scheme, if strict { "strict" } else { "loose" })?;
    let order = versions::compare(&value, &other, &scheme)?;
    answer(match text(operator, "eq")?.as_str() {
        "==" | "=" | "eq" => order.is_eq(),
        "<" | "lt" => order.is_lt(),
        "<=" | "le" => order.is_le(),
        ">" | "gt" => order.is_gt(),
        ">=" | "ge" => order.is_ge(),
        "!=" | "<>" | "ne" => order.is_ne(),
        operator => {
            return Err(error(format!(
                "Invalid operator type ({operator}). Must be one of '==', '=', 'eq', '<', 'lt', \
                                      '<=', 'le', '>', 'gt', '>=', 'ge', '!=', '<>', 'ne'"
            )));
        }
    })
}

fn subset(args: Args, reverse: bool) -> Result<Value> {
    let [left, right] = two(args)?;
    let (part, whole) = if reverse { (right, left) } else { (left, right) };
    let whole = iterate(&whole)?;
    whole.iter().try_for_each(hashable)?;
    for item in iterate(&part)? {
        hashable(&item)?;
        if !contains_item(&whole, &item)? {
            return answer(false);
        }
    }
    answer(true)
}

const LISTS: Table = &[
    define("all", "", "Tests whether all items are true.", |_, args| {
        for item in iterate(&one(args)?)? {
            if !truth(&item)? {
                return answer(false);
            }
        }
        answer(true)
    }),
    define("any", "", "Tests whether an item is true.", |_, args| {
        for item in iterate(&one(args)?)? {
            if truth(&item)? {
                return answer(true);
            }
        }
        answer(false)
    }),
    define("contains", "value", "Tests whether the collection has an item.", |_, args| {
        let [container, item] = two(args)?;
        answer(contains(&container, &item)?)
    }),
    define("subset", "b", "Tests whether the other list has all items.", |_, args| subset(args, false)),
    define("issubset", "b", "Tests whether the other list has all items.", |_, args| subset(args, false)),
    define("superset", "b", "Tests whether the list has all items of the other one.", |_, args| subset(args, true)),
    define("issuperset", "b", "Tests whether the list has all items of the other one.", |_, args| subset(args, true)),
];

/// Returns the truth of an entry in the result of a task.
fn result(args: Args, name: &str, subject: &str) -> Result<bool> {
    let value = one(args)?;
    if !matches!(kind(&value)?, Kind::Dict) {
        return Err(error(format!("The '{subject}' test expects a dictionary")));
    }
    element(&value, &Value::from(name))?.map_or(Ok(false), |value| truth(&value))
}

const FAILED: Function = |_, args| result(args, "failed", "failed").map(Value::from);
const SUCCEEDED: Function = |_, args| result(args, "failed", "failed").map(|failed| Value::from(!failed));
const SKIPPED: Function = |_, args| result(args, "skipped", "skipped").map(Value::from);

const CHANGED: Function = |_, args| {
    let value = one(args)?;
    if !matches!(kind(&value)?, Kind::Dict) {
        return Err(error("The 'changed' test expects a dictionary"));
    }
    if let Some(changed) = element(&value, &Value::from("changed"))? {
        return truth(&changed).map(Value::from);
    }
    // The result of a loop contains the results of its iterations.
    let rounds = element(&value, &Value::from("results"))?.map_or(Ok(Vec::new()), |rounds| iterate(&rounds))?;
    for round in rounds {
        if matches!(kind(&round)?, Kind::Dict)
            && element(&round, &Value::from("changed"))?.map_or(Ok(false), |changed| truth(&changed))?
        {
            return answer(true);
        }
    }
    answer(false)
};

/// Checks the state of a background task.
fn background(args: Args, name: &str, subject: &str) -> Result<Value> {
    let value = one(args)?;
    if !matches!(kind(&value)?, Kind::Dict) {
        return Err(error(format!("The '{subject}' test expects a dictionary")));
    }
    let one = Value::from(1);
    answer(equal(&element(&value, &Value::from(name))?.unwrap_or_else(|| one.clone()), &one)?)
}

const RESULTS: Table = &[
    define("failed", "", "Tests whether the task of a result failed.", FAILED),
    define("failure", "", "Tests whether the task of a result failed.", FAILED),
    define("succeeded", "", "Tests whether the task of a result did not fail.", SUCCEEDED),
    define("success", "", "Tests whether the task of a result did not fail.", SUCCEEDED),
    define("successful", "", "Tests whether the task of a result did not fail.", SUCCEEDED),
    define("changed", "", "Tests whether the task of a result changed something.", CHANGED),
    define("change", "", "Tests whether the task of a result changed something.", CHANGED),
    define("skipped", "", "Tests whether the task of a result was skipped.", SKIPPED),
    define("skip", "", "Tests whether the task of a result was skipped.", SKIPPED),
    define("finished", "", "Tests whether the asynchronous task of a result has finished.", |_, args| {
        background(args, "finished", "finished")
    }),
    define("started", "", "Tests whether the asynchronous task of a result has started.", |_, args| {
        background(args, "started", "started")
    }),
    define("reachable", "", "Tests whether the host of a result was reached.", |_, args| {
        result(args, "unreachable", "unreachable").map(|gone| Value::from(!gone))
    }),
    define("unreachable", "", "Tests whether the host of a result was not reached.", |_, args| {
        result(args, "unreachable", "unreachable").map(Value::from)
    }),
];

/// The path of a file. Descriptors of open files, which Python accepts, are not known here.
fn path_of(value: &Value) -> Result<String> {
    match kind(value)? {
        Kind::Str(path) => Ok(path.to_owned()),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        _ => Err(error(format!("stat: path should be string, bytes or os.PathLike, not {}", type_name(value)))),
    }
}

/// Checks a property of a file. A file that must not be accessed is an error.
fn file(host: &dyn Host, args: Args, holds: fn(&Stat) -> bool) -> Result<Value> {
    let path = path_of(&one(args)?)?;
    if path.is_empty() {
        return answer(false);
    }
    answer(host.files().seen(Path::new(&path))?.is_some_and(|stat| holds(&stat)))
}

/// Returns whether a path is a symbolic link, even a broken one.
const LINK: Function = |host, args| {
    let path = path_of(&one(args)?)?;
    answer(!path.is_empty() && host.files().is_link(Path::new(&path))?)
};

const LINK_EXISTS: Function = |host, args| {
    let path = path_of(&one(args)?)?;
    let (files, path) = (host.files(), Path::new(&path));
    answer(!path.as_os_str().is_empty() && (files.seen(path)?.is_some() || files.is_link(path)?))
};

const FILES: Table = &[
    define("abs", "", "Tests whether the path is absolute.", |_, args| is_absolute(args)),
    define("is_abs", "", "Tests whether the path is absolute.", |_, args| is_absolute(args)),
    define("directory", "", "Tests whether the path is a folder.", |host, args| file(host, args, Stat::is_folder)),
    define("is_dir", "", "Tests whether the path is a folder.", |host, args| file(host, args, Stat::is_folder)),
    define("exists", "", "Tests whether a file or folder exists at the path.", |host, args| file(host, args, |_| true)),
    define("file", "", "Tests whether the path is a regular file.", |host, args| file(host, args, Stat::is_file)),
    define("is_file", "", "Tests whether the path is a regular file.", |host, args| file(host, args, Stat::is_file)),
    define("link", "", "Tests whether the path is a symbolic link.", LINK),
    define("is_link", "", "Tests whether the path is a symbolic link.", LINK),
    define(
        "link_exists",
        "",
        "Tests whether a file, a folder or a link, even a broken one, exists at the path.",
        LINK_EXISTS,
    ),
    define("mount", "", "Tests whether the path is a mount point.", MOUNT),
    define("is_mount", "", "Tests whether the path is a mount point.", MOUNT),
    define("same_file", "f2", "Tests whether both paths lead to one file.", SAME_FILE),
    define("is_same_file", "f2", "Tests whether both paths lead to one file.", SAME_FILE),
];

/// Returns whether a path is absolute.
fn is_absolute(args: Args) -> Result<Value> {
    let path = one(args)?;
    match kind(&path)? {
        Kind::Str(path) => answer(crate::filters::is_absolute(path)),
        _ => Err(error(format!("expected str, bytes or os.PathLike object, not {}", type_name(&path)))),
    }
}

/// Python's `os.path.ismount`: a folder on another file system than the one around it, or the root. The folder around it has to be
/// one that may be looked at, too.
const MOUNT: Function = |host, args| {
    let path = path_of(&one(args)?)?;
    let (files, path) = (host.files(), Path::new(&path));
    let there = files.seen(path)?.filter(|_| !path.as_os_str().is_empty());
    let Some(stat) = there else { return answer(false) };
    if files.is_link(path)? {
        return answer(false);
    }
    let real = files.allowed(&files.absolute(path))?;
    let outer = match real.parent() {
        None => return answer(true),
        Some(parent) => files.seen(parent)?,
    };
    answer(outer.is_some_and(|outer| outer.device != stat.device || outer.inode == stat.inode))
};

const SAME_FILE: Function = |host, args| {
    let [one, other] = two(args)?;
    let files = host.files();
    let real = |path: &Value| {
        let path = path_of(path)?;
        let there = files.seen(Path::new(&path))?;
        Ok::<_, hieratic_jinja::extend::Error>(
            there.and_then(|_| files.allowed(&files.absolute(Path::new(&path))).ok()),
        )
    };
    match (real(&one)?, real(&other)?) {
        (Some(one), Some(other)) => answer(one == other),
        _ => Err(error("No such file or directory")),
    }
};

/// Matches a regular expression in one of three ways.
fn pattern(args: Args, match_type: Option<&str>) -> Result<Value> {
    let names = ["value", "pattern", "ignorecase", "multiline", "match_type"];
    let [value, pattern, ignore_case, multiline, given_type] = args.bind(names, 1)?;
    let flag = |flag: Option<Value>| flag.map_or(Ok(false), |flag| truth(&flag));
    let (ignore_case, multiline) = (flag(ignore_case)?, flag(multiline)?);
    let given_type = given_type.map(|given| str(&given)).transpose()?;
    let match_type = match_type.or(given_type.as_deref()).unwrap_or("search");
    let pattern = pattern_text(&pattern)?;
    let pattern = match match_type {
        "match" => format!("\\A(?:{pattern})"),
        "fullmatch" => format!("\\A(?:{pattern})\\z"),
        _ => pattern,
    };
    let regex = compile(&pattern, ignore_case, multiline)?;
    let text = str(&value.unwrap_or_default())?;
    regex.is_match(&text).map(Value::from).map_err(too_expensive)
}

/// Returns whether a string is a URI with one of the given schemes, if there are any, whose scheme and rest suit the
/// test. A string without a scheme is a URI with an empty one.
fn uri(value: Value, schemes: Option<Value>, suits: fn(&str, &str) -> bool) -> Result<Value> {
    let Kind::Str(text) = kind(&value)? else {
        if let Kind::Missing(_) = kind(&value)? {
            return answer(false);
        }
        // Python splits what counts as false into empty parts, and nothing else.
        let is_empty = !truth(&value)? && !schemes.as_ref().map_or(Ok(false), truth)?;
        return answer(is_empty && suits("", ""));
    };
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
    };
    let (scheme, rest) = match text.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (scheme.to_ascii_lowercase(), rest),
        _ => (String::new(), text),
    };
    if let Some(schemes) = schemes
        && truth(&schemes)?
    {
        let has_items = is_sequence(&schemes) || matches!(kind(&schemes)?, Kind::Str(_) | Kind::Dict | Kind::Set(_));
        // Python's error about what has no items counts as no.
        if !has_items || !contains(&schemes, &Value::from(scheme.as_str()))? {
            return answer(false);
        }
    }
    answer(suits(&scheme, rest))
}

const TEXTS: Table = &[
    define(
        "match",
        "pattern='', ignorecase=False, multiline=False",
        "Tests whether a regular expression matches at the beginning.",
        |_, args| pattern(args, Some("match")),
    ),
    define(
        "regex",
        "pattern='', ignorecase=False, multiline=False, match_type='search'",
        "Tests whether a regular expression matches, by default anywhere.",
        |_, args| pattern(args, None),
    ),
    define(
        "search",
        "pattern='', ignorecase=False, multiline=False",
        "Tests whether a regular expression matches anywhere.",
        |_, args| pattern(args, Some("search")),
    ),
    define("uri", "schemes=None", "Tests whether the string is a URI, of one of these schemes.", |_, args| {
        let [value, schemes] = args.bind(["value", "schemes"], 1)?;
        uri(value.unwrap_or_default(), schemes, |_, _| true)
    }),
    define("url", "schemes=None", "Tests whether the string is a URL, of one of these schemes.", |_, args| {
        let [value, schemes] = args.bind(["value", "schemes"], 1)?;
        uri(value.unwrap_or_default(), schemes, |scheme, rest| {
            scheme == "file"
                || rest.strip_prefix("//").is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']))
        })
    }),
    define("urn", "", "Tests whether the string is a URN.", |_, args| {
        uri(one(args)?, None, |scheme, _| scheme == "urn")
    }),
];

/// The tables of all tests.
pub const TABLES: &[Table] = &[KINDS, COMPARISONS, LISTS, RESULTS, FILES, TEXTS];

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic_jinja::extend::collected;

    #[test]
    fn no_test_is_defined_twice() {
        assert_eq!(collected(TABLES).len(), TABLES.iter().copied().flatten().count());
    }
}
