#!/usr/bin/env bash
# Builds the library for C and tests it: the functions from Rust, that the header is current, and programs in C, plain, under
# AddressSanitizer and, where it is installed, under valgrind.
#
#     crates/bindings-c/test.sh              the tests, with the formats and lints of the crate
#     crates/bindings-c/test.sh --programs   the programs in C alone
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)

if [ "${1:-}" != --programs ]; then
  cargo fmt --check
  cargo clippy --locked --all-targets -- -D warnings -A clippy::disallowed_methods
  cargo test --locked
fi
cargo build --locked
libraries=${CARGO_TARGET_DIR:-$PWD/target}/debug
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c11 -g -Wall -Wextra -Werror -pedantic -Iinclude)
shared=("-L$libraries" -lhieratic "-Wl,-rpath,$libraries" -lpthread)
repository=$root/examples/control-repo

# A checker that reports nothing proves nothing: it has to find what is wrong on purpose.
finds() {
  local what=$1
  shift
  if "$@" > "$work/found" 2>&1; then
    echo "$what: not found" >&2
    exit 1
  fi
  echo "$what: found"
}

echo "the header, as C++"
printf '#include <hieratic.h>\nint main() { return hieratic_version() == nullptr; }\n' > "$work/header.cpp"
${CXX:-c++} -std=c++17 -Wall -Werror -Iinclude "$work/header.cpp" -o "$work/header" "${shared[@]}"
"$work/header"

echo "the static library"
"$cc" "${flags[@]}" tests/memory.c -o "$work/static" "$libraries/libhieratic.a" -lpthread -ldl -lm
"$work/static" "$repository"

echo "the shared library"
"$cc" "${flags[@]}" tests/memory.c -o "$work/shared" "${shared[@]}"
"$work/shared" "$repository"

echo "AddressSanitizer"
"$cc" "${flags[@]}" -fsanitize=address,undefined tests/memory.c -o "$work/asan" "${shared[@]}"
export ASAN_OPTIONS=detect_leaks=1
"$work/asan" "$repository"
finds "a text that is not freed" "$work/asan" "$repository" forget
finds "a text that is freed twice" "$work/asan" "$repository" twice

if command -v valgrind > /dev/null; then
  echo "valgrind"
  checked=(valgrind --quiet --errors-for-leak-kinds=definite,indirect --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect)
  "${checked[@]}" "$work/shared" "$repository"
  finds "a text that is not freed" "${checked[@]}" "$work/shared" "$repository" forget
  finds "a text that is freed twice" "${checked[@]}" "$work/shared" "$repository" twice
fi

echo "the example of docs/c.md"
awk '/^```c$/ {inside = 1; next} /^```$/ {if (inside) exit} inside' "$root/docs/c.md" > "$work/example.c"
awk '/^```c$/ {seen = 1} seen && /^```text$/ {inside = 1; next} /^```$/ {if (inside) exit} inside' "$root/docs/c.md" > "$work/expected"
[ -s "$work/example.c" ] && [ -s "$work/expected" ]
"$cc" "${flags[@]}" -fsanitize=address "$work/example.c" -o "$work/example" "${shared[@]}"
(cd "$root" && "$work/example") > "$work/printed" 2>&1
diff "$work/expected" "$work/printed"
echo "the installed library: its SONAME and the versions of its symbols"
PROFILE=dev ./install.sh "$work/installed" > /dev/null
readelf -d "$work/installed/lib/libhieratic.so" | grep -q 'SONAME.*libhieratic\.so\.0'
readelf --dyn-syms -W "$work/installed/lib/libhieratic.so" | grep -q 'hieratic_lookup@@HIERATIC_0'
others=$(readelf --dyn-syms -W "$work/installed/lib/libhieratic.so" | awk '$7 != "UND" && $5 == "GLOBAL" {print $8}' | grep -v '^hieratic_\|^HIERATIC_0$' || true)
[ -z "$others" ] || { echo "other symbols: $others" >&2; exit 1; }

echo "the examples in C, Go and Ruby"
export PKG_CONFIG_PATH=$work/installed/lib/pkgconfig LD_LIBRARY_PATH=$work/installed/lib
installed=("-I$work/installed/include" "-L$work/installed/lib" -lhieratic)
"$cc" -std=c11 -Wall -Wextra -Werror -pedantic examples/values.c -o "$work/values" "${installed[@]}"
readelf -d "$work/values" | grep -q 'NEEDED.*libhieratic\.so\.0'
[ "$("$work/values" "$repository" web01.example.com profile::web::port)" = 8080 ]
"$work/values" "$repository" web01.example.com profile::base::packages | grep -q '^- curl$'
if command -v go > /dev/null; then
  (cd examples/go && CGO_CFLAGS=-I$work/installed/include CGO_LDFLAGS=-L$work/installed/lib go build -o "$work/go" .)
  [ "$("$work/go" "$repository" web01.example.com profile::web::port)" = 8080 ]
  finds "a key that is missing, from Go" "$work/go" "$repository" web01.example.com no::such
else
  echo "skipped: the example in Go: go is not installed"
fi
if ruby -e 'require "ffi"' 2> /dev/null; then
  [ "$(HIERATIC_LIBRARY=$work/installed/lib/libhieratic.so ruby examples/lookup.rb "$repository" web01.example.com profile::web::port)" = 8080 ]
else
  echo "skipped: the example in Ruby: the gem ffi is not installed"
fi
echo "all passed"
