//! Converts values to those of templates, and back.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hieratic_jinja::extend::minijinja::State;
use hieratic_jinja::extend::minijinja::value::{
    DynObject, Enumerator, Kwargs, Object, ObjectRepr, Rest, ValueKind, from_args,
};
use hieratic_jinja::extend::objects::{Dict, List};
use hieratic_jinja::extend::python::kind::entries;
use hieratic_jinja::extend::python::{iterate, methods};
use hieratic_jinja::extend::{Args, Error, ErrorKind, Host as Rendering, Value as Template};
use hieratic_jinja::{from_value, from_value_to_change, to_value};
use hieratic_value::Value;

use super::errors::{convert_error, error};
use super::labels::label;
use crate::datum::{Datum, Plain};
use crate::host::Host;
use crate::label::RULES;
use crate::lazy::{LazyList, LazyMap};
use crate::matches::revealed;
use crate::scope::Scope;
use crate::{ExpressionError, stack};

/// The name under which filters find where the template is rendered.
const HANDLE: &str = "__unfurl";

/// The evaluation in which a template is rendered.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    pub(super) host: Arc<dyn Host>,
    pub(super) scope: Scope,
}

impl Object for Handle {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("<unfurl>")
    }

    /// `__unfurl.to_label('a', 'b', sep='.')`: the label of several parts.
    fn call_method(
        self: &Arc<Self>,
        _: &mut State<'_, '_>,
        method: &str,
        arguments: &[Template],
    ) -> Result<Template, Error> {
        if !RULES.contains(&method) {
            return Err(ErrorKind::UnknownMethod.into());
        }
        let (parts, options): (Rest<Template>, Kwargs) = from_args(arguments)?;
        label(&*self.host, method, &Template::from(parts.0), &options)
    }
}

impl Handle {
    /// Returns the evaluation in which the template of a filter is rendered.
    pub(super) fn from_rendering(rendering: &dyn Rendering) -> Result<Arc<Handle>, Error> {
        let handle = rendering.given(HANDLE).and_then(|handle| handle.downcast_object::<Handle>());
        handle
            .ok_or_else(|| Error::new(ErrorKind::InvalidOperation, "the template is rendered outside of an evaluation"))
    }
}

