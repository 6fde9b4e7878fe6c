//! Rows as lines: NDJSON and CSV.

use std::io::{self, BufWriter, Write};

use crate::inserted::NodeTexts;
use crate::rows::{NodeRows, Row, Scalar};

/// Writes rows as lines.
pub(crate) struct Lines<W: Write> {
    out: BufWriter<W>,
    /// The end of a row: everything but the node.
    tail: fn(&mut Vec<u8>, &Row, &NodeTexts, Option<&str>),
    /// The node as a line begins with it.
    head: fn(&mut Vec<u8>, &str),
    line: Vec<u8>,
}

/// The names of the columns.
const NAMES: &[u8] = b"node,key,module,value,string,integer,float,boolean,error,file,line,level,layer,merge,contributions,secret,facts\r\n";

impl<W: Write> Lines<W> {
    pub(crate) fn ndjson(out: W) -> Lines<W> {
        Lines { out: BufWriter::with_capacity(1 << 16, out), head: json_head, tail: json_tail, line: Vec::new() }
    }

    /// A continued file already has its header line.
    pub(crate) fn csv(out: W, is_begin: bool) -> io::Result<Lines<W>> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        if is_begin {
            out.write_all(NAMES)?;
        }
        Ok(Lines { out, head: csv_head, tail: csv_tail, line: Vec::new() })
    }

    /// Writes the rows of a node after the first `done`.
    pub(crate) fn write(&mut self, node: &str, rows: &NodeRows, done: usize) -> io::Result<()> {
        self.line.clear();
        (self.head)(&mut self.line, node);
        let head = self.line.len();
        for row in rows.rows.get(done..).unwrap_or_default() {
            self.line.truncate(head);
            (self.tail)(&mut self.line, row, &rows.texts, rows.facts.as_deref());
            self.out.write_all(&self.line)?;
        }
        Ok(())
    }

    /// Returns the output. Buffered lines are not written yet.
    pub(crate) fn out(&self) -> &W {
        self.out.get_ref()
    }

    /// Writes the buffered lines and returns the output.
    pub(crate) fn flushed(&mut self) -> io::Result<&mut W> {
        self.out.flush()?;
        Ok(self.out.get_mut())
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn json_head(line: &mut Vec<u8>, node: &str) {
    line.extend_from_slice(b"{\"node\":");
    json_text(line, node);
}

fn json_tail(line: &mut Vec<u8>, row: &Row, texts: &NodeTexts, facts: Option<&str>) {
    line.extend_from_slice(b",\"key\":");
    json_text(line, &row.key);
    match &row.answer {
        Ok(cell) => {
            line.extend_from_slice(b",\"value\":");
            match &row.text {
                Some(text) => texts.append_json(text, line),
                None => line.extend_from_slice(cell.json.as_bytes()),
            }
        }
        Err(message) => {
            line.extend_from_slice(b",\"error\":");
            json_text(line, message);
        }
    }
    for (name, text) in [("file", &row.file), ("level", &row.level), ("layer", &row.layer), ("merge", &row.merge)] {
        if let Some(text) = text {
            line.extend_from_slice(format!(",\"{name}\":").as_bytes());
            json_text(line, text);
        }
    }
    // These are JSON already.
    for (name, json) in [("contributions", row.contributions.as_deref()), ("facts", facts)] {
        if let Some(json) = json {
            line.extend_from_slice(format!(",\"{name}\":{json}").as_bytes());
        }
    }
    if let Some(number) = row.line {
        line.extend_from_slice(format!(",\"line\":{number}").as_bytes());
    }
    if row.secret {
        line.extend_from_slice(b",\"secret\":true");
    }
    line.extend_from_slice(b"}\n");
}

/// A string of JSON.
fn json_text(line: &mut Vec<u8>, text: &str) {
    // Writing to memory does not fail.
    serde_json::to_writer(line, text).unwrap_or_default();
}

fn csv_head(line: &mut Vec<u8>, node: &str) {
    csv_field(line, node);
}

fn csv_tail(line: &mut Vec<u8>, row: &Row, texts: &NodeTexts, facts: Option<&str>) {
    let own = row.text.as_ref().map(|text| texts.cell(text));
    let cell = own.as_ref().or(row.answer.as_ref().ok());
    let error = row.answer.as_ref().err().map_or("", String::as_str);
    let number = row.line.map(|line| line.to_string()).unwrap_or_default();
    let secret = if row.secret { "true" } else { "false" };
    let text = |text: &Option<hieratic::value::Str>| text.clone().unwrap_or_default();
    let mut typed = [const { String::new() }; 4];
    match cell.map(|cell| &cell.scalar) {
        Some(Scalar::String(text)) => typed[0] = text.to_string(),
        Some(Scalar::Integer(number)) => typed[1] = number.to_string(),
        Some(Scalar::Float(number)) => typed[2] = number.to_string(),
        Some(Scalar::Boolean(value)) => typed[3] = value.to_string(),
        Some(Scalar::None) | None => {}
    }
    let [string, integer, float, boolean] = &typed;
    let fields: [&str; 16] = [
        &row.key,
        row.module().unwrap_or_default(),
        cell.map_or("", |cell| cell.json.as_str()),
        string,
        integer,
        float,
        boolean,
        error,
        &text(&row.file),
        &number,
        &text(&row.level),
        &text(&row.layer),
        &text(&row.merge),
        row.contributions.as_deref().unwrap_or_default(),
        secret,
        facts.unwrap_or_default(),
    ];
    for field in fields {
        line.push(b',');
        csv_field(line, field);
    }
    line.extend_from_slice(b"\r\n");
}

/// Appends a CSV field, in quotes if it contains a separator, a quote or a line break.
pub fn csv_field(line: &mut Vec<u8>, text: &str) {
    if !text.contains([',', '"', '\n', '\r']) {
        line.extend_from_slice(text.as_bytes());
        return;
    }
    line.push(b'"');
    line.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    line.push(b'"');
}
