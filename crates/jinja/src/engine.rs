//! [`Engine`]: renders templates.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use minijinja::{Environment, Error, Value};

use crate::call::Args;
use crate::engine_state::EngineState;
use crate::eval::{Mode, Output, Renderer};
use crate::extension::{Extension, NOTHING};
use crate::host::{Definition, Host};
use crate::settings::Settings;
use crate::syntax::Template;
use crate::taint_observer::TaintObserver;
use crate::template_cache::TemplateCache;
use crate::{LinePrefixes, Options, TemplateError, functions, work};

/// Renders templates of Jinja2, with the additions of an [`Extension`]. Engines do not share state.
///
/// ```
/// use hieratic_jinja::extend::minijinja::{Value, context};
/// use hieratic_jinja::{Engine, Options};
///
/// let mut engine = Engine::new(&Options::default());
/// engine.add_filter("shout", |_, args| {
///     let [text] = args.bind(["text"], 1)?;
///     Ok(Value::from(format!("{}!", text.unwrap_or_default())))
/// });
/// assert_eq!(engine.render("{{ 'hi' | shout }}", context! {})?.as_str(), Some("hi!"));
/// # Ok::<(), hieratic_jinja::TemplateError>(())
/// ```
pub struct Engine {
    /// The state that calls of minijinja's objects require.
    environment: Environment<'static>,
    state: EngineState,
}

impl Engine {
    /// Creates an engine with the filters, tests and functions of Jinja2.
    pub fn new(options: &Options) -> Engine {
        Engine::with(options, &NOTHING)
    }

    /// Creates an engine that also has the filters, tests and functions of an extension.
    pub fn with(options: &Options, extension: &'static Extension) -> Engine {
        let state = EngineState {
            options: options.clone(),
            extension,
            added: HashMap::new(),
            data: None,
            observer: None,
            decrypt: None,
            parts: TemplateCache::default(),
        };
        Engine { environment: Environment::empty(), state }
    }

    /// Adds a filter. It does not replace filters of the language and of the extension with the same name.
    ///
    /// It never receives undefined values, which are errors unless they are allowed. Escaped strings are converted to
    /// plain ones.
    pub fn add_filter(
        &mut self,
        name: &str,
        filter: impl Fn(&dyn Host, Args) -> Result<Value, Error> + Send + Sync + 'static,
    ) {
        self.state.added.insert(name.to_string(), Box::new(filter));
    }

    /// Returns the extension's data for this engine. Its functions find the data in [`Host::data`].
    pub fn data_mut<T: Any + Default + Send + Sync>(&mut self) -> Option<&mut T> {
        let data = self.state.data.get_or_insert_with(|| Box::<T>::default());
        data.downcast_mut()
    }

    /// Sets the observer of the inputs and results of filters, methods, functions, operators and slices.
    pub fn set_observer(&mut self, observer: Arc<dyn TaintObserver>) {
        self.state.observer = Some(observer);
    }

    /// Sets the function that decrypts strings with the tag `!vault` on their first use. If it returns an error
    /// message, using the variable is an error.
    pub fn set_vault(&mut self, decrypt: impl Fn(&str) -> Result<String, String> + Send + Sync + 'static) {
        self.state.decrypt = Some(Box::new(decrypt));
    }

    /// Renders a template to a value, as Ansible does with native types and Unfurl always does: a single expression
    /// keeps its type, several pieces are a string, and a string that is a Python literal becomes its value. Whitespace
    /// around the template is ignored. A string without braces is returned unchanged.
    ///
    /// # Errors
    ///
    /// The template has a syntax error or its evaluation fails. The error has a position in the template. Errors of
    /// filters, functions and lazy variables have their own messages and sources.
    ///
    /// ```
    /// use hieratic_jinja::extend::minijinja::{Value, context};
    /// use hieratic_jinja::{Engine, Options};
    ///
    /// let engine = Engine::new(&Options::default());
    /// assert_eq!(engine.render("{{ 5 }}{{ 6 }}", context! {})?, Value::from(56));
    /// let error = engine.render("{{ nope }}", context! {}).map_err(|error| error.message);
    /// assert_eq!(error, Err("'nope' is undefined".to_string()));
    /// # Ok::<(), hieratic_jinja::TemplateError>(())
    /// ```
    pub fn render(&self, template: &str, variables: Value) -> Result<Value, TemplateError> {
        let template = template.trim();
        if !["{{", "{%", "{#"].iter().any(|start| template.contains(start)) && !template.starts_with("#jinja2:") {
            return Ok(Value::from(template));
        }
        let settings = Settings { plain_backslashes: template.contains("{{"), ..self.settings(Mode::Native) };
        let template = self.read("template", template, settings)?;
        self.run(&template, Mode::Native, variables, |printed| printed.finish(Mode::Native))
    }

