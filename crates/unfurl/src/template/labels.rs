//! Filters that convert values to labels.

use hieratic_jinja::extend::minijinja::value::Kwargs;
use hieratic_jinja::extend::{Error, Value as Template};

use super::arguments::{data, named};
use super::errors::error;
use crate::host::Host;
use crate::label::Label;

/// `TEXT | to_label(OPTION=VALUE...)` and its relatives.
pub(super) fn label(host: &dyn Host, function: &str, value: &Template, options: &Kwargs) -> Result<Template, Error> {
    let mut label = Label::named(function);
    for (name, value) in named(options)? {
        label.set(&name, &data(&value)?).map_err(error)?;
    }
    let value = data(value)?;
    host.shared().bytes(label.cost(&value)).map_err(error)?;
    Ok(hieratic_jinja::from_value(&label.apply(&value).map_err(error)?))
}
