//! Job files that another program renders before Nomad reads them.

use std::path::Path;
use std::sync::LazyLock;

use hieratic::hcl_eval::syntax::{Source as HclSource, ast, parse_config};
use hieratic_diagnostics::{Diagnose, Source, Span};
use regex::Regex;

/// An action between double square brackets, as opposed to a list of lists.
static SQUARE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "if|else|end|range|with|template|block|define|include|env|meta|var|timeNow|fileContents|loopTimes";
    Regex::new(&format!(r"\[\[-?\s*(?:[.$/]|(?:{words})(?:\s|-?\]\])|\w+\s+[\x22$.])")).ok()
});

/// Actions between such brackets that only packs have.
static PACK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\[\[-?\s*(?:(?:var|meta)\s+\x22|template\s+\x22|.*\bnomad_pack\b|\.my\.)").ok());

/// Square brackets as the delimiters of the templates of a task.
static OWN_SQUARE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*left_delim(?:iter)?\s*=\s*\x22\[\[\x22").ok());

/// Positions in which only a template has `${`: instead of a value, or in a label.
static BARE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?m)^\s*(?:[\w-]+\s*=\s*\$\{\s*([\w.-]*)|(?:job|group|task|service|port|volume)\s+\x22[^\x22\n]*\$\{|%\{)",
    )
    .ok()
});

/// A name between braces that neither Nomad nor its clients know.
static FOREIGN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\$\{\s*([A-Za-z_][\w.-]*)").ok());

/// A name between marks where a value belongs: what scripts and `replace()` put values in place of.
static MARKED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let value = r"(?:__[A-Z][A-Z0-9_]*__|@@\w+@@|%%\w+%%|@[A-Z][A-Z0-9_]*@|%[A-Z][A-Z0-9_]*%|<[A-Z][A-Z0-9_]*>)";
    Regex::new(&format!(r"(?m)^\s*[\w-]+\s*=\s*\[?\s*{value}\s*\]?\s*,?\s*(?:(?:#|//).*)?$")).ok()
});

/// The begin of a heredoc.
static HEREDOC: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"<<-?([A-Za-z_][\w-]*)\s*$").ok());

/// The prefixes of names that jobs and clients know.
const KNOWN: [&str; 9] = ["NOMAD_", "attr.", "node.", "meta.", "env.", "device.", "var.", "local.", "each."];

/// The arguments that no client or task interpolates later, so that braces in them are rendered before.
const PLAIN: [&str; 8] = ["count", "datacenters", "driver", "namespace", "node_pool", "priority", "region", "type"];

/// The program that renders files with marks that any script can have.
const SCRIPT: &str = "another program";

/// The program that fills in a job file; none for one that is what Nomad gets.
pub(super) fn program(path: &Path, source: &Source) -> Option<&'static str> {
    let text = source.text();
    let matches = |regex: &LazyLock<Option<Regex>>| regex.as_ref().is_some_and(|regex| regex.is_match(text));
    if matches(&SQUARE) && !matches(&OWN_SQUARE) {
        return Some(if matches(&PACK) || is_in_pack(path) { "nomad-pack" } else { "Levant" });
    }
    let parsed = parse_config(HclSource::from(source.clone()));
    if parsed.problems.has_errors() {
        let first = parsed.problems.diagnose().into_iter().flat_map(|diagnostic| diagnostic.labels).next();
        // The first error is at the placeholder; the errors after it may be consequences.
        let outer = first.as_ref().map(|label| source.slice(source.line(source.start(label.span).line)));
        let outer = outer.unwrap_or_default();
        let is_for_client = first.is_some_and(|label| is_in_task_template(source, label.span));
        if let Some(program) = of_braces(outer).filter(|_| !is_for_client) {
            return Some(program);
        }
        if is_filled_in(text) {
            return Some("Terraform");
        }
        return MARKED.as_ref().is_some_and(|marked| marked.is_match(outer)).then_some(SCRIPT);
    }
    if parsed.tree.blocks.iter().any(|block| has_marks(block, source)) {
        return Some(SCRIPT);
    }
    if let Some(program) = parsed.tree.blocks.iter().find_map(|block| of_block(block, source)) {
        return Some(program);
    }
    let is_template = |extension: &str| ["tpl", "tftpl", "tmpl", "ctmpl"].contains(&extension);
    let is_named_so = path.extension().and_then(|extension| extension.to_str()).is_some_and(is_template);
    (is_named_so && names_others(text)).then_some("Terraform")
}

