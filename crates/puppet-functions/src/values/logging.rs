//! The functions that log, one for each level: [`notice`](https://www.puppet.com/docs/puppet/8/function.html#notice) and
//! so on.

use hieratic_value::Value;

use super::text::interpolated;
use crate::{Call, Dispatch, Doc, Function, Level, Outcome};

/// Declares a function that logs at a level.
macro_rules! logs {
    ($level:expr, $doc:expr) => {
        Function::new($level.name(), $doc, &[Dispatch::new(&["Any *values"], |call| log(call, $level))])
    };
}

pub(super) static FUNCTIONS: &[Function] = &[
    logs!(Level::Debug, Doc::new("Logs a message at the level debug.").example("debug('here')")),
    logs!(Level::Info, Doc::new("Logs a message at the level info.").example("info('here')")),
    logs!(Level::Notice, Doc::new("Logs a message at the level notice.").example("notice(\"port ${port}\")")),
    logs!(Level::Warning, Doc::new("Logs a message at the level warning.").example("warning('old')")),
    logs!(Level::Err, Doc::new("Logs a message at the level err.").example("err('broken')")),
    logs!(Level::Alert, Doc::new("Logs a message at the level alert.").example("alert('disk full')")),
    logs!(Level::Emerg, Doc::new("Logs a message at the level emerg.").example("emerg('disk full')")),
    logs!(Level::Crit, Doc::new("Logs a message at the level crit.").example("crit('disk full')")),
];

fn log(call: &mut Call<'_>, level: Level) -> Outcome {
    let texts: Vec<String> = call.arguments.iter().map(interpolated).collect();
    call.host.log(level, texts.join(" "));
    Ok(Value::Undef)
}
