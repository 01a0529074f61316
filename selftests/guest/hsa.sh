#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Tunnels whose packets are encrypted and decrypted by AMD machine code, on each
# kind of emulated GPU and in each mode; and what becomes of them when a kernel
# fails in the midst of it, on one GPU or on one of two. Traffic is little, for this
# is an emulator, if not on another one.
#
# uml: 7.2-full --timeout 1800
# debug: uml

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
bin=$top/build/selftests
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"
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

# ping_by_gpu PACKETS: it has done more than these now
ping_by_gpu()
{
	ip netns exec left ping -q -c 1 -W 60 -I "$(inner 1 left)" "$(inner 1 right)"
	[ "$(gpu_packets)" -gt "$1" ]
}

# all_answered: every ping there was, of which ping itself does not wait for those that are late
all_answered()
{
	local out in
	read -r out in < <(sa_packets 1 left)
	[ "$out" -eq "$in" ] && all_arrived 1
}

# fails HOW: a kernel does, with packets in its hands. They all arrive, and the
# GPU is taken back; about each there is one line in the helper's log.
fails()
{
	local before said
	before=$(redone)
	said=$(grep -c "the CPU does its work" "$WAVECRYPT_VM_RUN/helper.log" || true)
	gpu_fails "packet#2=$1"
	ip netns exec left ping -q -c 20 -i 0.02 -s 200 -I "$(inner 1 left)" \
		"$(inner 1 right)" || true
	wait_until 60 all_answered
	no_xfrm_errors
	echo "redone by the kernel: $(($(redone) - before))"
	[ "$(redone)" -gt "$before" ]
	before=$(gpu_packets)
	wait_until 120 ping_by_gpu "$before"
	expect_equal "messages" $((said + 1)) \
		"$(grep -c "the CPU does its work" "$WAVECRYPT_VM_RUN/helper.log")"
}

# packets_of NUMBER: that this one of two GPUs has done
packets_of()
{
	"$top/build/helperd/wavecryptctl" metrics | awk -v device="device=\"0000:0$1:00.0\"" '
		/^wavecrypt_device_packets_total/ && index($0, device) { print $2 }'
}

# said_lost: how often the helper has said that it is without a GPU
said_lost()
{
	grep -c "the CPU does its work, and" "$WAVECRYPT_VM_RUN/helper.log" || true
}

# pings: from both CPUs, of which each has a queue, and that a worker with a GPU of its own
pings()
{
	local cpu pids=()
	for cpu in 0 1; do
		become left taskset -c "$cpu" ping -q -c 20 -i 0.02 -s 200 \
			-I "$(inner 1 left)" "$(inner 1 right)" >/dev/null &
		pids+=($!)
	done
	wait "${pids[@]}" || true
	wait_until 60 all_answered
}

# ping_by_both: either has done some
ping_by_both()
{
	pings && [ "$(packets_of 1)" -gt 0 ] && [ "$(packets_of 2)" -gt 0 ]
}

# Packets arrive that the one has in its hands when it fails, and the other has those that
# come later.
one_of_two()
{
	local said lost second
	wait_until 120 ping_by_both
	second=$(packets_of 2)
	said=$(said_lost)
	gpu_fails "packet@1#2=fault"
	pings
	expect_equal "messages" $((said + 1)) "$(said_lost)"
	[ "$(packets_of 2)" -gt "$second" ]
	lost=$(packets_of 1) second=$(packets_of 2)
	pings
	no_xfrm_errors
	expect_equal "packets of the one that failed" "$lost" "$(packets_of 1)"
	echo "packets of the other: $second, then $(packets_of 2)"
	[ "$(packets_of 2)" -gt "$second" ]
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
if [ "$(nproc)" -ge 2 ]; then
	emulated_gpu gfx90c,gfx90c dispatch
	# It is not tried again meanwhile.
	helper_settings+=(--set "hsa-device=0,1" --set workers=2 --set device-retry-ms=600000)
	ktap_test "two GPUs, with a worker each" start
	ktap_test "nothing is lost when one of them fails, and the other goes on" one_of_two
	ktap_test "it ends in order" stop
else
	ktap_skip "one of two GPUs fails" "they want a worker each, and those a CPU each"
fi
ktap_end
