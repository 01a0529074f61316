#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The GPU kernels compiled for AMD GPUs: no scratch memory (where secrets would
# lie about, and which costs time), nothing spilled, local memory for four
# work-groups on a compute unit, and as many waves at once as noted here.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/selftests/lib/ktap.sh"

O=$top/build/gpu

# waves on each SIMD, and work-items in a wave
declare -A waves=(
	[gfx801]=1	[gfx803]=1	[gfx900]=1	[gfx902]=1
	[gfx906]=1	[gfx909]=1	[gfx90a]=1	[gfx90c]=1
	[gfx1030]=4	[gfx1033]=4	[gfx1035]=4	[gfx1036]=4
	[gfx1100]=4	[gfx1101]=4	[gfx1102]=4	[gfx1103]=4
	[gfx1150]=4	[gfx1151]=4	[gfx1152]=4
)
wave_size()
{
	case $1 in
	gfx1*)	echo 32 ;;
	*)	echo 64 ;;
	esac
}

# field FILE KERNEL NAME: what the compiler's metadata say of a kernel
field()
{
	awk -v kernel="$2" -v name=".$3:" '
		/^amdhsa.kernels:/	{ in_kernels = 1 }
		!in_kernels		{ next }
		/^  - /			{ value = "" }
		{ sub(/^  - /, "    ") }
		$1 == name		{ value = $2 }
		$1 == ".name:" && $2 == kernel	{ found = 1 }
		# The fields come in alphabetical order, .name in their midst.
		found && value != ""	{ print value; exit }
	' "$1"
}

# occupancy FILE KERNEL: waves on a SIMD, by the compiler's reckoning
occupancy()
{
	awk -v kernel="$2:" '
		$1 == kernel		{ found = 1 }
		found && /^; Occupancy:/ { print $3; exit }
	' "$1"
}

# Of each GPU that code is made for it is noted.
all_noted()
{
	# shellcheck disable=SC2016 # make's
	expect_equal "kernels/Makefile's" "$(printf '%s\n' "${!waves[@]}" | sort -V)" \
		"$(make -s --no-print-directory -C "$top/kernels" O="$O" \
			--eval='targets: ; @printf "%s\n" $(AMDGCN)' targets | sort -V)"
}

build()
{
	local symbols
	make -s --no-print-directory -C "$top/kernels" O="$O" "$O/$1.co"
	grep -q 'Machine: *AMD GPU' <<<"$(readelf -h "$O/$1.co")"
	symbols=$(readelf -Ws "$O/$1.co")
	grep -q ' wavecrypt_batch$' <<<"$symbols"
	grep -q ' wavecrypt_persistent$' <<<"$symbols"
}

# fits GFX KERNEL
fits()
{
	local s=$O/$1.s name
	for name in private_segment_fixed_size sgpr_spill_count vgpr_spill_count; do
		expect_equal "$name" 0 "$(field "$s" "$2" "$name")"
	done
	expect_equal "wavefront_size" "$(wave_size "$1")" "$(field "$s" "$2" wavefront_size)"
	expect_equal "waves on a SIMD" "${waves[$1]}" "$(occupancy "$s" "$2")"
	[ "$(field "$s" "$2" group_segment_fixed_size)" -le 16384 ] || {
		echo "local memory: $(field "$s" "$2" group_segment_fixed_size) bytes"
		return 1
	}
}

ktap_begin
ktap_test "as many waves as wanted are noted of each GPU" all_noted
for gfx in $(printf '%s\n' "${!waves[@]}" | sort -V); do
	ktap_test "$gfx: compiles and links" build "$gfx"
	for kernel in wavecrypt_batch wavecrypt_persistent; do
		ktap_test "$gfx: $kernel fits" fits "$gfx" $kernel
	done
done
ktap_end
