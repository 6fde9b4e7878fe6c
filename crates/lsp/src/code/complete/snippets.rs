//! Snippets of definitions and statements.

use std::path::Path;

use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat};

use super::context::{CompletionContext, Completions, item};

/// The keyword, and the snippet that it begins. `NAME` stands for the name that the path of the file demands.
const SNIPPETS: [(&str, &str, &str); 12] = [
    ("class", "class with parameters", "class ${1:NAME} (\n  ${2:String} \\$${3:parameter},\n) {\n  $0\n}"),
    ("define", "defined type with parameters", "define ${1:NAME} (\n  ${2:String} \\$${3:parameter},\n) {\n  $0\n}"),
    ("function", "function", "function ${1:NAME}(${2:String} \\$${3:argument}) >> ${4:String} {\n  $0\n}"),
    ("type", "alias of a type", "type ${1:NAME} = ${0:String[1]}"),
    ("plan", "plan", "plan ${1:NAME} (\n  ${2:TargetSpec} \\$${3:targets},\n) {\n  $0\n}"),
    ("node", "node definition", "node '${1:name}' {\n  $0\n}"),
    ("if", "condition", "if ${1:condition} {\n  $0\n}"),
    ("unless", "negated condition", "unless ${1:condition} {\n  $0\n}"),
    ("else", "otherwise", "else {\n  $0\n}"),
    ("elsif", "further condition", "elsif ${1:condition} {\n  $0\n}"),
    ("case", "choice by value", "case ${1:\\$value} {\n  ${2:'value'}: {\n    $0\n  }\n  default: {}\n}"),
    ("file", "file with content", "file { '${1:/path}':\n  ensure  => ${2:file},\n  content => ${3:'content'},\n}"),
];

/// Functions that take a block, with the parameters of the block.
const BLOCKS: [(&str, &str); 15] = [
    ("all", "\\$${1:item}"),
    ("any", "\\$${1:item}"),
    ("each", "\\$${1:item}"),
    ("filter", "\\$${1:item}"),
    ("group_by", "\\$${1:item}"),
    ("index", "\\$${1:item}"),
    ("lest", ""),
    ("map", "\\$${1:item}"),
    ("partition", "\\$${1:item}"),
    ("reduce", "\\$${1:memo}, \\$${2:item}"),
    ("reverse_each", "\\$${1:item}"),
    ("slice", "\\$${1:items}"),
    ("step", "\\$${1:item}"),
    ("then", "\\$${1:value}"),
    ("with", "\\$${1:value}"),
];

/// Proposes the definitions and statements that a keyword begins.
pub(super) fn complete(context: &CompletionContext<'_>, found: &mut Completions) {
    if !context.snapshot.capabilities.snippets {
        return;
    }
    let name = name_of_path(&context.document.path);
    for (keyword, detail, snippet) in SNIPPETS.iter().filter(|(keyword, ..)| keyword.starts_with(&context.typed)) {
        let of_definition = matches!(*keyword, "class" | "define" | "function" | "plan");
        let name = match &name {
            Some(name) if *keyword == "type" => hieratic::puppet_eval::capitalized(name),
            Some(name) if of_definition => name.clone(),
            _ => "name".to_owned(),
        };
        let label = format!("{keyword} …");
        found.add(CompletionItem {
            filter_text: Some((*keyword).to_owned()),
            // Directly after the keyword itself.
            sort_text: Some(format!("{keyword}~")),
            insert_text: Some(snippet.replace("NAME", &name)),
            insert_text_format: Some(InsertTextFormat::SNIPPET),
            ..item(&label, CompletionItemKind::SNIPPET, detail)
        });
    }
}

/// The call of a function after a dot with its block; `None` if it takes none.
pub(super) fn call_with_block(name: &str) -> Option<String> {
    let (_, parameters) = BLOCKS.iter().find(|(known, _)| *known == name)?;
    let call = match (name, *parameters) {
        ("slice" | "step", parameters) => format!("{name}(${{9:2}}) |{parameters}| {{\n  $0\n}}"),
        (_, "") => format!("{name} || {{\n  $0\n}}"),
        (_, parameters) => format!("{name} |{parameters}| {{\n  $0\n}}"),
    };
    Some(call)
}

/// The name that the autoloader demands of the definition in a file: `modules/a/manifests/b/c.pp` is `a::b::c`.
fn name_of_path(path: &Path) -> Option<String> {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let folder = parts.iter().rposition(|part| matches!(*part, "manifests" | "functions" | "types" | "plans"))?;
    let module = parts.get(folder.checked_sub(1)?)?;
    let mut names = vec![*module];
    names.extend(parts.get(folder + 1..)?);
    let last = names.pop()?.strip_suffix(".pp")?;
    if last != "init" {
        names.push(last);
    }
    Some(names.join("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_demands_a_name() {
        let name = |path: &str| name_of_path(path.as_ref());
        assert_eq!(name("/x/modules/a/manifests/b/c.pp"), Some("a::b::c".to_owned()));
        assert_eq!(name("/x/modules/a/manifests/init.pp"), Some("a".to_owned()));
        assert_eq!(name("/x/a/types/port.pp"), Some("a::port".to_owned()));
        assert_eq!(name("/x/site.pp"), None);
    }

    #[test]
    fn blocks_have_the_parameters_of_their_function() {
        assert_eq!(call_with_block("each"), Some("each |\\$${1:item}| {\n  $0\n}".to_owned()));
        assert_eq!(call_with_block("reduce"), Some("reduce |\\$${1:memo}, \\$${2:item}| {\n  $0\n}".to_owned()));
        assert_eq!(call_with_block("slice"), Some("slice(${9:2}) |\\$${1:items}| {\n  $0\n}".to_owned()));
        assert_eq!(call_with_block("upcase"), None);
        let listed: Vec<&str> = BLOCKS.iter().map(|(name, _)| *name).collect();
        assert!(listed.iter().all(|name| hieratic::code::function_names().any(|known| known == *name)));
    }
}
