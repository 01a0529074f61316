#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The opencl backend, from the loopback through the worker and its scheduler to
# PoCL, under AddressSanitizer and UndefinedBehaviorSanitizer: results against
# libcrypto's, and what happens when any call of OpenCL's fails.
#
# make: pocl

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/selftests/lib/ktap.sh"

O=$top/build/host/memory

build()
{
	mkdir -p "$O"
	flock "$O" make -s --no-print-directory -C "$top/selftests/host" O="$O" \
		SANITIZE=address,undefined opencl
}

# The daemon's cache has to be its own; PoCL's is not.
run()
{
	WAVECRYPT_TEST_CACHE=$cache \
	LSAN_OPTIONS=suppressions=$top/selftests/host/opencl.supp:print_suppressions=0 \
		"$top/selftests/lib/pocl" "$O/test_opencl"
}

cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT

ktap_begin
ktap_test "build" build
ktap_test "the backend" run
ktap_end
