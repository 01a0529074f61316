#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The opencl backend, from the loopback through the worker and its scheduler to
# PoCL, under AddressSanitizer and UndefinedBehaviorSanitizer: results against
# libcrypto's, and what happens when any call of OpenCL's fails.
#
# check: first
# make: pocl
# make: wavecrypt-bench
# make: sanitized

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/selftests/lib/ktap.sh"
. "$top/selftests/lib/wait.sh"

O=$top/build/host/memory

build()
{
	mkdir -p "$O"
	flock "$O" make -s --no-print-directory -C "$top/selftests/host" O="$O" \
		SANITIZE=address,undefined opencl
}

# The daemon's cache has to be its own; PoCL's is not.
run()
{
	WAVECRYPT_TEST_CACHE=$cache \
	LSAN_OPTIONS=suppressions=$top/selftests/host/opencl.supp:print_suppressions=0 \
		ktap_whole "$top/selftests/lib/pocl" "$O/test_opencl"
}

# devices SETTING: what a daemon that is to use them makes of it
devices()
{
	"${daemon[@]}" --set opencl-device="$1" "${@:2}" 2>&1
}

# Two devices, as wavecryptctl lists them; and what is not there is an error.
named()
{
	local setting said
	export POCL_DEVICES="basic pthread"
	"$top/selftests/lib/pocl" "$top/build/helperd/wavecryptctl" devices | tee "$cache/list"
	for setting in $(sed -n 's/^opencl-device = \([0-9]*\) .*/\1/p' "$cache/list") \
		pthread cpu 1,basic; do
		said=$(devices "$setting" --test-config)
		expect_equal "$setting" '' "$said"
	done
	"$top/selftests/lib/pocl" "$top/build/helperd/wavecryptctl" --json devices |
		python3 -c '
import json, sys
devices = [d for d in json.load(sys.stdin)["devices"] if d["backend"] == "opencl"]
assert [d["number"] for d in devices] == [0, 1], devices
assert devices[0]["name"].startswith("basic-") and devices[1]["name"].startswith("pthread-")
assert all(d["kind"] == "cpu" and d["usable"] for d in devices), devices'
	for setting in 2 gpu 04:00.0 0,pthreads; do
		refused "$setting" --test-config
	done
	for setting in 2 gpu 04:00.0 pthreads,2; do
		refused "$setting" --foreground
	done
}

# refused SETTING HOW: as no device is called so, and these are there
refused()
{
	local status=0
	devices "$1" "$2" >"$cache/out" || status=$?
	expect_equal "$1 $2" 78 "$status"
	grep "no device \"[^\"]*\" .*0 (basic-.*; 1 (pthread-" "$cache/out"
}

# serve [SETTING...]: a daemon, $pid, which does not outlive the test, however that ends
serve()
{
	trap 'jobs -p | xargs -r kill -KILL || :' EXIT
	"${daemon[@]}" --foreground --set opencl-memory=shared --set balance=no "$@" &
	pid=$!
}

# Of those that are named some are not there: the daemon has the others, and one that is
# named by what stays when it comes, but not by a number, which may be another's.
some()
{
	local pid
	export POCL_DEVICES="pthread"
	: >"$cache/log"
	serve --set opencl-device=7,04:00.0,pthread --set workers=2 2>"$cache/log"
	logged 'worker 1:'
	kill "$pid"
	wait "$pid"
	cat "$cache/log"
	grep 'no device "7" .*: the others do without' "$cache/log"
	grep '04:00.0: the CPU does its work until it is there' "$cache/log"
	grep 'worker .: .*with device 0$' "$cache/log"
	grep 'worker .: .*with device 04:00.0$' "$cache/log"
}

# logged WORDS: the daemon $pid has, within a minute
logged()
{
	wait_while "$pid" 60 grep "$1" "$cache/log"
}

in_vain()
{
	cat "$cache/log"
}

# A daemon that is given two has each of its workers work with one.
both()
{
	local pid
	export POCL_DEVICES="pthread pthread"
	serve --set opencl-device=0,1 --set workers=2 2>"$cache/log"
	logged 'worker 1:'
	"$top/selftests/lib/pocl" "$top/build/helperd/wavecryptctl" \
		--socket "$cache/control" --json devices >"$cache/list"
	kill "$pid"
	wait "$pid"
	cat "$cache/log"
	grep 'worker 0: .*with device 0$' "$cache/log"
	grep 'worker 1: .*with device 1$' "$cache/log"
	expect_equal "devices without a worker" 0 "$(grep -c 'no worker' "$cache/log")"
	python3 -c '
import json, sys
devices = [d for d in json.load(sys.stdin)["devices"] if d["backend"] == "opencl"]
assert [(d["used"], d["there"]) for d in devices] == [(True, True)] * 2, devices' \
		<"$cache/list"
}

