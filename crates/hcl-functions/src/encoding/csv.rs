//! `csvdecode`: tables of comma-separated values, as <https://pkg.go.dev/encoding/csv> parses them.

use hieratic_hcl_types::{Text, Type, Value, quoted};
use hieratic_value::collections::HashSet;

use crate::FunctionTable;
use crate::arguments::{CallResult, call_error, string, text};

pub(super) fn add(table: &mut FunctionTable) {
    table.fixed(
        "csvdecode",
        "Reads CSV, whose first row has the names: a list with an object for each further row.",
        [string("str")],
        Type::Dynamic,
        |arguments| decode(text(arguments, 0)),
    );
}

/// The first record names the attributes of the objects that the others become.
fn decode(source: &str) -> CallResult {
    let mut records = Records { rest: source, line: 0 };
    let header = match records.next() {
        None => return call_error("missing header line"),
        Some(Err(message)) => return call_error(message),
        Some(Ok((_, header))) => header,
    };
    let mut names: Vec<Text> = Vec::with_capacity(header.len());
    let mut known = HashSet::default();
    for name in header {
        let name: Text = name.into();
        if !known.insert(name.clone()) {
            return call_error(format!("duplicate column name {}", quoted(&name)));
        }
        names.push(name);
    }
    let names: Vec<Text> = names
        .into_iter()
        .map(|name| match Value::string(name.clone()) {
            Value::String(normal) => normal,
            _ => name,
        })
        .collect();
    let mut rows = Vec::new();
    for record in records {
        let (line, fields) = match record {
            Ok(record) => record,
            Err(message) => return call_error(message),
        };
        if fields.len() != names.len() {
            return call_error(problem(line, "wrong number of fields"));
        }
        rows.push(Value::object(names.iter().cloned().zip(fields.into_iter().map(Value::string)).collect()));
    }
    let row = Type::object(names.into_iter().map(|name| (name, Type::String)));
    Ok(Value::list(row, rows))
}

fn problem(line: usize, message: &str) -> String {
    format!("CSV parse error on line {line}: {message}")
}

/// The records of a table, each with its first line number. Empty lines are skipped.
struct Records<'s> {
    rest: &'s str,
    line: usize,
}

impl<'s> Records<'s> {
    /// The next line without its end, and whether it has one.
    fn read_line(&mut self) -> Option<(&'s str, bool)> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, ended) = match self.rest.split_once('\n') {
            Some((line, rest)) => {
                self.rest = rest;
                (line, true)
            }
            None => (std::mem::take(&mut self.rest), false),
        };
        let line = line.strip_suffix('\r').unwrap_or(line);
        // A carriage return at the very end does not count as a line.
        if ended || !line.is_empty() {
            self.line += 1;
        }
        Some((line, ended))
    }

    /// Reads a quoted field, from after its opening quote. Returns it, and the rest of the line after a comma.
    fn quoted(&mut self, line: &'s str, ended: bool) -> Result<(String, Option<&'s str>, bool), String> {
        let mut field = String::new();
        let (mut line, mut ended) = (line, ended);
        loop {
            match line.split_once('"') {
                Some((before, after)) => {
                    field.push_str(before);
                    if let Some(after) = after.strip_prefix('"') {
                        field.push('"');
                        line = after;
                    } else if let Some(after) = after.strip_prefix(',') {
                        return Ok((field, Some(after), ended));
                    } else if after.is_empty() {
                        return Ok((field, None, ended));
                    } else {
                        return Err(problem(self.line, UNBALANCED));
                    }
                }
                None => {
                    field.push_str(line);
                    if ended {
                        field.push('\n');
                    }
                    let next = if ended { self.read_line() } else { None };
                    match next {
                        Some((next, next_ended)) => (line, ended) = (next, next_ended),
                        None => return Err(problem(self.line, UNBALANCED)),
                    }
                }
            }
        }
    }
}

const UNBALANCED: &str = "extraneous or missing \" in quoted-field";

impl Iterator for Records<'_> {
    type Item = Result<(usize, Vec<String>), String>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut line, mut ended) = loop {
            match self.read_line()? {
                ("", _) => {}
                found => break found,
            }
        };
        let start = self.line;
        let mut fields = Vec::new();
        loop {
            if let Some(inner) = line.strip_prefix('"') {
                let (field, rest, still) = match self.quoted(inner, ended) {
                    Ok(found) => found,
                    Err(message) => return Some(Err(message)),
                };
                fields.push(field);
                ended = still;
                match rest {
                    Some(rest) => line = rest,
                    None => return Some(Ok((start, fields))),
                }
                continue;
            }
            let (field, rest) = match line.split_once(',') {
                Some((field, rest)) => (field, Some(rest)),
                None => (line, None),
            };
            if field.contains('"') {
                return Some(Err(problem(self.line, "bare \" in non-quoted-field")));
            }
            fields.push(field.to_owned());
            match rest {
                Some(rest) => line = rest,
                None => return Some(Ok((start, fields))),
            }
        }
    }
}
