//! The language of Jinja2 itself, without the additions of an extension.

use hieratic_jinja::extend::minijinja::context;
use hieratic_jinja::{Engine, Files, Options};

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

/// As Jinja2 3.1 prints them.
#[test]
fn blocks_do_not_see_the_variables_of_blocks_around_them() {
    for (template, printed) in [
        ("{% block a %}{% set x = 2 %}{% block b %}{{ x is defined }}{% endblock %}{% endblock %}", "False"),
        (
            "{% set x = 1 %}{% block a %}{% set x = 2 %}{% block b %}[{{ x }}]{% endblock %}{% endblock %}{{ x }}",
            "[1]1",
        ),
        ("{% set x = 1 %}{% block a %}{% set x = 2 %}{% block b scoped %}[{{ x }}]{% endblock %}{% endblock %}", "[2]"),
        (
            "{% set x = 1 %}{% block q %}({{ x }}){% endblock %}{% block a %}{% set x = 2 %}{{ self.q() }}{% endblock %}\
             {% set x = 3 %}{{ self.q() }}",
            "(1)(1)(3)",
        ),
        (
            "{% set x = 1 %}{% block a %}{% set x = 2 %}{% macro m() %}<{{ x }}>{% endmacro %}{{ m() }}{% endblock %}",
            "<2>",
        ),
    ] {
        assert_eq!(rendered(template).as_deref(), Ok(printed), "{template}");
    }
}

/// As Jinja2 3.1 prints them.
#[test]
fn overridden_blocks_do_not_see_the_variables_of_the_block_that_calls_them() {
    let folder = tempfile::tempdir().unwrap();
    for (base, template, printed) in [
        (
            "{% set x = 1 %}{% block a %}[{{ x }}]{% endblock %}",
            "{% extends 'b' %}{% block a %}{% for x in [5] %}{{ super() }}{% endfor %}{% set x = 2 %}{{ super() }}{{ x }}{% endblock %}",
            "[1][1]2",
        ),
        (
            "{% for i in [1, 2] %}{% block a scoped %}[{{ i }}]{% endblock %}{% endfor %}",
            "{% extends 'b' %}{% block a %}{% set i = 9 %}{{ super() }}{{ i }}{% endblock %}",
            "[1]9[2]9",
        ),
    ] {
        std::fs::write(folder.path().join("b"), base).unwrap();
        let root = folder.path().canonicalize().unwrap();
        let engine = Engine::new(&Options { base: root.clone(), files: Files::below([&root]), ..Options::default() });
        let rendered = engine.render_text("t", template, context! {}).map_err(|error| error.message);
        assert_eq!(rendered.as_deref(), Ok(printed), "{template}");
    }
}
