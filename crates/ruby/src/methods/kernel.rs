//! Functions that are called without a receiver. => The methods of `Kernel`, which are called without a receiver.

use std::rc::Rc;

use super::Natives;
use super::numeric::{charge_digits, parse_float, parse_integer};
use crate::symbol::known;
use crate::value::{Generation, Proc, ProcKind, Value};
use crate::vm::{Args, Flow, Outcome, Vm};

fn refused(vm: &mut Vm<'_>, feature: &str) -> Outcome {
    Err(vm.unsupported(feature))
}

macro_rules! refuse {
    ($($name:literal)*) => {
        &[$(($name, 0, -1, |vm, _, _| refused(vm, concat!("Kernel#", $name))),)*]
    };
}

/// Methods that would reach outside the sandbox, or that need code which is not part of it.
pub(super) const REFUSED: Natives = refuse! {
    "system" "exec" "spawn" "fork" "open" "gets" "readline" "readlines" "`" "eval" "exit" "exit!" "abort" "at_exit"
    "trap" "sleep" "syscall" "select" "load" "autoload" "set_trace_func" "callcc" "test" "trace_var"
    "local_variables" "global_variables"
};

pub(super) const FUNCTIONS: Natives = &[
    ("raise", 0, -1, raise),
    ("__dir__", 0, 0, |vm, _, _| {
        let (file, _) = vm.place();
        let folder = file.rsplit_once('/').filter(|_| file.starts_with('/')).map(|(folder, _)| folder);
        Ok(folder.map(|folder| Value::str(if folder.is_empty() { "/" } else { folder })).into())
    }),
    ("fail", 0, -1, raise),
    ("loop", 0, 0, |vm, me, a| {
        let block = super::block_or_enumerator!(vm, me, a, "loop");
        loop {
            match vm.yield_all(&block, &[]) {
                Ok(_) => {}
                Err(flow) => match *flow {
                    Flow::Raise(exception) => {
                        let class = vm.st.classes.stop_iteration.clone();
                        if vm.is_a(&exception, &class) {
                            return vm.send(&exception, "result", &[]);
                        }
                        return Err(Box::new(Flow::Raise(exception)));
                    }
                    other => return Err(Box::new(other)),
                },
            }
        }
    }),
    ("block_given?", 0, 0, |vm, _, _| Ok(vm.st.calls.last().is_some_and(|call| call.frame.block.is_some()).into())),
    ("lambda", 0, 0, |vm, _, a| match &a.block {
        Some(block) => Ok(Value::Proc(as_lambda(block))),
        None => Err(vm.argument_error("tried to create Proc object without a block")),
    }),
    ("proc", 0, 0, |vm, _, a| match &a.block {
        Some(block) => Ok(Value::Proc(block.clone())),
        None => Err(vm.argument_error("tried to create Proc object without a block")),
    }),
    ("catch", 0, 1, |vm, _, a| {
        let tag = match a.get(0) {
            Some(tag) => tag.clone(),
            None => vm.send(&Value::Class(vm.st.classes.object.clone()), "new", &[])?,
        };
        let Some(block) = &a.block else { return Err(vm.argument_error("no block given")) };
        let depth = vm.st.calls.len();
        let tags = vm.sym("$hieratic_catch");
        let before = vm.st.globals.get(&tags).cloned();
        let mut list = match &before {
            Some(Value::Array(array)) => array.list.borrow().clone(),
            _ => Vec::new(),
        };
        list.push(tag.clone());
        vm.steps(list.len())?;
        vm.st.globals.insert(tags, Value::array(list));
        let outcome = vm.yield1(block, tag.clone());
        vm.st.globals.insert(tags, before.into());
        match outcome {
            Err(flow) => match *flow {
                Flow::Throw(thrown, value) if thrown.same(&tag) => {
                    vm.st.calls.truncate(depth);
                    Ok(value)
                }
                other => Err(Box::new(other)),
            },
            value => value,
        }
    }),
    ("throw", 1, 2, |vm, _, a| {
        let tags = vm.sym("$hieratic_catch");
        let known = match vm.st.globals.get(&tags) {
            Some(Value::Array(array)) => array.list.borrow().iter().any(|one| one.same(&a.at(0))),
            _ => false,
        };
        if !known {
            let shown = vm.inspect(&a.at(0))?;
            let class = vm.st.classes.uncaught_throw.clone();
            return Err(vm.error(&class, format!("uncaught throw {shown}")));
        }
        Err(Box::new(Flow::Throw(a.at(0), a.at(1))))
    }),
    ("format", 1, -1, |vm, _, a| super::format::sprintf(vm, &a.at(0), &a.list[1..])),
    ("sprintf", 1, -1, |vm, _, a| super::format::sprintf(vm, &a.at(0), &a.list[1..])),
    ("Integer", 1, 3, integer),
    ("Float", 1, 2, |vm, _, a| {
        let quiet = quiet(vm, a)?;
        match a.at(0) {
            Value::Str(text) => match text.with(|text| parse_float(text, true)) {
                Some(number) => Ok(Value::Float(number)),
                None if quiet => Ok(Value::Nil),
                None => {
                    let shown = vm.inspect(&a.at(0))?;
                    Err(vm.argument_error(format!("invalid value for Float(): {shown}")))
                }
            },
            other => match vm.to_float(&other) {
                Ok(number) => Ok(Value::Float(number)),
                Err(flow) => {
                    if quiet && matches!(*flow, Flow::Raise(_)) {
                        Ok(Value::Nil)
                    } else {
                        Err(flow)
                    }
                }
            },
        }
    }),
    ("String", 1, 1, |vm, _, a| vm.to_s(&a.at(0)).map(Value::string)),
    ("Array", 1, 1, |vm, _, a| match a.at(0) {
        Value::Array(array) => Ok(Value::Array(array)),
        Value::Hash(_) | Value::Nil | Value::Range(_) | Value::Object(_) => {
            let list = vm.splat(&a.at(0))?;
            Ok(Value::array(list))
        }
        other => Ok(Value::array(vec![other])),
    }),
    ("Hash", 1, 1, |vm, _, a| match a.at(0) {
        Value::Nil => Ok(Value::hash(Default::default())),
        Value::Array(array) if array.list.borrow().is_empty() => Ok(Value::hash(Default::default())),
        Value::Hash(hash) => Ok(Value::Hash(hash)),
        other => {
            let class = vm.class_name(&other);
            Err(vm.type_error(format!("can't convert {class} into Hash")))
        }
    }),
    ("Rational", 1, 2, |vm, _, _| refused(vm, "Rational")),
    ("Complex", 1, 2, |vm, _, _| refused(vm, "Complex")),
    ("BigDecimal", 1, 3, |vm, _, _| refused(vm, "BigDecimal")),
    ("DelegateClass", 1, 1, |vm, _, _| refused(vm, "DelegateClass")),
    ("require", 1, 1, require),
    ("require_relative", 1, 1, require_relative),
    ("puts", 0, -1, |vm, _, a| {
        for one in &a.list {
            let mut out = String::new();
            put(vm, one, &mut out)?;
            vm.build(out.len())?;
            vm.st.output.push_str(&out);
        }
        if a.list.is_empty() {
            vm.st.output.push('\n');
        }
        Ok(Value::Nil)
    }),
    ("print", 0, -1, |vm, _, a| {
        for one in &a.list {
            let text = vm.to_s(one)?;
            vm.st.output.push_str(&text);
        }
        Ok(Value::Nil)
    }),
    ("p", 0, -1, |vm, _, a| {
        for one in &a.list {
            let text = vm.inspect(one)?;
            vm.build(text.len())?;
            vm.st.output.push_str(&text);
            vm.st.output.push('\n');
        }
        Ok(match a.len() {
            0 => Value::Nil,
            1 => a.at(0),
            _ => Value::array(a.list.to_vec()),
        })
    }),
    ("printf", 0, -1, |vm, _, a| {
        if !a.list.is_empty() {
            let text = super::format::sprintf(vm, &a.at(0), &a.list[1..])?;
            let text = vm.to_s(&text)?;
            vm.st.output.push_str(&text);
        }
        Ok(Value::Nil)
    }),
    ("warn", 0, -1, |vm, _, a| {
        for one in a.positional() {
            let text = vm.to_s(one)?;
            vm.host.log("warning", text);
        }
        Ok(Value::Nil)
    }),
    ("__method__", 0, 0, |vm, _, _| Ok(vm.st.calls.last().and_then(|call| call.frame.name).map(Value::Sym).into())),
    ("caller", 0, 2, |vm, _, _| {
        let trace = vm.backtrace();
        Ok(super::exception::lines(vm, &trace[1.min(trace.len())..]))
    }),
    ("caller_locations", 0, 2, |vm, _, _| refused(vm, "Kernel#caller_locations")),
];

