//! Hints for messages about job files: the correct form of a frequent mistake.

use hieratic_diagnostics::Diagnostic;
use hieratic_hcl_syntax::is_identifier;

/// The hint on a template. The verb `pack` of the command reads those of nomad-pack and levant.
const RENDER: &str = "render the template first: `hieratic pack render` has the templates of nomad-pack and levant, other programs theirs";

/// Adds a hint to a message about a job file, if its line has a known mistake.
///
/// ```
/// use hieratic_diagnostics::Diagnose;
/// use hieratic_nomad_job::{Job, Options, with_hint};
///
/// let source = "job \"a\" {\n  group \"g\" {\n    task \"t\" {\n      resources {\n        cpu = \"500MHz\"\n      }\n    }\n  }\n}\n";
/// let options = Options { path: "web.nomad.hcl".to_owned(), ..Options::default() };
/// let failure = Job::parse(source, &options).unwrap_err();
/// let diagnostic = failure.diagnose().remove(0);
/// assert_eq!(with_hint(diagnostic).help, ["write cpu = 500; the unit is always MHz"]);
/// ```
pub fn with_hint(diagnostic: Diagnostic) -> Diagnostic {
    if !diagnostic.help.is_empty() {
        return diagnostic;
    }
    let Some(label) = diagnostic.labels.iter().find(|label| label.primary) else { return diagnostic };
    let number = label.source.start(label.span).line;
    let line = label.source.slice(label.source.line(number)).trim();
    match hint(&diagnostic.message, &diagnostic.notes.join(" "), line) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// The hint on a message about a line.
fn hint(message: &str, notes: &str, line: &str) -> Option<String> {
    let argument = line.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let argument = argument.filter(|(name, _)| is_identifier(name));
    match message {
        "Invalid character" | "Invalid expression" => for_expression(argument, line),
        "Unsuitable value type" => for_type(argument?, notes),
        "Missing newline after argument" => {
            let (name, value) = argument?;
            in_unit(name, value).or_else(|| Some("begin a new line for each argument".to_owned()))
        }
        "Argument or block definition required" => for_item(line),
        "Invalid block definition" => {
            let (name, value) = line.split_once(' ')?;
            (is_identifier(name) && value.starts_with('"') && value.len() > 1 && value.ends_with('"'))
                .then(|| format!("write {name} = {value}"))
        }
        "Unexpected comma after argument" => Some("remove the comma: each argument ends with its line".to_owned()),
        "Unsupported argument" => {
            let (name, value) = argument?;
            let is_block = notes.contains("Did you mean to define a block");
            let assigned = || format!("write {name} {{ ... }} without the equals sign");
            let repeated = || format!("write {name} {{ ... }}, once for each");
            is_block.then(|| if value.starts_with('{') { assigned() } else { repeated() })
        }
        "Unterminated template string" => {
            Some("end a heredoc with its marker alone on a line, followed by a line end".to_owned())
        }
        "Invalid template control keyword" => Some("write %%{ for the text %{".to_owned()),
        "Attribute redefined" => Some("remove one of the two".to_owned()),
        "Unclosed configuration block" => Some("add the missing }".to_owned()),
        "Extraneous JSON object property" if notes.contains("\"Job\"") => {
            Some("pass -json to read the JSON of Nomad's API".to_owned())
        }
        _ if message.starts_with("Duplicate ") && message.ends_with(" block") => {
            Some("write one block with the arguments of both".to_owned())
        }
        _ => None,
    }
}

fn for_expression(argument: Option<(&str, &str)>, line: &str) -> Option<String> {
    if let Some((_, marker)) =
        line.split_once("<<").filter(|(_, marker)| marker.trim_start_matches('-').starts_with(['\'', '"']))
    {
        let marker = marker.trim_start_matches('-').trim_matches(['\'', '"', ' ']);
        return Some(format!("write <<{marker} without quotes; for the text ${{ write $${{"));
    }
    let (name, value) = argument?;
    if let Some(inner) = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return (!inner.contains(['"', '\\'])).then(|| format!("write {name} = \"{inner}\""));
    }
    if value.starts_with("${") && value.ends_with('}') {
        return Some(format!("write the reference in quotes: {name} = \"{value}\""));
    }
    if value.starts_with("[[") || value.starts_with("{{") {
        return Some(RENDER.to_owned());
    }
    if value.contains("${") {
        return Some("write an expression between ${ and }, or $${ for the text ${".to_owned());
    }
    None
}

