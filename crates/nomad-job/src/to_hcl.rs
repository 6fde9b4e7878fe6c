//! Prints a job, such as one from the API's JSON, as an idiomatic job file.
//!
//! The file parses as the same job, except for fields that only a server sets (versions, states, times), and for keys
//! of `config` and of maps that a file cannot have.

use std::fmt::Write;

use hieratic_hcl_syntax::{format, is_identifier};
use hieratic_hcl_types::go::duration;
use hieratic_hcl_types::{hcl_literal, hcl_template};

use crate::Job;
use crate::comments::{Comments, ItemComments};
use crate::record::{Data, Datum, Map, Record};
use crate::schema::{Kind, Scalar, Source};

impl Job {
    /// Formats the job as an HCL file.
    ///
    /// ```
    /// use hieratic_nomad_job::{Job, Options};
    ///
    /// let json = r#"{"Job": {"ID": "web", "Name": "web", "Priority": 70, "Meta": {"owner": "ops"}}}"#;
    /// let job = Job::parse(json, &Options { json: true, ..Options::default() })?;
    /// assert_eq!(job.to_hcl(), "job \"web\" {\n  priority = 70\n\n  meta {\n    owner = \"ops\"\n  }\n}\n");
    /// # Ok::<(), hieratic_nomad_job::Failure>(())
    /// ```
    pub fn to_hcl(&self) -> String {
        let record = self.record();
        let mut comments = Comments::from_source(self.source());
        let id = record.text("ID").map_or("", |id| id);
        let (head, tail) = comments.take_outer();
        let own = comments.take_job();
        let mut out = String::new();
        lines(&head, &mut out);
        if !head.is_empty() {
            out.push('\n');
        }
        lines(&own.before, &mut out);
        let _ = write!(out, "job {} {{", hcl_literal(id));
        behind(own.behind.as_deref(), &mut out);
        let named = record.text("Name").is_some_and(|name| **name != *id);
        body(record, if named { &["ID"] } else { &["ID", "Name"] }, &mut comments, &mut out);
        lines(&own.last, &mut out);
        out.push('}');
        behind(own.closing.as_deref(), &mut out);
        lines(&tail, &mut out);
        String::from_utf8_lossy(&format(out.as_bytes())).into_owned()
    }
}

/// Writes comments on separate lines.
fn lines(comments: &[String], out: &mut String) {
    for comment in comments {
        out.push_str(comment);
        out.push('\n');
    }
}

/// Ends a line, with its comment.
fn behind(comment: Option<&str>, out: &mut String) {
    if let Some(comment) = comment {
        out.push(' ');
        out.push_str(comment);
    }
    out.push('\n');
}

/// The offset where a value was written.
fn start(datum: &Datum) -> Option<u32> {
    datum.place.map(|place| place.start)
}

/// Writes the arguments and blocks of a structure, except these fields.
fn body(record: &Record, but: &[&str], comments: &mut Comments, out: &mut String) {
    let begin = out.len();
    for (field, datum) in record.entries().filter(|(field, _)| !but.contains(&field.name)) {
        if let Source::Attribute { name, required } = field.source
            && (required || !is_default(field.kind, &datum.value))
        {
            let of = match field.kind {
                Kind::Plain(of) | Kind::Maybe(of) => Some(of),
                _ => None,
            };
            let mut text = String::new();
            match (of, &datum.value) {
                (Some(Scalar::Duration), Data::Int(nanoseconds)) => {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "\"{}\"", duration::in_one_unit(*nanoseconds));
                }
                (_, value) => expression(value, &mut text),
            }
            argument(name, &text, comments.take(start(datum)), out);
        }
    }
    for (field, datum) in record.entries() {
        let name = match (field.source, field.name) {
            // A port is reserved if it has a number.
            (_, "ReservedPorts") => "port",
            (Source::Block(name), _) => name,
            // The default identity of a task is a separate field.
            (Source::Unwritten, "Identity") => "identity",
            _ => continue,
        };
        match (&datum.value, field.kind) {
            (Data::List(items), _) => {
                // Nomad reads blocks named `port` without a number as dynamic ones, and those with a number replace all
                // reserved ones.
                let are_reserved = field.name == "ReservedPorts" && !items.iter().all(has_number);
                let name = if are_reserved { "reserved_ports" } else { name };
                items.iter().for_each(|item| block(name, None, item, begin, comments, out));
            }
            (Data::Map(entries), Kind::Keyed(_)) => {
                entries.iter().for_each(|(key, item)| block(name, Some(key), item, begin, comments, out));
            }
            (Data::Map(entries), kind) => {
                let own = comments.take(start(datum));
                map(name, kind, entries, begin, own, comments, out);
            }
            (Data::Record(_), _) => block(name, None, datum, begin, comments, out),
            _ => {}
        }
    }
}

