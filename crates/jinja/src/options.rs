//! [`Options`]: what a template may do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic_powers::{Budget, Files};

/// How an [`Engine`](crate::Engine) renders.
///
/// ```
/// use hieratic_jinja::{Files, Options};
///
/// let options = Options { base: "templates".into(), files: Files::below(["templates"]), ..Options::default() };
/// assert!(options.strict && options.env.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder that relative names of files start from.
    pub base: PathBuf,
    /// The folders where files are looked for that templates name, in their order, as Ansible does for a role: in a folder of their kind
    /// (`templates`, `files`) below each, then in the folder itself. Files that are included are looked for in `base` at last. If there
    /// are none, all files are looked for in `base`.
    pub search: Vec<PathBuf>,
    /// Which files may be read, through lookups, filters, tests and includes; none by default.
    pub files: Files,
    /// The environment variables that templates see; none by default.
    pub env: BTreeMap<String, String>,
    /// Which statements templates have beside the usual ones; none by default.
    pub extensions: Extensions,
    /// What starts a statement that ends with its line, and what a comment that does; nothing by default.
    pub lines: LinePrefixes,
    /// Whether strings in the variables are templates themselves, which are rendered when a variable is used, as Ansible does.
    pub templates: bool,
    /// Whether to use what is not defined is an error. If not, it prints as it stands in the template.
    pub strict: bool,
    /// How much templates may do: about a step for each operation and each element that is gone through. All that an
    /// engine renders draws from it.
    pub budget: Budget,
}

/// The extensions that Jinja2 brings and that have to be asked for:
/// <https://jinja.palletsprojects.com/en/3.1.x/extensions/>.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// `jinja2.ext.do`: `{% do ... %}`.
    pub statements: bool,
    /// `jinja2.ext.loopcontrols`: `{% break %}` and `{% continue %}`.
    pub loops: bool,
    /// `jinja2.ext.i18n`: `{% trans %}` and the functions `gettext`, `ngettext`, `pgettext`, `npgettext` and `_`. There are no
    /// catalogs: each text is its own translation.
    pub translations: bool,
}

impl Extensions {
    /// Adds an extension by its name, with or without `jinja2.ext.` before it.
    ///
    /// # Errors
    ///
    /// What the names are, if this is none of them.
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

/// `line_statement_prefix` and `line_comment_prefix`: <https://jinja.palletsprojects.com/en/3.1.x/templates/#line-statements>. An
/// empty one is none.
///
/// ```
/// use hieratic_jinja::extend::minijinja::context;
/// use hieratic_jinja::{Engine, LinePrefixes, Options};
///
/// let lines = LinePrefixes { statement: "%".into(), comment: "##".into() };
/// let engine = Engine::new(&Options { lines, ..Options::default() });
/// let text = engine.render_text("a.j2", "% for i in [1, 2]:\n{{ i }} ## a number\n% endfor\n", context! {})?;
/// assert_eq!(text, "1\n2\n");
/// # Ok::<(), hieratic_jinja::Fault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinePrefixes {
    /// Before a statement, with blanks before it at most.
    pub statement: String,
    /// Before a comment, anywhere in the line.
    pub comment: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            base: PathBuf::from("."),
            search: Vec::new(),
            files: Files::below([] as [&Path; 0]),
            env: BTreeMap::new(),
            extensions: Extensions::default(),
            lines: LinePrefixes::default(),
            templates: false,
            strict: true,
            budget: Budget::default(),
        }
    }
}
