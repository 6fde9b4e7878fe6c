//! Blocks: the lambdas of calls, and the bodies of functions.
//!
//! See [lambdas](https://www.puppet.com/docs/puppet/8/lang_lambdas.html). The properties that do not depend on a run
//! (the types of parameters, the type of the block) are computed once and cached.

use std::any::Any;
use std::hash::Hasher;
use std::sync::Arc;

use hieratic_diagnostics::Source;
use hieratic_puppet_functions::{Block, Code, EvalError, Flow, Outcome};
use hieratic_puppet_syntax::ast::{Expr, Lambda, Node, Parameter};
use hieratic_puppet_types::{
    CallableType, Int, IntegerRange, Parameter as SignatureParameter, Signature, TupleType, Type, assert_instance,
    describe_call,
};
use hieratic_value::{Extended, Str, Value};

use super::Evaluator;
use super::ruby_block::BlockInRuby;

/// The name of all blocks.
const LAMBDA: &str = "lambda";

/// A block that is ready to run.
#[derive(Debug)]
pub(crate) struct Closure {
    /// The code.
    pub lambda: Arc<Lambda>,
    /// The name in messages: `lambda`, or the function's name.
    pub name: Str,
    /// The source.
    pub source: Source,
    parameters: Vec<PreparedParameter>,
    returns: Option<Type>,
    callable: Type,
    /// Whether each parameter accepts any argument, and none has a default.
    plain: bool,
}

/// The evaluated declaration of a parameter.
#[derive(Debug)]
struct PreparedParameter {
    kind: Type,
    /// The minimum and maximum number of arguments it takes; `None` is unlimited.
    least: usize,
    most: Option<usize>,
}

impl Closure {
    /// Returns the minimum number of arguments.
    pub fn required(&self) -> usize {
        self.parameters.iter().map(|parameter| parameter.least).sum()
    }

    /// Returns a description of the mismatch, or `None` if the arguments fit.
    pub fn describe_mismatch(&self, arguments: &[Value]) -> Option<String> {
        let signature = self.signature();
        (!signature.accepts(arguments, None)).then(|| describe_call(&self.name, &[signature], arguments, None))
    }

    /// Returns the declared return type.
    pub fn returns(&self) -> Option<&Type> {
        self.returns.as_ref()
    }

    /// Returns the maximum number of arguments. `None` means unlimited.
    pub fn most(&self) -> Option<usize> {
        self.parameters.iter().map(|parameter| parameter.most).sum()
    }
}

impl Extended for Closure {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref::<Closure>().is_some_and(|other| std::ptr::eq(self, other))
    }

    fn hash_into(&self, state: &mut dyn Hasher) {
        state.write_usize(Arc::as_ptr(&self.lambda) as usize);
    }

    fn to_text(&self) -> String {
        "Callable".into()
    }

    fn ruby_class(&self) -> &'static str {
        "Proc"
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(Closure {
            lambda: self.lambda.clone(),
            name: self.name.clone(),
            source: self.source.clone(),
            parameters: self
                .parameters
                .iter()
                .map(|one| PreparedParameter { kind: one.kind.clone(), least: one.least, most: one.most })
                .collect(),
            returns: self.returns.clone(),
            callable: self.callable.clone(),
            plain: self.plain,
        })
    }
}

impl Code for Closure {
    fn callable_type(&self) -> &Type {
        &self.callable
    }

    fn parameter_names(&self) -> Vec<&str> {
        self.lambda.parameters.iter().map(|parameter| &*parameter.name).collect()
    }
}

/// The types of arguments, with the least and the greatest number of arguments.
pub(super) fn tuple(types: Vec<Type>, least: usize, most: Option<usize>) -> Option<TupleType> {
    // Numbers of parameters are far below the maximum of an integer.
    let number = |count: usize| Some(Int::from(count as i64));
    match Type::tuple_of_size(types, IntegerRange::new(number(least), most.and_then(number))) {
        Type::Tuple(tuple) => Some((*tuple).clone()),
        _ => None,
    }
}

/// Returns whether a type expression has the same value every time.
pub(crate) fn is_constant(expr: Option<&Expr>) -> bool {
    let Some(expr) = expr else { return true };
    match &expr.node {
        Node::Literal(_) | Node::Integer { .. } | Node::Name(_) | Node::Reference(_) | Node::Regexp(_) => true,
        Node::Minus(inner) | Node::Parenthesized(inner) => is_constant(Some(inner)),
        Node::Access { left, keys } => is_constant(Some(left)) && keys.iter().all(|key| is_constant(Some(key))),
        Node::List(elements) => elements.iter().all(|one| is_constant(Some(one))),
        Node::Hash(entries) => {
            entries.iter().all(|entry| is_constant(Some(&entry.key)) && is_constant(Some(&entry.value)))
        }
        _ => false,
    }
}

