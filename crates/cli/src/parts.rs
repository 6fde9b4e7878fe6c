//! [`write_parts`]: writes the differing parts of two answers for the terminal.

use hieratic::lookup::Origin;
use hieratic_diagnostics::render::visible_line;
use hieratic_impact::Part;
use hieratic_report::{Row, Sign, lines_of, rows};

use crate::terminal::painted;

/// Writes the parts of two answers that differ, each on a line with its origin.
pub(crate) fn write_parts(
    out: &mut String,
    indent: &str,
    parts: &[Part],
    origin: &dyn Fn(&Origin) -> String,
    color: bool,
) {
    let lines = lines_of(parts, origin);
    for Row { sign, text, origin } in rows(&lines) {
        let line = format!("{} {text}", sign.text());
        let style = match sign {
            Sign::Removed => "31",
            Sign::Added => "32",
            Sign::Context => "",
        };
        let line = painted(color, style, &line);
        let origin = origin.map_or(String::new(), |origin| visible_line(&format!("  # {origin}")));
        out.push_str(&format!("{indent}{line}{}\n", painted(color, "2", &origin)));
    }
}