fn for_type((name, value): (&str, &str), notes: &str) -> Option<String> {
    let text = value.trim_matches('"');
    if notes.contains("missing unit in duration") {
        return Some(format!("write a unit: {name} = \"{text}s\""));
    }
    if notes.contains("unknown unit \"d\"") {
        let hours = text.strip_suffix('d').and_then(|days| days.parse::<u32>().ok()).map(|days| u64::from(days) * 24);
        let example = hours.map_or_else(|| "24h".to_owned(), |hours| format!("{hours}h"));
        return Some(format!("there is no unit for days: write {name} = \"{example}\""));
    }
    if notes.contains("duration") {
        return Some(format!("write a length of time with one of the units ns, us, ms, s, m, h: {name} = \"30s\""));
    }
    if notes.contains("a number is required") {
        return in_unit(name, value).or_else(|| Some(format!("write a number: {name} = 1")));
    }
    if notes.contains("a bool is required") {
        let is_false = matches!(text.to_ascii_lowercase().as_str(), "no" | "off" | "0" | "false");
        return Some(format!("write {name} = {}", !is_false));
    }
    if notes.contains("list of string required, but have string") {
        return Some(format!("write {name} = [{value}]"));
    }
    if notes.contains("list of string required") {
        return Some(format!("write a list of strings: {name} = [\"...\"]"));
    }
    None
}

/// The hint on a number with a unit.
fn in_unit(name: &str, value: &str) -> Option<String> {
    let text = value.trim_matches('"');
    let end = text.find(|letter: char| !letter.is_ascii_digit()).filter(|end| *end > 0)?;
    let (digits, unit) = text.split_at(end);
    let number: u64 = digits.parse().ok()?;
    let unit = unit.trim().to_ascii_lowercase();
    let of_memory = ["memory", "memory_max", "size", "secrets", "max_file_size"].contains(&name);
    match unit.as_str() {
        "mhz" if name == "cpu" => Some(format!("write {name} = {number}; the unit is always MHz")),
        "ghz" if name == "cpu" => {
            Some(format!("write {name} = {}; the unit is always MHz", number.saturating_mul(1000)))
        }
        "m" | "mb" | "mi" | "mib" if of_memory => Some(format!("write {name} = {number}; the unit is always MB")),
        "g" | "gb" | "gi" | "gib" if of_memory => {
            Some(format!("write {name} = {}; the unit is always MB", number.saturating_mul(1024)))
        }
        _ if of_memory || name == "cpu" => {
            let of = if name == "cpu" { "MHz" } else { "MB" };
            Some(format!("write {name} as a number without a unit; it is in {of}"))
        }
        _ => None,
    }
}

/// The hint on a line that is neither an argument nor a block.
fn for_item(line: &str) -> Option<String> {
    if line.starts_with("[[") || line.starts_with("{{") || line.starts_with("{%") {
        return Some(RENDER.to_owned());
    }
    if let Some((name, value)) = line.split_once('=').map(|(name, value)| (name.trim(), value.trim()))
        && name.contains(['.', '/', ':'])
        && !name.contains([' ', '"'])
    {
        return Some(format!("quote names with other letters, in a map: env = {{ \"{name}\" = {value} }}"));
    }
    let (name, value) = line.split_once(':')?;
    is_identifier(name.trim()).then(|| format!("write {} = {}", name.trim(), value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_get_hints() {
        for (message, notes, line, expected) in [
            (
                "Invalid character",
                "",
                "attribute = ${attr.kernel.name}",
                "write the reference in quotes: attribute = \"${attr.kernel.name}\"",
            ),
            ("Invalid character", "", "data = <<'EOF'", "write <<EOF without quotes; for the text ${ write $${"),
            ("Invalid character", "", "user = 'root'", "write user = \"root\""),
            (
                "Unsuitable value type",
                "a number is required",
                "memory = \"1GB\"",
                "write memory = 1024; the unit is always MB",
            ),
            (
                "Unsuitable value type",
                "a number is required",
                "cpu = \"0.5\"",
                "write cpu as a number without a unit; it is in MHz",
            ),
            (
                "Unsuitable value type",
                "unknown unit \"d\" in duration",
                "kill_timeout = \"2d\"",
                "there is no unit for days: write kill_timeout = \"48h\"",
            ),
            (
                "Unsuitable value type",
                "missing unit in duration",
                "kill_timeout = \"30\"",
                "write a unit: kill_timeout = \"30s\"",
            ),
            ("Unsuitable value type", "a bool is required", "leader = yes", "write leader = true"),
            ("Missing newline after argument", "", "memory = 256Mi", "write memory = 256; the unit is always MB"),
            ("Argument or block definition required", "", "user: \"root\"", "write user = \"root\""),
            (
                "Argument or block definition required",
                "",
                "a.b = \"1\"",
                "quote names with other letters, in a map: env = { \"a.b\" = \"1\" }",
            ),
            ("Invalid block definition", "", "user \"root\"", "write user = \"root\""),
        ] {
            assert_eq!(hint(message, notes, line).as_deref(), Some(expected), "{line}");
        }
        assert_eq!(hint("Argument or block definition required", "", "x"), None);
    }
}
