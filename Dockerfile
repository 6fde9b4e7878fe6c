# Hieratic in a small image:
#   docker build -t hieratic .
#   docker run --rm -v "$PWD:/data" -w /data hieratic lookup profile::web::port --node web01.example.com
# By default the service listens on loopback, which is unreachable in a container. Set an address and a token file:
#   docker run --rm -v "$PWD:/data" -w /data -p 8088:8088 hieratic serve --listen 0.0.0.0:8088 --token-file tokens
FROM rust:1-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# `docker build --build-arg FEATURES=query` adds SQL (docs/query.md). The image is several times smaller without it.
ARG FEATURES=
RUN cargo build --release --locked -p hieratic-cli --features "$FEATURES"

# The same Debian, so that the C library matches. Nothing else is needed: the root certificates for TLS are built in.
FROM debian:bookworm-slim
RUN useradd --system --no-create-home hieratic
COPY --from=build /src/target/release/hieratic /usr/local/bin/hieratic
USER hieratic
ENTRYPOINT ["hieratic"]
