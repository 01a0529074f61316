#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The table of keys: it grows by pages, ten thousand SAs come and go under traffic, each as
# fast where there are twenty thousand as where there are few, one that is full is tried
# again, and who has no memory for it takes nothing over. table.py does it.
#
# check: alone
# uml: 7.2-full --no-module --test-modules
# debug: uml

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=fuzz.bash
. "$here/fuzz.bash"

# with_keys NR COMMAND...: with a table for so many, or as it is if nothing is said, and a helper
with_keys()
{
	local status=0

	# shellcheck disable=SC1091,SC2154
	(. "${WAVECRYPT_VM_RUN:?}/what" && insmod "${module:-$here/../../build/$WAVECRYPT_VM_KERNEL/driver/wavecrypt.ko}" ${1:+keys="$1"})
	# Each request counts, and an emulated helper may take its time.
	echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
	"$here/../vm/helper" start
	"${@:2}" || status=$?
	"$here/../vm/helper" stop
	rmmod wavecrypt || status=$?
	return "$status"
}

# Of other SAs, meanwhile
under_traffic()
{
	local status=0 sender

	set_mode offload
	python3 "$here/table.py" traffic &
	sender=$!
	"$@" || status=$?
	kill "$sender"
	wait "$sender" || status=$?
	return "$status"
}

modprobe --all --quiet aead authenc seqiv echainiv || true
insmod "$(dirname "$test_module")/wavecrypt_ask.ko"

ktap_begin
ktap_test "it grows by pages" with_keys 20000 python3 "$here/table.py" grow
ktap_test "10000 SAs come and go under traffic" with_keys 4096 \
	under_traffic python3 "$here/table.py" churn
replaced="20000 SAs are replaced under traffic as fast as 1000"
if [ "$(nproc)" -gt 1 ]; then
	ktap_test "$replaced" with_keys '' under_traffic python3 "$here/table.py" replace
else
	ktap_skip "$replaced" "there is one CPU"
fi
ktap_test "deletions wake a helper seldom" with_keys '' python3 "$here/table.py" delete
ktap_test "it is full: counted, and tried again" with_keys 8 python3 "$here/table.py" full
takeover="a takeover without memory for it leaves the helper that there is"
if memory_groups; then
	ktap_test "$takeover" with_keys '' python3 "$here/table.py" takeover
else
	ktap_skip "$takeover" "a kernel without control groups of memory"
fi
ktap_end
