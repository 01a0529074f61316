# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The one entry point; "make help" says what for. Everything that is built
# lands under build/, the module in one directory per kernel, so that several
# kernels are served by one source tree.

# One of selftests/debs's kernels, or none: then KDIR, the running kernel's.
KERNEL	?=
KDIR	?= /lib/modules/$(shell uname -r)/build

PREFIX	?= /usr/local
DESTDIR	?=

top	:= $(abspath $(dir $(lastword $(MAKEFILE_LIST))))
# Not from the environment: clean and distclean remove what is there.
BUILD	= $(top)/build
build	:= $(or $(BUILD),$(error BUILD names no directory))

# Looked up when a recipe needs it, for it may have to be downloaded.
kdir	= $(if $(KERNEL),$(shell $(top)/selftests/debs kernel $(KERNEL))/headers,$(KDIR))
release	= $(shell sed -n 's/.*"\(.*\)"/\1/p' $(kdir)/include/generated/utsrelease.h 2>/dev/null)

# MODDIR is where modules are built: ours in its driver/
MODDIR	?= $(build)/$(if $(KERNEL),$(KERNEL),$(notdir $(patsubst %/build,%,$(KDIR))))

.PHONY: all
all: module helper wavecrypt-bench

.PHONY: module
module:
	@$(top)/selftests/lib/build-module "$(kdir)" "$(MODDIR)" $(MODARGS)

.PHONY: helper
helper:
	@$(MAKE) --no-print-directory -C helperd O=$(build)/helperd

.PHONY: wavecrypt-bench
wavecrypt-bench: helper
	@$(MAKE) --no-print-directory -C selftests/bench/loopback \
		O=$(build)/bench/loopback HELPERD=$(build)/helperd

.PHONY: deps
deps:
	@selftests/deps

