//! [`Destinations`]: the files that the tasks of a role write its templates to.

use std::collections::HashMap;

use hieratic_value::Value;

use super::playbook::DEEPEST;

/// The modules that render templates.
const MODULES: [&str; 5] =
    ["template", "ansible.builtin.template", "ansible.legacy.template", "win_template", "ansible.windows.win_template"];

/// The destinations of templates by their names, as tasks write them: a destination can be a template itself.
#[derive(Debug, Default)]
pub(super) struct Destinations(HashMap<String, Option<String>>);

impl Destinations {
    /// Adds those of the tasks in a document. Blocks nest only so deeply.
    pub(super) fn add(&mut self, tasks: &Value, depth: usize) {
        for task in tasks.as_array().unwrap_or_default() {
            for key in ["block", "rescue", "always"] {
                if let Some(inner) = task.at_path(&[key]).filter(|_| depth < DEEPEST) {
                    self.add(inner, depth + 1);
                }
            }
            let Some(arguments) = MODULES.iter().find_map(|module| task.at_path(&[module])) else { continue };
            let argument = |name: &str| match arguments {
                Value::String(text) => {
                    words(text).find_map(|word| word.strip_prefix(name)?.strip_prefix('=')).map(unquoted)
                }
                arguments => arguments.at_path(&[name])?.as_str(),
            };
            let (Some(name), Some(destination)) = (argument("src"), argument("dest")) else { continue };
            let name = name.strip_prefix("templates/").unwrap_or(name);
            let known = self.0.entry(name.to_owned()).or_insert_with(|| Some(destination.to_owned()));
            // Two tasks write the template to different files.
            if known.as_deref() != Some(destination) {
                *known = None;
            }
        }
    }

    /// The destinations that are known.
    pub(super) fn into_known(self) -> HashMap<String, String> {
        self.0.into_iter().filter_map(|(name, destination)| Some((name, destination?))).collect()
    }
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
        let mut destinations = Destinations::default();
        destinations.add(&hieratic_jinja::read_yaml("tasks", tasks).unwrap(), 0);
        let mut known: Vec<_> = destinations.into_known().into_iter().collect();
        known.sort();
        let known: Vec<_> = known.iter().map(|(name, destination)| (&**name, &**destination)).collect();
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
}
