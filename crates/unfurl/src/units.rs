//! [`Amount`]: a number with a unit, for the scalar types of TOSCA.

/// A kind of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Size,
    Time,
    Frequency,
    Bitrate,
}

impl Unit {
    /// The kind of units of a type.
    pub(crate) fn of_type(name: &str) -> Option<Unit> {
        Some(match name {
            "scalar-unit.size" => Unit::Size,
            "scalar-unit.time" => Unit::Time,
            "scalar-unit.frequency" => Unit::Frequency,
            "scalar-unit.bitrate" => Unit::Bitrate,
            _ => return None,
        })
    }

    /// The units, with their factors.
    fn factors(self) -> &'static [(&'static str, f64)] {
        match self {
            Unit::Size => &[
                ("B", 1.0),
                ("kB", 1e3),
                ("KiB", 1024.0),
                ("MB", 1e6),
                ("MiB", 1_048_576.0),
                ("GB", 1e9),
                ("GiB", 1_073_741_824.0),
                ("TB", 1e12),
                ("TiB", 1_099_511_627_776.0),
            ],
            Unit::Time => {
                &[("d", 86_400.0), ("h", 3600.0), ("m", 60.0), ("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)]
            }
            Unit::Frequency => &[("Hz", 1.0), ("kHz", 1e3), ("MHz", 1e6), ("GHz", 1e9)],
            Unit::Bitrate => &[
                ("bps", 1.0),
                ("Kbps", 1e3),
                ("Kibps", 1024.0),
                ("Mbps", 1e6),
                ("Mibps", 1_048_576.0),
                ("Gbps", 1e9),
                ("Gibps", 1_073_741_824.0),
                ("Tbps", 1e12),
                ("Tibps", 1_099_511_627_776.0),
            ],
        }
    }
}

/// A number with a unit.
#[derive(Clone, Debug)]
pub(crate) struct Amount<'t> {
    digits: &'t str,
    number: f64,
    unit: &'static str,
    factor: f64,
}

impl Amount<'_> {
    /// Reads a number and a unit, whose letters may be large or small.
    pub(crate) fn parse(text: &str, unit: Unit) -> Option<Amount<'_>> {
        let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
        let (digits, rest) = text.split_at(end);
        let number = digits.parse().ok()?;
        let rest = rest.trim_start();
        let end = rest.find(|letter: char| letter != '_' && !letter.is_alphanumeric()).unwrap_or(rest.len());
        let written = rest.get(..end)?;
        let units = unit.factors();
        let found = units
            .iter()
            .find(|(name, _)| *name == written)
            .or_else(|| units.iter().find(|(name, _)| name.eq_ignore_ascii_case(written)));
        let (unit, factor) = *found?;
        Some(Amount { digits, number, unit, factor })
    }

    /// The amount in the unit with the factor one.
    pub(crate) fn in_default_unit(&self) -> f64 {
        self.number * self.factor
    }

    pub(crate) fn to_text(&self) -> String {
        format!("{} {}", self.digits, self.unit)
    }
}
