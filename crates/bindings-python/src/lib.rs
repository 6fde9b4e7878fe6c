//! The library for Python: `import hieratic`.
//!
//! The module `hieratic._native` is this crate. The package around it (`python/hieratic`) contains the parts that are
//! better written in Python: exceptions, types for tools, the functions of Unfurl's `merge` module.
//!
//! Values are converted to Python's types (`values.rs`), errors become exceptions with positions (`error.rs`), and
//! everything that takes longer than a few microseconds releases the interpreter's lock. Arguments decide the
//! permissions of a repository, like the flags of the command.

mod answers;
mod arguments;
mod changes;
mod check;
mod documents;
mod environment;
mod error;
mod facts;
mod forks;
mod hcl;
mod hcl_values;
mod jobs;
mod node;
mod permissions;
mod programs;
mod sensitive;
mod tables;
mod values;
mod work;

use pyo3::prelude::*;

/// Layered configuration data in one engine: look up, explain, trace.
#[pymodule(gil_used = false)]
mod _native {
    use pyo3::prelude::*;
    use pyo3::types::PyDict;

    #[pymodule_export]
    use crate::answers::Answers;
    #[pymodule_export]
    use crate::check::{_finding, Finding, check};
    #[pymodule_export]
    use crate::documents::{difference, expand, intersection, merge_key, merged, patch, plain, restore, scalar};
    #[pymodule_export]
    use crate::environment::Environment;
    #[pymodule_export]
    use crate::forks::note_fork;
    #[pymodule_export]
    use crate::hcl::hcl_loads;
    #[pymodule_export]
    use crate::jobs::job;
    #[pymodule_export]
    use crate::node::Node;
    #[pymodule_export]
    use crate::programs::{eval, render};
    #[pymodule_export]
    use crate::sensitive::Sensitive;
    #[pymodule_export]
    use crate::work::check_limits;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let os = module.py().import("os")?;
        // Windows has no forks.
        if os.hasattr("register_at_fork")? {
            let arguments = PyDict::new(module.py());
            arguments.set_item("after_in_child", module.getattr("note_fork")?)?;
            os.call_method("register_at_fork", (), Some(&arguments))?;
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// An optional argument, for which `None` is a value.
#[derive(Default)]
enum OptionalArgument<T> {
    #[default]
    Missing,
    Is(T),
}

impl<'a, 'py, T: FromPyObject<'a, 'py>> FromPyObject<'a, 'py> for OptionalArgument<T> {
    type Error = T::Error;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, T::Error> {
        object.extract().map(OptionalArgument::Is)
    }
}
