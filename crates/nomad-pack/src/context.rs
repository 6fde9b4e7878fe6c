//! The dot of a template: the pack itself, and its dependencies.

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
