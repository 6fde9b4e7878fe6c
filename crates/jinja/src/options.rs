//! [`Options`]: the capabilities and the dialect of templates.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic_budget::Budget;
use hieratic_sandbox::{Files, Variables};
use hieratic_value::Value;

/// The options of an [`Engine`](crate::Engine).
///
/// ```
/// use hieratic_jinja::{Files, Options};
///
/// let options = Options { base: "templates".into(), files: Files::below(["templates"]), ..Options::default() };
/// assert!(options.strict && options.env.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The base folder of relative paths.
    pub base: PathBuf,
    /// The folders in which files named by templates are searched, in order, as Ansible does for a role: in a subfolder
    /// of their kind (`templates`, `files`), then in the folder itself. Included files are also searched in `base`,
    /// last. If the list is empty, all files are searched in `base`.
    pub search: Vec<PathBuf>,
    /// The files that can be read, through lookups, filters, tests and includes. By default there are none.
    pub files: Files,
    /// The environment variables that templates can read. By default there are none. Reading a hidden one is an error.
    pub env: Variables,
    /// The enabled extensions. By default there are none.
    pub extensions: Extensions,
    /// The prefixes of line statements and line comments. By default there are none.
    pub lines: LinePrefixes,
    /// Settings of templates that are rendered as files, such as `lstrip_blocks`, by the names that the line `#jinja2:` has
    /// for them. That line of a template counts more.
    pub overrides: Vec<(String, Value)>,
    /// Whether strings in variables are templates, which are rendered when the variable is used, as in Ansible.
    pub templates: bool,
    /// The filters, tests and lookups that are written in Python and therefore cannot be called. The error of a
    /// template that uses one names its position.
    pub foreign: Foreign,
    /// Whether the use of an undefined value is an error. Otherwise, it prints as its source in the template.
    pub strict: bool,
    /// The budget of all renderings of the engine. Each operation and each visited element costs about one step.
    pub budget: Budget,
}

/// Filters, tests and lookups that are written in Python, by their kind (`filter`, `test`, `lookup`) and name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreign(BTreeMap<(&'static str, String), ForeignName>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct ForeignName {
    place: String,
    is_certain: bool,
}

impl Foreign {
    /// Adds a name with the position of its definition. A certain definition overrides the engine's definition with the
    /// same name. The position of an uncertain one is only reported if the engine does not have the name.
    pub fn add(&mut self, kind: &'static str, name: &str, place: String, is_certain: bool) {
        let entry = self.0.entry((kind, name.to_owned()));
        let known = entry.or_insert_with(|| ForeignName { place: place.clone(), is_certain });
        if is_certain && !known.is_certain {
            *known = ForeignName { place, is_certain };
        }
    }

    /// Returns the position of a definition, by its name with or without a collection. If the engine has the name, too
    /// (`is_known`), only a certain definition is returned.
    pub(crate) fn place(&self, kind: &'static str, name: &str, is_known: bool) -> Option<&str> {
        if self.0.is_empty() {
            return None;
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        let found = [name, last].into_iter().find_map(|name| self.0.get(&(kind, name.to_owned())));
        found.filter(|found| found.is_certain || !is_known).map(|found| found.place.as_str())
    }
}

/// The extensions that Jinja2 contains and that must be enabled:
/// <https://jinja.palletsprojects.com/en/3.1.x/extensions/>.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// `jinja2.ext.do`: `{% do ... %}`.
    pub statements: bool,
    /// `jinja2.ext.loopcontrols`: `{% break %}` and `{% continue %}`.
    pub loops: bool,
    /// `jinja2.ext.i18n`: `{% trans %}` and the functions `gettext`, `ngettext`, `pgettext`, `npgettext` and `_`. There
    /// are no translations: each string is returned unchanged.
    pub translations: bool,
}

impl Extensions {
    /// Enables an extension by its name, with or without `jinja2.ext.` before it.
    ///
    /// # Errors
    ///
    /// The name is unknown. The message lists the known ones.
    ///
    /// ```
    /// let mut extensions = hieratic_jinja::Extensions::default();
    /// assert_eq!(extensions.add("jinja2.ext.do"), Ok(()));
    /// assert!(extensions.statements && extensions.add("nope").is_err());
    /// ```
    pub fn add(&mut self, name: &str) -> Result<(), String> {
        match name.strip_prefix("jinja2.ext.").unwrap_or(name) {
            "do" => self.statements = true,
            "loopcontrols" => self.loops = true,
            "i18n" => self.translations = true,
            _ => return Err(format!("unknown extension '{name}': the extensions are do, loopcontrols and i18n")),
        }
        Ok(())
    }
}

/// `line_statement_prefix` and `line_comment_prefix`:
/// <https://jinja.palletsprojects.com/en/3.1.x/templates/#line-statements>. An empty prefix disables the feature.
///
/// ```
/// use hieratic_jinja::extend::minijinja::context;
/// use hieratic_jinja::{Engine, LinePrefixes, Options};
///
/// let lines = LinePrefixes { statement: "%".into(), comment: "##".into() };
/// let engine = Engine::new(&Options { lines, ..Options::default() });
/// let text = engine.render_text("a.j2", "% for i in [1, 2]:\n{{ i }} ## a number\n% endfor\n", context! {})?;
/// assert_eq!(text, "1\n2\n");
/// # Ok::<(), hieratic_jinja::TemplateError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinePrefixes {
    /// The prefix of a statement. Only blanks may precede it.
    pub statement: String,
    /// The prefix of a comment, anywhere in the line.
    pub comment: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            base: PathBuf::from("."),
            search: Vec::new(),
            files: Files::below([] as [&Path; 0]),
            env: Variables::default(),
            extensions: Extensions::default(),
            lines: LinePrefixes::default(),
            overrides: Vec::new(),
            templates: false,
            foreign: Foreign::default(),
            strict: true,
            budget: Budget::default(),
        }
    }
}
