//! The declarations of modules in Ruby: functions, resource types with their attributes, and facts.
//!
//! Nothing is run. Regular expressions find the declarations, as written in nearly all modules.

use std::sync::LazyLock;

use hieratic_diagnostics::Span;
use regex::Regex;

/// The kind of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RubyKind {
    Function,
    ResourceType,
    /// An attribute of the resource type before it.
    Attribute,
    Fact,
}

/// A declaration in a file of Ruby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RubyDeclaration {
    pub(crate) kind: RubyKind,
    pub(crate) name: String,
    /// The span of the name.
    pub(crate) span: Span,
}

/// A parameter of a function in Ruby: `param 'String', :name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RubyParameter {
    /// `String $name`, `Optional String $name`.
    pub(crate) declared: String,
    /// Whether it takes all remaining arguments.
    pub(crate) rest: bool,
}

/// The ways to call a function in Ruby.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RubyDispatch {
    pub(crate) parameters: Vec<RubyParameter>,
    pub(crate) returns: Option<String>,
}

/// `create_function(:'name'`, `newfunction(:name`, `newtype(:name)`, `newproperty(:name)`, `Facter.add(:name)`, `register_type(name: 'name'`.
static DECLARATIONS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let name = r#"\s*\(?\s*(?:name:\s*|:name\s*=>\s*)?:?['"]?([A-Za-z_][\w:.\-]*)"#;
    let words = "create_function|newfunction|newtype|register_type|newproperty|newparam|newmetaparam|Facter\\.add";
    Regex::new(&format!(r"\b({words}){name}")).ok()
});

/// `dispatch :name`, `param 'Type', :name`, `return_type 'Type'`.
static DISPATCHES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "dispatch|param|required_param|optional_param|repeated_param|optional_repeated_param|\
                 required_repeated_param|block_param|optional_block_param|return_type";
    Regex::new(&format!(r#"(?m)^\s*({words})\b[ \t(]*(?:['"]([^'"\n]*)['"])?(?:\s*,)?[ \t]*(?::(\w+))?"#)).ok()
});

/// Returns the declarations of a file, in its order.
pub(crate) fn declarations(text: &str) -> Vec<RubyDeclaration> {
    let Some(pattern) = &*DECLARATIONS else { return Vec::new() };
    let found = pattern.captures_iter(text).filter_map(|found| {
        let (word, name) = (found.get(1)?, found.get(2)?);
        let kind = match word.as_str() {
            "create_function" | "newfunction" => RubyKind::Function,
            "newtype" | "register_type" => RubyKind::ResourceType,
            "Facter.add" => RubyKind::Fact,
            _ => RubyKind::Attribute,
        };
        let line = text[..word.start()].rfind('\n').map_or(0, |at| at + 1);
        let is_comment = text[line..word.start()].trim_start().starts_with('#');
        let span = Span::new(name.start(), name.end());
        (!is_comment).then(|| RubyDeclaration { kind, name: name.as_str().to_owned(), span })
    });
    found.collect()
}

/// The span of the name of a declaration; the begin of the file without it.
pub(crate) fn span_of(text: &str, kind: RubyKind, name: &str) -> Span {
    let found = declarations(text).into_iter().find(|one| one.kind == kind && one.name == name);
    found.map_or_else(Span::default, |one| one.span)
}

/// The ways to call the function of a file.
pub(crate) fn dispatches(text: &str) -> Vec<RubyDispatch> {
    let Some(pattern) = &*DISPATCHES else { return Vec::new() };
    let mut all: Vec<RubyDispatch> = Vec::new();
    for found in pattern.captures_iter(text) {
        let part = |index: usize| found.get(index).map_or("", |part| part.as_str());
        let (word, kind, name) = (part(1), part(2), part(3));
        if word == "dispatch" {
            all.push(RubyDispatch::default());
            continue;
        }
        let Some(dispatch) = all.last_mut() else { continue };
        if word == "return_type" {
            dispatch.returns = Some(kind.to_owned());
            continue;
        }
        // Blocks are callable if nothing else is written.
        let kind = if kind.is_empty() { "Callable" } else { kind };
        let declared = match word {
            "optional_param" => format!("Optional[{kind}] ${name}"),
            "repeated_param" | "optional_repeated_param" => format!("{kind} *${name}"),
            "required_repeated_param" => format!("{kind} *${name} (at least one)"),
            "block_param" | "optional_block_param" => format!("{kind} &${name}"),
            _ => format!("{kind} ${name}"),
        };
        dispatch.parameters.push(RubyParameter { declared, rest: word.contains("repeated") });
    }
    all
}

/// Returns the documentation of a declaration: the comment above it, `desc` or `@doc` after it.
pub(crate) fn documentation(text: &str, span: Span) -> String {
    let line = text[..span.first()].rfind('\n').map_or(0, |at| at + 1);
    let comment = comment_above(text, line);
    if !comment.is_empty() {
        return comment;
    }
    described(text.get(span.behind()..).unwrap_or_default())
}

