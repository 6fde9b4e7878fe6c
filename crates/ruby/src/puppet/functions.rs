//! Functions in Ruby: their declarations and calls. => Puppet functions in Ruby: declarations and calls.

use hieratic_value::Value as Foreign;

use crate::value::Value;
use crate::vm::{Outcome, Vm};

/// A Puppet function of a Ruby file.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDeclaration {
    /// The name of the function.
    pub name: String,
    /// The local type aliases, as `Name = Type`.
    pub local_types: Vec<String>,
    /// The dispatches; `None` for a function of the API of Puppet 3, which accepts any arguments.
    pub dispatches: Option<Vec<DispatchDeclaration>>,
    /// True if the function returns a value: it is not a statement.
    pub returns_value: bool,
    /// For a function of the API of Puppet 3, Ruby's `arity`: -2 means one or more arguments.
    pub arity: Option<i64>,
}

/// A dispatch of a function: a list of parameters and the method for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DispatchDeclaration {
    /// The method that is called.
    pub method: String,
    /// The parameters.
    pub parameters: Vec<ParameterDeclaration>,
    /// The block parameter.
    pub block: Option<BlockDeclaration>,
    /// The return type.
    pub returns: Option<String>,
    /// True for an `argument_mismatch` dispatch: its method returns the error message for such arguments.
    pub mismatch: bool,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterDeclaration {
    /// The type as a string.
    pub kind: String,
    /// The name.
    pub name: String,
    /// True if an argument is required.
    pub required: bool,
    /// True if the parameter accepts any number of arguments.
    pub repeated: bool,
}

/// A block parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockDeclaration {
    /// The type as a string.
    pub kind: String,
    /// The name.
    pub name: String,
    /// True if the block is required.
    pub required: bool,
}

impl FunctionDeclaration {
    /// Reads the declaration of a function from the result of the prelude's `hieratic_describe`.
    pub(crate) fn from_value(name: &str, described: &Foreign) -> FunctionDeclaration {
        let field = |of: &Foreign, name: &str| of.as_hash().and_then(|of| of.get(name)).cloned().unwrap_or_default();
        let list = |of: &Foreign| of.as_array().map(<[Foreign]>::to_vec).unwrap_or_default();
        let is_so = |of: Option<&Foreign>| matches!(of, Some(Foreign::Boolean(true)));
        let text = |of: Option<&Foreign>| of.map(Foreign::to_text).unwrap_or_default();
        let dispatch = |one: &Foreign| {
            let parameters = list(&field(one, "parameters")).into_iter().map(|parameter| {
                let parts = list(&parameter);
                let (kind, name) = (text(parts.first()), text(parts.get(1)));
                ParameterDeclaration { kind, name, required: is_so(parts.get(2)), repeated: is_so(parts.get(3)) }
            });
            let block = list(&field(one, "block"));
            let returns = field(one, "returns");
            DispatchDeclaration {
                method: field(one, "method").to_text(),
                parameters: parameters.collect(),
                block: (!block.is_empty()).then(|| BlockDeclaration {
                    kind: text(block.first()),
                    name: text(block.get(1)),
                    required: is_so(block.get(2)),
                }),
                returns: (!returns.is_undef()).then(|| returns.to_text()),
                mismatch: is_so(Some(&field(one, "mismatch"))),
            }
        };
        FunctionDeclaration {
            name: name.to_owned(),
            local_types: list(&field(described, "types")).iter().map(Foreign::to_text).collect(),
            dispatches: Some(list(&field(described, "dispatches")).iter().map(dispatch).collect()),
            returns_value: true,
            arity: None,
        }
    }
}

