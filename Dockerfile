# Hieratic in a small image:
#   docker build -t hieratic .
#   docker run --rm -v "$PWD:/data" -w /data hieratic lookup profile::web::port --node web01.example.com
# The service listens on loopback, which nobody reaches in a container, unless it is told otherwise and given a file of tokens:
#   docker run --rm -v "$PWD:/data" -w /data -p 8088:8088 hieratic serve --listen 0.0.0.0:8088 --token-file tokens
FROM rust:1-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN cargo build --release --locked -p hieratic-cli

# The same Debian, so that the C library fits; nothing else is needed, roots of trust for TLS are built in.
FROM debian:bookworm-slim
RUN useradd --system --no-create-home hieratic
COPY --from=build /src/target/release/hieratic /usr/local/bin/hieratic
USER hieratic
ENTRYPOINT ["hieratic"]
