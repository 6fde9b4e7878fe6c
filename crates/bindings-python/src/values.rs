//! Converts values to Python's types and back.

use hieratic::value::Value as AnyValue;
use hieratic::value::{HashBuilder, Rich};
use hieratic::{Hash, Value};
use num_bigint::BigInt;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMapping, PySequence, PyString, PyTuple};

use crate::sensitive::Sensitive;

/// The limit of the nesting depth of values from Python: deeper ones would exhaust the stack.
const MAX_DEPTH: usize = 500;

/// The number of values between two questions for signals.
const VALUES_PER_SIGNAL: u32 = 1 << 14;

/// A conversion between Python's values and those of the library, which Ctrl-C ends.
struct Conversion<'py> {
    py: Python<'py>,
    /// The number of values so far.
    values: u32,
}

impl<'py> Conversion<'py> {
    fn new(py: Python<'py>) -> Conversion<'py> {
        Conversion { py, values: 0 }
    }

    /// Counts a value, and asks Python for signals now and then.
    fn count(&mut self) -> PyResult<()> {
        self.values = self.values.wrapping_add(1);
        if self.values.is_multiple_of(VALUES_PER_SIGNAL) { self.py.check_signals() } else { Ok(()) }
    }
}

/// A value as Python has it. Sensitive values stay wrapped; what Python has no type for is its text.
pub(crate) fn to_python(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    deep(&mut Conversion::new(py), value, 0)
}

fn deep(conversion: &mut Conversion<'_>, value: &Value, depth: usize) -> PyResult<Py<PyAny>> {
    conversion.count()?;
    let py = conversion.py;
    if depth > MAX_DEPTH {
        return Err(PyValueError::new_err(format!("the value nests deeper than {MAX_DEPTH} levels")));
    }
    Ok(match value {
        Value::Undef => py.None(),
        Value::Boolean(value) => PyBool::new(py, *value).to_owned().into_any().unbind(),
        Value::Integer(number) => PyInt::new(py, *number).into_any().unbind(),
        Value::Float(number) => PyFloat::new(py, *number).into_any().unbind(),
        Value::String(text) => PyString::new(py, text).into_any().unbind(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items.iter() {
                list.append(deep(conversion, item, depth + 1)?)?;
            }
            list.into_any().unbind()
        }
        Value::Hash(hash) => {
            let dict = PyDict::new(py);
            for (key, value) in hash.iter() {
                let key = key_of(conversion, key, depth + 1)?;
                dict.set_item(key, deep(conversion, value, depth + 1)?)?;
            }
            dict.into_any().unbind()
        }
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) => Py::new(py, Sensitive { inner: inner.clone() })?.into_any(),
            Rich::BigInteger(number) => big(py, number)?,
            Rich::Binary(bytes) => PyBytes::new(py, bytes).into_any().unbind(),
            Rich::Default | Rich::Symbol(_) | Rich::Extended(_) => {
                PyString::new(py, &AnyValue::to_text(value)).into_any().unbind()
            }
        },
    })
}

/// A key, which has to have a hash: arrays are tuples, hashes are their text.
fn key_of(conversion: &mut Conversion<'_>, key: &Value, depth: usize) -> PyResult<Py<PyAny>> {
    let py = conversion.py;
    match key {
        Value::Array(items) if depth <= MAX_DEPTH => {
            let items: Vec<Py<PyAny>> =
                items.iter().map(|item| key_of(conversion, item, depth + 1)).collect::<PyResult<_>>()?;
            Ok(PyTuple::new(py, items)?.into_any().unbind())
        }
        Value::Hash(_) | Value::Array(_) => Ok(PyString::new(py, &key.inspect()).into_any().unbind()),
        Value::Rich(rich) if matches!(&**rich, Rich::Sensitive(_)) => {
            Ok(PyString::new(py, hieratic::value::text::REDACTED).into_any().unbind())
        }
        other => deep(conversion, other, depth),
    }
}

/// An integer beyond 64 bits, by its hexadecimal digits: Python limits how many decimal digits it reads.
fn big(py: Python<'_>, number: &BigInt) -> PyResult<Py<PyAny>> {
    Ok(py.get_type::<PyInt>().call1((number.to_str_radix(16), 16))?.unbind())
}

