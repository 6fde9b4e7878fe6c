//! `metadata.hcl`.

use hieratic_hcl_eval::{Body, Content, File, Problems, Schema};

use crate::failure::Failure;

/// The metadata of a pack.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    /// The homepage of the application.
    pub app_url: String,
    /// The name of the pack.
    pub name: String,
    /// The name in references, if it differs.
    pub alias: String,
    /// The description of the pack.
    pub description: String,
    /// The version of the pack.
    pub version: String,
    /// The dependencies of the pack.
    pub dependencies: Vec<Dependency>,
}

/// A dependency of a pack.
#[derive(Clone, Debug)]
pub struct Dependency {
    /// Its name.
    pub name: String,
    /// The name in references, if it differs.
    pub alias: String,
    /// The address of the download.
    pub source: String,
    /// Whether the dependency is used.
    pub is_enabled: bool,
}

impl Dependency {
    /// Returns the name in references, which is also the name of the folder in `deps`.
    pub fn reference(&self) -> &str {
        if self.alias.is_empty() { &self.name } else { &self.alias }
    }
}

impl Metadata {
    /// Reads the file.
    pub(crate) fn read(name: &str, text: &str) -> Result<Metadata, Failure> {
        let file = File::native(name, text);
        let mut problems = file.problems().clone();
        let schema = Schema::new(&[], &[("app", &[]), ("pack", &[]), ("integration", &[]), ("dependency", &["name"])]);
        let (content, more) = file.body().content(&schema);
        problems.append(more);
        let mut metadata = Metadata::default();
        let (mut has_app, mut has_pack) = (false, false);
        for block in &content.blocks {
            match &*block.kind {
                "app" => {
                    has_app = true;
                    let content = attributes(&block.body, &["url", "author"], &mut problems);
                    metadata.app_url = text_of(&content, "url", &mut problems);
                }
                "pack" => {
                    has_pack = true;
                    let names = ["name", "alias", "description", "url", "version"];
                    let content = attributes(&block.body, &names, &mut problems);
                    metadata.name = text_of(&content, "name", &mut problems);
                    metadata.alias = text_of(&content, "alias", &mut problems);
                    metadata.description = text_of(&content, "description", &mut problems);
                    metadata.version = text_of(&content, "version", &mut problems);
                }
                "dependency" => {
                    let content = attributes(&block.body, &["alias", "ref", "source", "enabled"], &mut problems);
                    let is_enabled = content.attribute("enabled").is_none_or(|attribute| {
                        let (value, more) = attribute.expression.literal_value();
                        problems.append(more);
                        value.as_bool() != Some(false)
                    });
                    metadata.dependencies.push(Dependency {
                        name: block.labels.first().map(ToString::to_string).unwrap_or_default(),
                        alias: text_of(&content, "alias", &mut problems),
                        source: text_of(&content, "source", &mut problems),
                        is_enabled,
                    });
                }
                _ => {}
            }
        }
        if problems.has_errors() {
            return Err(Failure::of_problems(&problems));
        }
        let missing = match (has_app, has_pack, metadata.name.is_empty()) {
            (false, _, _) => "an app block",
            (_, false, _) => "a pack block",
            (_, _, true) => "the name of the pack",
            _ => return Ok(metadata),
        };
        Err(Failure::new(format!("{name} lacks {missing}")).with_help("nomad-pack needs an app and a pack block"))
    }
}

fn attributes<'a>(body: &Body<'a>, names: &[&'static str], problems: &mut Problems) -> Content<'a> {
    let (content, more) = body.content(&Schema::new(names, &[]));
    problems.append(more);
    content
}

fn text_of(content: &Content<'_>, name: &str, problems: &mut Problems) -> String {
    let Some(attribute) = content.attribute(name) else { return String::new() };
    let (value, more) = attribute.expression.literal_value();
    problems.append(more);
    value.as_str().map(ToOwned::to_owned).unwrap_or_default()
}
