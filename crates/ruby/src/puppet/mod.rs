//! What Puppet adds: templates that see a scope, and functions of modules.

mod functions;

use crate::methods::Natives;
use crate::symbol::known;
use crate::value::{Data, Lazily, Table, Value};
use crate::vm::{Args, Outcome, Vm};

pub use functions::{BlockDeclaration, DispatchDeclaration, FunctionDeclaration, ParameterDeclaration};

/// The instance variables of a template are the variables of the scope.
pub(crate) struct Variables;

impl Lazily for Variables {
    fn wanted(&self, name: &str) -> Option<String> {
        let name = name.strip_prefix('@')?;
        (!name.starts_with("__")).then(|| name.to_owned())
    }
}

impl Vm<'_> {
    /// The object that is `self` in a template.
    pub fn template_object(&mut self, file: Option<&str>) -> Outcome {
        let class = match self.constant_path("Puppet::Parser::TemplateWrapper") {
            Some(class) => class,
            None => return Err(self.refused("there is no class for templates")),
        };
        let object = self.call(&class, known::NEW, Args::none())?;
        if let Value::Object(inner) = &object {
            *inner.data.borrow_mut() = Data::Lazily(std::rc::Rc::new(Variables));
            let name = self.sym("@__file__");
            inner.set(name, file.map(Value::str).into());
        }
        Ok(object)
    }
}

fn text(vm: &mut Vm<'_>, a: &Args, at: usize) -> Outcome<String> {
    let value = a.at(at);
    vm.to_s(&value)
}

fn strings(list: Vec<String>) -> Value {
    Value::array(list.into_iter().map(Value::string).collect())
}

/// Functions that the prelude's classes ask the host with.
pub(crate) const FUNCTIONS: Natives = &[
    ("self.variable", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        match vm.host.variable(&name) {
            Ok(Some(value)) => vm.import(&value),
            Ok(None) => Ok(Value::Nil),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.variable?", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        match vm.host.variable(&name) {
            Ok(found) => Ok(found.is_some().into()),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.variables", 0, 0, |vm, _, _| {
        let all = match vm.host.variables() {
            Ok(all) => all,
            Err(error) => return Err(vm.host_error(error)),
        };
        let mut table = Table::default();
        for (name, value) in all {
            let key = vm.key_to_keep(&Value::string(name))?;
            let value = vm.import(&value)?;
            table.insert(key, value);
        }
        Ok(Value::hash(table))
    }),
    ("self.set_variable", 2, 2, |vm, _, a| {
        let name = text(vm, a, 0)?;
        let value = vm.export(&a.at(1))?;
        match vm.host.set_variable(&name, value) {
            Ok(()) => Ok(a.at(1)),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.call", 2, 2, |vm, _, a| {
        if a.block.is_some() {
            return Err(vm.unsupported("calling a function of Puppet with a block"));
        }
        let name = text(vm, a, 0)?;
        let mut arguments = Vec::new();
        for one in vm.splat(&a.at(1))? {
            arguments.push(vm.export(&one)?);
        }
        match vm.host.call_function(&name, &arguments) {
            Ok(value) => vm.import(&value),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.call_block", 2, 2, |vm, _, a| {
        let Value::Foreign(block) = a.at(0) else { return Err(vm.type_error("no block of Puppet")) };
        let mut arguments = Vec::new();
        for one in vm.splat(&a.at(1))? {
            arguments.push(vm.export(&one)?);
        }
        match vm.host.call_block(&block, &arguments) {
            Ok(value) => vm.import(&value),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.call_method", 3, 3, |vm, _, a| {
        let Value::Foreign(object) = a.at(0) else { return Err(vm.type_error("no value of Puppet")) };
        let name = text(vm, a, 1)?;
        let mut arguments = Vec::new();
        for one in vm.splat(&a.at(2))? {
            arguments.push(vm.export(&one)?);
        }
        match vm.host.call_method(&object, &name, &arguments) {
            Ok(value) => vm.import(&value),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.function?", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        Ok(vm.host.knows_function(&name).into())
    }),
    ("self.tags", 0, 0, |vm, _, _| Ok(strings(vm.host.tags()))),
    ("self.all_tags", 0, 0, |vm, _, _| Ok(strings(vm.host.all_tags()))),
    ("self.classes", 0, 0, |vm, _, _| Ok(strings(vm.host.classes()))),
    ("self.setting", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        match vm.host.setting(&name) {
            Some(value) => vm.import(&value),
            None => Ok(Value::Nil),
        }
    }),
    ("self.resource", 2, 2, |vm, _, a| {
        let (kind, title) = (text(vm, a, 0)?, text(vm, a, 1)?);
        match vm.host.resource(&kind, &title) {
            Some(value) => vm.import(&value),
            None => Ok(Value::Nil),
        }
    }),
    ("self.log", 2, 2, |vm, _, a| {
        let (level, message) = (text(vm, a, 0)?, text(vm, a, 1)?);
        vm.host.log(&level, message);
        Ok(Value::Nil)
    }),
    ("self.render", 3, 3, |vm, _, a| {
        let (source, mode) = (text(vm, a, 0)?, text(vm, a, 1)?);
        let names = vm.to_table(&a.at(2))?;
        let mut ruby = String::new();
        // The names are locals of the template.
        for (at, key) in names.keys().enumerate() {
            ruby.push_str(&format!("{} = $hieratic_locals[{at}]; ", vm.to_s(&key.value)?));
        }
        ruby.push_str(&crate::erb::compile(&source, crate::erb::Trim::parse(&mode)));
        let values = Value::array(names.values().cloned().collect());
        let global = vm.sym("$hieratic_locals");
        vm.st.globals.insert(global, values);
        let program = vm.read_program(&ruby, "(erb)")?;
        let me = vm.st.main.clone();
        vm.run(&program, me)
    }),
];
