//! Hints for messages about job files: the correct form of a frequent mistake.

mod place;

use hieratic_diagnostics::{Diagnostic, Source, Span};
use hieratic_hcl_syntax::is_identifier;

use self::place::Place;

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
    let source = &label.source;
    let number = source.start(label.span).line;
    let line = source.line(number);
    let column = label.span.start.saturating_sub(line.start) as usize;
    let before = source.slice(Span::new(0, line.start as usize));
    let place = Place::new(before, source.slice(line), column);
    match hint(&diagnostic.message, &diagnostic.notes.join(" "), &place)
        .or_else(|| template(&diagnostic.message, source, number))
    {
        Some(help) if help.chars().count() <= LONGEST => diagnostic.help(help),
        Some(_) | None => diagnostic,
    }
}

/// The length of the longest hint in characters. A hint repeats the value of its line, which can be long.
const LONGEST: usize = 300;

/// How many lines around a message are searched for actions of templates.
const LINES_AROUND: u32 = 50;

/// The hint on a syntax error in a template, whose actions are on lines of their program.
fn template(message: &str, source: &Source, number: u32) -> Option<String> {
    let is_syntax = matches!(
        message,
        "Invalid character" | "Invalid expression" | "Missing item separator" | "Argument or block definition required"
    );
    let mut around = number.saturating_sub(LINES_AROUND)..=number.saturating_add(LINES_AROUND).min(source.line_count());
    let is_action = |number: u32| begins_with_action(source.slice(source.line(number)).trim_start());
    (is_syntax && around.any(is_action)).then(|| RENDER.to_owned())
}

/// Returns whether a string begins with an action of nomad-pack, levant, consul-template or Jinja2.
fn begins_with_action(text: &str) -> bool {
    ["[[", "{{", "{%"].iter().any(|open| text.starts_with(open))
}

/// The hint on a message about a place.
fn hint(message: &str, notes: &str, place: &Place<'_>) -> Option<String> {
    let statement = place.statement;
    let argument = statement.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let argument = argument.filter(|(name, _)| is_identifier(name));
    match message {
        "Invalid character" | "Invalid expression" => for_expression(argument, statement),
        "Unsuitable value type" => match place.block.filter(|block| is_map(block)) {
            Some(block) if statement.starts_with("dynamic ") => {
                Some(format!("dynamic makes blocks: write {block} = {{ for key, value in MAP : key => value }}"))
            }
            _ => for_type(argument?, notes),
        },
        "Missing newline after argument" | "Invalid single-argument block definition" => {
            let (name, value) = argument?;
            if value.ends_with(';') {
                return Some("remove the semicolon: each argument ends with its line".to_owned());
            }
            if value.starts_with('"') && value.contains("{{") {
                return Some(QUOTES.to_owned());
            }
            let is_single = message != "Missing newline after argument";
            in_unit(name, value).or_else(|| unquoted(name, value)).or_else(|| {
                let has_two = value.split(' ').nth(1).is_some_and(is_identifier) && value.contains(" = ");
                let help = if is_single { "write each argument on a line, without others" } else { NEW_LINE };
                (!is_single || has_two).then(|| help.to_owned())
            })
        }
        "Argument or block definition required" => for_item(place),
        "Argument definition required" => {
            let (name, value) = statement.split_once(' ')?;
            let value = value.trim();
            (is_identifier(name) && value.starts_with('"')).then(|| format!("write {name} = {value}"))
        }
        "Invalid block definition" => {
            let (name, value) = statement.split_once(' ')?;
            let is_quoted = is_identifier(name) && value.starts_with('"') && value.len() > 1 && value.ends_with('"');
            // The types of blocks with a label.
            let types = ["job", "group", "task", "variable", "volume", "port", "template", "check", "service"];
            if is_quoted && types.contains(&name) {
                return Some(format!("write the brace on the same line: {name} {value} {{"));
            }
            is_quoted.then(|| format!("write {name} = {value}"))
        }
        "Unexpected comma after argument" => Some("remove the comma: each argument ends with its line".to_owned()),
        "Unsupported argument" => {
            let (name, value) = argument?;
            let is_block = notes.contains("Did you mean to define a block");
            let assigned = || format!("write {name} {{ ... }} without the equals sign");
            let repeated = || format!("write {name} {{ ... }}, once for each");
            is_block.then(|| if value.starts_with('{') { assigned() } else { repeated() })
        }
        "Unterminated template string" if statement.contains("<<") || !statement.contains('"') => {
            Some("end a heredoc with its marker alone on a line, followed by a line end".to_owned())
        }
        "Unterminated template string" | "Invalid multi-line string" => {
            Some("end the string with \" on its line, or write a heredoc: <<EOF, the lines, and EOF".to_owned())
        }
        "Invalid template control keyword" => Some("write %%{ for the text %{".to_owned()),
        "Attribute redefined" => Some("remove one of the two".to_owned()),
        "Unclosed configuration block" => Some("add the missing }".to_owned()),
        "Invalid type specification" => {
            let (name, value) = argument?;
            let word = value.trim_matches('"');
            let is_type = matches!(word, "string" | "number" | "bool");
            (value.starts_with('"') && is_type).then(|| format!("write {name} = {word}, without quotes"))
        }
        "Extraneous JSON object property" if notes.contains("\"Job\"") => {
            Some("pass -json to read the JSON of Nomad's API".to_owned())
        }
        _ if message.starts_with("Duplicate ") && message.ends_with(" block") => {
            Some("write one block with the arguments of both".to_owned())
        }
        _ => None,
    }
}

