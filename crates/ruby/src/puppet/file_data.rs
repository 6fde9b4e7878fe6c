//! What blocks made of files: `cached_file_data` of a lookup context.
//!
//! In Puppet, what the first block made of a file is what all get, until the file changes. A machine that goes from node to node must not
//! do that: the block may have asked for facts, or seen an option of the call, and each node is to get what it would get alone. So what was
//! made for another node is taken only if the block could see nothing else: the same code, with the same variables around it, that asked
//! for nothing. Blocks that read a file are like that; mostly they see its path.
//!
//! See <https://www.puppet.com/docs/puppet/8/hiera_custom_backends.html>.

use std::rc::Rc;
use std::sync::Arc;

use super::text;
use crate::ast::Block;
use crate::methods::Natives;
use crate::value::{Ctx, Env, Proc, ProcKind, Value};
use crate::vm::Vm;

/// What was made of a file.
pub(crate) struct FileData {
    /// What the file was like.
    stamp: String,
    made: Value,
    code: Option<Arc<Block>>,
    /// All that the block could see; none if it could see more than that, or has asked for something.
    seen: Option<Vec<u8>>,
    /// Whether it was made for the node that the machine now works for.
    pub is_own: bool,
}

/// Functions that the prelude's `cached_file_data` is made of.
pub(crate) const FUNCTIONS: Natives = &[
    // (context, block): all that the block sees, as bytes that tell it from all else; nil if that is not known.
    ("self.seen_by", 2, 2, |vm, _, a| {
        let given = a.at(1);
        let Some((_, ctx)) = block(&given) else { return Ok(Value::Nil) };
        Ok(seen_by(vm, ctx, &a.at(0)).map(Value::bytes).into())
    }),
    ("self.asked", 0, 0, |vm, _, _| Ok(vm.host.asked().map(|count| Value::Int(count as i64)).into())),
    // (path, stamp, block, what it sees): what was made of the file, in an array.
    ("self.file_data", 4, 4, |vm, _, a| {
        let (path, stamp) = (text(vm, a, 0)?, text(vm, a, 1)?);
        let Some(known) = vm.st.file_data.get(&*path).filter(|known| known.stamp == stamp) else {
            return Ok(Value::Nil);
        };
        let is_same = match (block(&a.at(2)), &known.code, &known.seen, a.at(3)) {
            (Some((code, _)), Some(then), Some(seen), Value::Str(now)) => {
                Arc::ptr_eq(code, then) && **seen == *now.bytes()
            }
            _ => false,
        };
        let (made, is_own) = (known.made.clone(), known.is_own);
        if !is_same {
            if !is_own {
                return Ok(Value::Nil);
            }
            // It may depend on what the earlier call for this node has asked.
            vm.host.depend_on_more();
        }
        Ok(Value::array(vec![made]))
    }),
    // (path, stamp, block, what it sees, what had been asked before it ran, what it made)
    ("self.keep_file_data", 6, 6, |vm, _, a| {
        let (path, stamp, made) = (text(vm, a, 0)?, text(vm, a, 1)?, a.at(5));
        vm.let_last(&made)?;
        let has_asked = match (vm.host.asked(), a.at(4)) {
            (Some(now), Value::Int(before)) => now as i64 != before,
            _ => true,
        };
        let seen = match a.at(3) {
            Value::Str(seen) if !has_asked => Some(seen.bytes().to_vec()),
            _ => None,
        };
        let code = block(&a.at(2)).map(|(code, _)| code.clone());
        vm.st.file_data.insert(path.into(), FileData { stamp, made, code, seen, is_own: true });
        Ok(Value::Nil)
    }),
];

/// The code of a block, and what surrounds it.
fn block(value: &Value) -> Option<(&Arc<Block>, &Ctx)> {
    match value {
        Value::Proc(proc) => match &**proc {
            Proc { kind: ProcKind::Block { code, ctx }, .. } => Some((code, ctx)),
            _ => None,
        },
        _ => None,
    }
}

/// All that a block sees where it stands, in bytes; none if that is too much, or more than plain data and the context that is asked.
fn seen_by(vm: &Vm<'_>, ctx: &Ctx, context: &Value) -> Option<Vec<u8>> {
    let is_lasting = match &ctx.me {
        // What an older object is like was not changed, or the machine is not given to another node.
        Value::Object(object) => object.born.is_before(vm.st.run),
        _ => false,
    };
    if !is_lasting || ctx.frame.block.is_some() || !matches!(*ctx.frame.last_match.borrow(), Value::Nil) {
        return None;
    }
    let mut out = Vec::new();
    let mut scope: Option<&Rc<Env>> = Some(&ctx.env);
    while let Some(env) = scope {
        out.push(0xff);
        let slots = env.slots.borrow();
        slots.iter().all(|value| write(vm, value, context, 0, &mut out)).then_some(())?;
        scope = env.parent.as_ref();
    }
    Some(out)
}

/// How deep values may nest, and how many bytes they may take.
const DEEPEST: u32 = 16;
const MOST: usize = 16 << 10;

/// Writes a value, so that different ones are different; false if it is no plain data, or too large.
fn write(vm: &Vm<'_>, value: &Value, context: &Value, depth: u32, out: &mut Vec<u8>) -> bool {
    if depth > DEEPEST || out.len() > MOST {
        return false;
    }
    let mut tell = |kind: u8, bytes: &[u8]| {
        out.push(kind);
        out.extend_from_slice(&bytes.len().to_le_bytes());
        out.extend_from_slice(bytes);
        out.len() <= MOST
    };
    match value {
        Value::Nil => tell(0, &[]),
        Value::Bool(value) => tell(1, &[u8::from(*value)]),
        Value::Int(number) => tell(2, &number.to_le_bytes()),
        Value::Sym(symbol) => tell(3, vm.name(*symbol).as_bytes()),
        // Whoever sees the data sees this: from here on the answer depends on it.
        Value::Str(string) => tell(4, string.encoding.get().name().as_bytes()) && tell(5, &string.bytes()),
        Value::Array(array) => {
            let list = array.list.borrow();
            tell(6, &list.len().to_le_bytes()) && list.iter().all(|one| write(vm, one, context, depth + 1, out))
        }
        Value::Hash(hash) => {
            let is_plain = hash.default_proc.borrow().is_none() && !hash.by_identity.get();
            let table = hash.table.borrow();
            is_plain
                && tell(7, &table.len().to_le_bytes())
                && write(vm, &hash.default.borrow(), context, depth + 1, out)
                && table.iter().all(|(key, value)| {
                    write(vm, &key.value, context, depth + 1, out) && write(vm, value, context, depth + 1, out)
                })
        }
        Value::Foreign(other) => match context {
            // What is asked through it is noted.
            Value::Foreign(context) if Rc::ptr_eq(other, context) => tell(8, &[]),
            _ => false,
        },
        _ => false,
    }
}
