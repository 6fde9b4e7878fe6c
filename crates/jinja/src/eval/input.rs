//! [`InputVariables`]: the input variables of a rendering.
//!
//! In Ansible, a string in them is a template. It is rendered when the variable is used, with all input variables and
//! without the variables that the template sets: `ansible.template.vars.AnsibleJ2Vars`. A template that changes its
//! input works on copies. In Jinja2, all templates of a rendering share one copy. Ansible recreates variables, so there
//! is one copy for each template, block, macro or iteration of a loop that uses the variable first.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use hieratic_value::Value as Data;
use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};

use super::frame::Pool;
use super::{Frame, Mode, Renderer, Scope};
use crate::convert::{deferred, is_marked};
use crate::error::{Result, error};
use crate::json_tree::JsonView;
use crate::objects::{
    Dict, Encrypted, Entries, HostVariables, List, SourceView, Tuple, UndefinedOrigin, Verbatim, copied, detached,
    give, in_source_of, is_collection,
};
use crate::python::kind::{invalid, small};
use crate::settings::Settings;
use crate::syntax::Template;
use crate::syntax::ast::{Body, Location, Name};
use crate::work;

use super::scope::Binding;

/// The input variables of a rendering.
pub struct InputVariables {
    variables: Value,
    /// Whether the template changes its input, so that it works on copies.
    copies: bool,
    /// True if strings are never templates.
    is_final: bool,
    /// The rendered values of the variables that were used.
    rendered: RefCell<HashMap<String, Option<Value>>>,
    /// The copies that all templates share.
    shared: RefCell<HashMap<String, Value>>,
    /// The variables that are being rendered.
    open: RefCell<Vec<String>>,
}

impl InputVariables {
    /// Creates the input variables from values, or from copies of them.
    pub fn new(variables: &Value, copies: bool) -> InputVariables {
        let (rendered, shared, open) = Default::default();
        InputVariables { variables: variables.clone(), copies, is_final: false, rendered, shared, open }
    }

    /// Creates input variables for a separate template.
    pub fn for_variables(&self, variables: &Value, is_final: bool) -> InputVariables {
        InputVariables { is_final, ..InputVariables::new(variables, self.copies) }
    }

    /// Returns all variables without rendering them.
    pub fn variables(&self) -> &Value {
        &self.variables
    }

    /// Returns a variable without rendering it.
    pub fn raw(&self, name: &str) -> Option<Value> {
        let found = self.variables.as_object().and_then(|object| object.get_value_by_str(name));
        found.filter(|value| !value.is_undefined())
    }
}

/// The delimiters that can make a string a template.
const MARKS: [&str; 3] = ["{{", "{%", "{#"];

/// Returns whether a string among the variables may be a template.
fn may_be_template(text: &str) -> bool {
    text.contains('{') && MARKS.iter().any(|mark| text.contains(mark)) || text.starts_with("#jinja2:")
}

