# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# For the suites of the GPU kernels: KTAP whose tests are programs that print KTAP

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
. "$top/selftests/lib/ktap.sh"

O=$top/build/kernels-test

# Two suites may run at once, and share what is built here.
kernels_begin()
{
	ktap_begin
	mkdir -p "$O"
	ktap_test "build" flock "$O" \
		make -s --no-print-directory -C "$top/selftests/host/kernels" O="$O"
}

# kernels_subtests NAME COMMAND [ARGUMENT...]
kernels_subtests()
{
	local name=$1
	shift
	ktap_count=$((ktap_count + 1))
	if "$@" | sed 's/^/    /'; then
		echo "ok $ktap_count $name"
	else
		ktap_failed=$((ktap_failed + 1))
		echo "not ok $ktap_count $name"
	fi
}
