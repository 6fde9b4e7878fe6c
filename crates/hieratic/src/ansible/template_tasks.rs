//! [`TemplateTask`]: the files that the tasks of a role write its templates to, and the settings for them.

use std::collections::HashMap;
use std::path::Path;

use hieratic_hiera::Error;
use hieratic_value::{Hash, Value};

use super::playbook::{DEEPEST, equal, merged, variables};

/// The modules that render templates.
const MODULES: [&str; 5] =
    ["template", "ansible.builtin.template", "ansible.legacy.template", "win_template", "ansible.windows.win_template"];

/// The arguments of the tasks of a role that render a template.
#[derive(Clone, Debug)]
pub struct TemplateTask {
    /// The destination, which can be a template itself. `None` if tasks name different ones.
    pub destination: Option<String>,
    /// The settings that are not the usual ones, such as `lstrip_blocks`, `newline_sequence` and `output_encoding`. `None`
    /// if tasks have different ones.
    pub overrides: Option<Vec<(String, Value)>>,
    /// The variables of the task and of the blocks around it. `None` if tasks have different ones.
    pub vars: Option<Hash>,
}

/// The tasks that render templates, by the names of the templates, as tasks write them.
#[derive(Debug, Default)]
pub(super) struct TemplateTasks(HashMap<String, TemplateTask>);

/// The delimiters that tasks may set, with the usual ones.
const DELIMITERS: [(&str, &str); 6] = [
    ("block_start_string", "{%"),
    ("block_end_string", "%}"),
    ("variable_start_string", "{{"),
    ("variable_end_string", "}}"),
    ("comment_start_string", "{#"),
    ("comment_end_string", "#}"),
];

impl TemplateTasks {
    /// Adds the tasks in a document, with the variables around them. Blocks nest only so deeply.
    pub(super) fn add(&mut self, tasks: &Value, outer: &Hash, path: &Path, depth: usize) -> Result<(), Error> {
        for task in tasks.as_array().unwrap_or_default() {
            let vars = merged(outer, &variables(task, path)?);
            for key in ["block", "rescue", "always"] {
                if let Some(inner) = task.at_path(&[key]).filter(|_| depth < DEEPEST) {
                    self.add(inner, &vars, path, depth + 1)?;
                }
            }
            let found = MODULES.iter().find_map(|module| Some((module, task.at_path(&[module])?)));
            let Some((module, arguments)) = found else { continue };
            let argument = |name: &str| match arguments {
                Value::String(text) => words(text)
                    .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
                    .map(|word| Value::from(unquoted(word))),
                arguments => arguments.at_path(&[name]).filter(|value| !matches!(value, Value::Undef)).cloned(),
            };
            let (Some(name), Some(destination)) = (argument("src"), argument("dest")) else { continue };
            let (Some(name), Some(destination)) = (name.as_str(), destination.as_str()) else { continue };
            let name = name.strip_prefix("templates/").unwrap_or(name);
            let one = TemplateTask {
                destination: Some(destination.to_owned()),
                overrides: Some(overrides(argument, module.ends_with("win_template"))),
                vars: Some(vars),
            };
            let known = self.0.entry(name.to_owned()).or_insert_with(|| one.clone());
            // Two tasks write the template to different files, or in different ways.
            known.destination = known.destination.take().filter(|known| Some(known) == one.destination.as_ref());
            known.overrides = known.overrides.take().filter(|known| Some(known) == one.overrides.as_ref());
            let is_same = |known: &Hash| one.vars.as_ref().is_some_and(|vars| equal(known, vars));
            known.vars = known.vars.take().filter(is_same);
        }
        Ok(())
    }

    /// The tasks by the names of their templates.
    pub(super) fn into_map(self) -> HashMap<String, TemplateTask> {
        self.0
    }
}

