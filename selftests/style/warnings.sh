#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Everything builds without a warning: the module with W=1 (which also checks
# the kernel-doc comments) for every kernel, the helper with clang. With gcc it is
# made before, for all, and not with a warning.
#
# make: wavecrypt-bench
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
	rm -rf "$dir"
	make -s --no-print-directory -C helperd O="$dir" CC=clang-19
}

bench()
{
	make --no-print-directory -C selftests/bench/loopback O="$dir/bench" \
		HELPERD="$dir" CC=clang-19
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
dir=$top/build/style/clang-19
ktap_test "helper with clang" userspace
ktap_test "wavecrypt-bench with clang" bench
ktap_end
