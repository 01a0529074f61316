#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Tunnels whose packets are encrypted and decrypted by AMD machine code, on each
# kind of emulated GPU and in each mode; and what becomes of them when a kernel
# fails in the midst of it. Traffic is little, for this is an emulator, if not on another
# one.
#
# uml: 7.2-full --timeout 900
# debug: uml

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
bin=$top/build/selftests
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=gateways.bash
. "$here/gateways.bash"
# shellcheck source=emulated_gpu.bash
. "$here/emulated_gpu.bash"

tunnel_add 1 tunnel 4 authenc 128 plain

start()
{
	arrange left
	mtu 1500
	set_mode offload
	# It has time.
	echo 60000 >/sys/module/wavecrypt/parameters/stall_ms
	"$top/build/helperd/wavecryptctl" status || true
}

redone()
{
	echo $(($(counter "$cbc_sha1.encrypt" redone) + $(counter "$cbc_sha1.decrypt" redone)))
}

gpu_packets()
{
	gpu_counts | cut -d' ' -f1
}

# fails HOW: a kernel does, with packets in its hands. They all arrive, and the
# GPU is taken back; about each there is one line in the helper's log.
fails()
{
	local before said
	before=$(redone)
	said=$(grep -c "the CPU does its work" "$WAVECRYPT_VM_RUN/helper.log" || true)
	gpu_fails "packet#2=$1"
	# One lost packet, and that ends in vain.
	ip netns exec left ping -q -c 20 -i 0.02 -s 200 -W 60 -I "$(inner 1 left)" \
		"$(inner 1 right)" | tee "$gpu_dir/ping"
	grep -q ' 0% packet loss' "$gpu_dir/ping"
	no_xfrm_errors
	echo "redone by the kernel: $(($(redone) - before))"
	[ "$(redone)" -gt "$before" ]
	before=$(gpu_packets)
	until [ "$(gpu_packets)" -gt "$before" ]; do
		ip netns exec left ping -q -c 1 -W 60 -I "$(inner 1 left)" "$(inner 1 right)" \
			>/dev/null
	done
	expect_equal "messages" $((said + 1)) \
		"$(grep -c "the CPU does its work" "$WAVECRYPT_VM_RUN/helper.log")"
}

stop()
{
	gateways_down
	gpu_ends
}

ktap_begin
ktap_test "gfx803, persistent: tunnels" \
	"$here/xfrm.sh" --backend hsa --gpu gfx803 --mode persistent \
	--tunnels "42 48"
ktap_test "gfx90c, dispatch: tunnels" "$here/xfrm.sh" --backend hsa
emulated_gpu gfx90c dispatch
ktap_test "the daemon has the module's packets and the GPU" start
for how in fault reset; do
	ktap_test "nothing is lost when a kernel's end is a $how" fails $how
done
ktap_test "it ends in order" stop
ktap_end
