//! Data that blocks compute from files: `cached_file_data` of a lookup context.
//!
//! In Puppet, all callers get the result of the first block until the file changes. An interpreter that moves from node
//! to node must not do that: the block may have read facts or seen an option of the call, and each node must get the
//! result that it would get alone. So a result of another node is reused only if the block could see nothing else: the
//! same code, with the same variables around it, without a node-dependent read. Typical blocks qualify, because they
//! only see the path of the file.
//!
//! See <https://www.puppet.com/docs/puppet/8/hiera_custom_backends.html>.

use std::rc::Rc;
use std::sync::Arc;

use super::text;
use crate::ast::Block;
use crate::methods::Natives;
use crate::value::{Ctx, Env, Proc, ProcKind, Value};
use crate::vm::Vm;

/// The cached result of a block for a file.
pub(crate) struct FileData {
    /// The fingerprint of the file.
    fingerprint: String,
    result: Value,
    code: Option<Arc<Block>>,
    /// Everything that the block could see, in bytes; `None` if that is not plain data, or if the block read
    /// node-dependent values.
    visible: Option<Vec<u8>>,
    /// Whether the result was computed for the current node.
    pub is_own: bool,
}

/// The native functions of the prelude's `cached_file_data`.
pub(crate) const FUNCTIONS: Natives = &[
    // (context, block) -> the visible data of the block in bytes; nil if it cannot be serialized
    ("self.seen_by", 2, 2, |vm, _, a| {
        let given = a.at(1);
        let Some((_, ctx)) = block(&given) else { return Ok(Value::Nil) };
        Ok(visible_data(vm, ctx, &a.at(0)).map(Value::bytes).into())
    }),
    ("self.asked", 0, 0, |vm, _, _| Ok(vm.host.impurity().map(|count| Value::Int(count as i64)).into())),
    // (path, fingerprint, block, visible data) -> the cached result, in an array
    ("self.file_data", 4, 4, |vm, _, a| {
        let (path, state) = (text(vm, a, 0)?, text(vm, a, 1)?);
        let Some(known) = vm.st.file_data.get(&*path).filter(|known| known.fingerprint == state) else {
            return Ok(Value::Nil);
        };
        let is_same = match (block(&a.at(2)), &known.code, &known.visible, a.at(3)) {
            (Some((code, _)), Some(then), Some(seen), Value::Str(now)) => {
                Arc::ptr_eq(code, then) && **seen == *now.bytes()
            }
            _ => false,
        };
        let (result, is_own) = (known.result.clone(), known.is_own);
        if !is_same {
            if !is_own {
                return Ok(Value::Nil);
            }
            // The result may depend on node-dependent reads of the earlier call.
            vm.host.mark_impure();
        }
        Ok(Value::array(vec![result]))
    }),
    // (path, fingerprint, block, visible data, counter of reads before the block ran, result)
    ("self.keep_file_data", 6, 6, |vm, _, a| {
        let (path, state, result) = (text(vm, a, 0)?, text(vm, a, 1)?, a.at(5));
        vm.promote(&result)?;
        let is_impure = match (vm.host.impurity(), a.at(4)) {
            (Some(now), Value::Int(before)) => now as i64 != before,
            _ => true,
        };
        let seen = match a.at(3) {
            Value::Str(seen) if !is_impure => Some(seen.bytes().to_vec()),
            _ => None,
        };
        let code = block(&a.at(2)).map(|(code, _)| code.clone());
        vm.st.file_data.insert(path.into(), FileData { fingerprint: state, result, code, visible: seen, is_own: true });
        Ok(Value::Nil)
    }),
];

/// Returns the code of a block and its context.
fn block(value: &Value) -> Option<(&Arc<Block>, &Ctx)> {
    match value {
        Value::Proc(proc) => match &**proc {
            Proc { kind: ProcKind::Block { code, ctx }, .. } => Some((code, ctx)),
            _ => None,
        },
        _ => None,
    }
}

/// Serializes everything that a block sees. Returns `None` if that is too large, or if it contains more than plain data
/// and `context`.
fn visible_data(vm: &Vm<'_>, ctx: &Ctx, context: &Value) -> Option<Vec<u8>> {
    let is_lasting = match &ctx.me {
        // An older object is unchanged; otherwise the interpreter would not be reused for another node.
        Value::Object(object) => object.generation.is_before(vm.st.run),
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

/// The maximum nesting depth of the values, and their maximum size in bytes.
const MAX_DEPTH: u32 = 16;
const MAX_SIZE: usize = 16 << 10;

/// Serializes a value injectively. Returns false if it is not plain data, or is too large.
fn write(vm: &Vm<'_>, value: &Value, context: &Value, depth: u32, out: &mut Vec<u8>) -> bool {
    if depth > MAX_DEPTH || out.len() > MAX_SIZE {
        return false;
    }
    let mut tell = |kind: u8, bytes: &[u8]| {
        out.push(kind);
        out.extend_from_slice(&bytes.len().to_le_bytes());
        out.extend_from_slice(bytes);
        out.len() <= MAX_SIZE
    };
    match value {
        Value::Nil => tell(0, &[]),
        Value::Bool(value) => tell(1, &[u8::from(*value)]),
        Value::Int(number) => tell(2, &number.to_le_bytes()),
        Value::Sym(symbol) => tell(3, vm.name(*symbol).as_bytes()),
        // Comparing the data observes the string: from here on the answer depends on it.
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
            // Reads through the context are counted.
            Value::Foreign(context) if Rc::ptr_eq(other, context) => tell(8, &[]),
            _ => false,
        },
        _ => false,
    }
}
