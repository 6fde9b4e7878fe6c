#!/usr/bin/env bash
# Checks the format and the lints of the crate, and runs its tests. Building DataFusion takes some minutes the first time.
#
#     crates/query/test.sh             everything
#     crates/query/test.sh ARGUMENTS   arguments of cargo test instead
set -euo pipefail
cd "$(dirname "$0")"

if [ $# -eq 0 ]; then
  cargo fmt -p hieratic-query --check
  cargo clippy --locked -p hieratic-query --features sql --all-targets -- -D warnings -A clippy::disallowed_methods
  cargo clippy --locked -p hieratic-query --features sql --lib -- -D warnings
fi
cargo test --locked -p hieratic-query --features sql "$@"
