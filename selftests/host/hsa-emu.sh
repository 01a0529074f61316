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

build()
{
	make -s --no-print-directory -C selftests/hsa-emu O="$1" "${@:2}"
}

# run PROGRAM [ARGUMENT...]: its own KTAP, which must be whole and without a failure
run()
{
	local out=$dir/$1.ktap
	mkdir -p "$(dirname "$out")"
	"$dir/test/$1" "${@:2}" >"$out" || {
		cat "$out"
		return 1
	}
	cat "$out"
	[ "$(selftests/lib/ktap-sum "$out" | cut -d' ' -f2)" = 0 ]
}

# instructions GFX SEED: random ones, assembled by LLVM, against the oracle
instructions()
{
	local file=$dir/ops-$1-$2
	"$dir/test/ops" asm "$1" "$2" >"$file.s"
	clang-19 -target amdgcn-amd-amdhsa -mcpu="$1" -c "$file.s" -o "$file.o"
	run ops run "$1" "$2" "$file.o"
}

ktap_begin
ktap_test "builds" build "$dir"
ktap_test "decodes as LLVM does" run disasm
seed=${SEED:-$(date +%j)}
for gfx in gfx801 gfx803 gfx900 gfx90c; do
	ktap_test "$gfx: random instructions compute what the manual says (SEED=$seed)" \
		instructions $gfx "$seed"
done
ktap_end
