#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# When an SA is deleted its key is gone: from the key table, from the slots, and
# from the helper's own memory, in every form that it had there. They are found
# in both while the SAs are used. And where slots are wiped, packets are gone as
# soon as they have passed.
#
# uml: 7.2-full
# debug: uml

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bin=$here/../../build/selftests
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=gateways.bash
. "$here/gateways.bash"

secrets=$(mktemp)

scan()
{
	python3 "$here/key_scan.py" "$1" "$("$here/../vm/helper" pid)" "$secrets" "${@:2}"
}

keys()
{
	local n side digits

	for n in "${!tunnel_mode[@]}"; do
		for side in left right; do
			digits=$((tunnel_bits[n] / 4))
			enc_key "$n" "$side" | cut -c "1-$digits"
		done
	done
}

# used: the helper has had packets of every SA, which one CPU sends and the other reads
used()
{
	local n last=$(($(nproc) - 1))

	for n in "${!tunnel_mode[@]}"; do
		taskset -c 0 "$bin/numbered" --cpus "$last,$last" --count 40 left "$(inner "$n" left)" right "$(inner "$n" right)"
	done
}

there()
{
	local shared own

	used
	keys | xargs python3 "$here/key_scan.py" collect "$("$here/../vm/helper" pid)" "$secrets"
	read -r _ shared _ own < <(scan find)
	echo "figure: $(wc -l <"$secrets") secrets of $((2 * ${#tunnel_mode[@]})) keys," \
		"found $shared times in shared memory and $own times in the helper's own"
	[ "$shared" -gt 0 ] && [ "$own" -gt 0 ]
}

# SAs are freed some time after they were deleted, and the helper is woken then.
gone()
{
	local side found tries

	for side in left right; do
		ip -n "$side" xfrm state flush
	done
	received_everywhere
	for ((tries = 0; tries < 50; tries++)); do
		found=$(scan find)
		[ "$found" != "shared 0 own 0" ] || return 0
		sleep 0.1
	done
	echo "still there: $found"
	return 1
}

# packet_passes: shared is how often it is found in the slots then
packet_passes()
{
	local pattern found

	pattern=$(od -An -v -tx1 -N 16 /dev/urandom | tr -d ' \n')
	echo "$pattern" >"$secrets"
	at left ping -q -c 3 -i 0.2 -s 400 -p "$pattern" \
		-I "$(inner 1 left)" "$(inner 1 right)"
	found=$(scan find)
	read -r _ shared _ <<<"$found"
	echo "found $shared times"
}

wiped()
{
	local shared

	packet_passes
	[ "$shared" -gt 0 ]
	echo Y >/sys/module/wavecrypt/parameters/wipe_slots
	packet_passes
	expect_equal "found where slots are wiped" 0 "$shared"
	echo N >/sys/module/wavecrypt/parameters/wipe_slots
}

set_mode offload
tunnel_add 1 tunnel 4 authenc 128 plain
tunnel_add 2 tunnel 4 authenc 256 plain
tunnel_add 3 tunnel 4 rfc4106 128 plain
tunnel_add 4 tunnel 4 rfc4106 256 plain
gateways_up
sas_add left
sas_add right

ktap_begin
ktap_test "packets are found in slots, but not where those are wiped" wiped
ktap_test "keys are found while they are used" there
ktap_test "and nowhere when their SAs are gone" gone
ktap_end
