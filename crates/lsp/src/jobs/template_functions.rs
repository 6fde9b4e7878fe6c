//! Functions of templates in jobs, which consul-template renders on the client.

use hieratic_hcl_syntax::{Block, Span};
use lsp_types::{CompletionItem, CompletionItemKind};

use super::complete::item;
use super::structure::literal;
use crate::document::Document;

/// The action of a template that is open at a place.
pub(super) struct OpenAction<'d> {
    /// The name that ends at the place.
    pub(super) typed: &'d str,
}

/// Returns the action of a template that is open at an offset in the body of a `template` block.
pub(super) fn open_action<'d>(document: &'d Document, way: &[&Block], offset: usize) -> Option<OpenAction<'d>> {
    let block = way.last().filter(|block| &*block.kind == "template")?;
    let inside = document.slice(block.open_span.behind()..offset);
    let delimiter = |name: &str, default: &'d str| -> &'d str {
        let written = literal(document, block, name);
        if written.is_empty() { default } else { written }
    };
    let open = inside.rfind(delimiter("left_delimiter", "{{"))?;
    if inside[open..].contains(delimiter("right_delimiter", "}}")) {
        return None;
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let length: usize = inside.chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum();
    let front = &inside[open..inside.len() - length];
    // Quotes do not contain functions.
    let is_quoted = front.matches('"').count() % 2 == 1;
    (!is_quoted).then(|| OpenAction { typed: &inside[inside.len() - length..] })
}

/// The functions and actions that begin with the typed text.
pub(super) fn complete(action: &OpenAction<'_>) -> Vec<CompletionItem> {
    let known = FUNCTIONS.iter().filter(|(name, ..)| name.starts_with(action.typed));
    known.map(|(name, signature, docs)| item(name, CompletionItemKind::FUNCTION, signature, Some(docs))).collect()
}

/// The documentation of the function at an offset in a template.
pub(super) fn hover(document: &Document, way: &[&Block], offset: usize) -> Option<(String, Span)> {
    let text = &*document.text;
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let after: usize = text.get(offset..)?.chars().take_while(|c| is_part(*c)).map(char::len_utf8).sum();
    let name = open_action(document, way, offset + after)?.typed;
    let (name, signature, docs) = FUNCTIONS.iter().find(|(known, ..)| *known == name)?;
    let start = offset + after - name.len();
    Some((format!("**{name}** `{signature}`\n\n{docs}"), Span::new(start, offset + after)))
}

