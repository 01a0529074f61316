#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Data races: KCSAN stalls one of the CPUs in an access and looks whether the
# other comes by. The kernel has some of its own, which are no test's business;
# a report that has a function of ours in it is.
#
# vm: --kernel 6.1-kcsan --no-helper --test-modules --allow-splats --timeout 3000

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../guest/fuzz.bash
. "$here/../guest/fuzz.bash"

helper=$here/../vm/helper
kcsan=/sys/kernel/debug/kcsan

disturbed()
{
	sleep 0.3
	"$helper" kill
	"$helper" start
}

# Reports are framed by lines of equal signs.
ours()
{
	dmesg | awk '
		/={60}/ { if (report ~ /\[wavecrypt\]/) { print report; n++ } report = "" ; next }
		{ report = report $0 "\n" }
		/BUG: KCSAN/ { all++; report = $0 "\n" }
		END { print "figure: KCSAN reported " all + 0 " races, " n + 0 " of them ours"; exit n > 0 }'
}

watching()
{
	echo on >"$kcsan"
	grep 'enabled: 1' "$kcsan"
}

# watched: it has stalled CPUs so often that it could have seen something
watched()
{
	local times

	times=$(sed -n 's/^setup_watchpoints: *//p' "$kcsan")
	echo "figure: KCSAN watched $times accesses"
	[ "$times" -gt 100000 ]
}

set_mode offload
ktap_begin
ktap_test "KCSAN watches" watching
"$helper" start
ktap_test "random requests, offloaded" grows requests_offloaded fuzz 6000
ktap_test "random requests while helpers come and go" \
	grows requests_offloaded during disturbed fuzz 6000
"$helper" stop
ktap_test "KCSAN has watched" watched
ktap_test "no race of ours" ours
ktap_end
