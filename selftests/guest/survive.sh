#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A tunnel under traffic both ways, numbered UDP and TCP, while its helper is
# killed, stopped, replaced, or not there at all: nothing is lost, doubled,
# overtaken or changed, and IPsec's own error counters stay where they are.
#
# survive.sh [--kills N]: kill the helper so often instead of 4 times
#
# vm: --kernel 6.1 --no-helper

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bin=$here/../../build/selftests
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"

kills=4
case ${1-} in
'')	;;
--kills) kills=$2 ;;
*)	echo "usage: survive.sh [--kills N]" >&2
	exit 2 ;;
esac

helper=$here/../vm/helper
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# sa SRC DST SPI
sa()
{
	local ns

	for ns in a b; do
		ip -n $ns xfrm state add src "$1" dst "$2" proto esp spi "$3" \
			mode tunnel replay-window 32 \
			enc 'cbc(aes)' 0x000102030405060708090a0b0c0d0e0f \
			auth 'hmac(sha1)' 0x000102030405060708090a0b0c0d0e0f10111213
	done
}

# policy NETNS SRC DST DIR
policy()
{
	ip -n "$1" xfrm policy add src "$2" dst "$3" dir "$4" \
		tmpl src "$2" dst "$3" proto esp mode tunnel
}

# tunnel A B SPI: between the two addresses, both ways
tunnel()
{
	ip -n a address add "$1/24" dev eth
	ip -n b address add "$2/24" dev eth
	sa "$1" "$2" "${3}1"
	sa "$2" "$1" "${3}2"
	policy a "$1" "$2" out
	policy a "$2" "$1" in
	policy b "$2" "$1" out
	policy b "$1" "$2" in
	# What finds out the neighbour and the path's MTU may be lost.
	ip netns exec a ping -q -c 2 -s 8900 -I "$1" "$2"
}

# One tunnel for UDP, one for TCP, each direction's packets from one CPU: veth
# has a queue for each, and what several CPUs sent for one SA may overtake each
# other there by more than a replay window, with any driver.
network()
{
	ip netns add a
	ip netns add b
	ip link add eth netns a type veth peer name eth netns b
	ip -n a link set eth up
	ip -n b link set eth up
	# A burst after a stall is not to be dropped before it is decrypted.
	sysctl -qw net.core.netdev_max_backlog=100000
	# 6.1 looks hmac(sha1) up only when it is first asked for, and fails then.
	sa 192.0.2.1 192.0.2.2 9 2>/dev/null || :
	ip -n a xfrm state flush
	ip -n b xfrm state flush
	tunnel 192.0.2.1 192.0.2.2 1
	tunnel 192.0.2.3 192.0.2.4 2
}

sum()
{
	cat "$sysfs"/"$cbc_sha1".{encrypt,decrypt}/"$1" | awk '{ s += $1 } END { print s }'
}

in_ns()
{
	local ns=$1 cpu=$2

	shift 2
	ip netns exec "$ns" taskset -c "$cpu" "$@"
}

# traffic SECONDS: what arrived of it is in $work/a and b
traffic()
{
	local seconds=$1 pids=()

	in_ns b 0 "$bin/traffic" receive 5000 4000 >"$work/b" &
	pids+=($!)
	in_ns a 1 "$bin/traffic" receive 5000 4000 >"$work/a" &
	pids+=($!)
	in_ns b 0 socat -u TCP-LISTEN:5001,reuseaddr "CREATE:$work/tcp.received" &
	pids+=($!)
	until grep -q ready "$work/a" 2>/dev/null && grep -q ready "$work/b" &&
		ip netns exec b ss -ltn | grep -q :5001; do :; done
	in_ns a 0 "$bin/traffic" send 192.0.2.2 5000 "$seconds" 400 64 1300 200 8900 700 &
	pids+=($!)
	in_ns b 1 "$bin/traffic" send 192.0.2.1 5000 "$seconds" 400 1400 64 3000 500 &
	pids+=($!)
	in_ns a 0 socat -u "OPEN:$work/tcp.sent" TCP:192.0.2.4:5001,bind=192.0.2.3
	wait "${pids[@]}" || :
	cat "$work/a" "$work/b"
}

# undisturbed DISTURBANCE [ARGUMENT...]: the traffic does not notice
undisturbed()
{
	local redone inline offloaded seconds=8 disturber

	head -c 2M /dev/urandom >"$work/tcp.sent"
	redone=$(sum redone) inline=$(sum requests_inline) offloaded=$(sum requests_offloaded)
	"$@" >"$work/disturbance" 2>&1 &
	disturber=$!
	traffic "$seconds"
	wait "$disturber" || { cat "$work/disturbance"; return 1; }
	cat "$work/disturbance"
	echo "inline $(($(sum requests_inline) - inline))," \
		"offloaded $(($(sum requests_offloaded) - offloaded))," \
		"redone $(($(sum redone) - redone))"
	expect_equal "what arrived both ways" 2 \
		"$(cat "$work/a" "$work/b" | grep -c 'lost 0 doubled 0 overtaken 0 changed 0')"
	cmp "$work/tcp.sent" "$work/tcp.received"
	expect_equal "errors in xfrm_stat" '' "$(for ns in a b; do
		ip netns exec "$ns" cat /proc/net/xfrm_stat; done | awk '$2 { print }')"
}

# Stopped first, so that there is something in flight when it is killed
kill_helper()
{
	kill -STOP "$("$helper" pid)"
	sleep 0.15
	"$helper" kill
	sleep 0.2
	"$helper" start
}

killed()
{
	local i

	for ((i = 0; i < kills; i++)); do
		sleep 0.8
		kill_helper
	done
}

stopped()
{
	sleep 1
	kill -STOP "$("$helper" pid)"
	until [ "$(cat "$sysfs"/state)" = stalled ]; do sleep 0.05; done
	sleep 1
	kill -CONT "$("$helper" pid)"
	until [ "$(cat "$sysfs"/state)" = live ]; do sleep 0.05; done
}

# The new one takes over from the running one.
replaced()
{
	local i old

	for i in 1 2 3; do
		sleep 1
		old=$(cat "$sysfs"/helper_pid)
		"$here/../../build/helperd/wavecryptd" --foreground --replace \
			>"$work/replacement.$i" 2>&1 &
		until [ "$(cat "$sysfs"/helper_pid)" != "$old" ]; do sleep 0.05; done
	done
	sleep 1
	pkill -x wavecryptd
}

nothing() { :; }

# redone_at_least N COMMAND...
redone_at_least()
{
	local before least=$1

	shift
	before=$(sum redone)
	"$@"
	[ $(($(sum redone) - before)) -ge "$least" ] || {
		echo "redone: $(($(sum redone) - before)), less than $least"
		return 1
	}
}

offloads()
{
	local before

	before=$(sum requests_offloaded)
	"$@"
	[ "$(sum requests_offloaded)" -gt "$((before + 1000))" ]
}

set_mode offload
network
ktap_begin
ktap_test "no helper" undisturbed nothing
"$helper" start
ktap_test "a helper in peace" offloads undisturbed nothing
ktap_test "the helper is killed, $kills times" redone_at_least 1 undisturbed killed
ktap_test "the helper is stopped, and goes on" redone_at_least 1 undisturbed stopped
ktap_test "and is used again" offloads undisturbed nothing
ktap_test "the helper is replaced, 3 times" undisturbed replaced
"$helper" stop
ktap_test "no helper any more" undisturbed nothing
ktap_end