/// Returns whether the braces on the line of an error belong to the template of a task, which the client renders: those
/// in a heredoc outside of `${...}`, and those in a string of `data`.
fn is_in_task_template(source: &Source, error: Span) -> bool {
    let line = source.line(source.start(error).line);
    let outer = source.slice(line);
    let is_data = outer.split_once('=').is_some_and(|(name, value)| {
        name.trim() == "data" && value.trim_start().starts_with('"') && (of_braces(value) == Some("Go") || calls(value))
    });
    if is_data {
        return true;
    }
    let before = source.slice(Span::new(0, line.start as usize));
    let column = error.start.saturating_sub(line.start) as usize;
    let opens = outer.match_indices("${").chain(outer.match_indices("%{")).map(|(open, _)| open);
    let Some(open) = opens.filter(|open| *open <= column).max() else { return false };
    let inside = &outer[open..];
    let inside = inside.find('}').map_or(inside, |end| &inside[..end]);
    is_in_heredoc(before) && of_braces(inside).is_none()
}

/// Returns whether the first action of a template calls a function with a string, which Jinja2 writes with parentheses.
fn calls(text: &str) -> bool {
    let inside = text.split_once("{{").map_or("", |(_, inside)| inside.trim_start_matches('-').trim_start());
    inside.split_once(' ').is_some_and(|(word, argument)| {
        word.chars().all(char::is_alphanumeric) && argument.trim_start().starts_with(['"', '`'])
    })
}

/// Returns whether a heredoc is open at the end of a string.
fn is_in_heredoc(text: &str) -> bool {
    let mut marker: Option<&str> = None;
    for line in text.lines() {
        marker = match marker {
            Some(open) if line.trim() == open => None,
            Some(open) => Some(open),
            None => HEREDOC.as_ref().and_then(|regex| regex.captures(line)?.get(1)).map(|found| found.as_str()),
        };
    }
    marker.is_some()
}

/// Returns whether there are braces of a template. A reference of the client that lacks its quotes is a mistake.
fn is_filled_in(text: &str) -> bool {
    let is_mark = |found: regex::Captures<'_>| {
        found.get(1).is_none_or(|name| !KNOWN.iter().any(|known| name.as_str().starts_with(known)))
    };
    BARE.as_ref().is_some_and(|bare| bare.captures_iter(text).any(is_mark))
}

/// Returns whether a value in a block is a name between marks: a variable by the grammar, but not one that jobs have.
fn has_marks(block: &ast::Block, source: &Source) -> bool {
    let is_marked = |attribute: &ast::Attribute| {
        let value = source.slice(attribute.expression.span()).trim_matches(['[', ']', ' ']);
        let inside = value.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"));
        inside.is_some_and(|name| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        })
    };
    block.body.attributes().iter().any(is_marked) || block.body.blocks.iter().any(|inner| has_marks(inner, source))
}

/// Returns whether a file belongs to a pack, which has its metadata next to the folder of its templates.
fn is_in_pack(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "packs")
        || path
            .parent()
            .is_some_and(|folder| folder.ends_with("templates") && path.to_string_lossy().ends_with(".nomad.tpl"))
}

/// The program of a string with double braces.
pub(super) fn of_braces(text: &str) -> Option<&'static str> {
    let (_, inside) = text.split_once("{{").or_else(|| text.split_once("{%"))?;
    let inside = inside.trim_start_matches('-').trim_start();
    let is_go = inside.starts_with(['.', '$', '/'])
        || ["if", "range", "with", "end", "else", "template", "define", "key", "env", "index"]
            .iter()
            .any(|word| inside.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '}', '-'])));
    Some(if is_go && !text.contains("{%") { "Go" } else { "Jinja" })
}

/// The program of a block whose name or a plain argument has braces.
fn of_block(block: &ast::Block, source: &Source) -> Option<&'static str> {
    if !matches!(&*block.kind, "job" | "group" | "task") {
        return None;
    }
    let plain = block.body.attributes().iter().filter(|attribute| PLAIN.contains(&&*attribute.name));
    let spans = plain.map(|attribute| attribute.expression.span()).chain(block.labels.iter().map(|label| label.span));
    let found = spans.map(|span| source.slice(span)).find_map(of_braces);
    found.or_else(|| block.body.blocks.iter().find_map(|inner| of_block(inner, source)))
}

