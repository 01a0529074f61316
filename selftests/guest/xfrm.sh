#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The kernel's IPsec through wavecrypt and its helper on one gateway, and
# through the kernel's own code on the other; then, for some tunnels, the other way
# round. Every packet arrives, in order and unchanged, and the counters say who did it.
#
#	xfrm.sh [--backend hsa [--gpu gfx90c|gfx803|gfx801] [--mode dispatch|persistent]]
#	xfrm.sh --backend opencl [--mode shared|copy|persistent]
#	        with either: [--tunnels "N..."]
#
# With --backend the helper has a GPU, which encrypts and decrypts every packet of
# some tunnels: hsa's executes AMD's machine code, and opencl's is PoCL. An emulator
# on an emulator takes its time: packets are few, and wavecrypt is on the left only.
#
# check: first
# vm: --kernel 6.1 --timeout 1200 --no-self-tests
# uml: 7.2-full --timeout 1200
# debug: uml uml72

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
# shellcheck source=pocl.bash
. "$here/pocl.bash"

backend='' gpu=gfx90c mode='' tunnels='' sides=(left right)
ktap_options "backend gpu mode tunnels" "$@"
case $backend in
'')	;;
hsa)	sides=(left)
	: "${tunnels:=1 32 34 37}"
	emulated_gpu "$gpu" "${mode:=dispatch}"
	gpu="$gpu, $mode" ;;
opencl)	sides=(left)
	: "${tunnels:=32 38}"
	pocl "${mode:=shared}"
	gpu="PoCL, $mode" ;;
*)	echo "xfrm.sh: what is $backend?" >&2
	exit 2 ;;
esac

# Each kind of everything is among those that a GPU gets.
wanted()
{
	[ -z "$backend" ] || [[ " $tunnels " == *" $1 "* ]]
}

n=0
for mode in tunnel transport; do
	for family in 4 6; do
		for alg in authenc rfc4106; do
			for bits in 128 256; do
				for encap in plain udp; do
					n=$((n + 1))
					! wanted $n ||
						tunnel_add $n $mode $family $alg $bits $encap
				done
			done
		done
	done
done

