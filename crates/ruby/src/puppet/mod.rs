//! The Puppet side of Ruby: templates that see a scope, and functions of modules.

mod file_data;
mod functions;
mod types;

use hieratic_value::Value as Foreign;

use crate::host::{PathKind, RubyBlock};
use crate::methods::Natives;
use crate::symbol::known;
use crate::value::{Data, LazyVariables, Value};
use crate::vm::{Args, Outcome, Vm, collection_marks, mark_collection};

pub(crate) use file_data::{FUNCTIONS as FILE_DATA, FileData};
pub use functions::{BlockDeclaration, DispatchDeclaration, FunctionDeclaration, ParameterDeclaration};
pub use types::{TitlePattern, TypeDeclaration, ValueDeclaration};

/// The instance variables of a template are the variables of the scope.
pub(crate) struct Variables;

impl LazyVariables for Variables {
    fn host_name(&self, name: &str) -> Option<String> {
        let name = name.strip_prefix('@')?;
        (!name.starts_with("__")).then(|| name.to_owned())
    }
}

impl Vm<'_> {
    /// Returns the object that is `self` in a template.
    pub fn template_object(&mut self, file: Option<&str>) -> Outcome {
        let class = match self.constant_path("Puppet::Parser::TemplateWrapper")? {
            Some(class) => class,
            None => return Err(self.refused("there is no class for templates")),
        };
        let object = self.call(&class, known::NEW, Args::none())?;
        if let Value::Object(inner) = &object {
            *inner.data.borrow_mut() = Data::Lazy(std::rc::Rc::new(Variables));
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

/// Registers a block for the function that it is passed to.
fn lent_block(vm: &mut Vm<'_>, block: &std::rc::Rc<crate::value::Proc>) -> Outcome<RubyBlock> {
    let block = Value::Proc(block.clone());
    let parameters = vm.send(&block, "parameters", &[])?;
    let (mut names, mut least, mut most) = (Vec::new(), 0, Some(0_usize));
    for one in vm.splat(&parameters)? {
        let one = vm.splat(&one)?;
        let kind = one.first().map(|kind| vm.to_s(kind)).transpose()?.unwrap_or_default();
        match kind.as_str() {
            "req" => (least, most) = (least + 1, most.map(|most| most + 1)),
            "opt" => most = most.map(|most| most + 1),
            "rest" => most = None,
            _ => continue,
        }
        names.push(one.get(1).map(|name| vm.to_s(name)).transpose()?.unwrap_or_default());
    }
    let number = i64::try_from(vm.next_id()).unwrap_or(i64::MAX);
    vm.st.lent_blocks.push((number, block));
    Ok(RubyBlock { number, names, least, most })
}

/// The value of a variable of Puppet: for as long as code of the same scope runs, the same object again.
pub(crate) fn variable(vm: &mut Vm<'_>, name: &str) -> Outcome<Option<Value>> {
    vm.note_host_call();
    found_variable(vm, name)
}

/// Returns a fact; nil if the node does not have it. Types read facts about their system while they are loaded, which
/// many nodes share.
fn fact(vm: &mut Vm<'_>, name: &str) -> Outcome {
    let value = match found_variable(vm, "facts")? {
        Some(Value::Hash(facts)) => {
            let key = vm.key_to_keep(&Value::string(name.to_owned()))?;
            facts.table.borrow().get(&key).cloned().into()
        }
        _ => Value::Nil,
    };
    match &value {
        _ if vm.st.lasting == 0 => {}
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Str(_) => {
            let shown = vm.inspect(&value)?;
            vm.note_node_answer((name, shown));
        }
        _ => vm.note_host_call(),
    }
    Ok(value)
}

fn found_variable(vm: &mut Vm<'_>, name: &str) -> Outcome<Option<Value>> {
    if let Some((_, known)) = vm.st.variables.last()
        && let Some(value) = known.by_name.get(name)
    {
        return Ok(Some(value.clone()));
    }
    let found = match vm.host.variable(name) {
        Ok(found) => found,
        Err(error) => return Err(vm.host_error(error)),
    };
    let Some(found) = found else { return Ok(None) };
    if !matches!(found, Foreign::Array(_) | Foreign::Hash(_)) {
        return vm.import(&found).map(Some);
    }
    let address = found.storage();
    let known = vm.st.variables.last().zip(address).and_then(|((_, known), address)| known.by_address.get(&address));
    let value = match known {
        Some((_, value)) => value.clone(),
        None => vm.import_shared(&found)?,
    };
    if let Some((_, known)) = vm.st.variables.last_mut() {
        known.by_name.insert(name.into(), value.clone());
        if let Some(address) = address {
            known.by_address.insert(address, (found, value.clone()));
        }
    }
    Ok(Some(value))
}

/// Calls a function of Puppet, in the scope of the caller or in that at the top.
fn call_function(vm: &mut Vm<'_>, a: &Args, at_top: bool) -> Outcome {
    let name = text(vm, a, 0)?;
    let mut arguments = Vec::new();
    for one in vm.splat(&a.at(1))? {
        arguments.push(vm.export(&one)?);
    }
    let block = match &a.block {
        Some(block) => Some(lent_block(vm, block)?),
        None => None,
    };
    vm.report_changed_imports()?;
    let answer = vm.lend(|host, interpreter| {
        if at_top {
            host.call_function_at_top(&name, &arguments, block.as_ref(), interpreter)
        } else {
            host.call_function(&name, &arguments, block.as_ref(), interpreter)
        }
    })?;
    match answer {
        Ok(value) => vm.import(&value),
        Err(error) => Err(vm.host_error(error)),
    }
}

/// All variables of the scope as a hash, with or without those that are undef.
fn variables(vm: &mut Vm<'_>, with_undef: bool) -> Outcome {
    vm.note_host_call();
    let all = match vm.host.variables() {
        Ok(all) => all,
        Err(error) => return Err(vm.host_error(error)),
    };
    vm.import_variables(&all, with_undef)
}

/// Functions that the prelude's classes ask the host with.
pub(crate) const FUNCTIONS: Natives = &[
    ("self.variable", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        Ok(variable(vm, &name)?.into())
    }),
    ("self.fact", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        fact(vm, &name)
    }),
    ("self.variable?", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        vm.note_host_call();
        match vm.host.variable(&name) {
            Ok(found) => Ok(found.is_some().into()),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.variables", 1, 1, |vm, _, a| variables(vm, a.at(0).truthy())),
    ("self.set_variable", 2, 2, |vm, _, a| {
        let name = text(vm, a, 0)?;
        let value = vm.export(&a.at(1))?;
        vm.note_host_call();
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
        vm.report_changed_imports()?;
        match vm.lend(|host, interpreter| host.call_block(&block, &arguments, interpreter))? {
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
        match vm.lend(|host, interpreter| host.call_method(&object, &name, &arguments, interpreter))? {
            Ok(value) => vm.import(&value),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.function?", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        let is_known = vm.host.knows_function(&name);
        vm.note_environment_answer((name, is_known));
        Ok(is_known.into())
    }),
    ("self.refuse", 1, 1, |vm, _, a| {
        let feature = text(vm, a, 0)?;
        Err(vm.unsupported(feature))
    }),
    ("self.read_file", 1, 1, |vm, _, a| {
        let path = text(vm, a, 0)?;
        vm.note_host_call();
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
        vm.note_host_call();
        match vm.host.path_kind(&path) {
            Ok(PathKind::File) => Ok(vm.symbol("file")),
            Ok(PathKind::Folder) => Ok(vm.symbol("folder")),
            Ok(PathKind::Nothing) => Ok(vm.symbol("nothing")),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.glob", 2, 2, |vm, _, a| {
        let pattern = text(vm, a, 0)?;
        vm.note_host_call();
        match vm.host.glob(&pattern, a.at(1).truthy()) {
            Ok(paths) => Ok(strings(paths)),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.file_stamp", 1, 1, |vm, _, a| {
        let path = text(vm, a, 0)?;
        vm.note_host_call();
        match vm.host.file_stamp(&path) {
            Ok(state) => Ok(state.map(Value::string).into()),
            Err(error) => Err(vm.host_error(error)),
        }
    }),
    ("self.old_function", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        let path = vm.host.old_function(&name);
        vm.note_environment_answer((name, &path));
        Ok(path.map(Value::string).into())
    }),
    ("self.module", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        let root = vm.host.module(&name);
        vm.note_environment_answer((name, &root));
        Ok(root.map(Value::string).into())
    }),
    ("self.own_resource", 0, 0, |vm, _, _| {
        vm.note_host_call();
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
    ("self.all_tags", 0, 0, |vm, _, _| {
        vm.note_host_call();
        Ok(strings(vm.host.all_tags()))
    }),
    ("self.classes", 0, 0, |vm, _, _| {
        vm.note_host_call();
        Ok(strings(vm.host.classes()))
    }),
    ("self.setting", 1, 1, |vm, _, a| {
        let name = text(vm, a, 0)?;
        let value = vm.host.setting(&name);
        vm.note_environment_answer((name, &value));
        match value {
            Some(value) => vm.import(&value),
            // As in the reference.
            None => Ok(Value::Nil),
        }
    }),
    ("self.random_seed", 0, 0, |vm, _, _| {
        vm.note_host_call();
        match vm.host.random_seed() {
            Some(seed) => vm.import(&hieratic_value::Value::from(format!("{seed}").as_str())),
            None => Ok(Value::Nil),
        }
    }),
    ("self.resource", 2, 2, |vm, _, a| {
        let (kind, title) = (text(vm, a, 0)?, text(vm, a, 1)?);
        vm.note_host_call();
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
    ("self.warn_once", 1, 1, |vm, _, a| {
        let message = text(vm, a, 0)?;
        vm.host.warn_once(message);
        Ok(Value::Nil)
    }),
    ("self.render", 3, 4, |vm, _, a| {
        let (source, mode) = (text(vm, a, 0)?, text(vm, a, 1)?);
        let names = vm.to_table(&a.at(2))?;
        let mut ruby = String::new();
        // The names are locals of the template.
        for (at, key) in names.keys().enumerate() {
            ruby.push_str(&format!("{} = $hieratic_locals[{at}]; ", vm.to_s(&key.value)?));
        }
        ruby.push_str(&crate::erb::compile(&source, crate::erb::Trim::parse(&mode)));
        let values = Value::array(names.values().cloned().collect());
        mark_collection(&values, collection_marks(&a.at(2)));
        let global = vm.sym("$hieratic_locals");
        vm.st.globals.insert(global, values);
        let program = vm.read_program(&ruby, "(erb)")?;
        let me = if a.list.len() > 3 { a.at(3) } else { vm.st.main.clone() };
        vm.run(&program, me)
    }),
];