/// Returns the settings of a task that are not the usual ones. Files for Windows have its line ends.
fn overrides(argument: impl Fn(&str) -> Option<Value>, is_windows: bool) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for (name, usual) in DELIMITERS {
        all.extend(argument(name).filter(|value| value.as_str() != Some(usual)).map(|value| (name, value)));
    }
    for (name, usual) in [("trim_blocks", true), ("lstrip_blocks", false)] {
        let given = argument(name).filter(|value| !is_template(value));
        let truth = given.as_ref().map_or(usual, |value| match value {
            Value::Boolean(truth) => *truth,
            value => hieratic_jinja_ansible::truth_of_word(&value.to_text()).unwrap_or_default(),
        });
        let unknown = argument(name).filter(is_template);
        all.extend(unknown.or_else(|| (truth != usual).then_some(Value::from(truth))).map(|value| (name, value)));
    }
    let newline = argument("newline_sequence").map(|value| match value.as_str() {
        Some("\\n") => Value::from("\n"),
        Some("\\r") => Value::from("\r"),
        Some("\\r\\n") => Value::from("\r\n"),
        _ => value,
    });
    let newline = newline.unwrap_or_else(|| Value::from(if is_windows { "\r\n" } else { "\n" }));
    all.extend(Some(newline).filter(|value| value.as_str() != Some("\n")).map(|value| ("newline_sequence", value)));
    let is_usual = |value: &Value| matches!(&*value.to_text().to_lowercase(), "" | "utf-8" | "utf8");
    all.extend(argument("output_encoding").filter(|value| !is_usual(value)).map(|value| ("output_encoding", value)));
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns whether a value is known only when the task runs.
fn is_template(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains("{{"))
}

/// The words of a task that is a string: spaces in quotes and in braces separate no words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut quote = None;
    let mut braces = 0_usize;
    text.split(move |letter: char| {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (_, Some(open)) if open == letter => quote = None,
            ('{', None) => braces += 1,
            ('}', None) => braces = braces.saturating_sub(1),
            _ => {}
        }
        letter.is_whitespace() && quote.is_none() && braces == 0
    })
}

fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(tasks: &str) -> Vec<(String, TemplateTask)> {
        let mut all = TemplateTasks::default();
        let tasks = hieratic_jinja::read_yaml("tasks", tasks).unwrap();
        all.add(&tasks, &Hash::default(), Path::new("tasks"), 0).unwrap();
        let mut known: Vec<_> = all.into_map().into_iter().collect();
        known.sort_by(|one, other| one.0.cmp(&other.0));
        known
    }

    #[test]
    fn destinations_are_those_of_the_tasks() {
        let tasks = "
- template: {src: a.j2, dest: /etc/a}
- block:
    - ansible.builtin.template: {src: templates/b.j2, dest: '{{ folder }}/b'}
- template: src=c.j2 dest={{ folder | default('/etc') }}/c mode=0644
- template: src='d e.j2' dest=\"/etc/d e\"
- template: {src: f.j2, dest: /etc/f}
- template: {src: f.j2, dest: /etc/g}
- copy: {src: h.j2, dest: /etc/h}
";
        let known = known(tasks);
        let known: Vec<_> =
            known.iter().filter_map(|(name, task)| Some((&**name, task.destination.as_deref()?))).collect();
        assert_eq!(
            known,
            [
                ("a.j2", "/etc/a"),
                ("b.j2", "{{ folder }}/b"),
                ("c.j2", "{{ folder | default('/etc') }}/c"),
                ("d e.j2", "/etc/d e"),
            ]
        );
    }

    #[test]
    fn usual_settings_are_left_out() {
        let tasks = "
- template: {src: a.j2, dest: /a, trim_blocks: yes, lstrip_blocks: 'no', variable_start_string: '{{', output_encoding: UTF-8}
- template: src=b.j2 dest=/b trim_blocks=no lstrip_blocks=yes newline_sequence=\\r\\n variable_start_string='[['
- win_template: {src: c.j2, dest: /c}
- template: {src: d.j2, dest: /d}
- template: {src: d.j2, dest: /d, lstrip_blocks: true}
";
        let set = |name: &str, value: Value| (name.to_owned(), value);
        let newline = set("newline_sequence", "\r\n".into());
        let all = vec![
            set("variable_start_string", "[[".into()),
            set("trim_blocks", false.into()),
            set("lstrip_blocks", true.into()),
            newline.clone(),
        ];
        let known: Vec<_> = known(tasks).into_iter().map(|(_, task)| task.overrides).collect();
        assert_eq!(known, [Some(Vec::new()), Some(all), Some(vec![newline]), None]);
    }
}
