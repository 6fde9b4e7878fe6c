//! The parser of settings files.

use std::path::{Component, Path, PathBuf};

use hieratic::SearchPath;
use hieratic::nomad_lint::NomadVersion;
use hieratic::sandbox::{Files, plain};
use hieratic_diagnostics::{Diagnostic, Severity, Source, Span, nearest};
use hieratic_lint::JobSet;
use toml_edit::{Document, Item, Table, TableLike};

use super::keys::{self, Key, SetBy, ValueKind};
use crate::codes;

/// A setting as a file has it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: &'static Key,
    pub(crate) value: Value,
    /// The file and the line.
    pub(crate) file: PathBuf,
    pub(crate) line: u32,
    /// The owner of the file.
    pub(crate) whose: SettingsOwner,
}

/// A value of a setting; paths are absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    Switch(bool),
    Path(PathBuf),
    Paths(Vec<PathBuf>),
    Texts(Vec<String>),
    Folders(Vec<(String, PathBuf)>),
    Lists(Vec<(String, Vec<String>)>),
    Words(Vec<(String, String)>),
    Jobs(Vec<JobSet>),
}

/// The owner of a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SettingsOwner {
    User,
    Repository,
}

/// The reason why a file of settings cannot be used.
pub(crate) type SettingsError = Box<Diagnostic>;

/// The maximum size of a settings file, in bytes.
const LARGEST: u64 = 1 << 20;

/// Reads a version of Nomad.
fn nomad_version(text: &str) -> Result<NomadVersion, InvalidValue> {
    let help = || "write a version such as \"2.0.6\" or \"1.8\"".to_owned();
    text.parse().map_err(|message| InvalidValue::Path(message, help()))
}

/// Reads the values of variables, as `-var` has them.
fn arguments(item: &Item) -> Result<Vec<String>, InvalidValue> {
    let table = item.as_table_like().ok_or(InvalidValue::Form)?;
    let argument = |(name, item): (&str, &Item)| {
        let value = match item.as_str() {
            Some(text) => text.to_owned(),
            None => {
                item.as_value().map(|value| value.clone().decorated("", "").to_string()).ok_or(InvalidValue::Form)?
            }
        };
        Ok(format!("{name}={value}"))
    };
    table.iter().map(argument).collect()
}

/// Reads a file of settings, if it is there.
pub(crate) fn read(path: &Path, whose: SettingsOwner) -> Result<Option<Vec<Entry>>, SettingsError> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let files = match whose {
        SettingsOwner::User => Files::of_user(),
        SettingsOwner::Repository => Files::below([folder]),
    };
    let text = match files.with_largest(LARGEST).read_text(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            let message = format!("the settings {} cannot be read: {error}", path.display());
            return Err(Box::new(
                Diagnostic::new(Severity::Error, codes::SETTINGS, message).help(crate::files::advice(path, &error)),
            ));
        }
    };
    SettingsReader { path, folder, whose, files, source: Source::new(crate::output::relative_file(path), text) }
        .entries()
        .map(Some)
}

struct SettingsReader<'a> {
    path: &'a Path,
    folder: &'a Path,
    whose: SettingsOwner,
    files: Files,
    source: Source,
}

