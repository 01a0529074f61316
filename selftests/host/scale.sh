#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The rig of selftests/bench/scale, small: a guest of two CPUs whose helper is outside
# of it. Every experiment runs; what is measured is of no interest here.
#
# uml: 7.2-full

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/selftests/lib/ktap.sh"

O=$top/build/bench/scale-small
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

build()
{
	mkdir -p "$O"
	flock "$O" make -s --no-print-directory -C "$top/selftests/bench/scale" O="$O" \
		KERNEL=7.2-full
}

# On a machine that does other things too, all this may take its time.
run()
{
	"$O/carry/run" --small --cpus 2 --patience 200 --out "$out"
}

# What takes a signal is not measured as if it took none.
refused()
{
	local said
	said=$("$O/carry/run" --small --cpus 2 --no-lanes --light-ipi 1000 --out "$out/refused" 2>&1) && return 1
	echo "$said"
	[ "$said" = "bench-scale: this guest's kernel knows no light interrupts: build with KERNEL=7.2-scale" ]
}

# Every request that was offloaded went to the helper outside of the guest and back.
offloaded()
{
	python3 - "$out/scale.json" <<-'END'
		import json, sys
		cells = json.load(open(sys.argv[1], encoding="utf-8"))["cells"]
		wrong = [cell for cell in cells if cell["mode"] == "offload" and
		         not 0 < cell["counted"]["requests_offloaded"] <= cell["counted"]["packets"] + cell["counted"]["redone"]]
		print(*wrong, sep="\n")
		sys.exit(not cells or bool(wrong) or not any(cell["mode"] == "offload" for cell in cells))
	END
}

# What fails a run, and what a helper that was kept from running has the module say
judged()
{
	python3 - "$O/carry" <<-'END'
		import sys
		sys.path.insert(0, sys.argv[1])
		from guest import SPLAT
		bad = ("rcu: INFO: rcu_sched self-detected stall on CPU",
		       "rcu: INFO: rcu_sched detected stalls on CPUs/tasks:",
		       "watchdog: BUG: soft lockup - CPU#1 stuck for 22s!",
		       "wavecrypt: helper 298 broke the protocol")
		good = ("wavecrypt: helper 298 stalled on queue 0, its requests are done in the kernel",)
		sys.exit(not all(map(SPLAT.search, bad)) or any(map(SPLAT.search, good)))
	END
}

ktap_begin
ktap_test "build" build
ktap_test "a stall of the helper's is no failure, one of a CPU's is" judged
ktap_test "every experiment, results as the kernel's" run
ktap_test "what is offloaded goes out of the guest and back" offloaded
ktap_test "light interrupts are refused by a kernel that has none" refused
ktap_end
