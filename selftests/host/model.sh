#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The protocol between module and helper, and the order of completions, as small
# models (selftests/model), of which spin looks at every run that there can be.
# Each model is also broken on purpose, in the ways that its head names, and has
# to be found out: a check that can fail.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/selftests/lib/ktap.sh"

models=$top/selftests/model
out=$top/build/model

# search MODEL NAME OPTIMISATION [MACRO...]: all that can happen; spin's verdict in
# NAME/log
search()
{
	local model=$1 dir=$out/$2 optimisation=$3

	shift 3
	rm -rf "$dir"
	mkdir -p "$dir"
	cd "$dir"
	spin -a "$@" "$models/$model.pml"
	# Assertions, and ends at which somebody still waits
	gcc "$optimisation" -w -DSAFETY -DNOREDUCE -DMEMLIM=2048 -DVECTORSZ=2048 -o pan pan.c
	./pan -m1000000 -w22 >log
	grep -E 'errors:|error:|states, stored|elapsed' log
	! grep -q 'max search depth too small' log
}

# Every state was seen, and nothing is wrong.
holds()
{
	search "$1" "$1" -O2
	grep -q 'errors: 0' "$out/$1/log"
	! grep 'Search not completed' "$out/$1/log"
}

# Something is wrong, and spin says with which steps, of which it has to look at so few
# that the compiler takes longer.
found_out()
{
	search "$1" "$1.$2" -O0 "-D$2"
	grep -q 'errors: 1' "$out/$1.$2/log"
}

ktap_begin
for file in "$models"/*.pml; do
	model=$(basename "$file" .pml)
	ktap_test "$model" holds "$model"
	while read -r macro what; do
		ktap_test "$model, broken: ${what#: }" found_out "$model" "$macro"
	done < <(sed -n 's|^/\* broken -D\([A-Z_]*\): *\(.*\) \*/$|\1 \2|p' "$file")
done
ktap_end
