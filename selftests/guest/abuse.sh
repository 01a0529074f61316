#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Bad use: a clear error each time, and no word from the kernel but the one
# that explains it. abuse.c has what needs the device, patience.c the helper that
# does not come back; here is the rest.
#
# check: alone
# uml: 7.2-full --no-helper --test-modules
# debug: uml uml72

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bin=$here/../../build/selftests
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=fuzz.bash
. "$here/fuzz.bash"
# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"

device_abused()
{
	set_mode offload
	mark_log
	ktap_whole timeout 120 "$bin/abuse"
	only 'helper [0-9]+ (attached|detached|replaces [0-9]+)$|helper [0-9]+ broke the rules, its requests are done in the kernel: queue [0-9]+: |abuse\[[0-9]+\] speaks version [13] of the interface, this module 2; |abuse\[[0-9]+\] cannot have [0-9]+ entries: with [0-9]+ CPUs a power of two from 16 to 4096$|.* callbacks suppressed'
}

slow_or_stopped()
{
	mark_log
	ktap_whole timeout 300 "$bin/patience"
	only 'helper [0-9]+ (attached|detached|stalled on queue 0, .*|goes on with queue 0)$'
}

sa()
{
	ip xfrm state "$@" src 192.0.2.1 dst 192.0.2.2 proto esp spi 0x77
}

aes=0x000102030405060708090a0b0c0d0e0f
hmac=0x000102030405060708090a0b0c0d0e0f10111213

# refused PARAMETERS...: an SA that cannot be, as ip says and the module does not
refused()
{
	local said

	mark_log
	! said=$(sa add "$@" 2>&1) || return 1
	echo "$said"
	[ -n "$said" ]
	only 'nothing at all'
}

bad_sas()
{
	local len

	for len in 2 30 34 46 50 62 66 128; do
		refused enc 'cbc(aes)' "${aes:0:2}$(printf '%0*d' "$len" 0)" auth 'hmac(sha1)' "$hmac"
	done
	for len in 2 32 38 42 80; do
		refused aead 'rfc4106(gcm(aes))' "0x$(printf '%0*d' "$len" 0)" 128
	done
	for len in 0 7 32 72 136; do
		refused aead 'rfc4106(gcm(aes))' "0x$(printf '%040d' 0)" "$len"
	done
}

# An SA holds the module; a helper does, too.
in_use()
{
	local said

	sa add enc 'cbc(aes)' "$aes" auth 'hmac(sha1)' "$hmac" ||
		# 6.1 looks hmac(sha1) up only when it is asked for
		sa add enc 'cbc(aes)' "$aes" auth 'hmac(sha1)' "$hmac"
	! said=$(rmmod wavecrypt 2>&1) || return 1
	[[ $said == *"is in use"* ]]
	sa delete
}

in_use_by_helper()
{
	local said

	"$here/../vm/helper" start
	! said=$(rmmod wavecrypt 2>&1) || return 1
	[[ $said == *"is in use"* ]]
	"$here/../vm/helper" stop
}

goes_and_comes()
{
	local times module=$here/../../build/$WAVECRYPT_VM_KERNEL/driver/wavecrypt.ko bad all

	all=$(grep -c '^driver.*-wavecrypt$' /proc/crypto)
	for times in 1 2 3; do
		echo "time $times"
		# An SA's end is in a work queue.
		wait_until 10 rmmod wavecrypt
		[ ! -e /dev/wavecrypt ]
		if grep wavecrypt /proc/crypto; then return 1; fi
		# No word is none of those that switch guards off.
		for bad in hazards= keys=0 keys=1048577 algs=gcm,,cbc-sha1 'algs=,'; do
			if insmod "$module" "$bad"; then return 1; fi
		done
		# Nothing said is all; what is lacking has quotes around it.
		insmod "$module" algs=
		expect_equal "algorithms" "$all" "$(grep -c '^driver.*-wavecrypt$' /proc/crypto)"
		[ -e "$sysfs"/state ]
	done
	dmesg | grep -c "wavecrypt: algs: there is no ''"
}

# out_of_range NAME LEAST MOST: that are taken, and numbers beside them that are not
out_of_range()
{
	local file=/sys/module/wavecrypt/parameters/$1 before number

	before=$(cat "$file")
	for number in "$2" "$3"; do
		echo "$number" >"$file"
		expect_equal "$1" "$number" "$(cat "$file")"
	done
	for number in $(($2 - 1)) $(($3 + 1)) 4294967295 4294967296 many; do
		if echo "$number" >"$file"; then return 1; fi
	done
	expect_equal "$1" "$3" "$(cat "$file")"
	echo "$before" >"$file"
}

