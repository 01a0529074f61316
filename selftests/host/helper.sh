#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Unit tests of the helper's parts, under AddressSanitizer and
# UndefinedBehaviorSanitizer, and under ThreadSanitizer; one as it is.

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

ktap_begin
for kind in memory:address,undefined threads:thread; do
	name=${kind%%:*}
	ktap_test "build for $name" build "$name" SANITIZE="${kind#*:}"
	for test in aside keys packet sched bell clock config placement bench sas vici cpu selftest take crew worker; do
		# which has one thread, and is long
		[ "$test, $name" != "selftest, threads" ] || continue
		ktap_test "$test, $name" "$top/build/host/$name/test_$test"
	done
done
ktap_test "build for nothing" build plain plain
ktap_test apart "$top/build/host/plain/test_apart"
ktap_end
