# An image of the command and the server, without Swift.
#
#   docker build -t cairn .
#   docker run --rm -v "$PWD:/data" cairn import world.cairn cities.csv
#   docker run --rm -v "$PWD:/data" -p 8080:8080 cairn serve world.cairn --host 0.0.0.0
#
# The programs contain the Swift runtime; the Debian package that they come from names the libraries that they need;
# libcurl is for webhooks, and checks certificates against those of Debian.
FROM swift:6.2-bookworm AS build
WORKDIR /source
COPY . .
# The image of Swift has no make; `make setup` installs the libraries.
RUN apt-get update && apt-get install -y --no-install-recommends make && make setup && make package \
  && cp .build/cairn_*.deb /cairn.deb

FROM debian:bookworm-slim
RUN --mount=from=build,source=/cairn.deb,target=/cairn.deb \
  apt-get update && apt-get install -y --no-install-recommends /cairn.deb libisal2 libcurl4 ca-certificates && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home cairn
USER cairn
WORKDIR /data
EXPOSE 8080
ENTRYPOINT ["cairn"]