/// A value from Python.
///
/// # Errors
/// A value of a type that no data has, or one that contains itself.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    at_depth(&mut Conversion::new(object.py()), object, 0)
}

/// A mapping from Python.
pub(crate) fn hash_of(object: &Bound<'_, PyAny>, kind: &str) -> PyResult<Hash> {
    match from_python(object)? {
        Value::Hash(hash) => Ok(hash),
        _ => Err(PyTypeError::new_err(format!("{kind} must be a mapping, not {}", object.get_type().name()?))),
    }
}

fn at_depth(conversion: &mut Conversion<'_>, object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    conversion.count()?;
    if depth > MAX_DEPTH {
        return Err(PyValueError::new_err(format!(
            "the value nests deeper than {MAX_DEPTH} levels, or contains itself"
        )));
    }
    if object.is_none() {
        return Ok(Value::Undef);
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(text.to_cow()?.as_ref().into());
    }
    // A boolean is an integer in Python.
    if let Ok(value) = object.cast::<PyBool>() {
        return Ok(value.is_true().into());
    }
    if let Ok(number) = object.cast::<PyInt>() {
        return match number.extract::<i64>() {
            Ok(number) => Ok(number.into()),
            Err(_) => large(number),
        };
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return Ok(Value::Float(number.value()));
    }
    if let Ok(sensitive) = object.cast::<Sensitive>() {
        return Ok(Value::sensitive(sensitive.get().inner.clone()));
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Value::Rich(Rich::Binary(bytes.as_bytes().to_vec()).into()));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        return pairs_of(conversion, dict, depth).map(Value::Hash);
    }
    if let Ok(list) = object.cast::<PyList>() {
        let items = list.iter().map(|item| at_depth(conversion, &item, depth + 1));
        return items.collect::<PyResult<Vec<Value>>>().map(Value::from);
    }
    if let Ok(mapping) = object.cast::<PyMapping>() {
        let mut pairs = Vec::new();
        for pair in mapping.items()?.iter() {
            let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            pairs.push((at_depth(conversion, &key, depth + 1)?, at_depth(conversion, &value, depth + 1)?));
        }
        return Ok(Value::Hash(pairs.into_iter().collect()));
    }
    if let Ok(sequence) = object.cast::<PySequence>() {
        let items = sequence.try_iter()?.map(|item| at_depth(conversion, &item?, depth + 1));
        return items.collect::<PyResult<Vec<Value>>>().map(Value::from);
    }
    // Numbers of other libraries implement a protocol.
    if object.hasattr(intern!(object.py(), "__index__"))? {
        let number = object.call_method0(intern!(object.py(), "__index__"))?;
        if !number.is_instance_of::<PyInt>() {
            let found = number.get_type().name()?;
            return Err(PyTypeError::new_err(format!("__index__ gives an int, not {found}")));
        }
        return at_depth(conversion, &number, depth + 1);
    }
    Err(PyTypeError::new_err(format!("a value of the type {} cannot be converted to data", object.get_type().name()?)))
}

/// The pairs of a dictionary. To convert them may run code of Python, which changes it: the iterator would panic.
fn pairs_of(conversion: &mut Conversion<'_>, dict: &Bound<'_, PyDict>, depth: usize) -> PyResult<Hash> {
    let count = dict.len();
    let has_changed = || PyRuntimeError::new_err("the dictionary changed while it was read");
    let mut items = dict.iter();
    let mut pairs = HashBuilder::default();
    for _ in 0..count {
        if dict.len() != count {
            return Err(has_changed());
        }
        let (key, value) = items.next().ok_or_else(has_changed)?;
        pairs.insert(at_depth(conversion, &key, depth + 1)?, at_depth(conversion, &value, depth + 1)?);
    }
    Ok(pairs.into())
}

fn large(number: &Bound<'_, PyInt>) -> PyResult<Value> {
    let text: String = number.py().import("builtins")?.call_method1("format", (number, "x"))?.extract()?;
    let number =
        BigInt::parse_bytes(text.as_bytes(), 16).ok_or_else(|| PyValueError::new_err("the integer cannot be read"))?;
    Ok(Value::Rich(Rich::BigInteger(number).into()))
}
