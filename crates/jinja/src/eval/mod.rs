//! Evaluates the tree of a template.
//!
//! [`native`] converts the output of a template to a value or a string. Variables are in slots of a [`Frame`], or in
//! [`Scope`]s. A [`Renderer`] is one rendering: it charges the budget for the work of the template. Filters, tests and
//! functions access it as a [`context`].

mod calls;
mod context;
mod expressions;
mod fast_loop;
mod frame;
mod input;
mod items;
mod loop_variable;
mod loops;
mod macros;
mod native;
mod scope;
mod statements;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use hieratic_diagnostics::{Source, Span};
use minijinja::{Environment, Error, ErrorKind, Value};

use crate::engine_state::EngineState;
use crate::error::Result;
use crate::objects::Module;
use crate::settings::Settings;
use crate::syntax::Template;
use crate::taint_observer::tell;
use crate::{TemplateError, TemplateErrorKind, work};

pub use calls::foreign;
use frame::Pool;
pub use frame::{Blocks, Frame, FrameOrigin, TemplateContext};
use input::InputVariables;
pub use native::{Mode, Output};
pub use scope::Scope;

/// The state of one rendering.
pub struct Renderer<'a> {
    /// The state of the engine.
    pub engine: &'a EngineState,
    /// The environment whose state minijinja passes to objects that are called.
    environment: &'a Environment<'a>,
    /// The input variables.
    given: InputVariables,
    /// The conversion of the output.
    mode: Cell<Mode>,
    /// The position of the first error.
    error_position: RefCell<Option<(Source, Span)>>,
    /// Scopes that hold macros, which hold them.
    circular: RefCell<Vec<Arc<Scope>>>,
    /// Slots of frames that have ended.
    pool: Pool,
    /// The templates that were loaded by name, with the length of their source.
    loaded: RefCell<HashMap<String, (Arc<Template>, usize)>>,
    /// The modules that were imported without context, by the id of their source.
    modules: RefCell<HashMap<u64, Arc<Module>>>,
}

/// The maximum initial capacity of the output buffer in bytes.
const MAX_CAPACITY: usize = 16 << 10;

impl<'a> Renderer<'a> {
    /// Renders a template.
    pub fn render<T>(
        engine: &'a EngineState,
        environment: &'a Environment<'a>,
        mode: Mode,
        template: &Arc<Template>,
        variables: &Value,
        finish: impl Fn(Output) -> Result<T>,
    ) -> std::result::Result<T, TemplateError> {
        let once = |copies| {
            Renderer::render_once(engine, environment, mode, template, InputVariables::new(variables, copies), &finish)
        };
        work::without_copies(|| once(false)).unwrap_or_else(|| work::with_copies(|| once(true)))
    }

    fn render_once<T>(
        engine: &'a EngineState,
        environment: &'a Environment<'a>,
        mode: Mode,
        template: &Arc<Template>,
        given: InputVariables,
        finish: impl Fn(Output) -> Result<T>,
    ) -> std::result::Result<T, TemplateError> {
        let run = Renderer {
            engine,
            environment,
            given,
            mode: Cell::new(mode),
            error_position: RefCell::new(None),
            circular: RefCell::new(Vec::new()),
            pool: Pool::default(),
            loaded: RefCell::default(),
            modules: RefCell::default(),
        };
        let scope = Scope::root(true, &template.unit);
        // Most templates print about as much as they are long.
        let length = template.source.text().len().min(MAX_CAPACITY);
        let rendered =
            run.load_plugins(template).and_then(|()| run.template(template, &scope, length)).and_then(finish);
        for scope in run.circular.take() {
            scope.clear();
        }
        rendered.map_err(|error| run.fault(error, template))
    }

    /// Converts an error, with its position and advice.
    fn fault(&self, error: Error, template: &Arc<Template>) -> TemplateError {
        let problem = TemplateError::from_engine(error);
        let help = match problem.kind {
            TemplateErrorKind::Undefined => {
                Some("set a default with the filter `default`, or test it with `is defined`".into())
            }
            _ => None,
        };
        let whole = (template.source.clone(), Span { start: 0, end: 0 });
        let place = self.error_position.borrow().clone().unwrap_or(whole);
        TemplateError { help: problem.help.clone().or(help), ..problem }.at(Some(place))
    }