# And one of each other algorithm, half of them with extended sequence numbers, which
# pass 2^32 on the way; and ICVs of other lengths, in bits
others=() lacking=()
kernel_has()
{
	case $1 in
	null-*)		"$here/../lib/crypto-instance" make 'authenc(hmac(sha1),ecb(cipher_null))' ;;
	chacha20*)	"$here/../lib/crypto-instance" make 'rfc7539esp(chacha20,poly1305)' ;;
	esac >/dev/null
}
for alg in cbc-sha256 cbc-sha384 cbc-sha512 cbc-sha1-esn cbc-sha256-esn cbc-sha384-esn \
		cbc-sha512-esn gcm-esn ctr-sha1 ctr-sha256-esn ctr-sha512 ctr-sha384-esn \
		null-sha1 null-sha256-esn null-sha512 chacha20-poly1305 chacha20-poly1305-esn \
		cbc-sha256/96 gcm/64 gcm/96; do
	n=$((n + 1))
	icv=${alg#"${alg%/*}"}
	wanted $n || continue
	kernel_has $alg || { lacking+=("$alg"); continue; }
	others+=("$n")
	tunnel_add $n tunnel $((n % 2 ? 4 : 6)) "${alg%/*}" 256 plain "${icv#/}"
done

# Every tunnel has packets both ways, so the other way round is for those that differ in
# all there is: each mode, family, algorithm, key size and encapsulation with each other.
# An emulated kernel has these alone, and one way round.
mix=(1 6 11 16 18 21 28 31)
declare -A carried=([left]="${!tunnel_mode[*]}" [right]="${mix[*]} 36 40 42 48")
if [[ ${WAVECRYPT_VM_KERNEL-} == uml-* ]]; then
	carried[right]+=" 50 51"
else
	sides=(left) carried[left]=${carried[right]}
fi

# count ALG DIRECTION: requests by the helper, by the kernel at once, and again
count()
{
	local name value values=()
	for name in requests_offloaded requests_inline redone rechecked; do
		read -r value <"$sysfs/$(dir_of "$1").$2/$name"
		values+=("$value")
	done
	echo "${values[@]}"
}

# moved BEFORE AFTER, of count's
moved()
{
	local before after i result=()
	read -ra before <<<"$1"
	read -ra after <<<"$2"
	for i in "${!before[@]}"; do
		result+=($((after[i] - before[i])))
	done
	echo "${result[@]}"
}

# all_counted: what offloaded has done for tunnel $tunnel has arrived, and by the counters, of
# which it has those of before, the helper has done it all
all_counted()
{
	local out in
	all_arrived "$tunnel" || return
	read -r out in <<<"$(moved "$passed" "$(sa_packets "$tunnel" "$ours")")"
	echo "packets of the SAs: $out out, $in in"
	[ "$out" -gt 0 ] && [ "$in" -gt 0 ] &&
		expect_equal "encrypted by helper, kernel, again" "$out 0 0 0" \
			"$(moved "$encrypted" "$(count "${tunnel_alg[$tunnel]}" encrypt)")" &&
		expect_equal "decrypted by helper, kernel, again" "$in 0 0 0" \
			"$(moved "$decrypted" "$(count "${tunnel_alg[$tunnel]}" decrypt)")" || return
	[ -n "$backend" ] || return 0
	expect_equal "packets on the GPU, chunks that failed there" "$((out + in)) 0" \
		"$(moved "$on_gpu" "$(gpu_counts)")"
}

# offloaded COMMAND...: of the N packets that COMMAND has tunnel $tunnel
# carry each way, wavecrypt's end has encrypted and decrypted all by the helper,
# and if that has a GPU, there.
offloaded()
{
	local encrypted decrypted passed on_gpu
	encrypted=$(count "${tunnel_alg[$tunnel]}" encrypt)
	decrypted=$(count "${tunnel_alg[$tunnel]}" decrypt)
	passed=$(sa_packets "$tunnel" "$ours")
	[ -z "$backend" ] || on_gpu=$(gpu_counts)

	"$@"

	# ping itself does not wait for what is late.
	wait_until 30 all_counted || all_counted
	no_xfrm_errors
}

# numbered TUNNEL OPTION...: numbered packets both ways through a tunnel
numbered()
{
	local n=$1
	shift
	"$bin/numbered" "$@" left "$(inner "$n" left)" right "$(inner "$n" right)"
}

# Small, around the MTU, fragmented; UDP and ICMP
all_sizes()
{
	mtu 9000
	numbered "$tunnel" --sizes 16,8-64,1400-1500,8700-9000,9500 --count 25
	mtu 1500
	numbered "$tunnel" --sizes 16,64-1300,1330-1480,4000,9500 --count 25
	numbered "$tunnel" --sizes 16,64-1300,1330-1480,4000,9500 --count 20 --raw
	ip netns exec left ping -q -c 10 -i 0.002 -s 1200 -W 20 \
		-I "$(inner "$tunnel" left)" "$(inner "$tunnel" right)"
}

some_sizes()
{
	mtu 1500
	numbered "$tunnel" --sizes 16,64-1300,1330-1480 --count 3
	ip netns exec left ping -q -c 2 -i 0.01 -W 60 \
		-I "$(inner "$tunnel" left)" "$(inner "$tunnel" right)"
}

# More than the 32 packets after which an extended sequence number's low half begins
# anew
sizes_and_more()
{
	mtu 1500
	numbered "$tunnel" --sizes 16,64-1300,1330-1480,4000 --count 25
	ip netns exec left ping -q -c 10 -i 0.002 -s 1200 -W 20 \
		-I "$(inner "$tunnel" left)" "$(inner "$tunnel" right)"
}

tcp()
{
	local server
	# On one CPU: what several send for one SA may overtake each other in
	# veth's queues, with any driver.
	ip netns exec right taskset -c 0 timeout 60 iperf3 --server --one-off --bind "$(inner "$1" right)" >/dev/null &
	server=$!
	until [ -n "$(ip netns exec right ss -Hltn 'sport = :5201')" ]; do
		kill -0 "$server"
	done
	ip netns exec left taskset -c 0 timeout 60 iperf3 --client "$(inner "$1" right)" \
		--bind "$(inner "$1" left)" --bytes 3M
	wait "$server"
	no_xfrm_errors
}

# none_connected: the server has nothing to wait for any more, not even for the last
# acknowledgement, which arrives when it has ended
none_connected()
{
	[ -z "$(ip netns exec right ss -Htan 'sport = :5201')" ]
}

# A connection with little in it: iperf3 has much to say beside what it sends.
tcp_briefly()
{
	local server left right
	left=$(inner "$tunnel" left) right=$(inner "$tunnel" right)
	[ "${tunnel_family[$tunnel]}" = 4 ] || left="[$left]" right="[$right]"
	head -c 8000 /dev/urandom >"$gpu_dir/sent"
	ip netns exec right socat -u TCP6-LISTEN:5201,ipv6only=0 "CREATE:$gpu_dir/received" &
	server=$!
	until [ -n "$(ip netns exec right ss -Hltn 'sport = :5201')" ]; do
		kill -0 "$server"
	done
	ip netns exec left socat -u "OPEN:$gpu_dir/sent" "TCP:$right:5201,bind=$left"
	wait "$server"
	cmp "$gpu_dir/sent" "$gpu_dir/received"
	wait_until 30 none_connected
}

# What does not fit a slot is done inline, between packets that are offloaded
too_long()
{
	local before after
	mtu 9000
	before=$(count "${tunnel_alg[$1]}" encrypt)
	numbered "$1" --sizes 64,12000,1400,30000 --count 100
	after=$(moved "$before" "$(count "${tunnel_alg[$1]}" encrypt)")
	echo "by helper, kernel, again: $after"
	expect_equal "by helper, kernel, again" "50 50 0 0" "$after"
	no_xfrm_errors
}

# watched COMMAND...: and the wire has every SA's packets in sequence
watched()
{
	local wire log
	log=$(mktemp)
	"$bin/wire" left wire >"$log" &
	wire=$!
	until grep -q ready "$log"; do
		kill -0 "$wire"
	done
	"$@"
	kill "$wire"
	wait "$wire" || { cat "$log"; return 1; }
	cat "$log"
}

# Many SAs at once, from both CPUs in both directions
at_once()
{
	local n jobs=() last=$(($(nproc --all) - 1))
	local cpus=("0,$last" "$last,0")
	mtu 1500
	for n in "$@"; do
		numbered "$n" --sizes 16-1300 --count 400 --cpus "${cpus[${#jobs[@]} % 2]}" &
		jobs+=($!)
	done
	for n in "${jobs[@]}"; do
		wait "$n"
	done
	no_xfrm_errors
}

doctor_knows()
{
	{ "$top/build/helperd/wavecryptctl" doctor || true; } |
		grep 'AMD GPU .* has done [1-9][0-9]* packets in the module.s memory'
}

# The same on the GPU, as far as it has time for
on_the_gpu()
{
	# The watchdog's, too
	echo 60000 >/sys/module/wavecrypt/parameters/stall_ms
	for tunnel in "${!tunnel_mode[@]}"; do
		# Until a key has been copied there, its packets are the lanes'.
		[[ $gpu != *copy ]] || ktap_test "$gpu: keys, $(tunnel_name "$tunnel")" \
			numbered "$tunnel" --sizes 64 --count 3
		ktap_test "$gpu: $(tunnel_name "$tunnel")" offloaded some_sizes
	done
	for tunnel in 1 32; do
		! wanted $tunnel ||
			ktap_test "$gpu: TCP, $(tunnel_name "$tunnel")" offloaded tcp_briefly
	done
	[ "$backend" != hsa ] || ktap_test "$gpu: wavecryptctl doctor knows" doctor_knows
	ktap_test "$gpu: gateways down" gateways_down
	ktap_test "$gpu: it ends in order" gpu_ends
}

ktap_begin
quick_starts
# For each arrangement, in a shell of its own
sas_batch=$(sas_commands "${!tunnel_mode[@]}")
for ours in "${sides[@]}"; do
	theirs=${other[$ours]}
	ktap_test "wavecrypt $ours, the kernel's code $theirs" arrange "$ours"
	set_mode offload
	[ -z "$backend" ] || { on_the_gpu; continue; }
	echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
	for tunnel in "${!tunnel_mode[@]}"; do
		[[ " ${carried[$ours]} " == *" $tunnel "* ]] || continue
		sizes=all_sizes
		[[ " ${others[*]} " != *" $tunnel "* ]] || sizes=sizes_and_more
		ktap_test "wavecrypt $ours: $(tunnel_name "$tunnel")" offloaded $sizes
	done
	for alg in "${lacking[@]}"; do
		ktap_skip "wavecrypt $ours: $alg" "this kernel does not have it"
	done
	for n in 1 5 13 29; do
		ktap_test "wavecrypt $ours: TCP, $(tunnel_name $n)" tcp $n
	done
	ktap_test "wavecrypt $ours: packets longer than a slot, $(tunnel_name 3)" too_long 3
	ktap_test "wavecrypt $ours: packets longer than a slot, $(tunnel_name 21)" too_long 21
	ktap_test "wavecrypt $ours: eight tunnels at once" watched at_once "${mix[@]}"
	ktap_test "wavecrypt $ours: gateways down" gateways_down
done
ktap_end
