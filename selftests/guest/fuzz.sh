#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Random requests from every CPU at once, through the module and through the
# kernel's generic implementation (selftests/kmod/test_main.c): there is no
# difference, with a helper, without one, and while it is killed, stopped and
# replaced all the time. Keys are set meanwhile, of busy transforms, too. The same
# through pcrypt, and with pcrypt as what the module falls back to, where the kernel
# has it: in mainline it ended in July 2026.
#
# fuzz.sh [--requests N] [--seed N]: so many for each test, instead of 4000; and
# the same as another time
#
# vm: --kernel 6.1 --timeout 1500 --nodes 2 --no-helper --test-modules --no-self-tests --append cryptd.cryptd_max_cpu_qlen=4
# debug: uml uml72 vm

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=fuzz.bash
. "$here/fuzz.bash"

requests=4000 seed=0
ktap_options "requests seed" "$@"

helper=$here/../vm/helper
instance=$here/../lib/crypto-instance

pause()
{
	sleep "0.0$((RANDOM % 9 + 1))"
}

# worked: it has done something, or had two seconds for that
worked()
{
	local before tries

	before=$(of_algorithms requests_offloaded)
	for ((tries = 0; tries < 100; tries++)); do
		[ "$(of_algorithms requests_offloaded)" -eq "$before" ] || return 0
		sleep 0.02
	done
}

killed()
{
	worked
	pause
	"$helper" kill
	"$helper" start
}

stopped()
{
	local pid

	pid=$("$helper" pid)
	kill -STOP "$pid"
	pause
	kill -CONT "$pid"
	pause
}

# rekeyed COMMAND...: keys were set meanwhile, of SAs that were busy
rekeyed()
{
	"$@"
	[ "$(cat /sys/module/wavecrypt_test/parameters/rekeyed)" -gt 0 ]
}

# patient MS COMMAND...: what takes no longer is no stall meanwhile
patient()
{
	echo "$1" >"$stall_ms"
	# A test is a shell of its own, which may end before this does.
	trap 'echo 20 >"$stall_ms"' EXIT
	"${@:2}"
}

# Nothing comes back, for longer than requests are submitted.
bounded()
{
	local module=/sys/module/wavecrypt/parameters status=0 most

	echo 8 >"$module"/pending
	kill -STOP "$("$helper" pid)"
	fuzz "$@" depth=1024 pending=8 || status=$?
	kill -CONT "$("$helper" pid)"
	echo 0 >"$module"/pending
	echo 128 >/sys/module/wavecrypt_test/parameters/depth
	echo 0 >/sys/module/wavecrypt_test/parameters/pending
	most=$(cat /sys/module/wavecrypt_test/parameters/most_pending)
	echo "pending: $most; taken back: $(cat "$sysfs"/queue*/pressed | xargs)"
	[ "$status" -eq 0 ] && [ "$most" -ge 8 ]
}

# What stays inline comes while the helper still has some, and has to wait.
turned_over()
{
	set_mode inline
	set_mode offload
	sleep 0.001
}

# A device goes, for which everything is done in the call until nothing is pending.
waited()
{
	ip link add gone type dummy
	ip link set gone up
	set_mode inline
	ip link del gone
	set_mode offload
	sleep 0.001
}

# both COMMAND...: some stayed inline, and some did not
both()
{
	grows requests_inline grows requests_offloaded "$@"
}

# New ones take over, each from the one before.
replaced()
{
	local old

	old=$(cat "$sysfs/helper_pid")
	"$daemon" --foreground --replace >"$log" 2>&1 &
	until [ "$(cat "$sysfs/helper_pid")" != "$old" ]; do
		pause
		# It may have ended before it began.
		kill -0 $! || { cat "$log"; return 1; }
	done
	pause
}

# The last CPU goes, and comes again.
replugged()
{
	pause
	echo 0 >"$cpu/online"
	pause
	echo 1 >"$cpu/online"
}

# has_pcrypt: built in or as a module; leaves it loaded
has_pcrypt()
{
	modprobe -q pcrypt && "$instance" make "pcrypt($gcm-wavecrypt)" &&
		"$instance" remove "pcrypt($gcm-wavecrypt)"
} >/dev/null

# with_pcrypt DRIVER DRIVER COMMAND...: while there is pcrypt(DRIVER), of both
with_pcrypt()
{
	# shellcheck disable=SC2064 # these two
	trap "'$instance' remove 'pcrypt($1)' 'pcrypt($2)'" EXIT
	"$instance" make "pcrypt($1)"
	"$instance" make "pcrypt($2)"
	"${@:3}"
}

