# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
# shellcheck shell=bash
#
# The module wavecrypt_bench (selftests/kmod), for scripts in a guest.

device=/dev/wavecrypt_bench

# load_bench: in a guest that has the test modules; and this script stays where it is, for what is
# submitted on a CPU completes there
load_bench() {
	taskset -pc 0 $$ >/dev/null
	insmod "$(dirname "${WAVECRYPT_TEST_MODULE:?}")/wavecrypt_bench.ko"
}

# driver ALG: what one who asks the crypto API for an algorithm is given
driver() {
	printf 'alg=%s samples=1 warm_us=0 slice_us=1' "$1" >"$device" || return
	sed -n '1s/.*"driver":"\([^"]*\)".*/\1/p' "$device"
}

# measure SPECIFICATION: prints lines of JSON: what came of it, or why nothing did
measure() {
	if echo -n "$1" >"$device"; then
		cat "$device"
	else
		why_not
	fi
}

# measured SPECIFICATION: the same; where nothing came of it, says why and fails
measured() {
	local said

	said=$(measure "$1")
	if [[ $said == *'"error"'* ]]; then
		echo "$said" >&2
		return 1
	fi
	echo "$said"
}

# why_not: lines of JSON: what the kernel said last
why_not() {
	dmesg | tail -3 | sed 's/["\\]//g; s/.*/{"error":"&"}/'
}

# absent: prints that in JSON, if the kernel does not have what it was asked for last (ENOENT)
absent() {
	[[ $(dmesg | tail -n 1) == *": error -2" ]] && echo '{"absent":true}'
}