impl Renderer<'_> {
    /// Returns whether input variables are looked up again in each iteration of a loop.
    pub(super) fn rereads_input(&self) -> bool {
        self.given.copies && self.engine.options.templates
    }

    /// Runs `work` with the variables of `body`. Input variables are looked up again inside, unless a statement around
    /// it reads them.
    pub(super) fn within(
        &self,
        body: &Body,
        frame: &mut Frame,
        work: impl FnOnce(&mut Frame) -> Result<()>,
    ) -> Result<()> {
        if self.rereads_input() {
            frame.clear_input(body.anew.get().map_or(&[], Vec::as_slice));
        }
        frame.within(body.level(), work)
    }

    /// Looks up a variable by its name, except in slots.
    pub(super) fn find(&self, name: &str, frame: &Frame) -> Result<Option<Value>> {
        self.found(name, frame.scope(), true)
    }

    /// Looks up a variable that is not in a slot.
    pub(super) fn look_up(&self, name: &Name, frame: &Frame) -> Result<Option<Value>> {
        let is_kept = matches!(name.location(), Location::Input(_));
        let found = self.found(&name.text, frame.scope(), !is_kept)?;
        if let Some(value) = found.as_ref().filter(|_| is_kept) {
            frame.keep(name, value);
        }
        Ok(found)
    }

    fn found(&self, name: &str, scope: &Scope, keeps: bool) -> Result<Option<Value>> {
        match scope.find(name) {
            // Ansible and Unfurl render the variables of an included file, which copies them.
            Binding::Around(value) if self.copies_around() && is_collection(&value) => {
                scope.copy_of(name, keeps, || detached(&value, self.given.copies)).map(Some)
            }
            Binding::Set(value) | Binding::Around(value) => Ok(Some(value)),
            Binding::Unbound => Ok(None),
            Binding::Input => {
                let Some(value) = self.value_of(name)? else { return Ok(None) };
                if !self.given.copies {
                    return Ok(Some(value));
                }
                let Some(copy) = copied(&value) else { return Ok(Some(value)) };
                if self.engine.options.templates {
                    return scope.copy_of(name, keeps, || Ok(copy)).map(Some);
                }
                let mut shared = self.given.shared.borrow_mut();
                Ok(Some(shared.entry(name.to_owned()).or_insert(copy).clone()))
            }
        }
    }

    /// Returns whether an included file gets copies of what the template around it sets.
    fn copies_around(&self) -> bool {
        self.engine.options.templates || self.mode.get() == Mode::Native
    }

    /// Returns an input variable, rendered. The value is shared and must not be changed.
    pub(super) fn value_of(&self, name: &str) -> Result<Option<Value>> {
        if let Some(known) = self.given.rendered.borrow().get(name) {
            return Ok(known.clone());
        }
        let value = match self.given.raw(name) {
            Some(value) if value.kind() == ValueKind::Invalid => return Err(invalid(&value)),
            Some(value) if self.engine.options.templates && !self.given.is_final => {
                Some(self.render_variable(name, &value)?)
            }
            Some(value) => Some(plain(value)),
            // `vars` is the dictionary of all variables, unrendered.
            None if name == "vars" && self.engine.options.templates => Some(self.given.variables.clone()),
            None => None,
        };
        if let Some(value) = &value {
            give(value)?;
        }
        self.given.rendered.borrow_mut().insert(name.to_owned(), value.clone());
        Ok(value)
    }

    /// Renders the variables that a template names outside of loops, as Jinja2 does before it evaluates the template:
    /// one that cannot be rendered is an error even if it is not used. An undefined one is not.
    pub(super) fn render_named(&self, names: &[Arc<str>], scope: &Scope) -> Result<()> {
        if !self.engine.options.templates {
            return Ok(());
        }
        for name in names {
            if matches!(scope.find(name), Binding::Input) {
                self.value_of(name)?;
            }
        }
        Ok(())
    }

    /// Renders a variable that may contain templates.
    fn render_variable(&self, name: &str, raw: &Value) -> Result<Value> {
        if !needs_rendering(raw, &mut 0)? {
            return Ok(raw.clone());
        }
        if self.given.open.borrow().iter().any(|open| open == name) {
            let text = crate::python::str(raw)?;
            return Err(error(format!("recursive loop detected in template string: {text}")));
        }
        self.given.open.borrow_mut().push(name.to_owned());
        let source = format!("variable {name}");
        let outer = self.error_position.take();
        let rendered = self.deeper(|| self.rendered(raw, &source));
        self.given.open.borrow_mut().pop();
        match rendered {
            Err(error) if error.kind() == ErrorKind::UndefinedError => {
                *self.error_position.borrow_mut() = outer;
                // The variable itself is undefined, which is an error only if it is used.
                let hint = format!("{}: {}", crate::python::str(raw)?, detail(&error));
                Ok(self.missing(UndefinedOrigin::Hint(hint)))
            }
            Err(error) => Err(error),
            Ok(value) => {
                *self.error_position.borrow_mut() = outer;
                Ok(value)
            }
        }
    }

    /// A value among the variables with all templates in it rendered; errors name the source.
    pub(super) fn rendered(&self, raw: &Value, source: &str) -> Result<Value> {
        work::steps(1)?;
        if let Some(text) = raw.as_str() {
            return if may_be_template(text) { self.rendered_text(text, source) } else { Ok(raw.clone()) };
        }
        if let Some(list) = raw.downcast_object_ref::<List>() {
            let items = list.shared();
            work::elements(items.len())?;
            return items.iter().map(|item| self.rendered(item, source)).collect::<Result<_>>().map(List::value);
        }
        if let Some(tuple) = raw.downcast_object_ref::<Tuple>() {
            work::elements(tuple.items().len())?;
            let items = tuple.items().iter().map(|item| self.rendered(item, source));
            return items.collect::<Result<_>>().map(List::value);
        }
        if let Some(dict) = raw.downcast_object_ref::<Dict>() {
            let entries = dict.shared();
            work::elements(2 * entries.len())?;
            let entries = entries.iter().map(|(key, item)| Ok((key.clone(), self.rendered(item, source)?)));
            return entries.collect::<Result<Entries>>().map(Dict::value);
        }
        if let Some(encrypted) = raw.downcast_object_ref::<Encrypted>() {
            return Ok(self.decrypted(encrypted));
        }
        Ok(plain(raw.clone()))
    }

    fn rendered_text(&self, text: &str, source: &str) -> Result<Value> {
        let settings = Settings {
            trim_blocks: true,
            plain_backslashes: text.contains("{{"),
            extensions: self.engine.options.extensions,
            ..Settings::default()
        };
        self.text_to_value(text, source, settings, Mode::Variable)
    }

    /// Renders a template to a value, as the mode says.
    fn text_to_value(&self, text: &str, source: &str, settings: Settings, mode: Mode) -> Result<Value> {
        match self.lone_variable(text) {
            Some(found) => Ok(found),
            None => self.with_newlines(text, source, settings, mode),
        }
    }

    /// The value of a template that is only the name of a number, a truth value or none, which keeps its type.
    fn lone_variable(&self, text: &str) -> Option<Value> {
        let found = self.given.raw(lone_name(text)?)?;
        let is_plain =
            small(&found).is_some() || matches!(found.kind(), ValueKind::Number | ValueKind::Bool | ValueKind::None);
        is_plain.then_some(found)
    }

    /// Renders a template whose newlines at the end stay.
    fn with_newlines(&self, text: &str, source: &str, settings: Settings, mode: Mode) -> Result<Value> {
        let template = self.read_template(source, text, settings)?;
        let outer = self.mode.replace(mode);
        let printed = self.deeper(|| self.template(&template, &Scope::root(true, &template.unit), 0));
        self.mode.set(outer);
        let value = printed?.finish(mode)?;
        let Some(result) = value.as_str() else { return Ok(value) };
        let newlines = |text: &str| text.len() - text.trim_end_matches('\n').len();
        match newlines(text).saturating_sub(newlines(result)) {
            0 => Ok(value),
            missing => Ok(Value::from(format!("{result}{}", "\n".repeat(missing)))),
        }
    }

    /// Renders the template of a lookup with these variables: to the value that a variable with this text would have, or
    /// to text (`is_text`), which nothing converts to another value later.
    pub(super) fn render_looked_up(
        &self,
        given: InputVariables,
        text: &str,
        source: &str,
        settings: Settings,
        is_text: bool,
    ) -> Result<Value> {
        let marks = [&settings.variable.0, &settings.block.0, &settings.comment.0];
        let value = if marks.into_iter().any(|mark| text.contains(mark.as_str())) {
            let mode = if is_text { Mode::Text } else { Mode::Variable };
            self.beside(given, |other| other.text_to_value(text, source, settings, mode))?
        } else {
            Value::from(text)
        };
        // With native types, Ansible keeps the result of this lookup as text.
        if is_text || !self.engine.options.templates {
            Ok(Value::from_safe_string(crate::python::str(&value)?))
        } else {
            Ok(value)
        }
    }

    /// Runs `work` in a separate rendering with other variables.
    fn beside<T>(&self, given: InputVariables, work: impl FnOnce(&Renderer<'_>) -> Result<T>) -> Result<T> {
        let other = Renderer {
            engine: self.engine,
            environment: self.environment,
            given,
            mode: Cell::new(Mode::Variable),
            error_position: RefCell::new(None),
            circular: RefCell::default(),
            pool: Pool::default(),
            loaded: RefCell::default(),
            modules: RefCell::default(),
        };
        let found = self.deeper(|| work(&other));
        for scope in other.circular.take() {
            scope.clear();
        }
        if found.is_err() {
            *self.error_position.borrow_mut() = other.error_position.take();
        }
        found
    }

    /// Renders a template in a separate rendering with other variables.
    pub(super) fn render_other(&self, given: InputVariables, template: &Arc<Template>, mode: Mode) -> Result<Value> {
        self.beside(given, |other| {
            other.mode.set(mode);
            other.template(template, &Scope::root(true, &template.unit), 0)?.finish(mode)
        })
    }

    /// Returns a variable of another host, rendered in the context of that host; `None` if the value is not the
    /// variables of a host.
    pub(super) fn of_host(&self, value: &Value, name: &str) -> Result<Option<Value>> {
        let Some(HostVariables(variables)) = value.downcast_object_ref() else { return Ok(None) };
        let found = self.beside(InputVariables::new(variables, false), |other| other.value_of(name));
        Ok(found?.map(|value| copied(&value).filter(|_| self.given.copies).unwrap_or(value)))
    }

    /// Returns all variables of another host as a dictionary, rendered in the context of that host; `None` if the value
    /// is not the variables of a host.
    pub(super) fn all_of_host(&self, value: &Value) -> Result<Option<Value>> {
        let Some(HostVariables(variables)) = value.downcast_object_ref() else { return Ok(None) };
        let names = crate::python::iterate(variables)?;
        self.beside(InputVariables::new(variables, false), |other| {
            let entries = names.into_iter().filter_map(|name| {
                let found = other.value_of(name.as_str()?);
                found.map(|found| Some((name, found?))).transpose()
            });
            entries.collect::<Result<Entries>>().map(Dict::value).map(Some)
        })
    }

    /// The plain string of an encrypted one; one that cannot be decrypted is an error only where it is used.
    fn decrypted(&self, encrypted: &Encrypted) -> Value {
        let failed = |reason: Option<Arc<str>>| Value::from_object(Encrypted { why: reason, ..encrypted.clone() });
        match &self.engine.decrypt {
            Some(decrypt) => decrypt(&encrypted.text).map_or_else(|reason| failed(Some(reason.into())), Value::from),
            None => failed(None),
        }
    }
}

