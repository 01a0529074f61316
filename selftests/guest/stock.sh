#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The ways that packets take through a stock kernel besides the straight one, where
# asynchronous crypto wakes bugs of the kernel's (driver/hazard.c). With protection
# nothing of that is to be seen, whatever the kernel. Without, by the module's
# parameter hazards=none, each bug that this kernel has and that can be shown without
# a kernel's checkers does show; that takes guests of their own.
#
# stock.sh --packets N: so many through a tunnel, while interfaces, devices, network
# namespaces and SAs go and come
# stock.sh --expose HAZARD [--guard HAZARD]: have that happen, for KASAN to see, or what else
# leads to it, with the module's parameter hazards so
#
# check: first
# vm: --kernel 6.1 --timeout 2400 --test-modules
# vm: --kernel 6.12 --timeout 2400 --test-modules
# vm: --kernel 7.2 --timeout 2400 --test-modules
# vm: --kernel 6.1 --timeout 1500 --test-modules --no-self-tests --allow-splats --module-args hazards=none
# debug: uml uml72

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
# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"

packets='' expose='' guard=''
ktap_options "packets expose guard" "$@"

instance=$here/../lib/crypto-instance
ctl=$top/build/helperd/wavecryptctl
parameters=/sys/module/wavecrypt/parameters
test_module=${WAVECRYPT_TEST_MODULE:-$top/build/${WAVECRYPT_VM_KERNEL:-}/kmod/wavecrypt_test.ko}
# Long enough for any file, and for an interface that goes
patience=60 hang=12

tunnel_add 1 tunnel 4 authenc 128 plain
tunnel_add 2 tunnel 6 rfc4106 128 plain
tunnel_add 3 transport 4 rfc4106 128 plain
tunnel_add 4 transport 6 authenc 128 plain
tunnel_add 5 beet 4 authenc 128 plain
tunnel_add 6 beet 6 rfc4106 128 plain
tunnel_add 7 tunnel 4 rfc4106 128 udp
tunnel_add 8 transport 4 authenc 128 udp
# Debian's kernels have no ESP in TCP.
in_tcp=no
! grep -qw espintcp /proc/sys/net/ipv4/tcp_available_ulp || in_tcp=yes
[ $in_tcp = no ] || tunnel_add 9 tunnel 4 rfc4106 128 tcp

work=$(mktemp -d)
# A test that failed may have left the helper stopped.
trap 'rm -rf "$work"; released 2>/dev/null || :' EXIT
head -c 200000 /dev/urandom >"$work/file"
# BEET mode over IPv4 crawls on 7.2, whoever encrypts.
head -c 40000 "$work/file" >"$work/file.beet"

# state HAZARD: what the module says of it
state()
{
	cut -f 1 "$sysfs/hazards/$1"
}

expect_state()
{
	expect_equal "$1" "$2" "$(state "$1")"
}

# Bugs that this kernel has: of encryption with ESP's offload modules, of decryption
# with an XFRM interface, and those that devices which go wait for
encrypting=(xmit-clear xmit-device) decrypting=() waiting=(output-hook)
# and that of devices which go, with a VTI
with_vti=(input-tunnel)
case $(uname -r) in
6.1.*)	encrypting=(noqueue "${encrypting[@]}") decrypting=(input-device) ;;
6.12.*)	encrypting=(noqueue "${encrypting[@]}") ;;
esac

# doctor GRADE NAME...: wavecryptctl doctor has that to say of each of these bugs, and of
# the others that they are not there, or cost nothing
doctor()
{
	local grade=$1 all=("$sysfs"/hazards/*) has out
	shift
	has=$((${#encrypting[@]} + ${#decrypting[@]} + ${#waiting[@]} + ${#with_vti[@]}))
	out=$("$ctl" doctor) || :
	grep 'kernel bug' <<<"$out"
	expect_equal "$grade" "$(printf '%s\n' "$@" | sort | xargs)" \
		"$(sed -nE "s/^$grade +kernel bug +([a-z-]+)[,:].*/\1/p" <<<"$out" | xargs)"
	grep -q "^good  *kernel bug  *of ${#all[@]} that asynchronous crypto can wake, this kernel does not have $((${#all[@]} - has)), and $((has - $#)) cost nothing now\$" <<<"$out"
}

# tcp TUNNEL SECONDS: a file goes through it in that time
tcp()
{
	local server left right sent=$work/file
	[ "${tunnel_mode[$1]}" != beet ] || sent+=.beet
	left=$(inner "$1" left) right=$(inner "$1" right)
	[ "${tunnel_family[$1]}" = 4 ] || left="[$left]" right="[$right]"
	rm -f "$work/received"
	at right timeout "$2" socat -u TCP6-LISTEN:5201,ipv6only=0,reuseaddr "CREATE:$work/received" &
	server=$!
	until [ -n "$(at right ss -Hltn 'sport = :5201')" ]; do
		kill -0 "$server"
	done
	at left timeout "$2" socat -u "OPEN:$sent" "TCP:$right:5201,bind=$left" || :
	wait "$server" || :
	# Without a connection there is none.
	touch "$work/received"
	echo "$(wc -c <"$work/received") of $(wc -c <"$sent") bytes"
	cmp -s "$sent" "$work/received"
}

tcp_arrives()
{
	local n
	for n in "$@"; do
		tunnel_name "$n"
		tcp "$n" "$patience"
	done
	no_xfrm_errors
}

tcp_hangs()
{
	local started=$SECONDS
	expect_state noqueue exposed
	set_mode inline
	tcp 1 "$patience"
	set_mode offload
	! tcp 1 $((4 * (SECONDS - started) + hang)) || return 1
	echo auto >"$parameters"/hazards
	tcp 1 "$patience"
	echo none >"$parameters"/hazards
}

# over KIND: what is on the wire goes through such a device on top of it
over()
{
	local side
	for side in left right; do
		ip -n "$side" address flush dev wire
		case $1 in
		vlan)	ip -n "$side" link add upper link wire type vlan id 5 ;;
		bridge)	ip -n "$side" link add upper type bridge forward_delay 0
			ip -n "$side" link set wire master upper ;;
		bond)	ip -n "$side" link add upper type bond mode active-backup miimon 10
			ip -n "$side" link set wire down
			ip -n "$side" link set wire master upper ;;
		esac
		ip -n "$side" link set wire up
		ip -n "$side" link set upper up mtu 1500
		on_wire upper "$side"
	done
}

# on_wire DEVICE SIDE: the address there, and the way to the other
on_wire()
{
	local dev=$1 side=$2 peer=${other[$2]}
	ip -n "$side" -batch - <<-END
		link set $dev up
		address replace 192.0.2.${host[$side]}/24 dev $dev
		address replace 2001:db8::${host[$side]}/64 dev $dev nodad
		neighbour replace 192.0.2.${host[$peer]} dev $dev lladdr 02:00:00:00:00:0${host[$peer]} nud permanent
		neighbour replace 2001:db8::${host[$peer]} dev $dev lladdr 02:00:00:00:00:0${host[$peer]} nud permanent
		route replace 10.0.0.0/16 via 192.0.2.${host[$peer]}
		route replace fd00::/16 via 2001:db8::${host[$peer]}
	END
}

back_on_wire()
{
	local side
	for side in left right; do
		ip -n "$side" link del upper
		on_wire wire "$side"
	done
}

tcp_over()
{
	modprobe -q "${2:-$1}" || :
	over "$1"
	tcp_arrives 1 2
	back_on_wire
}