impl Vm<'_> {
    fn registry(&mut self, path: &str) -> Outcome {
        match self.constant_path(path)? {
            Some(module) => self.send(&module, "hieratic_functions", &[]),
            None => Ok(Value::Nil),
        }
    }

    /// Returns whether a function of this name is defined. Functions are never undefined.
    pub fn has_function(&mut self, name: &str) -> Outcome<bool> {
        if self.st.functions.contains(name) {
            return Ok(true);
        }
        let key = self.key(&Value::str(name))?;
        for path in ["Puppet::Functions", "Puppet::Parser::Functions"] {
            if let Value::Hash(hash) = self.registry(path)?
                && hash.table.borrow().contains_key(&key)
            {
                self.st.functions.insert(name.into());
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the declaration of a function, if it is defined.
    pub fn declared_function(&mut self, name: &str) -> Outcome<Option<FunctionDeclaration>> {
        let modern = self.registry("Puppet::Functions")?;
        let key = Value::str(name);
        let target = self.key(&key)?;
        let found = match &modern {
            Value::Hash(hash) => hash.table.borrow().get(&target).cloned(),
            _ => None,
        };
        if let Some(class) = found {
            let described = self.send(&class, "hieratic_describe", &[])?;
            return self.declaration(&described).map(Some);
        }
        let old = self.registry("Puppet::Parser::Functions")?;
        if let Value::Hash(hash) = &old {
            let key = self.key(&key)?;
            let found = hash.table.borrow().get(&key).cloned();
            if let Some(info) = found {
                let rvalue = self.symbol("rvalue");
                let returns_value = self.send(&info, "[]", &[rvalue])?.truthy();
                let arity = self.symbol("arity");
                let arity = match self.send(&info, "[]", &[arity])? {
                    Value::Int(number) => Some(number),
                    _ => None,
                };
                return Ok(Some(FunctionDeclaration {
                    name: name.to_owned(),
                    local_types: Vec::new(),
                    dispatches: None,
                    returns_value,
                    arity,
                }));
            }
        }
        Ok(None)
    }

    fn declaration(&mut self, described: &Value) -> Outcome<FunctionDeclaration> {
        let field = |vm: &mut Vm<'_>, hash: &Value, name: &str| vm.send(hash, "[]", &[Value::str(name)]);
        let list = |vm: &mut Vm<'_>, value: &Value| vm.splat(value);
        let name = field(self, described, "name")?;
        let name = self.to_s(&name)?;
        let mut local_types = Vec::new();
        let types = field(self, described, "types")?;
        for one in list(self, &types)? {
            local_types.push(self.to_s(&one)?);
        }
        let mut dispatches = Vec::new();
        let all = field(self, described, "dispatches")?;
        for one in list(self, &all)? {
            let mut dispatch = DispatchDeclaration::default();
            let method = field(self, &one, "method")?;
            dispatch.method = self.to_s(&method)?;
            let parameters = field(self, &one, "parameters")?;
            for parameter in list(self, &parameters)? {
                if let [kind, name, required, repeated] = &list(self, &parameter)?[..] {
                    dispatch.parameters.push(ParameterDeclaration {
                        kind: self.to_s(kind)?,
                        name: self.to_s(name)?,
                        required: required.truthy(),
                        repeated: repeated.truthy(),
                    });
                }
            }
            let block = field(self, &one, "block")?;
            if let [kind, name, required] = &list(self, &block)?[..] {
                dispatch.block = Some(BlockDeclaration {
                    kind: self.to_s(kind)?,
                    name: self.to_s(name)?,
                    required: required.truthy(),
                });
            }
            let returns = field(self, &one, "returns")?;
            dispatch.returns = if returns.is_nil() { None } else { Some(self.to_s(&returns)?) };
            dispatch.mismatch = field(self, &one, "mismatch")?.truthy();
            dispatches.push(dispatch);
        }
        Ok(FunctionDeclaration { name, local_types, dispatches: Some(dispatches), returns_value: true, arity: None })
    }

    /// Calls a function by one of its dispatches.
    pub fn call_dispatch(&mut self, name: &str, index: usize, args: Vec<Value>, block: Value) -> Outcome {
        let registry = self.registry("Puppet::Functions")?;
        let class = self.send(&registry, "[]", &[Value::str(name)])?;
        self.send(&class, "hieratic_call", &[Value::count(index), Value::array(args), block])
    }

    /// Calls a function of the API of Puppet 3.
    pub fn call_old_function(&mut self, name: &str, args: Vec<Value>) -> Outcome {
        match self.constant_path("Puppet::Parser::Functions")? {
            Some(module) => self.send(&module, "hieratic_call", &[Value::str(name), Value::array(args)]),
            None => Err(self.refused("there are no functions in Ruby")),
        }
    }
}