/// Returns the name of a template that consists of a name in braces.
fn lone_name(text: &str) -> Option<&str> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let name = text.strip_prefix("{{")?.strip_suffix("}}")?.trim();
    name.chars().all(|letter| letter == '_' || letter.is_alphanumeric()).then_some(name)
}

/// Returns the form in which templates see a value that is not a template.
fn plain(value: Value) -> Value {
    match value.downcast_object_ref::<Verbatim>() {
        Some(verbatim) => Value::from(verbatim.0.clone()),
        None => value,
    }
}

fn detail(error: &Error) -> String {
    error.detail().map_or_else(|| error.to_string(), str::to_owned)
}

/// The maximum nesting depth of values that are searched.
const MAX_DEPTH: usize = 500;

/// Returns whether a value must be rendered before its use: because a string in it may be a template, is verbatim, or is
/// encrypted.
fn needs_rendering(value: &Value, depth: &mut usize) -> Result<bool> {
    work::steps(1)?;
    if let Some(text) = value.as_str() {
        work::scan(text.len())?;
        return Ok(may_be_template(text));
    }
    if value.as_object().is_none() {
        return Ok(false);
    }
    if value.downcast_object_ref::<Verbatim>().is_some() || value.downcast_object_ref::<Encrypted>().is_some() {
        return Ok(true);
    }
    // A value that is not converted yet is looked through as it is.
    let found = in_source_of(value, |source| match source.view() {
        SourceView::Data(data, _) => data_needs_rendering(data, depth),
        SourceView::Json(json, _) => json_needs_rendering(json),
    });
    if let Some(found) = found {
        return found;
    }
    if *depth >= MAX_DEPTH {
        return Err(error("the variable nests too deeply"));
    }
    *depth += 1;
    let any = |values: &mut dyn Iterator<Item = &Value>, depth: &mut usize| -> Result<bool> {
        for value in values {
            if needs_rendering(value, depth)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let found = if let Some(list) = value.downcast_object_ref::<List>() {
        any(&mut list.shared().iter(), depth)
    } else if let Some(tuple) = value.downcast_object_ref::<Tuple>() {
        any(&mut tuple.items().iter(), depth)
    } else if let Some(dict) = value.downcast_object_ref::<Dict>() {
        any(&mut dict.shared().values(), depth)
    } else {
        Ok(false)
    };
    *depth -= 1;
    found
}

/// Checks the same of a value of the data model, which is not converted for it.
fn data_needs_rendering(data: &Data, depth: &mut usize) -> Result<bool> {
    work::steps(1)?;
    let mut any = |values: &mut dyn Iterator<Item = &Data>| -> Result<bool> {
        if *depth >= MAX_DEPTH {
            return Err(error("the variable nests too deeply"));
        }
        *depth += 1;
        for value in values {
            if data_needs_rendering(value, depth)? {
                return Ok(true);
            }
        }
        *depth -= 1;
        Ok(false)
    };
    match data {
        Data::String(text) => {
            work::scan(text.len())?;
            Ok(may_be_template(text))
        }
        Data::Array(items) => any(&mut items.iter()),
        Data::Hash(hash) => any(&mut hash.iter().map(|(_, value)| value)),
        _ => match deferred(data) {
            Some(json) => json_needs_rendering(json),
            None => Ok(is_marked(data)),
        },
    }
}

/// Checks the same of a value of a JSON document, of which its parser knows whether it may have templates.
fn json_needs_rendering(json: JsonView<'_>) -> Result<bool> {
    work::steps(1 + json.count())?;
    Ok(json.has_template(may_be_template))
}