# For AMD's GPUs: a file for each instruction set and layout
.PHONY: code-objects
code-objects:
	@$(MAKE) --no-print-directory -C kernels O=$(build)/gpu amdgcn
	@mkdir -p $(build)/code-objects
	@rm -f $(build)/code-objects/*
	@layout=$$(selftests/lib/gpu-layout); \
	for code in $(build)/gpu/*.co; do \
		cp $$code $(build)/code-objects/$$(basename $$code .co)-v$$layout.co || exit; \
	done

# What the suites in selftests/guest run
.PHONY: tests
tests:
	@mkdir -p $(build)/selftests $(build)/hsa-emu
	@flock $(build)/selftests $(MAKE) --no-print-directory -C selftests/guest \
		O=$(build)/selftests
	@flock $(build)/hsa-emu $(MAKE) -s --no-print-directory -C selftests/hsa-emu \
		O=$(build)/hsa-emu

# What several suites in selftests/host use: none waits until another has built it
.PHONY: sanitized kernels-test
sanitized:
	@mkdir -p $(build)/host/memory
	@flock $(build)/host/memory $(MAKE) --no-print-directory -C selftests/host \
		O=$(build)/host/memory SANITIZE=address,undefined library

kernels-test:
	@mkdir -p $(build)/kernels-test
	@flock $(build)/kernels-test $(MAKE) --no-print-directory -C selftests/host/kernels \
		O=$(build)/kernels-test

# What PoCL makes of the kernels, for those of them that have an OpenCL device
.PHONY: pocl
pocl: helper
	@$(top)/selftests/lib/pocl --compile

# The modules that test and measure the module from inside the kernel
.PHONY: test-modules
test-modules:
	@MODSRC=selftests/kmod $(top)/selftests/lib/build-module "$(kdir)" \
		"$(MODDIR)/kmod" $(MODARGS)

.PHONY: check check-debug check-long check-fuzz check-hsa bench demo
check: deps
	@selftests/check $(CHECKARGS) $(SUITES)

check-debug: deps
	@selftests/debug/run

check-long: deps
	@selftests/check --long

check-hsa: deps
	@selftests/check-hsa $(CHECKARGS)

check-fuzz: deps
	@selftests/fuzz/run

bench: deps
	@selftests/bench/run

# In its own directory it can be carried to where the GPU is.
.PHONY: bench-gpu bench-gpu-carry
bench-gpu-carry:
	@$(MAKE) --no-print-directory -C selftests/bench/gpu O=$(build)/bench/gpu

bench-gpu: deps bench-gpu-carry
	@$(build)/bench/gpu/carry/run --out $(build)/bench/gpu/results $(BENCHARGS)

# In its own directory it can be carried to a machine with many CPUs.
.PHONY: bench-scale bench-scale-carry
bench-scale-carry:
	@$(MAKE) --no-print-directory -C selftests/bench/scale O=$(build)/bench/scale

bench-scale: deps bench-scale-carry
	@$(build)/bench/scale/carry/run --out $(build)/bench/scale/results $(BENCHARGS)

demo: deps
	@selftests/demo

.PHONY: clean distclean
clean:
	rm -rf $(filter-out $(addprefix $(build)/,apt headers kernels sources packages),$(wildcard $(build)/*))

distclean:
	rm -rf $(build)

.PHONY: docs
docs:
	sphinx-build -q -W --keep-going -b html -d $(build)/docs/.doctrees \
		Documentation $(build)/docs
	@echo build/docs/index.html

# DEBVERSION: another version than the sources'
.PHONY: deb
deb:
	@packaging/debs $(DEBVERSION)

# RPMVERSION: likewise
.PHONY: rpm
rpm:
	@packaging/rpms $(RPMVERSION)

include packaging/install.mk

.PHONY: help
help:
	@sed -n 's/^#h \?//p' $(top)/Makefile

#h wavecrypt: what there is to make
#h
#h   make                 the module for the running kernel, the helper, the tool, the
#h                        load generator: all that make install installs
#h   make KERNEL=6.1      the module for one of Debian's kernels instead (6.1,
#h                        6.12, 7.2 or 7.3), whose headers are downloaded into build/
#h   make KDIR=DIR        or for the kernel whose build directory is DIR
#h   make code-objects    machine code for AMD's GPUs, which make install then
#h                        installs as well; wants clang-19
#h   make module, helper  either alone; tests: the programs of the guest's suites
#h
#h   make demo            a tunnel between two gateways in a guest, explained
#h   make check           the tests; SUITES="crypto xfrm" for some of them;
#h                        CHECKARGS=--again: what fails once more, by itself
#h   make check-debug     the tests that want a kernel built with its checkers
#h   make check-long      more kernels, packets and rekeys than check has time for
#h   make check-fuzz      the fuzzers
#h   make check-hsa       the hsa backend on a real GPU of AMD's, with a report:
#h                        selftests/check-hsa --help
#h   make bench           the benchmarks
#h   make bench-gpu       those of the GPU engine, on an OpenCL GPU (BENCHARGS=--quick
#h                        for a short run); bench-gpu-carry only builds what it
#h                        needs, in build/bench/gpu/carry, for another machine
#h   make bench-scale     those of many CPUs, on all that this machine has; --quick and
#h                        bench-scale-carry likewise, in build/bench/scale/carry
#h   make wavecrypt-bench  the load generator for the helper alone, no module
#h                        needed: build/bench/loopback/wavecrypt-bench --help
#h   make deps            install what building and testing need (Debian 12)
#h
#h   make install         module, helper, tool, manuals, systemd unit; to
#h                        DESTDIR, under PREFIX (/usr/local)
#h   make uninstall       the reverse
#h   make deb             Debian packages, in build/deb: wavecrypt-dkms, wavecryptd
#h   make rpm             RPM packages, in build/rpm: wavecryptd, akmod-wavecrypt,
#h                        wavecrypt-kmod-common
#h   make docs            Documentation/ as HTML, in build/docs
#h   make clean           remove what was built; distclean: downloads too