/// Returns whether a port has a number.
fn has_number(port: &Datum) -> bool {
    let Data::Record(port) = &port.value else { return false };
    port.entries().any(|(field, datum)| field.name == "Value" && !is_default(field.kind, &datum.value))
}

/// An argument with its comments.
fn argument(name: &str, text: &str, comments: ItemComments, out: &mut String) {
    lines(&comments.before, out);
    // Nothing can follow the closing marker of a heredoc.
    let is_heredoc = text.starts_with("<<");
    if let Some(comment) = comments.behind.as_ref().filter(|_| is_heredoc) {
        lines(std::slice::from_ref(comment), out);
    }
    // Writing to a string cannot fail.
    let _ = write!(out, "{name} = {text}");
    behind(comments.behind.as_deref().filter(|_| !is_heredoc), out);
}

/// Returns whether a file can omit the value.
fn is_default(kind: Kind, value: &Data) -> bool {
    let Kind::Plain(_) = kind else { return false };
    match value {
        Data::Text(text) => text.is_empty(),
        Data::Int(number) => *number == 0,
        Data::Uint(number) => *number == 0,
        Data::Bool(value) => !value,
        _ => false,
    }
}

fn block(name: &str, label: Option<&str>, datum: &Datum, begin: usize, comments: &mut Comments, out: &mut String) {
    let Data::Record(record) = &datum.value else { return };
    let own = comments.take(start(datum));
    apart(begin, out);
    lines(&own.before, out);
    out.push_str(name);
    let of_field = record.shape().label().and_then(|(at, _)| record.shape().fields.get(at)).map(|field| field.name);
    let written = of_field.map(|field| record.text(field).map_or("", |label| label));
    // The label of a task's policy is derived from its type.
    let policy = match (name, record.text("Type").map(|kind| &**kind)) {
        ("scaling", Some("vertical_cpu")) => Some("cpu"),
        ("scaling", Some("vertical_mem")) => Some("mem"),
        _ => None,
    };
    if let Some(label) = label.or(written).or(policy) {
        let _ = write!(out, " {}", hcl_literal(label));
    }
    out.push_str(" {");
    behind(own.behind.as_deref(), out);
    let inside = out.len();
    body(record, of_field.as_slice(), comments, out);
    lines(&own.last, out);
    if out.len() == inside && own.behind.is_none() {
        out.pop();
    }
    out.push('}');
    behind(own.closing.as_deref(), out);
}

/// Writes a map as a block, or as an argument if a key is not a name.
fn map(
    name: &str,
    kind: Kind,
    entries: &Map,
    begin: usize,
    own: ItemComments,
    comments: &mut Comments,
    out: &mut String,
) {
    apart(begin, out);
    lines(&own.before, out);
    if !matches!(kind, Kind::Any) && !entries.iter().all(|(key, _)| is_identifier(key)) {
        lines(own.behind.as_slice(), out);
        lines(&own.last, out);
        lines(own.closing.as_slice(), out);
        let _ = write!(out, "{name} = ");
        object(entries, out);
        out.push('\n');
        return;
    }
    let _ = write!(out, "{name} {{");
    behind(own.behind.as_deref(), out);
    for (key, item) in entries.iter().filter(|(key, item)| is_identifier(key) && item.value != Data::Null) {
        let mut text = String::new();
        match &item.value {
            // An object that is assigned to an argument here would be decoded as a list of one.
            Data::Map(entries) => {
                text.push('(');
                object(entries, &mut text);
                text.push(')');
            }
            value => expression(value, &mut text),
        }
        argument(key, &text, comments.take(start(item)), out);
    }
    lines(&own.last, out);
    out.push('}');
    behind(own.closing.as_deref(), out);
}