# own NAME: what the kernel would take were the module not there
own()
{
	drivers "$1" | awk '$2 !~ /wavecrypt/ && !n++ { print $2 }'
}

note_fallbacks()
{
	awk 'NR > 1 { print $NF }' /proc/wavecrypt >>"$fallbacks"
	pause
}

# over_pcrypt COMMAND...: while it is what the module falls back to, and nothing else
over_pcrypt()
{
	local cbc_sha1_own gcm_own

	cbc_sha1_own=$(own 'authenc(hmac(sha1),cbc(aes))')
	gcm_own=$(own 'rfc4106(gcm(aes))')
	: >"$fallbacks"
	with_pcrypt "$cbc_sha1_own" "$gcm_own" during note_fallbacks "$@"
	expect_equal "fallbacks" "$(printf 'pcrypt(%s)\n' "$cbc_sha1_own" "$gcm_own" | sort)" \
		"$(sort -u "$fallbacks")"
}

# over_cryptd COMMAND...: what the module falls back to encrypts at once, and gives the rest to
# cryptd, which has room for four
over_cryptd()
{
	local driver made=('authenc(cryptd(hmac(sha1-generic)),cbc(aes-generic))'
		'authencesn(cryptd(hmac(sha1-generic)),cbc(aes-generic))'
		'authenc(cryptd(hmac(sha256-generic)),rfc3686(ctr(aes-generic)))')

	grep -F cryptd.cryptd_max_cpu_qlen=4 /proc/cmdline
	# shellcheck disable=SC2064 # these
	trap "'$instance' remove ${made[*]@Q}" EXIT
	for driver in "${made[@]}"; do
		"$instance" make --priority 9999 "$driver"
	done
	: >"$fallbacks"
	during note_fallbacks "$@"
	for driver in "${made[@]}"; do
		grep -Fxm 1 "$driver" "$fallbacks"
	done
}

# tightly COMMAND...: no more may be pending than what comes at a time, by far
tightly()
{
	local module=/sys/module/wavecrypt/parameters status=0

	echo 2 >"$module"/pending
	"$@" depth=1024 || status=$?
	echo 0 >"$module"/pending
	echo 128 >/sys/module/wavecrypt_test/parameters/depth
	return "$status"
}

# came_later COMMAND...: the last CPU comes when the helper is there, and is served
came_later()
{
	local queue=$sysfs/queue$(($(nproc) - 1)) before

	echo 0 >"$cpu/online"
	"$helper" stop
	"$helper" start
	echo 1 >"$cpu/online"
	before=$(cat "$queue/batches")
	"$@"
	echo "batches: $(($(cat "$queue/batches") - before))"
	[ "$(cat "$queue/batches")" -gt "$before" ]
}

prove_locking=/proc/sys/kernel/prove_locking
cpu=/sys/devices/system/cpu/cpu$(($(nproc) - 1))
daemon=$here/../../build/helperd/wavecryptd
log=$(mktemp) fallbacks=$(mktemp)
stall_ms=/sys/module/wavecrypt/parameters/stall_ms
# A pause here is then a stall.
echo 20 >$stall_ms

draw=("$requests" "$seed")

# With no ICV a helper is not asked, unless it may be.
no_icv()
{
	local dir=authenc-digest_null-cbc-aes op
	grows requests_offloaded fuzz "$@"
	for op in encrypt decrypt; do
		expect_equal "$op offloaded" 0 "$(counter "$dir.$op" requests_offloaded)"
		[ -z "$(field "$dir-wavecrypt" driver)" ] ||
			[ "$(counter "$dir.$op" requests_inline)" -gt 0 ]
	done
	echo Y >/sys/module/wavecrypt/parameters/unauthenticated
}

# Every algorithm that the module offers, and on Debian's kernels that is all
every_algorithm()
{
	local tested

	fuzz "$@"
	tested=$(cat /sys/module/wavecrypt_test/parameters/tested_algs)
	expect_equal "algorithms tested" \
		"$(grep -c '^driver *: .*-wavecrypt$' /proc/crypto)" "$tested"
	case ${WAVECRYPT_VM_KERNEL:-} in
	6.1|6.12|7.2)	expect_equal "algorithms" 27 "$tested" ;;
	esac
}

# Of each there was something that only a helper does.
every_counter()
{
	local dir

	"$@"
	for dir in "$sysfs"/{authenc,rfc}*.{en,de}crypt; do
		[ "$(cat "$dir/requests_inline")" -eq 0 ] ||
			[ "$(cat "$dir/requests_offloaded")" -gt 0 ] ||
			{ echo "${dir##*/}: nothing was offloaded"; return 1; }
	done
}

