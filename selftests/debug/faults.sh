#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Memory runs short: allocations that the module makes, or has made for it, fail
# at random while random requests are made, helpers attach, and it is loaded.
# It may say -ENOMEM, and nothing else is to come of it.
#
# vm: --kernel 6.1-kasan --no-helper --no-self-tests --test-modules --allow-splats --timeout 3000

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../guest/fuzz.bash
. "$here/../guest/fuzz.bash"

helper=$here/../vm/helper
module=$here/../../build/$WAVECRYPT_VM_KERNEL/driver/wavecrypt.ko
debugfs=/sys/kernel/debug
faults=("$debugfs/failslab" "$debugfs/fail_page_alloc")

# set_faults NAME VALUE, for both kinds of memory, where they have it
set_faults()
{
	local kind

	for kind in "${faults[@]}"; do
		[ ! -e "$kind/$1" ] || echo "$2" >"$kind/$1"
	done
}

# with_faults PERCENT COMMAND...: those of tasks that ask for it
with_faults()
{
	local status=0

	set_faults probability "$1"
	shift
	"$@" || status=$?
	set_faults probability 0
	return "$status"
}

# The tasks that make the requests, as soon as there are any
chosen()
{
	local task

	for task in $(pgrep '^wavecrypt_test'); do
		echo 1 >"/proc/$task/make-it-fail" 2>/dev/null || true
	done
	sleep 0.05
}

# Requests, keys and transforms are refused for want of memory.
fuzz_short()
{
	local status=0 memory_is_short=yes

	with_faults 3 during chosen fuzz 6000 >"$log" || status=$?
	cat "$log"
	[ "$status" -eq 0 ]
	grep -q ', [1-9][0-9]* for want of memory$' "$log"
}

# tried WHAT PYTHON [ARGUMENT...]: the script has "tried", which makes a system call
# that asks for faults, as nothing else of the task does, and counts what it said.
tried()
{
	# They ask for memory so often that with one fault in a hundred hardly any is done. An
	# odd number: by an even one only some of the places that ask would ever be refused.
	set_faults interval 15
	with_faults 1 python3 -c 'if True:
		import collections, ctypes, errno, os, sys
		libc = ctypes.CDLL(None, use_errno=True)
		fail = os.open("/proc/self/make-it-fail", os.O_WRONLY)
		outcome = collections.Counter()
		def tried(call, *arguments):
		    os.pwrite(fail, b"1", 0)
		    failed = libc.syscall(call, *arguments) < 0
		    os.pwrite(fail, b"0", 0)
		    outcome[errno.errorcode[ctypes.get_errno()] if failed else "done"] += 1
		    return not failed
		exec(sys.argv[2])
		print("figure:", sys.argv[1], dict(outcome))
		assert set(outcome) == {"done", "ENOMEM"}' "$@"
}

attach_short()
{
	local call
	read -ra call < <("$here/../../build/selftests/abuse" attaching)
	tried attaching '
IOCTL = 16
attach, size, version = map(int, sys.argv[3:])
for i in range(300):
    device = os.open("/dev/wavecrypt", os.O_RDWR)
    first = version.to_bytes(4, "little")
    tried(IOCTL, device, attach, ctypes.create_string_buffer(first, size))
    os.close(device)' "${call[@]}"
}

load_short()
{
	# Each time would take as long as the tests of the algorithms do.
	echo Y >/sys/module/cryptomgr/parameters/notests
	tried loading '
INIT_MODULE, DELETE_MODULE = 175, 176
with open(sys.argv[3], "rb") as file:
    module = file.read()
for i in range(40):
    assert libc.syscall(DELETE_MODULE, b"wavecrypt", os.O_NONBLOCK) == 0
    assert tried(INIT_MODULE, module, len(module), b"") or \
        libc.syscall(INIT_MODULE, module, len(module), b"") == 0' "$module"
}

in_peace()
{
	set_mode offload
	"$helper" start
	grows requests_offloaded fuzz 2000
	"$helper" stop
}

# The kernel says that memory is short, as it should, also for what tracing knows of
# a module's events and for the test of an algorithm, and no more.
nothing_else()
{
	dmesg | grep -vE 'page allocation failure|SLUB: Unable to allocate memory|WARNING: .* at (event_define_fields|crypto_wait_for_test)' >"$log"
	"$here/../vm/splats" "$log"
}

log=$(mktemp)
set_faults verbose 0
set_faults times -1
set_faults interval 1
set_faults min-order 0
set_faults ignore-gfp-wait N
set_faults ignore-gfp-highmem N
set_faults task-filter Y

set_mode offload
ktap_begin
"$helper" start
ktap_test "random requests, keys and transforms" fuzz_short
"$helper" stop
ktap_test "attaching" attach_short
ktap_test "loading the module" load_short
ktap_test "and afterwards everything works" in_peace
ktap_test "the kernel has nothing to complain of" nothing_else
ktap_end
