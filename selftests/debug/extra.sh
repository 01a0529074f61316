#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The kernel's own tests of crypto drivers, the random ones of
# CRYPTO_MANAGER_EXTRA_TESTS (7.2: CRYPTO_SELFTESTS_FULL) among them, both ways: at
# registration, when there is no helper yet, and once more with one. A driver is
# tested again as part of a template's instance, so that pcrypt(...) is made of it.
#
# vm: --kernel 6.1-kasan --no-helper --timeout 7000

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"

# passed DRIVER: its test is not only scheduled, as it is from 6.12 on
passed()
{
	"$here/../lib/crypto-instance" make "$1"
	awk -v driver="$1" '
		/^driver/ { ours = $3 == driver }
		/^selftest/ && ours { print driver, $3; found += $3 == "passed" }
		END { exit !found }' /proc/crypto
	! dmesg | grep -v 'alg: No test for' | grep 'alg: .*wavecrypt'
}

# offloaded DIRECTORY DRIVER
offloaded()
{
	local op nr

	passed "pcrypt($2)"
	for op in encrypt decrypt; do
		nr=$(counter "$1.$op" requests_offloaded)
		echo "figure: pcrypt($2): ${op}ed by the helper: $nr"
		[ "$nr" -gt 100 ]
	done
}

extra()
{
	dmesg | grep -E 'alg: (extra|full) crypto tests enabled'
}

ktap_begin
ktap_test "this kernel's tests are the thorough ones" extra
# Those that this kernel has vectors of: its test has made requests
tested=()
for label in "${labels[@]}"; do
	dir=$(dir_of "$label")
	[ -n "$(field "$dir-wavecrypt" driver)" ] || continue
	ktap_test "$label, fallback" passed "$dir-wavecrypt"
	if [ "$(counter "$dir.encrypt" requests_inline)" -gt 0 ]; then
		tested+=("$label")
	else
		ktap_skip "$label, offloaded" "this kernel has no vectors of it"
	fi
done
ktap_test "of as many of them as in 6.1 there are vectors" [ ${#tested[@]} -ge 6 ]
set_mode offload
# Many processors are not to be had here, and a helper that waits for one has not stalled.
echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
"$here/../vm/helper" start
modprobe pcrypt
# 6.1's padata holds two locks of one class, and does not say so.
[[ $(uname -r) != 6.1.* ]] || echo 0 >/proc/sys/kernel/prove_locking
for label in "${tested[@]}"; do
	dir=$(dir_of "$label")
	ktap_test "$label, offloaded" offloaded "$dir" "$dir-wavecrypt"
done
"$here/../vm/helper" stop
ktap_end
