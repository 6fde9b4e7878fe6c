//! [`driver_options`]: the options of drivers, for completion.

use super::options::{DRIVERS, DriverOption, OptionKind, TextRule};

/// An option of a driver, or of a block in its `config`.
#[derive(Clone, Copy, Debug)]
pub struct DescribedOption {
    /// Its name.
    pub name: &'static str,
    /// The type of its value in words.
    pub kind: &'static str,
    /// The accepted values. It is empty if others are possible.
    pub values: &'static [&'static str],
    /// Whether the option is a block.
    pub is_block: bool,
    /// Whether the driver requires the option.
    pub is_required: bool,
}

/// Returns the options in the `config` of a driver, or in its nested blocks. Returns `None` if they are unknown.
///
/// ```
/// use hieratic_nomad_lint::driver_options;
///
/// let options = driver_options("docker", &[]).unwrap();
/// let port = options.iter().find(|option| option.name == "ports").unwrap();
/// assert_eq!(port.kind, "a list of strings");
/// let options = driver_options("docker", &["mount"]).unwrap();
/// assert!(options.iter().any(|option| option.name == "type" && option.values.contains(&"tmpfs")));
/// ```
pub fn driver_options(driver: &str, blocks: &[&str]) -> Option<Vec<DescribedOption>> {
    let mut options = DRIVERS.iter().find(|known| known.name == driver)?.options;
    for block in blocks {
        options = match options.iter().find(|option| option.name == *block)?.kind {
            OptionKind::Block(within) | OptionKind::Blocks(within) => within,
            _ => return None,
        };
    }
    Some(options.iter().map(describe).collect())
}

fn describe(option: &DriverOption) -> DescribedOption {
    let values: &[&str] = match (option.kind, option.rule) {
        (OptionKind::Bool, _) => &["true", "false"],
        (_, TextRule::OneOf(values)) => values,
        _ => &[],
    };
    let is_block = matches!(
        option.kind,
        OptionKind::Block(_)
            | OptionKind::Blocks(_)
            | OptionKind::TextMap
            | OptionKind::NumberMap
            | OptionKind::TextBlock
    );
    DescribedOption { name: option.name, kind: option.kind.name(), values, is_block, is_required: option.required }
}
