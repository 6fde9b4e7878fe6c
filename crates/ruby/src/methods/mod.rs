//! The methods of the core classes that are written in Rust, one table for each class.

mod array;
mod digest;
mod exception;
mod float;
mod format;
mod hash;
mod integer;
pub(crate) mod json;
mod kernel;
mod module;
mod numeric;
mod object;
mod pack;
mod proc;
mod random;
mod range;
mod regexp;
mod string;
mod symbol;
mod time;
mod traits;
mod yaml;

use std::rc::Rc;

use crate::value::{Object, Value};
use crate::vm::{Args, Outcome, Vm};

pub(crate) use kernel::load_found;
pub(crate) use numeric::{big_to_float, float_to_big};
pub(crate) use pack::unbase64;
pub(crate) use traits::{Traits, traits_of};

pub(crate) use crate::vm::Natives;

/// The tables by the class that they are for.
pub(crate) const TABLES: &[(&str, Natives)] = &[
    ("BasicObject", object::BASIC),
    ("Kernel", object::METHODS),
    ("Kernel", kernel::FUNCTIONS),
    ("Kernel", kernel::REFUSED),
    ("Module", module::METHODS),
    ("Class", module::CLASS),
    ("Exception", exception::METHODS),
    ("Numeric", numeric::METHODS),
    ("Integer", integer::METHODS),
    ("Float", float::METHODS),
    ("Math", float::MATH),
    ("String", string::METHODS),
    ("String", pack::STRING),
    ("String", string::NORMALIZE),
    ("Symbol", symbol::METHODS),
    ("NilClass", object::NIL),
    ("TrueClass", object::TRUE),
    ("FalseClass", object::FALSE),
    ("Array", array::METHODS),
    ("Array", pack::ARRAY),
    ("Hash", hash::METHODS),
    ("Range", range::METHODS),
    ("Regexp", regexp::METHODS),
    ("MatchData", regexp::MATCH),
    ("Proc", proc::PROC),
    ("Method", proc::METHOD),
    ("UnboundMethod", proc::UNBOUND),
    ("HieraticNative", digest::FUNCTIONS),
    ("HieraticNative", random::FUNCTIONS),
    ("HieraticNative", json::FUNCTIONS),
    ("HieraticNative", yaml::FUNCTIONS),
    ("HieraticNative", time::FUNCTIONS),
    ("HieraticNative", crate::puppet::FUNCTIONS),
    ("HieraticNative", crate::puppet::FILE_DATA),
];

/// Returns the capability behind a core constant that is not available here.
pub(crate) fn forbidden_constant(name: &str) -> Option<String> {
    const FORBIDDEN: &[&str] = &[
        "Process",
        "ENV",
        "ObjectSpace",
        "Marshal",
        "Kernel32",
        "Open3",
        "Socket",
        "TCPSocket",
        "UDPSocket",
        "UNIXSocket",
        "Net",
        "Tempfile",
        "Thread",
        "Fiber",
        "Mutex",
        "Queue",
        "ConditionVariable",
        "Signal",
        "GC",
        "TracePoint",
        "RubyVM",
        "Ractor",
        "Binding",
        "ARGV",
        "STDIN",
        "STDOUT",
        "STDERR",
        "Etc",
        "Fiddle",
        "DL",
        "PTY",
        "Zlib",
        "StringScanner",
        "Timeout",
        "Logger",
        "Hiera",
        "OpenURI",
        "DRb",
        "WIN32OLE",
        "Win32",
        "Encoding_",
        "Complex",
        "Find",
        "Bundler",
        "BigDecimal",
        "Monitor",
        "WeakRef",
        "Abbrev",
        "Addrinfo",
        "BasicSocket",
        "Benchmark",
        "CSV",
        "ClosedQueueError",
        "Coverage",
        "Delegator",
        "DidYouMean",
        "ErrorHighlight",
        "FiberError",
        "GetoptLong",
        "IPSocket",
        "Matrix",
        "MonitorMixin",
        "Observable",
        "OptionParser",
        "PP",
        "PStore",
        "PrettyPrint",
        "Prime",
        "RbConfig",
        "Readline",
        "Refinement",
        "Reline",
        "REXML",
        "Ripper",
        "SimpleDelegator",
        "Singleton",
        "SizedQueue",
        "Syslog",
        "TCPServer",
        "TSort",
        "ThreadError",
        "ThreadGroup",
        "UNIXServer",
        "Vector",
        "Warning",
    ];
    FORBIDDEN.contains(&name).then(|| format!("the constant {name}"))
}

impl Vm<'_> {
    /// Creates an enumerator over a method, which is the result of a call without the block.
    pub fn enumerator(&mut self, receiver: &Value, method: &str, arguments: &Args) -> Outcome {
        let class = match self.constant_path("Enumerator")? {
            Some(Value::Class(class)) => class,
            _ => return Err(self.refused("there is no class for enumerators")),
        };
        self.build(120)?;
        let object = Object::new(class);
        let names = [self.sym("@receiver"), self.sym("@method"), self.sym("@arguments")];
        let method = self.symbol(method);
        let (receiver, list) = self.given_marks(receiver, &arguments.list);
        let list = self.array_of(list);
        object.set(names[0], receiver);
        object.set(names[1], method);
        object.set(names[2], list);
        Ok(Value::Object(Rc::new(object)))
    }
}

/// Evaluates to the block of a native method; without a block, returns an enumerator over the method.
macro_rules! block_or_enumerator {
    ($vm:expr, $me:expr, $args:expr, $name:literal) => {
        match &$args.block {
            Some(block) => block.clone(),
            None => return $vm.enumerator($me, $name, $args),
        }
    };
}
pub(crate) use block_or_enumerator;
