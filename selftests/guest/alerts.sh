#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Each alert fires in a real Prometheus because what it is about has happened to the
# module and the helper, and none does as long as all is well; but for that of
# node_exporter's file. The rules are as they are shipped, but that a minute is a second
# here, and no "for:" is longer than three.
#
# At native speed, for one of them wants many packets.
#
# uml: 7.2-full --no-helper --test-modules --timeout 600

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
bin=$top/build/selftests
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=gateways.bash
. "$here/gateways.bash"
# shellcheck source=emulated_gpu.bash
. "$here/emulated_gpu.bash"
# shellcheck source=prometheus.bash
. "$here/prometheus.bash"
# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"

work=$(mktemp -d)
ctl=$top/build/helperd/wavecryptctl
bench=$(dirname "${WAVECRYPT_TEST_MODULE:?}")/wavecrypt_bench.ko

tunnel_add 1 tunnel 4 authenc 128 plain
emulated_gpu gfx90c dispatch

# alerts: that Prometheus knows of, a line for each after one that says "success"
alerts()
(
	exec 3<>"/dev/tcp/${prometheus/://}"
	printf 'GET /api/v1/alerts HTTP/1.0\r\n\r\n' >&3
	sed 's/{"labels"/\n&/g' <&3
)

# firing NAME
firing()
{
	alerts | grep "\"alertname\":\"$1\".*\"state\":\"firing\""
}

quiet()
{
	[ "$(alerts | awk '/"success"/ { n = 1 } /"state":"firing"/ { n++ } END { print n }')" = 1 ]
}

# metric TEXT: what is scraped has that
metric()
{
	"$ctl" metrics | grep -F "$1"
}

in_vain()
{
	alerts
	"$ctl" status
	"$ctl" route
	tail -n 4 "$work"/*.log
}

prometheus_up()
{
	sed -E 's/\b([0-9]+)m\b/\1s/g; s/(for:) .*/\1 3s/' \
		"$top/packaging/prometheus/wavecrypt.rules.yml" >"$work/rules.yml"
	prometheus_start "$work" 2 "$work/rules.yml"
	wait_until 60 quiet
}

# traffic SIDE: packets from there through the tunnel, until traffic_ends
traffic()
{
	at "$1" ping -q -i 0.05 -I "$(inner 1 "$1")" "$(inner 1 "${other[$1]}")" >/dev/null &
	echo $! >"$work/traffic"
}

traffic_ends()
{
	kill "$(cat "$work/traffic")"
}

# Longer than it would take any alert that has no reason to fire
all_is_well()
{
	traffic left
	wait_until 60 metric 'state="in use"} 1'
	sleep 5
	quiet
}

# For good: it cannot be opened again.
gpu_lost()
{
	gpu_fails "packet#2=fault; hsa_init#1+=HSA_STATUS_ERROR_OUT_OF_RESOURCES"
	wait_until 60 metric 'state="refused"} 1'
	wait_until 60 firing WavecryptGpuLost
}

gpu_back()
{
	gpu_fails ""
	wait_until 60 quiet
	traffic_ends
}

# sas_anew: for a replay window of theirs, too
sas_anew()
{
	ip -n left xfrm state flush
	ip -n right xfrm state flush
	sas_add left
	"$@" sas_add right
}

# with_another_key COMMAND...
with_another_key()
{
	(tunnel_add 1 tunnel 4 authenc 128 plain && "$@")
}

forged()
{
	sas_anew with_another_key
	traffic right
	wait_until 60 firing WavecryptICVFailures
	traffic_ends
	sas_anew
	wait_until 60 quiet
}

stopped()
{
	local helper
	helper=$("$here/../vm/helper" pid)
	traffic left
	kill -s STOP "$helper"
	wait_until 60 firing WavecryptHelperStalled
	kill -s CONT "$helper"
	wait_until 60 quiet
	traffic_ends
}

killed()
{
	"$here/../vm/helper" kill
	wait_until 60 firing WavecryptHelperGone
	"$here/../vm/helper" start
	wait_until 60 quiet
}

# spec WORD...: what wavecrypt_bench is to do
spec()
{
	echo "alg=gcm $*" >/dev/wavecrypt_bench
}

# One at a time, one after the other: busy, and nothing to gain
busy()
{
	local driver
	taskset -pc 0 "$BASHPID" >/dev/null
	spec samples=1 warm_us=0 slice_us=1
	driver=$(sed -n '1s/.*"driver":"\([^"]*\)".*/\1/p' /dev/wavecrypt_bench)
	while :; do
		spec what=stall len=256 depth=1 tfms=1 interval_ns=0 settle_us=0 \
			slice_us=2000000 "base=$driver" "test=$driver"
	done
}

inline()
{
	set_mode auto
	insmod "$bench"
	busy &
	wait_until 60 firing WavecryptInlineAlthoughBusy
	kill $!
	wait $! || :
	rmmod wavecrypt_bench
}

drained()
{
	"$ctl" drain
	wait_until 60 firing WavecryptInline
	"$ctl" resume
	wait_until 60 quiet
}

# Until it is loaded anew
retired()
{
	"$ctl" retire
	wait_until 60 firing WavecryptNotPreferred
}

# Nothing is to hold it.
unloaded()
{
	gateways_down
	module_unload
	wait_until 60 firing WavecryptModuleGone
	module_load
	wait_until 60 quiet
}

start()
{
	arrange left
	set_mode offload
	# An emulated GPU takes its time.
	echo 5000 >/sys/module/wavecrypt/parameters/stall_ms
	prometheus_up
}

ktap_begin
ktap_test "gateways, a helper with a GPU, and Prometheus" start
ktap_test "all is well, and no alert" all_is_well
ktap_test "the GPU is lost" gpu_lost
ktap_test "the GPU is back" gpu_back
ktap_test "packets are forged" forged
ktap_test "the helper is stopped" stopped
ktap_test "the helper is killed" killed
ktap_test "inline although busy" inline
ktap_test "the module is drained" drained
ktap_test "the module is retired" retired
ktap_test "and unloaded" unloaded
ktap_end
