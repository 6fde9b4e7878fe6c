//! Assignments.

use super::{Args, Outcome, Vm};
use crate::ast::{Local, OpAssign, Operator, Target, Targets};
use crate::symbol::{Symbol, known};
use crate::value::{Ctx, Value};

/// A target whose receiver and arguments are evaluated once, although it is read and then written.
enum Place<'t> {
    Plain(&'t Target),
    Attribute(Value, Symbol),
    Index(Value, Args),
    Const(Value, Symbol),
}

impl Vm<'_> {
    /// Assigns a value.
    pub fn assign(&mut self, target: &Target, value: Value, ctx: &Ctx) -> Outcome<()> {
        match target {
            Target::Local(local) => self.set_local(*local, value, ctx),
            Target::IVar(name) => self.set_ivar(&ctx.me, *name, value)?,
            Target::GVar(name) => {
                self.note_lasting_change();
                self.st.globals.insert(*name, value);
            }
            Target::CVar(name) => self.set_class_var(*name, value, ctx)?,
            Target::Const(None, name) => {
                let class = ctx.cref.class.clone();
                self.set_constant(&class, *name, value)?;
            }
            Target::Const(Some(parent), name) => match self.eval(parent, ctx)? {
                Value::Class(class) => self.set_constant(&class, *name, value)?,
                _ => return Err(self.type_error("this is not a class/module")),
            },
            Target::Attribute { receiver, name, safe, .. } => {
                let receiver = self.eval(receiver, ctx)?;
                if !(*safe && receiver.is_nil()) {
                    self.write_attribute(&receiver, *name, value)?;
                }
            }
            Target::Index { receiver, arguments } => {
                let receiver = self.eval(receiver, ctx)?;
                let mut args = self.arguments(arguments, ctx)?;
                args.list.push(value);
                self.call(&receiver, known::INDEX_SET, args)?;
            }
            Target::Multi(targets) => {
                let list = match self.try_array(&value)? {
                    Some(list) => list,
                    None => vec![value],
                };
                self.assign_all(targets, list, ctx)?;
            }
        }
        Ok(())
    }

    /// Sets a local variable, here or around the block.
    #[inline]
    pub fn set_local(&mut self, local: Local, value: Value, ctx: &Ctx) {
        let env = ctx.env.up(local.depth);
        if local.depth > 0 {
            self.note_change(&env.generation);
        }
        env.set(local.slot, value);
    }

    fn write_attribute(&mut self, receiver: &Value, name: Symbol, value: Value) -> Outcome<()> {
        let writer = format!("{}=", self.name(name));
        let writer = self.sym(&writer);
        self.call(receiver, writer, Args::one(value)).map(|_| ())
    }

    /// `a, *b, c = list`
    pub fn assign_all(&mut self, targets: &Targets, list: Vec<Value>, ctx: &Ctx) -> Outcome<()> {
        self.steps(list.len() / 16)?;
        let count = list.len();
        let mut list = list.into_iter();
        for target in &targets.before {
            let value = list.next().unwrap_or(Value::Nil);
            self.assign(target, value, ctx)?;
        }
        if let Some(rest) = &targets.rest {
            let used = count.saturating_sub(targets.before.len() + targets.after.len());
            let values: Vec<Value> = list.by_ref().take(used).collect();
            if let Some(rest) = rest {
                self.build(values.len() * 16)?;
                let values = self.array_of(values);
                self.assign(rest, values, ctx)?;
            }
        }
        for target in &targets.after {
            let value = list.next().unwrap_or(Value::Nil);
            self.assign(target, value, ctx)?;
        }
        Ok(())
    }

    pub fn eval_op_assign(&mut self, assign: &OpAssign, line: u32, ctx: &Ctx) -> Outcome {
        let place = match &assign.target {
            Target::Attribute { receiver, name, safe, .. } => {
                let receiver = self.eval(receiver, ctx)?;
                if *safe && receiver.is_nil() {
                    return Ok(Value::Nil);
                }
                Place::Attribute(receiver, *name)
            }
            Target::Index { receiver, arguments } => {
                let receiver = self.eval(receiver, ctx)?;
                Place::Index(receiver, self.arguments(arguments, ctx)?)
            }
            Target::Const(Some(parent), name) => Place::Const(self.eval(parent, ctx)?, *name),
            plain => Place::Plain(plain),
        };
        self.at_line(line);
        let current = self.read(&place, assign.operator, ctx)?;
        let value = match assign.operator {
            Operator::Or if current.truthy() => return Ok(current),
            Operator::And if !current.truthy() => return Ok(current),
            Operator::Or | Operator::And => self.eval(&assign.value, ctx)?,
            Operator::Method(name) => {
                let value = self.eval(&assign.value, ctx)?;
                self.at_line(line);
                self.call(&current, name, Args::one(value))?
            }
        };
        match place {
            Place::Plain(target) => self.assign(target, value.clone(), ctx)?,
            Place::Attribute(receiver, name) => self.write_attribute(&receiver, name, value.clone())?,
            Place::Index(receiver, mut args) => {
                args.list.push(value.clone());
                self.call(&receiver, known::INDEX_SET, args)?;
            }
            Place::Const(Value::Class(class), name) => self.set_constant(&class, name, value.clone())?,
            Place::Const(..) => return Err(self.type_error("this is not a class/module")),
        }
        Ok(value)
    }

    fn read(&mut self, place: &Place<'_>, operator: Operator, ctx: &Ctx) -> Outcome {
        let or = matches!(operator, Operator::Or);
        match place {
            Place::Plain(Target::Local(local)) => Ok(ctx.env.up(local.depth).get(local.slot)),
            Place::Plain(Target::IVar(name)) => self.get_ivar(&ctx.me, *name),
            Place::Plain(Target::GVar(name)) => Ok(self.st.globals.get(name).cloned().into()),
            Place::Plain(Target::CVar(name)) if or => Ok(self.find_class_var(*name, ctx).map(|found| found.1).into()),
            Place::Plain(Target::CVar(name)) => self.class_var(*name, ctx),
            Place::Plain(Target::Const(_, name)) if or => {
                Ok(ctx.cref.class.constants.borrow().get(name).cloned().into())
            }
            Place::Plain(Target::Const(_, name)) => self.constant(*name, ctx),
            Place::Plain(_) => Ok(Value::Nil),
            Place::Attribute(receiver, name) => self.call(receiver, *name, Args::none()),
            Place::Index(receiver, args) => self.call(receiver, known::INDEX, args.clone()),
            Place::Const(Value::Class(class), name) => Ok(class.constants.borrow().get(name).cloned().into()),
            Place::Const(..) => Ok(Value::Nil),
        }
    }
}