/// The name, how it is called, and its documentation in our own words.
///
/// See the [templating language](https://github.com/hashicorp/consul-template/blob/main/docs/templating-language.md) and
/// the [package](https://pkg.go.dev/text/template) that it is built on.
#[rustfmt::skip]
const FUNCTIONS: &[(&str, &str, &str)] = &[
    ("if", "{{ if PIPELINE }} ... {{ end }}", "Renders what follows if the value is not empty."),
    ("else", "{{ else }}", "Renders what follows if the condition before does not hold."),
    ("end", "{{ end }}", "Ends `if`, `range`, `with`, `define` or `block`."),
    ("range", "{{ range PIPELINE }} ... {{ end }}", "Renders what follows for each element; the dot is the element."),
    ("with", "{{ with PIPELINE }} ... {{ end }}", "Renders what follows with the value as the dot, unless it is empty."),
    ("define", "{{ define \"NAME\" }} ... {{ end }}", "Defines a template for `template` and `executeTemplate`."),
    ("template", "{{ template \"NAME\" PIPELINE }}", "Renders a template that `define` has defined."),
    ("break", "{{ break }}", "Ends the innermost `range`."),
    ("continue", "{{ continue }}", "Continues the innermost `range` with its next element."),
    ("and", "and A B...", "Returns the first empty argument, or the last one."),
    ("or", "or A B...", "Returns the first argument that is not empty, or the last one."),
    ("not", "not A", "Returns whether the argument is empty."),
    ("eq", "eq A B...", "Returns whether the first argument equals one of the others."),
    ("ne", "ne A B", "Returns whether the arguments differ."),
    ("lt", "lt A B", "Returns whether the first argument is less than the second."),
    ("le", "le A B", "Returns whether the first argument is at most the second."),
    ("gt", "gt A B", "Returns whether the first argument is greater than the second."),
    ("ge", "ge A B", "Returns whether the first argument is at least the second."),
    ("index", "index COLLECTION KEY...", "Returns the element at a key or an index."),
    ("len", "len A", "Returns the length."),
    ("print", "print A...", "Formats the arguments."),
    ("printf", "printf FORMAT A...", "Formats the arguments by a format."),
    ("println", "println A...", "Formats the arguments, and adds a line break."),
    ("slice", "slice A FROM TO", "Returns a part of a string or a list."),
    ("urlquery", "urlquery A...", "Escapes the arguments for the query of a URL."),
    ("key", "key \"PATH\"", "Returns the value of a key of Consul. Rendering waits until the key exists."),
    ("keyExists", "keyExists \"PATH\"", "Returns whether a key of Consul exists."),
    ("keyOrDefault", "keyOrDefault \"PATH\" \"DEFAULT\"", "Returns the value of a key of Consul, or a default."),
    ("ls", "ls \"PATH\"", "Returns the keys directly below a path of Consul."),
    ("safeLs", "safeLs \"PATH\"", "As `ls`, but keeps the last result if the keys vanish."),
    ("tree", "tree \"PATH\"", "Returns all keys below a path of Consul."),
    ("safeTree", "safeTree \"PATH\"", "As `tree`, but keeps the last result if the keys vanish."),
    ("service", "service \"TAG.NAME@DATACENTER\"", "Returns the healthy instances of a service of Consul."),
    ("services", "services", "Returns the services of Consul."),
    ("connect", "connect \"NAME\"", "Returns the instances of a service that are in Consul's service mesh."),
    ("caRoots", "caRoots", "Returns the root certificates of Consul's service mesh."),
    ("caLeaf", "caLeaf \"NAME\"", "Returns the certificate of a service in Consul's service mesh."),
    ("node", "node \"NAME\"", "Returns a node of Consul."),
    ("nodes", "nodes", "Returns the nodes of Consul."),
    ("datacenters", "datacenters", "Returns the datacenters of Consul."),
    ("nomadService", "nomadService \"NAME\"", "Returns the instances of a service that is registered in Nomad."),
    ("nomadServices", "nomadServices", "Returns the services that are registered in Nomad."),
    ("nomadVar", "nomadVar \"PATH\"", "Returns the items of a variable of Nomad. Rendering waits until it exists."),
    ("nomadVarExists", "nomadVarExists \"PATH\"", "Returns whether a variable of Nomad exists."),
    ("nomadVarList", "nomadVarList \"PREFIX\"", "Returns the variables of Nomad below a path."),
    ("nomadVarListSafe", "nomadVarListSafe \"PREFIX\"", "As `nomadVarList`, but keeps the last result if the variables vanish."),
    ("secret", "secret \"PATH\"", "Returns a secret of Vault; its fields are in `.Data`, or `.Data.data` for version 2 of key-value stores."),
    ("secrets", "secrets \"PATH\"", "Returns the names of the secrets of Vault below a path."),
    ("pkiCert", "pkiCert \"PATH\" \"NAME=VALUE\"...", "Returns a certificate that Vault issues, and renews it before it expires."),
    ("file", "file \"PATH\"", "Returns the content of a file in the task's directory."),
    ("env", "env \"NAME\"", "Returns a variable of the task's environment."),
    ("envOrDefault", "envOrDefault \"NAME\" \"DEFAULT\"", "Returns a variable of the task's environment, or a default."),
    ("mustEnv", "mustEnv \"NAME\"", "Returns a variable of the task's environment. Without it, rendering fails."),
    ("add", "add A B", "Adds numbers."),
    ("subtract", "subtract A B", "Subtracts the first number from the second."),
    ("multiply", "multiply A B", "Multiplies numbers."),
    ("divide", "divide A B", "Divides the second number by the first."),
    ("modulo", "modulo A B", "Returns the remainder of the second number divided by the first."),
    ("minimum", "minimum A B", "Returns the smaller number."),
    ("maximum", "maximum A B", "Returns the larger number."),
    ("base64Decode", "base64Decode A", "Decodes Base64."),
    ("base64Encode", "base64Encode A", "Encodes as Base64."),
    ("base64URLDecode", "base64URLDecode A", "Decodes Base64 with the alphabet for URLs."),
    ("base64URLEncode", "base64URLEncode A", "Encodes as Base64 with the alphabet for URLs."),
    ("byKey", "byKey PAIRS", "Groups the keys of `tree` by their first folder."),
    ("byMeta", "byMeta \"KEYS\" SERVICES", "Groups services by their metadata."),
    ("byTag", "byTag SERVICES", "Groups services by their tags."),
    ("contains", "contains ITEM LIST", "Returns whether a list contains an item."),
    ("containsAll", "containsAll REQUIRED LIST", "Returns whether a list contains all items of another."),
    ("containsAny", "containsAny REQUIRED LIST", "Returns whether a list contains an item of another."),
    ("containsNone", "containsNone REFUSED LIST", "Returns whether a list contains no item of another."),
    ("in", "in LIST ITEM", "Returns whether a list contains an item."),
    ("executeTemplate", "executeTemplate \"NAME\" A", "Renders a template that `define` has defined, as a value."),
    ("explode", "explode PAIRS", "Turns the keys of `tree` into nested maps."),
    ("explodeMap", "explodeMap MAP", "Turns a map whose keys are paths into nested maps."),
    ("mergeMap", "mergeMap MAP OTHER", "Merges maps; the first one wins."),
    ("mergeMapWithOverride", "mergeMapWithOverride MAP OTHER", "Merges maps; the argument wins."),
    ("indent", "indent SPACES A", "Indents every line."),
    ("join", "join \"SEPARATOR\" LIST", "Joins the elements of a list."),
    ("loop", "loop FROM TO", "Returns the numbers from the first to the one before the last."),
    ("split", "split \"SEPARATOR\" A", "Splits a string."),
    ("splitToMap", "splitToMap \"SEPARATOR\" \"PAIR SEPARATOR\" A", "Splits a string into keys and values."),
    ("md5sum", "md5sum A", "Returns the MD5 hash in hexadecimal."),
    ("sha256Hex", "sha256Hex A", "Returns the SHA-256 hash in hexadecimal."),
    ("hmacSHA256Hex", "hmacSHA256Hex MESSAGE KEY", "Returns the HMAC with SHA-256 in hexadecimal."),
    ("parseBool", "parseBool A", "Reads a truth value."),
    ("parseFloat", "parseFloat A", "Reads a number."),
    ("parseInt", "parseInt A", "Reads an integer."),
    ("parseUint", "parseUint A", "Reads an integer that is not negative."),
    ("parseJSON", "parseJSON A", "Reads JSON."),
    ("parseYAML", "parseYAML A", "Reads YAML."),
    ("toJSON", "toJSON A", "Writes JSON."),
    ("toJSONPretty", "toJSONPretty A", "Writes JSON over several lines."),
    ("toUnescapedJSON", "toUnescapedJSON A", "Writes JSON without escapes for HTML."),
    ("toUnescapedJSONPretty", "toUnescapedJSONPretty A", "Writes JSON over several lines without escapes for HTML."),
    ("toYAML", "toYAML A", "Writes YAML."),
    ("toTOML", "toTOML A", "Writes TOML."),
    ("toLower", "toLower A", "Writes letters in lower case."),
    ("toUpper", "toUpper A", "Writes letters in upper case."),
    ("toTitle", "toTitle A", "Writes the first letter of each word in upper case."),
    ("regexMatch", "regexMatch \"PATTERN\" A", "Returns whether a regular expression matches."),
    ("regexReplaceAll", "regexReplaceAll \"PATTERN\" \"NEW\" A", "Replaces the matches of a regular expression."),
    ("replaceAll", "replaceAll \"OLD\" \"NEW\" A", "Replaces a string."),
    ("trim", "trim \"CHARACTERS\" A", "Removes characters from both ends."),
    ("trimPrefix", "trimPrefix \"PREFIX\" A", "Removes a prefix."),
    ("trimSpace", "trimSpace A", "Removes whitespace from both ends."),
    ("trimSuffix", "trimSuffix \"SUFFIX\" A", "Removes a suffix."),
    ("sockaddr", "sockaddr \"TEMPLATE\"", "Returns an address of the client by a template of go-sockaddr."),
    ("timestamp", "timestamp \"LAYOUT\"", "Returns the current time."),
    ("writeToFile", "writeToFile \"PATH\" \"OWNER\" \"GROUP\" \"MODE\" A", "Writes a file next to the rendered one."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_listed_once() {
        for (name, signature, docs) in FUNCTIONS {
            assert_eq!(FUNCTIONS.iter().filter(|(other, ..)| other == name).count(), 1, "{name}");
            assert!(signature.contains(name) && docs.ends_with('.'), "{name}");
        }
    }
}
