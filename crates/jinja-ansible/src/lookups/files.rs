//! File lookups, which are limited to the files that the engine allows.

use std::path::Path;

use hieratic_jinja::extend::filters::arguments::strict_text;
use hieratic_jinja::extend::minijinja::Error;
use hieratic_jinja::extend::objects::{Datetime, Dict, Entries};
use hieratic_jinja::extend::python::kind::{element, entries, is_sequence, truth};
use hieratic_jinja::extend::python::{Kind, iterate, kind, str};
use hieratic_jinja::extend::{Args, FileAccess, Host, Result, Settings, Value, define, error, is_denied};

use super::lookup::{Table, flattened};
use crate::glob::glob;
use crate::pattern::{compile, too_expensive};
use crate::vault::Vault;

pub const TABLE: Table = &[
    define(
        "csvfile",
        "key, file='ansible.csv', delimiter='TAB', col=1, default=None, encoding='utf-8'",
        "Returns a column of the row in a file of CSV or TSV whose first column is the term.",
        csvfile,
    ),
    define("file", "*paths, lstrip=False, rstrip=True", "Returns the content of files.", |host, mut args| {
        let strip = |value: Option<Value>, default: bool| value.map_or(Ok(default), |value| truth(&value));
        // Ansible's lookups ignore options that they do not know.
        let (left, right) = (strip(args.take("lstrip"), false)?, strip(args.take("rstrip"), true)?);
        args.positional
            .iter()
            .map(|term| {
                let text = read(host, &str(term)?)?;
                let text = if left { text.trim_start() } else { &text };
                Ok(Value::from(if right { text.trim_end() } else { text }))
            })
            .collect()
    }),
    define("fileglob", "*patterns", "Returns the files that patterns match.", |host, args| {
        let mut out = Vec::new();
        for term in &args.positional {
            out.extend(matching(host, &strict_text(term, "fileglob")?)?);
        }
        Ok(out)
    }),
    define("first_found", "*files, paths=[], skip=False", "Returns the first file that exists.", first_found),
    define(
        "ini",
        "*keys, file='ansible.ini', section='global', type='ini', re=False, default=''",
        "Returns the value of a key in a file of INI or of Java properties.",
        ini,
    ),
    define(
        "template",
        "*paths, convert_data=True, template_vars={}",
        "Returns the text of rendered templates.",
        |host, mut args| {
            args.take("jinja2_native");
            let is_text =
                args.take("convert_data").map_or(Ok(false), |converts| truth(&converts).map(|converts| !converts))?;
            let more = args.take("template_vars").filter(|more| !more.is_none());
            let more = more.unwrap_or_else(|| Dict::value(Entries::new()));
            let mut settings = Settings { trim_blocks: true, ..Settings::default() };
            for (name, place) in [
                ("variable_start_string", &mut settings.variable.0),
                ("variable_end_string", &mut settings.variable.1),
                ("comment_start_string", &mut settings.comment.0),
                ("comment_end_string", &mut settings.comment.1),
            ] {
                if let Some(value) = args.take(name) {
                    *place = str(&value)?;
                }
            }
            args.positional
                .iter()
                .map(|term| {
                    let name = str(term)?;
                    let Some(path) = host.files().find("templates", &name)? else {
                        return Err(absent("the template file", "templates", &name, &host.files()));
                    };
                    let text = plain(host, &name, host.files().read_text(&path)?)?;
                    let own = variables_of_template(host, &name, &path, &more)?;
                    host.render_with(&name, &text, &own, settings.clone(), is_text)
                })
                .collect()
        },
    ),
    define("unvault", "*paths", "Returns the content of files that Ansible Vault encrypted.", |host, args| {
        args.positional.iter().map(|term| read(host, &str(term)?).map(Value::from)).collect()
    }),
];

/// Returns the variables of a template that is rendered for a lookup: those about its file, and below them `more`.
fn variables_of_template(host: &dyn Host, name: &str, path: &Path, more: &Value) -> Result<Value> {
    let mut own = Entries::new();
    let mut set = |name: &str, value: Value| own.insert(Value::from(name), value);
    set("template_path", Value::from(name));
    set("template_fullpath", Value::from(path.to_string_lossy().as_ref()));
    set("template_destpath", Value::from(()));
    let changed = host.files().seen(path)?.and_then(|stat| stat.modified).and_then(Datetime::local);
    // A revision has no times of files.
    if let Some(changed) = changed {
        set("template_mtime", Value::from_object(changed));
    }
    own.extend(entries(more)?);
    Ok(Dict::value(own))
}