    /// Calls a function and reports its inputs and its result to the observer.
    pub fn observed_call(
        &self,
        receiver: &[&Value],
        args: crate::call::Args,
        call: impl FnOnce(crate::call::Args) -> Result<Value>,
    ) -> Result<Value> {
        let Some(observer) = &self.engine.observer else { return call(args) };
        let given = receiver.iter().copied().chain(&args.positional).chain(args.named.iter().map(|(_, value)| value));
        let given: Vec<Value> = given.cloned().collect();
        let result = call(args)?;
        tell(&**observer, &given, &result)?;
        Ok(result)
    }

    /// Reports the operands and the result of an operator or a statement to the observer.
    pub fn tell(&self, of: &[&Value], result: &Value) -> Result<()> {
        let Some(observer) = &self.engine.observer else { return Ok(()) };
        let of: Vec<Value> = of.iter().map(|value| (*value).clone()).collect();
        tell(&**observer, &of, result)
    }

    /// Charges steps to the budget of the rendering.
    #[inline]
    pub fn charge(&self, units: usize) -> Result<()> {
        work::steps(units)
    }

    /// Charges the memory of a value of this size.
    fn charge_for(&self, value: &Value) -> Result<()> {
        match value.as_str() {
            // Short strings are stored in the value itself.
            Some(text) if text.len() < work::ELEMENT => Ok(()),
            Some(text) => work::bytes(text.len()),
            None => match value.as_object().and_then(|object| object.enumerator_len()) {
                Some(length) => work::elements(length),
                None => Ok(()),
            },
        }
    }

    /// Charges the cost of reading a string argument.
    fn charge_look(&self, value: &Value) -> Result<()> {
        value.as_str().map_or(Ok(()), |text| work::scan(text.len()))
    }

    /// Evaluates one level deeper, within the limit.
    fn deeper<T>(&self, evaluate: impl FnOnce() -> Result<T>) -> Result<T> {
        work::deeper(evaluate)
    }

    /// Records the position of an error, unless an inner one is known.
    #[inline]
    fn failed_at<T>(&self, result: Result<T>, template: &Template, span: Span) -> Result<T> {
        if result.is_err() {
            self.error_position.borrow_mut().get_or_insert_with(|| (template.source.clone(), span));
        }
        result
    }

    /// Drops an error that the caller has handled.
    pub fn forgive(&self) {
        self.error_position.borrow_mut().take();
    }

    /// A template in a file, read as the one that names it.
    fn load(&self, name: &str, of: &Template) -> Result<Arc<Template>> {
        if let Some((template, size)) = self.loaded.borrow().get(name)
            && template.settings == of.settings
        {
            // A file that is named again is read once, but charged again.
            self.charge(size / 16)?;
            work::bytes(*size)?;
            return Ok(template.clone());
        }
        let path = self.engine.files().template(name)?;
        let Some(path) = path else {
            return Err(self.engine.files().no_template(&[name.to_string()]));
        };
        let text = self.engine.files().read_text(&path)?;
        let template = self.reading(&text, || self.engine.parts.read(name, &text, &of.settings))?;
        self.load_plugins(&template)?;
        self.loaded.borrow_mut().insert(name.to_string(), (template.clone(), text.len()));
        Ok(template)
    }

    /// Parses a template.
    pub fn read_template(&self, name: &str, text: &str, settings: Settings) -> Result<Arc<Template>> {
        let template = self.reading(text, || crate::syntax::read(name, text, settings))?;
        self.load_plugins(&template)?;
        Ok(template)
    }

    /// Charges for reading a template, and notes where it cannot be read.
    fn reading(
        &self,
        text: &str,
        read: impl FnOnce() -> std::result::Result<Arc<Template>, TemplateError>,
    ) -> Result<Arc<Template>> {
        self.charge(text.len() / 16)?;
        work::bytes(text.len())?;
        read().map_err(|error| {
            *self.error_position.borrow_mut() = error.place.clone();
            Error::new(ErrorKind::SyntaxError, error.message)
        })
    }

    /// Renders a template as part of this rendering, with the variables of a scope.
    pub fn render_nested(&self, template: &Arc<Template>, scope: &Arc<Scope>, mode: Mode) -> Result<Value> {
        let outer = self.mode.replace(mode);
        let printed = self.deeper(|| self.template(template, &Scope::beginning(scope, &template.unit), 0));
        self.mode.set(outer);
        printed?.finish(mode)
    }

    /// Creates an undefined value.
    pub fn missing(&self, subject: crate::objects::UndefinedOrigin) -> Value {
        crate::objects::Missing::value(subject, self.engine.options.strict)
    }
}
