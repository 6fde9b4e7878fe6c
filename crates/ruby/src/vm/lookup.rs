//! Method lookup: the class of a value, and the method of a name.

use std::rc::Rc;

use hieratic_value::collections::HashSet;

use super::Vm;
use crate::symbol::Symbol;
use crate::value::{Class, Method, MethodBody, Value, Visibility};

impl Vm<'_> {
    /// Returns the class of a value for method lookup: its singleton class, if it has one.
    pub fn class_of(&self, value: &Value) -> Rc<Class> {
        let classes = &self.st.classes;
        if let Some(class) = self.st.core_singletons.get(value) {
            return class.clone();
        }
        match value {
            Value::Nil => classes.nil.clone(),
            Value::Bool(true) => classes.true_class.clone(),
            Value::Bool(false) => classes.false_class.clone(),
            Value::Int(_) | Value::Big(_) => classes.integer.clone(),
            Value::Float(_) => classes.float.clone(),
            Value::Sym(_) => classes.symbol.clone(),
            Value::Str(_) => classes.string.clone(),
            Value::Array(_) => classes.array.clone(),
            Value::Hash(_) => classes.hash.clone(),
            Value::Range(_) => classes.range.clone(),
            Value::Regexp(_) => classes.regexp.clone(),
            Value::Match(_) => classes.match_data.clone(),
            Value::Proc(_) => classes.proc.clone(),
            Value::Method(method) if method.receiver.is_none() => classes.unbound_method.clone(),
            Value::Method(_) => classes.method.clone(),
            Value::Object(object) => object.class.borrow().clone(),
            Value::Class(class) => match &*class.meta.borrow() {
                Some(meta) => meta.clone(),
                None if class.is_module => classes.module.clone(),
                None => classes.class.clone(),
            },
            Value::Foreign(_) => classes.foreign.clone(),
            Value::Marked(inner) => self.class_of(inner),
        }
    }

    /// Returns the class without singleton classes, as `class` does.
    pub fn real_class(&self, value: &Value) -> Rc<Class> {
        if let Value::Class(class) = value {
            return if class.is_module { self.st.classes.module.clone() } else { self.st.classes.class.clone() };
        }
        let mut class = self.class_of(value);
        while class.attached.is_some() {
            match &class.superclass {
                Some(superclass) => class = superclass.clone(),
                None => break,
            }
        }
        class
    }

    /// Returns the classes and modules that are searched for a method of a class, in order.
    pub fn ancestors(&self, class: &Rc<Class>) -> Rc<[Rc<Class>]> {
        if let (version, list) = &*class.ancestors.borrow()
            && *version == self.st.version
            && !list.is_empty()
        {
            return list.clone();
        }
        let mut list: Vec<Rc<Class>> = Vec::new();
        let mut known = HashSet::default();
        let mut at = Some(class.clone());
        while let Some(class) = at {
            self.linearize(&class, &mut list, &mut known, 0);
            at = class.superclass.clone();
        }
        self.owe(unusual_ancestors(list.len()));
        let list: Rc<[Rc<Class>]> = list.into();
        *class.ancestors.borrow_mut() = (self.st.version, list.clone());
        list
    }

    fn linearize(&self, class: &Rc<Class>, list: &mut Vec<Rc<Class>>, known: &mut HashSet<u32>, depth: u32) {
        if depth > 100 || known.contains(&class.id) {
            return;
        }
        for module in class.prepends.borrow().iter() {
            self.linearize(module, list, known, depth + 1);
        }
        known.insert(class.id);
        list.push(class.clone());
        for module in class.includes.borrow().iter() {
            self.linearize(module, list, known, depth + 1);
        }
    }

    /// Returns the method of a class by its name.
    pub fn find_method(&mut self, class: &Rc<Class>, name: Symbol) -> Option<Rc<Method>> {
        if let Some(known) = self.st.method_cache.get(&(class.id, name)) {
            return known.clone();
        }
        let ancestors = self.ancestors(class);
        self.owe(unusual_ancestors(ancestors.len()) / 8);
        let found = ancestors.iter().find_map(|class| class.methods.borrow().get(&name).cloned());
        let found = found.filter(|method| !matches!(method.body, MethodBody::Undefined));
        self.st.method_cache.insert((class.id, name), found.clone());
        found
    }

    /// Returns the method of a name after a class in the order of ancestors, which `super` calls.
    pub fn find_super(&mut self, class: &Rc<Class>, owner: &Rc<Class>, name: Symbol) -> Option<Rc<Method>> {
        let ancestors = self.ancestors(class);
        self.owe(unusual_ancestors(ancestors.len()) / 8);
        let at = ancestors.iter().position(|one| Rc::ptr_eq(one, owner))?;
        ancestors[at + 1..].iter().find_map(|class| class.methods.borrow().get(&name).cloned())
    }

    /// Returns whether a value is an instance of a class or includes a module.
    pub fn is_a(&self, value: &Value, class: &Rc<Class>) -> bool {
        let own = self.class_of(value);
        if Rc::ptr_eq(&own, class) {
            return true;
        }
        let ancestors = self.ancestors(&own);
        self.owe(ancestors.len() / 64);
        ancestors.iter().any(|one| Rc::ptr_eq(one, class))
    }

    pub fn inherits(&self, class: &Rc<Class>, from: &Rc<Class>) -> bool {
        let ancestors = self.ancestors(class);
        self.owe(ancestors.len() / 64);
        ancestors.iter().any(|one| Rc::ptr_eq(one, from))
    }

    /// Returns whether a value has a public method of this name.
    pub fn responds(&mut self, value: &Value, name: Symbol) -> bool {
        let class = self.class_of(value);
        self.find_method(&class, name).is_some_and(|method| method.visibility == Visibility::Public)
    }

    /// Records that a class has included a module, and clears the method cache.
    pub fn note_mixin(&mut self, how: &str, class: &Rc<Class>, module: &Rc<Class>) {
        match (class.title(), module.title()) {
            (Some(class), Some(module)) => self.note_change_by((how, class, module)),
            _ => self.note_lasting_change(),
        }
        self.clear_method_cache();
    }

    /// Records that methods have changed, and clears the method cache.
    pub fn note_changed_methods(&mut self) {
        self.note_lasting_change();
        self.clear_method_cache();
    }

    fn clear_method_cache(&mut self) {
        self.st.version += 1;
        self.st.method_cache.clear();
    }
}

/// Returns the number of ancestors beyond the usual. Only these take steps: whether a usual ancestry is cached depends
/// on earlier calls of the interpreter, and the cost of an answer must not.
fn unusual_ancestors(ancestors: usize) -> usize {
    ancestors.saturating_sub(USUAL_ANCESTORS)
}

/// The number of ancestors that ordinary classes have at most.
const USUAL_ANCESTORS: usize = 64;