/// Returns a lambda with the same code as the block.
pub(super) fn as_lambda(block: &Rc<Proc>) -> Rc<Proc> {
    match &block.kind {
        ProcKind::Block { code, ctx } if !block.lambda => Rc::new(Proc {
            kind: ProcKind::Block { code: code.clone(), ctx: ctx.clone() },
            lambda: true,
            generation: Generation::current(),
        }),
        _ => block.clone(),
    }
}

fn put(vm: &mut Vm<'_>, value: &Value, out: &mut String) -> Outcome<()> {
    if let Value::Array(array) = value {
        let list = array.list.borrow().clone();
        return stacker::maybe_grow(128 << 10, 4 << 20, || {
            vm.steps(list.len() + 1)?;
            list.iter().try_for_each(|one| put(vm, one, out))
        });
    }
    let text = vm.to_s(value)?;
    out.push_str(&text);
    if !text.ends_with('\n') {
        out.push('\n');
    }
    Ok(())
}

fn quiet(vm: &mut Vm<'_>, a: &Args) -> Outcome<bool> {
    let Some(hash) = a.keyword_hash() else { return Ok(false) };
    let key = vm.symbol("exception");
    let key = vm.key(&key)?;
    Ok(hash.table.borrow().get(&key).is_some_and(|value| !value.truthy()))
}

