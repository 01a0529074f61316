#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A machine that can have 256 CPUs, and has two: each has a directory of counters, which are
# there for whoever reads them, in a time that is printed, as is the memory that they take.
# wavecryptctl has those of CPUs that are there.
#
# vm: --kernel 6.1 --timeout 1800 --append possible_cpus=256 --no-module --test-modules --no-self-tests

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../guest/fuzz.bash
. "$here/../guest/fuzz.bash"

ctl=$top/build/helperd/wavecryptctl
possible=256
cpus=$(seq 0 $((possible - 1)) | xargs)
there=$(seq 0 $(($(nproc) - 1)) | xargs)
work=$(mktemp -d)

# memory WHAT: in KB
memory()
{
	awk -v what="$1:" '$1 == what { print $2 }' /proc/meminfo
}

# taken NAME COMMAND...: how long it takes; what it says is in $work/NAME
taken()
{
	local since=$EPOCHREALTIME us
	"${@:2}" >"$work/$1"
	us=$((${EPOCHREALTIME/./} - ${since/./}))
	echo "figure: $1: $((us / 1000)) ms, $(wc -l <"$work/$1") lines"
}

loads()
{
	local percpu slab

	modprobe --all --quiet aead authenc seqiv echainiv
	percpu=$(memory Percpu) slab=$(memory Slab)
	taken insmod insmod "$top/build/$WAVECRYPT_VM_KERNEL/driver/wavecrypt.ko"
	percpu=$(($(memory Percpu) - percpu)) slab=$(($(memory Slab) - slab))
	echo "figure: Percpu has grown by $percpu KB, Slab by $slab KB:" \
		"$(((percpu + slab) * 1024 / possible)) bytes for each CPU that there can be"
	expect_equal "possible CPUs" "0-$((possible - 1))" "$(cat /sys/devices/system/cpu/possible)"
	expect_equal "queues" "$possible" "$(find "$sysfs/" -maxdepth 1 -name 'queue*' | wc -l)"
}

# numbers NAME PATTERN: queues that are told of by a command, each once
numbers()
{
	sed -nE "s/$2/\1/p" "$work/$1" | sort -n | uniq | xargs
}

read_by_all()
{
	set_mode offload
	"$here/../vm/helper" start
	fuzz 200
	taken sysfs grep -r . "$sysfs/"
	taken stats "$ctl" stats
	taken stats-json "$ctl" --json stats
	taken metrics "$ctl" metrics
	taken status "$ctl" status -i 0.05
	taken top "$ctl" top -i 0.05
	expect_equal "queues by sysfs" "$cpus" "$(numbers sysfs '.*queue([0-9]+)\/bells:.*')"
	expect_equal "queues by stats" "$there" "$(numbers stats '.*queue([0-9]+)\>.*')"
	expect_equal "queues by metrics" "$there" \
		"$(numbers metrics 'wavecrypt_queue_bells_total\{queue="([0-9]+)"\}.*')"
	[ "$(of_queues batches)" -gt 0 ]
	grep -q . "$work/status"
	"$here/../vm/helper" stop
}

goes()
{
	rmmod wavecrypt_test
	taken rmmod rmmod wavecrypt
}

ktap_begin
ktap_test "it loads" loads
ktap_test "what reads counters has them all, and wavecryptctl those that count" read_by_all
ktap_test "it goes" goes
ktap_end