# A driver that comes later than the daemon: it has as many devices as it would have had.
later()
{
	local pid name=${1:-cpu}
	export POCL_DEVICES="pthread pthread"
	mkdir -p "$cache/none"
	: >"$cache/none/libOpenCL.so.1"
	# The daemon before it has said the same.
	: >"$cache/log"
	LD_LIBRARY_PATH=$cache/none serve --set opencl-device="$name" --set workers=2 \
		--set device-retry-ms=100 2>"$cache/log"
	logged 'worker 1:'
	rm "$cache/none/libOpenCL.so.1"
	logged 'worker 1: .*with device 1$'
	cat "$cache/log"
	grep "worker 0: .*with device $name\$" "$cache/log"
	grep 'worker 0: .*with device 0$' "$cache/log"
	"$top/selftests/lib/pocl" "$top/build/helperd/wavecryptctl" \
		--socket "$cache/control" --json devices >"$cache/list"
	kill "$pid"
	wait "$pid"
	python3 -c '
import json, sys
devices = [d for d in json.load(sys.stdin)["devices"] if d["backend"] == "opencl"]
assert [d["used"] for d in devices] == [True] * 2, devices' <"$cache/list"
}

# wedged_driver HOW: PoCL as a driver that is so as long as there is $cache/wedged
wedged_driver()
{
	gcc -std=gnu11 -Wall -Werror -shared -fPIC -o "$cache/wedged.so" \
		"$top/selftests/host/wedged_icd.c"
	echo "$cache/wedged.so" >"$cache/wedged.icd"
	echo "$1" >"$cache/wedged"
}

# A device that is named beside another comes later than the daemon: it gets its share.
come()
{
	local pid
	export POCL_DEVICES="pthread pthread"
	wedged_driver hide
	: >"$cache/log"
	OCL_ICD_VENDORS=$cache/wedged.icd DRIVER_WEDGED=$cache/wedged serve \
		--set opencl-device=pthread,late --set workers=2 \
		--set device-retry-ms=100 2>"$cache/log"
	logged 'worker 1: .*with device late$'
	rm "$cache/wedged"
	logged 'there by now: workers are started anew'
	wait_while "$pid" 60 said_twice 'worker 1: .*with device late$'
	kill "$pid"
	wait "$pid"
	cat "$cache/log"
}

# said_twice WORDS: by the daemon
said_twice()
{
	[ "$(grep -c "$1" "$cache/log")" -eq 2 ]
}

# wedged_daemon NAME: $pid, whose driver does not return, and its settings below $cache/NAME
wedged_daemon()
{
	mkdir "$cache/$1"
	OCL_ICD_VENDORS=$cache/wedged.icd DRIVER_WEDGED=$cache/wedged serve \
		--set control-socket="$cache/$1/control" --set opencl-device=cpu \
		--set workers=1 --set device-retry-ms=100 2>"$cache/$1/log"
}

# its_device NAME there|not-there: it serves, and has its first device, or has not
its_device()
{
	# Which is not content without a module.
	{ "$top/build/helperd/wavecryptctl" --socket "$cache/$1/control" --json status || true; } |
		python3 -c '
import json, sys
status = json.load(sys.stdin)["helper"]
assert status["state"] == "live" and len(status["workers"]) == 1, status
assert status["devices"][0]["there"] == (sys.argv[1] == "there"), status' "$2"
}