/// Returns whether a string has a name between `${` and `}` that a job does not know.
fn names_others(text: &str) -> bool {
    let names = FOREIGN.as_ref().map(|regex| regex.captures_iter(text));
    names.into_iter().flatten().any(|found| {
        let escaped = found.get(0).is_some_and(|whole| text[..whole.start()].ends_with('$'));
        let name = found.get(1).map_or("", |name| name.as_str());
        !escaped && !KNOWN.iter().any(|known| name.starts_with(known))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, text: &str) -> Option<&'static str> {
        program(Path::new(path), &Source::new(path, text))
    }

    #[test]
    fn templates_are_distinguished_from_jobs() {
        for (path, text, expected) in [
            ("a.nomad", "job \"[[ .name ]]\" {\n}\n", Some("Levant")),
            ("a.nomad", "job \"a\" {\n  [[ if .x ]]\n  [[ end ]]\n}\n", Some("Levant")),
            ("packs/a/templates/a.nomad.tpl", "job [[ template \"job_name\" . ]] {\n}\n", Some("nomad-pack")),
            ("a.nomad.tpl", "job \"a\" {\n  type = [[ var \"type\" . | quote ]]\n}\n", Some("nomad-pack")),
            ("a.nomad", "job \"{{ .name }}\" {\n}\n", Some("Go")),
            ("a.nomad", "job \"{{ name }}\" {\n}\n", Some("Jinja")),
            ("a.nomad", "job \"a\" {\n  datacenters = [\"{{ dc }}\"]\n}\n", Some("Jinja")),
            ("a.nomad", "job \"a\" {\n  {% if x %}\n  {% endif %}\n}\n", Some("Jinja")),
            ("a.hcl", "job \"${name}\" {\n}\n", Some("Terraform")),
            ("a.hcl", "job \"a\" {\n  priority = ${priority}\n}\n", Some("Terraform")),
            ("a.hcl.tpl", "job \"a\" {\n  region = \"${region}\"\n}\n", Some("Terraform")),
            ("a.hcl.tpl", "job \"a\" {\n  meta {\n    p = \"${NOMAD_PORT_x}\"\n  }\n}\n", None),
            ("a.nomad", "job \"a\" {\n  region = \"${region}\"\n}\n", None),
            ("a.nomad", "locals {\n  a = [[\"x\"], [var.y]]\n  b = [[ var.x ]]\n}\njob \"a\" {\n}\n", None),
            // The task's own template, with a mistake.
            ("a.nomad", "job \"a\" {\n  template {\n    data = \"{{ key \"a\" }}\"\n  }\n}\n", None),
            ("a.nomad", "job \"a\" {\n  template {\n    data = \"{{ nomadVar \"a\" }}\"\n  }\n}\n", None),
            ("a.nomad", "job \"a\" {\n  template {\n    data = \"{{ f(\"a\") }}\"\n  }\n}\n", Some("Jinja")),
            ("a.nomad", "job \"a\" {\n  template {\n    data = <<X\n{{ key 1 }} ${a +}\nX\n  }\n}\n", None),
            ("a.nomad", "job \"a\" {\n  template {\n    data = <<X\na ${{{ b }} +}\nX\n  }\n}\n", Some("Jinja")),
            // The task's own template.
            (
                "a.nomad",
                "job \"a\" {\n  group \"g\" {\n    task \"t\" {\n      template {\n        data = \"{{ key \\\"a\\\" }}\"\n      }\n    }\n  }\n}\n",
                None,
            ),
            (
                "a.nomad",
                "job \"a\" {\n  group \"g\" {\n    task \"t\" {\n      template {\n        left_delimiter = \"[[\"\n        data = \"[[ key 1 ]]\"\n      }\n    }\n  }\n}\n",
                None,
            ),
            ("a.hcl", "job \"a\" {\n  datacenters = __DATACENTER__\n}\n", Some(SCRIPT)),
            ("a.hcl", "job \"a\" {\n  datacenters = [__DC__] # all\n}\n", Some(SCRIPT)),
            ("a.hcl", "job \"a\" {\n  group \"g\" {\n    count = @@count@@\n  }\n}\n", Some(SCRIPT)),
            ("a.hcl", "job \"a\" {\n  region = \"__REGION__\"\n}\n", None),
            ("a.hcl", "job \"a\" {\n  meta {\n    a = <<X\n  b = __C__\nX\n  }\n}\n", None),
            // A mistake is not a template.
            ("a.nomad", "job \"a\" {\n  constraint {\n    attribute = ${attr.kernel.name}\n  }\n}\n", None),
            ("a.nomad", "job \"a\" {\n  priority = ${var.priority}\n}\n", None),
            ("a.nomad", "job \"a\" {\n  type = = 1\n}\n", None),
        ] {
            assert_eq!(of(path, text), expected, "{path}: {text}");
        }
    }
}
