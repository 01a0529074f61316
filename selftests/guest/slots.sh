#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Large packets find slots: half of all where the machine has, or is said to have, an
# MTU that makes them; and where that comes later, and there is no memory for them, the
# helper waits for it. With requests of the crypto API.
#
# uml: 7.2-full --no-helper --test-modules --timeout 600

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"
# shellcheck source=../bench/kmod.bash
. "$here/../bench/kmod.bash"

load_bench
echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
echo 512 >/sys/module/wavecrypt/parameters/entries
set_mode offload
group=/sys/fs/cgroup/wavecrypt
log=${WAVECRYPT_VM_RUN:?}/helper.log

# watch FILE: writes there how many requests were in flight at most
watch()
{
	local depth most=0

	while read -r depth <"$sysfs"/queue0/depth; do
		[ "$depth" -le "$most" ] || {
			most=$depth
			echo "$most" >"$1"
		}
	done
}

# deepest LENGTH MORE: how many are in flight at most, of 256 that may be; looked at
# until there are MORE, a few times
deepest()
{
	local name=$cbc_sha1-wavecrypt file said pid times
	local what="what=aead samples=1 warm_us=0 slice_us=50000 depth=256 alg=cbc-sha1"

	file=$(mktemp)
	echo 0 >"$file"
	watch "$file" &
	pid=$!
	taskset -pc 1 "$pid" >/dev/null
	for ((times = 0; times < 20; times++)); do
		said=$(measure "$what len=$1 base=$name test=$name")
		[[ $said != *'"error"'* ]] || echo "$said" >&2
		[ "$(cat "$file")" -le "$2" ] || break
	done
	kill "$pid"
	wait "$pid" || true
	cat "$file"
	rm "$file"
}

# deeper LENGTH MORE: so many and more are
deeper()
{
	local most

	most=$(deepest "$1" "$2")
	echo "figure: $most of $1 bytes in flight"
	[ "$most" -gt "$2" ] && [ "$most" -le 256 ]
}

# no_deeper LENGTH MOST: that many are, and no more
no_deeper()
{
	local most

	most=$(deepest "$1" "$2")
	echo "figure: $most of $1 bytes in flight"
	[ "$most" -gt 16 ] && [ "$most" -le "$2" ]
}

# attached COMMAND...: with a helper that attaches now
attached()
{
	local status=0

	taskset -c 1 "$here/../vm/helper" start
	"$@" || status=$?
	"$here/../vm/helper" stop
	return "$status"
}

of_jumbo()
{
	deeper 1408 64 && deeper 4096 64 && deeper 9000 64
}

of_ethernet()
{
	deeper 1408 64 && no_deeper 4096 64 && no_deeper 9000 64
}

# in_namespace COMMAND...: with a device of a large MTU that is elsewhere
in_namespace()
{
	local status=0

	ip netns add elsewhere
	ip -n elsewhere link add jumbo0 mtu 9000 up type dummy
	"$@" || status=$?
	ip netns del elsewhere
	return "$status"
}

# with_device MTU COMMAND...: with such a device
with_device()
{
	local status=0

	ip link add jumbo0 mtu "$1" up type dummy
	"${@:2}" || status=$?
	ip link del jumbo0
	return "$status"
}

# attached_anew: it serves, and has slots for all
attached_anew()
{
	[ "$(cat "$sysfs"/outgrown "$sysfs"/state | xargs)" = "0 live" ]
}

# What has the network set up after the helper is told by nobody: it looks every two seconds,
# but not before this has seen that it is to.
comes_later()
{
	local pid outgrown

	of_ethernet || return 1
	pid=$("$here/../vm/helper" pid)
	expect_equal "outgrown" 0 "$(cat "$sysfs"/outgrown)" || return 1
	ip link add jumbo0 mtu 9000 type dummy
	expect_equal "outgrown, while it is down" 0 "$(cat "$sysfs"/outgrown)" || return 1
	kill -STOP "$pid"
	ip link set jumbo0 up
	outgrown=$(cat "$sysfs"/outgrown)
	kill -CONT "$pid"
	expect_equal "outgrown" 1 "$outgrown" &&
		wait_until 60 attached_anew &&
		expect_equal "the same helper" "$pid" "$("$here/../vm/helper" pid)" &&
		of_jumbo
}

gone_after()
{
	local status=0

	"$@" || status=$?
	ip link del jumbo0
	return "$status"
}