# ESP's own hooks are asked by GRO, which puts together what was in the packets.
with_gro()
{
	local side
	for side in left right; do
		at "$side" ethtool -K wire gro on
	done
	at right nft -f - <<-END
		table inet t {
			chain in { type filter hook input priority 0; meta l4proto tcp meta length > 1500 counter; }
		}
	END
	tcp_arrives 1 2 3 4 7 8
	at right nft list table inet t >"$work/together"
	cat "$work/together"
	at right nft delete table inet t
	grep 'counter packets [1-9]' "$work/together"
}

# filtered TUNNEL...: packet filters and shapers on the way
filtered()
{
	local side
	for side in left right; do
		at "$side" nft -f - <<-END
			table inet t {
				chain pre { type filter hook prerouting priority 0; iifname "wire" counter; }
				chain out { type filter hook output priority 0; counter; }
				chain post { type filter hook postrouting priority 0; iifname "lan" counter; oifname "wire" counter; }
			}
		END
		ip netns exec "$side" tc qdisc replace dev wire root prio
		ip netns exec "$side" tc qdisc replace dev wire clsact
		ip netns exec "$side" tc filter add dev wire ingress matchall action ok
		ip netns exec "$side" tc filter add dev wire egress matchall action ok
	done
	tcp_arrives "$@"
	for side in left right; do
		at "$side" nft list table inet t >"$work/filters"
		cat "$work/filters"
		grep 'iifname "wire" counter packets [1-9]' "$work/filters"
		[ "$(grep -c 'counter packets [1-9]' "$work/filters")" -ge 3 ]
		ip netns exec "$side" tc -s filter show dev wire ingress >"$work/shapers"
		ip netns exec "$side" tc -s filter show dev wire egress >>"$work/shapers"
		cat "$work/shapers"
		expect_equal "shapers that saw packets" 2 "$(grep -c 'Sent .* [1-9][0-9]* pkt' "$work/shapers")"
		at "$side" nft delete table inet t
		ip netns exec "$side" tc qdisc del dev wire clsact
		ip netns exec "$side" tc qdisc del dev wire root
	done
}

packet_buffers()
{
	# KASAN keeps for a while what was freed.
	local shrink=/sys/kernel/slab/skbuff_head_cache/shrink
	[ ! -e "$shrink" ] || echo 1 >"$shrink"
	awk '$1 == "skbuff_head_cache" { print $2 }' /proc/slabinfo
}

# Packets that become due at once find the queue into the connection full.
full_queue()
{
	local connection backlog round
	"$bin/espintcp" left 192.0.2.1 right 192.0.2.2 >"$work/espintcp" &
	connection=$!
	until grep -q ready "$work/espintcp"; do kill -0 "$connection"; done
	echo none >"$parameters"/hazards
	echo 20000 >"$parameters"/stall_ms
	at left ping -q -c 5 -i 0.01 -W 20 -I "$(inner 9 left)" "$(inner 9 right)"
	backlog=$(sysctl -n net.core.netdev_max_backlog)
	sysctl -qw net.core.netdev_max_backlog=1
	before=$(packet_buffers)
	for ((round = 0; round < 10; round++)); do
		held at left ping -q -c 100 -i 0.001 -W 1 -I "$(inner 9 left)" "$(inner 9 right)"
		sleep 1
		released
		wait $!
	done
	sysctl -qw "net.core.netdev_max_backlog=$backlog"
	sleep 1
	after=$(packet_buffers)
	echo "figure: packet buffers: $before, $after"
	echo auto >"$parameters"/hazards
	kill "$connection"
}

# They are dropped, and their memory is free again.
nothing_leaks()
{
	local before after
	full_queue
	[ "$after" -lt $((before + 50)) ]
}

leaks()
{
	local before after
	full_queue
	[ "$after" -gt $((before + 50)) ]
}

# sas_gone SIDE REQID: an SA that expires meanwhile ends the command, though there are
# others.
sas_gone()
{
	ip -n "$1" xfrm state deleteall reqid "$2" || ip -n "$1" xfrm state deleteall reqid "$2" ||
		ip -n "$1" xfrm state deleteall reqid "$2"
}

# SAs go and come under traffic, and some have no more than a few packets; the last ones
# go while the helper has packets of theirs. Those that are sent meanwhile may be lost.
rekeyed()
{
	local n=1 i side ping pending monitor
	ip -n left xfrm monitor expire >"$work/expired" &
	monitor=$!
	become left ping -q -i 0.005 -c 1000000 -W 1 -I "$(inner "$n" left)" "$(inner "$n" right)" >/dev/null &
	ping=$!
	for ((i = 0; i < 9; i++)); do
		for side in left right; do
			sas_gone "$side" "$n"
			{
				sa_add "$n" left
				sa_add "$n" right
			} | sed "s/\$/ limit packet-hard $((i % 3 * 10 + 5))/" | ip -n "$side" -batch -
		done
		sleep 0.1
	done
	kill "$ping" "$monitor"
	wait "$ping" || :
	wait "$monitor" || :
	grep -c 'hard 1' "$work/expired"
	for side in left right; do
		sas_gone "$side" "$n"
		sas_add "$side" "$n"
	done
	echo 20000 >"$parameters"/stall_ms
	held at left ping -q -c 5 -i 0.01 -W 1 -I "$(inner "$n" left)" "$(inner "$n" right)"
	for side in left right; do
		sas_gone "$side" "$n"
	done
	pending=$(in_flight)
	released
	echo 0 >"$parameters"/stall_ms
	echo "in flight when their SA was deleted: $pending"
	[ "$pending" -gt 0 ]
	for side in left right; do
		sas_add "$side" "$n"
	done
	tcp "$n" "$patience"
	# Without an SA there were some.
	no_xfrm_errors || :
}

# interface_up KIND FAMILY: route-based tunnels
interface_up()
{
	local kind=$1 side peer direction dir from to of outer=192.0.2. inner=10.9.0. bits=24 any=0.0.0.0/0
	[ "$2" = 4 ] || outer=2001:db8:: inner=fd01:9:: bits=64 any=::/0
	case $kind in
	xfrm)	modprobe -q xfrm_interface || : ;;
	vti)	modprobe -q ip_vti || : ;;
	vti6)	modprobe -q ip6_vti || : ;;
	esac
	for side in left right; do
		peer=${other[$side]}
		case $kind in
		xfrm)	ip -n "$side" link add ipsec0 type xfrm dev wire if_id 9
			of='if_id 9' ;;
		vti*)	ip -n "$side" link add ipsec0 type "$kind" local "$outer${host[$side]}" \
				remote "$outer${host[$peer]}" key 9
			of='mark 9 mask 0xffffffff' ;;
		esac
		ip -n "$side" link set ipsec0 up
		# shellcheck disable=SC2046 # none or one
		ip -n "$side" address add "$inner${host[$side]}/$bits" dev ipsec0 $(
			[ "$2" = 4 ] || echo nodad)
		for direction in "left right" "right left"; do
			read -r from to <<<"$direction"
			# shellcheck disable=SC2086 # several words
			ip -n $side xfrm state add src $outer${host[$from]} dst $outer${host[$to]} \
				proto esp spi 0x90${host[$from]} reqid 9 mode tunnel replay-window 32 \
				aead 'rfc4106(gcm(aes))' 0x000102030405060708090a0b0c0d0e0f10111213 128 $of
		done
		# shellcheck disable=SC2086 # several words
		for direction in "out $side $peer" "in $peer $side"; do
			read -r dir from to <<<"$direction"
			ip -n $side xfrm policy add src $any dst $any dir "$dir" $of \
				tmpl src $outer${host[$from]} dst $outer${host[$to]} proto esp reqid 9 mode tunnel
		done
	done
}

