//! Formats values, positions and reasons for hovers. Secrets stay redacted.

use std::path::Path;

use hieratic::explain::{PartStatus, Why, WhyLayer};
use hieratic::lookup::{Object, Origin};
use hieratic::{Error, Value};
use hieratic_output::RenderAs;

use crate::snapshot::NodeContext;
use hieratic::sandbox::SlashPath as _;

/// The maximum number of lines of a value.
const MAX_LINES: usize = 24;

/// The maximum length of a value on one line, in characters.
const MAX_INLINE_LENGTH: usize = 60;

/// A value as a block of YAML.
pub(crate) fn block(value: &Value) -> String {
    let text = match value {
        // Quoted as it would have to be written, a string is harder to read.
        Value::String(text) => text.to_string(),
        _ => match RenderAs::Yaml.render(value) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) => value.inspect(),
        },
    };
    let text = text.strip_prefix("---").unwrap_or(&text).trim_matches('\n').trim_start_matches(' ');
    let text = text.strip_suffix("\n...").unwrap_or(text);
    let mut lines: Vec<&str> = text.lines().take(MAX_LINES + 1).collect();
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines.push("# and more");
    }
    format!("```yaml\n{}\n```", lines.join("\n").replace("```", "'''"))
}

/// A value in a few words.
pub(crate) fn short(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.to_string(),
        other => other.inspect(),
    };
    let text = text.replace(['\n', '\r'], " ");
    if text.chars().count() > MAX_INLINE_LENGTH {
        text.chars().take(MAX_INLINE_LENGTH).chain(['…']).collect()
    } else {
        text
    }
}

/// Text between backquotes.
pub(crate) fn code(text: &str) -> String {
    let fence = if text.contains('`') { "``" } else { "`" };
    format!("{fence}{}{fence}", text.replace(['\n', '\r'], " "))
}

/// A value as it may be shown.
pub(crate) fn shown(context: &NodeContext, value: &Object, hides: bool) -> Value {
    if hides {
        return Value::from("Sensitive [value redacted]");
    }
    context.redactor.marked(&value.masked())
}

/// An error as it may be shown.
pub(crate) fn fault(context: &NodeContext, error: &Error) -> String {
    context.redactor.message(&error.to_string()).into_owned()
}

/// Formats an origin, relative to the environment if it is inside.
pub(crate) fn place(context: &NodeContext, origin: &Origin) -> String {
    match origin {
        Origin::File { file, line, .. } => format!("{}:{line}", file_name(context, file)),
        Origin::Named(name) => name.to_string(),
    }
}

fn file_name(context: &NodeContext, file: &Path) -> String {
    let root = &context.environment.layers().environment.root;
    file.strip_prefix(root).unwrap_or(file).to_slashes()
}

/// Describes the status of the parts of a level in a few words; empty if the answer contains all of them.
pub(crate) fn describe_status(context: &NodeContext, layer: &WhyLayer) -> String {
    let by = |origin: &Option<Origin>| {
        origin.as_ref().map(|origin| format!(" by {}", place(context, origin))).unwrap_or_default()
    };
    let count = layer.parts.len();
    let mut statuses: Vec<String> = Vec::new();
    let mut say = |text: String| {
        if !statuses.contains(&text) {
            statuses.push(text);
        }
    };
    for part in &layer.parts {
        match &part.status {
            PartStatus::Kept => {}
            PartStatus::Overridden(origin) => say(format!("overridden{}", by(origin))),
            PartStatus::Repeated(origin) => say(format!("repeated{}", by(origin).replace(" by ", " from "))),
            PartStatus::Removed(origin) => say(format!("knocked out{}", by(origin))),
            PartStatus::Knockout(_) => say("knocks out values below".to_owned()),
            PartStatus::LostKnockout(origin) => say(format!("a knockout that is lost: restored{}", by(origin))),
            PartStatus::Gone => say("not in the answer".to_owned()),
        }
    }
    let kept = layer.parts.iter().filter(|part| part.status == PartStatus::Kept).count();
    if kept > 0 && kept < count {
        statuses.insert(0, format!("{kept} of {count} parts kept"));
    }
    statuses.join(", ")
}

/// Describes the merge in one sentence.
pub(crate) fn merge(context: &NodeContext, why: &Why) -> String {
    let rule = match &why.rule {
        Some(rule) => {
            let kind = if rule.is_pattern { "the pattern" } else { "the entry" };
            let at = rule.place.as_ref().map(|origin| format!(" at {}", place(context, origin))).unwrap_or_default();
            format!(", by {kind} {} of `lookup_options`{at}", code(&rule.text))
        }
        None => String::new(),
    };
    let convert = match &why.convert_to {
        Some(to) => format!("; converted to {}", code(&short(to))),
        None => String::new(),
    };
    match why.merge.strategy {
        "default" | "first" if why.rule.is_none() && convert.is_empty() => "the first value found counts".to_owned(),
        "default" => format!("the first value found counts{rule}{convert}"),
        strategy => format!("merge {}{rule}{convert}", code(strategy)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_truncated() {
        assert_eq!(block(&Value::from("a")), "```yaml\na\n```");
        let long: Value = (0..100).map(Value::Integer).collect();
        assert!(block(&long).ends_with("# and more\n```"));
        assert_eq!(short(&Value::from("x".repeat(99))).chars().count(), MAX_INLINE_LENGTH + 1);
        assert_eq!(code("a`b"), "``a`b``");
    }
}