/// Returns the files that a pattern finds in the first folder that has some. A folder before the name is found as a
/// file is.
fn matching(host: &dyn Host, pattern: &str) -> Result<Vec<Value>> {
    let files = host.files();
    let places = match pattern.rsplit_once('/') {
        None => files.candidates("files", pattern),
        Some((folder, name)) => {
            let folder = if folder.is_empty() { "/" } else { folder };
            files.find("files", folder)?.into_iter().map(|folder| folder.join(name)).collect()
        }
    };
    let mut refused = None;
    for place in places {
        match glob(&files, &place.to_string_lossy()) {
            Ok(mut found) => {
                found.retain(|path| files.is_file(path));
                if !found.is_empty() {
                    return Ok(found.iter().map(|path| Value::from(path.to_string_lossy().as_ref())).collect());
                }
            }
            Err(error) if is_denied(&error) => refused = refused.or(Some(error)),
            Err(error) => return Err(error),
        }
    }
    refused.map_or(Ok(Vec::new()), Err)
}

/// Reads a file that must exist.
fn read(host: &dyn Host, name: &str) -> Result<String> {
    let files = host.files();
    match files.find("files", name)? {
        Some(path) => {
            let text = plain(host, name, files.read_text(&path)?)?;
            // Tables are looked through from their start.
            hieratic_jinja::extend::work::steps(text.len() / 16)?;
            Ok(text)
        }
        None => Err(absent("the file", "files", name, &files)),
    }
}

/// Creates the error for a file that no folder has.
fn absent(subject: &str, kind: &str, name: &str, files: &FileAccess<'_>) -> Error {
    let folders = files.candidates(kind, name).into_iter().filter_map(|place| Some(place.parent()?.to_path_buf()));
    let folders: Vec<String> = folders.map(|folder| folder.display().to_string()).collect();
    error(format!("{subject} '{name}' of the lookup was not found in {}", folders.join(", ")))
}

/// Decrypts the content of a file, if Ansible Vault has encrypted it.
fn plain(host: &dyn Host, name: &str, text: String) -> Result<String> {
    if Vault::is_encrypted(&text) { host.decrypt(name, &text) } else { Ok(text) }
}

/// Returns an option as a list of strings.
fn texts(value: Option<Value>) -> Result<Vec<String>> {
    let Some(value) = value else {
        return Ok(Vec::new());
    };
    if is_sequence(&value) {
        iterate(&value)?.iter().map(str).collect()
    } else {
        Ok(str(&value)?.split([',', ';']).map(|part| part.trim().to_string()).collect())
    }
}

/// The first of several files that there is.
fn first_found(host: &dyn Host, mut args: Args) -> Result<Vec<Value>> {
    let mut skip = args.take("skip").map_or(Ok(false), |skip| truth(&skip))?;
    let mut paths = texts(args.take("paths"))?;
    let mut names = texts(args.take("files"))?;
    for term in flattened(&args.positional)? {
        match kind(&term)? {
            Kind::Dict => {
                names.extend(texts(element(&term, &Value::from("files"))?)?);
                paths.extend(texts(element(&term, &Value::from("paths"))?)?);
                if let Some(skips) = element(&term, &Value::from("skip"))? {
                    skip |= truth(&skips)?;
                }
            }
            _ => names.push(str(&term)?),
        }
    }
    let files = host.files();
    let paths = if paths.is_empty() { vec![String::new()] } else { paths };
    for path in &paths {
        for name in &names {
            let candidate = Path::new(path).join(name);
            if let Some(found) = files.find("files", &candidate.to_string_lossy())? {
                return Ok(vec![Value::from(found.to_string_lossy().as_ref())]);
            }
        }
    }
    if skip { Ok(Vec::new()) } else { Err(error("No file was found when using first_found.")) }
}

