//! Ruby's `inspect` of a pattern, which messages contain.

use std::fmt::{self, Write};

use crate::Options;

/// Writes the pattern between slashes, with the letters of its options.
pub(crate) fn write(source: &str, options: Options, out: &mut impl Write) -> fmt::Result {
    out.write_char('/')?;
    // One character that has to be escaped makes Ruby write all that are not ASCII by their numbers.
    if source.bytes().any(|byte| byte == b'/' || byte.is_ascii_control()) {
        write_escaped(source, out)?;
    } else {
        out.write_str(source)?;
    }
    out.write_char('/')?;
    let Options { ignore_case, extended, multiline } = options;
    let letters = [(multiline, 'm'), (ignore_case, 'i'), (extended, 'x')];
    letters.iter().filter(|(set, _)| *set).try_for_each(|(_, letter)| out.write_char(*letter))
}

fn write_escaped(source: &str, out: &mut impl Write) -> fmt::Result {
    let mut characters = source.chars();
    while let Some(c) = characters.next() {
        let code = u32::from(c);
        match c {
            // An escape stays as written.
            '\\' => {
                out.write_char(c)?;
                characters.next().map_or(Ok(()), |escaped| out.write_char(escaped))?;
            }
            '/' => out.write_str("\\/")?,
            '\t'..='\r' => out.write_char(c)?,
            _ if c.is_ascii_control() => write!(out, "\\x{code:02X}")?,
            _ if c.is_ascii() => out.write_char(c)?,
            _ if code < 0x10000 => write!(out, "\\u{code:04X}")?,
            _ => write!(out, "\\u{{{code:X}}}")?,
        }
    }
    Ok(())
}
