#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A tunnel under traffic both ways, numbered UDP and TCP, while its helper is
# killed, stopped, replaced, or not there at all: nothing is lost, doubled,
# overtaken or changed, and IPsec's own error counters stay where they are.
#
# survive.sh [--kills N]: kill the helper so often instead of 6 times, stop and
# replace it a tenth as often; 0: none of that
#
# check: first
# vm: --kernel 6.1 --timeout 1800 --spare-cpu --no-helper --no-self-tests -- --kills 3
# uml: 7.2-full --no-helper
# debug: uml uml72

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bin=$here/../../build/selftests
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"
# shellcheck source=gateways.bash
. "$here/gateways.bash"

kills=6
ktap_options kills "$@"

stops=$(((kills + 9) / 10 + 2))
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

# Files through the second tunnel, one after the other, until there is $work/over
tcp()
{
	until [ -e "$work/over" ]; do
		rm -f "$work/tcp.received"
		in_ns b 0 socat -u TCP-LISTEN:5001,reuseaddr "CREATE:$work/tcp.received" &
		in_ns a 0 socat -u "OPEN:$work/tcp.sent" \
			TCP:192.0.2.4:5001,bind=192.0.2.3,retry=6000,interval=0.01
		wait $!
		cmp "$work/tcp.sent" "$work/tcp.received"
		echo x >>"$work/files"
	done
}

in_ns()
{
	local ns=$1 cpu=$2

	shift 2
	ip netns exec "$ns" taskset -c "$cpu" "$@"
}

# flowing: numbered packets have arrived at either end (progress.h)
flowing()
{
	local there back
	read -r _ there _ back < <(od -An -v -tu8 -w32 "$work/progress")
	((there && back))
}

# undisturbed DISTURBANCE [ARGUMENT...]: the traffic does not notice
undisturbed()
{
	local redone inline offloaded status=0 udp tcp

	rm -f "$work"/{over,files,progress}
	head -c 512K /dev/urandom >"$work/tcp.sent"
	redone=$(of_algorithms redone) inline=$(of_algorithms requests_inline) offloaded=$(of_algorithms requests_offloaded)
	"$bin/numbered" --seconds 100000 --rate 400 --window 400 \
		--sizes 64,1300,200,8900,700,1400 --progress "$work/progress" \
		a 192.0.2.1 b 192.0.2.2 >"$work/numbered" 2>&1 &
	udp=$!
	tcp >"$work/tcp" 2>&1 &
	tcp=$!
	{ wait_until 60 flowing && "$@"; } 2>"$work/log" || { tail -n 20 "$work/log"; status=1; }
	touch "$work/over"
	kill "$udp"
	wait "$udp" || status=1
	cat "$work/numbered"
	wait "$tcp" || { cat "$work/tcp"; status=1; }
	echo "$(wc -l <"$work/files") files;" \
		"inline $(($(of_algorithms requests_inline) - inline))," \
		"offloaded $(($(of_algorithms requests_offloaded) - offloaded))," \
		"redone $(($(of_algorithms redone) - redone))"
	expect_equal "errors in xfrm_stat" '' "$(for ns in a b; do
		ip netns exec "$ns" cat /proc/net/xfrm_stat; done | awk '$2 { print }')"
	return "$status"
}

# disturbed TIMES HOW
disturbed()
{
	"$bin/disturb" -n "$1" "$2" "$work/progress" "$daemon" --foreground \
		"${@:3}"
}

# redone_at_least N COMMAND...
redone_at_least()
{
	local before least=$1

	shift
	before=$(of_algorithms redone)
	"$@"
	[ $(($(of_algorithms redone) - before)) -ge "$least" ] || {
		echo "redone: $(($(of_algorithms redone) - before)), less than $least"
		return 1
	}
}