# circle_up: of two route-based tunnels each leads to the other's peer by the other
circle_up()
{
	local n
	modprobe -q xfrm_interface || :
	for n in 1 2; do
		ip -n left link add "ipsec$n" type xfrm dev wire if_id "$n"
		ip -n left link set "ipsec$n" up
		ip -n left address add "10.8.$n.1/32" dev lo
		ip -n left xfrm state add src "10.8.$n.1" dst "10.8.$n.2" proto esp spi "0x800$n" \
			reqid "8$n" mode tunnel if_id "$n" flag nopmtudisc \
			aead 'rfc4106(gcm(aes))' 0x000102030405060708090a0b0c0d0e0f10111213 128
		ip -n left xfrm policy add src 0.0.0.0/0 dst 0.0.0.0/0 dir out if_id "$n" \
			tmpl src "10.8.$n.1" dst "10.8.$n.2" proto esp reqid "8$n" mode tunnel
	done
	ip -n left route add 10.8.1.2 dev ipsec2
	ip -n left route add 10.8.2.2 dev ipsec1
	ip -n left route add 10.8.3.0/24 dev ipsec1
}

circle_down()
{
	local n
	for n in 1 2; do
		ip -n left link del "ipsec$n"
		ip -n left address del "10.8.$n.1/32" dev lo
		ip -n left xfrm state deleteall src "10.8.$n.1"
		ip -n left xfrm policy delete src 0.0.0.0/0 dst 0.0.0.0/0 dir out if_id "$n"
	done
}

# What goes round is dropped at some depth, by the kernel, as with its own driver. It grows
# meanwhile, and has become two packets.
goes_round()
{
	local before after size
	circle_up
	before=$(offloaded)
	for size in 100 8000; do
		at left ping -q -c 1 -W 1 -s "$size" -M dont -I 10.8.1.1 10.8.3.1 || :
	done
	after=$(offloaded)
	sleep 1
	expect_equal "encrypted by then" "$after" "$(offloaded)"
	echo "encrypted: $((after - before))"
	[ "$after" -gt "$before" ]
	circle_down
	no_xfrm_errors || :
}

# deleted SECONDS NETNS DEVICE: in that time
deleted()
{
	local del deadline=$((SECONDS + $1))
	ip -n "$2" link del "$3" &
	del=$!
	while kill -0 "$del" 2>/dev/null; do
		[ "$SECONDS" -lt "$deadline" ] || { echo "$3 is still there"; return 1; }
		sleep 0.1
	done
	wait "$del"
}

interface_traffic()
{
	local to=10.9.0.2
	[ "$2" = 4 ] || to=fd01:9::2
	interface_up "$@"
	at left ping -q -c 20 -i 0.01 -W 20 "$to"
	become left ping -q -i 0.005 -c 1000000 "$to" >/dev/null &
	ping=$!
	# It has begun.
	until [ "$(received_by right ipsec0)" -gt 20 ]; do
		kill -0 "$ping"
	done
}

# of_device SIDE DEVICE FIELD: in /proc/net/dev
of_device()
{
	# shellcheck disable=SC2016 # for awk
	at "$1" awk -v device="$2:" -v field="$3" '$1 == device { print $field }' /proc/net/dev
}

# sent_by SIDE DEVICE: packets, but for those that the bug noqueue makes it take for errors
sent_by()
{
	of_device "$@" 11
}

# received_by SIDE DEVICE: packets
received_by()
{
	of_device "$@" 3
}

interface_goes()
{
	local ping
	interface_traffic "$@"
	! [ "$(state input-device)" = absent ] || echo "this kernel may decrypt asynchronously there"
	deleted 30 right ipsec0
	deleted 30 left ipsec0
	kill "$ping"
	wait "$ping" || :
	for side in left right; do
		ip -n "$side" xfrm state deleteall reqid 9
		ip -n "$side" xfrm policy deleteall
		for n in "${!tunnel_mode[@]}"; do
			policy_add "$n" "$side"
		done | ip -n "$side" -batch -
	done
}

# The end of an interface that has to be waited for is announced every second. The other one
# is there all the time.
interface_stays()
{
	local ping
	expect_state input-device dormant
	interface_traffic xfrm 4
	expect_state input-device exposed
	kill "$ping"
	echo auto >"$parameters"/hazards
	! deleted "$hang" right ipsec0 || return 1
	expect_state input-device guarded
	"$ctl" route >"$work/route"
	grep -q ' decrypt .* inline  *a bug of this kernel' "$work/route"
}

# A host behind the left gateway, whose packets are forwarded
host_up()
{
	ip netns add host
	ip -n host link add lan type veth peer lan netns left
	ip -n host address add 10.8.0.2/24 dev lan
	ip -n left address add 10.8.0.1/24 dev lan
	ip -n host link set lan up
	ip -n left link set lan up
	ip -n host route add default via 10.8.0.1
	at left sysctl -qw net.ipv4.ip_forward=1
	ip -n right route add 10.8.0.0/24 via 192.0.2.1
	ip -n left xfrm policy add src 10.8.0.0/24 dst 10.0.1.2 dir out \
		tmpl src 192.0.2.1 dst 192.0.2.2 proto esp reqid 1 mode tunnel
	ip -n left xfrm policy add src 10.0.1.2 dst 10.8.0.0/24 dir fwd \
		tmpl src 192.0.2.2 dst 192.0.2.1 proto esp reqid 1 mode tunnel
	ip -n right xfrm policy add src 10.0.1.2 dst 10.8.0.0/24 dir out \
		tmpl src 192.0.2.2 dst 192.0.2.1 proto esp reqid 1 mode tunnel
	ip -n right xfrm policy add src 10.8.0.0/24 dst 10.0.1.2 dir in \
		tmpl src 192.0.2.1 dst 192.0.2.2 proto esp reqid 1 mode tunnel
	at host ping -q -c 3 -i 0.1 -W 20 10.0.1.2
}

host_down()
{
	ip netns del host
	ip -n right route del 10.8.0.0/24
	ip -n left xfrm policy del src 10.8.0.0/24 dst 10.0.1.2 dir out
	ip -n left xfrm policy del src 10.0.1.2 dst 10.8.0.0/24 dir fwd
	ip -n right xfrm policy del src 10.0.1.2 dst 10.8.0.0/24 dir out
	ip -n right xfrm policy del src 10.8.0.0/24 dst 10.0.1.2 dir in
}

in_flight()
{
	cat "$sysfs"/queue*/depth | awk '{ n += $1 } END { print +n }'
}

# offloaded [OP]: requests, to encrypt unless it is said
offloaded()
{
	local alg count sum=0
	for alg in "$cbc_sha1" "$gcm"; do
		count=$(counter "$alg.${1:-encrypt}" requests_offloaded)
		sum=$((sum + count))
	done
	echo "$sum"
}

# encrypted COMMAND...: it succeeds, and the helper has encrypted for it
encrypted()
{
	local before
	before=$(offloaded)
	"$@"
	echo "encrypted by the helper: $(($(offloaded) - before))"
	[ "$(offloaded)" -gt "$before" ]
}

