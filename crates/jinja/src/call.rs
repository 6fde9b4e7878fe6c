//! [`Args`]: the arguments of a filter, test, function, lookup or method.

use std::sync::Arc;

use minijinja::Value;
use minijinja::value::Kwargs;

use crate::error::{Result, error};
use crate::objects::{Markup, Missing};

/// Converts named arguments to minijinja's.
pub fn kwargs(named: Vec<(Arc<str>, Value)>) -> Kwargs {
    named.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// The arguments of a call. The first argument of a filter is its input.
#[derive(Debug, Default)]
pub struct Args {
    /// The name of the callee, for messages.
    pub callee: Arc<str>,
    /// The arguments by position.
    pub positional: Vec<Value>,
    /// The arguments by name.
    pub named: Vec<(Arc<str>, Value)>,
}

impl Args {
    /// Converts minijinja's arguments, of which the named ones are the last value.
    pub fn from_values(subject: &str, values: &[Value]) -> Result<Args> {
        let mut args = Args { callee: subject.into(), positional: values.to_vec(), named: Vec::new() };
        if let Some(kwargs) = args.positional.pop_if(|last| last.is_kwargs()) {
            let kwargs = Kwargs::try_from(kwargs)?;
            let names: Vec<Arc<str>> = kwargs.args().map(Arc::from).collect();
            for name in names {
                let value = kwargs.get::<Value>(&name)?;
                args.named.push((name, value));
            }
        }
        Ok(args)
    }

    /// Converts the arguments to minijinja's.
    pub fn into_values(self) -> Vec<Value> {
        let mut values = self.positional;
        if !self.named.is_empty() {
            values.push(kwargs(self.named).into());
        }
        values
    }

    /// Converts escaped strings to plain ones, for functions of other crates.
    pub fn plain(mut self) -> Args {
        for value in self.positional.iter_mut().chain(self.named.iter_mut().map(|(_, value)| value)) {
            if Markup::is(value) {
                *value = Markup::plain(std::mem::take(value));
            }
        }
        self
    }

    /// Returns an error if one of the arguments is undefined: functions of other crates never receive undefined values.
    pub fn defined(&self) -> Result<()> {
        let values = self.positional.iter().chain(self.named.iter().map(|(_, value)| value));
        for value in values {
            if let Some(missing) = value.downcast_object_ref::<Missing>() {
                missing.defined()?;
            }
        }
        Ok(())
    }

    /// Removes a named argument.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.named.iter().position(|(known, _)| **known == *name)?;
        Some(self.named.remove(at).1)
    }

    /// Binds the arguments to parameters with these names, the first `required` of which are mandatory.
    ///
    /// # Errors
    ///
    /// There are too many, missing, unknown or repeated arguments. The messages are Python's.
    pub fn bind<const N: usize>(self, names: [&str; N], required: usize) -> Result<[Option<Value>; N]> {
        let subject = self.callee;
        let given = self.positional.len();
        if given > N {
            let plural = if N == 1 { "" } else { "s" };
            return Err(error(format!("{subject}() takes {N} positional argument{plural} but {given} were given")));
        }
        let mut bound = [const { None }; N];
        for (slot, value) in bound.iter_mut().zip(self.positional) {
            *slot = Some(value);
        }
        for (name, value) in self.named {
            let at = names.iter().position(|known| **known == *name);
            match at.and_then(|at| bound.get_mut(at)) {
                Some(slot @ None) => *slot = Some(value),
                Some(Some(_)) => return Err(error(format!("{subject}() got multiple values for argument '{name}'"))),
                None => return Err(error(format!("{subject}() got an unexpected keyword argument '{name}'"))),
            }
        }
        let missing = names.iter().zip(&bound).take(required).find(|(_, value)| value.is_none());
        if let Some((name, _)) = missing {
            return Err(error(format!("{subject}() missing 1 required positional argument: '{name}'")));
        }
        Ok(bound)
    }

    /// Returns an error for a named argument that is not one of these.
    pub fn only(&self, names: &[&str]) -> Result<()> {
        match self.named.iter().find(|(name, _)| !names.contains(&&**name)) {
            Some((name, _)) => Err(error(format!("{}() got an unexpected keyword argument '{name}'", self.callee))),
            None => Ok(()),
        }
    }
}
