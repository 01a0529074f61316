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
		                 "complete_ns": 1, "mean_ns": 1} for side in (0, 1)]
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
}

ktap_begin
for option in --targets --suites; do
	ktap_test "run $option: nothing failed" good $option
done
ktap_test "run --targets: one failed round" targets
ktap_test "run --targets: what the kernel does not have" absent --targets
ktap_test "run --suites: what the kernel does not have" absent --suites
ktap_test "run --suites: one failed, one the kernel does not have" suites
ktap_end