/// The variables of a template.
#[derive(Debug)]
struct Variables {
    handle: Arc<Handle>,
    more: Vec<(&'static str, Datum)>,
}

/// The variables of a template in a scope.
pub(super) fn variables(host: &Arc<dyn Host>, scope: &Scope) -> Template {
    variables_with(host, scope, [])
}

/// The variables of a template, and some more.
pub(super) fn variables_with(
    host: &Arc<dyn Host>,
    scope: &Scope,
    more: impl IntoIterator<Item = (&'static str, Datum)>,
) -> Template {
    let handle = Arc::new(Handle { host: host.clone(), scope: scope.inner() });
    Template::from_object(Variables { handle, more: more.into_iter().collect() })
}

impl Object for Variables {
    fn get_value(self: &Arc<Self>, key: &Template) -> Option<Template> {
        let name = key.as_str()?;
        let Handle { host, scope } = &*self.handle;
        if name == HANDLE {
            return Some(Template::from_dyn_object(self.handle.clone()));
        }
        if let Some((_, value)) = self.more.iter().find(|(more, _)| *more == name) {
            return Some(to_template(value, host));
        }
        if !scope.vars.contains(name) {
            return (name == "SELF").then(|| to_template(&host.attributes(scope.last), host));
        }
        Some(given(host.variable(name, scope), host))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        let mut names: Vec<Template> =
            self.handle.scope.vars.lock().keys().map(|name| Template::from(name.clone())).collect();
        names.push("SELF".into());
        names.push(HANDLE.into());
        Enumerator::Values(names)
    }
}

/// A value, or the error in its place.
fn given(value: Result<Datum, ExpressionError>, host: &Arc<dyn Host>) -> Template {
    match value {
        Ok(value) => to_template(&value, host),
        Err(problem) => Template::from(error(problem)),
    }
}

/// A value as templates see it. A secret is shown, and the template's result becomes one.
pub(super) fn to_template(value: &Datum, host: &Arc<dyn Host>) -> Template {
    match value {
        Datum::Plain(Plain { value, .. }) => {
            if value.contains_sensitive() {
                host.secret_shown();
                from_value_to_change(&revealed(value))
            } else {
                from_value_to_change(value)
            }
        }
        Datum::File(file) => Template::from(file.path.clone()),
        other => Template::from_object(TemplateView::new(other.clone(), host.clone())),
    }
}

/// A map, a list or an instance in a template.
#[derive(Debug)]
struct TemplateView {
    value: Datum,
    host: Arc<dyn Host>,
    /// The parts that were used: a template that changes one sees the change on its next use.
    parts: Mutex<HashMap<Template, Template>>,
    /// The list or map that it is since the template changed it.
    changed: OnceLock<Template>,
}

impl TemplateView {
    fn new(value: Datum, host: Arc<dyn Host>) -> TemplateView {
        TemplateView { value, host, parts: Mutex::default(), changed: OnceLock::new() }
    }

    /// The part at a key.
    fn part(&self, key: &Template) -> Option<Template> {
        let host = &self.host;
        let found = match &self.value {
            Datum::Instance(id) => {
                let name = key.as_str().filter(|name| !name.starts_with(['.', '_']))?;
                host.property(*id, &format!(".{name}")).ok()
            }
            Datum::List(list) => {
                let at = key.as_i64()?;
                let length = i64::try_from(list.len()).unwrap_or(i64::MAX);
                let at = if at < 0 { at + length } else { at };
                let at = usize::try_from(at).ok().filter(|at| *at < list.len())?;
                return Some(given(list.at(at, &**host), host));
            }
            map => {
                let key = to_value(key).ok()?;
                let scope = Scope::new(0, Arc::default(), true);
                return host.project(map, &key, &scope).transpose().map(|value| given(value, host));
            }
        };
        found.map(|value| to_template(&value, host))
    }

    /// A list or map of the same values that can be changed.
    fn to_change(self: &Arc<Self>) -> Result<Option<Template>, Error> {
        let whole = Template::from_dyn_object(self.clone());
        match &self.value {
            Datum::List(_) => Ok(Some(List::value(iterate(&whole)?))),
            Datum::Map(_) => Ok(Some(Dict::value(entries(&whole)?.into_iter().collect()))),
            _ => Ok(None),
        }
    }
}

impl Object for TemplateView {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        match &self.value {
            Datum::List(_) => ObjectRepr::Seq,
            Datum::Map(_) | Datum::Instances | Datum::Nodes => ObjectRepr::Map,
            _ => ObjectRepr::Plain,
        }
    }

    fn get_value(self: &Arc<Self>, key: &Template) -> Option<Template> {
        if let Some(changed) = self.changed.get() {
            return changed.as_object()?.get_value(key);
        }
        let parts = || self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = parts().get(key) {
            return Some(known.clone());
        }
        let part = self.part(key)?;
        // Only a value that can be changed needs a stable identity.
        if part.as_object().is_some() {
            parts().insert(key.clone(), part.clone());
        }
        Some(part)
    }

    fn call_method(
        self: &Arc<Self>,
        _: &mut State<'_, '_>,
        method: &str,
        arguments: &[Template],
    ) -> Result<Template, Error> {
        const CHANGING: [&str; 11] = [
            "append",
            "clear",
            "extend",
            "insert",
            "pop",
            "popitem",
            "remove",
            "reverse",
            "setdefault",
            "sort",
            "update",
        ];
        if self.changed.get().is_none() {
            if !CHANGING.contains(&method) {
                return Err(ErrorKind::UnknownMethod.into());
            }
            let Some(list) = self.to_change()? else { return Err(ErrorKind::UnknownMethod.into()) };
            let _ = self.changed.set(list);
        }
        let Some(changed) = self.changed.get() else { return Err(ErrorKind::UnknownMethod.into()) };
        methods::call(changed, method, Args::from_values(method, arguments)?)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        if let Some(changed) = self.changed.get().and_then(Template::as_object) {
            return changed.enumerate();
        }
        match &self.value {
            Datum::List(list) => Enumerator::Seq(list.len()),
            Datum::Map(map) => {
                Enumerator::Values((0..map.len()).filter_map(|at| map.key(at)).map(from_value).collect())
            }
            Datum::Instances | Datum::Nodes => {
                let tree = &self.host.shared().tree;
                let names = tree.descendants(0).into_iter().map(|id| Template::from(tree.node(id).name.clone()));
                Enumerator::Values(names.collect())
            }
            _ => Enumerator::NonEnumerable,
        }
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        if let Some(changed) = self.changed.get() {
            return changed.len();
        }
        match &self.value {
            Datum::List(list) => Some(list.len()),
            Datum::Map(map) => Some(map.len()),
            Datum::Instances | Datum::Nodes => Some(self.host.shared().tree.len()),
            _ => None,
        }
    }

    fn is_true(self: &Arc<Self>) -> bool {
        if let Some(changed) = self.changed.get() {
            return changed.len().is_some_and(|length| length > 0);
        }
        self.value.is_true()
    }

    fn custom_cmp(self: &Arc<Self>, other: &DynObject) -> Option<std::cmp::Ordering> {
        let other = other.downcast_ref::<TemplateView>()?;
        match (&self.value, &other.value) {
            (Datum::Instance(one), Datum::Instance(other)) => Some(one.cmp(other)),
            _ => None,
        }
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(changed) = self.changed.get() {
            return out.write_str(&hieratic_jinja::extend::python::str(changed).map_err(|_| fmt::Error)?);
        }
        match self.host.text(&self.value) {
            Ok((text, secret)) => {
                if secret {
                    self.host.secret_shown();
                }
                out.write_str(&text)
            }
            // A value that cannot be computed cannot be printed.
            Err(_) => Err(fmt::Error),
        }
    }
}

/// Converts the result of a template, or an argument of a filter: a value that was an input is returned unchanged.
pub(super) fn from_template(value: &Template) -> Result<Datum, ExpressionError> {
    if let Some(view) = value.downcast_object_ref::<TemplateView>() {
        return match view.changed.get() {
            Some(changed) => deeper(changed),
            None => Ok(view.value.clone()),
        };
    }
    let failed = |problem: &hieratic_jinja::TemplateError| convert_error(problem);
    match value.kind() {
        ValueKind::Undefined => Ok(Datum::NULL),
        ValueKind::Seq | ValueKind::Iterable => {
            let items = value.try_iter().map_err(|error| failed(&hieratic_jinja::TemplateError::from_engine(error)))?;
            let items = items.map(|item| deeper(&item)).collect::<Result<Vec<_>, _>>()?;
            Ok(match items.iter().map(plain).collect::<Option<Vec<_>>>() {
                Some(values) => Datum::done(values),
                None => LazyList::known(items),
            })
        }
        ValueKind::Map => {
            let keys = value.try_iter().map_err(|error| failed(&hieratic_jinja::TemplateError::from_engine(error)))?;
            let entry = |key: Template| {
                let item =
                    value.get_item(&key).map_err(|error| failed(&hieratic_jinja::TemplateError::from_engine(error)))?;
                Ok((to_value(&key).map_err(|problem| failed(&problem))?, deeper(&item)?))
            };
            let entries = keys.map(entry).collect::<Result<Vec<_>, ExpressionError>>()?;
            let values = entries.iter().map(|(key, value)| Some((key.clone(), plain(value)?)));
            Ok(match values.collect::<Option<hieratic_value::Hash>>() {
                Some(hash) => Datum::done(hash),
                None => LazyMap::known(entries),
            })
        }
        _ => to_value(value).map(Datum::done).map_err(|problem| failed(&problem)),
    }
}

fn deeper(value: &Template) -> Result<Datum, ExpressionError> {
    stack::grow(|| from_template(value))
}

/// Returns the data of a value that consists of data only.
fn plain(value: &Datum) -> Option<Value> {
    match value {
        Datum::Plain(Plain { value, .. }) => Some(value.clone()),
        _ => None,
    }
}
