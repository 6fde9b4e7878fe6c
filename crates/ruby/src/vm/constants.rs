//! Constants and class variables.

use std::rc::Rc;
use std::sync::Arc;

use super::{Args, Flow, Outcome, Vm};
use crate::symbol::{Symbol, known};
use crate::value::{Class, Ctx, Value};

impl Vm<'_> {
    /// Resolves an unqualified constant: in the classes around the code, then in their ancestors.
    pub fn constant(&mut self, name: Symbol, ctx: &Ctx) -> Outcome {
        let mut cref = Some(&ctx.cref);
        while let Some(at) = cref {
            if at.parent.is_some()
                && let Some(value) = at.class.constants.borrow().get(&name)
            {
                return Ok(value.clone());
            }
            cref = at.parent.as_ref();
        }
        let class = ctx.cref.class.clone();
        self.constant_of(&class, name, true)
    }

    /// Resolves `parent::NAME`.
    pub fn constant_in(&mut self, parent: &Value, name: Symbol) -> Outcome {
        match parent {
            Value::Class(class) => {
                let object = Rc::ptr_eq(class, &self.st.classes.object);
                self.constant_of(class, name, object)
            }
            other => {
                let shown = self.inspect(other)?;
                Err(self.type_error(format!("{shown} is not a class/module")))
            }
        }
    }

    pub fn find_constant(&mut self, class: &Rc<Class>, name: Symbol, top: bool) -> Option<Value> {
        for one in self.ancestors(class).iter() {
            if !top && Rc::ptr_eq(one, &self.st.classes.object) && !Rc::ptr_eq(class, one) {
                break;
            }
            if let Some(value) = one.constants.borrow().get(&name) {
                return Some(value.clone());
            }
        }
        if let Some(Value::Class(attached)) = &class.attached
            && let Some(value) = attached.constants.borrow().get(&name)
        {
            return Some(value.clone());
        }
        let object = self.st.classes.object.clone();
        if top { object.constants.borrow().get(&name).cloned() } else { None }
    }

    fn constant_of(&mut self, class: &Rc<Class>, name: Symbol, top: bool) -> Outcome {
        if let Some(value) = self.find_constant(class, name, top) {
            return Ok(value);
        }
        let object = self.st.classes.object.clone();
        if self.autoload(if top { &object } else { class }, name)?
            && let Some(value) = self.find_constant(class, name, top)
        {
            return Ok(value);
        }
        // Constants that reach outside the sandbox are refused in every class, before `const_missing` can handle them.
        if top {
            let text = self.name(name);
            if let Some(feature) = crate::methods::forbidden_constant(&text) {
                return Err(self.unsupported(feature));
            }
        }
        let receiver = Value::Class(class.clone());
        let own = self.class_of(&receiver);
        if let Some(method) = self.find_method(&own, known::CONST_MISSING) {
            return self.invoke(&method, &receiver, known::CONST_MISSING, Args::one(Value::Sym(name)));
        }
        Err(self.constant_missing(class, name))
    }

    /// Creates the error of the default `Module#const_missing`: an uninitialized constant, or one that reaches outside
    /// the sandbox.
    pub fn constant_missing(&mut self, class: &Rc<Class>, name: Symbol) -> Box<Flow> {
        let text = self.name(name);
        let shown = if Rc::ptr_eq(class, &self.st.classes.object) {
            text.to_string()
        } else {
            format!("{}::{text}", class.display_name())
        };
        if let Some(feature) = crate::methods::forbidden_constant(&shown) {
            return self.unsupported(feature);
        }
        let error = self.st.classes.name_error.clone();
        let exception = self.exception(&error, Value::string(format!("uninitialized constant {shown}")));
        self.set_error_field(&exception, "@name", Value::Sym(name));
        self.set_error_field(&exception, "@receiver", Value::Class(class.clone()));
        self.raise_value(exception)
    }

    /// Returns a constant by its path, as native code names it.
    pub fn constant_path(&mut self, path: &str) -> Outcome<Option<Value>> {
        let mut at = self.st.classes.object.clone();
        let mut value = None;
        for name in path.split("::") {
            let name = self.sym(name);
            if self.find_constant(&at, name, false).is_none() {
                self.autoload(&at, name)?;
            }
            value = self.find_constant(&at, name, false);
            match &value {
                Some(Value::Class(class)) => at = class.clone(),
                _ => return Ok(value),
            }
        }
        Ok(value)
    }

    pub fn set_constant(&mut self, class: &Rc<Class>, name: Symbol, value: Value) -> Outcome<()> {
        if let Value::Class(named) = &value
            && named.name.borrow().is_none()
        {
            let text = self.name(name);
            let full: Arc<str> = if Rc::ptr_eq(class, &self.st.classes.object) {
                text
            } else {
                format!("{}::{text}", class.display_name()).into()
            };
            *named.name.borrow_mut() = Some(full);
        }
        self.build(48)?;
        self.note_lasting_change();
        class.constants.borrow_mut().insert(name, value);
        Ok(())
    }

    fn class_for_vars(&self, ctx: &Ctx) -> Rc<Class> {
        let mut class = ctx.cref.class.clone();
        while let Some(Value::Class(attached)) = &class.attached {
            class = attached.clone();
        }
        class
    }

    pub fn find_class_var(&mut self, name: Symbol, ctx: &Ctx) -> Option<(Rc<Class>, Value)> {
        let class = self.class_for_vars(ctx);
        let ancestors = self.ancestors(&class);
        ancestors.iter().find_map(|one| one.class_vars.borrow().get(&name).map(|value| (one.clone(), value.clone())))
    }

    pub fn class_var(&mut self, name: Symbol, ctx: &Ctx) -> Outcome {
        if let Some((_, value)) = self.find_class_var(name, ctx) {
            return Ok(value);
        }
        let message =
            format!("uninitialized class variable {} in {}", self.name(name), self.class_for_vars(ctx).display_name());
        let class = self.st.classes.name_error.clone();
        Err(self.error(&class, message))
    }

    pub fn set_class_var(&mut self, name: Symbol, value: Value, ctx: &Ctx) -> Outcome<()> {
        let class = match self.find_class_var(name, ctx) {
            Some((class, _)) => class,
            None => self.class_for_vars(ctx),
        };
        self.build(24)?;
        self.note_lasting_change();
        class.class_vars.borrow_mut().insert(name, value);
        Ok(())
    }
}
