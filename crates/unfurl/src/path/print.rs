//! Formats a path in its canonical form.

use std::fmt::{self, Write as _};

use super::{Key, Modifier, Path, Segment, Test};

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        path(&self.written, out)
    }
}

fn path(segments: &[Segment], out: &mut impl fmt::Write) -> fmt::Result {
    let mut text = String::new();
    for (at, segment) in segments.iter().enumerate() {
        if at > 0 {
            // A colon at the end of a step would be taken for the separator's.
            out.write_str(if text.ends_with(':') { " ::" } else { "::" })?;
        }
        text.clear();
        print(segment, &mut text)?;
        out.write_str(&text)?;
    }
    Ok(())
}

fn print(segment: &Segment, out: &mut String) -> fmt::Result {
    // Before the filters, `!=x` would be read as `!` and `=x` at the head of a filter, and `!` or `a!` and `=x` as `!=x`.
    let negated = segment.modifier == Modifier::Not;
    let late = segment.test.as_ref().is_some_and(|test| match &segment.key {
        Key::None => test.differs != negated,
        Key::Name(name) | Key::Variable(name) => name.ends_with('!') && !test.differs,
        Key::Index(_) | Key::All => false,
    });
    let late = late && !segment.filters.is_empty();
    if segment.modifier == Modifier::Not {
        out.write_str("!")?;
    }
    match &segment.key {
        Key::None => {}
        Key::Index(index) => write!(out, "{index}")?,
        Key::All => out.write_str("*")?,
        Key::Variable(name) => write!(out, "${name}")?,
        Key::Name(name) => out.write_str(name)?,
    }
    if !late {
        suffix(segment, out)?;
    }
    for filter in &segment.filters {
        out.write_str("[")?;
        path(filter, out)?;
        out.write_str("]")?;
    }
    if late {
        suffix(segment, out)?;
    } else if segment.apart {
        out.write_str(" ")?;
    }
    Ok(())
}

fn suffix(segment: &Segment, out: &mut String) -> fmt::Result {
    if let Some(Test { differs, text }) = &segment.test {
        write!(out, "{}{text}", if *differs { "!=" } else { "=" })?;
    }
    match segment.modifier {
        Modifier::First => out.write_str("?"),
        Modifier::None | Modifier::Not => Ok(()),
    }
}
