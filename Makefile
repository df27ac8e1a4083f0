# make build      build the command in release mode: .build/release/cairn, on Linux with the Swift runtime linked in
# make server     build the server that `cairn serve` starts: .build/release/cairn-server
# make install    install the command, its manual pages and completions under PREFIX (/usr/local)
# make uninstall  remove them
# make package    build a Debian package of the command in .build
# make test       build the command and run all tests
# make soak       run all tests in their long forms, then `make tsan`
# make tsan       run the tests that use several threads under ThreadSanitizer
# make asan       run the tests of readers of untrusted bytes under AddressSanitizer
# make demo       take a short tour of the command with the files in data/, and keep its store
# make bench      build the benchmarks and run them on generated places (see tools/bench/README.md)
# make fuzz       fuzz each reader with libFuzzer for a minute (see tools/fuzz/run)
# make docs       build the documentation site in .build/docs
# make lint       check the format of all Swift files
# make format     format all Swift files in place
# make setup      install the libraries that the build needs (the other targets run it automatically)

ifeq ($(shell uname -s),Darwin)
export CPATH := $(shell brew --prefix 2>/dev/null)/include
export LIBRARY_PATH := $(shell brew --prefix 2>/dev/null)/lib
else
static := --static-swift-stdlib
# Fixed addresses and no exported symbols: relocations are a fifth of a cold start.
linking := $(static) -Xlinker --no-pie -Xlinker --no-export-dynamic
endif

concurrent := ActorRealm|AsyncWriteError|QueueRealm|MainActor|ThreadSafe|TwoThreads|GroupedWrite|GroupedWorkload
concurrent := $(concurrent)|GroupCommit|ManyReaders|ActiveVersion|CommitWatch|Observing|Freezing|Frozen|Fleet
concurrent := $(concurrent)|RealmIdentity|Cancellation|PreparedWrite|ObserverError

# Readers of files and of bytes, where memory errors would come from outside.
untrusted := FuzzSeed|NestedImport|CSV|GeoJSON|JSON|Geometry|Encoding|Damage|Mutant|Chunk|Predicate|Pattern
# AddressSanitizer cannot start in the process that runs GDAL, because the memory of that is limited.
limited := LayerOutputTests

formatted := Package.swift Sources Tests server/Package.swift server/Sources server/Tests tools/bench/Package.swift tools/bench/Sources tools/fuzz/Sources

PREFIX ?= /usr/local
# make does not expand the tilde, and only some shells do.
prefix = $(DESTDIR)$(patsubst ~/%,$(HOME)/%,$(PREFIX))

command := .build/release/cairn
server := .build/release/cairn-server

.PHONY: build server install uninstall package test soak tsan asan demo bench fuzz docs lint format setup

build: setup
	swift build -c release --product cairn $(linking)
	@touch $(command)

# A command that is newer than its sources is not built again, so that `sudo make install` works without Swift on root's PATH.
$(command): Package.swift $(shell find Sources -type f)
	$(MAKE) build

server: setup
	swift build -c release --package-path server --product cairn-server $(static)
	@mkdir -p .build/release
	cp server/.build/release/cairn-server $(server)

# As for the command.
$(server): $(shell find server/Sources server/Package.swift -type f) $(shell find Sources -type f)
	$(MAKE) server

install: $(command)
	tools/install "$(prefix)"

uninstall:
	tools/install --remove "$(prefix)"

package: $(command) $(server)
	tools/package

# The tests of the shell run the command that is installed, which is also several times as fast as that of a debug build.
test: $(command)
	CAIRN="$(abspath $(command))" tools/test

soak: $(command)
	CAIRN="$(abspath $(command))" CAIRN_SOAK=1 tools/test
	$(MAKE) tsan

tsan: setup
	swift test --sanitize=thread --scratch-path .build/tsan --filter '$(concurrent)'

asan: setup
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build/asan \
	  --filter '$(untrusted)' --skip '$(limited)'

demo: $(command)
	tools/demo

bench: build
	tools/bench/run

fuzz: setup
	tools/fuzz/run

docs: setup
	tools/docs

lint:
	swift format lint --strict --parallel -r $(formatted)

format:
	swift format -i --parallel -r $(formatted)

setup:
	@tools/setup
