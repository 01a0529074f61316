#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What the benchmarks say of cells that failed: nothing is measured here.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/selftests/lib/ktap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed='failed\|FAILED'

# bench_run OPTION [FAILS [ABSENT]]: what selftests/bench/run makes of guests in which the last
# cell of one algorithm fails, and another algorithm is not in the kernel
bench_run()
{
	python3 - "$top/selftests/bench" "$work" "$@" <<-'END'
		import pathlib, runpy, sys
		tree, work, option, fails, absent = (*sys.argv[1:], "", "")[:5]
		sys.path.insert(0, tree)
		import bench, figures

		class Guests:
		    def __init__(self, args):
		        pass

		    def close(self):
		        pass

		    def run(self, what, cells):
		        last = {cell.alg: i for i, cell in enumerate(cells)}
		        good = [{"side": side, "packets": 1, "later": 1, "wall_ns": 2 - side, "submit_ns": 1,
		                 "complete_ns": 1, "mean_ns": 1, "tries": 1 + side} for side in (0, 1)]
		        return [figures.Result(cell, [{"absent": True}] if cell.alg == absent else
		                               [{"error": "it broke"}] if i == last.get(fails) else good)
		                for i, cell in enumerate(cells)]

		bench.Bench, bench.TOP, bench.library = Guests, pathlib.Path(work), lambda args: {}
		sys.argv = ["run", option]
		runpy.run_path(tree + "/run", run_name="__main__")
	END
}

# said WORDS TIMES
said()
{
	expect_equal "$1" "$2" "$(grep -c -- "$1" "$work/said")"
}

# Where nothing fails there is nothing to say of that.
good()
{
	bench_run "$1" >"$work/said"
	cat "$work/said"
	said "$failed" 0
}

# A round that failed leaves nothing to make a median of, nor pairs with rounds of other cells.
targets()
{
	bench_run --targets cbc-sha384-esn >"$work/said" && return 1
	cat "$work/said"
	said '^FAILED: aead, cbc-sha384-esn decrypt 1408 B, 256 in flight, one SA, mode=auto: it broke$' 1
	said ' failed$' 1
	said 'cbc-sha384 .*, times as fast .* 2\.00' 2
	said '^Samples taken again, .*: base 0 of \([0-9]*\), test \1 of \1$' 1
}

# What the kernel does not have has not failed.
absent()
{
	bench_run "$1" '' cbc-sha384-esn >"$work/said"
	cat "$work/said"
	said ' not in this kernel$' 2
	said "$failed" 0
}

suites()
{
	bench_run --suites cbc-sha384-esn ctr-sha1 >"$work/said" && return 1
	cat "$work/said"
	said '^FAILED: aead, cbc-sha384-esn decrypt .*: it broke$' 1
	said '^  cbc-sha384-esn  .* failed$' 1
	said '^  ctr-sha1 .* not in this kernel$' 2
	# Both ways: twelve with HMAC, and two that have an ICV of their own
	said '^  [^ ]*-esn .*crypt ' 28
}

# What there is no tunnel for is refused before anything is built.
no_such_cell()
{
	! "$top/selftests/bench/cell" "$@" >"$work/said" 2>&1 || return 1
	cat "$work/said"
}

host_decrypt()
{
	no_such_cell cbc-sha1 decrypt 1408 1 --what host
	said 'error: there is no --what host that would decrypt$' 1
	no_such_cell cbc-sha384 encrypt 1408 1 --what host
	said 'error: there is no tunnel with cbc-sha384, only with ' 1
}

# gpu_run PATTERN [STATUS]: what selftests/bench/gpu/run makes of programs that fail where their
# arguments match
gpu_run()
{
	mkdir -p "$work/programs"
	cat >"$work/programs/wavecrypt-bench" <<-'END'
		#!/bin/bash
		case "$*" in
		$FAILS)	wrong=3 ;;
		*)	wrong=0 ;;
		esac
		cat <<JSON
		{"gbit": 1, "wrong": $wrong, "retries": 0, "packets": 1, "seconds": 1, "backend": "none",
		 "latency": {"mean_us": 1, "p50_us": 1, "p99_us": 1, "curve_us": [1, 2]},
		 "settings": {"workers": 1},
		 "daemon": {"device_packets": 1, "device_failed": 0, "busy_s": 1, "busy_ns_per_packet": 77}}
		JSON
		exit $((wrong > 0))
	END
	cat >"$work/programs/gpu-kernels" <<-'END'
		#!/bin/bash
		echo '{"schedule": [], "copies": [{"gbit_s": 1, "bytes": 1, "queues": 1}]}' >"$2"
		exit "$KERNELS"
	END
	ln -sf wavecrypt-bench "$work/programs/wavecrypt-bench-tables"
	chmod +x "$work"/programs/*
	FAILS=$1 KERNELS=${2:-0} "$top/selftests/bench/gpu/run" --quick --programs "$work/programs" \
		--out "$work/gpu" >"$work/said" 2>"$work/log" && return
	cat "$work/said" "$work/log"
	return 1
}

gpu_good()
{
	gpu_run ''
	said "$failed" 0
	said ' B: 77\.0$' 3
}

# Wrong results: nothing is measured then.
gpu_wrong()
{
	! gpu_run '*--mix null-sha1-encrypt *' || return 1
	[ ! -s "$work/said" ]
	grep '^bench-gpu: null-sha1-encrypt: exit status 1, 3 wrong$' "$work/log"
}

# What fails after that is in no table.
gpu_failed()
{
	! gpu_run '*--no-check --nothing *' 1 || return 1
	said '^  FAILED: .*--nothing .*: exit status 1, 3 wrong$' 3
	said '^  FAILED: gpu-kernels: exit status 1$' 1
	said ' B: 77\.0$' 0
}

ktap_begin
for option in --targets --suites; do
	ktap_test "run $option: nothing failed" good $option
done
ktap_test "run --targets: one failed round" targets
ktap_test "run --targets: what the kernel does not have" absent --targets
ktap_test "run --suites: what the kernel does not have" absent --suites
ktap_test "run --suites: one failed, one the kernel does not have" suites
ktap_test "cell: what there is no tunnel for" host_decrypt
ktap_test "gpu/run: nothing failed" gpu_good
ktap_test "gpu/run: wrong results" gpu_wrong
ktap_test "gpu/run: programs that failed" gpu_failed
ktap_end
