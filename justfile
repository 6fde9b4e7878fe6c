# Shortcuts; `just` without a name lists them.

# List the shortcuts
default:
    @just --list

# Run all tests
test *arguments:
    cargo test --workspace {{arguments}}

# Check one crate in two minutes: format, its tests, and the words of the documents
quick crate:
    cargo fmt --all --check
    cargo test -p hieratic-{{crate}}
    cargo test -p hieratic-cli --test prose words

# Check format and lints
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings -A clippy::disallowed_methods
    cargo clippy --workspace --lib --exclude hieratic-service --exclude hieratic-cli --exclude hieratic-web -- -D warnings

# Run everything that CI runs
ci:
    .ci/run

# Regenerate the reference pages and the pictures
reference:
    HIERATIC_UPDATE=1 cargo test -p hieratic-cli --test prose

# Make the screenshots of the documentation; needs Chromium, Neovim and tmux
screenshots:
    cargo build --release -p hieratic-cli
    docs/pictures/screenshots
    docs/pictures/editor

# Accept changed snapshots; read the diff afterwards
snapshots *arguments:
    INSTA_UPDATE=always cargo test --workspace {{arguments}}

# Build the documentation as a site in target/site
site:
    mdbook build

# Build the engine as WebAssembly in target/web; --quick takes less time and more room
web *arguments:
    packaging/web/build {{arguments}}

# Serve the playground on the loopback, with the documentation if mdbook is installed
play:
    test -f target/web/hieratic.wasm || packaging/web/build --quick --only hieratic
    packaging/site
    node site/play/serve.mjs target/site

# Check the workflows
workflows:
    go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

# Fuzz one target for a minute
fuzz target seconds="60":
    cargo +nightly fuzz run {{target}} -- -max_total_time={{seconds}}

# Package every crate and build each from its package, as crates.io would get it
package *arguments:
    cargo package --workspace {{arguments}}

# Build the archives of a release in target/release-archives
release *arguments:
    packaging/release {{arguments}}
