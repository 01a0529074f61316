# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# For the suites of the GPU kernels: KTAP whose tests are programs that print KTAP

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
. "$top/selftests/lib/ktap.sh"

# shellcheck disable=SC2034 # for those who read this file in
O=$top/build/kernels-test

# kernels_build DIRECTORY [ARGUMENT OF MAKE...]
# Two suites may run at once, and share what is built.
kernels_build()
{
	mkdir -p "$1"
	ktap_test "build in ${1#"$top/"}" flock "$1" \
		make -s --no-print-directory -C "$top/selftests/host/kernels" O="$1" "${@:2}"
	[ "$ktap_failed" -eq 0 ] || ktap_end
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
