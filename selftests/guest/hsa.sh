#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Tunnels whose packets are encrypted and decrypted by AMD machine code: the
# daemon hands all of them to the HSA runtime, an emulated one, which executes
# the code object on the module's memory where it is. The kernel's own code is
# at the other end. Traffic is little, for this is an emulator on an emulator.
#
#	hsa.sh [gfx90c|gfx803|gfx801] [dispatch|persistent]
#
# vm: --kernel 6.1

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
bin=$top/build/selftests
emu=$top/build/hsa-emu
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=gateways.bash
. "$here/gateways.bash"

gfx=${1:-gfx90c} mode=${2:-dispatch}
work=$(mktemp -d)
layout=$(sed -n 's/^#define WAVECRYPT_GPU_LAYOUT[[:space:]]*//p' "$top/kernels/layout.h")

tunnel_add 1 tunnel 4 authenc 128 plain
tunnel_add 2 tunnel 4 rfc4106 256 plain
declare -A dirs=([authenc]=$cbc_sha1 [rfc4106]=$gcm)

# The daemon, with the emulated runtime in the place of the real one
helper_start()
{
	mkdir -p "$work/code"
	ln -sf "$emu/kernels/$gfx.co" "$work/code/$gfx-v$layout.co"
	: >"$work/control"
	LD_LIBRARY_PATH=$emu HSA_EMU_AGENTS=$gfx HSA_EMU_REPORT=$work/report \
	HSA_EMU_CONTROL=$work/control \
		"$here/../vm/helper" start --set backend=hsa --set "hsa-code=$work/code" \
		--set "hsa-mode=$mode" --set hsa-groups=2 --set balance=no \
		--set device-chunk=128 --set device-timeout-ms=10000 --set device-retry-ms=500
}

# What the daemon says of itself, before and after
device()
{
	"$top/build/helperd/wavecryptctl" --json stats | python3 -c '
import json, sys

def total(value, device=False):
	if isinstance(value, list):
		return sum(total(v, device) for v in value)
	if not isinstance(value, dict):
		return 0
	if device and "failed" in value:
		return value["'"$1"'"]
	return sum(total(v, k == "device") for k, v in value.items())

print(total(json.load(sys.stdin)))'
}

# count ALG DIRECTION: requests by the helper, by the kernel at once, and again
count()
{
	local name value values=()
	for name in requests_offloaded requests_inline redone rechecked; do
		read -r value <"$sysfs/${dirs[$1]}.$2/$name"
		values+=("$value")
	done
	echo "${values[@]}"
}

start()
{
	"$here/../vm/helper" stop
	rmmod wavecrypt
	gateways_up
	mtu 1500
	sas_add right
	# shellcheck disable=SC1091
	(. "${WAVECRYPT_VM_RUN:?}/what" && insmod "$module")
	helper_start
	sas_add left
	set_mode offload
	# It has time.
	echo 60000 >/sys/module/wavecrypt/parameters/stall_ms
	"$top/build/helperd/wavecryptctl" status || true
}

ping_through()
{
	local size
	for size in 0 56 1300; do
		ip netns exec left ping -q -c 4 -i 0.2 -s "$size" -W 30 \
			-I "$(inner "$1" left)" "$(inner "$1" right)"
	done
}

tcp_through()
{
	local server
	head -c 60000 /dev/urandom >"$work/sent"
	ip netns exec right python3 -c '
import socket, sys
s = socket.create_server((sys.argv[1], 5201))
open(sys.argv[2], "w").close()
c = s.accept()[0]
with open(sys.argv[3], "wb") as f:
	while data := c.recv(65536):
		f.write(data)' "$(inner "$1" right)" "$work/listening" "$work/received" &
	server=$!
	until [ -e "$work/listening" ]; do
		kill -0 "$server"
	done
	ip netns exec left python3 -c '
import socket, sys
c = socket.create_connection((sys.argv[1], 5201), source_address=(sys.argv[2], 0))
c.sendall(open(sys.argv[3], "rb").read())' \
		"$(inner "$1" right)" "$(inner "$1" left)" "$work/sent"
	wait "$server"
	rm "$work/listening"
	cmp "$work/sent" "$work/received"
}