/// Writes an empty line, except before the first item of a body.
fn apart(begin: usize, out: &mut String) {
    if out.len() > begin {
        out.push('\n');
    }
}

fn expression(value: &Data, out: &mut String) {
    let _ = match value {
        Data::Bool(value) => write!(out, "{value}"),
        Data::Int(number) => write!(out, "{number}"),
        Data::Uint(number) => write!(out, "{number}"),
        // The API's JSON does not distinguish integers.
        Data::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => write!(out, "{number:.0}"),
        // Rust writes the shortest digits that are the same number.
        Data::Float(number) => write!(out, "{number:e}"),
        Data::Text(text) => {
            text_of(text, out);
            Ok(())
        }
        Data::Bytes(bytes) => write!(out, "{}", quoted(&String::from_utf8_lossy(bytes))),
        Data::List(items) => {
            // The elements of long lists and of lists of objects are on separate lines.
            let is_long =
                items.len() > 4 || items.iter().any(|item| matches!(item.value, Data::Map(_) | Data::List(_)));
            out.push_str(if is_long { "[\n" } else { "[" });
            for (at, item) in items.iter().enumerate() {
                expression_in_list(&item.value, out);
                let last = at + 1 == items.len();
                out.push_str(match (is_long, last) {
                    (true, _) => ",\n",
                    (false, false) => ", ",
                    (false, true) => "",
                });
            }
            out.push(']');
            Ok(())
        }
        Data::Map(entries) => {
            object(entries, out);
            Ok(())
        }
        Data::Null | Data::Record(_) | Data::Pending(_) | Data::Unknown => write!(out, "null"),
    };
}

/// A heredoc cannot be followed by a comma.
fn expression_in_list(value: &Data, out: &mut String) {
    match value {
        Data::Text(text) => out.push_str(&quoted(text)),
        value => expression(value, out),
    }
}

fn object(entries: &Map, out: &mut String) {
    if entries.is_empty() {
        out.push_str("{}");
        return;
    }
    out.push_str("{\n");
    for (key, item) in entries {
        if is_identifier(key) && !matches!(&**key, "true" | "false" | "null" | "for") {
            out.push_str(key)
        } else {
            out.push_str(&quoted(key))
        }
        out.push_str(" = ");
        expression_in_list(&item.value, out);
        out.push('\n');
    }
    out.push('}');
}

/// Writes a string; one of several lines as a heredoc, if possible.
fn text_of(text: &str, out: &mut String) {
    const MARKER: &str = "EOT";
    let can_be = text.ends_with('\n')
        && text.matches('\n').count() > 1
        && !text.lines().any(|line| line.trim() == MARKER)
        && !text.contains(|letter: char| letter.is_control() && !matches!(letter, '\n' | '\t'));
    if can_be {
        let _ = write!(out, "<<{MARKER}\n{}{MARKER}", without_templates(text));
    } else {
        out.push_str(&quoted(text));
    }
}

fn quoted(text: &str) -> String {
    hcl_template(&without_templates(text))
}

/// Escapes template sequences, except references that the client resolves: these evaluate to themselves.
fn without_templates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${").into_iter().chain(rest.find("%{")).min() {
        let (before, begin) = rest.split_at(at);
        out.push_str(before);
        let reference = begin.find('}').and_then(|end| begin.get(..=end)).filter(|text| is_for_the_client(text));
        let after = begin.get(reference.map_or(0, str::len)..).unwrap_or_default();
        // A sign before it would escape it, and Nomad repeats braces after it.
        let is_apart = !before.ends_with(['$', '%']) && !after.trim_start_matches(' ').starts_with('}');
        match reference.filter(|_| is_apart) {
            Some(reference) => {
                out.push_str(reference);
                rest = after;
            }
            None => {
                out.push_str(begin.get(..1).unwrap_or_default());
                out.push_str(begin.get(..2).unwrap_or_default());
                rest = begin.get(2..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

/// Returns whether a reference is to a node or to the variables of a task.
fn is_for_the_client(text: &str) -> bool {
    let Some(inner) = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) else { return false };
    let known = ["attr.", "node.", "meta.", "NOMAD_"].iter().any(|root| inner.starts_with(root));
    known && inner.split('.').all(is_identifier)
}