# goes_on PID NAME DEVICE WHY...: with the lanes, and says why of each device
goes_on()
{
	local log=$cache/$2/log name=$2
	wait_while "$1" 60 grep 'worker 0:' "$log" && its_device "$name" not-there || return 1
	shift 2
	while [ $# -gt 0 ]; do
		grep "opencl: $1: $2: the CPU does its work until it is there" "$log" || return 1
		shift 2
	done
}

# wedged look|probe DEVICE WHY...: that is what does not return from the beginning. Of two
# daemons one is stopped meanwhile, and one has the device when the driver returns.
wedged()
{
	local pid one other status=0
	export POCL_DEVICES="pthread pthread"
	wedged_driver "$1"
	wedged_daemon "$1-stopped"
	one=$pid
	wedged_daemon "$1-served"
	other=$pid
	goes_on "$one" "$1-stopped" "${@:2}" || status=1
	goes_on "$other" "$1-served" "${@:2}" || status=1
	{ kill "$one" && wait "$one"; } || status=1
	cat "$cache/$1-stopped/log"
	rm "$cache/wedged"
	wait_until 60 its_device "$1-served" there || status=1
	{ kill "$other" && wait "$other"; } || status=1
	cat "$cache/$1-served/log"
	return "$status"
}

let_go='a device.s driver does not return: the kernel does the requests'

# A daemon $pid with a worker that is to be another, and a driver that does not return to it
stuck_worker()
{
	rm -f "$cache/stuck"
	export POCL_DEVICES="pthread"
	gcc -std=gnu11 -Wall -Werror -shared -fPIC -o "$cache/shim.so" \
		"$top/selftests/host/stuck_shim.c"
	: >"$cache/conf"
	: >"$cache/log"
	DRIVER_STUCK=$cache/stuck LD_PRELOAD=$cache/shim.so serve --config "$cache/conf" \
		--set opencl-device=cpu --set workers=1 2>"$cache/log"
	logged 'worker 0:'
	: >"$cache/stuck"
	echo 'spin-us = 7' >"$cache/conf"
	kill -HUP "$pid"
	logged 'a worker does not end'
}

# stuck [SECONDS]: asked to stop while a driver does not return to a worker that is to be
# another, or does after so long. Then there is time to end as usual, with what is wiped.
stuck()
{
	local pid status=0 after=${1-} in_haste='leaving while a device.s driver is busy'

	stuck_worker
	kill "$pid"
	[ -z "$after" ] || { sleep "$after"; rm "$cache/stuck"; }
	timeout 60 tail --pid="$pid" -f /dev/null || kill -KILL "$pid"
	wait "$pid" || status=$?
	cat "$cache/log"
	expect_equal "exit status" 0 "$status"
	expect_equal "left in haste" "${after:+no}" "$(grep -q "$in_haste" "$cache/log" || echo no)"
	expect_equal "let the channel go" "${after:+no}" \
		"$(grep -q "$let_go" "$cache/log" || echo no)"
	[ ! -e "$cache/control" ]
}

# A driver that does not return for longer than anybody waits for it, and then does: the
# kernel is not kept waiting, and the daemon goes on.
late()
{
	local pid status=0

	stuck_worker
	logged "$let_go"
	rm "$cache/stuck"
	wait_while "$pid" 60 attached_twice
	kill "$pid"
	wait "$pid" || status=$?
	cat "$cache/log"
	expect_equal "exit status" 0 "$status"
}

attached_twice()
{
	[ "$(grep -c 'worker 0: ' "$cache/log")" -ge 2 ] &&
		[ "$(grep -c 'attached to ' "$cache/log")" -eq 2 ]
}

# reread DEVICE WORDS: the file names that one, the daemon $pid is told, and logs WORDS
reread()
{
	echo "opencl-device = $1" >"$cache/conf"
	kill -HUP "$pid"
	logged "$2"
}

# Settings that are read again: a device that is not there is refused, as it would be at the
# start, and one that is there can be had then.
reloaded()
{
	local pid status=0 none='no device "2" .*0 (pthread-.*; 1 (pthread-'
	export POCL_DEVICES="pthread pthread"
	echo 'opencl-device = 0' >"$cache/conf"
	: >"$cache/log"
	serve --config "$cache/conf" --set workers=1 2>"$cache/log"
	logged 'worker 0:'
	reread 2 "conf:1: opencl-device = 2: $none"
	grep 'settings stay as they are' "$cache/log"
	"$top/build/helperd/wavecryptctl" --socket "$cache/control" reload >"$cache/out" ||
		status=$?
	grep "Nothing has changed: .*opencl-device = 2: $none" "$cache/out"
	reread 1 'opencl-device = 1: applies when the daemon is restarted'
	"$top/build/helperd/wavecryptctl" --socket "$cache/control" reload >"$cache/out"
	expect_equal "with one that is there" 'Wants a restart: opencl-device' \
		"$(cat "$cache/out")"
	kill "$pid"
	wait "$pid"
	cat "$cache/log"
	expect_equal "wavecryptctl's exit status" 1 "$status"
}

# With no driver to ask, the daemon starts, and waits for one: --test-config accepts that.
unknown()
{
	mkdir "$cache/no-driver"
	: >"$cache/no-driver/libOpenCL.so.1"
	LD_LIBRARY_PATH=$cache/no-driver "$top/build/helperd/wavecryptd" --set backend=opencl \
		--set opencl-device=2 --test-config
}

# bench_named SETTING: wavecrypt-bench has nothing to do it with
bench_named()
{
	local status=0
	export POCL_DEVICES="basic pthread"
	"$top/selftests/lib/pocl" "$top/build/bench/loopback/wavecrypt-bench" --backend opencl \
		--set opencl-device="$1" >"$cache/out" 2>&1 || status=$?
	cat "$cache/out"
	expect_equal "exit status" 69 "$status"
	grep "no device \"$1\" .*0 (basic-.*; 1 (pthread-" "$cache/out"
}

# at_work DEVICE: doctor's words of OpenCL, with that one in the file and a daemon, all
# made up, whose devices have done packets
at_work()
{
	local pid
	mkdir -p "$cache/root/etc/wavecrypt"
	printf 'backend = opencl\nopencl-device = %s\n' "$1" \
		>"$cache/root/etc/wavecrypt/wavecryptd.conf"
	rm -f "$cache/made-up"
	python3 - "$cache/made-up" <<-'END' &
		import json, socket, sys
		with socket.socket(socket.AF_UNIX) as listening:
		    listening.bind(sys.argv[1])
		    listening.listen()
		    while True:
		        with listening.accept()[0] as asking:
		            asking.recv(4096)
		            asking.sendall(json.dumps({
		                "pid": 1, "version": "1", "backend": "opencl", "devices": [],
		                "workers": [{"device": {"packets": 7, "failed": 0}}]}).encode())
	END
	pid=$!
	wait_while "$pid" 60 test -S "$cache/made-up"
	"$top/selftests/lib/pocl" "$top/build/helperd/wavecryptctl" --root "$cache/root" \
		--socket "$cache/made-up" doctor | grep OpenCL || true
	kill "$pid"
}

# A device that works is not tried, but looked for by the name that it will have.
spoiled()
{
	export POCL_DEVICES="basic pthread"
	at_work 1 >"$cache/out"
	cat "$cache/out"
	expect_equal "lines" 1 "$(wc -l <"$cache/out")"
	grep "has done 7 packets" "$cache/out"
	at_work 2 >"$cache/out"
	cat "$cache/out"
	grep 'opencl-device = 2: no device "2" .*0 (basic-.*; 1 (pthread-' "$cache/out"
}

# doctor tries each of two.
tried()
{
	local number
	export POCL_DEVICES="pthread pthread"
	mkdir -p "$cache/root/etc/wavecrypt"
	printf 'backend = opencl\nopencl-device = 0,1\nopencl-memory = shared\n' \
		>"$cache/root/etc/wavecrypt/wavecryptd.conf"
	# It is not content with a machine that has no module.
	"$top/selftests/lib/pocl" "$top/build/helperd/wavecryptctl" --root "$cache/root" \
		doctor >"$cache/out" || true
	grep 'tried' "$cache/out"
	for number in 0 1; do
		grep -q "tried $number: it computes what the CPU does; .*way: shared" "$cache/out"
	done
}

cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
daemon=("$top/selftests/lib/pocl" "$top/build/helperd/wavecryptd" --set backend=opencl
	--set transport=loopback --set control-socket="$cache/control")

ktap_begin
ktap_test "build" build
ktap_test "devices are what settings name" named
ktap_test "of devices some are there: the daemon has those" some
ktap_test "a device that is not there is not taken over" reloaded
ktap_test "no driver: any name will do" unknown
ktap_test "wavecrypt-bench, and a device that is not there" bench_named 2
ktap_test "a daemon uses two side by side" both
ktap_test "so it does when they come later than it" later
ktap_test "so it does when not all that are named do" later 7,cpu
ktap_test "one that is missing is shared out when it comes" come
ktap_test "the CPU does it while a driver does not say what there is" wedged look \
	cpu 'its driver does not return'
ktap_test "so it does while a driver is not ready with a device" wedged probe \
	0 'its driver takes long' 1 'others took the time to ask its driver'
ktap_test "it stops while a driver does not return" stuck
ktap_test "it stops as usual when a driver returns soon" stuck 1
ktap_test "it lets the channel go while a driver does not return" late
ktap_test "doctor tries both" tried
ktap_test "doctor looks for what the file names, though the daemon works" spoiled
ktap_test "the backend" run
ktap_end
