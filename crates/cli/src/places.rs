//! The user's folders for settings, state and caches.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// The folder of settings: `$XDG_CONFIG_HOME/hieratic`, by default `~/.config/hieratic`; `%APPDATA%\hieratic` on Windows.
pub(crate) fn settings() -> Option<PathBuf> {
    place(env::var_os("XDG_CONFIG_HOME"), env::var_os("APPDATA"), ".config")
}

/// The folder of data that is kept between runs: `$XDG_STATE_HOME/hieratic`, by default `~/.local/state/hieratic`;
/// `%LOCALAPPDATA%\hieratic` on Windows.
pub(crate) fn state() -> Option<PathBuf> {
    place(env::var_os("XDG_STATE_HOME"), env::var_os("LOCALAPPDATA"), ".local/state")
}

/// The folder of what can be made again: `$XDG_CACHE_HOME/hieratic`, by default `~/.cache/hieratic`;
/// `%LOCALAPPDATA%\hieratic` on Windows.
#[cfg(not(target_os = "wasi"))]
pub(crate) fn cache() -> Option<PathBuf> {
    place(env::var_os("XDG_CACHE_HOME"), env::var_os("LOCALAPPDATA"), ".cache")
}

/// The home folder of the user.
pub(crate) fn home() -> Option<PathBuf> {
    // WASI has no users: the caller names the folder.
    let home = if cfg!(target_os = "wasi") { env::var_os("HOME").map(PathBuf::from) } else { env::home_dir() };
    home.filter(|home| home.is_absolute())
}

/// The folder that a variable names, the one of Windows, or one below the home folder.
fn place(named: Option<OsString>, of_windows: Option<OsString>, below_home: &str) -> Option<PathBuf> {
    let absolute = |folder: Option<OsString>| folder.map(PathBuf::from).filter(|path| path.is_absolute());
    let of_windows = || if cfg!(windows) { absolute(of_windows) } else { None };
    let of_home = || Some(home()?.join(below_home));
    Some(absolute(named).or_else(of_windows).or_else(of_home)?.join("hieratic"))
}
