#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The emulated HSA runtime: that it computes what AMD's machine code means, and
# that it finds what is wrong with a kernel or with how it is used

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

dir=$top/build/hsa-emu

# Others build there as well.
build()
{
	mkdir -p "$1"
	flock "$1" make -s --no-print-directory -C selftests/hsa-emu O="$1"
}

# run PROGRAM [ARGUMENT...]: one that prints KTAP
run()
{
	ktap_whole "$dir/test/$1" "${@:2}"
}

# instructions GFX SEED: random ones, assembled by LLVM, against the oracle
instructions()
{
	local file=$dir/ops-$1-$2
	"$dir/test/ops" asm "$1" "$2" >"$file.s"
	clang-19 -target amdgcn-amd-amdhsa -mcpu="$1" -c "$file.s" -o "$file.o"
	run ops run "$1" "$2" "$file.o"
}

# kernels GFX: compiled ones, dispatched as a program would
kernels()
{
	local report=$dir/kernels-$1.report
	rm -f "$report"
	HSA_EMU_AGENTS=$1 HSA_EMU_REPORT=$report \
		run kernels "$dir/test/same-$1.co" "$dir/test/kernels-$1.co"
	[ ! -e "$report" ]
}

# strict GFX: every mistake is found
strict()
{
	HSA_EMU_AGENTS=$1 run strict "$dir/test/wrong-$1.co" "$dir/test/wrong.s-$1.co"
}

# What it is asked for wrongly is refused.
refuse()
{
	HSA_EMU_AGENTS=gfx90c run refuse "$dir/test/wrong-gfx90c.co" "$dir/test/wrong-gfx801.co"
}

# project GFX: the project's own kernels, of every algorithm, direction and key size
project()
{
	local report=$dir/project-$1.report
	rm -f "$report"
	HSA_EMU_AGENTS=$1 HSA_EMU_REPORT=$report run project "$dir/kernels/$1.co" 200
	[ ! -e "$report" ]
}

ktap_begin
ktap_test "builds" build "$dir"
ktap_test "decodes as LLVM does" run disasm
seed=${SEED:-1}
for gfx in gfx801 gfx803 gfx900 gfx90c; do
	ktap_test "$gfx: random instructions compute what the manual says (SEED=$seed)" \
		instructions $gfx "$seed"
done
for gfx in gfx801 gfx803 gfx90c; do
	ktap_test "$gfx: compiled kernels" kernels $gfx
done
ktap_test "wrong calls are refused" refuse
for gfx in gfx801 gfx803 gfx90c; do
	ktap_test "$gfx: mistakes are found" strict $gfx
done
for gfx in gfx801 gfx803 gfx90c; do
	ktap_test "$gfx: the project's kernels" project $gfx
done
ktap_end
