//! What Puppet adds: templates that see a scope, and functions of modules.

mod functions;
mod types;

use crate::host::PathKind;
use crate::methods::Natives;
use crate::symbol::known;
use crate::value::{Data, Lazily, Table, Value};
use crate::vm::{Args, Outcome, Vm};

pub use functions::{BlockDeclaration, DispatchDeclaration, FunctionDeclaration, ParameterDeclaration};
pub use types::{TitlePattern, TypeDeclaration};

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

/// Calls a function of Puppet, in the scope of the caller or in that at the top.
fn call_function(vm: &mut Vm<'_>, a: &Args, at_top: bool) -> Outcome {
    if a.block.is_some() {
        return Err(vm.unsupported("calling a function of Puppet with a block"));
    }
    let name = text(vm, a, 0)?;
    let mut arguments = Vec::new();
    for one in vm.splat(&a.at(1))? {
        arguments.push(vm.export(&one)?);
    }
    let answer = match at_top {
        true => vm.host.call_function_at_top(&name, &arguments),
        false => vm.host.call_function(&name, &arguments),
    };
    match answer {
        Ok(value) => vm.import(&value),
        Err(error) => Err(vm.host_error(error)),
    }
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
    ("self.call", 2, 2, |vm, _, a| call_function(vm, a, false)),
    ("self.call_at_top", 2, 2, |vm, _, a| call_function(vm, a, true)),
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
    ("self.refuse", 1, 1, |vm, _, a| {
        let what = text(vm, a, 0)?;
        Err(vm.unsupported(what))
    }),
    ("self.read_file", 1, 1, |vm, _, a| {
        let path = text(vm, a, 0)?;
        match vm.host.read_file(&path) {
            Ok(bytes) => {
                vm.build(bytes.len())?;
                Ok(match String::from_utf8(bytes) {
                    Ok(text) => Value::string(text),
                    Err(error) => Value::bytes(error.into_bytes()),
                })
            }
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.path_kind", 1, 1, |vm, _, a| {
        let path = text(vm, a, 0)?;
        match vm.host.path_kind(&path) {
            Ok(PathKind::File) => Ok(vm.symbol("file")),
            Ok(PathKind::Folder) => Ok(vm.symbol("folder")),
            Ok(PathKind::Nothing) => Ok(vm.symbol("nothing")),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.file_stamp", 1, 1, |vm, _, a| {
        let path = text(vm, a, 0)?;
        match vm.host.file_stamp(&path) {
            Ok(stamp) => Ok(stamp.map(Value::string).into()),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.module", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        Ok(vm.host.module(&name).map(Value::string).into())
    }),
    ("self.own_resource", 0, 0, |vm, _, _| {
        Ok(vm.host.own_resource().map(|(kind, title)| Value::pair(Value::string(kind), Value::string(title))).into())
    }),
    ("self.agent_type", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        Ok(vm.host.agent_type(&name).map(strings).into())
    }),
    ("self.load_library", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        vm.load_library(&name).map(Value::Bool)
    }),
    ("self.load_type", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        let found = vm.host.library(&format!("puppet/type/{name}"), None);
        Ok(crate::methods::load_found(vm, found)?.is_some().into())
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