    /// Renders a file to a string, as Ansible's module `template` does: the newline after a block belongs to the block,
    /// the newline at the end stays, and `none` prints as an empty string.
    ///
    /// # Errors
    ///
    /// As [`Engine::render`].
    ///
    /// ```
    /// use hieratic_jinja::extend::minijinja::context;
    /// use hieratic_jinja::{Engine, Options};
    ///
    /// let engine = Engine::new(&Options::default());
    /// let text = engine.render_text("motd.j2", "{% if true %}\nport {{ [80] }}\n{% endif %}\n", context! {})?;
    /// assert_eq!(text, "port [80]\n");
    /// # Ok::<(), hieratic_jinja::TemplateError>(())
    /// ```
    pub fn render_text(&self, name: &str, template: &str, variables: Value) -> Result<String, TemplateError> {
        self.render_prepared(&self.prepare(name, template)?, variables)
    }

    /// Parses a template for [`Engine::render_prepared`], which renders it as [`Engine::render_text`] does.
    ///
    /// # Errors
    ///
    /// The template has a syntax error. The error has a position.
    ///
    /// ```
    /// use hieratic_jinja::extend::minijinja::context;
    /// use hieratic_jinja::{Engine, Options};
    ///
    /// let engine = Engine::new(&Options::default());
    /// let greeting = engine.prepare("greeting.j2", "Hello, {{ name }}!\n")?;
    /// assert_eq!(engine.render_prepared(&greeting, context! { name => "Ada" })?, "Hello, Ada!\n");
    /// assert_eq!(engine.render_prepared(&greeting, context! { name => "Bob" })?, "Hello, Bob!\n");
    /// # Ok::<(), hieratic_jinja::TemplateError>(())
    /// ```
    pub fn prepare(&self, name: &str, template: &str) -> Result<Prepared, TemplateError> {
        let newlines = newlines(template);
        let settings = crate::syntax::change(self.settings(Mode::Text), &self.state.options.overrides);
        let settings = settings.map_err(|message| TemplateError::from_engine(crate::error::error(message)))?;
        let newline = crate::syntax::newline(template, &settings);
        Ok(Prepared { template: self.read(name, template, settings)?, newlines, newline })
    }

    /// Renders a prepared template.
    ///
    /// # Errors
    ///
    /// As [`Engine::render`].
    pub fn render_prepared(&self, prepared: &Prepared, variables: Value) -> Result<String, TemplateError> {
        let mut text = self.run(&prepared.template, Mode::Text, variables, Output::into_text)?;
        let missing = prepared.newlines.saturating_sub(newlines(&text));
        text.push_str(&prepared.newline.repeat(missing));
        Ok(text)
    }

    /// Parses a template without rendering it.
    ///
    /// # Errors
    ///
    /// The template has a syntax error. The error has a position.
    ///
    /// ```
    /// use hieratic_jinja::{Engine, Options};
    ///
    /// let engine = Engine::new(&Options::default());
    /// assert!(engine.check_syntax("a.j2", "{{ nobody_knows | nothing }}").is_ok());
    /// assert!(engine.check_syntax("b.j2", "{% if x %}").is_err());
    /// ```
    pub fn check_syntax(&self, name: &str, template: &str) -> Result<(), TemplateError> {
        crate::syntax::read(name, template, self.settings(Mode::Text)).map(|_| ())
    }

    /// Returns the filters of the language and of the extension, in no particular order.
    ///
    /// ```
    /// use hieratic_jinja::{Engine, Options};
    ///
    /// let engine = Engine::new(&Options::default());
    /// let indent = engine.filters().find(|filter| filter.name == "indent").unwrap();
    /// assert_eq!(indent.parameters, "width=4, first=False, blank=False");
    /// ```
    pub fn filters(&self) -> impl Iterator<Item = &'static Definition> {
        self.state.filters()
    }

    /// Returns the tests of the language and of the extension, in no particular order.
    pub fn tests(&self) -> impl Iterator<Item = &'static Definition> {
        self.state.tests()
    }

    /// Returns the functions that every template has, except those for translations.
    pub fn functions(&self) -> impl Iterator<Item = &'static Definition> {
        [functions::TABLE, self.state.extension.functions].into_iter().flatten()
    }

    /// Returns the syntax settings for a mode.
    fn settings(&self, mode: Mode) -> Settings {
        let LinePrefixes { statement, comment } = self.state.options.lines.clone();
        Settings {
            trim_blocks: mode == Mode::Text,
            plain_backslashes: false,
            extensions: self.state.options.extensions,
            line_statement: statement,
            line_comment: comment,
            ..Settings::default()
        }
    }

    fn read(&self, name: &str, text: &str, settings: Settings) -> Result<Arc<Template>, TemplateError> {
        work::within(&self.state.options.budget, || work::scan(text.len()).map_err(TemplateError::from_engine))?;
        crate::syntax::read(name, text, settings)
    }

    fn run<T>(
        &self,
        template: &Arc<Template>,
        mode: Mode,
        variables: Value,
        finish: impl Fn(Output) -> crate::error::Result<T>,
    ) -> Result<T, TemplateError> {
        work::within(&self.state.options.budget, || {
            Renderer::render(&self.state, &self.environment, mode, template, &variables, finish)
        })
    }
}

/// A parsed template.
pub struct Prepared {
    template: Arc<Template>,
    /// The number of newlines at its end, and their spelling.
    newlines: usize,
    newline: &'static str,
}

/// Counts the newlines at the end of a string.
fn newlines(text: &str) -> usize {
    text.len() - text.trim_end_matches('\n').len()
}
