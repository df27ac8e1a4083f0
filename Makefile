# make build    release build: .build/release/cairn, with the Swift runtime linked in
# make install  the command, its manual pages and completions under PREFIX (/usr/local)
# make uninstall  takes them away again
# make test     the whole test suite
# make soak     the same with the long forms of its tests, then `make tsan`
# make tsan     the tests of several threads under ThreadSanitizer
# make demo     a short tour over data/
# make bench    build the benchmarks and run them on generated places (see tools/bench/README.md)
# make fuzz     let libFuzzer look for inputs that crash a reader, a minute for each (tools/fuzz/run)
# make format   format every Swift file in place
# make setup    install what the build needs (the rules above do it by themselves)

ifeq ($(shell uname -s),Darwin)
export CPATH := $(shell brew --prefix 2>/dev/null)/include
export LIBRARY_PATH := $(shell brew --prefix 2>/dev/null)/lib
else
static := --static-swift-stdlib
endif

concurrent := ActorRealm|AsyncMistake|QueueRealm|MainActor|ThreadSafe|TwoThreads|GroupedWrite|GroupedWorkload
concurrent := $(concurrent)|GroupCommit|ManyReaders|ActiveVersion|CommitWatch|Observing|Freezing|Frozen|Fleet
concurrent := $(concurrent)|OneRealm|Cancellation|SealedWrite

PREFIX ?= /usr/local

.PHONY: build install uninstall test soak tsan demo bench fuzz format setup

build: setup
	swift build -c release --product cairn $(static)

install: build
	tools/install "$(DESTDIR)$(PREFIX)"

uninstall:
	tools/install --remove "$(DESTDIR)$(PREFIX)"

test: setup
	tools/test

soak: setup
	CAIRN_SOAK=1 tools/test
	$(MAKE) tsan

tsan: setup
	swift test --sanitize=thread --scratch-path .build/tsan --filter '$(concurrent)'

demo: build
	tools/demo

bench: build
	tools/bench/run

fuzz: setup
	tools/fuzz/run

format:
	swift format -i -r Package.swift Sources Tests tools/bench tools/fuzz

setup:
	@tools/setup
