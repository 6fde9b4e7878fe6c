# Hieratic in a small image:
#   docker build -t hieratic .
#   docker run --rm -v "$PWD:/data" -w /data hieratic lookup profile::web::port --node web01.example.com
FROM rust:1-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN cargo build --release --locked -p hieratic-cli

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home hieratic
COPY --from=build /src/target/release/hieratic /usr/local/bin/hieratic
USER hieratic
ENTRYPOINT ["hieratic"]