impl Evaluator<'_> {
    /// Prepares the block of a call.
    pub(crate) fn block(&mut self, lambda: &Arc<Lambda>) -> Result<Block, Flow> {
        let key = (self.calls.source().id(), lambda.span);
        if let Some(known) = self.prepared.closures.get(&key) {
            return Ok(Block(known.clone()));
        }
        let constant = lambda.parameters.iter().all(|parameter| is_constant(parameter.kind.as_ref()))
            && is_constant(lambda.returns.as_ref());
        let closure = Arc::new(self.prepare(LAMBDA.into(), lambda)?);
        if constant {
            self.prepared.closures.insert(key, closure.clone());
        }
        Ok(Block(closure))
    }

    /// Computes the properties of code that do not depend on a run.
    pub(crate) fn prepare(&mut self, name: Str, lambda: &Arc<Lambda>) -> Result<Closure, Flow> {
        let mut parameters = Vec::with_capacity(lambda.parameters.len());
        for parameter in &lambda.parameters {
            parameters.push(self.prepare_parameter(parameter)?);
        }
        let returns = lambda.returns.as_ref().map(|returns| self.eval_type(returns)).transpose()?;
        let least = parameters.iter().map(|one| one.least).sum();
        let most: Option<usize> = parameters.iter().map(|one| one.most).sum();
        let types: Vec<Type> = parameters.iter().map(|one| one.kind.clone()).collect();
        let callable = CallableType { parameters: tuple(types, least, most), block: None, returns: returns.clone() };
        let plain = parameters.iter().all(|one| one.kind == Type::Any && one.least == 1 && one.most == Some(1));
        Ok(Closure {
            lambda: lambda.clone(),
            name,
            source: self.calls.source().clone(),
            parameters,
            returns,
            callable: Type::Callable(Arc::new(callable)),
            plain,
        })
    }

    fn prepare_parameter(&mut self, parameter: &Parameter) -> Result<PreparedParameter, Flow> {
        let kind = match &parameter.kind {
            Some(expr) => self.eval_type(expr)?,
            None => Type::Any,
        };
        if parameter.captures_rest {
            // The size of an array type bounds the number of captured arguments, its element type is that of each
            // argument.
            if let Type::Array(array) = kind.resolved() {
                let size = array.size();
                let end = |end: Option<&hieratic_puppet_types::Int>| {
                    end.and_then(|end| end.to_string().parse::<usize>().ok())
                };
                let least = size.and_then(|size| end(size.from())).unwrap_or(0);
                return Ok(PreparedParameter {
                    kind: array.element().clone(),
                    least,
                    most: size.and_then(|size| end(size.to())),
                });
            }
            return Ok(PreparedParameter { kind, least: 0, most: None });
        }
        Ok(PreparedParameter { kind, least: usize::from(parameter.default.is_none()), most: Some(1) })
    }

    /// Runs a block; a `next` in it ends it with its value.
    pub(crate) fn run_block(&mut self, block: &Block, arguments: &[Value]) -> Outcome {
        let code: &dyn Code = &*block.0;
        match code.as_any().downcast_ref::<Closure>() {
            Some(closure) => self.run_closure(closure, arguments),
            None => match code.as_any().downcast_ref::<BlockInRuby>() {
                Some(block) => self.call_ruby_block(block, arguments),
                None => Err(EvalError::new("this block belongs to another evaluation").into()),
            },
        }
    }

    /// Runs code with arguments in a new block on top of the current scope.
    pub(crate) fn run_closure(&mut self, closure: &Closure, arguments: &[Value]) -> Outcome {
        self.budget.step()?;
        let mark = self.scopes.mark();
        let outcome = self.deeper(|this| this.run_bound(closure, arguments));
        self.scopes.reset(mark);
        match outcome {
            Err(Flow::Next(value, _)) => self.returned(closure, value),
            Ok(value) => self.returned(closure, value),
            other => other,
        }
    }

    fn run_bound(&mut self, closure: &Closure, arguments: &[Value]) -> Outcome {
        let parameters = &closure.lambda.parameters;
        if closure.plain
            && (arguments.len() == parameters.len() || arguments.len() > parameters.len() && &*closure.name == LAMBDA)
        {
            self.scopes.open_block();
            for (parameter, argument) in parameters.iter().zip(arguments) {
                self.scopes.bind(parameter.name.clone(), argument.clone());
            }
        } else {
            self.budget.charge_visit(arguments)?;
            let is_function = &*closure.name != LAMBDA;
            // The arguments of functions are counted before defaults are evaluated, those of blocks are not.
            if is_function && arguments.len() < closure.required() {
                return Err(
                    EvalError::new(describe_call(&closure.name, &[closure.signature()], arguments, None)).into()
                );
            }
            let values = self.bind(closure, arguments)?;
            self.check_arguments(closure, arguments, &values)?;
            self.scopes.open_block();
            for (parameter, value) in parameters.iter().zip(values) {
                self.scopes.bind(parameter.name.clone(), value);
            }
        }
        self.eval(&closure.lambda.body)
    }

    /// The values of the parameters, defaults filled in.
    fn bind(&mut self, closure: &Closure, arguments: &[Value]) -> Result<Vec<Value>, Flow> {
        let parameters = &closure.lambda.parameters;
        let mark = self.scopes.mark();
        let names = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        self.scopes.open_parameters(&closure.name, names);
        let mut values = Vec::with_capacity(parameters.len());
        for (index, parameter) in parameters.iter().enumerate() {
            self.scopes.at_parameter(index);
            let value = self.bind_one(parameter, index, parameters.len(), arguments);
            let value = value.inspect_err(|_| self.scopes.reset(mark))?;
            self.scopes.bind(parameter.name.clone(), value.clone());
            values.push(value);
        }
        self.scopes.reset(mark);
        Ok(values)
    }

    fn bind_one(&mut self, parameter: &Parameter, index: usize, count: usize, arguments: &[Value]) -> Outcome {
        let listed = |value: Value| match value {
            Value::Array(_) => value,
            other => Value::from(vec![other]),
        };
        if index >= arguments.len() {
            return match &parameter.default {
                Some(default) => {
                    let value = self.eval_default(default)?;
                    Ok(if parameter.captures_rest { listed(value) } else { value })
                }
                None if parameter.captures_rest => Ok(Value::from(Vec::new())),
                None => {
                    let message = format!("Parameter ${} is required but no value was given", parameter.name);
                    let mut error = EvalError::rule(format!("{}{message}", super::positions::EVALUATION));
                    error.site = Some(self.calls.site_at(parameter.at));
                    Err(error.into())
                }
            };
        }
        if !parameter.captures_rest {
            return Ok(arguments[index].clone());
        }
        let rest = &arguments[count - 1..];
        match (rest, &parameter.default) {
            ([Value::Undef], Some(default)) => self.eval_default(default).map(listed),
            _ => Ok(Value::from(rest.to_vec())),
        }
    }

    pub(crate) fn eval_default(&mut self, default: &Expr) -> Outcome {
        let matches = self.scopes.matches();
        let value = self.eval(default);
        self.scopes.forget_matches(matches);
        value.map_err(super::positions::at_call_site)
    }

    fn check_arguments(&mut self, closure: &Closure, arguments: &[Value], values: &[Value]) -> Result<(), Flow> {
        // A lambda ignores surplus arguments; a function rejects them.
        let too_many = &*closure.name != LAMBDA && closure.most().is_some_and(|most| arguments.len() > most);
        let fits = !too_many
            && closure.lambda.parameters.iter().zip(&closure.parameters).zip(values).all(
                |((parameter, one), value)| match (parameter.captures_rest, value) {
                    (true, Value::Array(rest)) => {
                        rest.len() >= one.least
                            && one.most.is_none_or(|most| rest.len() <= most)
                            && (one.kind == Type::Any || rest.iter().all(|value| one.kind.is_instance(value)))
                    }
                    _ => one.kind == Type::Any || one.kind.is_instance(value),
                },
            );
        if fits {
            return Ok(());
        }
        let mut given: Vec<Value> = Vec::new();
        for (parameter, value) in closure.lambda.parameters.iter().zip(values) {
            match (parameter.captures_rest, value) {
                (true, Value::Array(rest)) => given.extend(rest.iter().cloned()),
                _ => given.push(value.clone()),
            }
        }
        if too_many {
            given.extend(arguments.iter().skip(given.len()).cloned());
        }
        Err(EvalError::new(describe_call(&closure.name, &[closure.signature()], &given, None)).into())
    }

    /// Checks a returned value against the declared return type.
    fn returned(&mut self, closure: &Closure, value: Value) -> Outcome {
        if let Some(returns) = &closure.returns {
            self.budget.charge_visit([&value])?;
            assert_instance(&format!("value returned from {}", closure.name), returns, &value)
                .map_err(|mismatch| EvalError::new(mismatch.to_string()))?;
        }
        Ok(value)
    }
}

impl Closure {
    /// The parameters as messages about arguments need them.
    fn signature(&self) -> Signature {
        let parameters = self.lambda.parameters.iter().zip(&self.parameters);
        Signature {
            parameters: parameters
                .map(|(parameter, one)| SignatureParameter {
                    name: parameter.name.clone(),
                    kind: one.kind.clone(),
                    required: one.least > 0,
                    repeated: parameter.captures_rest,
                })
                .collect(),
            block: None,
        }
    }
}
