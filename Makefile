# make build      build the command in release mode: .build/release/cairn, on Linux with the Swift runtime linked in
# make server     build the server that `cairn serve` starts: .build/release/cairn-server
# make install    install the command, its manual pages and completions under PREFIX (/usr/local)
# make uninstall  remove them
# make package    build a Debian package of the command in .build
# make test       build and run all tests (see tools/test)
# make soak       run all tests in their long forms and from random seeds, then both sanitizers on all that they watch
# make tsan       run the tests with the tag `threads` under ThreadSanitizer
# make asan       run the tests with the tag `untrusted` under AddressSanitizer
# make demo       take a short tour of the command with the files in data/, and keep its store
# make bench      build the benchmarks and run them on generated places (see tools/bench/README.md)
# make fuzz       fuzz each reader with libFuzzer for a minute (see tools/fuzz/run)
# make docs       build the documentation site in .build/docs
# make lint       check the format of all Swift files, and parse the scripts and style sheets of the pages
# make format     format all Swift files in place
# make setup      install the libraries that the build needs (the other targets run it automatically);
#                 with TESTS=all also the programs that some tests compare Cairn with

ifeq ($(shell uname -s),Darwin)
export CPATH := $(shell brew --prefix 2>/dev/null)/include
export LIBRARY_PATH := $(shell brew --prefix 2>/dev/null)/lib
else
static := --static-swift-stdlib
# Fixed addresses and no exported symbols: relocations are a fifth of a cold start.
linking := $(static) -Xlinker --no-pie -Xlinker --no-export-dynamic
endif

# One set of traits for all builds, because another one compiles every module again; so does another order of them, which is that of
# a set of the package manager.
export SWIFT_DETERMINISTIC_HASHING := 1
options := --traits Command,Operations,Server -debug-info-format none

formatted := Package.swift Sources Tests tools/bench/Package.swift tools/bench/Sources tools/fuzz/Sources

PREFIX ?= /usr/local
# make does not expand the tilde, and only some shells do.
prefix = $(DESTDIR)$(patsubst ~/%,$(HOME)/%,$(PREFIX))

command := .build/release/cairn
server := .build/release/cairn-server

.PHONY: build server install uninstall package test soak tsan asan demo bench fuzz docs lint format setup

build: setup
	swift build -c release --product cairn $(options) $(linking)
	@touch $(command)

# A command that is newer than its sources is not built again, so that `sudo make install` works without Swift on root's PATH.
sources := Package.swift $(shell find Sources -type f)
$(command): $(sources)
	$(MAKE) build

server: setup
	swift build -c release --product cairn-server $(options) $(linking)
	@touch $(server)

# As for the command.
$(server): $(sources)
	$(MAKE) server

install: $(command)
	tools/install "$(prefix)"

uninstall:
	tools/install --remove "$(prefix)"

package: $(command) $(server)
	tools/package

test soak: TESTS = test
test: setup
	tools/test

soak: setup
	CAIRN_SOAK=1 tools/test
	$(MAKE) tsan asan

tsan: setup
	tools/sanitize thread

asan: setup
	tools/sanitize address

demo: $(command)
	tools/demo

bench: build
	tools/bench/run

fuzz: setup
	tools/fuzz/run

docs: setup
	tools/docs

lint: TESTS = lint
lint: setup
	swift format lint --strict --parallel -r $(formatted)
	tools/check-pages

format:
	swift format -i --parallel -r $(formatted)

setup:
	@tools/setup $(TESTS)
	@tools/toolchain
