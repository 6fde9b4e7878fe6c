//! Words without quotes. An undefined name is left to the client, as the string `${word}`.

use hieratic_nomad_job::record::Data;
use hieratic_nomad_job::{Job, Origin};
use hieratic_value::collections::HashSet;

use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// The environment variables of the tasks of a job, which the client fills in.
pub(super) struct TaskVariables {
    names: HashSet<String>,
    /// Whether a template sets variables whose names are not known.
    is_open: bool,
}

impl TaskVariables {
    pub(super) fn new(job: &Job) -> Self {
        let mut variables = Self { names: HashSet::default(), is_open: false };
        let root = Block::job(job);
        for group in root.blocks("TaskGroups") {
            for task in group.blocks("Tasks") {
                variables.names.extend(task.map("Env").iter().map(|(name, _)| name.to_string()));
                for template in task.blocks("Templates").filter(|template| template.flag("Envvars")) {
                    variables.read(template.text("EmbeddedTmpl"));
                }
            }
        }
        variables
    }

    /// Adds the names that a template sets. A template without text is read from a file.
    fn read(&mut self, text: &str) {
        self.is_open |= text.is_empty();
        for line in without_actions(text).lines() {
            let line = line.trim();
            let Some((name, _)) = line.strip_prefix("export ").unwrap_or(line).split_once('=') else { continue };
            // An action before the sign prints the name, or a part of it.
            match name.rsplit(ACTION).next().unwrap_or(name).trim() {
                "" => self.is_open = true,
                name => drop(self.names.insert(name.to_owned())),
            }
        }
    }

    fn may_have(&self, name: &str) -> bool {
        let is_capital = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
        self.names.contains(name) || self.is_open && name.chars().all(is_capital)
    }
}

/// The mark of an action of a template.
const ACTION: char = '\0';

/// A template with a mark in place of each action.
fn without_actions(text: &str) -> String {
    let mut parts = text.split("{{");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest.push(ACTION);
        rest.push_str(part.split_once("}}").map_or("", |(_, after)| after));
    }
    rest
}

/// Reports a value that is written as a bare word, or as a list of them.
pub(super) fn check(origin: &Origin<'_>, variables: &TaskVariables, found: &mut Vec<Finding>) {
    let (Data::Text(text), Some(place)) = (origin.value, &origin.place) else { return };
    let Some(word) = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) else { return };
    if !hieratic_hcl_syntax::is_identifier(word) || word.starts_with("NOMAD_") || variables.may_have(word) {
        return;
    }
    let written = String::from_utf8_lossy(place.source.slice(place.span)).into_owned();
    let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '"' | '$' | '{');
    let stands_alone = written.match_indices(word).any(|(at, _)| {
        let before = written.get(..at).and_then(|before| before.chars().next_back());
        let after = written.get(at + word.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(|letter| is_word(letter) || matches!(letter, '(' | '['))
    });
    if stands_alone && !written.contains(&**text) {
        let message = format!("{word} is not defined, so it becomes the string \"{text}\"; write \"{word}\"");
        found.push(remark(Rule::UnquotedWord, message, format!("Job.{}", origin.path), Some(place.clone())));
    }
}