# The helper has requests, or has them again, should it have been too late with some.
served()
{
	local before deadline=$((SECONDS + 30))
	before=$(offloaded)
	until [ "$(offloaded)" -gt "$before" ]; do
		[ "$SECONDS" -lt "$deadline" ] || { echo "nothing is offloaded"; return 1; }
		at left ping -q -c 1 -W 1 -I "$(inner 1 left)" "$(inner 1 right)" >/dev/null || :
	done
}

# held COMMAND...: while the helper has packets that COMMAND sends, and keeps them
held()
{
	served
	kept_back "$@"
}

# kept_back COMMAND...: the same of one that has had requests
kept_back()
{
	local before=$SECONDS
	stopped
	"$@" >/dev/null 2>&1 &
	until [ "$(in_flight)" -gt 0 ]; do
		[ $((SECONDS - before)) -lt 20 ] || { echo "nothing is in flight"; return 1; }
		# They are done in the call while another device goes.
		if ! kill -0 $! 2>/dev/null; then
			"$@" >/dev/null 2>&1 &
		fi
	done
}

stopped()
{
	kill -STOP "$("$here/../vm/helper" pid)"
}

released()
{
	kill -CONT "$("$here/../vm/helper" pid)"
}

# What comes in by "lan" is forwarded by a flowtable, past all look-ups, into the tunnel.
# Nothing else takes so few steps between two asynchronous ones.
by_flowtable()
{
	local packets slow before
	host_up
	at host ethtool -K lan tso off gso off >/dev/null
	at left nft -f - <<-END
		table inet flows {
			flowtable kept { hook ingress priority filter; devices = { lan }; }
			chain forward {
				type filter hook forward priority filter
				meta l4proto tcp iifname lan counter flow add @kept
			}
		}
	END
	# The helper may be kept from running meanwhile.
	echo 3000 >"$parameters"/stall_ms
	served
	before=$(offloaded)
	at right timeout "$patience" socat -u TCP-LISTEN:5202,reuseaddr "CREATE:$work/received" &
	until [ -n "$(at right ss -Hltn 'sport = :5202')" ]; do
		kill -0 $!
	done
	at host timeout "$patience" socat -u "OPEN:$work/file" TCP:10.0.1.2:5202 || :
	wait $!
	cmp "$work/file" "$work/received"
	# shellcheck disable=SC2016 # for awk
	packets=$(at left awk '$1 == "lan:" { print $3 }' /proc/net/dev)
	slow=$(at left nft list chain inet flows forward | sed -n 's/.*counter packets \([0-9]*\).*/\1/p')
	echo "$slow of $packets packets took the long way, $(($(offloaded) - before)) were offloaded"
	[ "$slow" -lt $((packets / 2)) ]
	[ $(($(offloaded) - before)) -gt 100 ]
	no_xfrm_errors
	at left nft delete table inet flows
	host_down
	echo 0 >"$parameters"/stall_ms
}

# The device goes that a packet came by, while the helper has that packet
device_goes()
{
	local pending
	host_up
	echo 3000 >"$parameters"/stall_ms
	held at host ping -q -c 3 -i 0.01 -W 1 10.0.1.2
	deleted 30 left lan
	pending=$(in_flight)
	released
	host_down
	expect_equal "in flight when the device was gone" 0 "$pending"
}

# The same with one that was closed long before, as was the other end: others may have gone
# since
closed_device_goes()
{
	local pending
	host_up
	echo 3000 >"$parameters"/stall_ms
	ip -n left link add idle type dummy
	ip -n left link set idle up
	ip -n host link set lan down
	ip -n left link set lan down
	ip -n left link del idle
	held at left ping -q -c 3 -i 0.01 -W 1 -I "$(inner 2 left)" "$(inner 2 right)"
	deleted 30 left lan
	pending=$(in_flight)
	released
	host_down
	expect_equal "in flight when the device was gone" 0 "$pending"
}

# A driver of the kernel's own that the left gateway's tunnel 1 falls back on, and that may
# take its time
late=/sys/module/wavecrypt_late/parameters
late_up()
{
	sas_gone left 1
	sas_gone right 1
	sas_add right 1
	insmod "$(dirname "$test_module")/wavecrypt_late.ko"
	sas_add left 1
	set_mode inline
	echo 0 >"$parameters"/stall_ms
}

# late_with COMMAND...: while that driver has packets that COMMAND sends
late_with()
{
	local pending=0
	"$@" >/dev/null 2>&1 &
	until [ "$pending" -gt 0 ]; do
		kill -0 $! || { echo "nothing is pending"; return 1; }
		read -r pending <"$late/pending"
	done
}

# The device goes that a packet came by, while another driver has that packet: what it
# had, which gives back what it has in order, is back then. One that does not give it back
# is waited for as well, but not for ever.
slow_driver()
{
	local pending returned after
	late_up
	host_up
	echo 1000 >"$late/delay"
	late_with at host ping -q -c 5 -i 0.01 -W 3 10.0.1.2
	read -r returned <"$late/returned"
	read -r pending <"$late/pending"
	timeout 60 ip -n left link del lan
	read -r after <"$late/returned"
	wait $! || :
	host_down
	echo "it had returned $returned and had $pending, then it had returned $after"
	[ "$after" -ge $((returned + pending)) ]

	echo 100000 >"$late/delay"
	late_with at left ping -q -c 1 -W 60 -I "$(inner 1 left)" "$(inner 1 right)"
	ip -n left link add idle type dummy
	ip -n left link set idle up
	mark_log
	timeout 60 ip -n left link del idle
	read -r pending <"$late/pending"
	echo 0 >"$late/delay"
	wait $!
	[ "$pending" -gt 0 ]
	log_since_mark | grep 'wavecrypt: .* are waited for no longer'
	set_mode offload
}

namespaces_go()
{
	echo 3000 >"$parameters"/stall_ms
	held at left ping -q -c 5 -i 0.01 -W 1 -I "$(inner 2 left)" "$(inner 2 right)"
	gateways_down
	released
	module_unload
}

# The offload modules, and an interface, when the module comes
there_before()
{
	local module
	# With these there always is one.
	for module in ip_vti ip6_vti; do
		[ ! -e "/sys/module/$module" ] || rmmod "$module"
	done
	modprobe -a esp4_offload esp6_offload
	modprobe -q xfrm_interface || :
	ip link add ipsec0 type xfrm dev lo if_id 9
	module_load
	expect_state xmit-device guarded
	expect_state input-tunnel guarded
	ip link del ipsec0
	expect_state input-tunnel dormant
	rmmod esp4_offload esp6_offload
	expect_state xmit-device dormant
	module_unload
}

# One CPU sends through two devices: a card that is busy, and one without a queue.
cork_up()
{
	insmod "$(dirname "$test_module")/wavecrypt_cork.ko"
	ip link set cork0 netns left
	ip -n left -batch - <<-END
		link set cork0 up
		address add 192.0.9.1/24 dev cork0
		address add 10.9.1.1 dev lo
		route add 10.9.1.2 dev cork0 src 10.9.1.1
	END
	ip -n left xfrm state add src 192.0.9.1 dst 192.0.9.2 proto esp spi 0x909 reqid 90 mode tunnel \
		aead 'rfc4106(gcm(aes))' 0x000102030405060708090a0b0c0d0e0f10111213 128
	ip -n left xfrm policy add src 10.9.1.1 dst 10.9.1.2 dir out \
		tmpl src 192.0.9.1 dst 192.0.9.2 proto esp reqid 90 mode tunnel
}

cork_down()
{
	echo 0 >/sys/module/wavecrypt_cork/parameters/stopped
	rmmod wavecrypt_cork
}