impl SettingsReader<'_> {
    fn entries(&self) -> Result<Vec<Entry>, SettingsError> {
        let document = Document::parse(self.source.text().to_owned()).map_err(|error| {
            let message = format!("invalid TOML: {}", error.message().trim_end());
            self.fault(error.span(), message, "settings are lines such as: facts = \"facts\"")
        })?;
        let mut entries = Vec::new();
        self.table(document.as_table(), "", &mut entries)?;
        Ok(entries)
    }

    fn table(&self, table: &Table, prefix: &str, entries: &mut Vec<Entry>) -> Result<(), SettingsError> {
        for (name, item) in table.iter() {
            let place = table.key(name).and_then(toml_edit::Key::span).or_else(|| item.span());
            self.entry(&format!("{prefix}{name}"), item, place, entries)?;
        }
        Ok(())
    }

    fn entry(
        &self,
        name: &str,
        item: &Item,
        place: Option<std::ops::Range<usize>>,
        entries: &mut Vec<Entry>,
    ) -> Result<(), SettingsError> {
        if keys::is_table(name) {
            let Some(table) = item.as_table_like() else {
                return Err(self.fault(
                    item.span().or(place),
                    format!("'{name}' is a table"),
                    &format!("write [{name}]"),
                ));
            };
            for (inner, item) in table.iter() {
                let place = table.key(inner).and_then(toml_edit::Key::span).or_else(|| item.span());
                self.entry(&format!("{name}.{inner}"), item, place, entries)?;
            }
            return Ok(());
        }
        let Some(key) = keys::find(name) else {
            let near = nearest(name, keys::KEYS.iter().map(|key| key.name));
            let help = match near {
                Some(near) => format!("did you mean '{near}'?"),
                None => "`hieratic config` lists all settings".to_owned(),
            };
            return Err(self.fault(place, format!("unknown setting '{name}'"), &help));
        };
        if key.set_by == SetBy::User && self.whose == SettingsOwner::Repository {
            let message = format!("a repository cannot set '{name}'");
            return Err(self.fault(place, message, "set it in your own settings, ~/.config/hieratic/config.toml"));
        }
        let line = place.as_ref().map_or(1, |place| self.source.position(place.start).line);
        let value = self.value(key, item).map_err(|refusal| match refusal {
            InvalidValue::Form => {
                let help = format!("write {name} = {}", key.example);
                self.fault(
                    item.span().or_else(|| place.clone()),
                    format!("'{name}' {}", describe_form(key.kind)),
                    &help,
                )
            }
            InvalidValue::Path(message, help) => self.fault(item.span().or(place.clone()), message, &help),
        })?;
        entries.push(Entry { key, value, file: self.path.to_owned(), line, whose: self.whose });
        Ok(())
    }

    fn value(&self, key: &Key, item: &Item) -> Result<Value, InvalidValue> {
        let text = || item.as_str().map(String::from).ok_or(InvalidValue::Form);
        Ok(match key.kind {
            ValueKind::Text => Value::Text(text()?),
            ValueKind::Word(words) => {
                // A word that is a number may be written as one.
                let word = item.as_integer().map(|number| number.to_string()).or_else(|| text().ok());
                Value::Text(word.filter(|word| words.contains(&&**word)).ok_or(InvalidValue::Form)?)
            }
            ValueKind::Switch => Value::Switch(item.as_bool().ok_or(InvalidValue::Form)?),
            ValueKind::Path => Value::Path(self.path_of(&text()?)?),
            ValueKind::Paths => {
                let names = match item.as_str() {
                    Some(one) => vec![one.to_owned()],
                    None => texts(item)?,
                };
                // A list of paths is stored as one string, separated by colons.
                let is_list = |name: &str| SearchPath::from(name) != SearchPath::from(Path::new(name));
                if let Some(name) = names.iter().find(|name| is_list(name)) {
                    return Err(InvalidValue::Path(
                        format!("'{name}' is not a path: it contains a colon"),
                        format!("write a list: {} = [\"modules\", \"site\"]", key.name),
                    ));
                }
                Value::Paths(names.iter().map(|name| self.path_of(name)).collect::<Result<_, _>>()?)
            }
            ValueKind::Texts => Value::Texts(texts(item)?),
            ValueKind::Folders => Value::Folders(self.folders(item.as_table_like().ok_or(InvalidValue::Form)?)?),
            ValueKind::Lists => {
                let table = item.as_table_like().ok_or(InvalidValue::Form)?;
                let list = |(name, item): (&str, &Item)| Ok((name.to_owned(), texts(item)?));
                Value::Lists(table.iter().map(list).collect::<Result<_, InvalidValue>>()?)
            }
            ValueKind::Words(words) => {
                let table = item.as_table_like().ok_or(InvalidValue::Form)?;
                let word = |(name, item): (&str, &Item)| {
                    let word = item.as_str().filter(|word| words.contains(word)).ok_or(InvalidValue::Form)?;
                    Ok((name.to_owned(), word.to_owned()))
                };
                Value::Words(table.iter().map(word).collect::<Result<_, InvalidValue>>()?)
            }
            ValueKind::Jobs => Value::Jobs(self.jobs(item)?),
            ValueKind::NomadVersion => Value::Text(nomad_version(&text()?)?.to_string()),
            ValueKind::Link => {
                let link = text()?;
                let is_web = link.starts_with("https://") || link.starts_with("http://");
                Value::Text(Some(link).filter(|link| is_web && link.contains("{path}")).ok_or(InvalidValue::Form)?)
            }
        })
    }

    /// Tables of patterns of jobs, and of the environments that they run in.
    fn jobs(&self, item: &Item) -> Result<Vec<JobSet>, InvalidValue> {
        if let Some(tables) = item.as_array_of_tables() {
            return tables.iter().map(|table| self.job_set(table)).collect();
        }
        let all = item.as_array().ok_or(InvalidValue::Form)?;
        all.iter().map(|value| self.job_set(value.as_inline_table().ok_or(InvalidValue::Form)?)).collect()
    }

    fn job_set(&self, table: &dyn TableLike) -> Result<JobSet, InvalidValue> {
        const KNOWN: [&str; 7] = ["name", "files", "var-files", "vars", "region", "namespace", "nomad_version"];
        if let Some((name, _)) = table.iter().find(|(name, _)| !KNOWN.contains(name)) {
            let help = match nearest(name, KNOWN) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!("an entry has {}", KNOWN.join(", ")),
            };
            return Err(InvalidValue::Path(format!("'jobs' has no '{name}'"), help));
        }
        let list = |name: &str| table.get(name).map_or(Ok(Vec::new()), texts);
        let text = |name: &str| match table.get(name) {
            Some(item) => item.as_str().map(|text| Some(text.to_owned())).ok_or(InvalidValue::Form),
            None => Ok(None),
        };
        let var_files = list("var-files")?.iter().map(|name| self.path_of(name)).collect::<Result<_, _>>()?;
        let files = list("files")?;
        // Without a pattern the files are for all jobs.
        let files = if files.is_empty() { vec!["*".to_owned()] } else { files };
        Ok(JobSet {
            folder: self.folder.to_owned(),
            files,
            var_files,
            name: text("name")?,
            arguments: table.get("vars").map_or(Ok(Vec::new()), arguments)?,
            region: text("region")?,
            namespace: text("namespace")?,
            nomad_version: text("nomad_version")?.map(|text| nomad_version(&text)).transpose()?,
        })
    }

    fn folders(&self, table: &dyn TableLike) -> Result<Vec<(String, PathBuf)>, InvalidValue> {
        let folder = |(there, here): (&str, &Item)| {
            if there.is_empty() || there.contains('=') {
                let help = "write the folder exactly as in hiera.yaml".to_owned();
                return Err(InvalidValue::Path(format!("'{there}' is not a folder of hiera.yaml"), help));
            }
            Ok((there.to_owned(), self.path_of(here.as_str().ok_or(InvalidValue::Form)?)?))
        };
        table.iter().map(folder).collect()
    }

    /// Resolves a path. A path of a repository must not lead out of it; a path of the user must be absolute or begin
    /// with `~`.
    fn path_of(&self, text: &str) -> Result<PathBuf, InvalidValue> {
        let path = Path::new(text);
        match self.whose {
            SettingsOwner::Repository => {
                let full = plain(&self.folder.join(path));
                let is_inside = full.starts_with(self.folder) && !self.files.leads_out(&full);
                is_inside.then_some(full).ok_or_else(|| {
                    InvalidValue::Path(
                        format!("'{text}' leads out of the repository"),
                        "name a path inside, or set it in your own settings, ~/.config/hieratic/config.toml".into(),
                    )
                })
            }
            SettingsOwner::User => {
                let mut parts = path.components();
                match (path.is_absolute(), parts.next(), crate::places::home()) {
                    (true, ..) => Ok(plain(path)),
                    (false, Some(Component::Normal(first)), Some(home)) if first == "~" => {
                        Ok(plain(&home.join(parts.as_path())))
                    }
                    _ => Err(InvalidValue::Path(
                        format!("'{text}' is not an absolute path"),
                        "write an absolute path, or one that starts with ~/".into(),
                    )),
                }
            }
        }
    }

    fn fault(&self, span: Option<std::ops::Range<usize>>, message: String, help: &str) -> SettingsError {
        let diagnostic = Diagnostic::new(Severity::Error, codes::SETTINGS, message);
        let span = span.map_or(Span::default(), Span::from);
        Box::new(diagnostic.label(self.source.clone(), span, "").help(help))
    }
}

