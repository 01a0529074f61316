#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Unit tests of the helper's parts, under AddressSanitizer and
# UndefinedBehaviorSanitizer, those with threads under ThreadSanitizer, one as it is.
#
# make: helper
# make: sanitized

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/selftests/lib/ktap.sh"

# Other suites build there, too.
build()
{
	local O=$top/build/host/$1
	mkdir -p "$O"
	flock "$O" make -s --no-print-directory -C "$top/selftests/host" O="$O" "${@:2}"
}

# tests NAME LIST: those of the Makefile's list of that name, built as NAME
tests()
{
	local name=$1 test list
	list=$(make -s --no-print-directory -C "$top/selftests/host" "list-$2")
	[ -n "$list" ]
	for test in $list; do
		ktap_test "${test#test_}, $name" ktap_whole "$top/build/host/$name/$test"
	done
}

ktap_begin
ktap_test "build for memory" build memory SANITIZE=address,undefined
tests memory tests
ktap_test "build for threads" build threads SANITIZE=thread threads
tests threads threads
ktap_test "build as it is" build plain plain
ktap_test apart ktap_whole "$top/build/host/plain/test_apart"
ktap_end