# calls: interrupts of a CPU by another, by any reason, where the kernel counts them
calls()
{
	awk '$1 == "CAL:" { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) n += $i }
		END { print n + 0 }' /proc/interrupts
}

# A helper looks around once a second, and has been asleep in between.
at_rest()
{
	local before after called

	sleep 3
	called=$(calls) before=$(of_queues interrupts)
	sleep 2.5
	after=$(of_queues interrupts) called=$(($(calls) - called))
	echo "figure: in 2.5 s at rest $((after - before)) interrupts by the helper; $called calls in all"
	[ "$before" -gt 0 ]
	expect_equal "interrupts" "$before" "$after"
}

near="each CPU's queue is on its node"

ktap_begin
if [ -e /sys/devices/system/node/node1 ]; then
	ktap_test "$near" "$here/../../build/selftests/nodes"
else
	ktap_skip "$near" "there is one node"
fi
ktap_test "no helper" every_algorithm "${draw[@]}"
set_mode offload
"$helper" start
ktap_test "no ICV, no offload" no_icv "${draw[@]}"
ktap_test "a helper" patient 20000 every_counter rekeyed grows requests_offloaded fuzz "${draw[@]}"
ktap_test "a helper with nothing to do interrupts nobody" at_rest
ktap_test "a mode that is turned over all the time" \
	patient 1000 both during turned_over fuzz "${draw[@]}"
set_mode offload
ktap_test "devices that go all the time" \
	patient 1000 both during waited fuzz "${draw[@]}"
ktap_test "a helper that is stopped all the time" \
	grows redone during stopped fuzz "${draw[@]}"
if [ "$(nproc)" -gt 1 ]; then
	ktap_test "tasks that move from CPU to CPU" \
		patient 1000 kept_order requests during stopped fuzz "${draw[@]}" bind=N moves=Y
	echo Y >/sys/module/wavecrypt_test/parameters/bind
	echo N >/sys/module/wavecrypt_test/parameters/moves
else
	ktap_skip "tasks that move from CPU to CPU" "there is one CPU"
fi
ktap_test "no more are pending than may be, and a helper hangs" \
	patient 4000 grows redone bounded "${draw[@]}"
ktap_test "helpers that replace each other all the time" \
	grows requests_offloaded during replaced fuzz "${draw[@]}"
pkill -x wavecryptd || true
"$helper" stop
"$helper" start
ktap_test "helpers that are killed all the time" \
	grows requests_offloaded during killed fuzz "${draw[@]}"
if [ -e "$cpu/online" ]; then
	ktap_test "CPUs that come and go" grows requests_offloaded \
		during replugged fuzz "${draw[@]}" bind=N
	ktap_test "a CPU that comes after the helper" \
		came_later fuzz "${draw[@]}" bind=Y
else
	ktap_skip "CPUs that come and go" "this kernel's stay"
	ktap_skip "a CPU that comes after the helper" "this kernel's stay"
fi

through="pcrypt over the module" over="the module over pcrypt, no helper"
over_killed="the module over pcrypt, helpers that are killed all the time"
# 6.1's padata holds two locks of one class, and does not say so.
[ ! -e $prove_locking ] || [[ $(uname -r) != 6.1.* ]] || echo 0 >$prove_locking
if has_pcrypt; then
	# It keeps the order of each direction, not between them.
	ktap_test "$through" grows requests_offloaded \
		with_pcrypt "$cbc_sha1-wavecrypt" "$gcm-wavecrypt" \
		fuzz "${draw[@]}" bind=Y strict=N driver="pcrypt(" algs=2
	"$helper" stop
	ktap_test "$over" grows requests_inline over_pcrypt \
		tightly fuzz "${draw[@]}" strict=Y driver=wavecrypt algs=2
	"$helper" start
	ktap_test "$over_killed" grows requests_offloaded \
		over_pcrypt during killed fuzz "${draw[@]}"
else
	for name in "$through" "$over" "$over_killed"; do
		ktap_skip "$name" "this kernel has no pcrypt"
	done
fi

over="the module over what has no room for the second half, no helper"
"$helper" stop
if [[ $(uname -r) == 6.* ]] && modprobe -q cryptd; then
	# With all algorithms again
	ktap_test "$over" grows requests_inline over_cryptd fuzz "${draw[@]}" driver=wavecrypt algs=99
else
	ktap_skip "$over" "this kernel takes nothing that consists of cryptd"
fi
ktap_end
