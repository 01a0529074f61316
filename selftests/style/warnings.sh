#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Everything builds without a warning: the module with W=1 (which also checks
# the kernel-doc comments) for every kernel, the helper with two compilers.
#
# debs: kernel 6.1
# debs: kernel 6.12
# debs: kernel 7.2
# debs: kernel 7.3

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

module()
{
	local dir=$top/build/style/W1-$1
	rm -rf "$dir"
	make -s --no-print-directory KERNEL="$1" MODDIR="$dir" \
		MODARGS="W=1 KCFLAGS=-Werror" module
}

userspace()
{
	local dir=$top/build/style/$1
	rm -rf "$dir"
	make -s --no-print-directory -C helperd O="$dir" CC="$1"
}

bench()
{
	local dir=$top/build/style/$1
	make --no-print-directory -C selftests/bench/loopback O="$dir/bench" \
		HELPERD="$dir" CC="$1"
}

ktap_begin
for kernel in 6.1 6.12 7.2 7.3; do
	status=0
	selftests/debs kernel $kernel >/dev/null || status=$?
	if [ $status -eq 3 ]; then
		ktap_skip "module for $kernel" "the Debian archive carries no $kernel"
	else
		ktap_test "module for $kernel" module $kernel
	fi
done
for compiler in gcc-12 clang-19; do
	ktap_test "helper with $compiler" userspace $compiler
	ktap_test "wavecrypt-bench with $compiler" bench $compiler
done
ktap_end