# on_the_gpu N COMMAND...: what COMMAND sends through tunnel N was encrypted and
# decrypted on the left by the GPU's code, all of it
on_the_gpu()
{
	local n=$1 before out in
	before=$(device packets)
	out=$(sa_packets "$n" left left)
	in=$(sa_packets "$n" right left)
	encrypted=$(count "${tunnel_alg[$n]}" encrypt)
	decrypted=$(count "${tunnel_alg[$n]}" decrypt)

	"${@:2}" "$n"

	out=$(($(sa_packets "$n" left left) - out))
	in=$(($(sa_packets "$n" right left) - in))
	echo "packets of the SAs: $out out, $in in"
	[ "$out" -gt 0 ] && [ "$in" -gt 0 ]
	read -ra encrypted <<<"$encrypted $(count "${tunnel_alg[$n]}" encrypt)"
	read -ra decrypted <<<"$decrypted $(count "${tunnel_alg[$n]}" decrypt)"
	expect_equal "encrypted by the helper" "$out" $((encrypted[4] - encrypted[0]))
	expect_equal "decrypted by the helper" "$in" $((decrypted[4] - decrypted[0]))
	expect_equal "encrypted by the kernel, again" "0 0" \
		"$((encrypted[5] - encrypted[1])) $((encrypted[6] - encrypted[2]))"
	expect_equal "decrypted by the kernel, again" "0 0" \
		"$((decrypted[5] - decrypted[1])) $((decrypted[6] - decrypted[2]))"
	expect_equal "packets on the GPU" $((out + in)) $(($(device packets) - before))
	expect_equal "chunks that failed" 0 "$(device failed)"
	no_xfrm_errors
}

# fails HOW: a kernel does, with packets of tunnel 1 in its hands. They all arrive,
# and the GPU is taken back.
fails()
{
	local redone before
	redone=$(counter "$cbc_sha1.encrypt" redone)
	redone=$((redone + $(counter "$cbc_sha1.decrypt" redone)))
	echo "packet#2=$1" >"$work/next"
	mv "$work/next" "$work/control"
	# One lost packet, and that ends in vain.
	ip netns exec left ping -q -c 20 -i 0.02 -s 200 -W 60 -I "$(inner 1 left)" \
		"$(inner 1 right)" | tee "$work/ping"
	grep -q ' 0% packet loss' "$work/ping"
	no_xfrm_errors
	redone=$(($(counter "$cbc_sha1.encrypt" redone) +
		$(counter "$cbc_sha1.decrypt" redone) - redone))
	echo "redone by the kernel: $redone"
	[ "$redone" -gt 0 ]
	before=$(device packets)
	until [ "$(device packets)" -gt "$before" ]; do
		ip netns exec left ping -q -c 1 -W 60 -I "$(inner 1 left)" "$(inner 1 right)" \
			>/dev/null
	done
}

# The daemon ends, and the runtime has missed nothing that it had given.
stop()
{
	gateways_down
	"$here/../vm/helper" stop
	[ ! -e "$work/report" ] || { cat "$work/report"; return 1; }
}

ktap_begin
ktap_test "$gfx, $mode: the daemon has the module's packets and the GPU" start
for n in 1 2; do
	ktap_test "$gfx, $mode: ping, $(tunnel_name $n)" on_the_gpu $n ping_through
	ktap_test "$gfx, $mode: TCP, $(tunnel_name $n)" on_the_gpu $n tcp_through
done
for how in fault reset; do
	ktap_test "$gfx, $mode: nothing is lost when a kernel's end is a $how" fails $how
done
ktap_test "$gfx, $mode: it ends in order" stop
ktap_end
