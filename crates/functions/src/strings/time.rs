//! [`strftime`](https://www.puppet.com/docs/puppet/8/function.html#strftime)

use hieratic_value::Value;

use crate::Function;

pub(super) static FUNCTIONS: [Function; 0] = [];

/// The seconds of a time or of a length of time; none for everything else.
pub(crate) fn seconds(_value: &Value) -> Option<f64> {
    None
}
