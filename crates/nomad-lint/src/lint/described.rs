//! [`driver_options`]: the options of drivers, for programs that propose them.

use super::options::{DRIVERS, OptionType};

/// An option of a driver, or of a block in its `config`.
#[derive(Clone, Copy, Debug)]
pub struct DescribedOption {
    /// Its name.
    pub name: &'static str,
    /// The type of its value in words.
    pub kind: &'static str,
    /// The values that it accepts; empty if there are others.
    pub values: &'static [&'static str],
    /// Whether it is written as a block.
    pub is_block: bool,
    /// Whether the driver needs it.
    pub is_required: bool,
}

/// Returns the options in the `config` of a driver, or in nested blocks of it; `None` if they are not known.
///
/// ```
/// use hieratic_nomad_lint::driver_options;
///
/// let options = driver_options("docker", &[]).unwrap();
/// let port = options.iter().find(|option| option.name == "ports").unwrap();
/// assert_eq!(port.kind, "a list");
/// ```
pub fn driver_options(driver: &str, blocks: &[&str]) -> Option<Vec<DescribedOption>> {
    let (_, options) = DRIVERS.iter().find(|(name, _)| *name == driver)?;
    let described = options.iter().map(|(name, kind)| DescribedOption {
        name,
        kind: kind.name(),
        values: if *kind == OptionType::Bool { &["true", "false"] } else { &[] },
        is_block: *kind == OptionType::Map,
        // A task without an image is refused by the driver.
        is_required: (driver, *name) == ("docker", "image"),
    });
    blocks.is_empty().then(|| described.collect())
}