# Tunnels' packets come from one CPU, then from another, and the helper is stopped time
# and again, so that something is pending where they come from.
moving()
{
	local pid status=0 stopping

	echo 2000 >/sys/module/wavecrypt/parameters/stall_ms
	"$helper" start
	pid=$("$helper" pid)
	while sleep 0.03; do
		kill -STOP "$pid"
		sleep 0.01
		kill -CONT "$pid"
	done &
	stopping=$!
	"$bin/moving" a eth 192.0.2.2 20000 || status=$?
	kill "$stopping"
	wait "$stopping" || true
	kill -CONT "$pid"
	"$helper" stop
	echo 0 >/sys/module/wavecrypt/parameters/stall_ms
	return "$status"
}

# A processor is added to the machine, and the helper attaches anew by itself, for a queue
# of its own; what sends from there is offloaded. What follows has as many as before.
grown()
{
	local pid cpu tries status=0

	"$helper" start
	pid=$("$helper" pid)
	cpu=$("$here/../vm/plug") || {
		"$helper" stop
		return 1
	}
	for ((tries = 0; tries < 200; tries++)); do
		in_ns a "$cpu" ping -q -c 1 -W 5 -I 192.0.2.1 192.0.2.2 >/dev/null
		! grep -q '[^0]' "$sysfs/queue$cpu/batches" || break
		sleep 0.1
	done
	echo "CPU $cpu: $(cat "$sysfs/queue$cpu/batches") batches"
	[ "$tries" -lt 200 ] || status=1
	expect_equal "helper" "$pid" "$("$helper" pid)" || status=1
	"$helper" stop
	echo 0 >"/sys/devices/system/cpu/cpu$cpu/online"
	return "$status"
}

# grown_past COUNTER COUNT: over all algorithms
grown_past()
{
	[ "$(of_algorithms "$1")" -gt "$2" ]
}

# The helper has something, or has had it for too long.
has_some()
{
	[ "$(of_queues depth)" -gt 0 ] || [ "$(cat "$sysfs/state")" = stalled ]
}

# The namespaces go while a stopped helper has their packets, and so does, in the
# end, the module: nobody is left who holds it.
torn_down()
{
	local udp redone offloaded

	echo 2000 >/sys/module/wavecrypt/parameters/stall_ms
	"$helper" start
	offloaded=$(of_algorithms requests_offloaded)
	"$bin/numbered" --seconds 100000 --window 100 \
		--progress "$work/progress" a 192.0.2.1 b 192.0.2.2 >"$work/numbered" 2>&1 &
	udp=$!
	wait_until 60 grown_past requests_offloaded "$offloaded"
	redone=$(of_algorithms redone)
	kill -STOP "$("$helper" pid)"
	wait_until 60 has_some
	# Long enough to submit some, too short for a stall
	sleep 0.05
	kill -KILL "$udp"
	ip netns delete a
	ip netns delete b
	wait_until 60 grown_past redone "$redone"
	kill -CONT "$("$helper" pid)"
	module_unload
}

helper=$here/../vm/helper
daemon=$here/../../build/helperd/wavecryptd
set_mode offload
network
ktap_begin
ktap_test "no helper" undisturbed sleep 2
# Early: QEMU aborts if it gets a processor when all its memory for translated code is
# given away, as 1 GiB is after some two minutes.
if "$here/../vm/plug" --ask; then
	ktap_test "a processor is added" undisturbed grown
else
	ktap_skip "a processor is added" "there is none to add"
fi
if [ "$kills" -gt 0 ]; then
	ktap_test "the helper is killed, $kills times" \
		redone_at_least 1 undisturbed disturbed "$kills" kill
	ktap_test "the helper is stopped, and goes on, $stops times" \
		redone_at_least 1 undisturbed disturbed "$stops" stop
	ktap_test "the helper is replaced, $stops times" \
		undisturbed disturbed "$stops" replace --replace
	ktap_test "no helper any more" undisturbed sleep 2
fi
if [ "$(nproc)" -gt 1 ]; then
	ktap_test "a flow moves from CPU to CPU" kept_order packets moving
else
	ktap_skip "a flow moves from CPU to CPU" "there is one CPU"
fi
ktap_test "namespaces and module go with packets in flight" torn_down
ktap_end
