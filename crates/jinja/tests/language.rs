//! The language of Jinja2 itself, without the additions of an extension.

use hieratic_jinja::extend::minijinja::context;
use hieratic_jinja::{Engine, Options};

fn rendered(template: &str) -> Result<String, String> {
    let engine = Engine::new(&Options::default());
    engine.render_text("t", template, context! {}).map_err(|error| error.message)
}

#[test]
fn groups_have_names() {
    let groups = "{% for g in [{'a': 1, 'b': 2}] | groupby('a') %}{{ g.grouper }} {{ g.list }} {{ g }}{% endfor %}";
    assert_eq!(rendered(groups).as_deref(), Ok("1 [{'a': 1, 'b': 2}] (1, [{'a': 1, 'b': 2}])"));
}

#[test]
fn items_that_cannot_be_in_a_set_are_not_unique() {
    assert_eq!(rendered("{{ ['a', 'A', 'b'] | unique }}").as_deref(), Ok("['a', 'b']"));
    assert!(rendered("{{ [[1], [1]] | unique }}").is_err_and(|message| message.contains("unhashable type: 'list'")));
}

#[test]
fn random_chooses_an_item() {
    assert_eq!(rendered("{{ [7] | random }}").as_deref(), Ok("7"));
    assert!(rendered("{{ [] | random }}").is_err_and(|message| message.contains("No random item")));
}

#[test]
fn additions_of_extensions_are_absent() {
    assert_eq!(rendered("{{ 1 | to_yaml }}"), Err("No filter named 'to_yaml'.".into()));
    assert_eq!(rendered("{{ 1 | uper }}"), Err("No filter named 'uper'. Did you mean 'upper'?".into()));
    assert_eq!(rendered("{{ 1 is version('1', '>') }}"), Err("No test named 'version'.".into()));
    assert_eq!(rendered("{{ lookup('env', 'HOME') }}"), Err("'lookup' is undefined".into()));
    assert_eq!(rendered("{{ 'a' | ansible.builtin.upper }}"), Err("No filter named 'ansible.builtin.upper'.".into()));
}