/// The hint on an action of a template whose text is in quotes.
const QUOTES: &str = "write \\\" for the quotes in the string, or a heredoc: <<EOF, the lines, and EOF";

const NEW_LINE: &str = "begin a new line for each argument";

/// The hint on a value that needs quotes, such as `redis:7`, `30s` or `/bin/sh`.
fn unquoted(name: &str, value: &str) -> Option<String> {
    let value = value.trim_end_matches([';', ',']).trim_end();
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || "_-.:/@%+~$".contains(letter);
    let is_text = value.contains([':', '/', '@', '$']) || value.starts_with(|first: char| first.is_ascii_digit());
    let is_number = value.chars().all(|letter| letter.is_ascii_digit() || "._".contains(letter));
    (!value.is_empty() && value.chars().all(is_word) && is_text && !is_number)
        .then(|| format!("write the text in quotes: {name} = \"{value}\""))
}

/// Whether the content of a block may also be written as a map, whose keys have quotes.
fn is_map(block: &str) -> bool {
    matches!(block, "env" | "meta" | "labels" | "sysctl" | "storage_opt")
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
    if let Some(marker) = value.strip_prefix("<< ").or_else(|| value.strip_prefix("<<- ")) {
        return is_identifier(marker.trim()).then(|| format!("write <<{} without a blank between", marker.trim()));
    }
    if let Some(variable) = value.strip_prefix('$').filter(|rest| is_identifier(rest)) {
        return Some(format!("write the reference in quotes: {name} = \"${{{variable}}}\""));
    }
    if let Some(text) = value.strip_prefix("$${") {
        return Some(format!("write the text in quotes: {name} = \"$${{{text}\""));
    }
    if value.contains('/') && !value.contains("${") {
        return unquoted(name, value);
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
    if notes.contains("map of string required") && value.starts_with('[') {
        return Some(format!("write {name} {{ NAME = \"value\" }}, with a line for each"));
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

/// The hint on something that is neither an argument nor a block.
fn for_item(place: &Place<'_>) -> Option<String> {
    let statement = place.statement;
    if begins_with_action(statement) || statement.contains("[[") && statement.contains("]]") {
        return Some(RENDER.to_owned());
    }
    if statement.starts_with('{') && place.block.is_none() {
        return Some("begin the file with {: only then is it read as JSON".to_owned());
    }
    if statement.starts_with("--") || statement.starts_with(';') {
        return Some("begin a comment with # or //".to_owned());
    }
    if let Some((name, value)) = statement.split_once('=').map(|(name, value)| (name.trim(), value.trim()))
        && name.contains(['.', '/', ':'])
        && !name.contains([' ', '"'])
    {
        let map = place.block.filter(|block| is_map(block)).unwrap_or("env");
        return Some(format!("quote names with other letters, in a map: {map} = {{ \"{name}\" = {value} }}"));
    }
    let (name, value) = statement.split_once(':')?;
    let name = name.trim().trim_matches('"');
    let value = value.trim().trim_end_matches(',');
    is_identifier(name).then(|| format!("write {name} = {value}"))
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
            ("Invalid block definition", "", "job \"a\"", "write the brace on the same line: job \"a\" {"),
            ("Missing newline after argument", "", "image = redis:7", "write the text in quotes: image = \"redis:7\""),
            ("Missing newline after argument", "", "interval = 30s", "write the text in quotes: interval = \"30s\""),
            ("Missing newline after argument", "", "a = 1 b = 2", NEW_LINE),
            ("Missing newline after argument", "", "data = \"{{ key \"a\" }}\"", QUOTES),
            ("Argument or block definition required", "", "job [[ .name ]] {", RENDER),
            ("Invalid expression", "", "command = /bin/sh", "write the text in quotes: command = \"/bin/sh\""),
            ("Invalid character", "", "PATH = $HOME", "write the reference in quotes: PATH = \"${HOME}\""),
            ("Invalid expression", "", "data = << EOF", "write <<EOF without a blank between"),
            ("Invalid character", "", "a = $${X}", "write the text in quotes: a = \"$${X}\""),
            ("Argument or block definition required", "", "\"image\": \"a\",", "write image = \"a\""),
            ("Argument definition required", "", "image \"a\"", "write image = \"a\""),
            ("Invalid type specification", "", "type = \"string\"", "write type = string, without quotes"),
            (
                "Unsuitable value type",
                "map of string required",
                "env = [\"A=1\"]",
                "write env { NAME = \"value\" }, with a line for each",
            ),
        ] {
            let place = Place { statement: line, block: None };
            assert_eq!(hint(message, notes, &place).as_deref(), Some(expected), "{line}");
        }
        let place = Place { statement: "x", block: None };
        assert_eq!(hint("Argument or block definition required", "", &place), None);
    }
}
