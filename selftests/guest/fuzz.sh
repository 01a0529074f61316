#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Random requests from every CPU at once, through the module and through the
# kernel's generic implementation (selftests/kmod/test_main.c): there is no
# difference, with a helper, without one, and while it is killed, stopped and
# replaced all the time. Keys are set meanwhile, of busy transforms, too.
#
# fuzz.sh [--requests N] [--seed N]: so many for each test, instead of 4000; and
# the same as another time
#
# vm: --kernel 6.1 --no-helper --test-modules
# vm: --kernel 6.12 --no-helper --test-modules
# debug: uml vm

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

pause()
{
	sleep "0.0$((RANDOM % 9 + 1))"
}

killed()
{
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

cpu=/sys/devices/system/cpu/cpu$(($(nproc) - 1))
daemon=$here/../../build/helperd/wavecryptd
log=$(mktemp)
# A pause here is then a stall.
echo 20 >/sys/module/wavecrypt/parameters/stall_ms

draw=("$requests" "$seed")

ktap_begin
ktap_test "no helper" fuzz "${draw[@]}"
set_mode offload
"$helper" start
ktap_test "a helper" rekeyed grows requests_offloaded fuzz "${draw[@]}"
ktap_test "a helper that is stopped all the time" \
	grows redone during stopped fuzz "${draw[@]}"
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
else
	ktap_skip "CPUs that come and go" "this kernel's stay"
fi
"$helper" stop
ktap_end
