# Hieratic in a small image:
#   docker build -t hieratic .
#   docker run --rm -v "$PWD:/data" -w /data hieratic lookup profile::web::port --node web01.example.com
# By default the service listens on loopback, which is unreachable in a container. Set an address and a token file:
#   docker run --rm -v "$PWD:/data" -w /data -p 8088:8088 hieratic serve --listen 0.0.0.0:8088 --token-file tokens
#
# The digest decides what is built with, whatever the tag is moved to; .github/dependabot.yml proposes newer ones. The image has the
# compilers of Rust and C, so that nothing is installed.
FROM rust:1.95.0-alpine3.23@sha256:606fd313a0f49743ee2a7bd49a0914bab7deedb12791f3a846a34a4711db7ed2 AS build
WORKDIR /src
COPY . .
# `docker build --build-arg FEATURES=query` adds SQL (docs/query.md). The image is several times smaller without it.
ARG FEATURES=
RUN cargo build --profile dist --locked -p hieratic-cli --features "$FEATURES"

# Nothing but the static binary: no shell, no C library, no packages to keep up to date. The root certificates for TLS are built in.
FROM scratch
COPY --from=build /src/target/dist/hieratic /hieratic
# Nobody: there is no file that would name users.
USER 65534:65534
ENTRYPOINT ["/hieratic"]
