//! Filters of numbers.

use hieratic_jinja::extend::python::number::number;
use hieratic_jinja::extend::python::type_name;
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error};

pub const TABLE: Table = &[
    define("log", "base=2.718281828459045", "Returns the logarithm, by default the natural one.", |_, args| {
        let [value, base] = args.bind(["x", "base"], 1)?;
        let base = real(base, std::f64::consts::E, "log")?;
        let value = real(value, 0.0, "log")?;
        if value <= 0.0 || base <= 0.0 {
            return Err(error("log() can only be used on numbers: math domain error"));
        }
        // As in Python, which has `math.log10` and `math.log`.
        let logarithm = if base == 10.0 {
            value.log10()
        } else if base == std::f64::consts::E {
            value.ln()
        } else {
            value.ln() / base.ln()
        };
        if logarithm.is_finite() { Ok(Value::from(logarithm)) } else { Err(error("float division by zero")) }
    }),
    define("pow", "y", "Raises the number to a power.", |_, args| {
        let [value, power] = args.bind(["x", "y"], 2)?;
        let power = real(value, 0.0, "pow")?.powf(real(power, 1.0, "pow")?);
        if power.is_nan() {
            Err(error("pow() can only be used on numbers: math domain error"))
        } else {
            Ok(Value::from(power))
        }
    }),
    define("root", "base=2", "Returns the square root, or the root of another base.", root),
];

fn real(value: Option<Value>, default: f64, subject: &str) -> Result<f64> {
    let Some(value) = value else {
        return Ok(default);
    };
    let number = number(&value)?;
    let wrong =
        || error(format!("{subject}() can only be used on numbers: must be real number, not {}", type_name(&value)));
    number.map(|number| number.to_f64()).ok_or_else(wrong)
}

fn root(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, base] = args.bind(["x", "base"], 1)?;
    let base = real(base, 2.0, "root")?;
    let value = real(value, 0.0, "root")?;
    if base == 2.0 {
        return if value < 0.0 {
            Err(error("root() can only be used on numbers: math domain error"))
        } else {
            Ok(Value::from(value.sqrt()))
        };
    }
    if base == 0.0 {
        return Err(error("float division by zero"));
    }
    let root = value.powf(1.0 / base);
    if root.is_nan() {
        Err(error("root() can only be used on numbers: math domain error"))
    } else {
        Ok(Value::from(root))
    }
}