/// The comment that ends directly above a line.
fn comment_above(text: &str, line: usize) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for above in text[..line].lines().rev() {
        let Some(words) = above.trim_start().strip_prefix('#') else { break };
        // Tags of the documentation and magic comments are not sentences.
        if words.trim_start().starts_with(['@', '!']) && !words.trim_start().starts_with("@summary")
            || words.contains("frozen_string_literal")
        {
            continue;
        }
        lines.push(words.strip_prefix(' ').unwrap_or(words).trim_start_matches("@summary").trim_end());
    }
    lines.reverse();
    lines.join("\n").trim().to_owned()
}

/// The string of the first `desc` or `@doc` in the next lines.
fn described(text: &str) -> String {
    static DESCRIPTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"(?s)^[^\n]*\n?\s*(?:desc|@doc\s*=|desc:)\s*\(?\s*(?:<<[-~]?['"]?(\w+)['"]?[^\n]*\n(.*)|['"]([^'"]*)['"])"#).ok()
    });
    let Some(pattern) = &*DESCRIPTION else { return String::new() };
    let Some(found) = pattern.captures(text) else { return String::new() };
    let written = match (found.get(1), found.get(2), found.get(3)) {
        (Some(end), Some(rest), _) => {
            let lines = rest.as_str().lines().take_while(|line| line.trim() != end.as_str());
            lines.map(str::trim).collect::<Vec<_>>().join("\n")
        }
        (.., Some(text)) => text.as_str().lines().map(str::trim).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    };
    written.trim().to_owned()
}

/// Returns where a file of Ruby or an ERB template calls a function of Puppet: `call_function('name'`, `function_name(`.
pub(crate) fn calls(text: &str, name: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    for (at, _) in text.match_indices(name) {
        let before = &text[..at];
        let after = text[at + name.len()..].chars().next();
        if after.is_some_and(is_part) {
            continue;
        }
        let quoted = before.trim_end_matches([':', '\'', '"']);
        let is_called = quoted.len() < before.len()
            && quoted.trim_end().trim_end_matches('(').trim_end().ends_with("call_function");
        let is_method = before.ends_with("function_") && !name.contains("::");
        if is_called || is_method {
            found.push(Span::new(at, at + name.len()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_have_names_where_they_are_written() {
        let text = "# newtype(:no)\nPuppet::Functions.create_function(:'a::up') do\nend\nmodule Puppet::Parser::Functions\n  newfunction(:old, :type => :rvalue) do |args|\n  end\nend\nPuppet::Type.newtype(:vhost) do\n  newparam(:name)\n  newproperty 'mode' do\n  end\nend\nFacter.add(:rack) { setcode { 1 } }\nFacter.add('site.row') do\nend\nPuppet::ResourceApi.register_type(\n  name: 'apt_key',\n)\n";
        let found = declarations(text);
        let named: Vec<_> = found.iter().map(|one| (one.kind, one.name.as_str())).collect();
        assert_eq!(
            named,
            [
                (RubyKind::Function, "a::up"),
                (RubyKind::Function, "old"),
                (RubyKind::ResourceType, "vhost"),
                (RubyKind::Attribute, "name"),
                (RubyKind::Attribute, "mode"),
                (RubyKind::Fact, "rack"),
                (RubyKind::Fact, "site.row"),
                (RubyKind::ResourceType, "apt_key"),
            ]
        );
        for one in &found {
            assert_eq!(&text[one.span.range()], one.name);
        }
        assert_eq!(span_of(text, RubyKind::Fact, "other"), Span::default());
    }

    #[test]
    fn dispatches_are_the_ways_to_call() {
        let text = "  dispatch :up do\n    param 'String[1]', :text\n    optional_param 'Integer', :times\n    return_type 'String'\n  end\n  dispatch :all do\n    repeated_param('Any', :values)\n    block_param\n  end\n";
        let ways = dispatches(text);
        let declared = |way: &RubyDispatch| way.parameters.iter().map(|one| one.declared.clone()).collect::<Vec<_>>();
        assert_eq!(declared(&ways[0]), ["String[1] $text", "Optional[Integer] $times"]);
        assert_eq!(ways[0].returns.as_deref(), Some("String"));
        assert_eq!(declared(&ways[1]), ["Any *$values", "Callable &$"]);
        assert!(ways[1].parameters[0].rest);
    }

    #[test]
    fn documentation_is_above_or_below() {
        let text = "# frozen_string_literal: true\n\n# @summary Doubles.\n# Twice.\n# @param x A number.\nPuppet::Functions.create_function(:twice) do\nend\nnewproperty(:mode) do\n  desc <<-EOT\n    How fast.\n  EOT\nend\nnewparam(:a) { }\n";
        let docs = |kind, name| documentation(text, span_of(text, kind, name));
        assert_eq!(docs(RubyKind::Function, "twice"), "Doubles.\nTwice.");
        assert_eq!(docs(RubyKind::Attribute, "mode"), "How fast.");
        assert_eq!(docs(RubyKind::Attribute, "a"), "");
    }

    #[test]
    fn calls_are_found_in_ruby() {
        let text = "call_function('a::up', x); scope.function_old([1]); call_function( :old ); old('x')";
        assert_eq!(calls(text, "a::up").len(), 1);
        assert_eq!(calls(text, "old").len(), 2);
    }
}