beside_a_busy_card()
{
	local watch
	cork_up
	echo 20000 >"$parameters"/stall_ms
	stopped
	at left taskset -c 0 ping -q -c 1 -W 1 -I 10.9.1.1 10.9.1.2 || :
	echo "in flight: $(in_flight)"
	echo 1 >/sys/module/wavecrypt_cork/parameters/stopped
	released
	sleep 0.5
	"$bin/in_clear" right wire wavewavewave >"$work/clear" &
	watch=$!
	until grep -q ready "$work/clear"; do kill -0 "$watch"; done
	at left taskset -c 0 ping -q -c 10 -i 0.05 -W 1 -s 200 -p 77617665 \
		-I "$(inner 1 left)" "$(inner 1 right)" || :
	kill "$watch"
	clear=0
	wait "$watch" || clear=$?
	cork_down
	cat "$work/clear"
	grep -q '^[1-9][0-9]* packets' "$work/clear"
}

nothing_in_clear()
{
	beside_a_busy_card
	expect_equal "status" 0 "$clear"
	no_xfrm_errors
}

in_clear()
{
	expect_state xmit-clear exposed
	beside_a_busy_card
	expect_equal "status" 1 "$clear"
}

# Without offload modules there is nothing to keep clear of.
quiet()
{
	local name
	for name in noqueue xmit-device xmit-clear input-device; do
		[ "$(state "$name")" = absent ] || expect_state "$name" dormant
	done
	doctor warning
}

# All encryption is the kernel's, and none waits.
guarded()
{
	local name before
	for name in xmit-device xmit-clear; do
		expect_state "$name" guarded
	done
	before=$(counter "$cbc_sha1".encrypt requests_offloaded)
	at left ping -q -c 5 -i 0.01 -W 20 -I "$(inner 1 left)" "$(inner 1 right)"
	expect_equal "encrypted by the helper" "$before" "$(counter "$cbc_sha1".encrypt requests_offloaded)"
}

tracing=/sys/kernel/tracing
has_kprobes()
{
	mountpoint -q "$tracing" || mount -t tracefs tracefs "$tracing"
	[ -e "$tracing/kprobe_events" ]
}

# The one that never puts anything off is the cbc template over a cipher that does a block at
# a time; where there are vector registers nobody needs it.
at_full_speed()
{
	local probe=wavecrypt/by_block before hits
	echo "p:$probe crypto_cbc_encrypt" >"$tracing/kprobe_events"
	echo 1 >"$tracing/events/$probe/enable"
	before=$(counter "$cbc_sha1".encrypt requests_inline)
	at left ping -q -c 20 -i 0.01 -W 20 -I "$(inner 1 left)" "$(inner 1 right)"
	echo 0 >"$tracing/events/$probe/enable"
	hits=$(awk '$1 == "by_block" { print $2 }' "$tracing/kprobe_profile")
	echo "-:$probe" >>"$tracing/kprobe_events"
	before=$(($(counter "$cbc_sha1".encrypt requests_inline) - before))
	echo "$before encrypted in the call, $hits by one block at a time"
	[ "$before" -ge 20 ] && [ "$hits" -le 4 ]
}

