#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Bugs of the kernel that only its checkers show, or that no kernel has any more that is
# supported, shown on the module without its protection. (That nothing is found with it,
# of those that the kernels have, is what the suite stock shows.)
#
# uml: 7.2-debug
# uml: 6.1-debug
# uml: 7.2-unmended

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# guest KERNEL HAZARD [OPTION]...: in $log is what came of it
guest()
{
	local status=0
	log=$logs/$1.$2
	"$here/uml" --test-modules --logs "$logs/$1" --timeout 600 "$1" \
		selftests/guest/stock.sh --expose "${@:2}" >"$log" 2>&1 || status=$?
	cat "$log"
	return "$status"
}

# found KERNEL HAZARD FUNCTION: KASAN's report on that has that function in it. On a machine
# with other work what has to happen at once may not, and is tried again.
found()
{
	local try
	for try in 1 2 3; do
		echo "try $try"
		guest "$1" "$2" || true
		if grep -A 80 'BUG: KASAN: ' "$log" | grep "$3"; then
			return
		fi
	done
	return 1
}

# guarded KERNEL HAZARD: there is no report with protection
guarded()
{
	guest "$1" "$2" --guard "$2"
}

ktap_begin
for kernel in 7.2-debug 6.1-debug; do
	ktap_test "$kernel: xmit-device: a device that is gone is sent by" \
		found $kernel xmit-device xfrm_dev_resume
	ktap_test "$kernel: output-hook: netfilter is given a device that is gone" \
		found $kernel output-hook nft_meta
done
# On 6.1 another bug has the tunnel stay.
kernel=7.2-debug
ktap_test "$kernel: input-tunnel: a tunnel that is gone is looked at" \
	found $kernel input-tunnel vti_rcv_cb
kernel=7.2-unmended
ktap_test "$kernel: mini-socket: a connection request is taken for a socket" \
	found $kernel mini-socket sk_mc_loop
ktap_test "$kernel: mini-socket: guarded" guarded $kernel mini-socket
ktap_test "$kernel: espintcp: packets leak" guest $kernel espintcp
ktap_test "$kernel: input-hook: netfilter is given a device that is gone" \
	found $kernel input-hook nft_meta
ktap_test "$kernel: input-hook: guarded" guarded $kernel input-hook
ktap_test "$kernel: stale-prev: a packet is chained to one that the helper has" \
	guest $kernel stale-prev
ktap_test "$kernel: stale-prev: guarded" guarded $kernel stale-prev
ktap_end
