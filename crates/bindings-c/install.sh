#!/usr/bin/env bash
# Builds the library for C and installs it below a folder: the header, the static library, the shared library with its SONAME and its
# versioned symbols, and the file of pkg-config.
#
#     crates/bindings-c/install.sh PREFIX
#
# PROFILE is the profile of Cargo (default: release). DESTDIR is put before PREFIX, for packages.
set -euo pipefail
prefix=${1:?usage: install.sh PREFIX}
cd "$(dirname "$0")"
profile=${PROFILE:-release}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
# The version of the interface: programs that were linked with it work with each library of the same number.
soname=libhieratic.so.0
cargo build --locked --profile "$profile"
built=${CARGO_TARGET_DIR:-$PWD/target}/$([ "$profile" = dev ] && echo debug || echo "$profile")
target=${DESTDIR:-}$prefix
mkdir -p "$target/lib/pkgconfig" "$target/include"
install -m 644 include/hieratic.h "$target/include/"
install -m 644 "$built/libhieratic.a" "$target/lib/"
# Cargo links a shared library with a list of symbols of its own, which has no versions: it is linked again from the static one.
"${CC:-cc}" -shared -o "$target/lib/libhieratic.so.$version" -Wl,-soname,"$soname" -Wl,--version-script=hieratic.map -Wl,--gc-sections \
  -Wl,--whole-archive "$built/libhieratic.a" -Wl,--no-whole-archive -lpthread -ldl -lm
[ "$profile" = dev ] || strip --strip-debug "$target/lib/libhieratic.so.$version"
ln -sf "libhieratic.so.$version" "$target/lib/$soname"
ln -sf "$soname" "$target/lib/libhieratic.so"
cat > "$target/lib/pkgconfig/hieratic.pc" <<PC
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: hieratic
Description: Layered configuration data: look up, explain, trace
Version: $version
Libs: -L\${libdir} -lhieratic
Libs.private: -lpthread -ldl -lm
Cflags: -I\${includedir}
PC