state_is()
{
	[ "$(cat "$sysfs"/state)" = "$1" ]
}

# short_of_memory PID LOG: the helper, which is attached, is to attach anew, and cannot; it
# says so once, and tries again
short_of_memory()
{
	: >"$2"
	mkdir -p "$group" &&
		echo 1M >"$group"/memory.max &&
		echo "$1" >"$group"/cgroup.procs &&
		ip link add jumbo0 mtu 9000 up type dummy &&
		wait_until 30 grep 'cannot attach: Cannot allocate memory' "$2" &&
		sleep 2 &&
		expect_equal "how often it says so" 1 "$(grep -c 'cannot attach' "$2")" &&
		state_is none
}

short_for_a_while()
{
	local pid name=$cbc_sha1-wavecrypt

	pid=$("$here/../vm/helper" pid)
	short_of_memory "$pid" "$log" &&
		measured "what=aead samples=1 warm_us=0 slice_us=50000 depth=256 alg=cbc-sha1 len=1408 base=$name test=$name" &&
		echo max >"$group"/memory.max &&
		wait_until 30 state_is live &&
		expect_equal "the same helper" "$pid" "$("$here/../vm/helper" pid)" &&
		of_jumbo
}

short_and_stopped()
{
	short_of_memory "$("$here/../vm/helper" pid)" "$log" &&
		"$here/../vm/helper" stop &&
		tail -n 1 "$log" | grep 'stopping on Terminated'
}

# Whoever comes meanwhile serves, and has no successor that nobody knows of.
short_and_succeeded()
{
	local first status=0 said=/run/first.log

	"$here/../../build/helperd/wavecryptd" --foreground 2>>"$said" &
	first=$!
	wait_until 30 state_is live &&
		short_of_memory "$first" "$said" &&
		attached wait "$first" || status=$?
	cat "$said"
	expect_equal "status" 75 "$status" && grep 'another helper is attached' "$said"
}

# with_parameter MTU COMMAND...
with_parameter()
{
	local status=0

	echo "$1" >/sys/module/wavecrypt/parameters/mtu
	"${@:2}" || status=$?
	echo 0 >/sys/module/wavecrypt/parameters/mtu
	return "$status"
}

# A few thousand at a time, as of a network driver's packets that are GSO's: no softirq comes
# between them.
in_one_go()
{
	local name=$cbc_sha1-wavecrypt offloaded inline share tries
	local what="what=aead samples=1 warm_us=0 slice_us=200000 depth=4096 burst=4096 alg=cbc-sha1 len=1408"

	for ((tries = 0; tries < 20; tries++)); do
		offloaded=$(counter "$cbc_sha1.encrypt" requests_offloaded)
		inline=$(counter "$cbc_sha1.encrypt" requests_inline)
		measure "$what base=$name test=$name"
		offloaded=$(($(counter "$cbc_sha1.encrypt" requests_offloaded) - offloaded))
		inline=$(($(counter "$cbc_sha1.encrypt" requests_inline) - inline))
		share=$((100 * offloaded / (offloaded + inline)))
		echo "figure: $share of 100 offloaded, $offloaded requests"
		# There are slots for one in eight.
		((share < 60)) || return 0
	done
	return 1
}

ktap_begin
ktap_test "no device but the loopback: slots of an MTU of 1500" attached of_ethernet
ktap_test "an MTU of 2000 is none of jumbo packets" with_device 2000 attached of_ethernet
ktap_test "a device in another namespace does not count" in_namespace attached of_ethernet
ktap_test "an MTU of 9000: half of the slots are jumbo packets'" \
	with_device 9000 attached of_jumbo
ktap_test "it comes up later: the helper attaches anew" gone_after attached comes_later
if memory_groups; then
	ktap_test "there is no memory for that: it attaches once there is" \
		gone_after attached short_for_a_while
	ktap_test "asked to stop before there is, it does" gone_after attached short_and_stopped
	ktap_test "another helper that comes before has taken over" \
		gone_after short_and_succeeded
else
	ktap_skip "there is no memory for that" "a kernel without control groups of memory"
fi
ktap_test "mtu=9000 says so, whatever devices there are" \
	with_parameter 9000 attached of_jumbo
ktap_test "mtu=1500, too" with_parameter 1500 with_device 9000 attached of_ethernet
ktap_test "4096 submitted in one go do not run out of slots" attached in_one_go
ktap_end