/// The reason why a value is invalid.
enum InvalidValue {
    /// It has another form.
    Form,
    /// The path cannot be used; with the error and the help.
    Path(String, String),
}

fn texts(item: &Item) -> Result<Vec<String>, InvalidValue> {
    let all = item.as_array().ok_or(InvalidValue::Form)?;
    all.iter().map(|text| text.as_str().map(String::from).ok_or(InvalidValue::Form)).collect()
}

/// The form that a value must have, in words.
fn describe_form(kind: ValueKind) -> String {
    match kind {
        ValueKind::Text => "is a string".into(),
        ValueKind::Word(words) => format!("is one of {}", words.join(", ")),
        ValueKind::NomadVersion => "is a version of Nomad, such as \"1.8\"".into(),
        ValueKind::Switch => "is true or false".into(),
        ValueKind::Path => "is a path".into(),
        ValueKind::Paths => "is a path, or a list of paths".into(),
        ValueKind::Texts => "is a list of strings".into(),
        ValueKind::Folders => "is a table of folders".into(),
        ValueKind::Lists => "is a table of lists of strings".into(),
        ValueKind::Words(words) => format!("is a table of words, each one of {}", words.join(", ")),
        ValueKind::Jobs => "is a list of tables with files and var-files".into(),
        ValueKind::Link => "is a URL that contains {path}".into(),
    }
}