bad_parameters()
{
	local name number

	mark_log
	for name in mode prefer; do
		if echo sideways >/sys/module/wavecrypt/parameters/"$name"; then return 1; fi
	done
	expect_equal mode offload "$(cat /sys/module/wavecrypt/parameters/mode)"
	if echo dog,auto >/sys/module/wavecrypt/parameters/hazards; then return 1; fi
	# Each in a line
	log_since_mark | grep -c "mode cannot be 'sideways'; modinfo"
	log_since_mark | grep -c "hazards: there is no 'dog'; names are those in /sys"
	out_of_range pending 0 4096
	out_of_range stall_ms 0 60000
	out_of_range latency_us 1 60000000
	out_of_range mtu 0 65535
	out_of_range reap_batch 1 65535
	out_of_range poll_us 0 1000000
	for number in 0 8 77 8192 -1 many; do
		if echo "$number" >/sys/module/wavecrypt/parameters/entries; then return 1; fi
	done
	expect_equal entries 512 "$(cat /sys/module/wavecrypt/parameters/entries)"
	echo 4096 >/sys/module/wavecrypt/parameters/entries
	echo 512 >/sys/module/wavecrypt/parameters/entries
}

insmod "$(dirname "$test_module")/wavecrypt_ask.ko"
# attach_in GROUP MAX ENTRIES: in a control group that may have so much memory; looks at
# all keys then. What that comes to, and nobody is killed for it.
attach_in()
{
	local status=0

	mkdir "$1"
	echo "$2" >"$1"/memory.max
	sh -c "echo \$\$ >$1/cgroup.procs; exec '$bin/abuse' attach $3" || status=$?
	peak=$(cat "$1"/memory.peak)
	echo "of $2, $peak bytes at most: status $status"
	grep -x 'oom_kill 0' "$1"/memory.events || status=1
	rmdir "$1"
	return "$status"
}

# A channel is the attacher's to pay for, also what there is not before somebody looks at
# it: with too little memory in its control group it is refused, or has no slots for jumbo
# packets.
charged()
{
	local group=/sys/fs/cgroup/wavecrypt keys status=0 peak

	attach_in "$group" 6M 4096 || status=$?
	expect_equal "attaching" 12 "$status"
	echo 9000 >/sys/module/wavecrypt/parameters/mtu
	attach_in "$group" 200M 4096
	mark_log
	attach_in "$group" "$((2 * peak / 3))" 4096
	log_since_mark | grep -c ': no memory for slots for jumbo packets, which are done in the kernel$'
	echo 0 >/sys/module/wavecrypt/parameters/mtu
	attach_in "$group" 64M 16
	keys=$(($(cat /sys/module/wavecrypt/parameters/keys) * 640))
	echo "keys: $keys bytes"
	[ "$peak" -ge "$keys" ]
}

# Whoever reads on after SAs have gone misses none of the others.
shown_once()
{
	local n

	for ((n = 0; n < 200; n++)); do
		echo "xfrm state add src 192.0.2.1 dst 192.0.2.2 proto esp spi $((4096 + n))" \
			"aead rfc4106(gcm(aes)) ${aes}00000000 128"
	done | ip -batch -
	python3 -IS -c '
import os, subprocess, sys, time
listed = lambda: open("/proc/wavecrypt").read().count("\n")
def delete(numbers):
    subprocess.run(["ip", "-batch", "-"], check=True, text=True, input="".join(
        f"xfrm state delete dst 192.0.2.2 proto esp spi {4096 + n}\n" for n in numbers))
before = listed()
file = os.open("/proc/wavecrypt", os.O_RDONLY)
text = os.read(file, 4096)
early = text.count(b"\n")
delete(range(20))
while listed() > before - 20:
    time.sleep(0.01)
while more := os.read(file, 4096):
    text += more
delete(range(20, 200))
print("lines:", before, "in the first piece:", early, "of all:", text.count(b"\n"))
sys.exit(early < 25 or text.count(b"\n") != before)'
}

ktap_begin
ktap_test "the device in the wrong hands" device_abused
ktap_test "a helper that is slow, and one that is stopped" slow_or_stopped
ktap_test "keys and ICV lengths that cannot be" bad_sas
ktap_test "parameters that cannot be" bad_parameters
ktap_test "transforms that come and go are shown once" shown_once
if memory_groups; then
	ktap_test "a channel is charged to who attaches" charged
else
	ktap_skip "a channel is charged to who attaches" "a kernel without control groups of memory"
fi
ktap_test "the module stays while an SA uses it" in_use
ktap_test "the module stays while a helper is attached" in_use_by_helper
ktap_test "the module goes and comes again" goes_and_comes
ktap_end
