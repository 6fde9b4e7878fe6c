//! Writing a path in its canonical form.

use std::fmt;

use super::{Key, Modifier, Path, Segment, Test};

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        path(&self.written, out)
    }
}

fn path(segments: &[Segment], out: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (at, segment) in segments.iter().enumerate() {
        if at > 0 {
            out.write_str("::")?;
        }
        print(segment, out)?;
    }
    Ok(())
}

fn print(segment: &Segment, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    // `!=x` before the filters would be read as `!` and `=x` at the head of a filter.
    let late = segment.key == Key::None && segment.test.as_ref().is_some_and(|test| test.differs);
    let late = late && !segment.filters.is_empty() && segment.modifier != Modifier::Not;
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

fn suffix(segment: &Segment, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(Test { differs, text }) = &segment.test {
        write!(out, "{}{text}", if *differs { "!=" } else { "=" })?;
    }
    match segment.modifier {
        Modifier::First => out.write_str("?"),
        Modifier::None | Modifier::Not => Ok(()),
    }
}
