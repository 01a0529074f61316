#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A processor that is there, but offline when the helper starts, and comes later, as its
# siblings do when SMT is switched on: workers are placed anew, by the same helper with the
# same channel, and tunnels notice nothing.
#
# vm: --kernel 6.1 --no-helper --no-self-tests

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bin=$here/../../build/selftests
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=gateways.bash
. "$here/gateways.bash"

helper=$here/../vm/helper
log=$WAVECRYPT_VM_RUN/helper.log
cpu=/sys/devices/system/cpu/cpu1

in_vain()
{
	cat "$log"
}

# placed TIMES CPUS: so often by now it has said that its worker is on these
placed()
{
	[ "$(grep -cE "worker 0: 2 queues, on CPUs $2\$" "$log")" = "$1" ]
}

# queue1: what is submitted on the second processor is offloaded
queue1()
{
	local before

	before=$(cat "$sysfs/queue1/batches")
	at left taskset -c 1 ping -q -c 4 -i 0.1 -I "$(inner 1 left)" "$(inner 1 right)"
	[ "$(cat "$sysfs/queue1/batches")" -gt "$before" ]
}

# start [ARGUMENT...]
start()
{
	"$helper" stop
	: >"$log"
	"$helper" start "$@"
	pid=$("$helper" pid)
}

# The same process, which has attached once
stayed()
{
	expect_equal "helper" "$pid" "$("$helper" pid)"
	expect_equal "attached" 1 "$(grep -c "attached to" "$log")"
}

comes()
{
	local packets

	echo 0 >"$cpu/online"
	start
	wait_until 10 placed 1 0
	taskset -c 0 "$bin/numbered" --seconds 100000 --rate 200 --sizes 64-1300 \
		left "$(inner 1 left)" right "$(inner 1 right)" &
	packets=$!
	sleep 1
	echo 1 >"$cpu/online"
	wait_until 60 placed 1 0-1
	stayed
	queue1
	kill "$packets"
	wait "$packets"
	"$helper" stop
}

# may_be_on CPUS: some thread of the helper's may, and on no others
may_be_on()
{
	grep -qx "Cpus_allowed_list:	$1" "/proc/$pid"/task/*/status
}

pinned_again()
{
	start --set worker-cpus=1
	wait_until 10 placed 1 1
	may_be_on 1
	echo 0 >"$cpu/online"
	wait_until 60 placed 1 0
	echo 1 >"$cpu/online"
	wait_until 60 placed 2 1
	may_be_on 1
	stayed
	queue1
	"$helper" stop
}

set_mode offload
tunnel_add 1 tunnel 4 rfc4106 128 plain
gateways_up
sas_add left
sas_add right

ktap_begin
ktap_test "a processor comes online" comes
ktap_test "a worker is pinned again when its processor comes back" pinned_again
ktap_end
