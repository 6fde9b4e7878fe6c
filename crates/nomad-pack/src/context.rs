//! The dot of a template: the pack and its dependencies.

use hieratic_go_template::Value;

use crate::pack::Pack;
use crate::variables::Variables;

/// The key of the pack itself.
pub(crate) const SELF: &str = "_self";

/// The dot of the templates of a pack.
pub(crate) fn context(pack: &Pack, variables: &Variables) -> Value {
    let own = [("vars".to_owned(), variables.values()), ("meta".to_owned(), meta(pack))];
    let dependencies = pack.dependencies.iter().filter_map(|(name, inner)| {
        let variables = variables.dependency(name)?;
        Some((name.clone(), context(inner, variables)))
    });
    Value::map([(SELF.to_owned(), Value::map(own))].into_iter().chain(dependencies))
}

/// The dots of a pack and its dependencies in the first syntax (`--parser-v1`): variables by the names of their packs.
/// The pack itself sees those of all packs, a dependency its own.
pub(crate) fn legacy_contexts<'p>(pack: &'p Pack, variables: &Variables) -> Vec<(&'p Pack, Value)> {
    let mut all = Vec::new();
    flatten(pack, variables, &mut all);
    let of_all: Vec<(String, Value)> =
        all.iter().map(|(pack, own)| (pack.metadata.name.clone(), own.clone())).collect();
    let dot = |(at, (pack, own)): (usize, (&'p Pack, Value))| {
        let visible = if at == 0 { of_all.clone() } else { vec![(pack.metadata.name.clone(), own.clone())] };
        let others = [("my".to_owned(), own), ("nomad_pack".to_owned(), meta(pack))];
        (pack, Value::map(visible.into_iter().chain(others)))
    };
    all.into_iter().enumerate().map(dot).collect()
}

/// A pack and its dependencies, each with the values of its variables.
fn flatten<'p>(pack: &'p Pack, variables: &Variables, all: &mut Vec<(&'p Pack, Value)>) {
    all.push((pack, variables.values()));
    for (name, inner) in &pack.dependencies {
        if let Some(variables) = variables.dependency(name) {
            flatten(inner, variables, all);
        }
    }
}

fn meta(pack: &Pack) -> Value {
    let metadata = &pack.metadata;
    let text = |name: &str, text: &str| (name.to_owned(), Value::from(text));
    let app = Value::map([text("url", &metadata.app_url)]);
    let own = Value::map([
        text("name", &metadata.name),
        text("description", &metadata.description),
        text("version", &metadata.version),
        text("path", &pack.folder.display().to_string()),
    ]);
    let dependencies = metadata.dependencies.iter().map(|dependency| {
        let entry = Value::map([
            text("id", dependency.reference()),
            text("name", &dependency.name),
            text("alias", &dependency.alias),
            text("source", &dependency.source),
            ("enabled".to_owned(), Value::Bool(dependency.is_enabled)),
        ]);
        Value::map([(dependency.reference().to_owned(), entry)])
    });
    Value::map([
        ("app".to_owned(), app),
        ("pack".to_owned(), own),
        ("dependencies".to_owned(), Value::list(dependencies.collect())),
    ])
}