fn integer(vm: &mut Vm<'_>, _: &Value, a: &Args) -> Outcome {
    let quiet = quiet(vm, a)?;
    let base = match a.positional().get(1) {
        Some(base) if !base.is_nil() => vm.to_int(base)?,
        _ => 0,
    };
    let failed = |vm: &mut Vm<'_>, error: fn(&mut Vm<'_>, String) -> Box<Flow>, message: String| {
        if quiet { Ok(Value::Nil) } else { Err(error(vm, message)) }
    };
    match a.at(0) {
        Value::Str(text) => {
            charge_digits(vm, text.len_bytes())?;
            match text.with(|text| parse_integer(text, base, true)) {
                Some(number) => Ok(Value::big(number)),
                None => {
                    let shown = vm.inspect(&a.at(0))?;
                    failed(vm, |vm, m| vm.argument_error(m), format!("invalid value for Integer(): {shown}"))
                }
            }
        }
        Value::Int(number) => Ok(Value::Int(number)),
        Value::Big(number) => Ok(Value::Big(number)),
        Value::Float(number) if number.is_finite() => Ok(Value::big(super::float_to_big(number.trunc()))),
        Value::Float(number) => {
            let text = hieratic_value::text::float(number);
            failed(
                vm,
                |vm, m| {
                    let class = vm.st.classes.float_domain_error.clone();
                    vm.error(&class, m)
                },
                text,
            )
        }
        Value::Nil => failed(vm, |vm, m| vm.type_error(m), "can't convert nil into Integer".into()),
        other if vm.responds(&other, known::TO_I) => vm.call(&other, known::TO_I, Args::none()),
        other => {
            let label = vm.conversion_name(&other);
            failed(vm, |vm, m| vm.type_error(m), format!("can't convert {label} into Integer"))
        }
    }
}

fn raise(vm: &mut Vm<'_>, _: &Value, a: &Args) -> Outcome {
    let list = a.positional();
    let cause = match a.keyword_hash() {
        Some(hash) => {
            let key = vm.symbol("cause");
            let key = vm.key(&key)?;
            hash.table.borrow().get(&key).cloned()
        }
        None => None,
    };
    let exception = match list {
        [] => match vm.st.current_error.clone() {
            Value::Nil => {
                let class = vm.st.classes.runtime_error.clone();
                vm.exception(&class, Value::str("unhandled exception"))
            }
            current => return Err(Box::new(Flow::Raise(current))),
        },
        [Value::Str(message)] => {
            let class = vm.st.classes.runtime_error.clone();
            vm.exception(&class, Value::Str(message.clone()))
        }
        [first, rest @ ..] => {
            let mut args = Args::from_slice(&rest[..rest.len().min(1)]);
            // Keywords of an exception's own.
            if cause.is_none()
                && let Some(hash) = a.keyword_hash()
            {
                args.list.push(Value::Hash(hash.clone()));
                args.keywords = true;
            }
            match first {
                Value::Class(_) => vm.call(first, known::NEW, args)?,
                Value::Object(_) if vm.responds(first, known::EXCEPTION) => vm.call(first, known::EXCEPTION, args)?,
                _ => return Err(vm.type_error("exception class/object expected")),
            }
        }
    };
    let class = vm.st.classes.exception.clone();
    if !vm.is_a(&exception, &class) {
        return Err(vm.type_error("exception class/object expected"));
    }
    if let (Some(cause), Value::Object(object)) = (cause, &exception)
        && let crate::value::Data::Exception(inner) = &mut *object.data.borrow_mut()
    {
        inner.cause = cause;
    }
    Err(vm.raise_value(exception))
}

