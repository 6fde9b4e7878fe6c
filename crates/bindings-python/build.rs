//! Tells the linker of macOS that the symbols of Python are there once Python has loaded the library.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
