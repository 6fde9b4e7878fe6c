//! Templates of EPP and ERB: findings of the analysis in EPP, and unset variables in ERB.

use std::path::Path;
use std::sync::LazyLock;

use hieratic::value::collections::HashSet;
use hieratic_diagnostics::{Source, Span, nearest};
use hieratic_puppet_analysis::{Program, TemplateUse, lacks_variable, may_template_see};
use rayon::prelude::*;
use regex::Regex;

use super::EnvironmentProgram;
use crate::finding::{Finding, Fix};
use crate::paths::shown;
use crate::rules;
use crate::rules::removed_ruby::tags;

/// `@name`, with the text before it.
static READ: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?:^|[^@\w])@([a-z_]\w*)").ok());
/// `@name = ...`, `@name ||= ...`: the template sets it.
static SET: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"@([a-z_]\w*)\s*(?:\|\||&&|[-+*/])?=(?:[^=~]|$)").ok());

/// `scope['class::name']`, `scope.lookupvar('class::name')`.
static QUALIFIED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"\bscope(?:\[|\.lookupvar\s*\(?)\s*['"](?:::)?(([a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*)::([a-z_]\w*))['"]"#,
    )
    .ok()
});

/// The findings in all templates that code renders by a name that is written out.
pub(super) fn findings_of_templates<'p>(
    program: &EnvironmentProgram,
    paths: impl Iterator<Item = &'p Path>,
) -> Vec<Finding> {
    let is_template = |path: &&Path| path.extension().is_some_and(|end| end == "erb" || end == "epp");
    let paths: Vec<&Path> = paths.filter(is_template).collect();
    let of_path = |path: &&Path| {
        // A template that cannot be read has a finding already.
        let text = program.template_name(path).and_then(|_| program.read_text(path));
        text.map_or_else(Vec::new, |text| findings_of_template(program, path, &text))
    };
    paths.par_iter().flat_map_iter(of_path).collect()
}

/// The findings in the text of a template, which may be newer than its file.
pub(super) fn findings_of_template(program: &EnvironmentProgram, path: &Path, text: &str) -> Vec<Finding> {
    let Some((module, inside)) = program.template_name(path) else { return Vec::new() };
    if path.extension().is_some_and(|end| end == "epp") {
        let options = hieratic_puppet_syntax::Options { epp: true, tasks: false };
        // A template that cannot be parsed has a finding already.
        let tree = hieratic_puppet_syntax::parse(&Source::new(shown(path), text), &options).program;
        return tree.map_or_else(Vec::new, |tree| program.analyze_tree(path, &tree));
    }
    if !text.contains('@') && !text.contains("scope") {
        return Vec::new();
    }
    let source = Source::new(shown(path), text);
    let mut findings = findings_of_classes(program, &source);
    if let Some(uses) = program.index().template_uses(&module, &format!("{module}/{inside}")) {
        findings.extend(findings_of_names(program, uses, &source));
    }
    findings
}

/// Finds variables of classes that have none of the name.
fn findings_of_classes(program: &EnvironmentProgram, source: &Source) -> Vec<Finding> {
    let text = source.text();
    let Some(pattern) = QUALIFIED.as_ref() else { return Vec::new() };
    let mut findings = Vec::new();
    for (start, end) in tags(text) {
        for found in pattern.captures_iter(&text[start..end]) {
            let (Some(whole), Some(class), Some(name)) = (found.get(1), found.get(2), found.get(3)) else { continue };
            if !lacks_variable(program, class.as_str(), name.as_str()) {
                continue;
            }
            let message = format!("the class '{}' has no variable '${}'", class.as_str(), name.as_str());
            let span = Span::new(start + whole.start(), start + whole.end());
            let finding = Finding::new(&rules::UNSET_VARIABLE, message).at(source, span, "");
            findings.push(finding.help("fix the name, or set the variable in the class"));
        }
    }
    findings
}

/// Finds instance variables that no code sets which renders the template.
fn findings_of_names(program: &EnvironmentProgram, uses: &[TemplateUse], source: &Source) -> Vec<Finding> {
    let mut reported = HashSet::default();
    let mut findings = Vec::new();
    let all = reads(source.text());
    for &(name, span) in &all {
        if may_template_see(program, uses, name) || !reported.insert(name) {
            continue;
        }
        if let Some(modern) = program.successor_of_fact(name) {
            let message =
                format!("nothing sets the variable '@{name}' for this template, and Puppet 8 has no such fact");
            let finding = Finding::new(&rules::UNSET_VARIABLE, message).at(source, span, "");
            let modern = modern.replacen('$', "@", 1);
            let finding = finding.help(format!("write `{modern}` in the place of the legacy fact"));
            // The finding is about all places of the variable.
            let places = all.iter().filter(|(other, _)| *other == name);
            let fix = |finding: Finding, place: Span| finding.fix(Fix::new(source, place, modern.clone()));
            findings.push(places.fold(finding, |finding, (_, place)| fix(finding, *place)));
            continue;
        }
        let message = format!("nothing sets the variable '@{name}' for this template");
        let known = uses.iter().flat_map(|one| &one.variables).map(|name| &**name);
        let finding = Finding::new(&rules::UNSET_VARIABLE, message).at(source, span, "");
        findings.push(match nearest(name, known) {
            Some(near) => finding.help(format!("did you mean '@{near}'?")),
            None => finding.help("set it in the class or the defined type that renders the template"),
        });
    }
    findings
}

/// The instance variables that a template reads and does not set, with their spans.
fn reads(text: &str) -> Vec<(&str, Span)> {
    let (Some(read), Some(set)) = (READ.as_ref(), SET.as_ref()) else { return Vec::new() };
    let code = tags(text);
    // A class in Ruby has variables that no code of Puppet sets.
    if code.iter().any(|(start, end)| text[*start..*end].split_whitespace().any(|word| word == "class")) {
        return Vec::new();
    }
    let set: HashSet<&str> = code
        .iter()
        .flat_map(|(start, end)| set.captures_iter(&text[*start..*end]))
        .filter_map(|found| found.get(1))
        .map(|name| name.as_str())
        .collect();
    let mut found = Vec::new();
    for (start, end) in code {
        for name in read.captures_iter(&text[start..end]).filter_map(|found| found.get(1)) {
            let at = start + name.start();
            let line = text[start..at].rsplit('\n').next().unwrap_or_default();
            // A comment of Ruby, unless it is an interpolation.
            let is_comment = line.replace("#{", "").contains('#');
            // `defined?(@name)` and the like ask whether it is set.
            let asks = ["defined?(@", "defined?(", "defined? @"].iter().any(|asks| text[..at].ends_with(asks));
            let has_other = text[at + name.len()..].trim_start_matches([' ', ')']).starts_with("||");
            if !set.contains(name.as_str()) && !is_comment && !asks && !has_other {
                found.push((name.as_str(), Span::new(at - 1, at + name.len())));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::reads;

    fn names(text: &str) -> Vec<&str> {
        reads(text).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn variables_that_a_template_reads_are_found() {
        assert_eq!(names("<%= @port %> @text <%# @comment %><% @list.each do |x| %>"), ["port", "list"]);
        assert!(names("<% @own = 1 %><%= @own %> <% # @old %> <%= 'root@example' %> <%= @@of_class %>").is_empty());
        assert!(names("<% @own ||= 1 -%><%= @own %><% if defined?(@maybe) %><% end %>").is_empty());
        assert!(names("<%= @maybe || 1 %>").is_empty());
        assert!(names("<% class A; def b; @c; end; end %>").is_empty());
    }
}