/// Libraries that code may require although they are not part of this interpreter. They are refused when they are used,
/// because code often requires libraries that it does not use.
const UNAVAILABLE_LIBRARIES: &str = "\
    English abbrev benchmark bigdecimal bigdecimal/util bigdecimal/math coverage csv delegate drb etc fcntl \
    did_you_mean error_highlight expect fiber io/nonblock io/wait nkf kconv net/protocol objspace optparse/time \
    optparse/uri prime random/formatter rdoc readline reline resolv-replace socket.so yaml/store yaml/dbm fiddle \
    fileutils find getoptlong io/console ipaddr logger matrix monitor net/ftp net/http net/https net/smtp \
    observer open3 open-uri openssl optparse ostruct pp prettyprint pstore pty rbconfig rexml/document \
    rinda/rinda ripper rubygems securerandom singleton socket strscan syslog tempfile thread timeout tmpdir \
    tracer tsort un weakref win32ole win32/registry zlib facter hocon deep_merge concurrent multi_json gettext \
    gettext-setup fast_gettext locale augeas iconv jcode rational complex win32/dir win32/process win32/security \
    win32/service minitar ruby2_keywords bundler set/sorted_set";

/// Libraries that are part of us are loaded, and files of modules as the host knows them.
fn require(vm: &mut Vm<'_>, _: &Value, a: &Args) -> Outcome {
    let target = vm.to_str(&a.at(0))?;
    let plain = target.strip_suffix(".rb").unwrap_or(&target);
    let name = match plain {
        "date" | "date/format" => "time",
        "openssl" | "digest/md5" | "digest/sha1" | "digest/sha2" | "digest/sha256" => "digest",
        "psych" => "yaml",
        "cgi" | "cgi/util" | "cgi/escape" | "open-uri" => "uri",
        "uri/common" | "uri/generic" | "uri/http" | "uri/https" => "uri",
        "json/add/core" | "json/common" | "json/ext" | "puppet/util/pson" => "json",
        "pathname" => "file",
        "rubygems" | "rubygems/version" => "gem",
        "puppet/resource_api" => "puppet",
        name => name,
    };
    if crate::prelude::is_library(name) {
        return vm.load_library(name).map(Value::Bool);
    }
    let found = vm.host.library(plain, None);
    if let Some(loaded) = load_found(vm, found)? {
        return Ok(loaded);
    }
    if ["puppet", "facter", "hiera"]
        .iter()
        .any(|known| name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    {
        return vm.load_library("puppet").map(Value::Bool);
    }
    if UNAVAILABLE_LIBRARIES.split_ascii_whitespace().any(|known| known == name)
        || name.starts_with("rexml/")
        || name.starts_with("webrick")
    {
        return Ok(Value::Bool(vm.st.features.insert(name.to_owned())));
    }
    Err(vm.named_error("LoadError", format!("cannot load such file -- {target}")))
}

/// A file next to the one that runs.
fn require_relative(vm: &mut Vm<'_>, _: &Value, a: &Args) -> Outcome {
    let target = vm.to_str(&a.at(0))?;
    let plain = target.strip_suffix(".rb").unwrap_or(&target).to_owned();
    let (from, _) = vm.place();
    let found = vm.host.library(&plain, Some(&from));
    match load_found(vm, found)? {
        Some(loaded) => Ok(loaded),
        None => Err(vm.named_error("LoadError", format!("cannot load such file -- {target}"))),
    }
}

/// Runs the file that a host has found, unless it has run; whether it ran now.
pub(crate) fn load_found(
    vm: &mut Vm<'_>,
    found: Result<Option<(String, String)>, crate::host::HostError>,
) -> Outcome<Option<Value>> {
    match found {
        Ok(None) => Ok(None),
        Ok(Some((path, source))) => {
            if !vm.st.features.insert(path.clone()) {
                return Ok(Some(Value::Bool(false)));
            }
            let program = vm.read_program(&source, &path)?;
            vm.run_file(&program)?;
            Ok(Some(Value::Bool(true)))
        }
        Err(error) => Err(vm.host_error(error)),
    }
}