# Whoever asks is told, by the bugs' names.
told()
{
	local both=warning
	# Where decryption is kept back as well, nothing is offloaded.
	[ ${#decrypting[@]} -eq 0 ] || both=bad
	doctor warning "${encrypting[@]}"
	"$ctl" route >"$work/route"
	cat "$work/route"
	grep -q ' encrypt .* inline  *a bug of this kernel' "$work/route"
	! grep ' encrypt .* offload ' "$work/route" || return 1
	grep -q ' decrypt .* offload  *the mode says so' "$work/route"
	ip -n left link add ipsec0 type xfrm dev wire if_id 9
	doctor "$both" "${decrypting[@]}" "${encrypting[@]}"
	"$ctl" status >"$work/status" || :
	ip -n left link del ipsec0
	cat "$work/status"
	grep 'hazard  *xmit-clear (fixed in: none): no encryption is offloaded' "$work/status"
	[ ${#decrypting[@]} -eq 0 ] ||
		grep 'hazard  *input-device, CVE-2026-72463 (fixed in: 6.12.112, 7.2.0): no decryption is offloaded' "$work/status"
}

# held_now: directions in which the module offloads nothing for a bug of the kernel's
held_now()
{
	awk '$6 == "hazard" { print $3 }' /sys/kernel/debug/wavecrypt/route | sort -u | xargs
}

# Of the bugs that somebody names the module keeps clear, and says that there is no other,
# whatever the kernel's version; what is no name changes nothing.
by_name()
{
	local names name guard
	ip -n left link add ipsec0 type xfrm dev wire if_id 9
	for name in "$sysfs"/hazards/*; do
		name=${name##*/}
		echo "$name" >"$parameters"/hazards
		expect_equal "hazards" "$name" "$(cat "$parameters"/hazards)"
		expect_equal "the others" absent "$(states_but "$name")"
		guard=$(cut -f 2 "$sysfs/hazards/$name")
		if [ "$name" = espintcp ] && [ "$in_tcp" = no ]; then
			expect_state "$name" dormant
			guard=''
		else
			expect_state "$name" guarded
		fi
		expect_equal "$name: not offloaded" "${guard/wait/}" "$(held_now)"
	done
	names=mini-socket,input-device
	echo "$names" >"$parameters"/hazards
	expect_equal "hazards" "$names" "$(cat "$parameters"/hazards)"
	expect_equal "not offloaded" "decrypt encrypt" "$(held_now)"
	! echo "$names,nothing" >"$parameters"/hazards || return 1
	expect_equal "hazards" "$names" "$(cat "$parameters"/hazards)"
	"$ctl" doctor >"$work/doctor" || :
	expect_equal "bugs that are kept clear of" 2 \
		"$(grep -cE '^bad  *kernel bug .*So (en|de)cryption is not offloaded' "$work/doctor")"
	expect_equal "bugs that are bad" 2 "$(grep -c '^bad  *kernel bug' "$work/doctor")"
	echo auto >"$parameters"/hazards
	ip -n left link del ipsec0
}

# An interface whose registration somebody refuses was none, with and without another.
refused()
{
	insmod "$(dirname "$test_module")/wavecrypt_refuse.ko" name=ipsec1
	echo input-device >"$parameters"/hazards
	expect_state input-device dormant
	! ip -n left link add ipsec1 type xfrm dev wire if_id 10 || return 1
	expect_state input-device dormant
	ip -n left link add ipsec0 type xfrm dev wire if_id 9
	! ip -n left link add ipsec1 type xfrm dev wire if_id 10 || return 1
	expect_state input-device guarded
	ip -n left link del ipsec0
	expect_state input-device dormant
	echo auto >"$parameters"/hazards
	rmmod wavecrypt_refuse
}

# states_but HAZARD: those of the others, each once
states_but()
{
	local file
	for file in "$sysfs"/hazards/*; do
		[ "${file##*/}" = "$1" ] || cut -f 1 "$file"
	done | sort -u
}

not_well()
{
	doctor bad "${encrypting[@]}" "${waiting[@]}"
}

# Every kind of request, from every context, both ways: none is put off. Two algorithms
# are enough: for each of them the kernel first tests what it consists of.
in_the_call()
{
	ip -n left link add ipsec0 type xfrm dev wire if_id 9
	echo all >"$parameters"/hazards
	expect_state xmit-device guarded
	expect_state input-device guarded
	insmod "$test_module" "${@:-requests=600}" algs=2
	expect_equal "failures" 0 "$(cat /sys/module/wavecrypt_test/parameters/failures)"
	expect_equal "not in the call" 0 "$(cat /sys/module/wavecrypt_test/parameters/waited)"
	echo none >"$parameters"/hazards
	echo 1 >/sys/module/wavecrypt_test/parameters/run
	expect_equal "failures" 0 "$(cat /sys/module/wavecrypt_test/parameters/failures)"
	[ "$(cat /sys/module/wavecrypt_test/parameters/waited)" -gt 0 ]
	rmmod wavecrypt_test
	echo auto >"$parameters"/hazards
	ip -n left link del ipsec0
}

# Nor if what the module falls back to does that with all, and its name does not begin
# with it. No helper has to do with that.
in_the_call_over_cryptd()
{
	local drivers=('authenc(hmac(sha1-generic),cryptd(cbc(aes-generic)))'
		'authenc(hmac-sha1-lib,cryptd(cbc(aes-lib)))')
	"$instance" make --priority 9999 "${drivers[@]}"
	set_mode inline
	in_the_call requests=300
	set_mode offload
	"$instance" remove "${drivers[@]}"
}

up()
{
	modprobe -a esp4_offload esp6_offload
	up_plain
}

up_plain()
{
	set_mode offload
	gateways_up
	sas_add left
	sas_add right
	mtu 1500
	at left ping -q -c 2 -i 0.1 -W 20 -I "$(inner 1 left)" "$(inner 1 right)"
	at left ping -q -c 2 -i 0.1 -W 20 -I "$(inner 2 left)" "$(inner 2 right)"
}

# The kernel makes packets itself, as if they came in by a device; once in a network
# namespace. (Were pktgen told to remove what it had there, its thread would do that when
# it has a CPU, and remove this one as well.)
generate()
{
	modprobe pktgen
	# shellcheck disable=SC2016 # for the other shell
	at left bash -c '
		echo "add_device lan" >/proc/net/pktgen/kpktgend_0
		printf "%s\n" "xmit_mode netif_receive" "count $0" "pkt_size 1000" "delay 0" \
			"dst 10.7.0.2" "src_min 10.8.0.2" "src_max 10.8.0.2" \
			"udp_dst_min 9" "udp_dst_max 9" "dst_mac $1" |
			while read -r line; do echo "$line" >/proc/net/pktgen/lan; done
		echo start >/proc/net/pktgen/pgctrl
		cat /proc/net/pktgen/lan' "$1" "$(ip -n left -o link show lan | sed 's/.*ether \([^ ]*\).*/\1/')"
}

# arrived SINK: packets that the right gateway has forwarded to it
arrived()
{
	sent_by right "$1"
}

# What they are forwarded to, behind the right gateway; and what those are that came by a
# device that goes, or by that and an XFRM interface that goes
sinks_up()
{
	local sink to
	while read -r sink to; do
		ip -n right link add "$sink" type dummy
		ip -n right link set "$sink" up arp off
		ip -n right route add "$to" dev "$sink"
		ip -n left route add "$to" via 192.0.2.2
	done <<-END
		sink 10.7.0.0/16
		here 10.6.1.0/24
		both 10.6.2.0/24
	END
	at right sysctl -qw net.ipv4.ip_forward=1
	passing_policies left out
	passing_policies right fwd "if_id 77"
	ip -n left xfrm policy add src 10.8.0.0/24 dst 10.7.0.0/16 dir out \
		tmpl src 192.0.2.1 dst 192.0.2.2 proto esp reqid 1 mode tunnel
	ip -n right xfrm policy add src 10.8.0.0/24 dst 10.7.0.0/16 dir fwd \
		tmpl src 192.0.2.1 dst 192.0.2.2 proto esp reqid 1 mode tunnel
	# A burst is not to be dropped before it is decrypted.
	sysctl -qw net.core.netdev_max_backlog=100000
}

# passing_policies SIDE DIRECTION [INTERFACE]: tunnels of their own, for another CPU may
# send into them, and then their packets are in no order with those of the first one
passing_policies()
{
	local to spi of
	while read -r to spi of; do
		ip -n "$1" -batch - <<-END
			xfrm policy add src 10.5.0.0/24 dst $to dir $2 $of tmpl src 192.0.2.1 dst 192.0.2.2 proto esp reqid $spi mode tunnel
			xfrm state add src 192.0.2.1 dst 192.0.2.2 proto esp spi $spi reqid $spi mode tunnel aead rfc4106(gcm(aes)) 0x000102030405060708090a0b0c0d0e0f10111213 128 $of
		END
	done <<-END
		10.6.1.0/24 976
		10.6.2.0/24 977 ${3-}
	END
}

# renewed_spi GENERATION FROM: of tunnel 1's SA from that side, when it was replaced so often
renewed_spi()
{
	printf '0x%x' $((0x1000 * $1 + $(spi 1 "$2")))
}

# The SAs of tunnel 1 are replaced, as an IKE daemon does it: with new ones first, to
# receive and then to send.
generation=0
renewed()
{
	local side from old=$generation
	generation=$((generation + 1))
	for side in right left; do
		for from in left right; do
			sa_add 1 "$from" | sed "s/ spi [^ ]*/ spi $(renewed_spi "$generation" "$from")/"
		done | ip -n "$side" -batch -
	done
	for side in left right; do
		for from in left right; do
			echo "xfrm state delete src $(outer 1 "$from") dst $(outer 1 "${other[$from]}")" \
				"proto esp spi $(renewed_spi "$old" "$from")"
		done | ip -n "$side" -batch -
		sleep 0.1
	done
}

# Everything that goes, once, and most of it with packets that came by it
disturb()
{
	local side to here both deadline=$((SECONDS + patience)) pings=()
	here=$(arrived here)
	both=$(arrived both)
	ip -n right link add ipsec1 type xfrm dev wire if_id 77
	ip -n right link set ipsec1 up
	ip netns add passing
	ip -n passing link add there type veth peer here netns left
	ip -n left address add 10.5.0.1/24 dev here
	ip -n left link set here up
	ip -n passing address add 10.5.0.2/24 dev there
	ip -n passing link set there up
	ip -n passing route add default via 10.5.0.1
	for to in 10.6.1.1 10.6.2.1; do
		become passing ping -q -i 0.002 -c 1000000 "$to" >/dev/null &
		pings+=($!)
	done
	until [ "$(arrived here)" -gt "$here" ] && [ "$(arrived both)" -gt "$both" ]; do
		[ "$SECONDS" -lt "$deadline" ]
		sleep 0.1
	done
	ip -n right link del ipsec1
	for side in left right; do
		ip -n "$side" xfrm state deleteall reqid 2
		sas_add "$side" 2
	done
	renewed
	ip -n left link del here
	kill "${pings[@]}"
	wait "${pings[@]}" || :
	ip netns del passing
	sleep 0.2
}

# most_arrive: those of a moment without SAs may be lost, and those that a queue was full for
most_arrive()
{
	[ "$(arrived sink)" -gt $((packets * 99 / 100)) ]
}

# many OP...: the helper does some of these
many()
{
	local generator op said started=$SECONDS rounds=0
	local -A helped
	generation=0
	# The helper may be kept from running meanwhile.
	echo 1000 >"$parameters"/stall_ms
	host_up
	sinks_up
	for op in encrypt decrypt; do
		helped[$op]=$(offloaded "$op")
	done
	generate "$packets" >"$work/pktgen" &
	generator=$!
	while kill -0 "$generator" 2>/dev/null; do
		mark_log
		disturb
		rounds=$((rounds + 1))
		said=$(log_since_mark)
		[ "$(grep -c 'BUG:\|WARNING:' <<<"$said")" -eq 0 ]
	done
	wait "$generator"
	cat "$work/pktgen"
	wait_until 60 most_arrive || :
	for op in encrypt decrypt; do
		helped[$op]=$(($(offloaded "$op") - helped[$op]))
	done
	echo "figure: $(arrived sink) of $packets packets in $((SECONDS - started)) s; by the helper ${helped[encrypt]} encrypted, ${helped[decrypt]} decrypted; $rounds times all went, with $(arrived here) and $(arrived both) packets"
	most_arrive
	for op in "$@"; do
		[ "${helped[$op]}" -gt $((packets / 50)) ]
	done
	ip netns del host
}

# exposed COMMAND...: the helper serves; with no protection, or what is asked for
exposed()
{
	# The kernel may not live to be asked for its log.
	dmesg --console-level 7
	echo none >"$parameters"/hazards
	echo 3000 >"$parameters"/stall_ms
	served
	echo "${guard:-none}" >"$parameters"/hazards
	"$@"
}

# The device goes that a packet was sent by, or came by, or the tunnel that it came through,
# and the helper has it.
exposed_device_goes()
{
	exposed "$@"
	expect_state "$expose" exposed
	[ "$(in_flight)" -gt 0 ]
	# It is done by the kernel, and goes on.
	sleep 4
	released
}

sending_device()
{
	held at left ping -q -c 3 -i 0.01 -W 1 -I "$(inner 1 left)" "$(inner 1 right)"
	deleted 10 left wire
}

receiving_device()
{
	host_up
	at left nft add table inet t
	at left nft "add chain inet t post { type filter hook postrouting priority 0; }"
	# A load that KASAN sees, as that of the name is not
	at left nft add rule inet t post meta iifgroup 0 counter
	held at host ping -q -c 3 -i 0.01 -W 1 10.0.1.2
	deleted 10 left lan
}

# Encryption is done in the call, so that what is in flight has come.
receiving_tunnel()
{
	interface_up vti 4
	at left ping -q -c 3 -i 0.01 -W 20 10.9.0.2
	served
	echo mini-socket >"$parameters"/hazards
	kept_back at left ping -q -c 5 -i 0.01 -W 1 10.9.0.2
	deleted 10 right ipsec0
	echo none >"$parameters"/hazards
}

# The device goes that a packet came by, while the right gateway's filter looks at what was in
# it, which takes some seconds. Encryption is done in the call, as above.
filtered_device()
{
	local i
	{
		echo "table inet t {"
		echo "chain slower {"
		for ((i = 0; i < 1000; i++)); do echo "meta mark 1 counter"; done
		echo "}"
		echo "chain slow {"
		for ((i = 0; i < 5000; i++)); do echo "jump slower"; done
		echo "}"
		echo "chain pre { type filter hook prerouting priority 0"
		echo "ip protocol icmp ip daddr 10.0.3.2 jump slow"
		echo "ip protocol icmp ip daddr 10.0.3.2 meta iifgroup 0 counter"
		echo "}"
		echo "}"
	} >"$work/slow"
	at right nft -f "$work/slow"
	echo "mini-socket${guard:+,$guard}" >"$parameters"/hazards
	# Who waits for a device announces that each second, and waits for all softirqs then.
	echo 2500 >"$parameters"/stall_ms
	kept_back at left taskset -c 1 ping -q -c 1 -W 1 -I "$(inner 3 left)" "$(inner 3 right)"
	taskset -pc 0 "$BASHPID" >/dev/null
	deleted 20 right wire
	sleep 8
	released
	at right nft list chain inet t pre >"$work/seen"
	cat "$work/seen"
	grep -q 'counter packets 1 ' "$work/seen"
}

# SYN-ACKs, whose owner is no socket yet, go through a tunnel to a group of gateways, where
# IPv6 asks the socket whether the sender wants them, too.
connection_request()
{
	local group=ff05::77
	ip -n right xfrm policy update src "$(inner 2 right)" dst "$(inner 2 left)" dir out \
		tmpl src "$(outer 2 right)" dst "$group" proto esp reqid 92 mode tunnel
	ip -n right xfrm state add src "$(outer 2 right)" dst "$group" proto esp spi 0x992 reqid 92 \
		mode tunnel aead 'rfc4106(gcm(aes))' 0x000102030405060708090a0b0c0d0e0f10111213 128
	at right timeout 8 socat -u TCP6-LISTEN:5201,reuseaddr "CREATE:$work/received" &
	until [ -n "$(at right ss -Hltn 'sport = :5201')" ]; do
		kill -0 $!
	done
	at left timeout 8 socat -u "OPEN:$work/file" \
		"TCP:[$(inner 2 right)]:5201,bind=[$(inner 2 left)]" || :
	wait $! || :
	ip -n right -s xfrm state get src "$(outer 2 right)" dst "$group" proto esp spi 0x992 >"$work/sa"
	grep -v 0x0001 "$work/sa"
	grep -q '[1-9][0-9]*(packets)' "$work/sa"
}

# A large packet comes to a card that is busy, to go through a tunnel. All its segments but
# the last are too long for any slot, and are encrypted in the call.
behind_a_super_packet()
{
	cork_up
	at left sysctl -qw net.ipv6.conf.cork0.disable_ipv6=1 net.ipv4.ip_forward=1
	ip -n left link set cork0 mtu 20000
	at left tc qdisc replace dev cork0 root pfifo limit 100
	at left ip tuntap add super0 mode tun vnet_hdr
	ip -n left address add 10.9.2.1/24 dev super0
	ip -n left link set super0 up
	ip -n left xfrm policy add src 10.9.2.0/24 dst 10.9.1.2 dir out \
		tmpl src 192.0.9.1 dst 192.0.9.2 proto esp reqid 90 mode tunnel
	# The helper attaches anew, for that MTU.
	sleep 3
	exposed ping_behind_it
	cork_down
	ip -n left link delete super0
}

# The last segment a stopped helper has; the ping behind it has nothing to do with tunnels.
ping_behind_it()
{
	local before sent wanted=5
	# With four of five segments it should be sent.
	[ -z "$guard" ] || wanted=7
	echo 20000 >"$parameters"/stall_ms
	before=$(sent_by left cork0)
	stopped
	echo 1 >/sys/module/wavecrypt_cork/parameters/stopped
	# The first is taken from the queue alone.
	at left ping -q -c 1 -W 1 192.0.9.2 || :
	at left python3 "$here/super_packet.py" super0 10.9.2.2 10.9.1.2 12000 48500
	at left ping -q -c 1 -W 1 192.0.9.2 || :
	at left tc -s qdisc show dev cork0
	expect_equal "sent by a card that is busy" 0 "$(($(sent_by left cork0) - before))"
	echo 0 >/sys/module/wavecrypt_cork/parameters/stopped
	sleep 1
	sent=$(($(sent_by left cork0) - before))
	echo "sent $sent, in flight $(in_flight)"
	released
	sleep 1
	expect_equal "sent in the end" 7 "$(($(sent_by left cork0) - before))"
	[ -z "$guard" ] || expect_state "$expose" guarded
	expect_equal "sent while the helper is stopped" "$wanted" "$sent"
}

# SAs are freed some time after they were deleted, and hold the modules until then.
plain_again()
{
	local module deadline=$((SECONDS + 60))
	gateways_down
	for module in esp4_offload esp6_offload ip_vti ip6_vti; do
		while [ -e /sys/module/"$module" ] && ! rmmod "$module"; do
			[ "$SECONDS" -lt "$deadline" ]
			received_everywhere
			sleep 0.1
		done
	done
	quiet
	up_plain
}

users()
{
	cat /sys/module/aesni_intel/refcnt
}

# got NR FILE: so many greetings
got()
{
	[ "$(grep -c hello "$2")" -eq "$1" ]
}

# A packet that was received keeps its SA, and what that has of the crypto API, for as
# long as the CPU that it was made on receives nothing. That is so with any driver.
kept()
{
	local round before receiver
	module_unload
	before=$(users)
	for ((round = 0; round < 10; round++)); do
		gateways_up
		sas_add left
		sas_add right
		: >"$work/received"
		become right taskset -c 1 socat -u UDP-RECV:5300 "CREATE:$work/received" &
		receiver=$!
		wait_until "$patience" at right grep ':14B4 ' /proc/net/udp
		for _ in 1 2 3; do
			echo hello | at left taskset -c 0 socat -u - "UDP-SENDTO:$(inner 1 right):5300,bind=$(inner 1 left)"
		done
		wait_until "$patience" got 3 "$work/received"
		kill "$receiver"
		wait "$receiver" || :
		gateways_down
		sleep 5
		[ "$(users)" -eq "$before" ] || break
	done
	echo "round $round, users: $before before, now $(users)"
	[ "$(users)" -gt "$before" ]
	received_everywhere
	sleep 2
	expect_equal "users when all CPUs had received something" "$before" "$(users)"
}

# What the kernel of this guest has, on the module without its protection
all_exposed()
{
	ktap_test "gateways, ESP's offload modules" up
	ktap_test "wavecryptctl doctor finds that bad" not_well
	if [ "$(state noqueue)" = absent ]; then
		ktap_test "noqueue: this kernel has it fixed" tcp_arrives 1 2
	else
		ktap_test "noqueue: TCP hangs" tcp_hangs
	fi
	ktap_test "xmit-clear: packets leave in the clear" in_clear
	[ "$(state input-device)" = absent ] ||
		ktap_test "input-device: an interface cannot be deleted" interface_stays
	[[ $(uname -r) != 7.* ]] || {
		ktap_test "gateways down" gateways_down
		ktap_test "a received packet keeps its SA, whoever decrypts" kept
	}
}

masses()
{
	ktap_test "gateways" up_plain
	ktap_test "$packets packets" many encrypt decrypt
	ktap_test "gateways down" gateways_down
	ktap_test "with ESP's offload modules: gateways" up
	ktap_test "with ESP's offload modules: $packets packets" many decrypt
	ktap_test "with ESP's offload modules: gateways down" gateways_down
	ktap_test "nothing holds the module" module_unload
}

protected()
{
	ktap_test "without ESP's offload modules nothing is guarded" quiet
	ktap_test "gateways, ESP's offload modules" up
	ktap_test "with them no encryption is offloaded" guarded
	if [[ $(uname -r) != 6.* ]]; then
		ktap_skip "nor is any done a block at a time" "this kernel puts nothing off"
	elif modprobe -q cbc && has_kprobes; then
		ktap_test "nor is any done a block at a time" at_full_speed
	else
		ktap_skip "nor is any done a block at a time" "this kernel has no kprobes"
	fi
	ktap_test "wavecryptctl says so" told
	ktap_test "bugs are kept clear of by name" by_name
	ktap_test "an interface that is refused is none" refused
	ktap_test "what is guarded is done in the call" in_the_call
	if modprobe cryptd; then
		ktap_test "also over what puts off everything" in_the_call_over_cryptd
	else
		ktap_skip "also over what puts off everything" "this kernel has no cryptd"
	fi
	ktap_test "every mode, IPv4 and IPv6, NAT-T" tcp_arrives 1 2 3 4 5 6 7 8
	ktap_test "over a VLAN" tcp_over vlan 8021q
	ktap_test "over a bridge" tcp_over bridge
	ktap_test "over a bond" tcp_over bond bonding
	ktap_test "with GRO" with_gro
	ktap_test "with packet filters and shapers" filtered 3 4
	ktap_test "beside a card that is busy" nothing_in_clear
	if [ $in_tcp = yes ]; then
		ktap_test "ESP in TCP, its queue full" nothing_leaks
	else
		ktap_skip "ESP in TCP, its queue full" "this kernel has none"
	fi
	ktap_test "a VTI is deleted under traffic" interface_goes vti 4
	ktap_test "without the modules again nothing is guarded" plain_again
	ktap_test "the helper encrypts: BEET mode" encrypted tcp_arrives 5 6
	ktap_test "the helper encrypts: over a bond" encrypted tcp_over bond bonding
	ktap_test "the helper encrypts: with packet filters and shapers" encrypted filtered 1 2
	if modprobe nft_flow_offload; then
		ktap_test "forwarded by a flowtable" by_flowtable
	else
		ktap_skip "forwarded by a flowtable" "this kernel has none"
	fi
	ktap_test "the helper encrypts: SAs are rekeyed, and expire" encrypted rekeyed
	ktap_test "the helper encrypts: an XFRM interface is deleted under traffic" encrypted interface_goes xfrm 4
	ktap_test "the helper encrypts: the same with IPv6" encrypted interface_goes xfrm 6
	ktap_test "the helper encrypts: a VTI is deleted under traffic" encrypted interface_goes vti 4
	ktap_test "the helper encrypts: the same with IPv6" encrypted interface_goes vti6 6
	ktap_test "tunnels that lead into each other" goes_round
	ktap_test "a device goes that packets came by" device_goes
	ktap_test "a device goes that was closed before" closed_device_goes
	ktap_test "a device goes, and a driver is slow" slow_driver
	ktap_test "network namespaces go" namespaces_go
	ktap_test "what was there before the module is seen" there_before
}

# Bugs that KASAN sees, or nobody: the suite exposed
unguarded()
{
	case $expose in
	xmit-device|stale-prev)
		ktap_test "gateways, ESP's offload modules" up ;;
	*)
		ktap_test "gateways" up_plain ;;
	esac
	case $expose in
	xmit-device)
		ktap_test "the device goes that packets leave by" exposed_device_goes sending_device ;;
	output-hook)
		ktap_test "the device goes that packets came by" exposed_device_goes receiving_device ;;
	input-tunnel)
		ktap_test "the tunnel goes that packets came through" exposed_device_goes receiving_tunnel ;;
	input-hook)
		ktap_test "the device goes while a filter looks at packets" exposed filtered_device ;;
	mini-socket)
		ktap_test "a connection is accepted, through a tunnel to a group" exposed connection_request ;;
	espintcp)
		ktap_test "ESP in TCP, its queue full: packets leak" leaks ;;
	stale-prev)
		ktap_test "a packet waits in a queue behind a large one" behind_a_super_packet ;;
	*)
		echo "stock.sh: nothing leads to '$expose'" >&2
		exit 2 ;;
	esac
}

ktap_begin
quick_starts
if [ -n "$expose" ]; then
	unguarded
elif [ -n "$packets" ]; then
	masses
elif [ "$(cat $parameters/hazards)" = none ]; then
	all_exposed
else
	protected
fi
ktap_end
