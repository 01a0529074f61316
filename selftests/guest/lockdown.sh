#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A kernel that is locked down for confidentiality shows nobody the keys of SAs: the
# helper that it has stays, and may attach anew; no other is let in, and traffic goes on
# inline.
#
# vm: --kernel 6.1 --no-self-tests

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

# pass COUNTER: packets both ways, of which all are counted there, on both sides
pass()
{
	local before

	before=$(of_algorithms "$1")
	"$bin/numbered" --count 40 left "$(inner 1 left)" right "$(inner 1 right)"
	before=$(($(of_algorithms "$1") - before))
	echo "$1: $before"
	((before >= 160))
}

lock_down()
{
	mountpoint -q /sys/kernel/security ||
		mount -t securityfs securityfs /sys/kernel/security
	echo confidentiality >/sys/kernel/security/lockdown
	pass requests_offloaded
}

# attached PID: it serves, and has slots for all
attached()
{
	[ "$(cat "$sysfs"/{outgrown,state,helper_pid} | xargs)" = "0 live $1" ]
}

# For larger MTUs, which it looks for every two seconds: not before this has seen them
attaches_anew()
{
	local pid outgrown

	pid=$("$here/../vm/helper" pid)
	kill -STOP "$pid"
	ip link add jumbo0 mtu 9000 up type dummy
	outgrown=$(cat "$sysfs/outgrown")
	kill -CONT "$pid"
	expect_equal "outgrown" 1 "$outgrown"
	wait_until 60 attached "$pid"
	ip link del jumbo0
	pass requests_offloaded
}

# The module refuses, and not only to the daemon; and what is done inline is all.
refused()
{
	local status=0 errno=0

	"$here/../vm/helper" stop
	"$bin/abuse" attach 16 || errno=$?
	expect_equal "attaching" 1 "$errno"
	"$top/build/helperd/wavecryptd" --foreground >/run/said 2>&1 || status=$?
	cat /run/said
	expect_equal "the daemon's status" 77 "$status"
	grep -F "locked down for confidentiality" /run/said
	expect_equal "the module's state" none "$(cat "$sysfs/state")"
	pass requests_inline
}

advised()
{
	"$top/build/helperd/wavecryptctl" doctor >/run/said || :
	grep -F -A1 "the kernel is locked down for confidentiality" /run/said
}

set_mode offload
# Every request is to be the helper's, on a slow machine, too.
echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
tunnel_add 1 tunnel 4 rfc4106 128 plain
gateways_up
sas_add left
sas_add right

ktap_begin
ktap_test "a helper serves" pass requests_offloaded
ktap_test "and does so when the kernel is locked down" lock_down
ktap_test "and when it attaches anew" attaches_anew
ktap_test "one that comes later is refused, and all is done inline" refused
ktap_test "doctor says so" advised
ktap_end