/// Parses the options of a lookup that can also be in its term: `key file=name`.
fn options(term: &str, args: &Args, names: &[&str]) -> Result<(String, Vec<(String, String)>)> {
    let mut options = Vec::new();
    for (name, value) in &args.named {
        options.push((name.to_string(), str(value)?));
    }
    let mut keys = Vec::new();
    for word in term.split_whitespace() {
        match word.split_once('=') {
            Some((name, value)) if names.contains(&name) => options.push((name.into(), value.into())),
            Some((name, _)) => return Err(error(format!("{name} is not a valid option"))),
            None => keys.push(word),
        }
    }
    Ok((keys.join(" "), options))
}

fn option<'o>(options: &'o [(String, String)], name: &str, default: &'o str) -> &'o str {
    options.iter().rev().find(|(known, _)| known == name).map_or(default, |(_, value)| value)
}

/// A value of a file in the format of Windows' INI files, or of Java's properties.
fn ini(host: &dyn Host, args: Args) -> Result<Vec<Value>> {
    let names = ["type", "file", "section", "re", "default", "encoding", "case_sensitive", "allow_no_value"];
    let mut out = Vec::new();
    for term in &args.positional {
        let (key, options) = options(&strict_text(term, &args.callee)?, &args, &names)?;
        let text = read(host, option(&options, "file", "ansible.ini"))?;
        let is_properties = option(&options, "type", "ini") == "properties";
        let searched_section = if is_properties { "" } else { option(&options, "section", "global") };
        let searches = matches!(option(&options, "re", "False").to_lowercase().as_str(), "true" | "yes" | "on" | "1");
        let pattern = if searches { Some(compile(&format!(r"\A(?:{key})"), false, false)?) } else { None };
        let mut section = "";
        let (mut found, mut matching, mut has_section) = (None, Vec::new(), is_properties);
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';'])) {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name;
                has_section |= section == searched_section;
            } else if let Some((name, value)) = line.split_once(['=', ':'])
                && section == searched_section
            {
                match &pattern {
                    Some(pattern) if pattern.is_match(&name.trim().to_lowercase()).map_err(too_expensive)? => {
                        matching.push(Value::from(value.trim()));
                    }
                    None if name.trim().eq_ignore_ascii_case(&key) => found = Some(value.trim().to_string()),
                    _ => {}
                }
            }
        }
        if !has_section {
            let file = option(&options, "file", "ansible.ini");
            return Err(error(format!("No section '{searched_section}' in {file}")));
        }
        match pattern {
            Some(_) => out.extend(matching),
            None => out.push(Value::from(found.unwrap_or_else(|| option(&options, "default", "").to_string()))),
        }
    }
    Ok(out)
}

/// A column of the row of a table whose first column is the key.
fn csvfile(host: &dyn Host, args: Args) -> Result<Vec<Value>> {
    let names = ["file", "delimiter", "col", "keycol", "default", "encoding"];
    let mut out = Vec::new();
    for term in &args.positional {
        let (key, options) = options(&strict_text(term, &args.callee)?, &args, &names)?;
        let delimiter = match option(&options, "delimiter", "TAB") {
            "TAB" | "\\t" => '\t',
            other => other.chars().next().unwrap_or('\t'),
        };
        let number = |name: &str, default: &'static str| {
            let text = option(&options, name, default).to_string();
            text.parse::<usize>().map_err(|_| error(format!("the option {name} must be a number, not {text}")))
        };
        let (column, key_column) = (number("col", "1")?, number("keycol", "0")?);
        let text = read(host, option(&options, "file", "ansible.csv"))?;
        let mut found = None;
        for line in text.lines() {
            let cells = cells(line, delimiter);
            if cells.get(key_column) == Some(&key) {
                found = Some(cells.get(column).cloned().ok_or_else(|| error("list index out of range"))?);
                break;
            }
        }
        let default = options.iter().rev().find(|(name, _)| name == "default").map(|(_, default)| default.clone());
        out.extend(found.or(default).map(Value::from));
    }
    Ok(out)
}

/// Splits a line into cells; those in double quotes may contain the delimiter.
fn cells(line: &str, delimiter: char) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let Some(cell) = cells.last_mut() else { break };
        match letter {
            '"' if quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if quoted || cell.is_empty() => quoted = !quoted,
            _ if letter == delimiter && !quoted => cells.push(String::new()),
            _ => cell.push(letter),
        }
    }
    cells
}
